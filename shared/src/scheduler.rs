//! The turn-level scheduler: which episode starts, and which call goes out next. It owns no clock and makes no call.
//!
//! Calls, not episodes, are what is limited: an episode that waits for its turn holds no permit. Each lane (a seat, the
//! search engine) has permits of its own where it needs them, and all share the run's. The rules:
//!
//! - the call that has waited longest goes first, so nobody starves (the age bound is the queue itself);
//! - started episodes go before new ones; a new one starts only while fewer than `window` are under way, so that results
//!   come early and memory stays small, yet enough are under way that permits never idle.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::episode::CallId;

/// An episode's number in its run.
pub type Index = usize;

/// What should be done next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Open this episode.
    Start(Index),
    /// Send this call.
    Send(Index, CallId),
    /// Nothing can be done before something is answered, offered or resumed.
    Idle,
}

/// Limits of a scheduler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Calls in flight at once, over all lanes; at least 1.
    pub in_flight: usize,
    /// Calls in flight at once by lane; an absent lane has no limit of its own.
    pub lanes: BTreeMap<String, usize>,
    /// Episodes under way at once; at least `in_flight`.
    pub window: usize,
}

impl Limits {
    /// So many calls in flight, and half as many episodes again under way: enough that a permit which comes free finds a
    /// call waiting.
    pub fn new(in_flight: usize) -> Self {
        let in_flight = in_flight.max(1);
        Limits {
            in_flight,
            lanes: BTreeMap::new(),
            window: in_flight + in_flight.div_ceil(2),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    /// When it was offered, counted in offers.
    since: u64,
    episode: Index,
    call: CallId,
}

/// See the module's head.
#[derive(Debug, Clone)]
pub struct Scheduler {
    limits: Limits,
    unstarted: VecDeque<Index>,
    under_way: BTreeSet<Index>,
    waiting: BTreeMap<String, BTreeSet<Waiting>>,
    in_flight: BTreeMap<(Index, CallId), String>,
    in_lane: BTreeMap<String, usize>,
    offers: u64,
    paused: bool,
}

impl Scheduler {
    /// A scheduler without episodes.
    pub fn new(limits: Limits) -> Self {
        Scheduler {
            limits,
            unstarted: VecDeque::new(),
            under_way: BTreeSet::new(),
            waiting: BTreeMap::new(),
            in_flight: BTreeMap::new(),
            in_lane: BTreeMap::new(),
            offers: 0,
            paused: false,
        }
    }

    /// An episode that is to be started some time.
    pub fn add(&mut self, episode: Index) {
        self.unstarted.push_back(episode);
    }

    /// An episode that is under way already: a grading after its play, or one that is resumed.
    pub fn adopt(&mut self, episode: Index) {
        self.unstarted.retain(|waiting| *waiting != episode);
        self.under_way.insert(episode);
    }

    /// An episode wants to make a call.
    pub fn offer(&mut self, episode: Index, call: CallId, lane: &str) {
        self.offers += 1;
        self.waiting
            .entry(lane.to_owned())
            .or_default()
            .insert(Waiting {
                since: self.offers,
                episode,
                call,
            });
    }

    /// A call came back; its permit is free.
    pub fn answered(&mut self, episode: Index, call: CallId) {
        if let Some(lane) = self.in_flight.remove(&(episode, call))
            && let Some(count) = self.in_lane.get_mut(&lane)
        {
            *count -= 1;
        }
    }

    /// An episode is over; calls of its that still wait or fly are forgotten.
    pub fn finished(&mut self, episode: Index) {
        self.under_way.remove(&episode);
        for queue in self.waiting.values_mut() {
            queue.retain(|waiting| waiting.episode != episode);
        }
        let flying: Vec<_> = self
            .in_flight
            .range((episode, CallId(0))..=(episode, CallId(u32::MAX)))
            .map(|(key, _)| *key)
            .collect();
        for (episode, call) in flying {
            self.answered(episode, call);
        }
    }

    /// Sends and starts nothing until [`Scheduler::resume`]; calls in flight come back as usual.
    pub fn pause(&mut self) {
        self.paused = true;
    }

    /// Goes on after a pause.
    pub fn resume(&mut self) {
        self.paused = false;
    }

    /// Whether it is paused.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Forgets everything that has not started, and every call that has not been sent.
    pub fn clear(&mut self) {
        self.unstarted.clear();
        self.waiting.clear();
    }

    /// Changes how many calls may be in flight at once.
    pub fn set_in_flight(&mut self, in_flight: usize) {
        self.limits = Limits {
            lanes: std::mem::take(&mut self.limits.lanes),
            ..Limits::new(in_flight)
        };
    }

    /// Calls in flight now.
    pub fn flying(&self) -> usize {
        self.in_flight.len()
    }

    /// Episodes under way now.
    pub fn under_way(&self) -> usize {
        self.under_way.len()
    }

    /// Episodes that have not started.
    pub fn unstarted(&self) -> usize {
        self.unstarted.len()
    }

    /// What should be done next; the permit of a `Send` is taken.
    pub fn decide(&mut self) -> Decision {
        if self.paused {
            return Decision::Idle;
        }
        if self.in_flight.len() < self.limits.in_flight
            && let Some((lane, waiting)) = self.longest_waiting()
        {
            if let Some(queue) = self.waiting.get_mut(&lane) {
                queue.remove(&waiting);
            }
            *self.in_lane.entry(lane.clone()).or_default() += 1;
            self.in_flight.insert((waiting.episode, waiting.call), lane);
            return Decision::Send(waiting.episode, waiting.call);
        }
        if self.under_way.len() < self.limits.window
            && let Some(episode) = self.unstarted.pop_front()
        {
            self.under_way.insert(episode);
            return Decision::Start(episode);
        }
        Decision::Idle
    }

    fn longest_waiting(&self) -> Option<(String, Waiting)> {
        self.waiting
            .iter()
            .filter(|(lane, _)| {
                let limit = self.limits.lanes.get(*lane).copied().unwrap_or(usize::MAX);
                self.in_lane.get(*lane).copied().unwrap_or(0) < limit
            })
            .filter_map(|(lane, queue)| Some((lane, queue.first()?)))
            .min_by_key(|(_, waiting)| waiting.since)
            .map(|(lane, waiting)| (lane.clone(), waiting.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_lanes() -> Scheduler {
        let mut limits = Limits::new(2);
        limits.lanes.insert("search".into(), 1);
        Scheduler::new(limits)
    }

    #[test]
    fn longest_waiting_first_within_permits() {
        let mut scheduler = two_lanes();
        (0..4).for_each(|episode| scheduler.add(episode));
        assert_eq!(
            (0..4).map(|_| scheduler.decide()).collect::<Vec<_>>(),
            [
                Decision::Start(0),
                Decision::Start(1),
                Decision::Start(2),
                Decision::Idle
            ]
        );
        scheduler.offer(1, CallId(1), "search");
        scheduler.offer(0, CallId(1), "search");
        scheduler.offer(2, CallId(1), "player");
        assert_eq!(scheduler.decide(), Decision::Send(1, CallId(1)));
        // The search lane is full, so the player's call goes before the older search.
        assert_eq!(scheduler.decide(), Decision::Send(2, CallId(1)));
        assert_eq!(scheduler.decide(), Decision::Idle);
        scheduler.answered(1, CallId(1));
        assert_eq!(scheduler.decide(), Decision::Send(0, CallId(1)));
    }

    #[test]
    fn a_finished_episode_frees_everything_it_held() {
        let mut scheduler = two_lanes();
        scheduler.add(0);
        scheduler.add(1);
        assert_eq!(scheduler.decide(), Decision::Start(0));
        scheduler.offer(0, CallId(1), "search");
        scheduler.offer(0, CallId(2), "search");
        assert_eq!(scheduler.decide(), Decision::Send(0, CallId(1)));
        scheduler.finished(0);
        assert_eq!((scheduler.flying(), scheduler.under_way()), (0, 0));
        assert_eq!(scheduler.decide(), Decision::Start(1));
        assert_eq!(scheduler.decide(), Decision::Idle);
    }

    #[test]
    fn a_pause_sends_nothing() {
        let mut scheduler = two_lanes();
        scheduler.add(0);
        scheduler.pause();
        assert_eq!(scheduler.decide(), Decision::Idle);
        scheduler.resume();
        assert_eq!(scheduler.decide(), Decision::Start(0));
    }
}
