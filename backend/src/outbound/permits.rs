//! How many calls of a run are made at once: the page says how many, and sends a few more, which wait here. So a permit that
//! becomes free is used at once, however long the page takes to hear of it.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, Weak};

use turnwise_shared::prelude::*;
use turnwise_shared::run::limits;

use crate::services::gate::{Gate, Pass};

/// The permits of a run, shared by all that make its calls.
#[derive(Debug)]
pub struct Permits {
    all: Arc<Gate>,
    lanes: BTreeMap<String, Arc<Gate>>,
}

/// A call may be made; dropping it gives the permits back.
#[derive(Debug)]
pub struct Permit {
    _lane: Option<Pass>,
    _all: Pass,
}

impl Permits {
    /// `in_flight` permits, divided among the seats as the run's benchmark has it.
    fn new(spec: &Spec, in_flight: u32) -> Self {
        let limits = divided(spec, in_flight);
        Permits {
            all: Gate::new(limits.0),
            lanes: limits.1.into_iter().map(|(lane, limit)| (lane, Gate::new(limit))).collect(),
        }
    }

    /// From now on `in_flight` permits; 0 makes every call wait that has not gone out.
    pub fn set(&self, spec: &Spec, in_flight: u32) {
        let (all, lanes) = divided(spec, in_flight);
        for (lane, gate) in &self.lanes {
            gate.set_limit(lanes.get(lane).copied().unwrap_or(all));
        }
        self.all.set_limit(all);
    }

    /// Waits until a call of a lane may be made.
    pub async fn take(&self, lane: &str) -> Permit {
        let lane = match self.lanes.get(lane) {
            Some(gate) => Some(gate.enter().await),
            None => None,
        };
        Permit { _lane: lane, _all: self.all.enter().await }
    }
}

fn divided(spec: &Spec, in_flight: u32) -> (usize, BTreeMap<String, usize>) {
    let permits = usize::try_from(in_flight).unwrap_or(usize::MAX);
    let Ok(benchmark) = registry::find(&spec.benchmark) else {
        return (permits, BTreeMap::new());
    };
    let limits = limits(benchmark, spec, permits, &BTreeMap::new());
    match permits {
        0 => (0, limits.lanes.into_keys().map(|lane| (lane, 0)).collect()),
        _ => (limits.in_flight, limits.lanes),
    }
}

/// The permits of all runs of which calls are made now.
#[derive(Debug, Default)]
pub struct AllPermits(Mutex<HashMap<RunId, Weak<Permits>>>);

impl AllPermits {
    /// Those of a run, made or changed to `in_flight`.
    pub fn of(&self, run: &RunId, spec: &Spec, in_flight: u32) -> Arc<Permits> {
        let mut all = self.0.lock().unwrap_or_else(|broken| broken.into_inner());
        if let Some(permits) = all.get(run).and_then(Weak::upgrade) {
            permits.set(spec, in_flight);
            return permits;
        }
        all.retain(|_, permits| permits.strong_count() > 0);
        let permits = Arc::new(Permits::new(spec, in_flight));
        all.insert(run.clone(), Arc::downgrade(&permits));
        permits
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;
    use turnwise_shared::benchmark::default_spec;
    use turnwise_shared::examples::{QUESTIONS, WORLDS};
    use turnwise_shared::registry;

    use super::*;

    #[tokio::test]
    async fn a_run_has_its_permits_whoever_makes_its_calls() {
        let spec = default_spec(registry::find(QUESTIONS).expect("it is registered"));
        let (one, other) = (RunId::new([1; 16]), RunId::new([2; 16]));
        let all = AllPermits::default();
        let permits = all.of(&one, &spec, 2);
        let held = [permits.take("player").await, permits.take("grader").await];
        let again = all.of(&one, &spec, 2);
        assert!(again.take("player").now_or_never().is_none());
        assert!(all.of(&other, &spec, 1).take("player").now_or_never().is_some());
        let [first, second] = held;
        drop(first);
        assert!(again.take("player").now_or_never().is_some());
        again.set(&spec, 0);
        drop(second);
        assert!(again.take("player").now_or_never().is_none(), "it rests");
        again.set(&spec, 1);
        assert!(again.take("player").now_or_never().is_some());
    }

    #[tokio::test]
    async fn seats_that_wait_for_each_other_have_permits_of_their_own() {
        let mut spec = default_spec(registry::find(WORLDS).expect("it is registered"));
        for sitting in spec.seats.values_mut() {
            sitting.player = "model:up/m".parse().expect("a seat");
        }
        let permits = Permits::new(&spec, 1);
        let player = permits.take("player").await;
        assert!(permits.take("player").now_or_never().is_none());
        assert!(permits.take("engine").now_or_never().is_some());
        drop(player);
        assert!(permits.take("player").now_or_never().is_some());
    }
}
