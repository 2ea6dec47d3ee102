//! The numbers of a run (specification 8), from the summaries of its episodes. Shares are fractions (ARCHITECTURE.md, rule 29).

mod compared;
mod format;
mod record;
mod shown;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::rc::Rc;

use super::measure::{Agreement, Numbers};
use super::metrics::Episode;
use super::metrics::bins::{Sample, samples};
use super::metrics::curves::Series;
use super::metrics::stops::Stops;
use super::metrics::table::{EpisodeNumbers, Table};
use super::numbers::{CALLS, FCR, HIT_RATE, METRICS};
use super::reading::judge::JudgeStatus;
use super::task::{Tier, label};
use turnwise_core::metrics::bootstrap::{Cluster, intervals, of_share};
use turnwise_core::metrics::proportion::Interval;
use turnwise_core::metrics::spread::{Rounding, Spread};
use turnwise_core::metrics::{format as by_format, paired, scored};
use turnwise_core::prelude::*;

pub use compared::compare;

/// How often pairs of entities are drawn anew for an interval.
const RESAMPLES: u32 = 1000;

/// Quantile bins of coverage against pass@1, as many as the paper draws.
const BINS: u32 = 15;

/// The numbers of a run, as `spec.profile` takes them, whichever profile it was played in.
pub fn report(spec: &Spec, episodes: &[&Summary], options: &MeasureOptions) -> Report {
    let run = Run::of(spec, episodes, options);
    let [shown @ .., _by_tier] = METRICS;
    let mut report = Report {
        breakdowns: run.breakdowns(),
        plots: run.plots(),
        tables: run.tables(),
        remarks: run.remarks(),
        ..Report::of(shown, run.record())
    };
    if !run.searches() {
        let of_search = [FCR.key, HIT_RATE.key, CALLS.key];
        report.headline.retain(|figure| !of_search.contains(&figure.key.as_str()));
        report.groups.retain(|group| group.title == by_format::TITLE);
    }
    report
}

/// The setting that a spec plays; C where it names none.
pub fn setting(spec: &Spec) -> &str {
    let named = spec.settings.get("setting").and_then(|name| name.as_str());
    named.unwrap_or("C")
}

type Scored<'a> = scored::Scored<'a, Numbers>;
type Play<'a> = scored::Play<'a, Numbers>;

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
pub fn sample(spec: &Spec, summary: &Summary) -> Option<paired::Sample> {
    let numbers = numbers(summary, spec.profile)?;
    let score = score(&numbers.episode, spec.profile)?;
    Some(paired::Sample {
        task: summary.task.digest.to_string(),
        cluster: pair(summary).to_owned(),
        numbers: BTreeMap::from([(Seat::new(Seat::PLAYER), score)]),
    })
}

/// The interval of pass@1 over some episodes, as a report over them has it.
pub fn pass_interval(spec: &Spec, plays: &[&Summary]) -> Option<(f64, f64)> {
    headline_intervals(&played(plays, spec.profile), spec.profile, spec.seed)[0]
}

/// The episodes that have numbers; those of one pair are alike.
fn played<'a>(summaries: &[&'a Summary], profile: Profile) -> Scored<'a> {
    let plays = summaries.iter().filter_map(|summary| {
        let numbers = numbers(summary, profile)?;
        Some(Rc::new(Play { summary, task: pair(summary).to_owned(), numbers }))
    });
    Scored { plays: plays.collect() }
}

/// Everything that a report is made from.
struct Run<'a> {
    spec: &'a Spec,
    setting: &'a str,
    played: Scored<'a>,
    /// The same, as metrics take them.
    episodes: Vec<Episode>,
    /// Plays without numbers: not yet ended, or broken off.
    unplayed: u32,
    table: Table,
    stops: Stops,
    series: Vec<Series>,
    samples: Vec<Sample>,
    /// 95 % intervals of pass@1, coverage, hit rate and calls, by resampling pairs; of pass@1 Wilson's over the pairs where all are
    /// right or all are wrong.
    intervals: [Option<Interval>; 4],
    /// pass@1 over the repeats of the worlds.
    repeats: Option<Spread>,
    /// pass@1 as it is shown: over all episodes, or over rounded repeats where that was asked for.
    pass_at_1: Option<f64>,
    agreement: Agreement,
}

impl<'a> Run<'a> {
    fn of(spec: &'a Spec, summaries: &[&'a Summary], options: &MeasureOptions) -> Self {
        let profile = spec.profile;
        let played = played(summaries, profile);
        let episodes: Vec<Episode> =
            played.plays.iter().map(|one| one.numbers.episode.clone()).collect();
        let table = Table::of(&episodes, profile);
        let answers = played.plays.iter();
        let answers = answers.filter_map(|one| Some((one.summary.repeat, passes(one, profile)?)));
        let repeats = Spread::of_repeats(answers, options.rounding);
        let mut agreement = Agreement::default();
        for one in &played.plays {
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
            unplayed: (summaries.len() - played.plays.len()) as u32,
            stops: Stops::of(&episodes, profile),
            series: episodes.iter().filter_map(|episode| Series::of(episode, profile)).collect(),
            samples: samples(&episodes, profile),
            intervals: headline_intervals(&played, profile, spec.seed),
            pass_at_1: match options.rounding {
                Rounding::None => table.all.pass_at_1,
                Rounding::Published => repeats.map(|spread| spread.mean),
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
        let all = self.table.all.n + self.unplayed;
        let judged = self.played.share(|one| Some(one.numbers.episode.verdict?.score() > 0.0));
        judged.bounds(all).filter(|_| judged.n < all)
    }

    /// Whether anything is searched at all: not in setting A and not in the control run.
    fn searches(&self) -> bool {
        !matches!(self.setting, "A" | "control")
    }

    /// pass@1 of a part of the run, clustered by pair; computed without resampling, because there are many parts.
    fn pass(&self, part: &Scored<'_>) -> Share {
        part.share(|one| passes(one, self.spec.profile))
    }

    /// The run by how its episodes ended.
    fn by_status(&self) -> BTreeMap<&'static str, Scored<'a>> {
        self.played.parts(|one| Some(one.numbers.episode.status.name()))
    }

    /// The run by a label; episodes without it are left out.
    fn by_label(&self, label: &str) -> BTreeMap<&'a str, Scored<'a>> {
        self.played.parts(|one| one.label(label).filter(|value| !value.is_empty()))
    }

    fn by_tier(&self) -> BTreeMap<Tier, Scored<'a>> {
        self.played.parts(|one| Some(one.numbers.episode.tier()))
    }

    fn row(&self, part: &Scored<'_>) -> EpisodeNumbers {
        EpisodeNumbers::of(part.plays.iter().map(|one| &one.numbers.episode), self.spec.profile)
    }
}

/// Whether an episode passes; see [`score`].
fn passes(one: &Play<'_>, profile: Profile) -> Option<bool> {
    Some(score(&one.numbers.episode, profile)? > 0.0)
}

/// What counts towards pass@1: under `reference` an episode without a verdict is wrong, under `strict` it is left out.
fn score(episode: &Episode, profile: Profile) -> Option<f64> {
    match (episode.verdict, profile) {
        (None, Profile::Strict) => None,
        (None, Profile::Reference) => Some(0.0),
        (Some(verdict), _) => Some(verdict.score()),
    }
}

fn headline_intervals(played: &Scored<'_>, profile: Profile, seed: u64) -> [Option<Interval>; 4] {
    let mut pairs: BTreeMap<&str, [Cluster; 4]> = BTreeMap::new();
    for one in &played.plays {
        let episode = &one.numbers.episode;
        let numbers = [
            score(episode, profile),
            Some(episode.fcr(profile)),
            episode.hit_rate(profile),
            Some(f64::from(episode.tool_calls(profile))),
        ];
        let sums = pairs.entry(&one.task).or_default();
        for (sum, number) in sums.iter_mut().zip(numbers) {
            if let Some(number) = number {
                sum.add(number);
            }
        }
    }
    let clusters: Vec<[Cluster; 4]> = pairs.into_values().collect();
    if clusters.len() < 2 {
        // Drawn again and again, one pair is always the same: that says nothing of others.
        return [None; 4];
    }
    let [pass_at_1, others @ ..] =
        intervals(&clusters, RESAMPLES, seed, |sums| sums.map(|sum| sum.mean()));
    let pass_at_1 = of_share(pass_at_1, clusters.iter().map(|[scores, ..]| *scores));
    let [fcr, hit_rate, tool_calls] = others;
    [pass_at_1, fcr, hit_rate, tool_calls]
}
