//! The numbers of a run whose episodes have scores.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::metrics::options::MeasureOptions;
use crate::metrics::proportion::Share;
use crate::metrics::report::Report;
use crate::metrics::spread::{Rounding, Spread, mean};
use crate::metrics::summary::Summary;
use crate::metrics::times;
use crate::saturated;
use crate::spec::Spec;
use crate::task::Point;

/// Episodes of a run, each with what its benchmark counted in it.
#[derive(Debug, Clone)]
pub struct Scored<'a, N> {
    /// In their order; parts share them.
    pub plays: Vec<Rc<Play<'a, N>>>,
}

#[derive(Debug, Clone)]
pub struct Play<'a, N> {
    pub summary: &'a Summary,
    /// Its task, or whatever else makes episodes alike: those of one name count together in intervals.
    pub task: String,
    /// What the benchmark counted in it; nothing where another version did.
    pub numbers: N,
}

impl<'a, N> Play<'a, N> {
    /// Whether its answer is right; `None` while it has no score.
    pub fn right(&self) -> Option<bool> {
        self.summary.score.map(|score| score >= 0.5)
    }

    /// The value of a label of its task.
    pub fn label(&self, name: &str) -> Option<&'a str> {
        self.summary.task.labels.get(name).map(String::as_str)
    }

    pub fn ending(&self) -> &'a str {
        self.summary.ending.as_deref().unwrap_or("unfinished")
    }
}

impl<N> Default for Scored<'_, N> {
    fn default() -> Self {
        Scored { plays: Vec::new() }
    }
}

impl<'a, N: DeserializeOwned + Default> Scored<'a, N> {
    /// Of these episodes; `task` names what is alike: the task, in a sweep the one that is the same at every value
    /// ([`Point::unplaced`]).
    pub fn of(
        episodes: impl IntoIterator<Item = &'a Summary>,
        task: impl Fn(&'a Summary) -> String,
    ) -> Self {
        let play = |summary: &'a Summary| {
            let numbers = summary.measured.numbers.read().unwrap_or_default();
            Rc::new(Play { summary, task: task(summary), numbers })
        };
        Scored { plays: episodes.into_iter().map(play).collect() }
    }

    /// Of a run that sweeps at these points, if at any: a task is the same one at every value.
    pub fn of_sweep(episodes: &[&'a Summary], points: &[Point]) -> Self {
        let task = |summary: &Summary| Point::unplaced(points, &summary.task.id).0;
        Scored::of(episodes.iter().copied(), task)
    }
}

impl<'a, N> Scored<'a, N> {
    /// The episodes of each value of a sweep over a setting.
    pub fn by_value(&self, setting: &str) -> BTreeMap<u32, Self> {
        self.parts(|play| play.label(setting)?.parse().ok())
    }

    pub fn n(&self) -> u32 {
        saturated(self.plays.len())
    }

    /// The episodes by a value, e.g. of a label; without those that have none.
    pub fn parts<P: Ord>(&self, value: impl Fn(&Play<'a, N>) -> Option<P>) -> BTreeMap<P, Self> {
        let mut parts: BTreeMap<P, Self> = BTreeMap::new();
        for play in &self.plays {
            if let Some(value) = value(play) {
                parts.entry(value).or_default().plays.push(Rc::clone(play));
            }
        }
        parts
    }

    /// In how many episodes something holds, of those of which it is known.
    pub fn share(&self, holds: impl Fn(&Play<'a, N>) -> Option<bool>) -> Share {
        let known = self.plays.iter();
        Share::of(known.filter_map(|play| Some((play.task.as_str(), holds(play)?))))
    }

    /// Right answers, of the episodes with a score.
    pub fn accuracy(&self) -> Share {
        self.share(Play::right)
    }

    /// Mean and deviation of the accuracies of the repeats; `None` without a score.
    pub fn repeats(&self, rounding: Rounding) -> Option<Spread> {
        let answers = self.plays.iter();
        let answers = answers.filter_map(|play| Some((play.summary.repeat, play.right()?)));
        Spread::of_repeats(answers, rounding)
    }

    /// The mean of a number, over the episodes that have it.
    pub fn mean(&self, number: impl Fn(&Play<'a, N>) -> Option<f64>) -> Option<f64> {
        mean(self.plays.iter().filter_map(|play| number(play)))
    }

    pub fn sum(&self, count: impl Fn(&N) -> u32) -> u64 {
        self.plays.iter().map(|play| u64::from(count(&play.numbers))).sum()
    }

    /// Counts by name, over all episodes.
    pub fn counts<'b, K: Ord, C: IntoIterator<Item = (K, &'b u32)>>(
        &'b self,
        of: impl Fn(&'b Play<'a, N>) -> C,
    ) -> BTreeMap<K, u64> {
        let mut sums = BTreeMap::new();
        for (name, count) in self.plays.iter().flat_map(|play| of(play)) {
            *sums.entry(name).or_default() += u64::from(*count);
        }
        sums
    }

    /// What every record of scored episodes has: `n` counts all of them, `scored` those with a score, and `rankable` says that these
    /// are all of them; `accuracy` is over the scored ones, with `accuracy_interval` (95 %, repeats of a task together),
    /// `accuracy_std` (over the repeats; `null` for one) and `accuracy_bounds` (if all others were wrong, and if they were right).
    pub fn record(&self) -> Value {
        let (n, accuracy) = (self.n(), self.accuracy());
        json!({
            "n": n,
            "scored": accuracy.n,
            "rankable": accuracy.n == n && n > 0,
            "accuracy": accuracy.value,
            "accuracy_std": self.repeats(Rounding::None).and_then(|spread| spread.deviation),
            "accuracy_interval": accuracy.interval,
            "accuracy_bounds": accuracy.bounds(n),
        })
    }
}

/// A record with the members of another; those of the other replace its own.
pub fn extended(mut record: Value, more: Value) -> Value {
    if let (Value::Object(record), Value::Object(more)) = (&mut record, more) {
        record.extend(more);
    }
    record
}

/// A report with what is the same for every benchmark, so that none has to write it: the table of times, and in the record `schema`,
/// `benchmark`, `profile`, `spec_hash` and `times`; where the benchmark does not say itself whether the run is `rankable`, also that,
/// `n` and `scored` ([`Scored::record`]). What the record has already stays.
#[must_use]
pub fn reported(
    mut report: Report,
    spec: &Spec,
    episodes: &[&Summary],
    options: &MeasureOptions,
) -> Report {
    report.tables.extend(times::table(&options.times));
    if let Value::Object(record) = &mut report.record {
        let mut more = json!({
            "schema": format!("turnwise-{}-metrics/1", spec.benchmark.replace('_', "-")),
            "benchmark": spec.benchmark,
            "profile": spec.profile,
            "spec_hash": spec.digest(),
            "times": times::record(&options.times),
        });
        if !record.contains_key("rankable") {
            let (n, scored) = (episodes.len(), episodes.iter().flat_map(|one| one.score).count());
            let counts = json!({ "n": n, "scored": scored, "rankable": scored == n && n > 0 });
            more = extended(more, counts);
        }
        if let Value::Object(more) = extended(more, Value::Object(std::mem::take(record))) {
            *record = more;
        }
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::Digest;
    use crate::metrics::figures::Figures;
    use crate::metrics::proportion::{Cluster, clustered};
    use crate::metrics::summary::Measured;
    use crate::spec::Named;

    fn summary(task: &str, repeat: u32, score: Option<f64>, questions: u32) -> Summary {
        let measured = Measured { numbers: Figures::of(&questions), ..Measured::default() };
        let mut summary = Summary { repeat, score, measured, ..Summary::bare() };
        summary.task.id = task.into();
        summary.task.labels.insert("level".to_owned(), (questions % 2).to_string());
        summary
    }

    /// Two tasks twice; one episode of the second has no score.
    fn four() -> [Summary; 4] {
        [
            summary("a", 1, Some(1.0), 3),
            summary("a", 2, Some(1.0), 1),
            summary("b", 1, Some(0.0), 1),
            summary("b", 2, None, 2),
        ]
    }

    fn scored(summaries: &[Summary]) -> Scored<'_, u32> {
        Scored::of(summaries, |summary| summary.task.id.0.clone())
    }

    #[test]
    fn a_record_counts_what_has_a_score_and_bounds_what_has_none() {
        let summaries = four();
        let record = scored(&summaries).record();
        assert_eq!((&record["n"], &record["scored"]), (&json!(4), &json!(3)));
        assert_eq!((&record["rankable"], &record["accuracy"]), (&json!(false), &json!(2.0 / 3.0)));
        assert_eq!(record["accuracy_bounds"], json!([0.5, 0.75]));
        // The repeats: one of two, and one of one.
        assert_eq!(record["accuracy_std"], json!(0.125_f64.sqrt()));
        let tasks = [Cluster { successes: 2, n: 2 }, Cluster { successes: 0, n: 1 }];
        assert_eq!(record["accuracy_interval"], json!(clustered(&tasks)));
        assert_eq!(scored(&summaries[..3]).record()["rankable"], json!(true));
        let none = scored(&[]).record();
        assert_eq!((&none["accuracy"], &none["rankable"]), (&Value::Null, &json!(false)));
    }

    #[test]
    fn parts_share_their_episodes() {
        let summaries = four();
        let all = scored(&summaries);
        let parts = all.parts(|play| play.label("level"));
        assert_eq!((parts["0"].n(), parts["1"].n()), (1, 3));
        let odd = &parts["1"];
        assert_eq!(odd.sum(|questions| *questions), 5);
        let of_right = odd.mean(|play| play.right()?.then_some(f64::from(play.numbers)));
        assert_eq!(of_right, Some(2.0));
        assert_eq!(all.counts(|play| [(play.ending(), &1)]), [("unfinished", 4)].into());
    }

    /// What a benchmark says itself stays; a benchmark that says nothing has all of it.
    #[test]
    fn every_record_is_completed() {
        let tasks = Named { name: "made up".to_owned(), digest: Digest::of("") };
        let spec = Spec::imported("my_game", json!({}), tasks, "model");
        let summaries = four();
        let episodes: Vec<&Summary> = summaries.iter().collect();
        let complete = |record: Value| {
            let report = Report { record, ..Report::default() };
            reported(report, &spec, &episodes, &MeasureOptions::default()).record
        };
        let record = complete(json!({ "profile": "own" }));
        assert_eq!(record["schema"], "turnwise-my-game-metrics/1");
        assert_eq!((&record["benchmark"], &record["profile"]), (&json!("my_game"), &json!("own")));
        assert_eq!(record["spec_hash"], json!(spec.digest()));
        assert_eq!((&record["n"], &record["scored"]), (&json!(4), &json!(3)));
        assert_eq!(record["rankable"], json!(false));
        let game = complete(json!({ "n": 2, "rankable": true }));
        assert_eq!((&game["n"], &game["rankable"]), (&json!(2), &json!(true)));
        assert_eq!(game.get("scored"), None);
        assert_eq!(complete(Value::Null), Value::Null);
    }
}
