//! What the rest of a run will cost. Cheap plays end first, so the mean of those that have ended is too low, and what plays under way
//! have cost so far counts: each of them costs more than that. This is the estimate of Kaplan and Meier, with cost in the place of time.
//! Beyond the dearest play that is under way it supposes that plays end as evenly as they did so far.

use super::Amount;
use crate::metrics::cost::Cost;
use crate::saturated;

/// What the rest of a run will cost if it goes on as it went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ahead {
    /// US dollars, above 0.
    pub dollars: f64,
    /// Whether everything is known that it was counted from; else it is more.
    pub is_all: bool,
}

/// What the rest of a run will cost, by what each episode that has ended has cost, and each that is under way so far. `None` before an episode
/// has ended, when nothing is left, and where nothing of it is known.
pub fn ahead(ended: &[Amount], under_way: &[Amount], planned: u32) -> Option<Ahead> {
    let begun = saturated(ended.len() + under_way.len());
    let waiting = planned.saturating_sub(begun);
    if ended.is_empty() || (waiting == 0 && under_way.is_empty()) {
        return None;
    }
    let cost = Survival::of(ended, under_way);
    let rest: f64 = under_way.iter().map(|so_far| cost.more(so_far.known.dollars())).sum();
    let dollars = rest + f64::from(waiting) * cost.more(0.0);
    let is_all = ended.iter().chain(under_way).all(|one| one.unknown == 0);
    (dollars > 0.0).then_some(Ahead { dollars, is_all })
}

/// Of how many plays the cost is above an amount.
struct Survival {
    /// From these dollars on it is this share, ascending; before the first it is 1.
    steps: Vec<(f64, f64)>,
    /// What the dearest has cost so far.
    dearest: f64,
    /// What an episode costs on average beyond that, in dollars.
    beyond: f64,
}

impl Survival {
    fn of(ended: &[Amount], under_way: &[Amount]) -> Self {
        let sorted = |plays: &[Amount]| {
            let mut costs: Vec<Cost> = plays.iter().map(|play| play.known).collect();
            costs.sort_unstable();
            costs
        };
        let (ends, so_far) = (sorted(ended), sorted(under_way));
        let mut steps = Vec::new();
        let (mut share, mut gone, mut passed) = (1.0, 0, 0);
        for same in ends.chunk_by(|one, other| one == other) {
            // What has cost as much and goes on will cost more.
            passed += so_far[passed..].partition_point(|cost| *cost < same[0]);
            let left = (ends.len() - gone) + (so_far.len() - passed);
            share *= (left - same.len()) as f64 / left as f64;
            gone += same.len();
            steps.push((same[0].dollars(), share));
        }
        let all: Cost = ends.iter().chain(&so_far).copied().sum();
        let dearest = ends.last().max(so_far.last()).copied();
        Survival {
            steps,
            dearest: dearest.unwrap_or_default().dollars(),
            beyond: all.dollars() / ends.len().max(1) as f64,
        }
    }

    /// What an episode that has cost this many dollars will cost besides, on average.
    fn more(&self, so_far: f64) -> f64 {
        let passed = self.steps.partition_point(|(at, _)| *at <= so_far);
        let above = match passed {
            0 => 1.0,
            passed => self.steps[passed - 1].1,
        };
        // An episode that has cost nothing yet may still end for nothing.
        let now = if so_far > 0.0 { above } else { 1.0 };
        if now <= 0.0 {
            return 0.0;
        }
        let (mut area, mut from, mut share) = (0.0, so_far, above);
        for (at, after) in &self.steps[passed..] {
            area += share * (at - from);
            (from, share) = (*at, *after);
        }
        area += share * ((self.dearest - from).max(0.0) + self.beyond);
        area / now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Episodes that cost this many dollars.
    fn plays(dollars: &[u64]) -> Vec<Amount> {
        let amount =
            |dollars: &u64| Amount { known: Cost::at(*dollars * 1_000_000, 1_000_000), unknown: 0 };
        dollars.iter().map(amount).collect()
    }

    fn dollars(ended: &[u64], under_way: &[u64], planned: u32) -> Option<f64> {
        let ahead = ahead(&plays(ended), &plays(under_way), planned)?;
        Some((ahead.dollars * 1e6).round() / 1e6)
    }

    #[test]
    fn with_nothing_under_way_it_is_the_mean_of_those_that_ended() {
        assert_eq!(dollars(&[1, 3, 8], &[], 5), Some(8.0));
        assert_eq!(dollars(&[0, 4], &[], 4), Some(4.0));
    }

    #[test]
    fn equal_plays_cost_what_the_first_did() {
        // Two that have cost 6 of 10 dollars, and three that wait.
        assert_eq!(dollars(&[10, 10], &[6, 6], 7), Some(2.0 * 4.0 + 3.0 * 10.0));
        assert_eq!(dollars(&[10, 10], &[0, 9], 4), Some(10.0 + 1.0));
    }

    #[test]
    fn short_plays_first_do_not_make_the_rest_cheap() {
        // Half of the episodes end at 1 dollar, and the rest has cost 3 each by now. The mean of those that ended says 4 dollars for the rest.
        let early = dollars(&[1, 1, 1, 1], &[3, 3, 3, 3], 8).expect("some ended, some are left");
        assert_eq!(early, 4.0 * 4.0, "16 dollars were spent, and 4 have ended");
        // One of them has ended at 5.
        let later = dollars(&[1, 1, 1, 1, 5], &[3, 3, 3], 8).expect("some ended, some are left");
        assert_eq!(later, 3.0 * 2.0);
        // And each that waits costs 1 or 5.
        assert_eq!(dollars(&[1, 1, 1, 1, 5], &[3, 3, 3], 10), Some(later + 2.0 * 3.0));
    }

    #[test]
    fn it_falls_as_plays_under_way_cost_more() {
        let at = |so_far| dollars(&[4, 10], &[so_far], 3).expect("some ended, some are left");
        assert!(at(1) > at(3) && at(5) > at(9), "{} {}", at(5), at(9));
        assert_eq!(at(9), 1.0);
    }

    #[test]
    fn nothing_is_said_without_a_play_that_ended_or_when_nothing_is_left() {
        assert_eq!(dollars(&[], &[2, 3], 5), None);
        assert_eq!(dollars(&[2, 3], &[], 2), None);
        assert_eq!(dollars(&[0, 0], &[0], 5), None, "nothing costs anything");
    }

    #[test]
    fn what_is_not_known_of_any_play_makes_it_a_part() {
        let mut under_way = plays(&[1]);
        under_way[0].unknown = 2;
        let ahead = |under_way: &[Amount]| {
            ahead(&plays(&[4]), under_way, 2).expect("one ended, one is left")
        };
        assert!(!ahead(&under_way).is_all);
        under_way[0].unknown = 0;
        assert!(ahead(&under_way).is_all);
    }
}
