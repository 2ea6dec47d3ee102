//! Work that is wanted several times at once is done once.

use std::collections::HashMap;
use std::sync::Mutex;

use futures::FutureExt as _;
use futures::future::{BoxFuture, WeakShared};
use turnwise_shared::hash::Digest;

use super::flight::lock;

/// The work under way, by what it is about.
pub(super) struct Together<T>(Mutex<HashMap<Digest, WeakShared<BoxFuture<'static, T>>>>);

impl<T> Default for Together<T> {
    fn default() -> Self {
        Together(Mutex::default())
    }
}

impl<T: Clone + Send + Sync + 'static> Together<T> {
    /// What comes of work, or of the same that is under way. It stops when nothing waits for it any more.
    pub async fn join(&self, about: Digest, work: impl Future<Output = T> + Send + 'static) -> T {
        let joined = {
            let mut under_way = lock(&self.0);
            under_way.retain(|_, work| work.upgrade().is_some());
            match under_way.get(&about).and_then(WeakShared::upgrade) {
                Some(joined) => joined,
                None => {
                    let begun = work.boxed().shared();
                    under_way.extend(begun.downgrade().map(|begun| (about, begun)));
                    begun
                }
            }
        };
        joined.await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;

    use futures::future::join;
    use tokio::time::{sleep, timeout};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_same_work_is_done_once_at_a_time() {
        let (together, begun) = (Together::default(), Arc::new(AtomicU32::new(0)));
        let work = |what: &str| {
            let begun = Arc::clone(&begun);
            together.join(Digest::of(what), async move {
                let number = begun.fetch_add(1, Ordering::Relaxed);
                sleep(Duration::from_secs(1)).await;
                number
            })
        };
        let same = join(work("a"), work("a"));
        assert_eq!(join(same, work("b")).await, ((0, 0), 1));
        assert_eq!(work("a").await, 2, "what is done is not kept");
        // The first one goes away, and the second has the whole of it.
        let leaves = timeout(Duration::from_millis(500), work("a"));
        let (left, stays) = join(leaves, work("a")).await;
        assert!(left.is_err());
        assert_eq!((stays, begun.load(Ordering::Relaxed)), (3, 4));
    }
}
