//! How people play it.

use turnwise_core::benchmark::people::{Others, People};
use turnwise_core::benchmark::schema::setting;
use turnwise_core::prelude::*;

/// The population, of which chance takes one.
const POPULATION: &[&str] =
    &["tft", "generous-tft", "grim", "always-c", "always-d", "wsls", "random:0.5"];

pub(super) const PEOPLE: People = People {
    about: "Keep faith or betray, round after round, and never know which is the last.",
    rules: include_str!("rules.txt"),
    episode: ("match", "matches"),
    practice: "After each match everything is shown.",
    late: "the move is made by rule, which cooperates unless this match has another",
    absent: "its moves are made by rule, which cooperates unless this match has another",
    seconds: 60,
    seats: &["1"],
    others: Others::Hidden(POPULATION),
    begins: r#"{"repeats": 1, "swap": false, "delta": 0.8}"#,
    settings: Schema::new(
        "Rounds",
        &[setting(
            "delta",
            "After each round it goes on",
            "",
            Holds::Choice(&[
                ("0.6", "with 60 %"),
                ("0.8", "with 80 %"),
                ("0.9", "with 90 %"),
                ("0.95", "with 95 %"),
            ]),
        )],
    ),
    tasks: None,
    ..People::OF_TASKS
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::Strategy;

    #[test]
    fn a_hidden_opponent_is_one_of_the_population() {
        assert_eq!(Strategy::ALL.map(|one| one.to_string()), POPULATION);
    }
}
