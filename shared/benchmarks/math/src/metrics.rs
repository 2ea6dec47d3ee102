//! The numbers of episodes, runs, and of an interactive and a direct run side by side (specification 3.d).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnwise_core::effect::Reply;
use turnwise_core::episode::CallId;
use turnwise_core::metrics::metric::Metric;
use turnwise_core::metrics::paired::{self, paired};
use turnwise_core::metrics::proportion::{Cluster, clustered, wilson};
use turnwise_core::metrics::report::{
    BudgetPlot, Column, Curve, EqualBudget, Figure, Plot, Point, Report, Table, TableRow, Twin,
    Unit,
};
use turnwise_core::metrics::summary::{Measured, Summary};
use turnwise_core::note::{Note, TurnKind};
use turnwise_core::python;
use turnwise_core::screen::number::shown;
use turnwise_core::seat::{Player, Seat};
use turnwise_core::spec::{BadSpec, Profile, Spec};
use turnwise_core::transcript::{Event, Origin, Request, Transcript};

use crate::bots::UNDECIDED;
use crate::grading::{By, JUDGE_ERROR, JUDGE_FAILED, Verdict};
use crate::numbers::{ACCURACY, ALL_TOKENS, ESTIMATE, GAP, METRICS, OUTPUT_TOKENS};
use crate::protocol::ending;
use crate::settings::{Mode, Settings};

/// What is counted in one episode.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Episode {
    /// Whether it was solved within its rounds; absent while that cannot be said.
    pub solved: Option<bool>,
    /// The same with the free final answer.
    pub with_final: Option<bool>,
    /// Rounds until it was solved, else all of them. The final answer is not counted.
    pub rounds: u32,
    pub questions: u32,
    pub guesses: u32,
    /// Free final answers that could be read.
    #[serde(default)]
    pub finals: u32,
    pub format_errors: u32,
    /// Verdicts by who decided.
    pub by: BTreeMap<By, u32>,
    /// Answers that the rules left undecided, and the default grader took as wrong.
    #[serde(default)]
    pub undecided: u32,
    /// The authors' estimate of the player's tokens: visible characters / 4.
    pub estimate: u64,
    /// The player's tokens in each round: read and written, written, and as estimated. The free final answer counts to the last round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spent: Vec<[u64; 3]>,
}

impl Episode {
    /// Counts the player's tokens to a round; an episode of one answer has no rounds.
    fn spend(&mut self, round: u32, settings: Settings, tokens: [u64; 3]) {
        if settings.mode == Mode::Direct {
            return;
        }
        let round = round.clamp(1, settings.rounds) as usize;
        if self.spent.len() < round {
            self.spent.resize(round, [0; 3]);
        }
        for (sum, tokens) in self.spent[round - 1].iter_mut().zip(tokens) {
            *sum += tokens;
        }
    }
}

/// The authors' estimate for one text: none if it is blank, else a quarter of its characters, rounded up.
pub fn estimate(text: &str) -> u64 {
    (python::strip(text).chars().count() as u64).div_ceil(4)
}

/// Measures an episode from its transcripts.
pub fn measure(play: &Transcript, grading: Option<&Transcript>) -> Measured {
    let settings = Settings::of(&play.header.spec).unwrap_or_default();
    let profile = play.header.spec.profile;
    let mut episode = Episode::default();
    let mut is_open = false;
    // An imported episode has no calls: what was said stands in its notes.
    let is_imported = play.header.origin == Origin::Imported;
    let mut turns = Vec::new();
    for note in play.notes() {
        match note {
            Note::Turn(turn) => {
                turns.push(turn);
                if is_imported {
                    let estimate = estimate(turn.reading.extracted.as_deref().unwrap_or_default());
                    episode.estimate += estimate;
                    episode.spend(turn.round, settings, [0, 0, estimate]);
                }
                let is_free = turn.round > settings.rounds && settings.mode != Mode::Direct;
                match turn.kind {
                    TurnKind::Answer if is_free => episode.finals += 1,
                    TurnKind::Ask => episode.questions += 1,
                    TurnKind::Answer => episode.guesses += 1,
                    _ => episode.format_errors += 1,
                }
                if !is_free {
                    episode.rounds = turn.round;
                }
            }
            Note::Event { name, detail } if name == "verdict" => {
                is_open |= count(&mut episode, detail)
            }
            _ => {}
        }
    }
    for note in grading.into_iter().flat_map(Transcript::notes) {
        if let Note::Event { name, detail } = note
            && name == "verdict"
        {
            count(&mut episode, detail);
        }
    }
    let player = Seat::new(Seat::PLAYER);
    let mut rounds: Vec<(CallId, u32)> = turns.iter().map(|turn| (turn.call, turn.round)).collect();
    rounds.sort_unstable();
    for event in play.events.iter().flatten() {
        if let Event::Asked { call, request: Request::Ask { seat, .. } } = event
            && *seat == player
            && let Some(Reply::Said(said)) = play.reply(*call)
        {
            let estimate = estimate(said.text.as_deref().unwrap_or_default());
            episode.estimate += estimate;
            // A reply that was no turn was asked for again.
            let at = rounds.partition_point(|(turn, _)| turn < call);
            if let Some((_, round)) = rounds.get(at).or(rounds.last()) {
                let tokens = [said.usage.tokens(), said.usage.output.unwrap_or(0), estimate];
                episode.spend(*round, settings, tokens);
            }
        }
    }
    let grader = Seat::new(Seat::GRADER);
    for transcript in [Some(play), grading].into_iter().flatten() {
        let sitting = transcript.header.spec.seats.get(&grader);
        if sitting.is_none_or(|sitting| sitting.player != Player::Bot("rules".to_owned())) {
            continue;
        }
        let is_undecided = |event: &&Event| match event {
            Event::Asked { call, request: Request::Ask { seat, .. } } if *seat == grader => {
                match transcript.reply(*call) {
                    Some(Reply::Said(said)) => {
                        said.text.as_deref().is_some_and(|text| text.starts_with(UNDECIDED))
                    }
                    _ => false,
                }
            }
            _ => false,
        };
        episode.undecided += transcript.events.iter().flatten().filter(is_undecided).count() as u32;
    }
    let outcome = play.outcome().filter(|outcome| outcome.is_complete());
    let graded =
        grading.and_then(Transcript::outcome).and_then(|outcome| match outcome.ending.as_str() {
            JUDGE_ERROR | JUDGE_FAILED => Some(false),
            _ => outcome.verdict().map(|verdict| verdict == "correct"),
        });
    if let Some(outcome) = outcome {
        let is_solved = outcome.ending == ending::SOLVED;
        let final_verdict: Option<Verdict> = outcome
            .result
            .get("final")
            .and_then(|verdict| serde_json::from_value(verdict.clone()).ok());
        let has_answer = outcome.result.get("answer").is_some_and(|answer| !answer.is_null());
        // A guess that nobody could check leaves an episode open, unless another guess solved it.
        let within = if is_solved || !is_open { Some(is_solved) } else { None };
        (episode.solved, episode.with_final) = match (settings.mode, profile) {
            _ if outcome.ending == ending::PLAYER_ERROR
                || (settings.mode == Mode::Direct && !has_answer) =>
            {
                (Some(false), Some(false))
            }
            (Mode::Direct, _) => (graded, graded),
            // No answer was given that could be graded.
            (_, Profile::Reference)
                if outcome.ending == turnwise_core::episode::Outcome::CONTEXT =>
            {
                (within, within)
            }
            (_, Profile::Reference) => (within, graded),
            (_, Profile::Strict) => {
                let by_final = final_verdict.and_then(|verdict| verdict.right);
                (within, if by_final == Some(true) { Some(true) } else { within })
            }
        };
    }
    let headline = match profile {
        Profile::Strict => episode.solved,
        // For the authors the last verdict on the returned answer is all that counts.
        Profile::Reference => episode.with_final,
    };
    Measured {
        score: headline.map(|right| f64::from(u8::from(right))),
        answer: outcome
            .and_then(|outcome| Some(outcome.result.get("answer")?.as_str()?.to_owned())),
        numbers: turnwise_core::metrics::figures::Figures::of(&episode),
        ..Measured::default()
    }
}

/// Counts a verdict; whether the grader could not be read.
fn count(episode: &mut Episode, detail: &Value) -> bool {
    let Ok(verdict) = serde_json::from_value::<Verdict>(detail.clone()) else {
        return false;
    };
    *episode.by.entry(verdict.by).or_default() += 1;
    verdict.right.is_none()
}

/// An episode's summary and what this benchmark counted in it.
struct Row<'a> {
    summary: &'a Summary,
    episode: Episode,
}

impl Row<'_> {
    fn task(&self) -> String {
        self.summary.task.digest.to_string()
    }

    fn is_right(&self) -> Option<bool> {
        self.summary.score.map(|score| score > 0.5)
    }

    /// The player's tokens as they are counted in a currency.
    fn tokens(&self, currency: Currency) -> Option<f64> {
        let usage = self.summary.usage.get(Seat::PLAYER);
        let counted = usage.filter(|usage| usage.counted > 0);
        match currency {
            Currency::All => counted.map(|usage| usage.tokens() as f64),
            Currency::Output => counted.map(|usage| usage.output as f64),
            Currency::Estimate => Some(self.episode.estimate as f64),
        }
    }

    /// The player's tokens until the end of a round; `None` where they were not counted, or not by rounds.
    fn tokens_until(&self, round: u32, currency: Currency) -> Option<f64> {
        self.tokens(currency)?;
        let spent = &self.episode.spent;
        let sum: u64 = spent.iter().take(round as usize).map(|one| one[currency as usize]).sum();
        (!spent.is_empty()).then_some(sum as f64)
    }

    /// Whether it was solved until the end of a round; `None` while that cannot be said.
    fn solved_by(&self, round: u32) -> Option<bool> {
        self.episode.solved.map(|solved| solved && self.episode.rounds <= round)
    }
}

fn rows<'a>(episodes: impl IntoIterator<Item = &'a Summary>) -> Vec<Row<'a>> {
    let rows = episodes.into_iter().map(|summary| Row {
        summary,
        episode: summary.measured.numbers.read().unwrap_or_default(),
    });
    rows.collect()
}

/// In what a budget is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Currency {
    /// Tokens read and written, as the service counted them.
    All,
    /// Tokens written, reasoning included.
    Output,
    /// The authors' estimate: visible characters of the player / 4.
    Estimate,
}

impl Currency {
    pub const ALL: [Currency; 3] = [Currency::All, Currency::Output, Currency::Estimate];

    fn metric(self) -> &'static Metric {
        match self {
            Currency::All => &ALL_TOKENS,
            Currency::Output => &OUTPUT_TOKENS,
            Currency::Estimate => &ESTIMATE,
        }
    }

    fn key(self) -> &'static str {
        match self {
            Currency::All => "all_tokens",
            Currency::Output => "output_tokens",
            Currency::Estimate => "characters_4",
        }
    }
}

/// How many samples use as many tokens as an interactive episode: the k for which k times the mean of a sample is nearest. At a tie
/// the smaller k, as an argmin taken from below has it; `reference` rounds half to even, as the code does.
pub fn matched_k(ratio: f64, profile: Profile) -> u32 {
    let rounded = match profile {
        Profile::Strict => (ratio - 0.5).ceil(),
        Profile::Reference => ratio.round_ties_even(),
    };
    // A ratio that is not defined is no ratio: 1.
    rounded.clamp(1.0, f64::from(u32::MAX)).max(1.0) as u32
}

/// pass@k without bias, from `n` samples of which `right` are right: 1 − C(n − right, k) / C(n, k).
pub fn pass_at(k: usize, n: usize, right: usize) -> Option<f64> {
    if k == 0 || k > n || right > n {
        return None;
    }
    let missed = (0..k).map(|i| (n - right).saturating_sub(i) as f64 / (n - i) as f64);
    Some(1.0 - missed.product::<f64>())
}

fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// A share with its interval; repeats of a problem are drawn together.
#[derive(Clone, Copy, Serialize)]
struct Share {
    n: usize,
    value: Option<f64>,
    interval: Option<(f64, f64)>,
}

impl Share {
    fn of(rows: &[Row<'_>], verdict: impl Fn(&Row<'_>) -> Option<bool>) -> Self {
        let mut tasks: BTreeMap<String, Cluster> = BTreeMap::new();
        for (row, right) in rows.iter().filter_map(|row| Some((row, verdict(row)?))) {
            let cluster = tasks.entry(row.task()).or_insert(Cluster { successes: 0, n: 0 });
            cluster.n += 1;
            cluster.successes += u64::from(right);
        }
        let clusters: Vec<Cluster> = tasks.into_values().collect();
        let n = clusters.iter().map(|cluster| cluster.n).sum::<u64>();
        let right = clusters.iter().map(|cluster| cluster.successes).sum::<u64>();
        Share {
            n: usize::try_from(n).unwrap_or(usize::MAX),
            value: (n > 0).then(|| right as f64 / n as f64),
            interval: clustered(&clusters).map(|interval| (interval.low, interval.high)),
        }
    }
}

/// Samples of every problem in the order of their repeats, by problem; `None` without a score.
fn sampled(rows: &[Row<'_>]) -> BTreeMap<String, BTreeMap<u32, Option<bool>>> {
    let mut all: BTreeMap<String, BTreeMap<u32, Option<bool>>> = BTreeMap::new();
    for row in rows {
        all.entry(row.task()).or_default().insert(row.summary.repeat, row.is_right());
    }
    all
}

/// The problems of which all samples have a score.
fn samples(rows: &[Row<'_>]) -> BTreeMap<String, Vec<bool>> {
    let whole = |(task, samples): (String, BTreeMap<u32, Option<bool>>)| {
        Some((task, samples.into_values().collect::<Option<Vec<bool>>>()?))
    };
    sampled(rows).into_iter().filter_map(whole).collect()
}

/// Whether one of the first k samples is right; `None` if there are fewer, or that hangs on one without a score.
fn passes(samples: &BTreeMap<u32, Option<bool>>, k: u32) -> Option<bool> {
    let first: Vec<Option<bool>> =
        samples.values().take(usize::try_from(k).ok()?).copied().collect();
    match first.contains(&Some(true)) {
        _ if u32::try_from(first.len()) != Ok(k) => None,
        true => Some(true),
        false => (!first.contains(&None)).then_some(false),
    }
}

/// The numbers of a run.
pub fn report(spec: &Spec, episodes: &[&Summary]) -> Report {
    let settings = Settings::of(spec).unwrap_or_default();
    let rows = rows(episodes.iter().copied());
    let accuracy = Share::of(&rows, |row| row.is_right());
    let within = Share::of(&rows, |row| row.episode.solved);
    let with_final = Share::of(&rows, |row| row.episode.with_final);
    let solved = rows.iter().filter(|row| row.is_right() == Some(true));
    let average_rounds = mean(&solved.map(|row| f64::from(row.episode.rounds)).collect::<Vec<_>>());
    let sum =
        |count: &dyn Fn(&Row<'_>) -> u32| rows.iter().map(|row| u64::from(count(row))).sum::<u64>();
    let flag = |name: &str| sum(&|row| row.summary.flags.get(name).copied().unwrap_or(0));
    let [questions, guesses, finals, errors] = [
        sum(&|row| row.episode.questions),
        sum(&|row| row.episode.guesses),
        sum(&|row| row.episode.finals),
        sum(&|row| row.episode.format_errors),
    ];
    let by: BTreeMap<By, u64> = [By::Text, By::Rule, By::Grader]
        .map(|who| (who, sum(&|row| row.episode.by.get(&who).copied().unwrap_or(0))))
        .into();
    let undecided = sum(&|row| row.episode.undecided);
    let part = |some: u64, all: u64| (all > 0).then(|| some as f64 / all as f64);
    let tokens = Currency::ALL.map(|currency| {
        let counts: Option<Vec<f64>> = rows.iter().map(|row| row.tokens(currency)).collect();
        (currency, counts.and_then(|counts| mean(&counts)))
    });
    let curve = pass_curve(&samples(&rows));

    let decided_share: BTreeMap<By, Option<f64>> =
        by.iter().map(|(who, some)| (*who, part(*some, by.values().sum()))).collect();
    let record = json!({
        "schema": "turnwise-math-metrics/1",
        "benchmark": spec.benchmark,
        "profile": spec.profile,
        "mode": settings.mode,
        "rounds": settings.rounds,
        "n": rows.len(),
        "scored": accuracy.n,
        "accuracy": accuracy.value,
        "accuracy_interval": accuracy.interval,
        "solved_within_rounds": within,
        "with_final": with_final,
        "average_rounds": average_rounds,
        "decided_by": by,
        "decided_share": decided_share,
        "undecided": undecided,
        "questions": questions,
        "guesses": guesses,
        "format_errors": errors,
        "format_error_rate": part(errors, questions + guesses + finals + errors),
        "judge_invalid": flag("judge_invalid"),
        "grader_invalid": flag("grader_invalid"),
        "tokens_per_episode": tokens.map(|(currency, mean)| (currency.key(), mean)).into_iter().collect::<BTreeMap<_, _>>(),
        "pass_at_k": curve,
    });
    let is_direct = settings.mode == Mode::Direct;
    let [headline, groups @ ..] = METRICS else {
        return Report::default();
    };
    let mut report = Report {
        headline: headline.figures(&record),
        groups: groups.iter().map(|group| group.group(&record)).collect(),
        plots: match is_direct {
            true => (!curve.is_empty()).then(|| pass_plot(&curve)),
            false => solved_plot(&rows, settings.rounds),
        }
        .into_iter()
        .collect(),
        twin: (settings.mode == Mode::Interactive).then(|| twin(&rows)).flatten(),
        record,
        ..Report::default()
    };
    if is_direct {
        report.headline.retain(|figure| figure.key == ACCURACY.key);
    }
    if undecided > 0 {
        report.remarks.push(format!(
            "{undecided} of {} answers were left undecided by the rules and count as wrong: the grader bot:rules accepts only what is \
             proven. A model as grader would read them.",
            by.values().sum::<u64>()
        ));
    }
    report
}

/// The share of episodes that were solved until the end of each round.
fn solved_plot(rows: &[Row<'_>], rounds: u32) -> Option<Plot> {
    let points: Vec<Point> = (1..=rounds)
        .filter_map(|round| {
            let share = Share::of(rows, |row| row.solved_by(round));
            Some(Point { x: f64::from(round), y: share.value?, interval: share.interval, n: None })
        })
        .collect();
    (points.len() > 1).then(|| Plot {
        title: "Solved by round t".to_owned(),
        about: "Share of episodes in which a guess was right until the end of round t, without the free final answer.".to_owned(),
        x: Column::new("round t", Unit::Count, "Questions and guesses."),
        y: Column::new("solved", Unit::Fraction, "Share of episodes."),
        curves: vec![Curve {
            name: "solved".to_owned(),
            points,
        }],
    })
}

/// A direct run that costs about as much: the first turn of an episode reads and writes about as much as one answer.
fn twin(rows: &[Row<'_>]) -> Option<Twin> {
    let ratio = Currency::ALL.into_iter().find_map(|currency| {
        let both =
            rows.iter().map(|row| Some((row.tokens(currency)?, row.tokens_until(1, currency)?)));
        let (all, first): (Vec<f64>, Vec<f64>) =
            both.collect::<Option<Vec<_>>>()?.into_iter().unzip();
        let (all, first) = (mean(&all)?, mean(&first)?);
        (first > 0.0).then(|| all / first)
    })?;
    Some(Twin {
        name: "direct twin".to_owned(),
        about: "The same player answers each problem at once, as many times as the tokens of this run pay for.".to_owned(),
        settings: serde_json::Map::from_iter([("mode".to_owned(), json!(Mode::Direct))]),
        repeats: matched_k(ratio, Profile::Strict).min(MOST_SAMPLES),
    })
}

/// The most answers of a twin to one problem.
const MOST_SAMPLES: u32 = 100;

/// pass@k for one k.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct PassAt {
    k: u32,
    /// Share of problems of which one of the first k samples is right: the authors' number.
    first: f64,
    first_interval: Option<(f64, f64)>,
    /// The mean of the estimate without bias, from all samples; its interval inverts the sign-flip test over problems.
    unbiased: f64,
    unbiased_interval: Option<(f64, f64)>,
}

/// pass@k for every k that each problem has samples for.
fn pass_curve(samples: &BTreeMap<String, Vec<bool>>) -> Vec<PassAt> {
    let most = samples.values().map(Vec::len).min().unwrap_or(0);
    let pass = |k: usize| {
        let first = samples.values().filter(|one| one[..k].contains(&true)).count();
        let interval = wilson(first as u64, samples.len() as u64)?;
        let estimate = |(cluster, one): (&'_ String, &Vec<bool>)| {
            let right = one.iter().filter(|right| **right).count();
            let estimate = pass_at(k, one.len(), right)?;
            Some((cluster.clone(), estimate))
        };
        let estimates: Vec<(String, f64)> = samples.iter().map(estimate).collect::<Option<_>>()?;
        let against_zero =
            estimates.iter().map(|(cluster, one)| paired::Task { cluster, one: *one, other: 0.0 });
        let unbiased = paired(&against_zero.collect::<Vec<_>>())?;
        Some(PassAt {
            k: u32::try_from(k).ok()?,
            first: first as f64 / samples.len() as f64,
            first_interval: Some((interval.low, interval.high)),
            unbiased: unbiased.difference,
            unbiased_interval: unbiased.interval,
        })
    };
    (1..=most).filter_map(pass).collect()
}

fn pass_plot(curve: &[PassAt]) -> Plot {
    let point = |k: u32, y: f64, interval: Option<(f64, f64)>| Point {
        x: f64::from(k),
        y,
        interval,
        n: None,
    };
    let first = curve.iter().map(|one| point(one.k, one.first, one.first_interval));
    let unbiased = curve.iter().map(|one| point(one.k, one.unbiased, one.unbiased_interval));
    let curve = |name: &str, points: Vec<Point>| Curve { name: name.to_owned(), points };
    Plot {
        title: "pass@k".to_owned(),
        about: "Share of problems with a right answer among k samples.".to_owned(),
        x: Column::new("k", Unit::Count, "Samples."),
        y: Column::new("pass@k", Unit::Fraction, "Share of problems."),
        curves: vec![
            curve("first k samples", first.collect()),
            curve("unbiased", unbiased.collect()),
        ],
    }
}

/// One currency of a match.
#[derive(Debug, Clone, Serialize)]
struct Matched {
    currency: Currency,
    /// Mean tokens of an interactive episode and of one sample, over the problems of both runs.
    interactive: Option<f64>,
    sample: Option<f64>,
    ratio: Option<f64>,
    k: u32,
    /// Problems behind the means.
    problems: usize,
    /// Problems behind pass@k and gap: those with a verdict on both sides.
    compared: usize,
    /// pass@k: the first k samples; absent if there are fewer.
    pass: Option<f64>,
    /// Accuracy less pass@k.
    gap: Option<f64>,
    gap_interval: Option<(f64, f64)>,
}

/// Compares interactive or guess-only runs with a direct run of the same player, at equal budgets; `None` without both.
///
/// # Errors
/// If the players differ, or several runs are direct.
pub fn compare(runs: &[(&Spec, &[Summary])]) -> Result<Option<Report>, BadSpec> {
    let mut arms: [Vec<(&Spec, &[Summary], Settings)>; 2] = Default::default();
    for (spec, summaries) in runs {
        let settings = Settings::of(spec)?;
        arms[usize::from(settings.mode == Mode::Direct)].push((*spec, *summaries, settings));
    }
    let [others, direct] = arms;
    let (direct, direct_rows) = match &direct[..] {
        [(spec, summaries, _)] if !others.is_empty() => (*spec, rows(*summaries)),
        [] | [_] => return Ok(None),
        _ => {
            return Err(BadSpec::new(
                "settings.mode",
                "two of the runs are direct; compare with one of them",
            ));
        }
    };
    let sitting = |spec: &Spec| spec.seats.get(&Seat::new(Seat::PLAYER)).cloned();
    let player = |spec: &Spec| sitting(spec).map(|sitting| sitting.player.to_string());
    let mut report = Report::default();
    let mut records = Vec::new();
    for (spec, summaries, settings) in others {
        if player(spec) != player(direct) {
            let problem = "the runs have different players; budgets are matched for one player";
            return Err(BadSpec::new("seats.player", problem));
        }
        let name = if settings.mode == Mode::GuessOnly { "guess only" } else { "interactive" };
        let arm_rows = rows(summaries);
        let matched = match_budgets(&arm_rows, &direct_rows, spec.profile);
        for one in &matched {
            let label = one.currency.metric().label;
            if one.pass.is_none() && one.ratio.is_some() {
                let remark = format!(
                    "{name}, {label}: run direct with {} repeats to compare at equal budgets.",
                    one.k
                );
                report.remarks.push(remark);
            }
            if one.pass.is_some() && one.compared < one.problems {
                let remark = format!(
                    "{name}, {label}: pass@{} and gap are over {} of {} problems; of the others a verdict is missing. Tokens are \
                     over all.",
                    one.k, one.compared, one.problems
                );
                report.remarks.push(remark);
            }
            report.headline.push(Figure {
                key: format!("{name} {}", one.currency.key()),
                label: format!("{name} − pass@{}, by {label}", one.k),
                interval: one.gap_interval,
                ..GAP.of(one.gap)
            });
        }
        let arm = Arm { name, rows: first_of(&arm_rows), rounds: settings.rounds };
        if let Some(matched) = matched.iter().find(|one| one.ratio.is_some()) {
            report.verdicts.push(verdict(name, matched, direct.repeats));
            report.budgets.extend(budget_plot(&arm, &direct_rows, matched));
        }
        report.tables.push(table(name, &matched));
        records.push(json!({ "mode": name, "rounds": settings.rounds, "currencies": matched }));
        report.remarks.push(match sitting(spec) == sitting(direct) {
            true => format!("{name}: both arms sample the player alike."),
            false => format!("{name}: the arms sample the player differently, so the gap is not that of the budget alone."),
        });
    }
    report.record =
        json!({ "schema": "turnwise-math-match/1", "player": player(direct), "runs": records });
    Ok(Some(report))
}

/// The first repeat of each problem.
fn first_of<'a, 'b>(rows: &'b [Row<'a>]) -> BTreeMap<String, &'b Row<'a>> {
    let mut first: BTreeMap<String, &Row<'_>> = BTreeMap::new();
    for row in rows {
        let kept = first.entry(row.task()).or_insert(row);
        if row.summary.repeat < kept.summary.repeat {
            *kept = row;
        }
    }
    first
}

/// Which is better at an equal budget, in a sentence; or how many samples it takes to say.
fn verdict(name: &str, matched: &Matched, samples: u32) -> String {
    let pass = format!("pass@{}", matched.k);
    let at = format!("At the same budget ({})", matched.currency.metric().label);
    let Some(gap) = matched.gap else {
        return format!(
            "{at} nothing can be said yet: it pays for {} direct answers a problem, and the direct run has {samples}.",
            matched.k
        );
    };
    let is_turned = gap < 0.0;
    let (better, worse) = if is_turned { (pass.as_str(), name) } else { (name, pass.as_str()) };
    let interval =
        matched.gap_interval.map(|(low, high)| if is_turned { (-high, -low) } else { (low, high) });
    let by = shown(Some(gap.abs()), interval, Unit::Points);
    let plain = |number: &str| number.replace('+', "");
    let range = by.range.as_deref().map(|range| format!(" (95 % interval {})", plain(range)));
    let by = format!("{} points{}", plain(&by.value), range.unwrap_or_default());
    match interval {
        _ if gap == 0.0 => format!("{at}, {name} and {pass} are equally good on average."),
        Some((low, _)) if low > 0.0 => format!("{at}, {better} is better than {worse} by {by}."),
        _ => {
            format!("{at}, {name} and {pass} cannot be told apart yet: {better} is ahead by {by}.")
        }
    }
}

/// A run that asks or guesses.
struct Arm<'a, 'b> {
    name: &'a str,
    rows: BTreeMap<String, &'b Row<'b>>,
    rounds: u32,
}

/// What tokens buy: rounds of the one run, answers of the other, over the problems that both have.
fn budget_plot(arm: &Arm<'_, '_>, direct: &[Row<'_>], matched: &Matched) -> Option<BudgetPlot> {
    let (currency, spent, sample) = (matched.currency, matched.interactive?, matched.sample?);
    let mut samples = samples(direct);
    samples.retain(|task, _| arm.rows.contains_key(task));
    let common: Vec<&Row<'_>> = arm
        .rows
        .iter()
        .filter(|(task, _)| samples.contains_key(*task))
        .map(|(_, row)| *row)
        .collect();
    let point = |x: f64, successes: usize, n: usize| {
        let interval = wilson(successes as u64, n as u64)?;
        Some(Point {
            x,
            y: successes as f64 / n as f64,
            interval: Some((interval.low, interval.high)),
            n: None,
        })
    };
    let reached = |round: u32| {
        let tokens: Option<Vec<f64>> =
            common.iter().map(|row| row.tokens_until(round, currency)).collect();
        let solved: Vec<bool> = common.iter().filter_map(|row| row.solved_by(round)).collect();
        point(mean(&tokens?)?, solved.iter().filter(|solved| **solved).count(), solved.len())
    };
    let mut steps: Vec<Point> = (1..=arm.rounds).filter_map(reached).collect();
    // Rounds that nobody plays any more cost and bring nothing.
    steps.dedup_by(|later, kept| later.x == kept.x);
    if steps.is_empty() {
        let right: Vec<bool> = common.iter().filter_map(|row| row.is_right()).collect();
        steps.extend(point(spent, right.iter().filter(|right| **right).count(), right.len()));
    }
    let passes = pass_curve(&samples).into_iter().map(|one| Point {
        x: f64::from(one.k) * sample,
        y: one.first,
        interval: one.first_interval,
        n: None,
    });
    let curve = |name: String, points: Vec<Point>| Curve { name, points };
    let equal = matched.pass.zip(matched.gap).map(|(pass, gap)| EqualBudget {
        name: format!("{} − pass@{}", arm.name, matched.k),
        x: spent,
        one: pass + gap,
        other: pass,
        interval: matched.gap_interval,
    });
    Some(BudgetPlot {
        plot: Plot {
            title: format!("What tokens buy: {} and pass@k", arm.name),
            about: format!(
                "Steps: rounds of the {} run, by what the player had spent on a problem until their end. Line: 1, 2, … direct answers.",
                arm.name
            ),
            x: Column::new(
                format!("{} a problem", currency.metric().label),
                Unit::Tokens,
                "Mean tokens of the player.",
            ),
            y: Column::new("solved", Unit::Fraction, "Share of problems."),
            curves: vec![
                curve(arm.name.to_owned(), steps),
                curve("pass@k".to_owned(), passes.collect()),
            ],
        },
        steps: vec![0],
        equal: equal.into_iter().collect(),
    })
}

/// Matches budgets over the problems that both runs have; the first repeat of an interactive run counts.
fn match_budgets(interactive: &[Row<'_>], direct: &[Row<'_>], profile: Profile) -> Vec<Matched> {
    let samples = sampled(direct);
    let first = first_of(interactive);
    let match_one = |currency: Currency| {
        let tokens = |(id, row): (&String, &&Row<'_>)| {
            let of_task = direct.iter().filter(|other| other.task() == *id);
            let tokens: Option<Vec<f64>> = of_task.map(|other| other.tokens(currency)).collect();
            Some((row.tokens(currency)?, mean(&tokens?)?))
        };
        let (of_episodes, of_samples): (Vec<f64>, Vec<f64>) =
            first.iter().filter_map(tokens).unzip();
        let (interactive, sample) = (mean(&of_episodes), mean(&of_samples));
        let ratio =
            interactive.zip(sample.filter(|sample| *sample > 0.0)).map(|(one, other)| one / other);
        let k = ratio.map_or(1, |ratio| matched_k(ratio, profile));
        let pair = |(cluster, samples): (&'_ String, &BTreeMap<u32, Option<bool>>)| {
            let passed = passes(samples, k)?;
            let right = first.get(cluster)?.summary.score?;
            Some((cluster.clone(), right, f64::from(u8::from(passed))))
        };
        let pairs: Vec<(String, f64, f64)> = samples.iter().filter_map(pair).collect();
        let tasks = pairs.iter().map(|(cluster, one, other)| paired::Task {
            cluster,
            one: *one,
            other: *other,
        });
        let gap = paired(&tasks.collect::<Vec<_>>());
        Matched {
            currency,
            interactive,
            sample,
            ratio,
            k,
            problems: of_episodes.len(),
            compared: pairs.len(),
            pass: mean(&pairs.iter().map(|pair| pair.2).collect::<Vec<_>>()),
            gap: gap.as_ref().map(|gap| gap.difference),
            gap_interval: gap.and_then(|gap| gap.interval),
        }
    };
    Currency::ALL.map(match_one).into()
}

fn table(name: &str, matched: &[Matched]) -> Table {
    let row = |one: &Matched| TableRow {
        name: one.currency.metric().label.to_owned(),
        n: u32::try_from(if one.pass.is_some() { one.compared } else { one.problems })
            .unwrap_or(u32::MAX),
        cells: vec![
            one.interactive,
            one.sample,
            one.ratio,
            Some(f64::from(one.k)),
            one.pass,
            one.gap,
        ],
    };
    Table {
        title: format!("Equal budgets: {name} and pass@k"),
        about: "n counts problems. The prompt of an interactive episode grows with every turn, so k is larger when all tokens are counted."
            .to_owned(),
        by: "budget in".to_owned(),
        columns: vec![
            Column::new(name, Unit::Tokens, "Mean tokens of the player in an episode."),
            Column::new("one sample", Unit::Tokens, "Mean tokens of the player in a direct answer."),
            Column::new("ratio", Unit::Number, "The first over the second."),
            Column::new("k", Unit::Count, "Samples of the same budget."),
            Column::new("pass@k", Unit::Fraction, "Share of problems with a right answer among the first k samples."),
            Column::new("gap", Unit::Points, "Accuracy less pass@k."),
        ],
        rows: matched.iter().map(row).collect(),
    }
}
