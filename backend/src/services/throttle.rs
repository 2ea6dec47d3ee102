//! How many calls a service gets at once: as many as the operator allows, and fewer as long as it asks for that.
//!
//! A service that asks for fewer calls (429) gets half as many from then on, and none before the time is over that it asked
//! for. With as many answers as it gets calls at once, it gets one more, until it has what the operator allows. One such
//! moment counts once, however many calls were on their way.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::time::Instant;
use turnwise_shared::effect::FailureClass;
use turnwise_shared::wire::budgets::PaceChange;

use super::ProviderError;
use super::gate::{Gate, Pass};

/// How many changes wait to be written down; older ones are forgotten.
const UNWRITTEN: usize = 256;

/// The longest that a service is left alone at its word.
const LONGEST: Duration = Duration::from_secs(120);

#[derive(Debug)]
pub struct Throttle {
    service: String,
    most: usize,
    gate: Arc<Gate>,
    pace: Mutex<Pace>,
}

#[derive(Debug)]
struct Pace {
    limit: usize,
    /// Answers since the limit changed.
    answers: usize,
    /// When the limit was cut last.
    cut: Option<Instant>,
    /// Nothing goes out before.
    rest: Option<Instant>,
    unwritten: VecDeque<PaceChange>,
}

/// A call is on its way to the service.
#[derive(Debug)]
pub struct OnItsWay {
    _pass: Pass,
    since: Instant,
}

impl Throttle {
    /// A service that may get `most` calls at once.
    pub fn new(service: impl Into<String>, most: usize) -> Self {
        let most = most.max(1);
        Throttle {
            service: service.into(),
            most,
            gate: Gate::new(most),
            pace: Mutex::new(Pace {
                limit: most,
                answers: 0,
                cut: None,
                rest: None,
                unwritten: VecDeque::new(),
            }),
        }
    }

    /// Waits until a call may go out.
    pub async fn enter(&self) -> OnItsWay {
        loop {
            let pass = self.gate.enter().await;
            let rest = self.lock().rest;
            match rest {
                Some(until) if until > Instant::now() => {
                    // Others wait behind it, which is what the service asked for.
                    tokio::time::sleep_until(until).await;
                    drop(pass);
                }
                _ => {
                    return OnItsWay { _pass: pass, since: Instant::now() };
                }
            }
        }
    }

    /// Hears what a call came to, `now` in milliseconds since 1970.
    pub fn heard<T>(&self, call: &OnItsWay, outcome: &Result<T, ProviderError>, now: u64) {
        let mut pace = self.lock();
        match outcome {
            Ok(_) => self.answered(&mut pace, now),
            Err(miss) if miss.failure.class == FailureClass::RateLimited => {
                self.asked_for_fewer(&mut pace, call.since, miss.retry_after, now);
            }
            Err(_) => {}
        }
    }

    /// Changes that were not written down yet.
    pub fn take_changes(&self) -> Vec<PaceChange> {
        self.lock().unwritten.drain(..).collect()
    }

    fn answered(&self, pace: &mut Pace, now: u64) {
        if pace.limit == self.most {
            return;
        }
        pace.answers += 1;
        if pace.answers >= pace.limit {
            pace.answers = 0;
            pace.limit += 1;
            self.gate.set_limit(pace.limit);
            if pace.limit == self.most || pace.limit.is_power_of_two() {
                self.note(pace, None, now);
            }
        }
    }

    fn asked_for_fewer(&self, pace: &mut Pace, since: Instant, wait: Option<Duration>, now: u64) {
        if let Some(wait) = wait {
            let until = Instant::now() + wait.min(LONGEST);
            pace.rest = Some(pace.rest.map_or(until, |rest| rest.max(until)));
        }
        // What was on its way before the last cut tells nothing about the limit that it set.
        if pace.cut.is_some_and(|cut| since < cut) {
            return;
        }
        pace.cut = Some(Instant::now());
        pace.answers = 0;
        pace.limit = (pace.limit / 2).max(1);
        self.gate.set_limit(pace.limit);
        self.note(pace, wait, now);
    }

    fn note(&self, pace: &mut Pace, wait: Option<Duration>, now: u64) {
        if pace.unwritten.len() == UNWRITTEN {
            pace.unwritten.pop_front();
        }
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        pace.unwritten.push_back(PaceChange {
            service: self.service.clone(),
            at: now,
            limit: small(pace.limit),
            most: small(self.most),
            wait: wait.map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)),
        });
    }

    fn lock(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(|broken| broken.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn too_many(wait: Option<u64>) -> Result<(), ProviderError> {
        let mut miss = ProviderError::new(FailureClass::RateLimited, "fewer");
        miss.retry_after = wait.map(Duration::from_secs);
        Err(miss)
    }

    fn limits(throttle: &Throttle) -> Vec<u32> {
        let changes = throttle.take_changes();
        changes.iter().map(|change| change.limit).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn a_service_that_asks_for_fewer_gets_half_once_a_moment() {
        let throttle = Throttle::new("up", 16);
        let mut calls = Vec::new();
        for _ in 0..8 {
            calls.push(throttle.enter().await);
        }
        tokio::time::advance(Duration::from_millis(10)).await;
        for call in &calls {
            throttle.heard(call, &too_many(None), 1);
        }
        assert_eq!(limits(&throttle), [8], "eight refusals of one moment");
        drop(calls);
        tokio::time::advance(Duration::from_millis(10)).await;
        let call = throttle.enter().await;
        throttle.heard(&call, &too_many(None), 2);
        assert_eq!(limits(&throttle), [4]);
    }

    #[tokio::test(start_paused = true)]
    async fn it_gets_more_again_one_at_a_time() {
        let throttle = Throttle::new("up", 6);
        let call = throttle.enter().await;
        throttle.heard(&call, &too_many(None), 1);
        drop(call);
        for _ in 0..3 + 4 + 5 {
            let call = throttle.enter().await;
            throttle.heard(&call, &Ok::<_, ProviderError>(()), 2);
        }
        assert_eq!(limits(&throttle), [3, 4, 6]);
        assert_eq!(throttle.gate.limit(), 6);
        let call = throttle.enter().await;
        throttle.heard(&call, &Ok::<_, ProviderError>(()), 3);
        assert!(limits(&throttle).is_empty(), "never more than the operator allows");
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_goes_out_while_it_wants_to_be_left_alone() {
        let throttle = Throttle::new("up", 4);
        let call = throttle.enter().await;
        throttle.heard(&call, &too_many(Some(7)), 1);
        drop(call);
        let before = Instant::now();
        let first = throttle.enter().await;
        assert!(before.elapsed() >= Duration::from_secs(7));
        drop(first);
        let before = Instant::now();
        drop(throttle.enter().await);
        assert_eq!(before.elapsed(), Duration::ZERO);
    }
}
