//! From the settings to tasks: a hand where hands are independent, else a whole table (decisions: games).

use super::settings::{self, Settings};
use turnwise_core::dice;
use turnwise_core::prelude::*;
use turnwise_core::task::texts;

/// Names of a task's fields.
mod field {
    /// The table's number, from 1.
    pub const TABLE: &str = "table";
    /// The first hand, from 1.
    pub const FIRST: &str = "first_hand";
    /// The last hand.
    pub const LAST: &str = "last_hand";
    /// In duplicate mode the rotation, from 0.
    pub const ROTATION: &str = "rotation";
    /// The participants in the order of places, separated by blanks.
    pub const ORDER: &str = "order";
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sitting {
    /// The table's number, from 1.
    pub table: u32,
    /// The first hand, from 1.
    pub first: u32,
    /// The last hand.
    pub last: u32,
    /// In duplicate mode which rotation of the seats this is, from 0.
    pub rotation: u32,
    /// The participants in the order of places, clockwise.
    pub order: Vec<Seat>,
}

impl Sitting {
    /// Reads a task.
    ///
    /// # Errors
    /// If the task is not one of poker.
    pub fn of(task: &Task) -> Result<Self, BadSpec> {
        Ok(Sitting {
            table: task.number(field::TABLE)?,
            first: task.number(field::FIRST)?,
            last: task.number(field::LAST)?,
            rotation: task.number(field::ROTATION)?,
            order: task.text(field::ORDER)?.split_whitespace().map(Seat::new).collect(),
        })
    }

    /// The stream from which the deck of a hand is drawn. Rotations of a deck share it.
    pub fn deck_stream(&self, hand: u32) -> String {
        format!("deck:{}.{hand}", self.table)
    }

    /// How many hands are played.
    pub fn hands(&self) -> u32 {
        self.last.saturating_sub(self.first) + 1
    }

    fn task(&self, id: String, deck_set: Option<String>) -> Task {
        let order: Vec<_> = self.order.iter().map(Seat::as_str).collect();
        let fields = texts([
            (field::TABLE, self.table.to_string()),
            (field::FIRST, self.first.to_string()),
            (field::LAST, self.last.to_string()),
            (field::ROTATION, self.rotation.to_string()),
            (field::ORDER, order.join(" ")),
        ]);
        let mut labels = texts([("table", self.table.to_string())]);
        labels.extend(deck_set.map(|set| ("deck".to_owned(), set)));
        Task { digest: Digest::of_value(&(&id, &fields)), id: id.as_str().into(), labels, fields }
    }
}

/// The tasks that a spec means.
///
/// # Errors
/// If the settings or the lineup cannot be played.
pub fn plan(spec: &Spec) -> Result<TaskSet, BadSpec> {
    let settings = Settings::of(spec)?;
    let participants = settings::participants(spec)?;
    let mut tasks = Vec::new();
    for table in 1..=settings.tables {
        let order = order(spec.seed, table, participants, settings.permute_seats);
        if !settings.hands_are_independent(spec.profile) {
            let sitting = Sitting { table, first: 1, last: settings.hands, rotation: 0, order };
            tasks.push(sitting.task(format!("t{table}"), None));
            continue;
        }
        for hand in 1..=settings.hands {
            let rotations = if settings.duplicate { participants } else { 1 };
            for rotation in 0..rotations {
                let mut order = order.clone();
                order.rotate_left(usize::try_from(rotation).unwrap_or(0));
                let sitting = Sitting { table, first: hand, last: hand, rotation, order };
                let (id, set) = if settings.duplicate {
                    let set = format!("t{table}-d{hand}");
                    (format!("{set}-r{}", rotation + 1), Some(set))
                } else {
                    (format!("t{table}-h{hand}"), None)
                };
                tasks.push(sitting.task(id, set));
            }
        }
    }
    let name = format!(
        "{} × {} {}, {} players{}",
        settings.tables,
        settings.hands,
        if settings.duplicate { "decks" } else { "hands" },
        participants,
        if settings.duplicate { ", duplicate" } else { "" },
    );
    Ok(TaskSet::new(name, tasks, TaskSetOrigin::Plain))
}

/// Who sits where: in the order of the lineup, or in an order of the table's own.
fn order(seed: u64, table: u32, participants: u32, permuted: bool) -> Vec<Seat> {
    let numbers = if permuted {
        dice::draw(seed, &format!("seats:{table}"), participants, participants)
    } else {
        (0..participants).collect()
    };
    numbers.into_iter().map(|number| settings::seat(number + 1)).collect()
}
