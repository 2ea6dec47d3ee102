//! The numbers of a run (specification 8), from the summaries of its episodes. Shares are fractions (ARCHITECTURE.md, rule 29).

mod compared;
mod format;
mod record;
mod shown;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::measure::{Agreement, Numbers};
use super::metrics::Episode;
use super::metrics::bins::{Sample, samples};
use super::metrics::curves::Series;
use super::metrics::stops::Stops;
use super::metrics::table::Table;
use super::reading::judge::JudgeStatus;
use super::task::label;
use turnwise_core::compare;
use turnwise_core::metrics::bootstrap::{Cluster, intervals, of_share};
use turnwise_core::metrics::proportion::{self, Interval, clustered};
use turnwise_core::metrics::report::{MeasureOptions, Report, Rounding};
use turnwise_core::metrics::spread::{RoundedFirst, RunCount, Spread};
use turnwise_core::metrics::summary::Summary;
use turnwise_core::metrics::times;
use turnwise_core::seat::{Player, Seat};
use turnwise_core::spec::{Profile, Spec};

pub use compared::compare;

/// The form of the record that `turnwise metrics --json` prints.
const SCHEMA: &str = "turnwise-paraworld-metrics/1";

/// How often pairs of entities are drawn anew for an interval.
const RESAMPLES: u32 = 1000;

/// Quantile bins of coverage against pass@1, as many as the paper draws.
const BINS: u32 = 15;

/// The numbers of a run, as `spec.profile` takes them, whichever profile it was played in.
pub fn report(spec: &Spec, episodes: &[&Summary], options: &MeasureOptions) -> Report {
    let run = Run::of(spec, episodes, options);
    let mut record = run.record();
    record["format"] = run.format_record();
    record["times"] = times::record(&options.times);
    let mut tables = run.tables();
    tables.extend(times::table(&options.times));
    let (headline, groups) = run.figures(&record);
    Report {
        headline,
        breakdowns: run.breakdowns(),
        plots: run.plots(),
        tables,
        groups,
        remarks: run.remarks(),
        record,
        ..Report::default()
    }
}

/// The setting that a spec plays; C where it names none.
pub fn setting(spec: &Spec) -> &str {
    let named = spec.settings.get("setting").and_then(|name| name.as_str());
    named.unwrap_or("C")
}

/// One episode that has numbers.
struct Played<'a> {
    summary: &'a Summary,
    numbers: Numbers,
}

impl Played<'_> {
    fn label(&self, name: &str) -> Option<&str> {
        let value = self.summary.task.labels.get(name)?;
        (!value.is_empty()).then_some(value.as_str())
    }

    /// The pair of entities; every world is its own where the file names none.
    fn pair(&self) -> &str {
        pair(self.summary)
    }
}

/// The numbers of an episode; `None` where it has none. What a judge said that failed is no verdict under `strict`, also
/// where a run of the reference, which takes it for a wrong answer, is measured.
fn numbers(summary: &Summary, profile: Profile) -> Option<Numbers> {
    let mut numbers = Numbers::of(&summary.measured)?;
    let failed = matches!(numbers.judge, Some(JudgeStatus::Error | JudgeStatus::Unparsed));
    if failed && profile == Profile::Strict {
        numbers.episode.verdict = None;
    }
    Some(numbers)
}

/// The pair of entities of an episode's world; the world itself where the file names none.
fn pair(summary: &Summary) -> &str {
    let pair = summary.task.labels.get(label::PAIR);
    pair.unwrap_or(&summary.task.id.0)
}

/// What is compared of an episode: its score, by worlds; the questions of one pair are alike.
pub fn sample(spec: &Spec, summary: &Summary) -> Option<compare::Sample> {
    let numbers = numbers(summary, spec.profile)?;
    let score = score(&numbers.episode, spec.profile)?;
    Some(compare::Sample {
        task: summary.task.digest.to_string(),
        cluster: pair(summary).to_owned(),
        numbers: BTreeMap::from([(Seat::new(Seat::PLAYER), score)]),
    })
}

/// The interval of pass@1 over some episodes, as a report over them has it.
pub fn pass_interval(spec: &Spec, plays: &[&Summary]) -> Option<(f64, f64)> {
    let intervals = headline_intervals(&played(plays, spec.profile), spec.profile, spec.seed);
    intervals.pass_at_1.map(|found| (found.low, found.high))
}

/// The episodes that have numbers.
fn played<'a>(summaries: &[&'a Summary], profile: Profile) -> Vec<Played<'a>> {
    summaries
        .iter()
        .filter_map(|summary| {
            let numbers = numbers(summary, profile)?;
            Some(Played { summary, numbers })
        })
        .collect()
}

/// Everything that a report is made from.
struct Run<'a> {
    spec: &'a Spec,
    setting: &'a str,
    played: Vec<Played<'a>>,
    /// The same, as metrics take them.
    episodes: Vec<Episode>,
    /// Plays without numbers: not yet ended, or broken off.
    unplayed: u32,
    table: Table,
    stops: Stops,
    series: Vec<Series>,
    samples: Vec<Sample>,
    intervals: Intervals,
    repeats: Repeats,
    /// pass@1 as it is shown: over all episodes, or over rounded repeats where that was asked for.
    pass_at_1: Option<f64>,
    agreement: Agreement,
}

/// 95 % intervals of the first numbers, by resampling pairs; of pass@1 Wilson's over the pairs where all are right or all
/// are wrong.
#[derive(Clone, Copy, Default)]
struct Intervals {
    pass_at_1: Option<Interval>,
    fcr: Option<Interval>,
    hit_rate: Option<Interval>,
    tool_calls: Option<Interval>,
}

/// pass@1 over the repeats of the worlds.
#[derive(Clone, Copy, Default)]
struct Repeats {
    /// How many.
    count: usize,
    /// The mean; over one repeat it is that repeat's.
    mean: Option<f64>,
    /// Sample deviation; `None` for a single repeat.
    deviation: Option<f64>,
}

impl<'a> Run<'a> {
    fn of(spec: &'a Spec, summaries: &[&'a Summary], options: &MeasureOptions) -> Self {
        let profile = spec.profile;
        let played = played(summaries, profile);
        let episodes: Vec<Episode> = played.iter().map(|one| one.numbers.episode.clone()).collect();
        let table = Table::of(&episodes, profile);
        let repeats = repeats(&played, profile, options.rounding);
        let mut agreement = Agreement::default();
        for one in &played {
            let found = one.numbers.agreement;
            agreement.compared += found.compared;
            agreement.same_class += found.same_class;
            agreement.same += found.same;
        }
        let is_itself = spec.seats.get(&Seat::new("engine"));
        if is_itself.is_some_and(|sitting| sitting.player == Player::Bot("facts".to_owned())) {
            agreement = Agreement::default();
        }
        Run {
            setting: setting(spec),
            unplayed: (summaries.len() - played.len()) as u32,
            stops: Stops::of(&episodes, profile),
            series: episodes.iter().filter_map(|episode| Series::of(episode, profile)).collect(),
            samples: samples(&episodes, profile),
            intervals: headline_intervals(&played, profile, spec.seed),
            pass_at_1: match options.rounding {
                Rounding::None => table.all.pass_at_1,
                Rounding::Published => repeats.mean,
            },
            repeats,
            spec,
            played,
            episodes,
            table,
            agreement,
        }
    }

    /// Plays without an end or, under `strict`, without a verdict. A run that has any is not ranked.
    fn incomplete(&self) -> u32 {
        match self.spec.profile {
            Profile::Strict => self.unplayed + self.table.all.incomplete,
            Profile::Reference => self.unplayed,
        }
    }

    /// Between what pass@1 lies, whatever comes out of the episodes that have no verdict yet.
    fn bounds(&self) -> Option<(f64, f64)> {
        let row = &self.table.all;
        let open = self.unplayed + row.incomplete;
        let all = f64::from(row.n + self.unplayed);
        let right = self.episodes.iter().filter(|one| one.is_correct()).count() as f64;
        (open > 0).then(|| (right / all, (right + f64::from(open)) / all))
    }

    /// Whether anything is searched at all: not in setting A and not in the control run.
    fn searches(&self) -> bool {
        !matches!(self.setting, "A" | "control")
    }

    /// Parts of the run by a value; episodes for which there is none are left out.
    fn parts<'b>(
        &'b self,
        value: impl Fn(&'b Played<'a>) -> Option<&'b str>,
    ) -> BTreeMap<&'b str, Vec<&'b Played<'a>>> {
        let mut parts: BTreeMap<&str, Vec<&Played>> = BTreeMap::new();
        for one in &self.played {
            if let Some(value) = value(one) {
                parts.entry(value).or_default().push(one);
            }
        }
        parts
    }
}

/// What counts towards pass@1: under `reference` an episode without a verdict is wrong, under `strict` it is left out.
fn score(episode: &Episode, profile: Profile) -> Option<f64> {
    match (episode.verdict, profile) {
        (None, Profile::Strict) => None,
        (None, Profile::Reference) => Some(0.0),
        (Some(verdict), _) => Some(verdict.score()),
    }
}

fn headline_intervals(played: &[Played<'_>], profile: Profile, seed: u64) -> Intervals {
    let mut pairs: BTreeMap<&str, [Cluster; 4]> = BTreeMap::new();
    for one in played {
        let episode = &one.numbers.episode;
        let numbers = [
            score(episode, profile),
            Some(episode.fcr(profile)),
            episode.hit_rate(profile),
            Some(f64::from(episode.tool_calls(profile))),
        ];
        let sums = pairs.entry(one.pair()).or_default();
        for (sum, number) in sums.iter_mut().zip(numbers) {
            if let Some(number) = number {
                sum.add(number);
            }
        }
    }
    let clusters: Vec<[Cluster; 4]> = pairs.into_values().collect();
    if clusters.len() < 2 {
        // Drawn again and again, one pair is always the same: that says nothing of others.
        return Intervals::default();
    }
    let [pass_at_1, fcr, hit_rate, tool_calls] =
        intervals(&clusters, RESAMPLES, seed, |sums| sums.map(|sum| sum.mean()));
    Intervals {
        pass_at_1: of_share(pass_at_1, clusters.iter().map(|[scores, ..]| *scores)),
        fcr,
        hit_rate,
        tool_calls,
    }
}

/// The interval of pass@1 of some episodes, clustered by pair; computed without resampling, because there are many parts.
fn part_interval(played: &[&Played<'_>], profile: Profile) -> Option<Interval> {
    let mut pairs: BTreeMap<&str, proportion::Cluster> = BTreeMap::new();
    for one in played {
        if let Some(score) = score(&one.numbers.episode, profile) {
            let none = proportion::Cluster { successes: 0, n: 0 };
            let pair = pairs.entry(one.pair()).or_insert(none);
            pair.n += 1;
            pair.successes += u64::from(score > 0.0);
        }
    }
    clustered(&pairs.into_values().collect::<Vec<_>>())
}

fn repeats(played: &[Played<'_>], profile: Profile, rounding: Rounding) -> Repeats {
    let mut counts: BTreeMap<u32, RunCount> = BTreeMap::new();
    for one in played {
        if let Some(score) = score(&one.numbers.episode, profile) {
            let none = RunCount { correct: 0, rows: 0 };
            let count = counts.entry(one.summary.repeat).or_insert(none);
            count.rows += 1;
            count.correct += u64::from(score > 0.0);
        }
    }
    let counts: Vec<RunCount> = counts.into_values().collect();
    let (mean, deviation) = match rounding {
        Rounding::None => {
            let shares: Vec<f64> =
                counts.iter().map(|count| count.correct as f64 / count.rows as f64).collect();
            let spread = Spread::of(&shares);
            (spread.map(|spread| spread.mean), spread.and_then(|spread| spread.deviation))
        }
        Rounding::Published => {
            let rounded = RoundedFirst::of(&counts);
            let share = |percent: turnwise_core::metrics::spread::Decimal| percent.to_f64() / 100.0;
            (
                rounded.as_ref().map(|rounded| share(rounded.mean(2))),
                rounded.and_then(|rounded| rounded.deviation(2)).map(share),
            )
        }
    };
    Repeats { count: counts.len(), mean, deviation }
}

fn ends(interval: Interval) -> (f64, f64) {
    (interval.low, interval.high)
}
