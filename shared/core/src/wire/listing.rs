//! `GET /api/runs?before=PLACE&limit=N&q=WORDS&benchmark=NAME&model=NAME&state=STATE&tag=TAG`: where a portion of the list of
//! runs begins, and which of them it has.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{RunInfo, RunState};
use crate::key::{BadRunId, RunId};

/// A place in the list of runs: newest first, and of those that were opened in the same millisecond by their ids. As text it is
/// `MS.ID`; `MS` alone stands before all runs of that millisecond, so that only older ones follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// When the last run before this place was opened, in milliseconds since 1970.
    pub opened: u64,
    /// That run; absent where every run of that millisecond lies before this place.
    pub run: Option<RunId>,
}

as_text!(Listed);

impl Listed {
    /// The place after a run.
    pub fn after(run: &RunInfo) -> Self {
        Listed { opened: run.opened, run: Some(run.run.clone()) }
    }
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.run {
            Some(run) => write!(f, "{}.{run}", self.opened),
            None => self.opened.fmt(f),
        }
    }
}

/// A text that is no place in the list of runs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPlace {
    /// It begins with no time.
    #[error("a place in the list of runs begins with milliseconds since 1970: {0}")]
    Time(#[from] ParseIntError),
    /// What follows the point is no run.
    #[error(transparent)]
    Run(#[from] BadRunId),
}

impl FromStr for Listed {
    type Err = BadPlace;

    fn from_str(text: &str) -> Result<Self, BadPlace> {
        let (opened, run) = match text.split_once('.') {
            Some((opened, run)) => (opened, Some(run.parse()?)),
            None => (text, None),
        };
        Ok(Listed { opened: opened.parse()?, run })
    }
}

/// The shortest beginning of an id by which a run is found, in characters.
const SHORTEST_ID: usize = 4;

/// Which runs of a list are wanted; an empty filter takes all. Server and page ask it alike.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Filter {
    /// Words that occur in its name, tags, players, tasks, benchmark, or begin its id: all of them, in any case.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub q: String,
    pub benchmark: Option<String>,
    /// A part of a player's name, in any case.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub model: String,
    pub state: Option<RunState>,
    /// A tag that it has.
    pub tag: Option<String>,
}

impl Filter {
    /// Whether it takes all runs.
    pub fn is_empty(&self) -> bool {
        *self == Filter::default()
    }

    /// Whether a run is wanted.
    pub fn takes(&self, run: &RunInfo) -> bool {
        let spec = &run.spec;
        let seats = || spec.seats.values().map(|sitting| sitting.player.to_string());
        let lower = |text: &str| text.to_lowercase();
        let is = |wanted: &Option<String>, it: &str| wanted.as_deref().is_none_or(|one| one == it);
        let model = lower(self.model.trim());
        is(&self.benchmark, &spec.benchmark)
            && self.state.is_none_or(|state| state == run.state)
            && self.tag.as_ref().is_none_or(|tag| run.tags.contains(tag))
            && (model.is_empty() || seats().any(|player| lower(&player).contains(&model)))
            && self.q.split_whitespace().map(lower).all(|word| {
                let texts = [&run.title, &spec.benchmark, &spec.tasks.name];
                (word.len() >= SHORTEST_ID && run.run.as_str().starts_with(&word))
                    || texts.into_iter().chain(&run.tags).any(|text| lower(text).contains(&word))
                    || seats().any(|player| lower(&player).contains(&word))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_survives_its_text_and_a_time_alone_is_one() {
        let place = Listed { opened: 1_790_000_000_000, run: Some(RunId::new([7; 16])) };
        assert_eq!(place.to_string().parse(), Ok(place));
        let time = Listed { opened: 5, run: None };
        assert_eq!("5".parse(), Ok(time));
        for wrong in ["", "x", "-1", "5.", "5.x", ".00000000000000000000000000000000"] {
            assert!(wrong.parse::<Listed>().is_err(), "{wrong}");
        }
    }
}
