//! Worlds as the core knows tasks: labels and hidden fields, there and back.

use std::collections::BTreeMap;

use super::load::Worlds;
use super::{World, facts_json};
use turnwise_core::json::{self, object};
use turnwise_core::prelude::*;
use turnwise_core::python::{Layout, dumps};
use turnwise_core::task::texts;

/// Names of labels: what results are broken down by. Not secret.
pub mod label {
    /// The domain; `unknown` where the file names none.
    pub const CATEGORY: &str = "category";
    pub const TIER: &str = "tier";
    pub const LANGUAGE: &str = "language";
    /// The pair of entities; only where the file tells it.
    pub const PAIR: &str = "pair";
}

/// Names of fields. All but [`QUESTION`](field::QUESTION) and [`PROMPT`](field::PROMPT) are hidden from the player.
pub mod field {
    /// The question: the last message of the user.
    pub const QUESTION: &str = "question";
    /// All messages of the prompt, a JSON list of objects with `role` and `content`.
    pub const PROMPT: &str = "prompt";
    pub const ANSWER: &str = "answer";
    /// The question as the engine is given it.
    pub const ENGINE_QUESTION: &str = "engine_question";
    /// The facts, a JSON object in their order, laid out as the engine is shown them (two blanks a level).
    pub const FACTS: &str = "facts";
    /// The long reference answer, where there is one.
    pub const FINAL_ANSWER: &str = "final_answer";
    /// The whole row of the file, one line of JSON: [`of_task`](super::of_task) reads it.
    pub const ROW: &str = "row";
    /// The number of its line in the file, from 0.
    pub const LINE: &str = "line";
}

impl World {
    /// The task's id: its number, else the number of its line.
    pub fn id(&self) -> TaskId {
        TaskId(self.index.unwrap_or(i64::from(self.line)).to_string())
    }

    /// The task as the core knows it.
    pub fn to_core(&self) -> Task {
        let category = self.category.as_deref().unwrap_or("unknown");
        let mut labels = BTreeMap::from([
            (label::CATEGORY, category),
            (label::TIER, self.tier().name()),
            (label::LANGUAGE, self.language().name()),
        ]);
        let pair = self.extra.as_ref().and_then(|extra| extra.pair_id.as_deref());
        labels.extend(pair.map(|pair| (label::PAIR, pair)));
        let prompt = self.prompt.iter().map(|message| {
            object([("role", (&*message.role).into()), ("content", (&*message.content).into())])
        });
        let prompt = dumps(&Json::List(prompt.collect()), Layout::Line);
        let mut fields = BTreeMap::from([
            (field::QUESTION, self.question().to_owned()),
            (field::PROMPT, prompt),
            (field::ANSWER, self.answer.clone()),
            (field::ENGINE_QUESTION, self.engine_question().to_owned()),
            (field::FACTS, dumps(&facts_json(&self.facts), Layout::Indented)),
            (field::ROW, self.line_text()),
            (field::LINE, self.line.to_string()),
        ]);
        fields.extend(self.final_answer.clone().map(|text| (field::FINAL_ANSWER, text)));
        Task { id: self.id(), digest: self.digest(), labels: texts(labels), fields: texts(fields) }
    }
}

/// The world behind a task of the core; `None` where its row is sealed or not one of ours.
pub fn of_task(task: &Task) -> Option<World> {
    let line = task.field(field::LINE)?.parse().ok()?;
    of_row(task.field(field::ROW)?, line)
}

/// The world of a row on this line of its file; `None` where it is none.
pub fn of_row(row: &str, line: u32) -> Option<World> {
    let Json::Object(row) = json::parse(row, Dialect::Strict).ok()? else {
        return None;
    };
    World::of_row(&Fields::new(line as usize + 1, &row)).ok()
}

impl Worlds {
    /// The tasks as the core knows them, under a name. Files are plain text; boards keep sealed worlds on the server.
    pub fn to_task_set(&self, name: impl Into<String>) -> TaskSet {
        let tasks = self.worlds.iter().map(World::to_core).collect();
        TaskSet::new(name, tasks, TaskSetOrigin::Plain)
    }
}
