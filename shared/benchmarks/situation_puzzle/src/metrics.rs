//! The numbers of a run (specification 1.d), from transcripts and summaries only.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnwise_core::kit::turns::turns;
use turnwise_core::metrics::figures::Figures;
use turnwise_core::metrics::proportion::{Cluster, clustered};
use turnwise_core::metrics::report::{
    Breakdown, BreakdownRow, Column, Curve, Figure, MeasureOptions, Plot, Point, Report, Study,
    Table, TableRow, Unit,
};
use turnwise_core::metrics::spread::Spread;
use turnwise_core::metrics::summary::{Measured, Summary};
use turnwise_core::metrics::times;
use turnwise_core::spec::{Profile, Spec};
use turnwise_core::transcript::Transcript;

use crate::check::HEARD;
use crate::numbers::{ACCURACY, DEVIATION, METRICS, TURNS, WITH_FINAL, WITHIN_BUDGET};
use crate::protocol::{ending, submitted, token};
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
    /// The turn of the correct final answer; beyond the budget it is the forced final.
    pub solved_at: Option<u32>,
    /// Turns with a final answer on which the judge could not be read.
    pub undecided: Vec<u32>,
    pub questions: u32,
    pub finals: u32,
    pub wrong_finals: u32,
    /// By class.
    pub format_errors: BTreeMap<String, u32>,
    /// The judge's answers to questions, by token.
    pub answers: BTreeMap<String, u32>,
    /// Turns that no reply of the judge decided.
    pub judge_invalid: u32,
}

impl Numbers {
    fn of(play: &Transcript) -> Self {
        let header = &play.header;
        let mut numbers = Numbers {
            budget: Settings::at(&header.spec, &header.task.labels)
                .map_or(0, |settings| settings.turns()),
            ..Numbers::default()
        };
        for taken in turns(play) {
            numbers.turns = taken.turn.index;
            if let Some(fault) = &taken.turn.reading.fault {
                *numbers.format_errors.entry(fault.class.clone()).or_default() += 1;
            }
            let (Some(kind), Some(_)) = (submitted(&taken), taken.came) else {
                continue;
            };
            match kind {
                Kind::Question => numbers.questions += 1,
                Kind::Final | Kind::ForcedFinal => numbers.finals += 1,
            }
            match token(&taken) {
                None => {
                    numbers.judge_invalid += 1;
                    let is_final = kind != Kind::Question;
                    numbers.undecided.extend(is_final.then_some(taken.turn.index));
                }
                Some(Token::Correct) => numbers.solved_at = Some(taken.turn.index),
                Some(Token::Incorrect) => numbers.wrong_finals += 1,
                Some(token) => *numbers.answers.entry(token.name().to_owned()).or_default() += 1,
            }
        }
        numbers
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
    fn within_budget(&self) -> Option<bool> {
        self.solved_by(self.budget.max(1))
    }

    /// Whether the forced final, or any action before it, solved it.
    fn with_final(&self) -> Option<bool> {
        self.solved_by(self.budget + 1)
    }

    fn solved(&self, profile: Profile) -> Option<bool> {
        match profile {
            Profile::Strict => self.within_budget(),
            Profile::Reference => self.with_final(),
        }
    }
}

/// Measures one episode.
pub fn measure(play: &Transcript) -> Measured {
    let numbers = Numbers::of(play);
    let outcome = play.outcome().filter(|outcome| outcome.is_complete());
    let answer = outcome.and_then(|outcome| outcome.result["answer"].as_str());
    // Where the judge alone was heard nothing could be solved.
    let played = outcome.filter(|outcome| outcome.ending != HEARD);
    let solved = played.and_then(|_| numbers.solved(play.header.spec.profile));
    Measured {
        score: solved.map(|solved| if solved { 1.0 } else { 0.0 }),
        answer: answer.filter(|answer| !answer.is_empty()).map(str::to_owned),
        numbers: Figures::of(&numbers),
        ..Measured::default()
    }
}

/// One episode as a report needs it.
struct Played<'a> {
    summary: &'a Summary,
    /// The puzzle: in a sweep the same at every value.
    puzzle: String,
    numbers: Numbers,
}

impl Played<'_> {
    fn is_solved(&self) -> Option<bool> {
        self.summary.score.map(|score| score >= 0.5)
    }

    /// Whether nobody played, and the judge alone was heard.
    fn was_heard(&self) -> bool {
        self.summary.ending.as_deref() == Some(HEARD)
    }
}

/// A share of episodes with its 95% interval.
struct Share {
    n: u64,
    of: u64,
    mean: Option<f64>,
    interval: Option<(f64, f64)>,
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
                let puzzle = puzzles.entry(&row.puzzle).or_insert(Cluster { successes: 0, n: 0 });
                puzzle.successes += u64::from(holds);
                puzzle.n += 1;
            }
        }
        let puzzles: Vec<Cluster> = puzzles.into_values().collect();
        let n = puzzles.iter().map(|puzzle| puzzle.successes).sum();
        let of = puzzles.iter().map(|puzzle| puzzle.n).sum();
        Share {
            n,
            of,
            mean: ratio(n, of),
            interval: clustered(&puzzles).map(|interval| (interval.low, interval.high)),
        }
    }

    fn point(&self, x: u32) -> Option<Point> {
        Some(Point {
            x: f64::from(x),
            y: self.mean?,
            interval: self.interval,
            n: Some(self.count()),
        })
    }

    fn count(&self) -> u32 {
        u32::try_from(self.of).unwrap_or(u32::MAX)
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Some episodes of one run.
struct Part<'a> {
    rows: Vec<Played<'a>>,
    profile: Profile,
}

impl<'a> Part<'a> {
    fn of(spec: &Spec, episodes: impl IntoIterator<Item = &'a Summary>) -> Self {
        let points = settings::points(spec);
        let row = |summary: &'a Summary| {
            let id = &summary.task.id;
            let original = points.iter().find_map(|point| point.original(id));
            Played {
                summary,
                puzzle: original.unwrap_or(&id.0).to_owned(),
                // Of an episode that another version measured nothing is known.
                numbers: summary.measured.numbers.read().unwrap_or_default(),
            }
        };
        Part { rows: episodes.into_iter().map(row).collect(), profile: spec.profile }
    }

    fn accuracy(&self) -> Share {
        Share::of(&self.rows, |row| row.is_solved())
    }

    /// Over the episodes that have ended.
    fn solved(&self, solved: impl Fn(&Numbers) -> Option<bool>) -> Share {
        Share::of(&self.rows, |row| solved(&row.numbers).filter(|_| row.summary.complete))
    }

    /// Mean recorded turns of the episodes that `solved` counts.
    fn average_turns(&self, solved: impl Fn(&Numbers) -> Option<bool>) -> Option<f64> {
        let rows = self.rows.iter().filter(|row| row.summary.complete);
        let solved = rows.filter(|row| solved(&row.numbers) == Some(true));
        let turns: Vec<u64> = solved.map(|row| u64::from(row.numbers.turns)).collect();
        ratio(turns.iter().sum(), turns.len() as u64)
    }

    fn sum(&self, of: impl Fn(&Numbers) -> u32) -> u64 {
        self.rows.iter().map(|row| u64::from(of(&row.numbers))).sum()
    }

    fn by_name(&self, of: impl Fn(&Played<'_>) -> BTreeMap<String, u32>) -> BTreeMap<String, u32> {
        let mut sums = BTreeMap::new();
        for (name, count) in self.rows.iter().flat_map(of) {
            *sums.entry(name).or_default() += count;
        }
        sums
    }

    /// Standard deviation of the accuracies of the repeats; `None` for one.
    fn deviation(&self) -> Option<f64> {
        let mut repeats: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for row in &self.rows {
            repeats.entry(row.summary.repeat).or_default().extend(row.summary.score);
        }
        let means = repeats.values().filter_map(|scores| Some(Spread::of(scores)?.mean));
        Spread::of(&means.collect::<Vec<_>>())?.deviation
    }

    fn record(&self) -> Value {
        let (accuracy, n) = (self.accuracy(), self.rows.len() as u64);
        let within = self.solved(Numbers::within_budget);
        let with_final = self.solved(Numbers::with_final);
        let open = n - accuracy.of;
        let finals = self.sum(|numbers| numbers.finals);
        let unread = self.sum(|numbers| u32::try_from(numbers.undecided.len()).unwrap_or(u32::MAX));
        let questions = self.sum(|numbers| numbers.questions);
        let format_errors = self.by_name(|row| row.numbers.format_errors.clone());
        let errors = format_errors.values().map(|count| u64::from(*count)).sum();
        json!({
            "n": n,
            "scored": accuracy.of,
            "rankable": open == 0 && n > 0,
            "accuracy": accuracy.mean,
            "accuracy_std": self.deviation(),
            "accuracy_interval": accuracy.interval,
            "accuracy_bounds": ratio(accuracy.n, n).zip(ratio(accuracy.n + open, n)),
            "accuracy_within_budget": within.mean,
            "accuracy_within_budget_interval": within.interval,
            "accuracy_with_final": with_final.mean,
            "accuracy_with_final_interval": with_final.interval,
            "average_turns": self.average_turns(|numbers| numbers.solved(self.profile)),
            "average_turns_within_budget": self.average_turns(Numbers::within_budget),
            "average_turns_with_final": self.average_turns(Numbers::with_final),
            "questions": ratio(questions, n),
            "finals": ratio(finals, n),
            "wrong_finals": ratio(self.sum(|numbers| numbers.wrong_finals), finals - unread),
            "format_error_rate": ratio(errors, self.sum(|numbers| numbers.turns)),
            "format_errors": format_errors,
            "judge_answers": self.by_name(|row| row.numbers.answers.clone()),
            "judge_invalid_rate": ratio(self.sum(|numbers| numbers.judge_invalid), questions + finals),
            "flags": self.by_name(|row| row.summary.flags.clone()),
            "outcomes": self.by_name(|row| {
                let ending = row.summary.ending.as_deref().unwrap_or("unfinished");
                BTreeMap::from([(ending.to_owned(), 1)])
            }),
        })
    }

    /// Solved by turn t, for every t of the episodes with the largest budget that have ended. A final answer on which the judge could
    /// not be read solved nothing, and the game went on: the same episodes are behind every point. `None` where nothing may be asked.
    fn prefix_curve(&self) -> Option<(u32, Curve)> {
        let budgets = self.rows.iter().map(|row| row.numbers.budget);
        let budget = budgets.max().filter(|budget| *budget > 0)?;
        let is_longest = |row: &&Played<'_>| {
            row.numbers.budget == budget && row.summary.complete && !row.was_heard()
        };
        let longest: Vec<&Played<'_>> = self.rows.iter().filter(is_longest).collect();
        let points = (1..=budget).filter_map(|turn| {
            let is_solved = |row: &Played<'_>| row.numbers.solved_by(turn).or(Some(false));
            Share::of(longest.iter().copied(), is_solved).point(turn)
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
    let part = Part::of(spec, episodes.iter().copied());
    let mut record = part.record();
    let prefix = part.prefix_curve();
    record["schema"] = json!(SCHEMA);
    record["benchmark"] = json!(spec.benchmark);
    record["profile"] = json!(spec.profile);
    record["mode"] = spec.settings["mode"].clone();
    record["spec_hash"] = json!(spec.digest());
    record["times"] = times::record(&options.times);
    record["prefix_curve"] = json!(prefix.as_ref().map(|(_, curve)| &curve.points));
    let study = study(spec, episodes, &part);
    if let Some((_, sweep)) = &study {
        record["swept"] = json!(ROUNDS);
        record["sweep"] = sweep.clone();
    }
    let plot = |(budget, curve)| Plot {
        title: "Solved by turn t".to_owned(),
        about: format!(
            "The prefix curve of the {budget}-turn episodes. It is not a sweep: a player that is told of fewer turns plays \
             differently."
        ),
        x: Column::new("turn", Unit::Count, "The turn of the correct final answer."),
        y: Column::new(
            "solved",
            Unit::Fraction,
            "Share of the puzzles that a final answer had solved by then; one that the judge left unread has not.",
        ),
        curves: vec![curve],
    };
    let report = Report {
        headline: headline(spec, &record),
        breakdowns: vec![by_language(&part)],
        plots: prefix.map(plot).into_iter().collect(),
        tables: times::table(&options.times).into_iter().collect(),
        remarks: remarks(&record),
        study: study.map(|(study, _)| study),
        record,
        ..Report::default()
    };
    match report.study {
        Some(_) => report.by_value(&ACCURACY, |turns| format!("{turns} turns")),
        None => report,
    }
}

fn headline(spec: &Spec, record: &Value) -> Vec<Figure> {
    // The other reading of "solved" stands beside the headline.
    let other = match (spec.profile, spec.settings["mode"] == json!(Mode::Direct)) {
        (_, true) => None,
        (Profile::Strict, _) => Some(WITH_FINAL),
        (Profile::Reference, _) => Some(WITHIN_BUDGET),
    };
    let is_shown = |figure: &Figure| match figure.key.as_str() {
        key if [WITH_FINAL.key, WITHIN_BUDGET.key].contains(&key) => {
            other.is_some_and(|other| other.key == key)
        }
        key => key != DEVIATION.key || figure.value.is_some(),
    };
    let all = METRICS.iter().flat_map(|section| section.figures(record));
    all.filter(is_shown).collect()
}

fn by_language(part: &Part<'_>) -> Breakdown {
    let language = |row: &Played<'_>| row.summary.task.labels.get(LANGUAGE).cloned();
    let languages: std::collections::BTreeSet<String> =
        part.rows.iter().filter_map(language).collect();
    let row = |value: String| {
        let share = Share::of(&part.rows, |row| {
            row.is_solved().filter(|_| language(row).as_ref() == Some(&value))
        });
        BreakdownRow { n: share.count(), score: share.mean, interval: share.interval, value }
    };
    Breakdown { by: LANGUAGE.to_owned(), rows: languages.into_iter().map(row).collect() }
}

/// The budget sweep: the same puzzles with each number of turns, and the prefix curve of the longest beside it.
fn study(spec: &Spec, episodes: &[&Summary], whole: &Part<'_>) -> Option<(Study, Value)> {
    let mut values: Vec<u32> = settings::points(spec).iter().map(|point| point.value).collect();
    values.sort_unstable();
    let (mut points, mut rows, mut records) = (Vec::new(), Vec::new(), Vec::new());
    for value in &values {
        let label = value.to_string();
        let there = episodes.iter().copied();
        let part =
            Part::of(spec, there.filter(|summary| summary.task.labels.get(ROUNDS) == Some(&label)));
        let accuracy = part.accuracy();
        points.extend(accuracy.point(*value));
        rows.push(TableRow {
            name: label,
            n: accuracy.count(),
            cells: vec![
                accuracy.mean,
                accuracy.interval.map(|interval| interval.0),
                accuracy.interval.map(|interval| interval.1),
                part.solved(Numbers::with_final).mean,
                part.average_turns(|numbers| numbers.solved(spec.profile)),
            ],
        });
        let mut record = part.record();
        record[ROUNDS] = json!(value);
        records.push(record);
    }
    let runs = Curve { name: "runs at each budget".to_owned(), points };
    let accuracy =
        Column::new("accuracy", Unit::Fraction, "Share of the puzzles that were solved.");
    let study = Study {
        title: "Budget sweep".to_owned(),
        about: "The same puzzles with more and more turns: does a player that may ask more solve more?".to_owned(),
        plots: vec![Plot {
            title: "Accuracy against budget".to_owned(),
            about: "Every budget is a run of its own, because the prompt names it; the prefix curve is cut from the longest."
                .to_owned(),
            x: Column::new("turns", Unit::Count, "How many turns the player has."),
            y: accuracy.clone(),
            curves: std::iter::once(runs).chain(whole.prefix_curve().map(|(_, curve)| curve)).collect(),
        }],
        published: Vec::new(),
        published_about: "The paper draws accuracy over 5 to 20 turns; the values of that figure are not available.".to_owned(),
        table: Table {
            title: "By budget".to_owned(),
            about: "Intervals are 95%.".to_owned(),
            by: "turns".to_owned(),
            columns: vec![
                accuracy,
                Column::new("from", Unit::Fraction, "Lower end of the interval."),
                Column::new("to", Unit::Fraction, "Upper end of the interval."),
                Column::new("with forced final", Unit::Fraction, WITH_FINAL.about),
                Column::new("turns of solved", Unit::Count, TURNS.about),
            ],
            rows,
        },
    };
    (!values.is_empty()).then(|| (study, json!(records)))
}

fn remarks(record: &Value) -> Vec<String> {
    let count = |value: &Value| value.as_u64().unwrap_or(0);
    let n = count(&record["n"]);
    let mut remarks = Vec::new();
    let errors = count(&record["outcomes"][ending::ERROR]);
    if errors > 0 {
        remarks.push(format!(
            "{errors} of {n} episodes ended because a seat said nothing nine times; they count as unsolved. The authors' \
             program stops the run there."
        ));
    }
    remarks
}
