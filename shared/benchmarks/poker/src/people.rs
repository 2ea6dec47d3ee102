//! How people play it.

use turnwise_core::benchmark::people::{Others, People};
use turnwise_core::benchmark::schema::setting;
use turnwise_core::prelude::*;

/// Bots that sit against a person by default: all of them play to win, each in another way.
const OPPONENTS: &[&str] =
    &["tight-aggressive", "equity", "calling-station", "tight-aggressive", "random-legal"];

pub(super) const PEOPLE: People = People {
    about: "No-limit Hold'em against the built-in bots, models or friends.",
    rules: include_str!("rules.txt"),
    episode: ("hand", "hands"),
    practice: "After each hand everything is shown: all cards, and who would have won.",
    late: "you check, or fold",
    absent: "its decisions are made by rule, check where it is free, else fold",
    seconds: 60,
    seats: &["1"],
    others: Others::Numbered { fewest: 2, most: 10, usual: OPPONENTS },
    begins: r#"{"tables": 1, "hands": 10, "policy": "reset-every-hand"}"#,
    settings: Schema::new(
        "Hands",
        &[
            setting("hands", "Hands", "", Holds::Number(1, 500)),
            setting(
                "policy",
                "Stacks",
                "",
                Holds::Choice(&[
                    ("reset-every-hand", "new for every hand"),
                    ("rebuy-busted", "carried on; who is out buys in again"),
                    ("freezeout", "carried on; who is out is out"),
                ]),
            ),
        ],
    ),
    tasks: None,
    ..People::OF_TASKS
};
