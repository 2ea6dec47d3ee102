//! The numbers of episodes, runs, and of an interactive and a direct run side by side (specification 3.d).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnwise_shared::effect::Reply;
use turnwise_shared::metrics::paired::{self, paired};
use turnwise_shared::metrics::proportion::{Cluster, clustered, wilson};
use turnwise_shared::metrics::report::{
    Column, Curve, Figure, Group, Plot, Point, Report, Table, TableRow, Unit,
};
use turnwise_shared::metrics::summary::{Measured, Summary};
use turnwise_shared::note::{Note, TurnKind};
use turnwise_shared::seat::Seat;
use turnwise_shared::spec::{BadSpec, Profile, Spec};
use turnwise_shared::transcript::{Event, Request, Transcript};

use crate::grading::{By, Verdict};
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
    pub format_errors: u32,
    /// Verdicts by who decided.
    pub by: BTreeMap<By, u32>,
    /// The authors' estimate of the player's tokens: visible characters / 4.
    pub estimate: u64,
}

/// The authors' estimate for one text: none if it is blank, else a quarter of its characters, rounded up.
pub fn estimate(text: &str) -> u64 {
    (text.trim().chars().count() as u64).div_ceil(4)
}

/// Measures an episode from its transcripts.
pub fn measure(play: &Transcript, grading: Option<&Transcript>) -> Measured {
    let settings = Settings::of(&play.header.spec).unwrap_or_default();
    let profile = play.header.spec.profile;
    let mut episode = Episode::default();
    let mut is_open = false;
    for note in play.notes() {
        match note {
            Note::Turn(turn) => {
                let is_free = turn.round > settings.rounds && settings.mode != Mode::Direct;
                match turn.kind {
                    _ if is_free => {}
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
    for event in play.events.iter().flatten() {
        if let Event::Asked {
            call,
            request: Request::Ask { seat, .. },
        } = event
            && *seat == player
            && let Some(Reply::Said(said)) = play.reply(*call)
        {
            episode.estimate += estimate(said.text.as_deref().unwrap_or_default());
        }
    }
    let outcome = play.outcome().filter(|outcome| outcome.is_complete());
    let graded =
        grading
            .and_then(Transcript::outcome)
            .and_then(|outcome| match outcome.ending.as_str() {
                crate::grading::JUDGE_ERROR => Some(false),
                _ => outcome.verdict().map(|verdict| verdict == "correct"),
            });
    if let Some(outcome) = outcome {
        let is_solved = outcome.ending == ending::SOLVED;
        let final_verdict: Option<Verdict> = outcome
            .result
            .get("final")
            .and_then(|verdict| serde_json::from_value(verdict.clone()).ok());
        let has_answer = outcome
            .result
            .get("answer")
            .is_some_and(|answer| !answer.is_null());
        // A guess that nobody could check leaves a play open, unless another guess solved it.
        let within = if is_solved || !is_open {
            Some(is_solved)
        } else {
            None
        };
        (episode.solved, episode.with_final) = match (settings.mode, profile) {
            _ if outcome.ending == ending::PLAYER_ERROR
                || (settings.mode == Mode::Direct && !has_answer) =>
            {
                (Some(false), Some(false))
            }
            (Mode::Direct, _) => (graded, graded),
            (_, Profile::Reference) => (within, graded),
            (_, Profile::Strict) => {
                let by_final = final_verdict.and_then(|verdict| verdict.right);
                (
                    within,
                    if by_final == Some(true) {
                        Some(true)
                    } else {
                        within
                    },
                )
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
        numbers: turnwise_shared::metrics::figures::Figures::of(&episode),
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

    fn label(self) -> &'static str {
        match self {
            Currency::All => "all tokens",
            Currency::Output => "output tokens",
            Currency::Estimate => "characters / 4",
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
pub fn pass_at(k: u32, n: u32, right: u32) -> Option<f64> {
    if k == 0 || k > n || right > n {
        return None;
    }
    let missed = (0..k).map(|i| (f64::from(n - right) - f64::from(i)).max(0.0) / f64::from(n - i));
    Some(1.0 - missed.product::<f64>())
}

fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

fn fraction(label: &str, value: Option<f64>, interval: Option<(f64, f64)>, about: &str) -> Figure {
    Figure {
        label: label.to_owned(),
        value,
        interval,
        unit: Unit::Fraction,
        about: about.to_owned(),
    }
}

fn amount(label: &str, value: Option<f64>, unit: Unit, about: &str) -> Figure {
    Figure {
        unit,
        ..fraction(label, value, None, about)
    }
}

/// A share of episodes with its interval; repeats of a problem are drawn together.
fn share(verdicts: &[(&str, bool)]) -> (Option<f64>, Option<(f64, f64)>) {
    let mut tasks: BTreeMap<&str, Cluster> = BTreeMap::new();
    for (task, right) in verdicts {
        let cluster = tasks.entry(task).or_insert(Cluster { successes: 0, n: 0 });
        cluster.n += 1;
        cluster.successes += u64::from(*right);
    }
    let clusters: Vec<Cluster> = tasks.into_values().collect();
    let rights: Vec<f64> = verdicts
        .iter()
        .map(|(_, right)| f64::from(u8::from(*right)))
        .collect();
    (
        mean(&rights),
        clustered(&clusters).map(|interval| (interval.low, interval.high)),
    )
}

/// Samples of every problem in the order of their repeats; problems of which a sample has no score are left out.
fn samples(rows: &[Row<'_>]) -> BTreeMap<String, Vec<bool>> {
    let mut all: BTreeMap<String, BTreeMap<u32, Option<f64>>> = BTreeMap::new();
    for row in rows {
        let task = all.entry(row.summary.task.digest.to_string()).or_default();
        task.insert(row.summary.repeat, row.summary.score);
    }
    let whole = |(task, samples): (String, BTreeMap<u32, Option<f64>>)| {
        let samples: Option<Vec<bool>> = samples
            .into_values()
            .map(|score| score.map(|score| score > 0.5))
            .collect();
        Some((task, samples?))
    };
    all.into_iter().filter_map(whole).collect()
}

/// The numbers of a run.
pub fn report(spec: &Spec, episodes: &[&Summary]) -> Report {
    let settings = Settings::of(spec).unwrap_or_default();
    let rows = rows(episodes.iter().copied());
    let ids: Vec<String> = rows
        .iter()
        .map(|row| row.summary.task.digest.to_string())
        .collect();
    let of = |number: fn(&Row<'_>) -> Option<bool>| {
        let verdicts: Vec<(&str, bool)> = rows
            .iter()
            .zip(&ids)
            .filter_map(|(row, id)| Some((id.as_str(), number(row)?)))
            .collect();
        (share(&verdicts), verdicts.len())
    };
    let (accuracy, scored) = of(|row| row.summary.score.map(|score| score > 0.5));
    let (within, _) = of(|row| row.episode.solved);
    let (with_final, _) = of(|row| row.episode.with_final);
    let solved_rounds: Vec<f64> = rows
        .iter()
        .filter(|row| row.summary.score == Some(1.0))
        .map(|row| f64::from(row.episode.rounds))
        .collect();
    let average_rounds = mean(&solved_rounds);
    let sum = |number: fn(&Episode) -> u32| {
        rows.iter()
            .map(|row| u64::from(number(&row.episode)))
            .sum::<u64>()
    };
    let (questions, guesses, errors) = (
        sum(|one| one.questions),
        sum(|one| one.guesses),
        sum(|one| one.format_errors),
    );
    let flags = |name: &str| {
        rows.iter()
            .map(|row| u64::from(row.summary.flags.get(name).copied().unwrap_or(0)))
            .sum::<u64>()
    };
    let (judge_invalid, grader_invalid) = (flags("judge_invalid"), flags("grader_invalid"));
    let part = |some: u64, all: u64| (all > 0).then(|| some as f64 / all as f64);
    let error_rate = part(errors, questions + guesses + errors);
    let mut by: BTreeMap<By, u32> = BTreeMap::new();
    for (who, count) in rows.iter().flat_map(|row| &row.episode.by) {
        *by.entry(*who).or_default() += count;
    }
    let verdicts: u32 = by.values().sum();
    let decided = |who: By| {
        part(
            u64::from(by.get(&who).copied().unwrap_or(0)),
            u64::from(verdicts),
        )
    };

    let is_direct = settings.mode == Mode::Direct;
    let mut headline = vec![fraction(
        "Accuracy",
        accuracy.0,
        accuracy.1,
        "Share of episodes that are right.",
    )];
    if !is_direct {
        headline.push(fraction(
            "Solved within the rounds",
            within.0,
            within.1,
            "A guess was right before the rounds were used up.",
        ));
        headline.push(fraction(
            "With the final answer",
            with_final.0,
            with_final.1,
            "The same, with the free answer after the last round.",
        ));
        headline.push(amount(
            "Rounds when solved",
            average_rounds,
            Unit::Count,
            "Mean rounds of the episodes that are right.",
        ));
    }
    let curve = pass_curve(&samples(&rows));
    let mut report = Report {
        headline,
        ..Report::default()
    };
    if is_direct && !curve.is_empty() {
        report.plots.push(pass_plot(&curve));
    }
    let tokens = Currency::ALL.map(|currency| {
        let counts: Option<Vec<f64>> = rows.iter().map(|row| row.tokens(currency)).collect();
        (currency, counts.and_then(|counts| mean(&counts)))
    });
    report.groups = vec![
        Group {
            title: "Who decided".to_owned(),
            figures: vec![
                fraction(
                    "by the text",
                    decided(By::Text),
                    None,
                    "Verdicts on answers that are the expected text.",
                ),
                fraction(
                    "by a rule",
                    decided(By::Rule),
                    None,
                    "Verdicts that the rule of the answer's kind proved.",
                ),
                fraction(
                    "by the grader",
                    decided(By::Grader),
                    None,
                    "Verdicts of the grader's seat.",
                ),
            ],
        },
        Group {
            title: "Turns".to_owned(),
            figures: vec![
                amount(
                    "questions",
                    Some(questions as f64),
                    Unit::Count,
                    "Questions to the judge.",
                ),
                amount(
                    "guesses",
                    Some(guesses as f64),
                    Unit::Count,
                    "Answers within the rounds.",
                ),
                fraction(
                    "format errors",
                    error_rate,
                    None,
                    "Share of turns without a question or an answer that can be read.",
                ),
                amount(
                    "judge invalid",
                    Some(judge_invalid as f64),
                    Unit::Count,
                    "Questions whose answer could not be read twice.",
                ),
                amount(
                    "grader invalid",
                    Some(grader_invalid as f64),
                    Unit::Count,
                    "Guesses whose verdict could not be read twice.",
                ),
            ],
        },
        Group {
            title: "Tokens of the player per episode".to_owned(),
            figures: tokens
                .map(|(currency, mean)| {
                    amount(currency.label(), mean, Unit::Tokens, "Mean over episodes.")
                })
                .to_vec(),
        },
    ];
    let left_out = rows.len() - scored;
    if left_out > 0 {
        report.remarks.push(format!(
            "{left_out} of {} episodes have no score and are left out.",
            rows.len()
        ));
    }
    let keyed: BTreeMap<&str, Option<f64>> = tokens
        .iter()
        .map(|(currency, mean)| (currency.key(), *mean))
        .collect();
    report.record = json!({
        "schema": "turnwise-math-metrics/1",
        "benchmark": spec.benchmark,
        "profile": spec.profile,
        "mode": settings.mode,
        "rounds": settings.rounds,
        "n": rows.len(),
        "scored": scored,
        "accuracy": accuracy.0,
        "accuracy_interval": accuracy.1,
        "solved_within_rounds": within.0,
        "with_final": with_final.0,
        "average_rounds": average_rounds,
        "decided_by": by,
        "questions": questions,
        "guesses": guesses,
        "format_errors": errors,
        "judge_invalid": judge_invalid,
        "grader_invalid": grader_invalid,
        "tokens_per_episode": keyed,
        "pass_at_k": curve,
    });
    report
}

/// pass@k for one k.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PassAt {
    pub k: u32,
    /// Problems behind it.
    pub n: u32,
    /// Share of problems of which one of the first k samples is right: the authors' number.
    pub first: f64,
    pub first_interval: Option<(f64, f64)>,
    /// The mean of the estimate without bias, from all samples.
    pub unbiased: f64,
    pub unbiased_interval: Option<(f64, f64)>,
}

/// pass@k for every k that each problem has samples for.
fn pass_curve(samples: &BTreeMap<String, Vec<bool>>) -> Vec<PassAt> {
    let most = samples.values().map(Vec::len).min().unwrap_or(0);
    (1..=most)
        .filter_map(|k| {
            let count = u32::try_from(k).ok()?;
            let first = samples
                .values()
                .filter(|one| one[..k].contains(&true))
                .count();
            let estimates: Vec<f64> = samples
                .values()
                .map(|one| unbiased(count, one))
                .collect::<Option<_>>()?;
            let n = u32::try_from(samples.len()).ok()?;
            let interval = wilson(first as u64, u64::from(n))?;
            Some(PassAt {
                k: count,
                n,
                first: first as f64 / f64::from(n),
                first_interval: Some((interval.low, interval.high)),
                unbiased: mean(&estimates)?,
                unbiased_interval: paired(&against_zero(&estimates, samples))
                    .and_then(|paired| paired.interval),
            })
        })
        .collect()
}

/// Numbers of problems less nothing: their mean with the bootstrap over problems.
fn against_zero<'a>(
    numbers: &[f64],
    samples: &'a BTreeMap<String, Vec<bool>>,
) -> Vec<paired::Task<'a>> {
    let tasks = samples.keys().zip(numbers);
    tasks
        .map(|(cluster, one)| paired::Task {
            cluster,
            one: *one,
            other: 0.0,
        })
        .collect()
}

fn unbiased(k: u32, samples: &[bool]) -> Option<f64> {
    let right = samples.iter().filter(|right| **right).count();
    pass_at(
        k,
        u32::try_from(samples.len()).ok()?,
        u32::try_from(right).ok()?,
    )
}

fn column(label: &str, unit: Unit, about: &str) -> Column {
    Column {
        label: label.to_owned(),
        unit,
        about: about.to_owned(),
    }
}

fn pass_plot(curve: &[PassAt]) -> Plot {
    let points = |value: fn(&PassAt) -> (f64, Option<(f64, f64)>)| {
        let point = |one: &PassAt| Point {
            x: f64::from(one.k),
            y: value(one).0,
            interval: value(one).1,
            n: Some(one.n),
        };
        curve.iter().map(point).collect()
    };
    Plot {
        title: "pass@k".to_owned(),
        about: "Share of problems with a right answer among k samples.".to_owned(),
        x: column("k", Unit::Count, "Samples."),
        y: column("pass@k", Unit::Fraction, "Share of problems."),
        curves: vec![
            Curve {
                name: "first k samples".to_owned(),
                points: points(|one| (one.first, one.first_interval)),
            },
            Curve {
                name: "unbiased".to_owned(),
                points: points(|one| (one.unbiased, one.unbiased_interval)),
            },
        ],
    }
}

/// One currency of a match.
#[derive(Debug, Clone, Serialize)]
pub struct Matched {
    pub currency: Currency,
    /// Mean tokens of an interactive episode and of one sample, over the problems of both runs.
    pub interactive: Option<f64>,
    pub sample: Option<f64>,
    pub ratio: Option<f64>,
    pub k: u32,
    /// pass@k: the first k samples; absent if there are fewer.
    pub pass: Option<f64>,
    /// Accuracy less pass@k.
    pub gap: Option<f64>,
    pub gap_interval: Option<(f64, f64)>,
}

/// Compares an interactive (or guess-only) run with a direct run of one player, at equal budgets.
///
/// # Errors
/// If the players differ.
pub fn compare(runs: &[(&Spec, &[Summary])]) -> Result<Option<Report>, BadSpec> {
    let mode = |spec: &Spec| Settings::of(spec).map(|settings| settings.mode);
    let mut direct = None;
    let mut others = Vec::new();
    for run in runs {
        match mode(run.0)? {
            Mode::Direct if direct.is_none() => direct = Some(run),
            Mode::Direct => {
                return Err(BadSpec::new(
                    "settings.mode",
                    "two of the runs are direct; compare with one of them",
                ));
            }
            _ => others.push(run),
        }
    }
    let Some((direct, samples_run)) = direct.filter(|_| !others.is_empty()) else {
        return Ok(None);
    };
    let player = |spec: &Spec| {
        spec.seats
            .get(&Seat::new(Seat::PLAYER))
            .map(|sitting| sitting.player.to_string())
    };
    let direct_rows = rows(*samples_run);
    let mut report = Report::default();
    let mut records = Vec::new();
    for (spec, summaries) in others {
        if player(spec) != player(direct) {
            let problem = "the runs have different players; budgets are matched for one player";
            return Err(BadSpec::new("seats.player", problem));
        }
        let name = match mode(spec)? {
            Mode::GuessOnly => "guess only",
            _ => "interactive",
        };
        let matched = match_budgets(&rows(*summaries), &direct_rows, spec.profile);
        for one in matched
            .iter()
            .filter(|one| one.pass.is_none() && one.ratio.is_some())
        {
            let label = one.currency.label();
            report.remarks.push(format!(
                "{name}, {label}: run direct with {} repeats to compare at equal budgets.",
                one.k
            ));
        }
        report.tables.push(table(name, &matched, direct_rows.len()));
        for one in &matched {
            report.headline.push(Figure {
                interval: one.gap_interval,
                ..amount(
                    &format!("{name} − pass@{}, by {}", one.k, one.currency.label()),
                    one.gap,
                    Unit::Points,
                    "Accuracy less pass@k with as many samples as the same budget pays for.",
                )
            });
        }
        records.push(
            json!({ "mode": name, "rounds": Settings::of(spec)?.rounds, "currencies": matched }),
        );
        let sampling = |spec: &Spec| {
            spec.seats
                .get(&Seat::new(Seat::PLAYER))
                .map(|sitting| sitting.sampling.clone())
        };
        report.remarks.push(match sampling(spec) == sampling(direct) {
            true => format!("{name}: both arms sample the player alike."),
            false => format!("{name}: the arms sample the player differently, so the gap is not that of the budget alone."),
        });
    }
    report.record =
        json!({ "schema": "turnwise-math-match/1", "player": player(direct), "runs": records });
    Ok(Some(report))
}

/// Matches budgets over the problems that both runs have; the first repeat of an interactive run counts.
fn match_budgets(interactive: &[Row<'_>], direct: &[Row<'_>], profile: Profile) -> Vec<Matched> {
    let samples = samples(direct);
    let mut first: BTreeMap<String, &Row<'_>> = BTreeMap::new();
    for row in interactive {
        let id = row.summary.task.digest.to_string();
        let kept = first.entry(id).or_insert(row);
        if row.summary.repeat < kept.summary.repeat {
            *kept = row;
        }
    }
    let match_one = |currency: Currency| {
        let mut means: [Vec<f64>; 2] = Default::default();
        for (id, row) in &first {
            let of_task = direct
                .iter()
                .filter(|other| other.summary.task.digest.to_string() == *id);
            let tokens: Option<Vec<f64>> = of_task.map(|other| other.tokens(currency)).collect();
            if let (Some(one), Some(other)) = (
                row.tokens(currency),
                tokens.and_then(|tokens| mean(&tokens)),
            ) {
                means[0].push(one);
                means[1].push(other);
            }
        }
        let (interactive, sample) = (mean(&means[0]), mean(&means[1]));
        let ratio = interactive
            .zip(sample.filter(|sample| *sample > 0.0))
            .map(|(one, other)| one / other);
        let k = ratio.map_or(1, |ratio| matched_k(ratio, profile));
        let pairs: Vec<paired::Task<'_>> = samples
            .iter()
            .filter_map(|(id, samples)| {
                let passed = samples.get(..usize::try_from(k).ok()?)?.contains(&true);
                Some(paired::Task {
                    cluster: id,
                    one: first.get(id)?.summary.score?,
                    other: f64::from(u8::from(passed)),
                })
            })
            .collect();
        let gap = paired(&pairs);
        let passes: Vec<f64> = pairs.iter().map(|pair| pair.other).collect();
        Matched {
            currency,
            interactive,
            sample,
            ratio,
            k,
            pass: mean(&passes),
            gap: gap.as_ref().map(|gap| gap.difference),
            gap_interval: gap.and_then(|gap| gap.interval),
        }
    };
    Currency::ALL.map(match_one).into()
}

fn table(name: &str, matched: &[Matched], n: usize) -> Table {
    let row = |one: &Matched| TableRow {
        name: one.currency.label().to_owned(),
        n: u32::try_from(n).unwrap_or(u32::MAX),
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
        about: "The prompt of an interactive episode grows with every turn, so k is larger when all tokens are counted.".to_owned(),
        by: "budget in".to_owned(),
        columns: vec![
            column(name, Unit::Tokens, "Mean tokens of the player in an episode."),
            column("one sample", Unit::Tokens, "Mean tokens of the player in a direct answer."),
            column("ratio", Unit::Number, "The first over the second."),
            column("k", Unit::Count, "Samples of the same budget."),
            column("pass@k", Unit::Fraction, "Share of problems with a right answer among the first k samples."),
            column("gap", Unit::Points, "Accuracy less pass@k."),
        ],
        rows: matched.iter().map(row).collect(),
    }
}
