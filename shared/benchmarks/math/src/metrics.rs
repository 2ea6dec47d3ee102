//! The numbers of episodes and runs (specification 3.d).

mod budgets;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;
use turnwise_core::metrics::paired::{Paired, Task, paired};
use turnwise_core::metrics::report::Twin;
use turnwise_core::metrics::scored::{self, extended};
use turnwise_core::metrics::spread::{mean, ratio};
use turnwise_core::prelude::*;
use turnwise_core::python;
use turnwise_core::transcript::Origin;

use crate::bots::UNDECIDED;
use crate::grading::{By, JUDGE_ERROR, JUDGE_FAILED, Verdict, returned};
use crate::numbers::{ACCURACY, ALL_TOKENS, ESTIMATE, METRICS, OUTPUT_TOKENS};
use crate::protocol::ending;
use crate::settings::{Mode, Settings};

pub use budgets::compare;

turnwise_core::captions! { "metrics/report.toml" }

type Scored<'a> = scored::Scored<'a, Episode>;
type Play<'a> = scored::Play<'a, Episode>;

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
    let settings = Settings::read(&play.header.spec).unwrap_or_default();
    let profile = play.header.spec.profile;
    let mut episode = Episode::default();
    // An imported episode has no calls: what was said stands in its notes.
    let is_imported = play.header.origin == Origin::Imported;
    let mut rounds: Vec<(CallId, u32)> = Vec::new();
    for note in play.notes() {
        let Note::Turn(turn) = note else { continue };
        rounds.push((turn.call, turn.round));
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
    let verdicts: Vec<Verdict> = play.noted("verdict").collect();
    let is_open = verdicts.iter().any(|verdict| verdict.right.is_none());
    let graded = grading.into_iter().flat_map(|grading| grading.noted("verdict"));
    for verdict in verdicts.into_iter().chain(graded) {
        *episode.by.entry(verdict.by).or_default() += 1;
    }
    rounds.sort_unstable();
    for (call, said) in play.said(Seat::PLAYER) {
        let estimate = estimate(said.text.as_deref().unwrap_or_default());
        episode.estimate += estimate;
        // A reply that was no turn was asked for again.
        let at = rounds.partition_point(|(turn, _)| *turn < call);
        if let Some((_, round)) = rounds.get(at).or(rounds.last()) {
            let tokens = [said.usage.tokens(), said.usage.output.unwrap_or(0), estimate];
            episode.spend(*round, settings, tokens);
        }
    }
    for transcript in [Some(play), grading].into_iter().flatten() {
        let sitting = transcript.header.spec.seats.get(&Seat::new(Seat::GRADER));
        if sitting.is_some_and(|sitting| sitting.player == Player::Bot("rules".to_owned())) {
            let texts = transcript.said(Seat::GRADER).filter_map(|(_, said)| said.text.as_deref());
            episode.undecided += texts.filter(|text| text.starts_with(UNDECIDED)).count() as u32;
        }
    }
    let outcome = play.outcome().filter(|outcome| outcome.is_complete());
    let graded =
        grading.and_then(Transcript::outcome).and_then(|outcome| match outcome.ending.as_str() {
            JUDGE_ERROR | JUDGE_FAILED => Some(false),
            _ => outcome.verdict().map(|verdict| verdict == "correct"),
        });
    if let Some(outcome) = outcome {
        let is_solved = outcome.ending == ending::SOLVED;
        let by_final = Verdict::deserialize(&outcome.result["final"]);
        let by_final = by_final.ok().and_then(|verdict| verdict.right);
        let has_answer = !outcome.result["answer"].is_null();
        // A guess that could not be checked leaves an episode open, unless another guess solved it.
        let within = (is_solved || !is_open).then_some(is_solved);
        (episode.solved, episode.with_final) = match (settings.mode, profile) {
            _ if outcome.ending == ending::PLAYER_ERROR
                || (settings.mode == Mode::Direct && !has_answer) =>
            {
                (Some(false), Some(false))
            }
            (Mode::Direct, _) => (graded, graded),
            // No answer was given that could be graded.
            (_, Profile::Reference) if outcome.ending == Outcome::CONTEXT => (within, within),
            (_, Profile::Reference) => (within, graded),
            (_, Profile::Strict) => (within, by_final.filter(|right| *right).or(within)),
        };
    }
    let headline = match profile {
        Profile::Strict => episode.solved,
        // For the authors the last verdict on the returned answer is all that counts.
        Profile::Reference => episode.with_final,
    };
    let answer = outcome.and_then(returned);
    let score = headline.map(f64::from);
    Measured::of(score, answer.map(str::to_owned), &episode)
}

/// Episodes; those of one problem are alike.
fn scored<'a>(episodes: impl IntoIterator<Item = &'a Summary>) -> Scored<'a> {
    Scored::of(episodes, |summary| summary.task.digest.to_string())
}

/// The player's tokens as they are counted in a currency.
fn tokens(play: &Play<'_>, currency: Currency) -> Option<f64> {
    let usage = play.summary.usage.get(Seat::PLAYER);
    let counted = usage.filter(|usage| usage.counted > 0);
    match currency {
        Currency::All => counted.map(|usage| usage.tokens() as f64),
        Currency::Output => counted.map(|usage| usage.output as f64),
        Currency::Estimate => Some(play.numbers.estimate as f64),
    }
}

/// The player's tokens until the end of a round; `None` where they were not counted, or not by rounds.
fn tokens_until(play: &Play<'_>, round: u32, currency: Currency) -> Option<f64> {
    tokens(play, currency)?;
    let spent = &play.numbers.spent;
    let sum: u64 = spent.iter().take(round as usize).map(|one| one[currency as usize]).sum();
    (!spent.is_empty()).then_some(sum as f64)
}

/// Whether it was solved until the end of a round; `None` while that cannot be said.
fn solved_by(play: &Play<'_>, round: u32) -> Option<bool> {
    play.numbers.solved.map(|solved| solved && play.numbers.rounds <= round)
}

/// The mean of numbers of which each is known; else `None`.
fn mean_of_all(numbers: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    mean(numbers.into_iter().collect::<Option<Vec<f64>>>()?)
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
        self.metric().key.trim_start_matches("tokens_per_episode.")
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

/// Episodes by problem and repeat.
type Problems<'b, 'a> = BTreeMap<&'b str, BTreeMap<u32, &'b Play<'a>>>;

fn problems<'b, 'a>(scored: &'b Scored<'a>) -> Problems<'b, 'a> {
    let mut problems = Problems::new();
    for play in &scored.plays {
        problems.entry(&play.task).or_default().insert(play.summary.repeat, play);
    }
    problems
}

/// The problems of which all samples have a score.
fn samples<'b>(problems: &Problems<'b, '_>) -> BTreeMap<&'b str, Vec<bool>> {
    let whole = |(task, plays): (&&'b str, &BTreeMap<u32, &Play<'_>>)| {
        Some((*task, plays.values().map(|play| play.right()).collect::<Option<Vec<bool>>>()?))
    };
    problems.iter().filter_map(whole).collect()
}

/// The numbers of a run.
pub fn report(spec: &Spec, episodes: &[&Summary]) -> Report {
    let settings = Settings::read(spec).unwrap_or_default();
    let scored = scored(episodes.iter().copied());
    let rounds = |play: &Play<'_>| play.right()?.then(|| f64::from(play.numbers.rounds));
    let sum = |count: fn(&Episode) -> u32| scored.sum(count);
    let flag = |name: &str| -> u64 {
        let flags = scored.counts(|play| play.summary.flags.get_key_value(name));
        flags.into_values().sum()
    };
    let errors = sum(|one| one.format_errors);
    let messages = errors + sum(|one| one.questions + one.guesses + one.finals);
    let verdicts = scored.counts(|play| &play.numbers.by);
    let all: u64 = verdicts.values().sum();
    let by =
        [By::Text, By::Rule, By::Grader].map(|who| (who, verdicts.get(&who).copied().unwrap_or(0)));
    let undecided = sum(|one| one.undecided);
    let tokens = Currency::ALL.map(|currency| {
        let mean = mean_of_all(scored.plays.iter().map(|play| tokens(play, currency)));
        (currency.key(), mean)
    });
    let curve = pass_curve(&samples(&problems(&scored)));
    let more = json!({
        "mode": settings.mode,
        "rounds": settings.rounds,
        "solved_within_rounds": scored.share(|play| play.numbers.solved),
        "with_final": scored.share(|play| play.numbers.with_final),
        "average_rounds": scored.mean(rounds),
        "decided_by": BTreeMap::from(by),
        "decided_share": BTreeMap::from(by.map(|(who, some)| (who, ratio(some, all)))),
        "undecided": undecided,
        "questions": sum(|one| one.questions),
        "guesses": sum(|one| one.guesses),
        "format_errors": errors,
        "format_error_rate": ratio(errors, messages),
        "judge_invalid": flag("judge_invalid"),
        "grader_invalid": flag("grader_invalid"),
        "tokens_per_episode": BTreeMap::from(tokens),
        "pass_at_k": curve,
    });
    let is_direct = settings.mode == Mode::Direct;
    let plot = match is_direct {
        true => (!curve.is_empty()).then(|| pass_plot(&curve)),
        false => solved_plot(&scored, settings.rounds),
    };
    let mut report = Report {
        plots: plot.into_iter().collect(),
        twin: (settings.mode == Mode::Interactive).then(|| twin(&scored)).flatten(),
        ..Report::of(METRICS, extended(scored.record(), more))
    };
    if is_direct {
        report.headline.retain(|figure| figure.key == ACCURACY.key);
    }
    if undecided > 0 {
        report.remarks.push(format!(
            "{undecided} of {all} answers were left undecided by the rules and count as wrong: the grader bot:rules accepts only what is \
             proven. A model as grader would read them.",
        ));
    }
    report
}

/// The share of episodes that were solved until the end of each round.
fn solved_plot(scored: &Scored<'_>, rounds: u32) -> Option<Plot> {
    let points = (1..=rounds).filter_map(|round| {
        let point = scored.share(|play| solved_by(play, round)).point(round)?;
        Some(Point { n: None, ..point })
    });
    let curve = Curve::new("solved", points);
    (curve.points.len() > 1).then(|| caption("solved").plot([curve]))
}

/// A direct run that costs about as much: the first turn of an episode reads and writes about as much as one answer.
fn twin(scored: &Scored<'_>) -> Option<Twin> {
    let plays = || scored.plays.iter();
    let ratio = Currency::ALL.into_iter().find_map(|currency| {
        let all = mean_of_all(plays().map(|play| tokens(play, currency)))?;
        let first = mean_of_all(plays().map(|play| tokens_until(play, 1, currency)))?;
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
fn pass_curve(samples: &BTreeMap<&str, Vec<bool>>) -> Vec<PassAt> {
    let most = samples.values().map(Vec::len).min().unwrap_or(0);
    let pass = |k: usize| {
        let first = Share::of(samples.iter().map(|(task, one)| (task, one[..k].contains(&true))));
        let estimates = samples.iter().map(|(task, one)| {
            let right = one.iter().filter(|right| **right).count();
            Some((*task, pass_at(k, one.len(), right)?, 0.0))
        });
        let unbiased = differences(&estimates.collect::<Option<Vec<_>>>()?)?;
        Some(PassAt {
            k: u32::try_from(k).ok()?,
            first: first.value?,
            first_interval: first.interval,
            unbiased: unbiased.difference,
            unbiased_interval: unbiased.interval,
        })
    };
    (1..=most).filter_map(pass).collect()
}

/// The first numbers less the second ones, problem by problem.
fn differences(numbers: &[(&str, f64, f64)]) -> Option<Paired> {
    let tasks = numbers.iter();
    let tasks = tasks.map(|(cluster, one, other)| Task { cluster, one: *one, other: *other });
    paired(&tasks.collect::<Vec<_>>())
}

fn pass_plot(curve: &[PassAt]) -> Plot {
    let point = |one: &PassAt, y: f64, interval: Option<(f64, f64)>| Point {
        interval,
        ..Point::at(one.k.into(), y)
    };
    let first = curve.iter().map(|one| point(one, one.first, one.first_interval));
    let unbiased = curve.iter().map(|one| point(one, one.unbiased, one.unbiased_interval));
    let curves = [Curve::new("first k samples", first), Curve::new("unbiased", unbiased)];
    caption("pass_at_k").plot(curves)
}
