//! What a benchmark declares of its leaderboards; [`leaderboard`](crate::leaderboard) makes them.
//!
//! - `column`: which numbers its rows have.
//! - [`published`]: what papers printed. Rows of papers are shown beside runs and never ranked with them.

pub mod column;
pub mod published;

use serde_json::Value;

pub use column::Column;

use crate::metrics::report::{Figure, Report};
use crate::spec::Spec;
use published::{Condition, Paper};

/// The leaderboards of a benchmark.
#[derive(Debug, Clone, Copy)]
pub struct Boards {
    /// The numbers of a row, the main one first.
    pub columns: &'static [Column],
    /// The condition of a board in a few words each, from the settings alone, e.g. `full`, `10 rounds`.
    pub condition: fn(&Spec) -> Vec<String>,
    /// The paper that its published conditions come from; `None` where there is none.
    pub paper: Option<Paper>,
    /// The tables of its paper.
    pub published: fn() -> Vec<Condition>,
    /// The name of the published condition that a spec is nearest to, whose rows are shown beside its runs.
    pub beside: fn(&Spec) -> Option<String>,
    /// Numbers of a report that only boards show, part by part.
    pub by_part: fn(&Report) -> Vec<Figure>,
}

impl Boards {
    pub(crate) fn beside(&self, spec: &Spec) -> Option<Condition> {
        let name = (self.beside)(spec)?;
        (self.published)().into_iter().find(|condition| condition.name == name)
    }
}

/// A setting of a spec in words, e.g. for [`Boards::condition`]; `None` where it is not set.
pub fn setting(spec: &Spec, name: &str) -> Option<String> {
    spec.settings.get(name).map(plain)
}

/// No numbers part by part: [`Boards::by_part`] where a report has no such parts.
pub fn no_parts(_report: &Report) -> Vec<Figure> {
    Vec::new()
}

/// A setting as one word or a few.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join("/"),
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| format!("{name} {}", plain(value));
            members.iter().map(member).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}
