//! Bytes that clients make the server hold: one budget for the unfinished messages, request bodies and unread replies of all of
//! them. A limit for each alone is none: a thousand clients that hold a megabyte each hold a gigabyte. Nor is one for all alone: a
//! client who has shown no token has a share of it, and a part is kept for those who have.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use turnwise_shared::wire::MAX_REQUEST_BYTES;

use super::network;

/// Bytes that each request and each connection may hold beside the budget, so that small messages get through however much
/// others hold. The number of connections bounds their sum.
pub const OWN: usize = 64 * 1024;

/// One client without a token may take so much of the budget: an eighth, but one request of the largest size.
const SHARE: usize = 8;

/// All of them together leave so much: a quarter is kept for those who have a token.
const KEPT: usize = 4;

/// Above this many clients, those that hold nothing are forgotten.
const MANY_CLIENTS: usize = 1024;

/// The budget. Clones share it.
#[derive(Debug, Clone)]
pub struct ByteBudget(Arc<Budget>);

#[derive(Debug)]
struct Budget {
    bytes: usize,
    all: Arc<Semaphore>,
    /// What of it is left for clients without a token.
    strangers: Arc<Semaphore>,
    /// What each of these has left, as long as it holds anything.
    shares: Mutex<HashMap<IpAddr, Weak<Semaphore>>>,
}

/// What bytes are taken out of: the budget alone, or also the part of clients without a token, and the share of one of them.
#[derive(Debug, Clone)]
pub struct Allowance(Vec<Arc<Semaphore>>);

/// Bytes that were taken, until this is dropped.
#[derive(Debug)]
pub struct Taken(Vec<OwnedSemaphorePermit>);

impl ByteBudget {
    /// A budget of `bytes` bytes.
    pub fn new(bytes: usize) -> Self {
        let bytes = bytes.min(Semaphore::MAX_PERMITS);
        ByteBudget(Arc::new(Budget {
            bytes,
            all: Arc::new(Semaphore::new(bytes)),
            strangers: Arc::new(Semaphore::new(bytes - bytes / KEPT)),
            shares: Mutex::default(),
        }))
    }

    /// How many bytes are charged now.
    pub fn charged(&self) -> usize {
        self.0.bytes.saturating_sub(self.0.all.available_permits())
    }

    /// For clients that have shown a token.
    pub fn of_known(&self) -> Allowance {
        Allowance(vec![Arc::clone(&self.0.all)])
    }

    /// For a client who has not.
    pub fn of_stranger(&self, client: IpAddr) -> Allowance {
        let mut shares = self.0.shares.lock().unwrap_or_else(PoisonError::into_inner);
        if shares.len() > MANY_CLIENTS {
            shares.retain(|_, share| share.strong_count() > 0);
        }
        let known = shares.entry(network(client)).or_default();
        let share = known.upgrade().unwrap_or_else(|| {
            let bytes = (self.0.bytes / SHARE).max(MAX_REQUEST_BYTES.min(self.0.bytes));
            Arc::new(Semaphore::new(bytes))
        });
        *known = Arc::downgrade(&share);
        Allowance(vec![Arc::clone(&self.0.all), Arc::clone(&self.0.strangers), share])
    }
}

impl Allowance {
    pub fn holding(&self) -> Holding {
        Holding { allowance: self.clone(), bytes: 0, charged: None }
    }

    /// Room for what one connection sends.
    pub fn outbox(&self) -> Outbox {
        Outbox { own: Arc::new(Semaphore::new(OWN)), allowance: self.clone() }
    }

    fn try_take(&self, bytes: usize) -> Option<Taken> {
        let bytes = u32::try_from(bytes).ok()?;
        let permits = self.0.iter();
        let permits = permits.map(|left| Arc::clone(left).try_acquire_many_owned(bytes).ok());
        permits.collect::<Option<_>>().map(Taken)
    }

    /// Waits until there is room for `bytes` bytes.
    pub async fn take(&self, bytes: usize) -> Taken {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let mut permits = Vec::with_capacity(self.0.len());
        // The narrowest first: a client that waits for its own share keeps nothing from others.
        for left in self.0.iter().rev() {
            let permit = Arc::clone(left).acquire_many_owned(bytes).await;
            permits.push(permit.expect("nobody closes these semaphores"));
        }
        permits.reverse();
        Taken(permits)
    }
}

impl Taken {
    fn merge(&mut self, more: Taken) {
        for (permit, more) in self.0.iter_mut().zip(more.0) {
            permit.merge(more);
        }
    }

    /// The first `bytes` of them; the others are given back.
    fn first(mut self, bytes: usize) -> Option<Taken> {
        let permits = self.0.iter_mut();
        permits.map(|all| all.split(bytes)).collect::<Option<_>>().map(Taken)
    }
}

/// Bytes that one request or one connection makes the server hold; those beyond [`OWN`] are charged to the budget until this is
/// dropped.
#[derive(Debug)]
pub struct Holding {
    allowance: Allowance,
    bytes: usize,
    charged: Option<Taken>,
}

impl Holding {
    /// Holds `bytes` more, if the budget has room for them.
    #[must_use]
    pub fn grow(&mut self, bytes: usize) -> bool {
        let more = (self.bytes + bytes).saturating_sub(self.bytes.max(OWN));
        if more > 0 {
            let Some(taken) = self.allowance.try_take(more) else {
                return false;
            };
            match &mut self.charged {
                Some(charged) => charged.merge(taken),
                None => self.charged = Some(taken),
            }
        }
        self.bytes += bytes;
        true
    }

    pub fn shrink(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes);
        let charged = self.bytes.saturating_sub(OWN);
        self.charged =
            self.charged.take().filter(|_| charged > 0).and_then(|all| all.first(charged));
    }

    /// A token was shown: what is held is not taken out of a share any more.
    pub fn is_known(&mut self) {
        self.allowance.0.truncate(1);
        if let Some(Taken(permits)) = &mut self.charged {
            permits.truncate(1);
        }
    }

    pub fn clear(&mut self) {
        self.shrink(self.bytes);
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Room for the frames of one connection that are not sent yet: [`OWN`] bytes, and a larger frame only when the budget has room
/// for the rest of it. So a page that does not read makes the server hold one large frame at most.
#[derive(Debug, Clone)]
pub struct Outbox {
    own: Arc<Semaphore>,
    allowance: Allowance,
}

/// The room of one frame, until it is dropped.
#[derive(Debug)]
pub struct FrameRoom {
    #[expect(dead_code, reason = "it is given back when it is dropped")]
    own: OwnedSemaphorePermit,
    #[expect(dead_code, reason = "it is given back when it is dropped")]
    rest: Option<Taken>,
}

impl Outbox {
    /// Room for a frame of `bytes` bytes, if there is some now.
    pub fn try_take(&self, bytes: usize) -> Option<FrameRoom> {
        let (own, rest) = Self::parts(bytes);
        let own = Arc::clone(&self.own).try_acquire_many_owned(own).ok()?;
        let rest = match rest {
            0 => None,
            rest => Some(self.allowance.try_take(rest)?),
        };
        Some(FrameRoom { own, rest })
    }

    /// Waits for room for a frame of `bytes` bytes.
    pub async fn take(&self, bytes: usize) -> FrameRoom {
        let (own, rest) = Self::parts(bytes);
        let own = Arc::clone(&self.own).acquire_many_owned(own).await;
        let own = own.expect("nobody closes this semaphore");
        let rest = match rest {
            0 => None,
            rest => Some(self.allowance.take(rest).await),
        };
        FrameRoom { own, rest }
    }

    /// What a frame takes of the connection's own room, and what of the budget.
    fn parts(bytes: usize) -> (u32, usize) {
        let own = u32::try_from(bytes.min(OWN)).unwrap_or(u32::MAX);
        (own, bytes.saturating_sub(OWN))
    }
}

/// What comes in over one connection once it is a socket. Its transport counts the bytes of the message that is under way, and reads
/// no further when there are too many; the socket hears of it and says when a message is done with.
#[derive(Debug, Clone)]
pub struct Intake(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    refused: Notify,
}

#[derive(Debug)]
struct State {
    /// The most bytes of the message under way; `None` while the connection is no socket.
    most: Option<usize>,
    held: Holding,
    /// When its first byte came.
    since: Option<Instant>,
    refused: Option<Refused>,
}

/// Why no more is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The message is too large.
    TooLarge,
    /// The budget of all connections is used up.
    NoRoom,
}

impl Intake {
    /// That of a new connection.
    pub fn new(budget: &ByteBudget) -> Self {
        Intake(Arc::new(Shared {
            state: Mutex::new(State {
                most: None,
                held: budget.of_known().holding(),
                since: None,
                refused: None,
            }),
            refused: Notify::new(),
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The connection becomes a socket, or may say more than before: the next message has at most `most` bytes.
    pub fn allow(&self, most: usize) {
        let mut state = self.state();
        state.most = Some(most);
        state.since = None;
        state.held.clear();
    }

    /// What comes from now on is taken out of this.
    pub fn take_out_of(&self, allowance: &Allowance) {
        self.state().held = allowance.holding();
    }

    /// What came so far is done with.
    pub fn done(&self) {
        let mut state = self.state();
        state.since = None;
        state.held.clear();
    }

    /// Since when an unfinished message is on its way.
    pub fn since(&self) -> Option<Instant> {
        self.state().since
    }

    /// Returns when no more is read.
    pub async fn refused(&self) -> Refused {
        loop {
            let told = self.0.refused.notified();
            if let Some(refused) = self.state().refused {
                return refused;
            }
            told.await;
        }
    }

    /// Whether the transport may read further.
    pub(crate) fn is_open(&self) -> bool {
        let mut state = self.state();
        if let Some(most) = state.most
            && state.held.bytes() >= most
        {
            state.refused.get_or_insert(Refused::TooLarge);
        }
        let is_open = state.refused.is_none();
        drop(state);
        if !is_open {
            self.0.refused.notify_one();
        }
        is_open
    }

    /// The transport has read `bytes` bytes.
    pub(crate) fn came(&self, bytes: usize) {
        let mut state = self.state();
        if state.most.is_none() || bytes == 0 {
            return;
        }
        state.since.get_or_insert_with(Instant::now);
        if !state.held.grow(bytes) {
            state.refused.get_or_insert(Refused::NoRoom);
            drop(state);
            self.0.refused.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_holdings_cost_nothing_and_large_ones_share_the_budget() {
        let budget = ByteBudget::new(100);
        let mut first = budget.of_known().holding();
        assert!(first.grow(OWN) && first.grow(60));
        let mut second = budget.of_known().holding();
        assert!(second.grow(OWN), "small ones get through");
        assert!(!second.grow(41));
        assert!(second.grow(40));
        first.shrink(30);
        assert_eq!(budget.charged(), 70);
        assert!(second.grow(30));
        first.clear();
        assert_eq!((first.bytes(), budget.charged()), (0, 70));
        drop(second);
        assert_eq!(budget.charged(), 0);
        assert!(!budget.of_known().holding().grow(usize::MAX / 2));
    }

    #[test]
    fn a_client_without_a_token_has_a_share_and_a_part_is_kept_for_those_who_have_one() {
        const MB: usize = 1_000_000;
        let budget = ByteBudget::new(16 * MB);
        let [one, other] = ["10.0.0.1", "10.0.0.2"].map(|ip| ip.parse().expect("an address"));
        let stranger = |client| {
            let mut held = budget.of_stranger(client).holding();
            held.grow(OWN + MB).then_some(held)
        };
        let mut held: Vec<_> = (0..9).map_while(|_| stranger(one)).collect();
        assert_eq!(held.len(), 2, "an eighth");
        held.extend(stranger(other));
        assert_eq!(held.len(), 3, "another client");
        // Who has shown a token meanwhile has the share no longer.
        held[0].is_known();
        held.extend(stranger(one));
        assert_eq!((held.len(), budget.charged()), (4, 4 * MB));
        held[0].shrink(OWN);
        held[0].clear();
        assert_eq!(budget.charged(), 3 * MB);
        let many = (3..200).filter_map(|last| stranger([10, 0, 0, last].into()));
        held.extend(many);
        assert_eq!(budget.charged(), 12 * MB, "three quarters");
        let mut known = budget.of_known().holding();
        assert!(known.grow(OWN + 4 * MB) && !known.grow(1));
        drop((held, known));
        assert_eq!(budget.charged(), 0);
        // However small it is, one request of the largest size fits.
        let small = ByteBudget::new(2 * MB);
        assert!(small.of_stranger(one).holding().grow(MAX_REQUEST_BYTES));
    }

    #[tokio::test]
    async fn one_large_frame_waits_at_a_time() {
        let budget = ByteBudget::new(1_000_000);
        let outbox = budget.of_known().outbox();
        let small = outbox.try_take(10).expect("there is room");
        assert!(outbox.try_take(500_000).is_none());
        drop(small);
        let large = outbox.try_take(500_000).expect("there is room");
        assert!(outbox.try_take(1).is_none());
        let other = budget.of_known().outbox();
        assert!(other.try_take(700_000).is_none());
        assert!(other.try_take(OWN).is_some(), "small ones get through");
        drop(large);
        let _large = other.take(700_000).await;
    }

    #[tokio::test]
    async fn a_message_that_is_too_large_is_not_read_to_its_end() {
        let budget = ByteBudget::new(0);
        let intake = Intake::new(&budget);
        intake.came(10_000_000);
        assert!(intake.is_open() && intake.since().is_none(), "no socket");
        intake.allow(100);
        intake.came(99);
        assert!(intake.is_open() && intake.since().is_some());
        intake.came(1);
        assert!(!intake.is_open());
        assert_eq!(intake.refused().await, Refused::TooLarge);
        let other = Intake::new(&budget);
        other.allow(1_000_000);
        other.came(OWN);
        other.done();
        assert!(other.is_open() && other.since().is_none());
        other.came(OWN + 1);
        assert!(!other.is_open());
        assert_eq!(other.refused().await, Refused::NoRoom);
    }
}
