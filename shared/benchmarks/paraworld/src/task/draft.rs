//! Worlds that are made, not read.

use super::load::TURNWISE;
use super::{Extra, Fact, World, facts_json};
use turnwise_core::json::{self, object};
use turnwise_core::prelude::*;

/// What a made world consists of; [`Draft::into_world`] gives it the row that is written to a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Its number, unique in its file.
    pub index: i64,
    pub category: String,
    /// The question that player and engine are given.
    pub question: String,
    pub answer: String,
    pub final_answer: String,
    /// The facts, in order.
    pub facts: Vec<Fact>,
    /// What we know beyond the official fields.
    pub extra: Extra,
}

impl Draft {
    /// The world, on this line of its file (from 0), with the fields in the order of specification 2.1.
    ///
    /// # Errors
    /// The first field that a file could not hold either, e.g. an empty value.
    ///
    /// # Panics
    /// Never: what [`Extra`] holds can always be written.
    pub fn into_world(self, line: u32) -> Result<World, BadRow> {
        let extra = serde_json::to_string(&self.extra).expect("names and texts can be written");
        let unread = |error| BadRow { field: TURNWISE.to_owned(), ..BadRow::file(error) };
        let extra = json::parse(&extra, Dialect::Strict).map_err(unread)?;
        let question = || Json::from(&*self.question);
        let message = object([("role", "user".into()), ("content", question())]);
        let truth = object([
            ("generated_question", question()),
            ("atomic_facts", facts_json(&self.facts)),
            ("final_answer", self.final_answer.into()),
        ]);
        let row: Object = [
            ("index", self.index.into()),
            ("category", self.category.into()),
            ("prompt", vec![message].into()),
            ("answer", self.answer.into()),
            ("extra_info", object([("world_truth_info", truth), ("turnwise", extra)])),
        ]
        .into_iter()
        .collect();
        let world = World::of_row(&Fields::new(line as usize + 1, &row));
        world.map_err(|bad| BadRow { row: None, ..bad })
    }
}
