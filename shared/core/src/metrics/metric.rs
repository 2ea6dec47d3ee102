//! A number that a benchmark reports, declared once. Its values stand in the record of a report; headline, groups, rankings, boards
//! and the list of numbers in the documents take key, label, unit and explanation from the declaration.

pub mod declared;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::declared::{CORE, number};
use crate::metrics::report::{Column, Figure, Group, Ranking, RankingRow, Report, Unit};

/// A number: what it is called for programs and for people, and what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// Where it stands in the record of a report, e.g. `accuracy`; parts are separated by dots, e.g. `rates.invalid` or
    /// `accuracy_bounds.0`. Unless a board says otherwise its column has this name, too.
    pub key: &'static str,
    pub label: &'static str,
    pub unit: Unit,
    pub better: Better,
    /// What it means, in a sentence.
    pub about: &'static str,
    /// Whether a report leaves it out where it is not defined; others say that they have no value.
    pub optional: bool,
}

/// What is better of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    More,
    Less,
    Neither,
}

/// Numbers that are shown together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section {
    pub title: &'static str,
    /// The numbers, in their order.
    pub metrics: &'static [&'static Metric],
}

/// The title of the section of the numbers that are shown first.
pub const HEADLINE: &str = "Headline";

/// The share of right answers, where a benchmark says no more of it.
pub const ACCURACY: Metric = number(CORE, "accuracy");

/// What a run cost. Its value is [reported](crate::metrics::spending::reported) the same way for every benchmark.
pub const COST: Metric = number(CORE, "cost_usd");

/// A number in one line: key, label, unit, what is better, what it means.
pub const fn metric(
    key: &'static str,
    label: &'static str,
    unit: Unit,
    better: Better,
    about: &'static str,
) -> Metric {
    Metric { key, label, unit, better, about, optional: false }
}

impl Metric {
    /// As a record has it. Its interval is a pair in `KEY_interval`, or in `KEY_low` and `KEY_high`; where the number is an object,
    /// both are in it as `value` and `interval`.
    pub fn figure(&self, record: &Value) -> Figure {
        let (parent, name) = match self.key.rsplit_once('.') {
            Some((parent, name)) => (at(record, parent), name),
            None => (record, self.key),
        };
        let found = at(parent, name);
        let number = |name: &str| parent[name].as_f64();
        let pair = |value: &Value| Some((value[0].as_f64()?, value[1].as_f64()?));
        let interval = pair(&found["interval"])
            .or_else(|| pair(&parent[format!("{name}_interval")]))
            .or_else(|| number(&format!("{name}_low")).zip(number(&format!("{name}_high"))));
        Figure {
            value: found.as_f64().or_else(|| found["value"].as_f64()),
            interval,
            ..self.of(None)
        }
    }

    /// The same number, left out of reports where it is not defined.
    pub const fn optional(self) -> Self {
        Metric { optional: true, ..self }
    }

    /// A value of it without an interval.
    pub fn of(&self, value: Option<f64>) -> Figure {
        let Column { key, label, unit, about } = self.column();
        Figure { key, label, value, interval: None, known: None, unit, about }
    }

    /// Whether it is the number of this key; rows that older versions stored have labels alone.
    pub fn is(&self, key: &str, label: &str) -> bool {
        match key {
            "" => self.label == label,
            key => self.key == key,
        }
    }

    /// As the head of a column.
    pub fn column(&self) -> Column {
        Column { key: self.key.to_owned(), ..Column::new(self.label, self.unit, self.about) }
    }
}

impl Section {
    /// Its numbers, as a record has them.
    pub fn figures(&self, record: &Value) -> Vec<Figure> {
        let metrics = self.metrics.iter();
        metrics.map(|metric| metric.figure(record)).collect()
    }

    /// Participants by the first of its numbers, best first, those without it last; the others stand beside it. Each row comes with
    /// the participant's own record.
    pub fn ranking<'a>(
        &self,
        about: String,
        rows: impl Iterator<Item = (RankingRow, &'a Value)>,
    ) -> Ranking {
        let rows = rows.map(|(row, record)| {
            let mut figures = self.figures(record).into_iter();
            let first = figures.next();
            RankingRow {
                value: first.as_ref().and_then(|first| first.value),
                interval: first.and_then(|first| first.interval),
                cells: figures.map(|figure| figure.value).collect(),
                ..row
            }
        });
        let mut rows: Vec<RankingRow> = rows.collect();
        let value = |row: &RankingRow| row.value.unwrap_or(f64::NEG_INFINITY);
        rows.sort_by(|one, other| value(other).total_cmp(&value(one)));
        let mut columns = self.metrics.iter().map(|metric| metric.column());
        Ranking {
            title: self.title.to_owned(),
            about,
            value: columns.next().unwrap_or_else(|| ACCURACY.column()),
            columns: columns.collect(),
            rows,
        }
    }

    /// The same under its title, without optional numbers that are not defined.
    pub fn group(&self, record: &Value) -> Group {
        let figures = self.metrics.iter().map(|metric| (metric, metric.figure(record)));
        let shown = figures.filter(|(metric, figure)| !metric.optional || figure.value.is_some());
        Group { title: self.title.to_owned(), figures: shown.map(|(_, figure)| figure).collect() }
    }
}

/// The part of a record at a key.
pub(crate) fn at<'a>(record: &'a Value, key: &str) -> &'a Value {
    key.split('.').fold(record, |part, name| match part {
        Value::Array(_) => name.parse().map_or(&Value::Null, |at: usize| &part[at]),
        _ => &part[name],
    })
}

impl Report {
    /// The numbers of a record as they are declared: the first section is the headline, the others are groups.
    pub fn of(sections: &[Section], record: Value) -> Self {
        let mut groups = sections.iter().map(|section| section.group(&record));
        let headline = groups.next().map(|group| group.figures).unwrap_or_default();
        Report { headline, groups: groups.collect(), record, ..Report::default() }
    }

    /// Heads the report of a run that sweeps with one number at each value, as the records in `sweep` have it, `called` by its value.
    /// What is over all values together is no result of anything that was played, and stands in a group of its own; money stays.
    #[must_use]
    pub fn by_value(mut self, metric: &Metric, called: impl Fn(u64) -> String) -> Self {
        let swept = self.record["swept"].as_str().unwrap_or_default().to_owned();
        let values = self.record["sweep"].as_array().into_iter().flatten();
        let mut at: Vec<(u64, Figure)> = values
            .enumerate()
            .filter_map(|(index, record)| {
                let value = record[&swept].as_u64()?;
                let figure = Figure {
                    key: format!("sweep.{index}.{}", metric.key),
                    label: format!("{}, {}", metric.label, called(value)),
                    ..metric.figure(record)
                };
                Some((value, figure))
            })
            .collect();
        at.sort_by_key(|(value, _)| *value);
        let (money, pooled) =
            self.headline.into_iter().partition(|figure| figure.unit == Unit::Dollars);
        self.headline = at.into_iter().map(|(_, figure)| figure).collect();
        self.headline.extend::<Vec<Figure>>(money);
        let together = Group { title: "All values together".to_owned(), figures: pooled };
        self.groups.insert(0, together);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(key: &'static str, record: &Value) -> (Option<f64>, Option<(f64, f64)>) {
        let metric = Metric { key, ..ACCURACY };
        let figure = metric.figure(record);
        assert_eq!((figure.key.as_str(), figure.label.as_str()), (key, "Accuracy"));
        (figure.value, figure.interval)
    }

    #[test]
    fn a_number_is_read_with_its_interval_wherever_it_stands() {
        let record = json!({
            "n": 3,
            "accuracy": 0.5,
            "accuracy_interval": [0.25, 0.75],
            "bounds": [0.125, 1],
            "score": 2.5, "score_low": 2.0, "score_high": null,
            "payoff": 2.5, "payoff_low": 2.0, "payoff_high": 3.0,
            "solved": { "n": 3, "value": 0.5, "interval": [0.25, 0.75] },
            "rates": { "invalid": 0.5, "invalid_interval": [0, 1] },
            "unknown": null,
        });
        assert_eq!(read("n", &record), (Some(3.0), None));
        assert_eq!(read("accuracy", &record), (Some(0.5), Some((0.25, 0.75))));
        assert_eq!(read("bounds.0", &record), (Some(0.125), None));
        assert_eq!(read("bounds.1", &record), (Some(1.0), None));
        assert_eq!(read("score", &record), (Some(2.5), None));
        assert_eq!(read("payoff", &record), (Some(2.5), Some((2.0, 3.0))));
        assert_eq!(read("solved", &record), (Some(0.5), Some((0.25, 0.75))));
        let rate = read("rates.invalid", &record);
        assert_eq!(rate, (Some(0.5), Some((0.0, 1.0))));
        for none in ["unknown", "missing", "bounds.2", "bounds.x", "n.deeper", "accuracy_interval"]
        {
            assert_eq!(read(none, &record), (None, None), "{none}");
        }
        assert_eq!(read("accuracy", &Value::Null), (None, None));
    }
}
