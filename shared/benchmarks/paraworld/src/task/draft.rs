//! Worlds that are made, not read.

use super::load::WrongField;
use super::{Extra, Fact, World, facts_json};
use turnwise_core::json::{self, Dialect, Int, Json, Object};

/// What a made world consists of; [`Draft::into_world`] gives it the row that is written to a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Its number, unique in its file.
    pub index: i64,
    /// Its domain.
    pub category: String,
    /// What player and engine are told as the question.
    pub question: String,
    /// The short reference answer.
    pub answer: String,
    /// The long reference answer.
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
    pub fn into_world(self, line: u32) -> Result<World, WrongField> {
        let extra = serde_json::to_string(&self.extra).expect("names and texts can be written");
        let extra = json::parse(&extra, Dialect::Strict).map_err(|error| WrongField {
            field: "extra_info.turnwise".to_owned(),
            problem: super::Problem::NotJson(error),
        })?;
        let message =
            object([("role", Json::from("user")), ("content", Json::from(self.question.as_str()))]);
        let truth = object([
            ("generated_question", Json::from(self.question.as_str())),
            ("atomic_facts", facts_json(&self.facts)),
            ("final_answer", Json::from(self.final_answer.as_str())),
        ]);
        let row: Object = [
            ("index", Json::Int(Int::from(self.index))),
            ("category", Json::from(self.category.as_str())),
            ("prompt", Json::List(vec![message])),
            ("answer", Json::from(self.answer.as_str())),
            ("extra_info", object([("world_truth_info", truth), ("turnwise", extra)])),
        ]
        .into_iter()
        .collect();
        World::from_row(row, line)
    }
}

fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
    Json::Object(members.into_iter().collect())
}
