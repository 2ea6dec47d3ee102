//! The numbers of a run (specification 2.d), from transcripts and summaries only.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use turnwise_core::kit::swept::Swept;
use turnwise_core::kit::turns::turns;
use turnwise_core::metrics::bootstrap::{clusters, interval};
use turnwise_core::metrics::number::counted;
use turnwise_core::metrics::report::Study;
use turnwise_core::metrics::scored::{self, extended};
use turnwise_core::metrics::spread::{mean, ratio};
use turnwise_core::prelude::*;

use crate::grading;
use crate::likeness::Likeness;
use crate::numbers::{DESIGN2CODE, GAIN, LIKENESS, METRICS, MISSING_HTML, MISSING_QUESTION, TOTAL};
use crate::protocol::{ending, flag};
use crate::reading::{MEASURES, PARTS};
use crate::settings::{ROUNDS, Settings};

turnwise_core::captions! { "report.toml" }

type Scored<'a> = scored::Scored<'a, Numbers>;

const RESAMPLES: u32 = 2_000;
const SEED: u64 = 1;

/// The numbers of one episode.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    /// Rounds that the player had; the final page is none.
    pub rounds: u32,
    pub messages: u32,
    /// Those of a round without a question that counts.
    pub missing_question: u32,
    pub missing_html: u32,
    pub unrenderable: u32,
    /// Rounds in which the judge was asked.
    pub questions: u32,
    pub judge_invalid: u32,
    /// Rounds whose answer was `invalid`, by number.
    pub invalid: Vec<u32>,
    /// The sub-scores, in the order of [`PARTS`]; absent while there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<[u8; 5]>,
    /// Absent where there was nothing to measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub likeness: Option<Likeness>,
    /// Whether the scorer could not be read.
    #[serde(default)]
    pub score_failed: bool,
}

impl Numbers {
    fn of(play: &Transcript, grading: Option<&Transcript>) -> Self {
        let header = &play.header;
        let settings = Settings::at(&header.spec, &header.task.labels).unwrap_or_default();
        let mut numbers = Numbers::default();
        for taken in turns(play) {
            let applied = &taken.turn.reading.applied;
            if taken.turn.seat.as_str() != Seat::PLAYER {
                continue;
            }
            numbers.messages += 1;
            numbers.missing_html += u32::from(applied["html"].is_null());
            if taken.turn.round > settings.rounds {
                continue;
            }
            numbers.rounds += 1;
            let is_missing = applied["question"].is_null();
            numbers.missing_question += u32::from(is_missing);
            numbers.questions += u32::from(!is_missing);
            if taken.came.is_some_and(|came| came.word == "invalid") {
                numbers.invalid.push(taken.turn.round);
            }
        }
        for note in play.notes() {
            if let Note::Flag { name, .. } = note {
                numbers.judge_invalid += u32::from(name == flag::JUDGE_INVALID);
                numbers.unrenderable += u32::from(name == flag::UNRENDERABLE);
            }
        }
        if let Some(outcome) = grading.and_then(Transcript::outcome) {
            let part = |name| u8::try_from(outcome.result["scores"][name].as_u64()?).ok();
            let [layout, component, style, text, polish] = PARTS.map(part);
            numbers.scores = (|| Some([layout?, component?, style?, text?, polish?]))();
            numbers.likeness = Likeness::deserialize(&outcome.result["likeness"]).ok();
            numbers.score_failed = outcome.ending == grading::SCORE_FAILED;
        }
        numbers
    }

    fn total(&self) -> Option<f64> {
        Some(self.scores?.iter().map(|points| f64::from(*points)).sum())
    }
}

/// Measures one episode. Its score is the total, 0 to 1.
pub fn measure(play: &Transcript, grading: Option<&Transcript>) -> Measured {
    let mut numbers = Numbers::of(play, grading);
    let outcome = play.outcome();
    if outcome.is_some_and(|outcome| outcome.ending == Outcome::CONTEXT) {
        // The player outgrew its window and has no final page.
        numbers.scores = Some([0; 5]);
    }
    let described = outcome.filter(|outcome| outcome.ending == ending::DESCRIBED);
    let answer = described.and_then(|outcome| outcome.text("description")).map(str::to_owned);
    Measured::of(numbers.total().map(|total| total / 100.0), answer, &numbers)
}

/// A mean over episodes as a member of a record, with its interval: repeats of a task count together.
fn put(
    record: &mut Map<String, Value>,
    name: &str,
    scored: &Scored<'_>,
    number: impl Fn(&Numbers) -> Option<f64>,
) {
    let known = || {
        let plays = scored.plays.iter();
        plays.filter_map(|play| Some((play.task.as_str(), number(&play.numbers)?)))
    };
    record.insert(name.to_owned(), json!(mean(known().map(|(_, number)| number))));
    let found = interval(&clusters(known()), RESAMPLES, SEED);
    record.insert(format!("{name}_interval"), json!(found));
}

fn record(scored: &Scored<'_>) -> Value {
    let mut record = Map::new();
    put(&mut record, TOTAL.key, scored, Numbers::total);
    put(&mut record, LIKENESS.key, scored, |numbers| Some(numbers.likeness?.likeness));
    let mut scores = Map::new();
    for (at, part) in PARTS.into_iter().enumerate() {
        put(&mut scores, part, scored, |numbers| Some(numbers.scores?[at].into()));
    }
    let mut design2code = Map::new();
    for name in &MEASURES[1..] {
        let number = |numbers: &Numbers| json!(numbers.likeness?)[*name].as_f64();
        put(&mut design2code, name, scored, number);
    }
    let (n, rounds) = (scored.n(), scored.sum(|numbers| numbers.rounds));
    let messages = scored.sum(|numbers| numbers.messages);
    let questions = scored.sum(|numbers| numbers.questions);
    let graded = scored.plays.iter().filter(|play| play.numbers.scores.is_some()).count();
    let graded = saturated(graded);
    let failed = scored.sum(|numbers| numbers.score_failed.into());
    let rates = json!({
        "n": n,
        "scored": graded,
        "rankable": graded == n && n > 0,
        "scores": scores,
        "design2code": design2code,
        "missing_question_rate": ratio(scored.sum(|numbers| numbers.missing_question), rounds),
        "missing_html_rate": ratio(scored.sum(|numbers| numbers.missing_html), messages),
        "unrenderable_rate": ratio(scored.sum(|numbers| numbers.unrenderable), messages),
        "judge_invalid_rate": ratio(scored.sum(|numbers| numbers.judge_invalid), questions),
        "score_failed": ratio(failed, failed + u64::from(graded)),
        "questions": ratio(questions, n),
        "flags": scored.counts(|play| &play.summary.flags),
        "outcomes": scored.counts(|play| [(play.ending(), &1)]),
    });
    extended(record.into(), rates)
}

/// The numbers of a run. Rates are fractions; `n` counts every episode that is given.
pub fn report(spec: &Spec, episodes: &[&Summary]) -> Report {
    let points = Settings::SCHEMA.points(&spec.settings);
    let scored = Scored::of_sweep(episodes, &points);
    let mut record = record(&scored);
    // Only a sweep has one.
    record["gain"] = Value::Null;
    let plots = invalid_by_round(&scored).into_iter().collect();
    if points.is_empty() {
        return Report { plots, ..Report::of(METRICS, record) };
    }
    let parts = scored.by_value(ROUNDS);
    let sweep: Vec<Value> = parts
        .iter()
        .map(|(rounds, part)| extended(self::record(part), json!({ ROUNDS: rounds })))
        .collect();
    if let Some(total) = gain(&parts, Numbers::total) {
        record["gain"] = total["value"].clone();
        record["gain_interval"] = total["interval"].clone();
    }
    record["gain_in_likeness"] = json!(gain(&parts, |numbers| Some(numbers.likeness?.likeness)));
    record["swept"] = json!(ROUNDS);
    record["sweep"] = json!(sweep);
    let study = Some(study(&sweep));
    let report = Report { plots, study, ..Report::of(METRICS, record) };
    report.by_value(&TOTAL, |rounds| counted(rounds, "round", "rounds"))
}

/// The mean difference of a number between the most rounds and one (or the fewest), over the tasks that have both, with its
/// interval over tasks: repeats of a task are averaged first. `None` where no task has both.
fn gain(
    parts: &BTreeMap<u32, Scored<'_>>,
    number: impl Fn(&Numbers) -> Option<f64>,
) -> Option<Value> {
    let by_task = |part: &Scored<'_>| -> BTreeMap<String, f64> {
        let tasks = part.parts(|play| Some(play.task.clone()));
        let mean = |part: &Scored<'_>| part.mean(|play| number(&play.numbers));
        tasks.iter().filter_map(|(task, part)| Some((task.clone(), mean(part)?))).collect()
    };
    let (most, last) = parts.last_key_value()?;
    let (from, first) = match parts.get_key_value(&1).filter(|(one, _)| *one < most) {
        Some(one) => one,
        None => parts.first_key_value().filter(|(fewest, _)| *fewest < most)?,
    };
    let (before, after) = (by_task(first), by_task(last));
    let gains: Vec<(&str, f64)> = after
        .iter()
        .filter_map(|(task, after)| Some((task.as_str(), after - before.get(task)?)))
        .collect();
    let value = mean(gains.iter().map(|(_, gain)| *gain))?;
    let found = interval(&clusters(gains.iter().copied()), RESAMPLES, SEED);
    Some(json!({ "value": value, "interval": found, "n": gains.len(), "from": from, "to": most }))
}

/// In which share of the episodes each round was answered `invalid`.
fn invalid_by_round(scored: &Scored<'_>) -> Option<Plot> {
    let rounds = scored.plays.iter().map(|play| play.numbers.rounds).max()?;
    let points = (1..=rounds).filter_map(|round| {
        let invalid =
            |numbers: &Numbers| (numbers.rounds >= round).then(|| numbers.invalid.contains(&round));
        scored.share(|play| invalid(&play.numbers)).point(round)
    });
    (rounds > 0).then(|| caption("invalid").plot([Curve::new("this run", points)]))
}

/// The sweep: the same pages with each number of rounds.
fn study(sweep: &[Value]) -> Study {
    let swept = Swept { setting: ROUNDS, records: sweep };
    let totals = std::iter::once(&TOTAL).chain(crate::numbers::PARTS.iter().copied());
    let likeness = std::iter::once(&LIKENESS).chain(DESIGN2CODE.iter().copied());
    let plot = |name: &str, of: &Metric, drawn: Vec<&Metric>| {
        let mut caption = caption(name);
        caption.columns.push(of.column());
        caption.plot(drawn.into_iter().map(|metric| swept.curve(metric.label, metric)))
    };
    let plots = vec![
        plot("scores", &TOTAL, totals.collect()),
        plot("likeness", &LIKENESS, likeness.collect()),
    ];
    let columns = [&TOTAL, &LIKENESS, &MISSING_QUESTION, &MISSING_HTML];
    let columns = columns.map(|metric| (metric.key, metric.column()));
    Study {
        title: "Rounds".to_owned(),
        about: format!("The same pages with more and more rounds. {}", GAIN.about),
        plots,
        published: Vec::new(),
        published_about: "The paper's values are not available.".to_owned(),
        table: swept.table("By rounds", "", "rounds", &columns),
    }
}
