//! Runs side by side, made ready for drawing: their headline numbers in one table, and their first curves over one pair of
//! axes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use turnwise_shared::compare;
use turnwise_shared::metrics::cost::Cost;
use turnwise_shared::metrics::report::{Curve, Table, TableRow};
use turnwise_shared::metrics::spending::Spending;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::naming;

use crate::strings::{compare as words, home};

/// Who sits in the seat under evaluation; where all are players, how many.
pub fn player(spec: &Spec) -> String {
    match spec.seats.get(&Seat::new(Seat::PLAYER)) {
        Some(sitting) => sitting.player.to_string(),
        None => crate::strings::run::participants(spec.seats.len()),
    }
}

/// What runs are called beside each other: by their titles where people gave each one of its own, else by what differs between
/// them; those that would be called alike carry the beginning of their id.
pub fn names(runs: &[&RunInfo]) -> Vec<String> {
    let titles: Vec<&str> = runs.iter().map(|run| given_title(run)).collect();
    let different: BTreeSet<&&str> = titles.iter().collect();
    let are_titled = different.len() == runs.len() && titles.iter().all(|title| !title.is_empty());
    let plain: Vec<String> = match (are_titled, of_one_benchmark(runs)) {
        (true, _) => titles.iter().map(|title| (*title).to_owned()).collect(),
        (false, Some(names)) => names,
        (false, None) => runs.iter().map(|run| player(&run.spec)).collect(),
    };
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for name in &plain {
        *times.entry(name).or_default() += 1;
    }
    plain
        .iter()
        .zip(runs)
        .map(|(name, run)| match times.get(name.as_str()) {
            Some(1) | None => name.clone(),
            Some(_) => {
                format!("{name} ({})", short_id(&run.run))
            }
        })
        .collect()
}

/// The title that a user gave a run; empty where the run has its default title.
fn given_title(run: &RunInfo) -> &str {
    match registry::find(&run.spec.benchmark) {
        Ok(benchmark) => naming::given_title(&run.title, benchmark, &run.spec),
        Err(_) => run.title.trim(),
    }
}

fn of_one_benchmark(runs: &[&RunInfo]) -> Option<Vec<String>> {
    let first = &runs.first()?.spec.benchmark;
    if runs.iter().any(|run| run.spec.benchmark != *first) {
        return None;
    }
    let benchmark = registry::find(first).ok()?;
    let specs: Vec<&Spec> = runs.iter().map(|run| &run.spec).collect();
    Some(compare::names(benchmark, &specs))
}

/// The beginning of a run's id, by which people tell runs apart.
pub fn short_id(run: &RunId) -> String {
    run.as_str().chars().take(8).collect()
}

/// Why a run cannot be ticked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Barred {
    /// No episode of it is over, so there is nothing to compare.
    NoEpisodes,
    /// It is of another benchmark than those that are ticked.
    Other,
    Refused,
    /// The operator took it off its board.
    Removed,
}

/// Whether a run can be ticked beside runs of a benchmark; `None` if nothing is ticked yet.
pub fn barred(
    own: &str,
    finished: u32,
    doubt: Option<&Doubt>,
    ticked: Option<&str>,
) -> Option<Barred> {
    match doubt {
        Some(Doubt::Refused { .. }) => Some(Barred::Refused),
        Some(Doubt::Removed(_)) => Some(Barred::Removed),
        None if ticked.is_some_and(|ticked| ticked != own) => Some(Barred::Other),
        None => (finished == 0).then_some(Barred::NoEpisodes),
    }
}

/// The longest word that is taken for the name of a condition.
const LONGEST: usize = 32;

/// The condition that a run was played under in a few words: what was chosen of its settings by name, and what they sweep over.
/// `None` where nothing was. It is read off the settings alone, so that lists need no benchmark.
pub fn condition(spec: &Spec) -> Option<String> {
    let settings = spec.settings.as_object()?;
    let words = |(name, value): (&String, &Value)| {
        let name = name.replace('_', " ");
        match value {
            Value::String(chosen) if (2..=LONGEST).contains(&chosen.len()) => {
                Some(chosen.replace('_', " "))
            }
            Value::String(chosen) if chosen.len() == 1 => Some(format!("{name} {chosen}")),
            Value::Array(values) if values.iter().all(Value::is_number) && !values.is_empty() => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                Some(format!("{} {name}", values.join("/")))
            }
            _ => None,
        }
    };
    let parts: Vec<String> = settings.iter().filter_map(words).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Whether a run plays every task at several values of a setting: such a setting is written as a list.
pub fn is_swept(spec: &Spec) -> bool {
    let settings = spec.settings.as_object();
    settings.is_some_and(|settings| settings.values().any(serde_json::Value::is_array))
}

/// The headline numbers of runs, a row a run, with how many episodes of each are over. A number that a run does not have is left
/// empty; `None` without a run.
pub fn table(title: &str, by: &str, runs: &[(String, Report)], plays: &[u32]) -> Option<Table> {
    let (_, first) = runs.first()?;
    let columns: Vec<Column> = first
        .headline
        .iter()
        .map(|figure| Column {
            key: figure.key.clone(),
            ..Column::new(&figure.label, figure.unit, &figure.about)
        })
        .collect();
    let rows = runs.iter().zip(plays).map(|((name, report), plays)| TableRow {
        name: name.clone(),
        n: behind(report).unwrap_or(*plays),
        cells: columns
            .iter()
            .map(|column| {
                let same = report.headline.iter().find(|figure| figure.key == column.key);
                same.and_then(|figure| figure.value)
            })
            .collect(),
    });
    Some(Table {
        title: title.to_owned(),
        about: String::new(),
        by: by.to_owned(),
        rows: rows.collect(),
        columns,
    })
}

/// What runs cost: a row a run (name, plays, what was spent), then every two of them. `None` where no model was called.
pub fn costs(runs: &[(String, u32, Spending)]) -> Option<Table> {
    if runs.len() < 2 || runs.iter().all(|(_, _, spent)| !spent.is_of_interest()) {
        return None;
    }
    let sides: Vec<[Option<f64>; 3]> = runs
        .iter()
        .map(|(_, plays, spent)| {
            let cost = spent.total.exactly().map(Cost::dollars);
            let a_play = |sum: f64| (*plays > 0).then(|| sum / f64::from(*plays));
            let mut roles = spent.roles.values();
            let tokens = roles.try_fold(0_u64, |sum, role| {
                let tokens = role.usage.known(role.usage.tokens())?;
                Some(sum.saturating_add(tokens))
            });
            let tokens = tokens.and_then(|tokens| a_play(tokens as f64));
            [cost, cost.and_then(a_play), tokens]
        })
        .collect();
    let mut rows: Vec<TableRow> = runs
        .iter()
        .zip(&sides)
        .map(|((name, plays, _), cells)| TableRow {
            name: name.clone(),
            n: *plays,
            cells: cells.to_vec(),
        })
        .collect();
    for one in 0..runs.len() {
        for other in one + 1..runs.len() {
            let less = |(one, other): (&Option<f64>, &Option<f64>)| Some((*one)? - (*other)?);
            rows.push(TableRow {
                name: format!("{} − {}", runs[one].0, runs[other].0),
                n: runs[one].1.min(runs[other].1),
                cells: sides[one].iter().zip(&sides[other]).map(less).collect(),
            });
        }
    }
    Some(Table {
        title: "Money and tokens".to_owned(),
        about: words::COSTS_ABOUT.to_owned(),
        by: home::RUN.to_owned(),
        columns: vec![
            Column::new("cost", Unit::Dollars, "At the prices of the day of each call."),
            Column::new(
                "cost per episode",
                Unit::Dollars,
                "The cost divided by the number of episodes.",
            ),
            Column::new(
                "tokens per episode",
                Unit::Tokens,
                "Input and output tokens of models, over all seats.",
            ),
        ],
        rows,
    })
}

/// Episodes behind a report: those of its parts by whatever it is parted first. Games have no parts.
fn behind(report: &Report) -> Option<u32> {
    let parts = report.breakdowns.first()?;
    let n = parts.rows.iter().map(|row| row.n).sum();
    (n > 0).then_some(n)
}

/// The first curve of each plot that all runs have, run by run over one pair of axes.
pub fn overlay(runs: &[(String, Report)]) -> Vec<Plot> {
    let Some((_, first)) = runs.first() else {
        return Vec::new();
    };
    first
        .plots
        .iter()
        .filter_map(|plot| {
            let curves: Option<Vec<Curve>> = runs
                .iter()
                .map(|(name, report)| {
                    let same = report.plots.iter().find(|other| other.title == plot.title)?;
                    Some(Curve { name: name.clone(), points: same.curves.first()?.points.clone() })
                })
                .collect();
            Some(Plot { curves: curves?, ..plot.clone() })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use turnwise_shared::metrics::report::{Figure, Point, Unit};
    use turnwise_shared::wire::ApiError;
    use turnwise_shared::wire::publishing::Refusal;

    fn report(value: f64, plots: &[&str]) -> Report {
        let column = || Column::new("x", Unit::Count, "");
        Report {
            headline: vec![Figure {
                key: "pass_at_1".to_owned(),
                label: "pass@1".to_owned(),
                value: Some(value),
                known: None,
                interval: None,
                unit: Unit::Fraction,
                about: String::new(),
            }],
            plots: plots
                .iter()
                .map(|title| Plot {
                    title: (*title).to_owned(),
                    about: String::new(),
                    x: column(),
                    y: column(),
                    curves: vec![Curve {
                        name: "all".to_owned(),
                        points: vec![Point { x: 1.0, y: value, interval: None, n: None }],
                    }],
                })
                .collect(),
            ..Report::default()
        }
    }

    #[test]
    fn a_condition_is_read_off_any_settings() {
        let of = |settings: Value| {
            let benchmark = registry::find(turnwise_shared::examples::QUESTIONS);
            let spec = Spec {
                settings,
                ..turnwise_shared::benchmark::default_spec(benchmark.expect("it is registered"))
            };
            condition(&spec)
        };
        let said = |words: &str| Some(words.to_owned());
        assert_eq!(of(json!({ "mode": "answer_only", "rounds": 10 })), said("answer only"));
        assert_eq!(of(json!({ "setting": "C" })), said("setting C"));
        let swept = of(json!({ "mode": "full", "rounds": [5, 10, 20] }));
        assert_eq!(swept, said("full, 5/10/20 rounds"));
        assert_eq!(of(json!({ "tables": 2, "note": "x".repeat(99) })), None);
        assert_eq!(of(Value::Null), None);
    }

    #[test]
    fn what_cannot_be_compared_says_why() {
        let barred = |finished, ticked| barred("one", finished, None, ticked);
        assert_eq!(barred(3, None), None);
        assert_eq!(barred(3, Some("one")), None);
        assert_eq!(barred(0, None), Some(Barred::NoEpisodes));
        assert_eq!(barred(0, Some("other")), Some(Barred::Other));
        assert_eq!(barred(3, Some("other")), Some(Barred::Other));
    }

    #[test]
    fn a_run_that_was_refused_is_never_compared() {
        let doubt = Doubt::Refused {
            at: 1,
            refusal: Refusal {
                error: ApiError {
                    code: "drift".to_owned(),
                    message: "Line 4 is another one.".to_owned(),
                    mend: None,
                },
                place: None,
            },
        };
        for ticked in [None, Some("one"), Some("other")] {
            assert_eq!(barred("one", 3, Some(&doubt), ticked), Some(Barred::Refused));
        }
    }

    #[test]
    fn runs_share_axes_where_all_have_the_curve() {
        let runs = [
            ("A".to_owned(), report(0.9, &["coverage"])),
            ("C".to_owned(), report(0.4, &["precision", "coverage"])),
        ];
        let plots = overlay(&runs);
        assert_eq!(plots.len(), 1);
        let names: Vec<_> = plots[0].curves.iter().map(|curve| &curve.name).collect();
        assert_eq!(names, ["A", "C"]);
        let table = table("Runs", "run", &runs, &[20, 12]);
        let table = table.expect("the runs have numbers in common");
        assert_eq!(table.rows[1].cells, [Some(0.4)]);
        // A run without parts has as many as it played.
        let counts: Vec<u32> = table.rows.iter().map(|row| row.n).collect();
        assert_eq!(counts, [20, 12]);
        assert!(overlay(&[]).is_empty());
    }
}
