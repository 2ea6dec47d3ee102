//! Bytes that clients make the server hold: one budget for the unfinished messages, request bodies and unread replies of all of
//! them. A limit for each alone is none: a thousand clients that hold a megabyte each hold a gigabyte.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// Bytes that each request and each connection may hold beside the budget, so that small messages get through however much
/// others hold. The number of connections bounds their sum.
pub const OWN: usize = 64 * 1024;

/// The budget. Clones share it.
#[derive(Debug, Clone)]
pub struct ByteBudget {
    bytes: usize,
    left: Arc<Semaphore>,
}

impl ByteBudget {
    /// A budget of so many bytes.
    pub fn new(bytes: usize) -> Self {
        let bytes = bytes.min(Semaphore::MAX_PERMITS);
        ByteBudget {
            bytes,
            left: Arc::new(Semaphore::new(bytes)),
        }
    }

    /// How many bytes are charged now.
    pub fn charged(&self) -> usize {
        self.bytes.saturating_sub(self.left.available_permits())
    }

    /// An empty holding.
    pub fn holding(&self) -> Holding {
        Holding {
            budget: Arc::clone(&self.left),
            bytes: 0,
            charged: None,
        }
    }

    /// Room for what one connection sends.
    pub fn outbox(&self) -> Outbox {
        Outbox {
            own: Arc::new(Semaphore::new(OWN)),
            budget: Arc::clone(&self.left),
        }
    }
}

/// Bytes that one request or one connection makes the server hold; those beyond [`OWN`] are charged to the budget until this is
/// dropped.
#[derive(Debug)]
pub struct Holding {
    budget: Arc<Semaphore>,
    bytes: usize,
    charged: Option<OwnedSemaphorePermit>,
}

impl Holding {
    /// Holds so many more, if the budget has room for them.
    #[must_use]
    pub fn grow(&mut self, bytes: usize) -> bool {
        let more = (self.bytes + bytes).saturating_sub(self.bytes.max(OWN));
        if more > 0 {
            let Some(permit) = u32::try_from(more)
                .ok()
                .and_then(|more| Arc::clone(&self.budget).try_acquire_many_owned(more).ok())
            else {
                return false;
            };
            match &mut self.charged {
                Some(charged) => charged.merge(permit),
                None => self.charged = Some(permit),
            }
        }
        self.bytes += bytes;
        true
    }

    /// Holds so many less.
    pub fn shrink(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes);
        let charged = self.bytes.saturating_sub(OWN);
        self.charged = self
            .charged
            .take()
            .filter(|_| charged > 0)
            .and_then(|mut all| all.split(charged));
    }

    /// Holds nothing any more.
    pub fn clear(&mut self) {
        self.shrink(self.bytes);
    }

    /// How many it holds.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Room for the frames of one connection that are not sent yet: [`OWN`] bytes, and a larger frame only when the budget has room
/// for the rest of it. So a page that does not read makes the server hold one large frame at most.
#[derive(Debug, Clone)]
pub struct Outbox {
    own: Arc<Semaphore>,
    budget: Arc<Semaphore>,
}

/// The room of one frame, until it is dropped.
#[derive(Debug)]
pub struct FrameRoom {
    #[expect(dead_code, reason = "it is given back when it is dropped")]
    own: OwnedSemaphorePermit,
    #[expect(dead_code, reason = "it is given back when it is dropped")]
    rest: Option<OwnedSemaphorePermit>,
}

impl Outbox {
    /// Room for a frame of so many bytes, if there is some now.
    pub fn try_take(&self, bytes: usize) -> Option<FrameRoom> {
        let (own, rest) = Self::parts(bytes);
        let own = Arc::clone(&self.own).try_acquire_many_owned(own).ok()?;
        let rest = match rest {
            0 => None,
            rest => Some(Arc::clone(&self.budget).try_acquire_many_owned(rest).ok()?),
        };
        Some(FrameRoom { own, rest })
    }

    /// Waits for room for a frame of so many bytes.
    pub async fn take(&self, bytes: usize) -> FrameRoom {
        const OPEN: &str = "nobody closes these semaphores";
        let (own, rest) = Self::parts(bytes);
        let own = Arc::clone(&self.own).acquire_many_owned(own);
        let own = own.await.expect(OPEN);
        let rest = match rest {
            0 => None,
            rest => Some(
                Arc::clone(&self.budget)
                    .acquire_many_owned(rest)
                    .await
                    .expect(OPEN),
            ),
        };
        FrameRoom { own, rest }
    }

    /// What a frame takes of the connection's own room, and what of the budget.
    fn parts(bytes: usize) -> (u32, u32) {
        let small = |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX);
        (small(bytes.min(OWN)), small(bytes.saturating_sub(OWN)))
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
                held: budget.holding(),
                since: None,
                refused: None,
            }),
            refused: Notify::new(),
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The connection becomes a socket, or may say more than before: the next message has at most so many bytes.
    pub fn allow(&self, most: usize) {
        let mut state = self.state();
        state.most = Some(most);
        state.since = None;
        state.held.clear();
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

    /// The transport has read so many bytes.
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
        let mut first = budget.holding();
        assert!(first.grow(OWN) && first.grow(60));
        let mut second = budget.holding();
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
        assert!(!budget.holding().grow(usize::MAX / 2));
    }

    #[tokio::test]
    async fn one_large_frame_waits_at_a_time() {
        let budget = ByteBudget::new(1_000_000);
        let outbox = budget.outbox();
        let small = outbox.try_take(10).expect("there is room");
        assert!(outbox.try_take(500_000).is_none());
        drop(small);
        let large = outbox.try_take(500_000).expect("there is room");
        assert!(outbox.try_take(1).is_none());
        let other = budget.outbox();
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
