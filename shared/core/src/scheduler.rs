//! The turn-level scheduler: which episode starts, and which call goes out next. It owns no clock and makes no call.
//!
//! Calls, not episodes, are what is limited: an episode that waits for its turn holds no permit. Each lane (a seat, the
//! search engine) has permits of its own where it needs them, and all share the run's. The rules:
//!
//! - the episode that is furthest goes first, so that episodes which are under way come to an end, results come early and
//!   little is lost in a crash; among equals the call that has waited longest. A grading is as far as its episode was;
//! - but no call is passed over more than [`Limits::patience`] times, by whichever lane: then the longest waiting goes first,
//!   so no call starves;
//! - started episodes go before new ones; a new one starts only while fewer than `window` are under way, so that memory
//!   stays small, yet enough are under way that permits never idle.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::effect::CallId;

/// An episode's number in its run.
pub type Index = usize;

/// What should be done next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Start(Index),
    Send(Index, CallId),
    /// Nothing can be done before something is answered, offered or resumed.
    Idle,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Calls in flight at once, over all lanes; at least 1.
    pub in_flight: usize,
    /// Calls in flight at once by lane; an absent lane has no limit of its own.
    pub lanes: BTreeMap<String, usize>,
    /// Episodes under way at once; at least `in_flight`.
    pub window: usize,
    /// How many calls may be sent before one that was offered earlier and whose lane had a free permit.
    pub patience: u64,
}

impl Limits {
    /// This many calls in flight, four times as many episodes under way, and a patience of as many calls as are in flight:
    /// the shortest run that `cargo bench --bench schedules` found among windows that still bring results early.
    pub fn new(in_flight: usize) -> Self {
        let in_flight = in_flight.max(1);
        Limits {
            in_flight,
            lanes: BTreeMap::new(),
            window: 4 * in_flight,
            patience: in_flight as u64,
        }
    }

    /// This many calls in flight of every lane, each with permits of its own: for seats that wait for each other but
    /// are served by different machines, as a player and the engine that it searches.
    pub fn each<'a>(permits: usize, lanes: impl IntoIterator<Item = &'a str>) -> Self {
        let permits = permits.max(1);
        let lanes: BTreeMap<String, usize> =
            lanes.into_iter().map(|lane| (lane.to_owned(), permits)).collect();
        Limits { lanes: lanes.clone(), ..Limits::new(permits * lanes.len().max(1)) }
    }
}

/// How the permits of a run are divided among its seats.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Permits {
    /// All seats share them.
    #[default]
    Shared,
    /// Every seat has as many of its own.
    EachSeat,
}

/// The calls of a lane that wait, in both orders.
#[derive(Debug, Clone, Default)]
struct Queue {
    /// Calls of any lane that were sent while this one had a free permit.
    sent: u64,
    by_rank: BTreeSet<(Rank, Waiting)>,
    by_age: BTreeMap<Waiting, Rank>,
}

/// Whether a call can be passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    PatienceOver,
    Ordinary,
}

/// Calls that the episode has behind it; more goes first.
type Rank = Reverse<u32>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    /// When it was offered, counted in offers.
    since: u64,
    /// [`Queue::sent`] as it was then.
    sent_before: u64,
    episode: Index,
    call: CallId,
}

impl Queue {
    fn insert(&mut self, rank: Rank, waiting: Waiting) {
        self.by_rank.insert((rank, waiting));
        self.by_age.insert(waiting, rank);
    }

    fn remove(&mut self, waiting: &Waiting) {
        if let Some(rank) = self.by_age.remove(waiting) {
            self.by_rank.remove(&(rank, *waiting));
        }
    }

    fn forget(&mut self, episode: Index) {
        self.by_rank.retain(|(_, waiting)| waiting.episode != episode);
        self.by_age.retain(|waiting, _| waiting.episode != episode);
    }

    fn clear(&mut self) {
        self.by_rank.clear();
        self.by_age.clear();
    }

    fn oldest(&self) -> Option<Waiting> {
        self.by_age.first_key_value().map(|(waiting, _)| *waiting)
    }

    fn furthest(&self) -> Option<(Rank, Waiting)> {
        self.by_rank.first().copied()
    }
}

#[derive(Debug, Clone)]
pub struct Scheduler {
    limits: Limits,
    unstarted: VecDeque<Index>,
    under_way: BTreeSet<Index>,
    waiting: BTreeMap<String, Queue>,
    in_flight: BTreeMap<(Index, CallId), String>,
    in_lane: BTreeMap<String, usize>,
    /// Calls that episodes under way have behind them.
    done: BTreeMap<Index, u32>,
    offers: u64,
    paused: bool,
}

impl Scheduler {
    pub fn new(limits: Limits) -> Self {
        Scheduler {
            limits,
            unstarted: VecDeque::new(),
            under_way: BTreeSet::new(),
            waiting: BTreeMap::new(),
            in_flight: BTreeMap::new(),
            in_lane: BTreeMap::new(),
            done: BTreeMap::new(),
            offers: 0,
            paused: false,
        }
    }

    /// An episode that is to be started some time.
    pub fn add(&mut self, episode: Index) {
        self.unstarted.push_back(episode);
    }

    /// An episode that is under way already and has this many calls behind it: a grading, which goes on where its episode has
    /// ended, or one that is resumed. If it is adopted twice, both counts are added.
    pub fn adopt(&mut self, episode: Index, behind: u32) {
        self.unstarted.retain(|waiting| *waiting != episode);
        self.under_way.insert(episode);
        *self.done.entry(episode).or_default() += behind;
    }

    /// An episode wants to make a call.
    pub fn offer(&mut self, episode: Index, call: CallId, lane: &str) {
        self.offers += 1;
        let rank = Reverse(self.done.get(&episode).copied().unwrap_or(0));
        let queue = self.waiting.entry(lane.to_owned()).or_default();
        let waiting = Waiting { since: self.offers, sent_before: queue.sent, episode, call };
        queue.insert(rank, waiting);
    }

    /// A call came back; its permit is free.
    pub fn answered(&mut self, episode: Index, call: CallId) {
        if let Some(lane) = self.in_flight.remove(&(episode, call))
            && let Some(count) = self.in_lane.get_mut(&lane)
        {
            *count -= 1;
            *self.done.entry(episode).or_default() += 1;
        }
    }

    /// An episode is over; calls of its that still wait or fly are forgotten. Returns how many calls it has behind it.
    pub fn finished(&mut self, episode: Index) -> u32 {
        self.under_way.remove(&episode);
        for queue in self.waiting.values_mut() {
            queue.forget(episode);
        }
        let flying: Vec<_> = self
            .in_flight
            .range((episode, CallId(0))..=(episode, CallId(u32::MAX)))
            .map(|(key, _)| *key)
            .collect();
        for (episode, call) in flying {
            self.answered(episode, call);
        }
        self.done.remove(&episode).unwrap_or(0)
    }

    /// Sends and starts nothing until [`Scheduler::resume`]; calls in flight come back as usual.
    pub fn pause(&mut self) {
        self.paused = true;
    }

    /// Goes on after a pause.
    pub fn resume(&mut self) {
        self.paused = false;
    }

    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Forgets everything that has not started, and every call that has not been sent.
    pub fn clear(&mut self) {
        self.unstarted.clear();
        self.waiting.values_mut().for_each(Queue::clear);
    }

    /// Whether a call is in flight.
    pub fn flies(&self, episode: Index, call: CallId) -> bool {
        self.in_flight.contains_key(&(episode, call))
    }

    pub fn flying(&self) -> usize {
        self.in_flight.len()
    }

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
            && let Some((lane, waiting)) = self.next_waiting()
        {
            if let Some(queue) = self.waiting.get_mut(&lane) {
                queue.remove(&waiting);
            }
            let (limits, in_lane) = (&self.limits, &self.in_lane);
            let free = |name: &str| has_permit(limits, in_lane, name);
            for (_, queue) in self.waiting.iter_mut().filter(|(name, _)| free(name)) {
                queue.sent += 1;
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

    /// The call that goes next among lanes with a free permit: one whose patience is over, the oldest first; else that of the
    /// episode that is furthest.
    fn next_waiting(&self) -> Option<(String, Waiting)> {
        let free =
            self.waiting.iter().filter(|(lane, _)| has_permit(&self.limits, &self.in_lane, lane));
        let (_, _, waiting, lane) = free
            .filter_map(|(lane, queue)| {
                let oldest = queue.oldest()?;
                if queue.sent - oldest.sent_before >= self.limits.patience {
                    return Some((Urgency::PatienceOver, Reverse(0), oldest, lane));
                }
                let (rank, furthest) = queue.furthest()?;
                Some((Urgency::Ordinary, rank, furthest, lane))
            })
            .min()?;
        Some((lane.clone(), waiting))
    }
}

fn has_permit(limits: &Limits, in_lane: &BTreeMap<String, usize>, lane: &str) -> bool {
    let limit = limits.lanes.get(lane).copied().unwrap_or(usize::MAX);
    in_lane.get(lane).copied().unwrap_or(0) < limit
}
