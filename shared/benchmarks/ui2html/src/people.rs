//! How people play it, and its leaderboards.

use turnwise_core::benchmark::People;
use turnwise_core::benchmark::people::{Tasks, Understands};
use turnwise_core::benchmark::schema::setting;
use turnwise_core::board::column::{COST, Column, LATENCY};
use turnwise_core::board::{self, Boards};
use turnwise_core::prelude::*;

use crate::change::Change;
use crate::numbers::{JUDGE_INVALID, LIKENESS, MISSING_HTML, MISSING_QUESTION, TOTAL};
use crate::reading::Attempt;
use crate::settings::{JUDGE, ROUNDS, USUAL_ROUNDS};
use crate::tasks::{LANGUAGE, field};

pub const PEOPLE: People = People {
    about: "Rebuild a web page that you cannot see, by asking what to change.",
    rules: include_str!("rules.txt"),
    episode: ("page", "pages"),
    seats: &[Seat::PLAYER, JUDGE],
    settings: Schema::new(
        "Rounds",
        &[setting(
            ROUNDS,
            "Rounds",
            "pages and questions before the final page",
            Holds::Number(0, USUAL_ROUNDS as u64),
        )],
    ),
    tasks: Some(Tasks { label: "Which page", by: Some(LANGUAGE), ..Tasks::OWN }),
    choices: &[("yes", "Yes"), ("no", "No")],
    understands: &[Understands {
        from: Seat::PLAYER,
        seat: JUDGE,
        bot: "likeness",
        about: "It understands proposals like: Compared with the target, should I move everything 80 px right? (or left, up, down; \
                move “Sign in” 80 px right; resize everything to 125 %; spread everything to 150 % down; give the page the background #ffeedd)",
        // Without a question the round is used up, whatever judge there is.
        reads: |text| {
            Attempt::read(text).question.ok().is_none_or(|text| text.parse::<Change>().is_ok())
        },
    }],
    reveals: &[(field::SPEC, "What the target looks like"), (field::OMITS, "Left out")],
    ..People::OF_TASKS
};

pub const BOARDS: Boards = Boards {
    columns: &[
        Column::of(&TOTAL),
        Column::of(&LIKENESS),
        Column::of(&MISSING_QUESTION).at("missing_question").on_wish(),
        Column::of(&MISSING_HTML).at("missing_html").on_wish(),
        Column::of(&JUDGE_INVALID).at("judge_invalid").on_wish(),
        COST,
        LATENCY,
    ],
    paper: None,
    condition: |spec| {
        let setting = |name| board::setting(spec, name);
        let rounds = setting("rounds").map(|rounds| match rounds.as_str() {
            "1" => "1 round".to_owned(),
            _ => format!("{rounds} rounds"),
        });
        let live = setting("description").filter(|source| source == "live");
        rounds.into_iter().chain(live.map(|_| "live description".to_owned())).collect()
    },
    published: Vec::new,
    beside: |_| None,
    by_part: board::no_parts,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_bot_cannot_answer_costs_a_person_no_round() {
        let [judge] = PEOPLE.understands else { panic!("one bot") };
        let asked = "QUESTION: Compared with the target, should I resize everything to 125 %?";
        assert!((judge.reads)(asked) && (judge.reads)("<html></html>"));
        assert!(!(judge.reads)("QUESTION: Is it blue?"));
        assert!(judge.about.contains(asked.trim_start_matches("QUESTION: ").split_at(34).0));
    }
}
