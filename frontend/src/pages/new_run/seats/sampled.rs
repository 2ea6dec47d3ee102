//! How the model in a seat is sampled: folded away, because the benchmark says how it does that itself.

use super::super::Draft;
use super::{Sat, seat_name};
use crate::address::Config;
use crate::components::knobs::Knobs;
use crate::prelude::*;

/// The knobs of one seat.
#[component]
pub fn Sampled(draft: Draft, place: Sat, player: Memo<Player>) -> impl IntoView {
    let seat = move || place.with_value(|place| place.seat.clone());
    let usual = Memo::new(move |_| {
        let benchmark = draft.benchmark();
        draft.config.with(|config| {
            let settings = plan::settings(config, benchmark);
            let setup = plan::setup(config, &settings);
            plan::usual_sampling(benchmark, setup, &seat(), &player.get())
        })
    });
    let chosen = Memo::new(move |_| {
        let all = |config: &Config| config.sampling.get(&seat()).cloned();
        draft.config.with(all).unwrap_or_default()
    });
    let turn = Callback::new(move |(knob, to): (Knob, Option<String>)| {
        draft.config.update(|config| {
            let chosen = config.sampling.entry(seat()).or_default();
            match to {
                Some(to) => drop(chosen.insert(knob, to)),
                None => drop(chosen.remove(&knob)),
            }
            if chosen.is_empty() {
                config.sampling.remove(&seat());
            }
        });
    });
    view! { <Knobs seat=seat_name(place) usual chosen turn player/> }
}
