//! Which benchmark: one card each.

use super::Draft;
use crate::address::Config;
use crate::prelude::*;

/// Chooses another benchmark: its own defaults, the model under evaluation, and what all benchmarks have.
fn switch(config: &mut Config, name: &str) {
    let player = Seat::new(Seat::PLAYER);
    let has_player = registry::find(name)
        .is_ok_and(|benchmark| benchmark.seats().iter().any(|info| info.seat == Seat::PLAYER));
    let model = config.seats.remove(&player);
    let model = model.filter(|model| has_player && matches!(model, Player::Model { .. }));
    *config = Config {
        profile: config.profile,
        in_flight: config.in_flight,
        pause_after: config.pause_after,
        caps: std::mem::take(&mut config.caps),
        seed: config.seed,
        seats: model.map(|model| (player, model)).into_iter().collect(),
        ..Config::new(name)
    };
}

/// The choice of a benchmark. Another one starts from its own defaults.
#[component]
pub fn Benchmarks(draft: Draft) -> impl IntoView {
    let cards: Vec<_> = registry::BENCHMARKS
        .iter()
        .map(|benchmark| {
            let name = benchmark.name();
            choice_card(
                "benchmark",
                name,
                benchmark.title(),
                benchmark.about(),
                move || draft.benchmark.get() == name,
                move || draft.config.update(|config| switch(config, name)),
            )
        })
        .collect();
    view! {
        <section class="section stack">
            {section_head("benchmarks", "Benchmark")}
            <fieldset class="choices choices-compact" aria-labelledby="benchmarks">
                {cards}
            </fieldset>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::examples::{MATCH, QUESTIONS, WORLDS};

    #[test]
    fn the_model_under_evaluation_goes_along_to_another_benchmark() {
        let player = Seat::new(Seat::PLAYER);
        let seated = |who: &str, then: &str| {
            let mut config = Config::new(QUESTIONS);
            config.seats = [
                (player.clone(), who.parse().expect("a player")),
                (Seat::new("responder"), "model:up/r".parse().expect("a player")),
            ]
            .into();
            switch(&mut config, then);
            assert_eq!(config.benchmark, then);
            config.seats
        };
        let there = seated("model:up/m", WORLDS);
        assert_eq!(there.len(), 1, "{there:?}");
        assert_eq!(there[&player].to_string(), "model:up/m");
        assert!(seated("bot:answer-only", WORLDS).is_empty());
        assert!(seated("model:up/m", MATCH).is_empty(), "it has no such seat");
    }
}
