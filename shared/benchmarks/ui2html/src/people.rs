//! How people play it, and its leaderboards.

use turnwise_core::benchmark::People;
use turnwise_core::benchmark::people::Tasks;
use turnwise_core::board::column::{COST, Column, LATENCY};
use turnwise_core::board::{self, Boards};
use turnwise_core::seat::Seat;

use crate::numbers::{JUDGE_INVALID, LIKENESS, MISSING_HTML, MISSING_QUESTION, TOTAL};
use crate::settings::{JUDGE, SCORER, Settings};
use crate::tasks::{LANGUAGE, field};

pub const PEOPLE: People = People {
    about: "Rebuild a web page that you cannot see, by asking what to change.",
    rules: &[
        (
            Seat::PLAYER,
            &[
                "The description leaves things out. A judge sees the target and your page.",
                "In each round write the whole page as HTML, and one line QUESTION: that yes or no can answer.",
                "Without a question the round is lost; without HTML your page stays as it was.",
                "After the last round write the final page. Only that one is scored.",
            ],
        ),
        (
            JUDGE,
            &[
                "You see the target and the player's page.",
                "Say whether what the player proposes would bring its page closer to the target.",
            ],
        ),
        (SCORER, &["Score the final page against the target: five whole numbers from 0 to 20."]),
    ],
    episode: ("page", "pages"),
    seats: &[Seat::PLAYER, JUDGE],
    settings: Settings::SCHEMA,
    tasks: Some(Tasks {
        label: "Which page",
        note: "Pages of our own. They come with this program, so a result is practice, not a record.",
        by: Some(LANGUAGE),
        shown: &[],
    }),
    choices: &[("yes", "Yes"), ("no", "No")],
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
        let rounds = setting("rounds").map(|rounds| format!("{rounds} rounds"));
        let live = setting("description").filter(|source| source == "live");
        rounds.into_iter().chain(live.map(|_| "live description".to_owned())).collect()
    },
    published: Vec::new,
    beside: |_| None,
    by_part: board::no_parts,
};
