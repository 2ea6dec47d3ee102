//! The wall in the address, and back. Only what differs from the plain wall is written.

use super::{By, CauseFilter, Column, Columns, Direction, FaultFilter, Look, Wall};
use crate::causes::Cause;
use crate::episode_status::EpisodeStatus;
use crate::query::{decode, encode};
use crate::strings::wall as words;

impl Wall {
    /// The wall of an address's query, with or without `?`. Parts that are not understood, or belong to other views, are ignored.
    pub fn read(query: &str) -> Self {
        let mut wall = Wall::default();
        for (key, value) in decode(query.trim_start_matches('?')) {
            wall.take(&key, value);
        }
        wall
    }

    fn take(&mut self, key: &str, value: String) {
        if let Some(label) = key.strip_prefix("only.") {
            if !value.is_empty() {
                self.filter.labels.insert(label.to_owned(), value);
            }
            return;
        }
        match key {
            "sort" => {
                let (name, direction) = match value.strip_prefix('-') {
                    Some(name) => (name, Direction::Down),
                    None => (value.as_str(), Direction::Up),
                };
                if let Some(by) = By::named(name) {
                    self.sort = by;
                    self.direction = direction;
                }
            }
            "group" => self.group = By::named(&value).filter(By::groups),
            "outcome" => self.filter.outcome = EpisodeStatus::named(&value),
            "cause" if value == ANY => self.filter.cause = Some(CauseFilter::Any),
            "cause" => self.filter.cause = Cause::named(&value).map(CauseFilter::One),
            "fault" if value.is_empty() => {}
            "fault" if value == ANY => self.filter.fault = Some(FaultFilter::Any),
            "fault" => self.filter.fault = Some(FaultFilter::Class(value)),
            "find" => self.filter.text = value,
            "within" => self.filter.within = value,
            "look" => self.look = Look::ALL.into_iter().find(|look| look.name() == value),
            "columns" => self.columns = Columns::read(&value),
            _ => {}
        }
    }

    /// The pairs of this wall in an address; none for the plain wall.
    pub fn pairs(&self) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        let mut write = |key: &str, value: String| pairs.push((key.to_owned(), value));
        if (&self.sort, self.direction) != (&By::default(), Direction::default()) {
            let sign = match self.direction {
                Direction::Up => "",
                Direction::Down => "-",
            };
            write("sort", format!("{sign}{}", self.sort.name()));
        }
        if let Some(group) = &self.group {
            write("group", group.name());
        }
        if let Some(outcome) = self.filter.outcome {
            write("outcome", outcome.name().to_owned());
        }
        for (label, value) in &self.filter.labels {
            write(&format!("only.{label}"), value.clone());
        }
        match self.filter.cause {
            None => {}
            Some(CauseFilter::Any) => write("cause", ANY.to_owned()),
            Some(CauseFilter::One(cause)) => write("cause", cause.name().to_owned()),
        }
        match &self.filter.fault {
            None => {}
            Some(FaultFilter::Any) => write("fault", ANY.to_owned()),
            Some(FaultFilter::Class(class)) => write("fault", class.clone()),
        }
        if !self.filter.text.is_empty() {
            write("find", self.filter.text.clone());
        }
        if !self.filter.within.is_empty() {
            write("within", self.filter.within.clone());
        }
        if let Some(look) = self.look {
            write("look", look.name().to_owned());
        }
        if let Some(columns) = self.columns {
            write("columns", columns.written());
        }
        pairs
    }

    /// The query of this wall, without `?`; empty for the plain wall.
    pub fn query(&self) -> String {
        encode(&self.pairs())
    }
}

const ANY: &str = "any";

impl By {
    /// Its name in addresses; labels carry a prefix, so that none can hide a built-in one.
    pub fn name(&self) -> String {
        match self {
            By::Task => "task".to_owned(),
            By::Outcome => "outcome".to_owned(),
            By::Length => "length".to_owned(),
            By::FirstAsk => "first-ask".to_owned(),
            By::Asks => "asks".to_owned(),
            By::Tokens => "tokens".to_owned(),
            By::Ending => "ending".to_owned(),
            By::Question => "question".to_owned(),
            By::Answer => "answer".to_owned(),
            By::Confidence => "confidence".to_owned(),
            By::Cost => "cost".to_owned(),
            By::Label(label) => format!("label.{label}"),
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        match name {
            "task" => Some(By::Task),
            "outcome" => Some(By::Outcome),
            "length" => Some(By::Length),
            "first-ask" => Some(By::FirstAsk),
            "asks" => Some(By::Asks),
            "tokens" => Some(By::Tokens),
            "ending" => Some(By::Ending),
            "question" => Some(By::Question),
            "answer" => Some(By::Answer),
            "confidence" => Some(By::Confidence),
            "cost" => Some(By::Cost),
            other => other
                .strip_prefix("label.")
                .filter(|label| !label.is_empty())
                .map(|label| By::Label(label.to_owned())),
        }
    }

    pub fn title(&self) -> String {
        match self {
            By::Task => "Task".to_owned(),
            By::Outcome => "Outcome".to_owned(),
            By::Length => "Length".to_owned(),
            By::FirstAsk => "First ask".to_owned(),
            By::Asks => "Asks".to_owned(),
            By::Tokens => "Tokens".to_owned(),
            By::Ending => "Ending".to_owned(),
            By::Question => Column::Question.label().to_owned(),
            By::Answer => "Answer".to_owned(),
            By::Confidence => Column::Confidence.label().to_owned(),
            By::Cost => Column::Cost.label().to_owned(),
            By::Label(label) => words::label(label),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::Filter;
    use super::*;

    #[test]
    fn the_plain_wall_leaves_no_trace() {
        assert_eq!(Wall::default().query(), "");
        assert_eq!(Wall::read(""), Wall::default());
    }

    #[test]
    fn everything_chosen_comes_back() {
        let wall = Wall {
            sort: By::Label("domain".into()),
            direction: Direction::Down,
            group: Some(By::FirstAsk),
            filter: Filter {
                outcome: Some(EpisodeStatus::Wrong),
                labels: BTreeMap::from([
                    ("domain".into(), "Law & Politics".into()),
                    ("language".into(), "zh".into()),
                ]),
                cause: Some(CauseFilter::One(Cause::Unreadable)),
                fault: Some(FaultFilter::Class("no_object".into())),
                text: "a b, 题".into(),
                within: "港口".into(),
            },
            look: Some(Look::Tiles),
            columns: Columns::read("question,cost"),
        };
        let query = wall.query();
        assert_eq!(Wall::read(&query), wall, "{query}");
        assert_eq!(
            query,
            "sort=-label.domain&group=first-ask&outcome=wrong&only.domain=Law%20%26%20Politics&only.language=zh\
             &cause=unreadable&fault=no_object&find=a%20b,%20%E9%A2%98&within=%E6%B8%AF%E5%8F%A3&look=tiles&columns=question,cost"
        );
        let any = Wall {
            direction: Direction::Down,
            filter: Filter {
                cause: Some(CauseFilter::Any),
                fault: Some(FaultFilter::Any),
                ..Filter::default()
            },
            ..Wall::default()
        };
        assert_eq!(Wall::read(&format!("?{}", any.query())), any);
    }

    #[test]
    fn what_is_not_understood_is_passed_over() {
        let wall = Wall::read(
            "sort=best&group=&outcome=fine&look=huge&columns=huge&turn=3&fault=&only.domain=",
        );
        assert_eq!(wall, Wall::default());
    }

    #[test]
    fn names_for_people() {
        assert_eq!(By::Label("language".into()).title(), "Language");
        assert_eq!(By::FirstAsk.title(), "First ask");
    }
}
