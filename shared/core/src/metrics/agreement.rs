//! Do raters agree? Counts, raw agreement, Cohen's kappa (J. Cohen, “A coefficient of agreement for nominal scales”, 1960) and
//! Krippendorff's alpha.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::metrics::HALF_95;
use crate::metrics::proportion::wilson;
use crate::metrics::report::{Table, TableRow, caption};
use crate::metrics::spread::ratio;

/// A score of at least this counts as a verdict of *right*.
const RIGHT: f64 = 0.5;

/// What two raters said of the same units (graders of episodes: whether the answer is right), counted by both verdicts. Units that only
/// one of them gave a verdict on are not in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agreement<V = bool> {
    counts: BTreeMap<(V, V), u64>,
}

impl Agreement {
    /// Of two gradings of the same episodes, as scores by play; what has no score in one of them is left out.
    pub fn of_scores<K: Ord>(first: &BTreeMap<K, f64>, other: &BTreeMap<K, f64>) -> Self {
        Self::of(first.iter().filter_map(|(play, score)| {
            let others = other.get(play)?;
            Some((*score >= RIGHT, *others >= RIGHT))
        }))
    }

    /// How often both said right, only the first did, only the other did, and both said wrong.
    pub fn table(&self) -> [u64; 4] {
        [(true, true), (true, false), (false, true), (false, false)]
            .map(|pair| self.counts.get(&pair).copied().unwrap_or_default())
    }
}

impl<V: Ord> Agreement<V> {
    pub fn of(pairs: impl IntoIterator<Item = (V, V)>) -> Self {
        let mut counts = BTreeMap::new();
        for pair in pairs {
            *counts.entry(pair).or_default() += 1;
        }
        Agreement { counts }
    }

    /// Units on which both gave a verdict.
    pub fn n(&self) -> u64 {
        self.counts.values().sum()
    }

    fn same(&self) -> u64 {
        let same = self.counts.iter().filter(|((first, other), _)| first == other);
        same.map(|(_, count)| count).sum()
    }

    /// Raw agreement: the share of units on which both said the same, 0 to 1; `None` without units.
    pub fn raw(&self) -> Option<f64> {
        ratio(self.same(), self.n())
    }

    /// Wilson's 95 % interval of [`Agreement::raw`].
    pub fn raw_interval(&self) -> Option<(f64, f64)> {
        wilson(self.same(), self.n())
    }

    /// The agreement that chance would bring if each rater kept its own shares of verdicts: the sum, over all verdicts, of the product
    /// of the two raters' shares. `None` without units.
    pub fn by_chance(&self) -> Option<f64> {
        let n = self.n() as f64;
        let [mut first, mut other] = [const { BTreeMap::<&V, f64>::new() }; 2];
        for ((one, two), count) in &self.counts {
            *first.entry(one).or_default() += *count as f64 / n;
            *other.entry(two).or_default() += *count as f64 / n;
        }
        let both = first.iter().filter_map(|(verdict, share)| Some(share * other.get(verdict)?));
        (n > 0.0).then(|| both.sum())
    }

    /// Cohen's kappa: `(raw − chance) / (1 − chance)`. 1 = always the same, 0 = as by chance, below 0 = less than by chance.
    /// `None` without units, and where both raters said one and the same thing of all units: chance alone would agree.
    pub fn kappa(&self) -> Option<f64> {
        let (raw, chance) = (self.raw()?, self.by_chance()?);
        let is_certain = self.counts.len() == 1 && self.same() > 0;
        (!is_certain).then(|| (raw - chance) / (1.0 - chance))
    }

    /// The 95 % interval of kappa by Cohen's large-sample error `sqrt(raw (1 − raw) / n) / (1 − chance)`, held within −1 and
    /// 1. For few units it is a rough guide.
    pub fn kappa_interval(&self) -> Option<(f64, f64)> {
        let (raw, chance, kappa) = (self.raw()?, self.by_chance()?, self.kappa()?);
        let half = HALF_95 * (raw * (1.0 - raw) / self.n() as f64).sqrt() / (1.0 - chance);
        Some(((kappa - half).max(-1.0), (kappa + half).min(1.0)))
    }
}

/// Krippendorff's alpha of nominal verdicts (K. Krippendorff, “Computing Krippendorff's alpha-reliability”, 2011). A unit is what all
/// raters said of one thing, missing verdicts left out; one with a single verdict does not count. 1 = always the same, 0 = as by chance.
/// `None` where all verdicts that count are the same, or there are none.
pub fn nominal_alpha<V: Ord>(units: &[&[V]]) -> Option<f64> {
    alpha(units, |values| {
        let mut counts = BTreeMap::<&V, f64>::new();
        for value in values {
            *counts.entry(value).or_default() += 1.0;
        }
        let n = values.len() as f64;
        n * n - counts.values().map(|count| count * count).sum::<f64>()
    })
}

/// The same of numbers, which disagree by the square of their difference.
pub fn interval_alpha(units: &[&[f64]]) -> Option<f64> {
    alpha(units, |values| {
        let mean = values.iter().copied().sum::<f64>() / values.len() as f64;
        let squares = values.iter().map(|value| (**value - mean).powi(2));
        2.0 * values.len() as f64 * squares.sum::<f64>()
    })
}

/// `apart` sums the disagreement of all ordered pairs.
fn alpha<V>(units: &[&[V]], apart: impl Fn(&[&V]) -> f64) -> Option<f64> {
    let units: Vec<Vec<&V>> =
        units.iter().filter(|unit| unit.len() > 1).map(|unit| unit.iter().collect()).collect();
    let observed = units.iter().map(|unit| apart(unit) / (unit.len() - 1) as f64);
    let observed: f64 = observed.sum();
    let all = units.concat();
    let expected = apart(&all) / (all.len() as f64 - 1.0);
    (!all.is_empty() && expected > 0.0).then(|| 1.0 - observed / expected)
}

/// One grading of a run: who graded, and the score of each episode that has one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Graded<K> {
    /// Who graded, in a few words, e.g. `bot:exact`.
    pub name: String,
    /// Scores, 0 to 1, by play.
    pub scores: BTreeMap<K, f64>,
}

/// Every two of some gradings of the same episodes, those before with those after; pairs without an episode in common are left out.
pub fn pairs<K: Ord>(gradings: &[Graded<K>]) -> Vec<(&str, &str, Agreement)> {
    let mut pairs = Vec::new();
    for (at, one) in gradings.iter().enumerate() {
        for other in &gradings[at + 1..] {
            let found = Agreement::of_scores(&one.scores, &other.scores);
            if found.n() > 0 {
                pairs.push((one.name.as_str(), other.name.as_str(), found));
            }
        }
    }
    pairs
}

/// The same as a table for people; `None` where there is nothing to compare.
pub fn table<K: Ord>(gradings: &[Graded<K>]) -> Option<Table> {
    let count = |number: u64| Some(number as f64);
    let rows: Vec<TableRow> = pairs(gradings)
        .into_iter()
        .map(|(one, other, found)| {
            let counts = found.table().map(count);
            let cells = [found.raw(), found.kappa()].into_iter().chain(counts);
            TableRow::new(format!("{one} and {other}"), found.n(), cells)
        })
        .collect();
    (!rows.is_empty()).then(|| caption("agreement").table(rows))
}

/// The same for programs: a list of `{graders, n, both_right, only_first, only_other, both_wrong, agreement,
/// agreement_interval, by_chance, kappa, kappa_interval}`.
pub fn record<K: Ord>(gradings: &[Graded<K>]) -> Value {
    pairs(gradings)
        .into_iter()
        .map(|(one, other, found)| {
            let [both_right, only_first, only_other, both_wrong] = found.table();
            json!({
                "graders": [one, other],
                "n": found.n(),
                "both_right": both_right,
                "only_first": only_first,
                "only_other": only_other,
                "both_wrong": both_wrong,
                "agreement": found.raw(),
                "agreement_interval": found.raw_interval(),
                "by_chance": found.by_chance(),
                "kappa": found.kappa(),
                "kappa_interval": found.kappa_interval(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(both_right: u64, only_first: u64, only_other: u64, both_wrong: u64) -> Agreement {
        let pairs = [(true, true), (true, false), (false, true), (false, false)];
        let counts = pairs.into_iter().zip([both_right, only_first, only_other, both_wrong]);
        Agreement { counts: counts.filter(|(_, count)| *count > 0).collect() }
    }

    fn rounded(number: Option<f64>) -> f64 {
        (number.expect("a table with tasks in it has a number") * 1e4).round() / 1e4
    }

    /// 20, 5, 10, 15 of 50: raw 0.7; shares of right 0.5 and 0.6, chance 0.3 + 0.2 = 0.5; kappa 0.2 / 0.5. The half-width is
    /// 1.96 · sqrt(0.21 / 50) / 0.5 = 0.2540.
    #[test]
    fn a_table_by_hand() {
        let found = counts(20, 5, 10, 15);
        assert_eq!(found.n(), 50);
        assert_eq!(rounded(found.raw()), 0.7);
        assert_eq!(rounded(found.by_chance()), 0.5);
        assert_eq!(rounded(found.kappa()), 0.4);
        let (low, high) =
            found.kappa_interval().expect("chance alone does not agree on everything here");
        assert_eq!((rounded(Some(low)), rounded(Some(high))), (0.146, 0.654));
    }

    /// 45 of 100 both right, 15 and 25 apart, 15 both wrong: chance 0.6 · 0.7 + 0.4 · 0.3 = 0.54, kappa 0.06 / 0.46.
    #[test]
    fn much_agreement_by_chance_is_little_kappa() {
        let found = counts(45, 15, 25, 15);
        assert_eq!(rounded(found.raw()), 0.6);
        assert_eq!(rounded(found.kappa()), 0.1304);
    }

    #[test]
    fn the_ends() {
        assert_eq!(counts(3, 0, 0, 2).kappa(), Some(1.0));
        assert_eq!(counts(0, 2, 2, 0).kappa(), Some(-1.0));
        assert_eq!(counts(4, 0, 0, 0).kappa(), None, "both always said right");
        assert_eq!(counts(4, 0, 0, 0).raw(), Some(1.0));
        let none = counts(0, 0, 0, 0);
        assert_eq!((none.raw(), none.kappa(), none.kappa_interval()), (None, None, None));
    }

    /// Of 10, 8 are the same; shares 0.3, 0.3, 0.4 and 0.3, 0.4, 0.3; chance 0.09 + 0.12 + 0.12, kappa 0.47 / 0.67.
    #[test]
    fn several_verdicts() {
        let said = [("a", "a"), ("a", "a"), ("a", "b"), ("b", "b"), ("b", "b"), ("b", "b")];
        let found =
            Agreement::of(said.into_iter().chain([("c", "a"), ("c", "c")]).chain([("c", "c"); 2]));
        assert_eq!((found.n(), rounded(found.raw())), (10, 0.8));
        assert_eq!((rounded(found.by_chance()), rounded(found.kappa())), (0.33, 0.7015));
    }

    /// Krippendorff (2011): four observers of twelve units, some of them missing. The last unit has one verdict and does not count.
    #[test]
    fn krippendorffs_example() {
        let units = [
            "111", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", "555", "11", "3",
        ];
        let units =
            units.map(|unit| unit.chars().filter_map(|one| one.to_digit(10)).collect::<Vec<_>>());
        let nominal = nominal_alpha(&units.each_ref().map(Vec::as_slice));
        let numbers = units.map(|unit| unit.into_iter().map(f64::from).collect::<Vec<_>>());
        let interval = interval_alpha(&numbers.each_ref().map(Vec::as_slice));
        assert_eq!(
            nominal.zip(interval).map(|(one, other)| (format!("{one:.3}"), format!("{other:.3}"))),
            Some(("0.743".to_owned(), "0.849".to_owned()))
        );
        assert_eq!((nominal_alpha(&[&[1, 1]]), nominal_alpha::<u32>(&[])), (None, None));
        assert_eq!(nominal_alpha(&[&[1, 1], &[2, 2], &[3]]), Some(1.0));
    }

    #[test]
    fn every_two_gradings_are_compared_once() {
        let graded = |name: &str, scores: &[(u8, f64)]| Graded {
            name: name.to_owned(),
            scores: scores.iter().copied().collect(),
        };
        let gradings = [
            graded("a", &[(1, 1.0), (2, 0.0)]),
            graded("b", &[(1, 1.0), (2, 1.0)]),
            graded("c", &[(3, 1.0)]),
        ];
        let table = table(&gradings).expect("a and b share two tasks");
        assert_eq!(table.rows.len(), 1);
        assert_eq!((table.rows[0].name.as_str(), table.rows[0].n), ("a and b", 2));
        assert_eq!(
            table.rows[0].cells,
            [Some(0.5), Some(0.0), Some(1.0), Some(0.0), Some(1.0), Some(0.0)]
        );
        assert_eq!(record(&gradings)[0]["agreement"], 0.5);
        assert_eq!(super::table(&gradings[..1]), None);
    }

    #[test]
    fn only_plays_with_two_verdicts_count() {
        let first = BTreeMap::from([("1", 1.0), ("2", 0.0), ("3", 1.0), ("4", 0.5)]);
        let other = BTreeMap::from([("1", 1.0), ("2", 1.0), ("4", 0.0), ("5", 1.0)]);
        assert_eq!(Agreement::of_scores(&first, &other), counts(1, 1, 1, 0));
    }
}
