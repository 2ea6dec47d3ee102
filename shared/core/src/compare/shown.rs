//! A comparison as a report: tables and remarks for the command line, and the record for programs.

use serde_json::json;

use super::{Comparison, Differs, Pair, Subject};
use crate::metrics::paired::Needed;
use crate::metrics::report::{Figure, Ranking, RankingRow, Report, Table, TableRow, Unit, caption};
use crate::seat::Seat;
use crate::spec::{BadSpec, Spec};

/// The form of the record that `turnwise metrics --compare --json` prints.
const SCHEMA: &str = "turnwise-compare/1";

impl Comparison {
    /// The comparison as a report.
    pub fn report(&self) -> Report {
        let mut report = Report {
            remarks: self.remarks.clone(),
            record: json!({ "schema": SCHEMA, "benchmark": self.benchmark, "comparison": self }),
            ..Report::default()
        };
        for subject in &self.subjects {
            report.rankings.push(self.ranking(subject));
            report.tables.push(self.pairs(subject));
            if let [pair] = subject.pairs.as_slice() {
                report.headline.push(self.difference(subject, pair));
            }
            let verdicts = subject.pairs.iter().map(|pair| pair.verdict.clone());
            report.remarks.extend(verdicts);
            if subject.pairs.len() > 1 {
                report.remarks.push(self.tied(subject));
            }
        }
        report.remarks.extend(self.differs.iter().map(|one| {
            let values =
                self.runs.iter().zip(&one.values).map(|(run, value)| {
                    format!("{} ({run})", value.as_deref().unwrap_or("nothing"))
                });
            format!("The specs differ in {}: {}.", one.label, values.collect::<Vec<_>>().join(", "))
        }));
        report
    }

    /// The letters of the groups that a run is in, e.g. `ab`: runs that share one cannot be told apart.
    pub fn letters(subject: &Subject, run: usize) -> String {
        ('a'..='z')
            .zip(&subject.groups)
            .filter(|(_, group)| group.contains(&run))
            .map(|(letter, _)| letter)
            .collect()
    }

    fn difference(&self, subject: &Subject, pair: &Pair) -> Figure {
        Figure {
            key: format!("difference{}", of_seat(self, subject)),
            label: format!("{} difference{}", self.number.label, of_seat(self, subject)),
            value: Some(pair.paired.difference),
            interval: pair.paired.interval,
            known: None,
            unit: self.of_differences(),
            about: format!(
                "{} less {}, over the {} tasks that both have.",
                self.runs[pair.one], self.runs[pair.other], pair.paired.tasks
            ),
        }
    }

    /// How differences of the number are shown.
    pub fn of_differences(&self) -> Unit {
        match self.number.unit {
            Unit::Fraction => Unit::Points,
            other => other,
        }
    }

    /// The runs by their numbers, best first, with the letters of their groups.
    pub fn ranking(&self, subject: &Subject) -> Ranking {
        let mut order: Vec<usize> = (0..subject.sides.len()).collect();
        order.sort_by(|one, other| {
            subject.sides[*other].value.total_cmp(&subject.sides[*one].value)
        });
        let rows = order.into_iter().map(|run| RankingRow {
            name: format!("{} [{}]", self.runs[run], Self::letters(subject, run)),
            who: subject.players[run].clone(),
            n: subject.tasks,
            value: Some(subject.sides[run].value),
            interval: subject.sides[run].interval,
            cells: Vec::new(),
        });
        Ranking {
            title: format!("The same tasks{}", of_seat(self, subject)),
            about: "Runs that share a letter cannot be told apart.".to_owned(),
            value: self.number.clone(),
            columns: Vec::new(),
            rows: rows.collect(),
        }
    }

    fn pairs(&self, subject: &Subject) -> Table {
        let mut caption = caption("pairs");
        caption.title.push_str(&of_seat(self, subject));
        for column in &mut caption.columns[..3] {
            column.unit = self.of_differences();
        }
        if subject.pairs.iter().all(|pair| pair.paired.is_mcnemar()) {
            "Two-sided p-value of McNemar's exact test.".clone_into(&mut caption.columns[5].about);
        }
        let rows = subject.pairs.iter().map(|pair| {
            let paired = &pair.paired;
            let needed = match paired.needed {
                Needed::Tasks(tasks) => Some(f64::from(tasks)),
                Needed::CannotBeSaid => None,
            };
            let name = format!("{} − {}", self.runs[pair.one], self.runs[pair.other]);
            TableRow::new(
                name,
                paired.tasks,
                [
                    Some(paired.difference),
                    paired.interval.map(|(low, _)| low),
                    paired.interval.map(|(_, high)| high),
                    Some(paired.more.into()),
                    Some(paired.less.into()),
                    Some(paired.p),
                    Some(pair.p_holm),
                    needed,
                    pair.more_tasks.map(f64::from),
                ],
            )
        });
        caption.table(rows)
    }

    /// Which runs cannot be told apart, in a sentence.
    pub fn tied(&self, subject: &Subject) -> String {
        let names = |group: &Vec<usize>| {
            let names: Vec<&str> = group.iter().map(|run| self.runs[*run].as_str()).collect();
            names.join(", ")
        };
        let tied: Vec<String> =
            subject.groups.iter().filter(|group| group.len() > 1).map(names).collect();
        let of = of_seat(self, subject);
        match tied.as_slice() {
            [] if subject.sides.len() == 2 => format!("The runs are told apart{of}."),
            [] => format!("All runs are told apart{of}."),
            groups => format!("Cannot be told apart{of}: {}.", groups.join("; ")),
        }
    }
}

/// The comparison together with what the benchmark says besides, which stands first; its record keeps its form.
pub(super) fn with_more(report: Report, more: Result<Option<Report>, BadSpec>) -> Report {
    let more = match more {
        Ok(Some(more)) => more,
        Ok(None) => return report,
        Err(bad) => {
            let mut report = report;
            report.remarks.push(format!("Of gaps between settings nothing can be said: {bad}."));
            return report;
        }
    };
    let mut all = more;
    all.record["comparison"] = report.record["comparison"].clone();
    all.headline.extend(report.headline);
    all.rankings.extend(report.rankings);
    all.tables.extend(report.tables);
    // What came of it by the benchmark's own number goes first.
    all.remarks.splice(0..0, all.verdicts.clone());
    all.remarks.extend(report.remarks);
    all
}

/// ` (seat 2)` where several are compared.
pub(super) fn of_seat(all: &Comparison, subject: &Subject) -> String {
    match all.subjects.len() {
        1 => String::new(),
        _ => format!(" (seat {})", subject.seat),
    }
}

/// What a reader must know.
pub(super) fn remarks(
    specs: &[&Spec],
    subjects: &[Subject],
    differs: &[Differs],
    unscored: &[u32],
) -> Vec<String> {
    let mut remarks = Vec::new();
    let left_out = subjects.iter().map(|subject| subject.left_out).max();
    if let Some(left_out) = left_out.filter(|count| *count > 0) {
        remarks.push(format!(
            "{left_out} tasks that only some of the runs ended with a score are left out."
        ));
    }
    let without: u32 = unscored.iter().sum();
    if without > 0 {
        remarks.push(format!(
            "{without} episodes have no score yet and do not count; take them up or grade them again."
        ));
    }
    if specs.iter().any(|spec| spec.repeats > 1) {
        remarks.push("A task's number is the mean of its repeats.".to_owned());
    }
    if subjects.iter().any(|one| one.clusters < one.tasks) {
        let clusters = subjects.iter().map(|one| one.clusters).min().unwrap_or(0);
        remarks.push(format!(
            "Intervals and tests are over {clusters} groups of tasks that are alike. The number of tasks needed counts tasks as \
             independent, and so promises more than there is."
        ));
    }
    let is_compared = |seat: &str| subjects.iter().any(|subject| subject.seat == Seat::new(seat));
    let others: std::collections::BTreeSet<&str> = differs
        .iter()
        .filter_map(|one| one.part.strip_prefix("seats.")?.split('.').next())
        .filter(|seat| !is_compared(seat))
        .collect();
    if !others.is_empty() {
        let seats: Vec<&str> = others.into_iter().collect();
        remarks.push(format!(
            "Others differ, too ({}): what separates the runs may be theirs.",
            seats.join(", ")
        ));
    }
    if differs.iter().any(|one| one.part == "profile") {
        remarks.push(format!(
            "The runs were played in different profiles; their numbers are taken by {}.",
            specs[0].profile.name()
        ));
    }
    remarks
}
