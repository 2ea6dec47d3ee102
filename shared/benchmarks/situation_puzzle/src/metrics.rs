//! The numbers of a run (specification 1.d), from transcripts and summaries only.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnwise_shared::metrics::cost::Cost;
use turnwise_shared::metrics::figures::Figures;
use turnwise_shared::metrics::proportion::{Cluster, Interval, clustered};
use turnwise_shared::metrics::report::{
    Breakdown, BreakdownRow, Column, Curve, Figure, MeasureOptions, Plot, Point, Report, Study,
    Table, TableRow, Unit,
};
use turnwise_shared::metrics::spending;
use turnwise_shared::metrics::spread::Spread;
use turnwise_shared::metrics::summary::{Measured, Summary};
use turnwise_shared::metrics::times;
use turnwise_shared::note::Note;
use turnwise_shared::spec::{Profile, Spec};
use turnwise_shared::transcript::Transcript;

use crate::protocol::{FORCED_FINAL, JUDGE_INVALID, JUDGE_UNREADABLE, ending};
use crate::reading::{Kind, Token};
use crate::settings::{self, Mode, ROUNDS, Settings};
use crate::tasks::LANGUAGE;

/// The form of the record that `turnwise metrics --json` prints.
const SCHEMA: &str = "turnwise-situation-puzzle-metrics/1";

/// The numbers of one episode.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    /// Turns before the forced final; 0 in direct mode.
    pub budget: u32,
    /// Recorded turns; the forced final is one.
    pub turns: u32,
    /// The turn of the correct final answer, if there was one; beyond the budget it is the forced final.
    pub solved_at: Option<u32>,
    /// Turns with a final answer on which the judge could not be read.
    pub undecided: Vec<u32>,
    /// Questions that were judged.
    pub questions: u32,
    /// Final answers that were judged.
    pub finals: u32,
    /// Of these, wrong ones.
    pub wrong_finals: u32,
    /// Messages that were not a move, by class.
    pub format_errors: BTreeMap<String, u32>,
    /// The judge's answers to questions, by token.
    pub answers: BTreeMap<String, u32>,
    /// Replies of the judge that could not be read.
    pub judge_unreadable: u32,
    /// Turns that no reply of the judge decided.
    pub judge_invalid: u32,
}

impl Numbers {
    fn of(play: &Transcript) -> Self {
        let header = &play.header;
        let label = header.task.labels.get(ROUNDS).map(String::as_str);
        let mut numbers = Numbers {
            budget: Settings::labelled(&header.spec, label).map_or(0, |settings| settings.turns()),
            ..Numbers::default()
        };
        let mut kind = Kind::Question;
        for note in play.notes() {
            match note {
                Note::Turn(turn) => {
                    numbers.turns = turn.index;
                    if let Some(fault) = &turn.reading.fault {
                        *numbers
                            .format_errors
                            .entry(fault.class.clone())
                            .or_default() += 1;
                    }
                    kind = match turn.reading.applied["kind"].as_str() {
                        Some("final" | FORCED_FINAL) => Kind::Final,
                        _ => Kind::Question,
                    };
                }
                Note::Came(came) => {
                    let token = came
                        .reading
                        .as_ref()
                        .and_then(|reading| reading.applied.as_str());
                    numbers.judged(came.turn, kind, token.and_then(Token::named));
                }
                Note::Flag { name, .. } if name == JUDGE_UNREADABLE => {
                    numbers.judge_unreadable += 1
                }
                Note::Restarted { .. } | Note::Event { .. } | Note::Flag { .. } => {}
            }
        }
        numbers
    }

    fn judged(&mut self, turn: u32, kind: Kind, token: Option<Token>) {
        match kind {
            Kind::Question => self.questions += 1,
            Kind::Final => self.finals += 1,
        }
        match (kind, token) {
            (_, None) => {
                self.judge_invalid += 1;
                self.undecided.extend((kind == Kind::Final).then_some(turn));
            }
            (_, Some(Token::Correct)) => self.solved_at = Some(turn),
            (_, Some(Token::Incorrect)) => self.wrong_finals += 1,
            (_, Some(token)) => *self.answers.entry(token.name().to_owned()).or_default() += 1,
        }
    }

    /// Whether it was solved by turn `last`; `None` where an unreadable judge leaves it open.
    fn solved_by(&self, last: u32) -> Option<bool> {
        match self.solved_at {
            Some(turn) if turn <= last => Some(true),
            _ if self.undecided.iter().any(|turn| *turn <= last) => None,
            _ => Some(false),
        }
    }

    /// Whether an action within the budget solved it; in direct mode the only answer.
    fn solved_within_budget(&self) -> Option<bool> {
        self.solved_by(self.budget.max(1))
    }

    /// Whether the forced final, or any action before it, solved it.
    fn solved_with_final(&self) -> Option<bool> {
        self.solved_by(self.budget + 1)
    }

    fn solved(&self, profile: Profile) -> Option<bool> {
        match profile {
            Profile::Strict => self.solved_within_budget(),
            Profile::Reference => self.solved_with_final(),
        }
    }

    fn format_errors(&self) -> u32 {
        self.format_errors.values().sum()
    }
}

/// Measures one episode.
pub fn measure(play: &Transcript) -> Measured {
    let numbers = Numbers::of(play);
    let outcome = play.outcome().filter(|outcome| outcome.is_complete());
    let answer = outcome.and_then(|outcome| outcome.result["answer"].as_str());
    let solved = outcome.and_then(|_| numbers.solved(play.header.spec.profile));
    Measured {
        score: solved.map(|solved| if solved { 1.0 } else { 0.0 }),
        answer: answer
            .filter(|answer| !answer.is_empty())
            .map(str::to_owned),
        numbers: Figures::of(&numbers),
    }
}

/// One episode as a report needs it.
struct Played<'a> {
    summary: &'a Summary,
    /// The puzzle: in a sweep the same at every value.
    puzzle: String,
    numbers: Numbers,
}

/// A share of episodes with its interval.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Share {
    n: u64,
    of: u64,
    mean: Option<f64>,
    interval: Option<Interval>,
}

impl Share {
    /// Over episodes of which `which` is known. The interval counts puzzles: with one repeat it is Wilson's.
    fn of<'a>(
        rows: impl IntoIterator<Item = &'a Played<'a>>,
        which: impl Fn(&Played<'_>) -> Option<bool>,
    ) -> Self {
        let mut puzzles: BTreeMap<&str, Cluster> = BTreeMap::new();
        for row in rows {
            if let Some(holds) = which(row) {
                let puzzle = puzzles
                    .entry(&row.puzzle)
                    .or_insert(Cluster { successes: 0, n: 0 });
                puzzle.successes += u64::from(holds);
                puzzle.n += 1;
            }
        }
        let clusters: Vec<Cluster> = puzzles.into_values().collect();
        let of = clusters.iter().map(|cluster| cluster.n).sum();
        let n = clusters.iter().map(|cluster| cluster.successes).sum();
        Share {
            n,
            of,
            mean: ratio(n, of),
            interval: clustered(&clusters),
        }
    }

    fn ends(&self) -> Option<(f64, f64)> {
        self.interval.map(|interval| (interval.low, interval.high))
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The numbers of some episodes of one run.
struct Part<'a> {
    rows: Vec<Played<'a>>,
    profile: Profile,
}

impl<'a> Part<'a> {
    fn of(spec: &Spec, episodes: &[&'a Summary]) -> Self {
        let points = settings::points(spec);
        let rows = episodes.iter().map(|summary| {
            let id = &summary.task.id;
            let original = points.iter().find_map(|point| point.original(id));
            Played {
                summary,
                puzzle: original.unwrap_or(&id.0).to_owned(),
                // Of an episode that another version measured nothing is known.
                numbers: summary.measured.numbers.read().unwrap_or_default(),
            }
        });
        Part {
            rows: rows.collect(),
            profile: spec.profile,
        }
    }

    fn accuracy(&self) -> Share {
        Share::of(&self.rows, |row| {
            row.summary.score.map(|score| score >= 0.5)
        })
    }

    fn solved_with_final(&self) -> Share {
        Share::of(self.complete(), |row| row.numbers.solved_with_final())
    }

    fn solved_within_budget(&self) -> Share {
        Share::of(self.complete(), |row| row.numbers.solved_within_budget())
    }

    fn complete(&self) -> Vec<&Played<'a>> {
        self.rows
            .iter()
            .filter(|row| row.summary.complete)
            .collect()
    }

    /// Mean recorded turns of the episodes that `solved` counts; `None` without one.
    fn average_turns(&self, solved: impl Fn(&Numbers) -> Option<bool>) -> Option<f64> {
        let solved = self
            .complete()
            .into_iter()
            .filter(|row| solved(&row.numbers) == Some(true));
        let turns: Vec<u64> = solved.map(|row| u64::from(row.numbers.turns)).collect();
        ratio(turns.iter().sum(), turns.len() as u64)
    }

    fn sum(&self, of: impl Fn(&Numbers) -> u32) -> u64 {
        self.rows
            .iter()
            .map(|row| u64::from(of(&row.numbers)))
            .sum()
    }

    fn by_name(&self, of: impl Fn(&Numbers) -> &BTreeMap<String, u32>) -> BTreeMap<String, u64> {
        let mut sums = BTreeMap::new();
        for row in &self.rows {
            for (name, count) in of(&row.numbers) {
                *sums.entry(name.clone()).or_default() += u64::from(*count);
            }
        }
        sums
    }

    /// Standard deviation of the accuracies of the repeats; `None` for one.
    fn deviation(&self) -> Option<f64> {
        let mut repeats: BTreeMap<u32, (f64, u32)> = BTreeMap::new();
        for row in &self.rows {
            if let Some(score) = row.summary.score {
                let repeat = repeats.entry(row.summary.repeat).or_default();
                *repeat = (repeat.0 + score, repeat.1 + 1);
            }
        }
        let shares: Vec<f64> = repeats
            .values()
            .map(|(sum, n)| sum / f64::from(*n))
            .collect();
        Spread::of(&shares)?.deviation
    }

    fn endings(&self) -> BTreeMap<String, u32> {
        let mut endings = BTreeMap::new();
        for row in &self.rows {
            let ending = row.summary.ending.as_deref().unwrap_or("unfinished");
            *endings.entry(ending.to_owned()).or_default() += 1;
        }
        endings
    }

    fn record(&self) -> Value {
        let (accuracy, within, with_final) = (
            self.accuracy(),
            self.solved_within_budget(),
            self.solved_with_final(),
        );
        let open = self.rows.len() as u64 - accuracy.of;
        let bounds =
            ratio(accuracy.n, accuracy.of + open).zip(ratio(accuracy.n + open, accuracy.of + open));
        let messages = self.sum(|numbers| numbers.turns);
        let judged = self.sum(|numbers| numbers.questions + numbers.finals);
        json!({
            "n": self.rows.len(),
            "scored": accuracy.of,
            "accuracy": accuracy.mean,
            "accuracy_std": self.deviation(),
            "accuracy_interval": accuracy.ends(),
            "accuracy_bounds": bounds,
            "accuracy_within_budget": within.mean,
            "accuracy_within_budget_interval": within.ends(),
            "accuracy_with_final": with_final.mean,
            "accuracy_with_final_interval": with_final.ends(),
            "average_turns": self.average_turns(|numbers| numbers.solved(self.profile)),
            "average_turns_within_budget": self.average_turns(Numbers::solved_within_budget),
            "average_turns_with_final": self.average_turns(Numbers::solved_with_final),
            "questions": ratio(self.sum(|numbers| numbers.questions), self.rows.len() as u64),
            "finals": ratio(self.sum(|numbers| numbers.finals), self.rows.len() as u64),
            "wrong_finals": ratio(self.sum(|numbers| numbers.wrong_finals), self.sum(|numbers| numbers.finals)),
            "format_error_rate": ratio(self.sum(Numbers::format_errors), messages),
            "format_errors": self.by_name(|numbers| &numbers.format_errors),
            "judge_answers": self.by_name(|numbers| &numbers.answers),
            "judge_unreadable": self.sum(|numbers| numbers.judge_unreadable),
            "judge_invalid_rate": ratio(self.sum(|numbers| numbers.judge_invalid), judged),
            "outcomes": self.endings(),
            "rankable": open == 0 && !self.rows.is_empty(),
        })
    }

    /// Solved by turn t, for every t of the episodes with the largest budget. `None` where nothing was asked.
    fn prefix_curve(&self) -> Option<(u32, Curve)> {
        let budget = self
            .rows
            .iter()
            .map(|row| row.numbers.budget)
            .max()
            .filter(|budget| *budget > 0)?;
        let longest: Vec<&Played<'_>> = self
            .rows
            .iter()
            .filter(|row| row.numbers.budget == budget && row.summary.score.is_some())
            .collect();
        let points = (1..=budget).filter_map(|turn| {
            let share = Share::of(longest.iter().copied(), |row| row.numbers.solved_by(turn));
            Some(Point {
                x: f64::from(turn),
                y: share.mean?,
                interval: share.ends(),
                n: u32::try_from(share.of).ok(),
            })
        });
        let curve = Curve {
            name: format!(
                "solved by turn t of the {budget}-turn episodes (prefix, not runs of their own)"
            ),
            points: points.collect(),
        };
        Some((budget, curve))
    }
}

/// The numbers of a run. Rates are fractions; `n` counts every episode that is given.
pub fn report(spec: &Spec, episodes: &[&Summary], options: &MeasureOptions) -> Report {
    let part = Part::of(spec, episodes);
    let mut record = part.record();
    let more = json!({
        "schema": SCHEMA,
        "benchmark": spec.benchmark,
        "profile": spec.profile,
        "mode": spec.settings["mode"],
        "spec_hash": spec.digest(),
        "times": times::record(&options.times),
        "prefix_curve": part.prefix_curve().map(|(_, curve)| {
            curve.points.iter().map(|point| json!({ "turn": point.x, "solved": point.y })).collect::<Vec<_>>()
        }),
    });
    if let (Some(record), Value::Object(more)) = (record.as_object_mut(), more) {
        record.extend(more);
    }
    let study = study(spec, episodes, &part);
    if let Some((_, sweep)) = &study {
        record["swept"] = json!(ROUNDS);
        record["sweep"] = sweep.clone();
    }
    let cost = spending::of(spec, episodes.iter().map(|summary| &summary.usage), options);
    Report {
        headline: headline(spec, &record, cost.total.exactly().map(Cost::dollars)),
        breakdowns: vec![by_language(&part)],
        plots: prefix_plot(&part).into_iter().collect(),
        tables: times::table(&options.times).into_iter().collect(),
        remarks: remarks(&part, &record, study.is_some()),
        study: study.map(|(study, _)| study),
        record,
        ..Report::default()
    }
}

fn headline(spec: &Spec, record: &Value, cost: Option<f64>) -> Vec<Figure> {
    let is_direct = spec.settings["mode"] == json!(Mode::Direct);
    let figure = |label: &str, key: &str, unit, about: &str| Figure {
        label: label.to_owned(),
        value: record[key].as_f64(),
        interval: serde_json::from_value(record[format!("{key}_interval")].clone())
            .unwrap_or_default(),
        unit,
        about: about.to_owned(),
    };
    let accuracy = match (spec.profile, is_direct) {
        (_, true) => "Puzzles whose only answer the judge accepted; nothing was asked.",
        (Profile::Strict, _) => "Puzzles solved by a final answer within the turns.",
        (Profile::Reference, _) => {
            "Puzzles solved within the turns or by the forced final after them."
        }
    };
    let mut figures = vec![figure("Accuracy", "accuracy", Unit::Fraction, accuracy)];
    if !is_direct {
        figures.push(match spec.profile {
            Profile::Strict => figure(
                "With forced final",
                "accuracy_with_final",
                Unit::Fraction,
                "The same with the forced final after the last turn counted.",
            ),
            Profile::Reference => figure(
                "Within budget",
                "accuracy_within_budget",
                Unit::Fraction,
                "The same without the forced final after the last turn.",
            ),
        });
    }
    figures.extend([
        figure("Turns of solved", "average_turns", Unit::Count, "Mean turns of the puzzles that were solved."),
        figure("Questions", "questions", Unit::Count, "Mean questions per puzzle."),
        figure("Wrong finals", "wrong_finals", Unit::Fraction, "Share of the submitted final answers that were wrong."),
        figure(
            "Format errors",
            "format_error_rate",
            Unit::Fraction,
            "Share of the player's messages that were neither a question nor a final answer; each costs a turn.",
        ),
        figure(
            "Judge invalid",
            "judge_invalid_rate",
            Unit::Fraction,
            "Share of the judged turns on which the judge could not be read, asked twice.",
        ),
        Figure {
            value: cost,
            ..figure("Cost", "", Unit::Dollars, "All seats together; empty where a part is not known. Bots are free.")
        },
    ]);
    if record["accuracy_std"].is_number() {
        let std = figure(
            "Std over repeats",
            "accuracy_std",
            Unit::Fraction,
            "Sample standard deviation over the repeats.",
        );
        figures.insert(1, std);
    }
    figures
}

fn by_language(part: &Part<'_>) -> Breakdown {
    let mut rows: BTreeMap<&str, Vec<&Played<'_>>> = BTreeMap::new();
    for row in &part.rows {
        if let Some(language) = row.summary.task.labels.get(LANGUAGE) {
            rows.entry(language).or_default().push(row);
        }
    }
    let row = |(value, rows): (&str, Vec<&Played<'_>>)| {
        let share = Share::of(rows, |row| row.summary.score.map(|score| score >= 0.5));
        BreakdownRow {
            value: value.to_owned(),
            n: u32::try_from(share.of).unwrap_or(u32::MAX),
            score: share.mean,
            interval: share.ends(),
        }
    };
    Breakdown {
        by: LANGUAGE.to_owned(),
        rows: rows.into_iter().map(row).collect(),
    }
}

fn column(label: &str, unit: Unit, about: &str) -> Column {
    Column {
        label: label.to_owned(),
        unit,
        about: about.to_owned(),
    }
}

fn prefix_plot(part: &Part<'_>) -> Option<Plot> {
    let (budget, curve) = part.prefix_curve()?;
    Some(Plot {
        title: "Solved by turn t".to_owned(),
        about: format!(
            "The prefix curve of the {budget}-turn episodes. It is not a sweep: a player that knows of fewer turns plays \
             differently."
        ),
        x: column("turn", Unit::Count, "The turn of the correct final answer."),
        y: column(
            "solved",
            Unit::Fraction,
            "Share of the scored puzzles solved by then.",
        ),
        curves: vec![curve],
    })
}

/// The budget sweep: the same puzzles with each number of turns, and the prefix curve of the longest beside it.
fn study(spec: &Spec, episodes: &[&Summary], whole: &Part<'_>) -> Option<(Study, Value)> {
    let mut values: Vec<u32> = settings::points(spec)
        .iter()
        .map(|point| point.value)
        .collect();
    values.sort_unstable();
    if values.is_empty() {
        return None;
    }
    let at: Vec<(u32, Part<'_>)> = values
        .into_iter()
        .map(|value| {
            let label = value.to_string();
            let there = episodes.iter().copied();
            let there: Vec<&Summary> = there
                .filter(|summary| summary.task.labels.get(ROUNDS) == Some(&label))
                .collect();
            (value, Part::of(spec, &there))
        })
        .collect();
    let runs = at.iter().filter_map(|(value, part)| {
        let share = part.accuracy();
        Some(Point {
            x: f64::from(*value),
            y: share.mean?,
            interval: share.ends(),
            n: u32::try_from(share.of).ok(),
        })
    });
    let mut curves = vec![Curve {
        name: "runs at each budget".to_owned(),
        points: runs.collect(),
    }];
    curves.extend(whole.prefix_curve().map(|(_, curve)| curve));
    let rows = at.iter().map(|(value, part)| {
        let (share, with_final) = (part.accuracy(), part.solved_with_final());
        let ends = share.ends();
        TableRow {
            name: value.to_string(),
            n: u32::try_from(share.of).unwrap_or(u32::MAX),
            cells: vec![
                share.mean,
                ends.map(|ends| ends.0),
                ends.map(|ends| ends.1),
                with_final.mean,
                part.average_turns(|numbers| numbers.solved(spec.profile)),
            ],
        }
    });
    let records: Vec<Value> = at
        .iter()
        .map(|(value, part)| {
            let mut record = part.record();
            record[ROUNDS] = json!(value);
            record
        })
        .collect();
    let study = Study {
        title: "Budget sweep".to_owned(),
        about: "The same puzzles with more and more turns: does a player that may ask more solve more?".to_owned(),
        plots: vec![Plot {
            title: "Accuracy against budget".to_owned(),
            about: "Every budget is a run of its own, because the prompt names it; the prefix curve is cut from the longest.".to_owned(),
            x: column("turns", Unit::Count, "How many turns the player has."),
            y: column("accuracy", Unit::Fraction, "Share of the puzzles that were solved."),
            curves,
        }],
        published: Vec::new(),
        published_about: "The paper draws accuracy over 5 to 20 turns; the values of that figure are not available, so no \
                          published points are shown."
            .to_owned(),
        table: Table {
            title: "By budget".to_owned(),
            about: "Intervals are 95%.".to_owned(),
            by: "turns".to_owned(),
            columns: vec![
                column("accuracy", Unit::Fraction, "Share of the puzzles that were solved."),
                column("from", Unit::Fraction, "Lower end of the interval."),
                column("to", Unit::Fraction, "Upper end of the interval."),
                column("with forced final", Unit::Fraction, "The same with the forced final counted."),
                column("turns of solved", Unit::Count, "Mean turns of the puzzles that were solved."),
            ],
            rows: rows.collect(),
        },
    };
    Some((study, json!(records)))
}

fn remarks(part: &Part<'_>, record: &Value, is_sweep: bool) -> Vec<String> {
    let mut remarks = Vec::new();
    let scored = record["scored"].as_u64().unwrap_or(0);
    let n = part.rows.len() as u64;
    if let (true, Some(low), Some(high)) = (
        scored < n,
        record["accuracy_bounds"][0].as_f64(),
        record["accuracy_bounds"][1].as_f64(),
    ) {
        remarks.push(format!(
            "{} of {n} episodes have no score, because they are incomplete or the judge could not be read on a final answer: \
             accuracy lies between {:.1}% and {:.1}%. The run is not ranked.",
            n - scored,
            100.0 * low,
            100.0 * high
        ));
    }
    let errors = part.endings().get(ending::ERROR).copied().unwrap_or(0);
    if errors > 0 {
        remarks.push(format!(
            "{errors} of {n} episodes ended because a seat said nothing nine times; they count as unsolved. The authors' \
             program would have stopped the run."
        ));
    }
    let invalid = part
        .rows
        .iter()
        .filter(|row| row.summary.faults.contains_key(JUDGE_INVALID))
        .count();
    if invalid > 0 {
        remarks.push(format!(
            "In {invalid} of {n} episodes the judge could not be read on at least one turn."
        ));
    }
    if is_sweep {
        remarks.push("The headline is over all budgets together; the study shows each.".to_owned());
    }
    remarks
}
