//! How people play it, and its leaderboards.

use turnwise_core::benchmark::People;
use turnwise_core::board::column::{COST, Column};
use turnwise_core::board::{self, Boards};
use turnwise_core::metrics::metric::ACCURACY;
use turnwise_core::prelude::*;

use crate::metrics::GUESSES;
use crate::tasks::NUMBER;
use crate::{JUDGE, Settings};

pub const PEOPLE: People = People {
    about: "A judge keeps a number; find it.",
    rules: include_str!("rules.txt"),
    episode: ("number", "numbers"),
    seats: &[Seat::PLAYER, JUDGE],
    settings: Settings::SCHEMA,
    reveals: &[(NUMBER, "The number")],
    choices: &[("guess", "Guess"), ("HIGHER", "Higher"), ("LOWER", "Lower"), ("EQUAL", "Equal")],
    ..People::OF_TASKS
};

pub const BOARDS: Boards = Boards {
    columns: &[Column::of(&ACCURACY), Column::of(&GUESSES), COST],
    paper: None,
    condition: |spec| vec![format!("{} guesses", spec.settings["guesses"])],
    published: Vec::new,
    beside: |_| None,
    by_part: board::no_parts,
};
