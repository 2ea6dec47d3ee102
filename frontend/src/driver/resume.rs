//! Taking up a run that this browser opened: its transcripts are replayed, and what was under way goes on.

use std::collections::{BTreeMap, BTreeSet};

use leptos::prelude::Set as _;
use turnwise_shared::run::{EpisodeKey, PartKey, Run};
use turnwise_shared::transcript::{self, Transcript};
use turnwise_shared::wire::{ApiError, RunId, RunState};

use super::drive::Live;
use super::shelf::Shelf;
use super::{drives, ingredients, lock_name};
use crate::keep::{KeptRun, Wish};
use crate::lock::Lock;
use crate::{api, clock, keep, library, live, lock};

/// How many times a lock that somebody holds is waited for, and how many milliseconds each time.
const LOCK_TRIES: u32 = 8;
const LOCK_PAUSE: u32 = 200;

/// Takes up a run that this browser opened, where its transcripts end. Does nothing if it is driven here already.
///
/// # Errors
/// If this browser does not have the run's token, another tab drives it, its tasks or tapes are not at hand, or a stored
/// transcript does not replay.
pub async fn take_up(id: &RunId) -> Result<(), ApiError> {
    if drives(id) {
        return Ok(());
    }
    let lock = patiently_locked(id).await.ok_or_else(|| {
        api::error(
            "driven_elsewhere",
            "Another tab of this browser drives this run.",
        )
    })?;
    let kept = keep::run(id).await?.ok_or_else(|| {
        api::error(
            "not_ours",
            "Only the browser that opened a run can take it up; the others can read it.",
        )
    })?;
    let tasks = library::tasks(&kept.spec).await?;
    let pack = library::pack(&kept.spec)?;
    let tapes = library::tapes(&kept.spec).await?;
    let ingredients = ingredients(kept.spec.clone(), tasks, pack, tapes, kept.in_flight);
    let mut run = match api::run(id).await?.regrades {
        None => Run::new(ingredients),
        Some(_) => Run::regrading(ingredients, plays(id).await?),
    }
    .map_err(|bad| api::error("bad_spec", bad.to_string()))?;
    let shelf = restore(&mut run, &kept).await?;
    if drives(id) {
        return Ok(());
    }
    let view = live::view(id);
    view.problem.set(None);
    let kept = KeptRun {
        wish: Wish::Run,
        ..kept
    };
    keep::put_run(&kept).await?;
    api::set_state(id, &kept.token, RunState::Open).await?;
    Live::start(kept, run, shelf, Some(lock), view);
    Ok(())
}

/// The plays that a run grades again; the server has them under its own address too.
async fn plays(id: &RunId) -> Result<Vec<Transcript>, ApiError> {
    let mut plays = Vec::new();
    for head in api::episodes(id).await? {
        if head.episode.part() == PartKey::Play {
            let text = api::transcript(id, &head.episode).await?;
            let play = transcript::read(&text)
                .map_err(|bad| api::error("unreadable_play", format!("{}: {bad}", head.episode)))?;
            plays.push(play);
            clock::breathe().await;
        }
    }
    Ok(plays)
}

/// The lock of a run. A page that was just closed or loaded anew lets go of it a moment later.
async fn patiently_locked(id: &RunId) -> Option<Lock> {
    for _ in 0..LOCK_TRIES {
        if let Some(lock) = lock::take(&lock_name(id)).await {
            return Some(lock);
        }
        clock::sleep(LOCK_PAUSE).await;
    }
    lock::take(&lock_name(id)).await
}

/// Replays every stored transcript, plays first. Returns the lines that the server lacks.
async fn restore(run: &mut Run, kept: &KeptRun) -> Result<Shelf, ApiError> {
    let mut shelf = Shelf::default();
    let on_server: BTreeMap<EpisodeKey, u64> = api::episodes(&kept.run)
        .await?
        .into_iter()
        .map(|head| (head.episode, head.lines))
        .collect();
    let mut episodes: BTreeSet<EpisodeKey> = keep::episodes(&kept.run).await?;
    episodes.extend(on_server.keys().cloned());
    let (plays, gradings): (Vec<_>, Vec<_>) = episodes
        .into_iter()
        .partition(|episode| episode.part() == PartKey::Play);
    // The plays that a run grades again are another run's and stay as they are.
    let plays = plays.into_iter().filter(|play| run.has(play));
    for episode in plays.collect::<Vec<_>>().into_iter().chain(gradings) {
        let server_lines = on_server.get(&episode).copied().unwrap_or(0);
        let here = keep::transcript(&kept.run, &episode).await?;
        let text = match here {
            Some(text) if text.lines().count() as u64 >= server_lines => text,
            _ => {
                let text = api::transcript(&kept.run, &episode).await?;
                keep::replace(&kept.run, &episode, &text).await?;
                text
            }
        };
        let drifted = |why: String| {
            api::error(
                "drift",
                format!("The run cannot be taken up: {episode} does not replay ({why})."),
            )
        };
        let stored = transcript::read(&text).map_err(|bad| drifted(bad.to_string()))?;
        let lines = run
            .restore(&episode, &stored)
            .map_err(|drift| drifted(drift.to_string()))?;
        let stays: Vec<String> = text
            .lines()
            .take(usize::try_from(lines).unwrap_or(usize::MAX))
            .map(str::to_owned)
            .collect();
        if stays.len() < text.lines().count() || !text.ends_with('\n') {
            let mut whole = stays.join("\n");
            whole.push('\n');
            keep::replace(&kept.run, &episode, &whole).await?;
        }
        if let Some(missing) = stays.get(usize::try_from(server_lines).unwrap_or(usize::MAX)..) {
            shelf.add(&episode, server_lines, missing);
        }
        clock::breathe().await;
    }
    Ok(shelf)
}
