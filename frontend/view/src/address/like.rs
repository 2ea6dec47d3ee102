//! The choice that leads to a run like one that there is.

use turnwise_shared::prelude::*;
use turnwise_shared::seat::knob::Turned;

use super::{Config, Engine};

impl Config {
    /// Starting this gives a run of the same spec, as long as tasks and prompts are unchanged; the caps are chosen anew.
    pub fn like(spec: &Spec) -> Self {
        let numbered = |seat: &Seat| seat.as_str().parse::<u32>().is_ok();
        let mut config = Config {
            tasks: spec.tasks.name.clone(),
            profile: spec.profile,
            settings: spec.settings.as_object().cloned().unwrap_or_default(),
            subset: spec.subset.clone(),
            repeats: spec.repeats,
            participants: spec.seats.keys().all(numbered).then_some(spec.seats.len() as u32),
            search: match &spec.search {
                Some(search) => Engine::Named(search.engine.clone()),
                None => Engine::Nobody,
            },
            seed: spec.seed,
            ..Config::new(&spec.benchmark)
        };
        for (seat, sitting) in &spec.seats {
            config.seats.insert(seat.clone(), sitting.player.clone());
            let turned = match sitting.player {
                Player::Model { .. } => standing(&sitting.sampling),
                Player::Bot(_) | Player::Recording(_) | Player::Person => continue,
            };
            if !turned.is_empty() {
                config.sampling.insert(seat.clone(), turned);
            }
        }
        config
    }
}

/// How every knob stands that is not where it always is.
fn standing(sampling: &Sampling) -> Turned {
    let usual = Sampling::default();
    Knob::ALL
        .into_iter()
        .filter_map(|knob| {
            let stands = knob.standing(sampling)?;
            (knob.standing(&usual).as_ref() != Some(&stands)).then_some((knob, stands))
        })
        .collect()
}
