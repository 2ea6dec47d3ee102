//! What this browser remembers of models: which one was started last, and when models last answered a test.

use turnwise_shared::wire::ProviderInfo;

use super::super::Draft;
use crate::address::Config;
use crate::prelude::*;
use crate::{clock, keep};

/// The model that was started last.
const LAST: &str = "turnwise.model";
/// When models last answered a test, by name.
const TESTED: &str = "turnwise.tested";
/// The most models of which a test is remembered.
const MOST_TESTED: usize = 50;

/// The model that this browser started last, if this server can ask it.
pub fn last(about: &About) -> Option<Player> {
    let player = keep::recall(LAST)?.parse().ok()?;
    is_ready(about, &player).then_some(player)
}

/// Remembers a model that was started.
pub fn remember(player: &Player) {
    if matches!(player, Player::Model { .. }) {
        keep::remember(LAST, Some(&player.to_string()));
    }
}

/// The service that is meant where nothing else can be: the only one that is ready. What makes answers up counts only where there is
/// nothing else.
pub fn only_service(about: &About) -> Option<&ProviderInfo> {
    let mut ready = about.ready_providers();
    let one = ready.next()?;
    let is_only = ready.all(|other| other.format == ProviderInfo::SCRIPTED);
    is_only.then_some(one)
}

/// The model that is meant where nothing else can be: that service lists one.
pub fn only(about: &About) -> Option<Player> {
    let one = only_service(about)?;
    match one.models.as_slice() {
        [model] => Some(Player::Model { provider: one.name.clone(), model: model.clone() }),
        _ => None,
    }
}

/// The model that a user means who wants one and has named none: the last one, else the only one.
pub fn meant(about: &About) -> Option<Player> {
    last(about).or_else(|| only(about))
}

fn is_ready(about: &About, player: &Player) -> bool {
    let Player::Model { provider, .. } = player else {
        return false;
    };
    about.ready_providers().any(|one| one.name == *provider)
}

/// Milliseconds since 1970 at which a model last answered a test of this browser.
pub fn tested(model: &str) -> Option<u64> {
    all_tested().get(model).copied()
}

/// Remembers whether a model answered a test.
pub fn remember_test(model: &str, answered: bool) {
    let mut all = all_tested();
    all.remove(model);
    if answered {
        all.insert(model.to_owned(), clock::today());
    }
    while all.len() > MOST_TESTED {
        let oldest = all.iter().min_by_key(|(_, at)| **at);
        let Some(oldest) = oldest.map(|(model, _)| model.clone()) else {
            break;
        };
        all.remove(&oldest);
    }
    keep::remember(TESTED, serde_json::to_string(&all).ok().as_deref());
}

fn all_tested() -> BTreeMap<String, u64> {
    keep::recall(TESTED).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// Seats the model that was started last, where the address chooses nothing at all.
pub fn seat_last(draft: Draft, search: &str) {
    let is_untouched =
        draft.config.with_untracked(|config| *config == Config::new(registry::first()));
    if !search.trim_start_matches('?').is_empty() || !is_untouched {
        return;
    }
    let last = draft.about.with_untracked(|about| about.ready().and_then(last));
    let seat = evaluated(draft);
    if let Some((player, seat)) = last.zip(seat) {
        let config = draft.config;
        config.update(|config| drop(config.seats.insert(seat, player)));
    }
}

/// The seat under evaluation; `None` where all participants are.
pub fn evaluated(draft: Draft) -> Option<Seat> {
    let benchmark = draft.benchmark_untracked();
    match benchmark.participants() {
        Some(_) => None,
        None => benchmark.seats().first().map(|info| Seat::new(info.seat)),
    }
}
