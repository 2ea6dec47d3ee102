use crate::examples::{QUESTIONS, example};
use crate::prelude::*;
use crate::wire::others::*;

fn spec(player: &str, mode: &str) -> Spec {
    let benchmark = example(QUESTIONS);
    let named = |name: &str| Named { name: name.to_owned(), digest: crate::hash::Digest::of(name) };
    Spec {
        benchmark: benchmark.name().to_owned(),
        protocol: benchmark.protocol(),
        profile: Profile::Strict,
        settings: serde_json::json!({ "mode": mode }),
        tasks: named("tasks"),
        subset: Default::default(),
        pack: named("pack"),
        seats: [(Seat::new(Seat::PLAYER), crate::testing::sitting(player))].into(),
        search: None,
        web: None,
        budget: Budget::default(),
        seed: 1,
        repeats: 1,
    }
}

#[test]
fn everybody_stands_once_with_the_mean_of_their_plays() {
    let full = spec("model:lab/m", "full");
    let asks = spec("model:lab/m", "ask_only");
    let bot = spec("bot:answer-only", "full");
    let recording = spec("tape:t", "full");
    let rows = players(
        example(QUESTIONS),
        [(&full, 1.0), (&full, 0.0), (&bot, 0.0), (&asks, 1.0), (&recording, 1.0)],
    );
    let said: Vec<_> = rows
        .iter()
        .map(|row| {
            let condition = row.condition.as_deref().unwrap_or("");
            (row.player.as_str(), condition, row.plays, row.score)
        })
        .collect();
    assert_eq!(
        said,
        [
            ("model:lab/m", "ask only, 10 rounds", 1, 1.0),
            ("model:lab/m", "full, 10 rounds", 2, 0.5),
            ("bot:answer-only", "full, 10 rounds", 1, 0.0),
        ]
    );
}
