//! Long texts: the room that replies take on their way from a service to the caller, and the work on them, which is not done on the
//! threads that answer others.
//!
//! A reply of 600 kB is in memory several times at once: as it came, as a tree, as what was said, as a row of the ledger and as a
//! frame. Many calls at once, each with its copies, take more than any limit of a single call.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread::available_parallelism;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::block_in_place;

/// Texts of more bytes are long.
pub const LONG: usize = 64 * 1024;

/// How often the bytes of a reply are in memory, until it is delivered.
const COPIES: usize = 4;

/// As many long texts are worked on at once as there are processors.
static WORK: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(available_parallelism().map_or(2, usize::from)));

tokio::task_local! {
    /// The room of the reply that is being read.
    pub static REPLY: Arc<ReplyRoom>;
}

/// Room for all replies. Clones share it.
#[derive(Debug, Clone)]
pub struct Replies {
    left: Arc<Semaphore>,
    /// One reply goes on without room, so that those which wait for each other come to an end.
    exempt: Arc<Semaphore>,
}

/// What one reply takes of it, until this is dropped.
#[derive(Debug)]
pub struct ReplyRoom {
    all: Replies,
    taken: Mutex<TakenRoom>,
}

#[derive(Debug, Default)]
struct TakenRoom {
    bytes: usize,
    permit: Option<OwnedSemaphorePermit>,
    exemption: Option<OwnedSemaphorePermit>,
}

impl Replies {
    /// Room for `bytes` bytes, counted as often as they are in memory.
    pub fn new(bytes: usize) -> Self {
        Replies {
            left: Arc::new(Semaphore::new(bytes.min(Semaphore::MAX_PERMITS))),
            exempt: Arc::new(Semaphore::new(1)),
        }
    }

    /// That of a call, which has no reply yet.
    pub fn room(&self) -> Arc<ReplyRoom> {
        Arc::new(ReplyRoom { all: self.clone(), taken: Mutex::default() })
    }
}

impl ReplyRoom {
    /// Waits for room for a reply of which `bytes` more bytes came. Short ones need none.
    async fn grow(&self, bytes: usize) {
        let lock = || self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let more = {
            let mut taken = lock();
            let before = taken.bytes.max(LONG);
            taken.bytes += bytes;
            match taken.exemption {
                Some(_) => 0,
                None => taken.bytes.saturating_sub(before) * COPIES,
            }
        };
        if more == 0 {
            return;
        }
        const OPEN: &str = "nobody closes these semaphores";
        let wanted = u32::try_from(more).unwrap_or(u32::MAX);
        let (left, exempt) = (Arc::clone(&self.all.left), Arc::clone(&self.all.exempt));
        tokio::select! {
            biased;
            permit = left.acquire_many_owned(wanted) => {
                let permit = permit.expect(OPEN);
                let taken = &mut lock().permit;
                match taken {
                    Some(taken) => taken.merge(permit),
                    None => *taken = Some(permit),
                }
            }
            exemption = exempt.acquire_owned() => lock().exemption = Some(exemption.expect(OPEN)),
        }
    }
}

/// `bytes` more bytes of a reply came: no more of it is read before there is room for them.
pub async fn came(bytes: usize) {
    if let Ok(room) = REPLY.try_with(Arc::clone) {
        room.grow(bytes).await;
    }
}

/// Does work whose time grows with `bytes`. If these are a long text, other threads answer other clients meanwhile.
pub async fn beside<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    let has_other_threads = || Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread;
    if bytes <= LONG || !has_other_threads() {
        return work();
    }
    let _turn = WORK.acquire().await;
    block_in_place(work)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn replies_share_their_room_and_one_of_them_always_goes_on() {
        let all = Replies::new(10 * COPIES);
        let [first, second, third] = [all.room(), all.room(), all.room()];
        assert!(first.grow(LONG).now_or_never().is_some(), "it is short");
        assert!(first.grow(10).now_or_never().is_some());
        assert!(second.grow(LONG + 4).now_or_never().is_some(), "the exempt one");
        assert!(second.grow(1_000_000).now_or_never().is_some());
        let mut waits = Box::pin(third.grow(LONG + 5));
        assert!(waits.as_mut().now_or_never().is_none());
        drop(first);
        waits.await;
        assert_eq!(all.left.available_permits(), 5 * COPIES);
        drop((second, third));
        let room = all.room();
        REPLY.scope(Arc::clone(&room), came(LONG + 1)).await;
        assert_eq!(all.left.available_permits(), 9 * COPIES);
        came(LONG + 1).await;
    }

    /// Work on many long texts leaves others their threads.
    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn long_work_is_done_beside_the_threads_that_answer() {
        let work = || std::thread::sleep(Duration::from_millis(300));
        let works: Vec<_> = (0..4).map(|_| tokio::spawn(beside(LONG + 1, work))).collect();
        tokio::time::sleep(Duration::from_millis(20)).await;
        let began = std::time::Instant::now();
        tokio::spawn(async {}).await.expect("no panic");
        assert!(began.elapsed() < Duration::from_millis(200), "{:?}", began.elapsed());
        for work in works {
            work.await.expect("no panic");
        }
    }
}
