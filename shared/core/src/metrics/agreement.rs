//! Do two graders agree? Counts, raw agreement, and Cohen's kappa (J. Cohen, “A coefficient of agreement for nominal scales”,
//! 1960).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::metrics::HALF_95;
use crate::metrics::proportion::wilson;
use crate::metrics::report::{Column, Table, TableRow, Unit};
use crate::metrics::spread::ratio;

/// A score of at least this counts as a verdict of *right*.
const RIGHT: f64 = 0.5;

/// What two graders said of the same episodes: how often both called the answer right, and so on. Plays that only one of them
/// gave a verdict on are not in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreement {
    /// Both said right.
    pub both_right: u64,
    /// The first said right, the other wrong.
    pub only_first: u64,
    /// The first said wrong, the other right.
    pub only_other: u64,
    /// Both said wrong.
    pub both_wrong: u64,
}

impl Agreement {
    /// Of pairs of verdicts.
    pub fn of(pairs: impl IntoIterator<Item = (bool, bool)>) -> Self {
        let mut found = Agreement::default();
        for (first, other) in pairs {
            *match (first, other) {
                (true, true) => &mut found.both_right,
                (true, false) => &mut found.only_first,
                (false, true) => &mut found.only_other,
                (false, false) => &mut found.both_wrong,
            } += 1;
        }
        found
    }

    /// Of two gradings of the same episodes, as scores by play; what has no score in one of them is left out.
    pub fn of_scores<K: Ord>(first: &BTreeMap<K, f64>, other: &BTreeMap<K, f64>) -> Self {
        Self::of(first.iter().filter_map(|(play, score)| {
            let others = other.get(play)?;
            Some((*score >= RIGHT, *others >= RIGHT))
        }))
    }

    /// Plays on which both gave a verdict.
    pub fn n(&self) -> u64 {
        self.both_right + self.only_first + self.only_other + self.both_wrong
    }

    /// Raw agreement: the share of plays on which both said the same, 0 to 1; `None` without episodes.
    pub fn raw(&self) -> Option<f64> {
        let same = self.both_right + self.both_wrong;
        ratio(same, self.n())
    }

    /// Wilson's 95 % interval of [`Agreement::raw`].
    pub fn raw_interval(&self) -> Option<(f64, f64)> {
        wilson(self.both_right + self.both_wrong, self.n())
    }

    /// The agreement that chance would bring if each grader kept its own share of *right*: the sum, over both verdicts, of the
    /// product of the two graders' shares. `None` without episodes.
    pub fn by_chance(&self) -> Option<f64> {
        let n = self.n() as f64;
        let first = (self.both_right + self.only_first) as f64 / n;
        let other = (self.both_right + self.only_other) as f64 / n;
        (n > 0.0).then_some(first * other + (1.0 - first) * (1.0 - other))
    }

    /// Cohen's kappa: `(raw − chance) / (1 − chance)`. 1 = always the same, 0 = as by chance, below 0 = less than by chance.
    /// `None` without episodes, and where both graders said one and the same thing of all episodes: chance alone would agree.
    pub fn kappa(&self) -> Option<f64> {
        let (raw, chance) = (self.raw()?, self.by_chance()?);
        (chance < 1.0).then(|| (raw - chance) / (1.0 - chance))
    }

    /// The 95 % interval of kappa by Cohen's large-sample error `sqrt(raw (1 − raw) / n) / (1 − chance)`, held within −1 and
    /// 1. For few plays it is a rough guide.
    pub fn kappa_interval(&self) -> Option<(f64, f64)> {
        let (raw, chance, kappa) = (self.raw()?, self.by_chance()?, self.kappa()?);
        let half = HALF_95 * (raw * (1.0 - raw) / self.n() as f64).sqrt() / (1.0 - chance);
        Some(((kappa - half).max(-1.0), (kappa + half).min(1.0)))
    }

    /// The same with first and other exchanged.
    pub fn turned(&self) -> Self {
        Agreement { only_first: self.only_other, only_other: self.only_first, ..*self }
    }
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
            let counts =
                [found.both_right, found.only_first, found.only_other, found.both_wrong].map(count);
            let cells = [found.raw(), found.kappa()].into_iter().chain(counts);
            TableRow::new(format!("{one} and {other}"), found.n(), cells)
        })
        .collect();
    (!rows.is_empty()).then(|| Table::new(
        "Agreement of graders",
        "Over the episodes on which both gave a verdict. Kappa (Cohen, 1960) is (agreement − chance) / (1 − chance), where \
                chance is the agreement of two graders that each keep their share of right verdicts: 1 = always the same, 0 \
                = as by chance; not defined where both always say the same one thing.",
        "graders",
        [
            Column::new("agreement", Unit::Fraction, "Share of episodes with the same verdict."),
            Column::new("kappa", Unit::Number, "Agreement beyond chance, −1 to 1."),
            Column::new("both right", Unit::Count, "Both call the answer right."),
            Column::new("only the first", Unit::Count, "The first calls it right, the other wrong."),
            Column::new("only the other", Unit::Count, "The first calls it wrong, the other right."),
            Column::new("both wrong", Unit::Count, "Both call it wrong."),
        ],
        rows,
    ))
}

/// The same for programs: a list of `{graders, n, both_right, only_first, only_other, both_wrong, agreement,
/// agreement_interval, by_chance, kappa, kappa_interval}`.
pub fn record<K: Ord>(gradings: &[Graded<K>]) -> Value {
    pairs(gradings)
        .into_iter()
        .map(|(one, other, found)| {
            json!({
                "graders": [one, other],
                "n": found.n(),
                "both_right": found.both_right,
                "only_first": found.only_first,
                "only_other": found.only_other,
                "both_wrong": found.both_wrong,
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
        Agreement { both_right, only_first, only_other, both_wrong }
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
        assert_eq!(found.turned().kappa(), found.kappa());
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
        assert_eq!(Agreement::default().raw(), None);
        assert_eq!(Agreement::default().kappa(), None);
        assert_eq!(Agreement::default().kappa_interval(), None);
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
