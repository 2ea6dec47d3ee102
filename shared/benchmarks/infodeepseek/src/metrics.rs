//! The numbers of a run, from transcripts and summaries only.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use turnwise_core::archive::missed;
use turnwise_core::kit::swept::Swept;
use turnwise_core::kit::turns::turns;
use turnwise_core::metrics::report::{Breakdown, Caption, Study};
use turnwise_core::metrics::scored::{self, extended};
use turnwise_core::metrics::spread::ratio;
use turnwise_core::prelude::*;
use turnwise_core::task::label_values;
use turnwise_core::transcript::Request;

use crate::grading::{RIGHT, WRONG};
use crate::numbers::{ACCURACY, IA, METRICS};
use crate::protocol::{flag, stopped};
use crate::published;
use crate::scores::{Numbers as Found, Question, score_intervals, scores};
use crate::settings::{ANSWERER, JUDGE, Mode, READER, SECOND, STEPS, Settings};
use crate::tasks::{ATTRIBUTES, label};

turnwise_core::captions! { "report.toml" }

type Scored<'a> = scored::Scored<'a, Numbers>;

/// What is counted in an episode.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Numbers {
    /// From the first k pages; `None` where no verdict was reached.
    pub pages: Vec<Option<bool>>,
    pub conclusion: Option<bool>,
    /// Absent where the player was not asked.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub offline: Option<Option<bool>>,
    pub is_graded: bool,
    pub stopped: String,
    /// Replies with a plan or a ranking, and those that could not be read.
    pub plans: u32,
    pub bad_plans: u32,
    /// Planned steps, and those with no such tool or without an argument.
    pub steps: u32,
    pub bad_steps: u32,
    pub repeated: u32,
    pub searches: u32,
    pub opened: u32,
    pub failed_tools: u32,
    pub frozen_misses: u32,
    /// Searches that an archive's index answered, because no earlier run had made them.
    pub index_searches: u32,
    pub unseen: u32,
    /// Answers that differ, those that both judges could be read on, those on which they agree, and those without a verdict.
    pub judged: [u32; 4],
}

/// A member that is null is there.
fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Option<bool>>, D::Error> {
    Deserialize::deserialize(from).map(Some)
}

fn whole(value: &Value) -> u32 {
    value.as_u64().and_then(|count| u32::try_from(count).ok()).unwrap_or_default()
}

impl Numbers {
    fn of(play: &Transcript, grading: Option<&Transcript>) -> Self {
        let mut numbers = Numbers { index_searches: missed(play).searches, ..Numbers::default() };
        for taken in turns(play).into_iter().filter(|one| one.turn.seat.as_str() == Seat::PLAYER) {
            let applied = &taken.turn.reading.applied;
            let Some(steps) = applied.as_array() else {
                numbers.bad_plans += u32::from(
                    taken.turn.kind == TurnKind::Invalid && taken.turn.reading.fault.is_some(),
                );
                continue;
            };
            numbers.plans += 1;
            for step in steps.iter().filter(|step| step["tool"].is_string()) {
                numbers.steps += 1;
                numbers.bad_steps += u32::from(step["fault"].is_string());
            }
        }
        numbers.plans += numbers.bad_plans;
        for event in play.events.iter().flatten() {
            match event {
                Event::Asked { request: Request::Search(_), .. } => numbers.searches += 1,
                Event::Asked { request: Request::Use(_), .. } => numbers.opened += 1,
                Event::Noted(Note::Flag { name, .. }) => match name.as_str() {
                    flag::REPEATED => numbers.repeated += 1,
                    flag::TOOL_FAILED => numbers.failed_tools += 1,
                    flag::FROZEN_MISS => numbers.frozen_misses += 1,
                    flag::UNSEEN => numbers.unseen += 1,
                    _ => {}
                },
                _ => {}
            }
        }
        if let Some(outcome) = play.outcome() {
            outcome.text("stopped").unwrap_or_default().clone_into(&mut numbers.stopped);
        }
        let graded = grading.and_then(Transcript::outcome).filter(|outcome| outcome.is_complete());
        if let Some(Outcome { result, .. }) = graded {
            let verdicts = &result["verdicts"];
            let pages = verdicts["pages"].as_array().into_iter().flatten();
            numbers.pages = pages.map(Value::as_bool).collect();
            numbers.conclusion = verdicts["conclusion"].as_bool();
            numbers.offline = verdicts.get("offline").map(Value::as_bool);
            numbers.is_graded = true;
            let judges = &result["judges"];
            numbers.judged =
                ["candidates", "both", "agree", "unresolved"].map(|name| whole(&judges[name]));
        }
        numbers
    }
}

/// Measures one episode: 1 if the player's answer from everything that it found is right.
pub fn measure(play: &Transcript, grading: Option<&Transcript>) -> Measured {
    let numbers = Numbers::of(play, grading);
    let outcome = play.outcome();
    let verdict = grading.and_then(Transcript::outcome).and_then(Outcome::verdict);
    let score = match verdict {
        Some(RIGHT) => Some(1.0),
        Some(WRONG) => Some(0.0),
        // The player outgrew its window and has no answer.
        _ if outcome.is_some_and(|outcome| outcome.ending == Outcome::CONTEXT) => Some(0.0),
        _ => None,
    };
    let answer = outcome.and_then(|outcome| outcome.text("conclusion")).map(str::to_owned);
    Measured::of(score, answer, &numbers)
}

/// The questions of some episodes, each with the name under which its repeats count together.
fn questions<'a>(scored: &'a Scored<'_>) -> Vec<(&'a str, Question)> {
    let question = |play: &'a scored::Play<'_, Numbers>| {
        let numbers = &play.numbers;
        let question = Question {
            pages: numbers.pages.clone(),
            conclusion: numbers.conclusion,
            offline: numbers.offline,
            sources: play.label(label::SOURCES).and_then(|count| count.parse().ok()).unwrap_or(0),
            is_missing: !numbers.is_graded,
        };
        (play.task.as_str(), question)
    };
    scored.plays.iter().map(|play| question(play)).collect()
}

/// The record of some episodes.
fn record(scored: &Scored<'_>, settings: &Settings, profile: Profile) -> Value {
    let questions = questions(scored);
    let most = usize::try_from(settings.pages).unwrap_or(1);
    let found = scores(questions.iter().map(|(_, question)| question), most, profile);
    let within =
        score_intervals(questions.iter().map(|(task, question)| (*task, question)), most, profile);
    let has_evidence = settings.mode == Mode::Agent;
    let evidence = |number: Option<f64>| number.filter(|_| has_evidence);
    let Found { accuracy, offline, answers, eeu, ic, ic_answered, interference } = found;
    let numbers = [
        ("accuracy", accuracy, within.accuracy),
        ("offline_accuracy", offline, within.offline),
        ("eeu", evidence(eeu), within.eeu),
        ("ic", evidence(ic), within.ic),
        ("ic_answered", evidence(ic_answered), within.ic_answered),
        ("interference", interference, within.interference),
    ];
    let mut record = Map::new();
    let mut ia = Map::new();
    for (name, number, interval) in numbers {
        record.insert(name.to_owned(), json!(number));
        record.insert(format!("{name}_interval"), json!(interval.filter(|_| number.is_some())));
    }
    for (at, number) in answers.iter().enumerate().take(most.max(IA.len())) {
        let is_one = has_evidence && at < most;
        let (number, interval) = if is_one { (*number, within.answers[at]) } else { (None, None) };
        ia.insert((at + 1).to_string(), json!({ "value": number, "interval": interval }));
    }
    let attributes = |has: bool| -> Map<String, Value> {
        let share = |title: &str| json!(accuracy_where(scored, label::ATTRIBUTES, title, has));
        ATTRIBUTES.iter().map(|(name, _, title)| ((*name).to_owned(), share(title))).collect()
    };
    let best = answers[..most].iter().flatten().copied().reduce(f64::max);
    let known = |right: fn(&Question) -> Option<bool>| {
        let known = questions.iter().filter(|(_, question)| right(question) == Some(true));
        saturated(known.count())
    };
    let n = scored.n();
    let graded = scored.plays.iter().filter(|play| play.summary.score.is_some()).count();
    let [candidates, both, agree, unresolved] =
        [0, 1, 2, 3].map(|at: usize| scored.sum(|numbers| numbers.judged[at]));
    let ranked = scored.plays.iter().map(|play| play.numbers.pages.len() as u64).sum::<u64>();
    let per_question = |count: u64| evidence(ratio(count, n));
    let sum = |count: fn(&Numbers) -> u32| scored.sum(count);
    let used = sum(|numbers| numbers.searches) + sum(|numbers| numbers.opened);
    let done = scored.plays.iter().filter(|play| play.numbers.stopped == stopped::DONE).count();
    let rates = json!({
        "n": n,
        "scored": graded,
        "rankable": graded == scored.plays.len() && n > 0,
        "ia": ia,
        "attributes": attributes(true),
        "without_attributes": attributes(false),
        "best_ia": evidence(best),
        "right_offline": known(|question| question.offline.flatten()),
        "ranked_pages": per_question(ranked),
        "unseen_rate": ratio(sum(|numbers| numbers.unseen), ranked.try_into().unwrap_or(u32::MAX)),
        "searches": ratio(sum(|numbers| numbers.searches), n),
        "opened_pages": per_question(sum(|numbers| numbers.opened)),
        "repeated_rate": ratio(sum(|numbers| numbers.repeated), sum(|numbers| numbers.steps)),
        "bad_plan_rate": ratio(sum(|numbers| numbers.bad_plans), sum(|numbers| numbers.plans)),
        "bad_step_rate": ratio(sum(|numbers| numbers.bad_steps), sum(|numbers| numbers.steps)),
        "failed_tool_rate": ratio(sum(|numbers| numbers.failed_tools), used),
        "frozen_misses": sum(|numbers| numbers.frozen_misses),
        "index_searches": sum(|numbers| numbers.index_searches),
        "done_rate": per_question(done.try_into().unwrap_or(u64::MAX)),
        "judged_answers": candidates,
        "judge_agreement": ratio(agree, both),
        "unresolved": unresolved,
        "outcomes": scored.counts(|play| [(play.ending(), &1)]),
        "stopped": scored.counts(|play| [(play.numbers.stopped.as_str(), &1)]),
        "flags": scored.counts(|play| &play.summary.flags),
    });
    extended(record.into(), rates)
}

/// The numbers of a run. `n` counts every episode that is given, and a question without a verdict is wrong.
pub fn report(spec: &Spec, episodes: &[&Summary]) -> Report {
    let points = Settings::SCHEMA.points(&spec.settings);
    let all = Settings::of(spec).unwrap_or_default();
    let settings = all.first().cloned().unwrap_or_default();
    let scored = Scored::of_sweep(episodes, &points);
    let mut record = record(&scored, &settings, spec.profile);
    record["mode"] = json!(settings.mode);
    record["engine"] = json!(spec.search.as_ref().map(|search| &search.engine));
    let parts = parts(&scored, spec, &settings);
    let breakdown = |(by, parts): &(&str, Vec<(String, Scored<'_>)>)| {
        Breakdown::of(by, parts.iter().map(|(value, part)| (value, accuracy(&part.plays))))
    };
    let breakdowns = parts.iter().map(breakdown).collect();
    let tables = vec![by_part(&parts, &settings, spec.profile), calls(&scored)];
    if points.is_empty() {
        let plots = curve(&record).into_iter().collect();
        return Report { breakdowns, tables, plots, ..Report::of(METRICS, record) };
    }
    let swept = scored.by_value(STEPS);
    let value = |(steps, part): (&u32, &Scored<'_>)| {
        extended(self::record(part, &settings, spec.profile), json!({ STEPS: steps }))
    };
    let sweep: Vec<Value> = swept.iter().map(value).collect();
    record["swept"] = json!(STEPS);
    record["sweep"] = json!(sweep);
    let study = Some(study(&sweep));
    let report = Report { breakdowns, tables, study, ..Report::of(METRICS, record) };
    report.by_value(&ACCURACY, |steps| format!("{steps} steps"))
}

/// Parts of a run, by what they have in common; a question counts in each of its values.
type Parts<'a> = Vec<(&'static str, Vec<(String, Scored<'a>)>)>;

fn parts<'a>(scored: &Scored<'a>, spec: &Spec, settings: &Settings) -> Parts<'a> {
    let labels =
        [label::ATTRIBUTES, label::DOMAIN, label::LANGUAGE, label::SOURCES, label::RESISTS];
    let by_label = labels.map(|name| {
        let mut parts = BTreeMap::<&str, Scored<'a>>::new();
        for play in &scored.plays {
            for value in label_values(play.label(name).unwrap_or_default()) {
                parts.entry(value).or_default().plays.push(Rc::clone(play));
            }
        }
        (name, parts.into_iter().map(|(value, part)| (value.to_owned(), part)).collect())
    });
    let swept = scored.by_value(STEPS);
    let steps = match settings.mode {
        Mode::Agent if swept.is_empty() => vec![(settings.steps.to_string(), scored.clone())],
        _ => swept.into_iter().map(|(steps, part)| (steps.to_string(), part)).collect(),
    };
    let whole = |value: String| vec![(value, scored.clone())];
    let engine = spec.search.as_ref().map(|search| whole(search.engine.clone()));
    let of_the_run = [
        ("engine", engine.unwrap_or_default()),
        (STEPS, steps),
        ("mode", whole(settings.mode.name().to_owned())),
    ];
    let all = by_label.into_iter().chain(of_the_run);
    all.filter(|(_, parts)| !parts.is_empty() && !scored.plays.is_empty()).collect()
}

/// ACC over episodes: one without a verdict is wrong.
fn accuracy<'a>(plays: impl IntoIterator<Item = &'a Rc<scored::Play<'a, Numbers>>>) -> Share {
    let plays = plays.into_iter();
    Share::of(plays.map(|play| (play.task.as_str(), play.right() == Some(true))))
}

/// ACC over the questions that have a value of a label, alone or among others, or over all others.
fn accuracy_where(scored: &Scored<'_>, label: &str, value: &str, has: bool) -> Share {
    accuracy(scored.plays.iter().filter(|play| {
        let values = play.label(label).unwrap_or_default();
        label_values(values).any(|one| one == value) == has
    }))
}

/// The paper's numbers for every part.
fn by_part(parts: &Parts<'_>, settings: &Settings, profile: Profile) -> Table {
    let columns = [
        &ACCURACY,
        IA[0],
        IA[2],
        IA[4],
        &crate::numbers::EEU,
        &crate::numbers::IC,
        &crate::numbers::INTERFERENCE,
    ];
    let most = usize::try_from(settings.pages).unwrap_or(1);
    let row = |by: &str, value: &str, part: &Scored<'_>| {
        let questions = questions(part);
        let found = scores(questions.iter().map(|(_, question)| question), most, profile);
        let Found { accuracy, answers, eeu, ic, interference, .. } = found;
        let evidence = [answers[0], answers[2], answers[4], eeu, ic]
            .map(|number| number.filter(|_| settings.mode == Mode::Agent));
        let cells = [accuracy].into_iter().chain(evidence).chain([interference]);
        TableRow::new(format!("{by}: {value}"), part.n(), cells)
    };
    let rows =
        parts.iter().flat_map(|(by, parts)| parts.iter().map(|(value, part)| row(by, value, part)));
    let columns = columns.map(|metric| metric.column()).into();
    Caption { columns, ..caption("parts") }.table(rows)
}

fn curve(record: &Value) -> Option<Plot> {
    let points = record["ia"].as_object()?.iter().filter_map(|(k, found)| {
        let figure = found["interval"]
            .as_array()
            .and_then(|pair| Some((pair.first()?.as_f64()?, pair.get(1)?.as_f64()?)));
        let point = Point::at(k.parse().ok()?, found["value"].as_f64()?);
        Some(Point { interval: figure, ..point })
    });
    let mut points: Vec<Point> = points.collect();
    points.sort_by(|one, other| one.x.total_cmp(&other.x));
    let mut caption = caption("first_pages");
    caption.columns.push(IA[0].column());
    (!points.is_empty()).then(|| caption.plot([Curve::new("this run", points)]))
}

/// Calls a question by role, beside what the paper counts.
fn calls(scored: &Scored<'_>) -> Table {
    let n = scored.n();
    let per_question = |seats: &[&str]| {
        let calls = scored.plays.iter().flat_map(|play| &play.summary.usage);
        let calls = calls.filter(|(role, _)| seats.contains(&role.as_str()));
        ratio(calls.map(|(_, usage)| u64::from(usage.calls)).sum::<u64>(), n)
    };
    let arbiter = crate::settings::ARBITER;
    let everybody: &[&str] = &[Seat::PLAYER, READER, ANSWERER, JUDGE, SECOND, arbiter];
    let rows = [
        ("player: plans, answer, ranking", &[Seat::PLAYER][..], Some(7.0)),
        ("reader", &[READER], None),
        ("answerer", &[ANSWERER], Some(5.0)),
        ("judges", &[JUDGE, SECOND], Some(12.0)),
        ("arbiter", &[arbiter], None),
        ("together", everybody, Some(36.0)),
    ];
    let rows =
        rows.map(|(name, seats, paper)| TableRow::new(name, n, [per_question(seats), paper]));
    caption("calls").table(rows)
}

fn study(records: &[Value]) -> Study {
    let swept = Swept { setting: STEPS, records };
    let column =
        |key: &'static str, metric: &turnwise_core::metrics::metric::Metric| (key, metric.column());
    let numbers = [
        column("accuracy", &ACCURACY),
        column("ia.1.value", IA[0]),
        column("ia.5.value", IA[4]),
        column("best_ia", &crate::numbers::BEST),
        column("eeu", &crate::numbers::EEU),
        column("ic", &crate::numbers::IC),
    ];
    let plot = |curves: Vec<Curve>| {
        let mut caption = caption("by_steps");
        caption.columns.push(ACCURACY.column());
        Caption { about: ACCURACY.about.to_owned(), ..caption }.plot(curves)
    };
    Study {
        title: "More steps".to_owned(),
        about: "How much does the player gain from more steps?".to_owned(),
        plots: vec![plot(vec![swept.curve("this run", &ACCURACY)])],
        published: vec![plot(published::curves_by_steps())],
        published_about: "Table 10: DuckDuckGo, Chinese, 245 questions, one run each.".to_owned(),
        table: swept.table("By steps", "", STEPS, &numbers),
    }
}
