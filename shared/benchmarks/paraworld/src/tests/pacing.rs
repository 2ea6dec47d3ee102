//! In which order and how fast the authors' engines call (specification 6), in simulated time. Ours go by
//! [`turnwise_core::scheduler`]; this is what that is compared with (`cargo bench --bench schedules`).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// A turn as the reference runs it: the player's call and the engine's, under one permit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// Which episode, from 0.
    pub episode: usize,
    /// Which of its turns, from 0.
    pub turn: usize,
    /// When it begins, in the unit of the durations.
    pub begins: u64,
    pub ends: u64,
}

/// The turns of episodes in the order in which the reference begins them. All first turns are queued at the start, a next
/// turn when the one before has ended; first in, first out; a permit is held for the whole turn. So every episode has its
/// first turn before any has its second. Turns that end at once go on in the order of their episodes. Without permits no
/// turn ever begins.
///
/// `durations` has how long each turn of each episode takes.
pub fn turns(durations: &[Vec<u64>], permits: usize) -> Vec<Turn> {
    let begun = durations.iter().enumerate();
    let mut queue: VecDeque<(usize, usize)> =
        begun.filter(|(_, turns)| !turns.is_empty()).map(|(episode, _)| (episode, 0)).collect();
    let mut flying: BinaryHeap<Reverse<(u64, usize, usize)>> = BinaryHeap::new();
    let mut order = Vec::new();
    let mut now = 0;
    loop {
        while flying.len() < permits
            && let Some((episode, turn)) = queue.pop_front()
        {
            let ends = now + durations[episode][turn];
            flying.push(Reverse((ends, episode, turn)));
            order.push(Turn { episode, turn, begins: now, ends });
        }
        let Some(Reverse((ends, ..))) = flying.peek().copied() else {
            return order;
        };
        now = ends;
        while let Some(Reverse((ends, episode, turn))) = flying.peek().copied()
            && ends == now
        {
            flying.pop();
            if turn + 1 < durations[episode].len() {
                queue.push_back((episode, turn + 1));
            }
        }
    }
}

/// When the reference's engines for services let requests go that all wait from the start, in seconds: one after the other,
/// each with a token of a bucket that holds twice `per_second` at most, whole ones, and of one that holds `per_minute`.
/// Both are full at the start. `None` where they never go: below half a request a second the first bucket holds nothing.
pub fn released(requests: usize, per_second: f64, per_minute: Option<u32>) -> Option<Vec<f64>> {
    let mut buckets = vec![Bucket::full((2.0 * per_second).floor(), per_second)];
    buckets.extend(per_minute.map(|most| Bucket::full(f64::from(most), f64::from(most) / 60.0)));
    if buckets.iter().any(|bucket| bucket.capacity < 1.0) {
        return None;
    }
    let mut now = 0.0;
    let one = |_| {
        for bucket in &mut buckets {
            now = bucket.take(now);
        }
        now
    };
    Some((0..requests).map(one).collect())
}

/// Tokens that come back in time.
struct Bucket {
    capacity: f64,
    /// Tokens a second.
    rate: f64,
    tokens: f64,
    /// When it held that many.
    at: f64,
}

impl Bucket {
    fn full(capacity: f64, rate: f64) -> Self {
        Bucket { capacity, rate, tokens: capacity, at: 0.0 }
    }

    /// Takes a token, as soon as there is one, and says when that is.
    fn take(&mut self, now: f64) -> f64 {
        let back = (now - self.at) * self.rate;
        self.tokens = (self.tokens + back).min(self.capacity);
        let wait = ((1.0 - self.tokens) / self.rate).max(0.0);
        self.tokens = self.tokens + wait * self.rate - 1.0;
        self.at = now + wait;
        self.at
    }
}

/// Specification 6: two permits, four episodes of three turns, the first three times as slow.
#[test]
fn golden_order() {
    let durations = [3, 1, 1, 1].map(|one| vec![one; 3]);
    let names: Vec<String> = turns(&durations, 2)
        .iter()
        .map(|one| format!("{}{}", ["A", "B", "C", "D"][one.episode], one.turn + 1))
        .collect();
    assert_eq!(names.join(" "), "A1 B1 C1 D1 B2 C2 A2 D2 B3 C3 D3 A3");
    assert!(turns(&durations, 0).is_empty() && turns(&[vec![]], 1).is_empty());
}

/// Specification 6: twelve requests at five a second.
#[test]
fn golden_releases() {
    let found = released(12, 5.0, None).expect("they go");
    let mut wanted = vec![0.0; 10];
    wanted.extend([0.2, 0.4]);
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((found - wanted).abs() < 1e-9, "{found} {wanted}");
    }
    // Fewer than half a request a second never begin.
    assert_eq!(released(1, 0.49, None), None);
    assert_eq!(released(1, 0.5, None), Some(vec![0.0]));
    // Three a minute: the fourth waits for a third of one.
    let found = released(4, 5.0, Some(3)).expect("they go");
    assert_eq!(found[..3], [0.0; 3]);
    assert!((found[3] - 20.0).abs() < 1e-9, "{found:?}");
}
