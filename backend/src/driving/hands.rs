//! The runs that this server drives, and the pages that are connected: how one part of the server tells another that a driver
//! has to go.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::{broadcast, watch};
use turnwise_shared::key::RunId;
use turnwise_shared::run::Progress;
use turnwise_shared::wire::driving::Epoch;

use crate::driver::Stop;
use crate::error::{Answer, Problem};

/// The most runs that a server drives at once.
const MOST: usize = 64;

/// News of leases that wait for a slow listener; one that misses some notices at its next renewal.
const NEWS: usize = 1024;

/// The runs that are driven by this server, and those whose pages are connected to it. Cloning it gives another hand.
#[derive(Debug, Clone)]
pub struct Drives(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    hands: Mutex<HashMap<RunId, Hand>>,
    pages: Mutex<HashMap<RunId, usize>>,
    news: broadcast::Sender<(RunId, Epoch)>,
}

/// A hand on a run that is driven here.
#[derive(Debug)]
struct Hand {
    stop: watch::Sender<Stop>,
    progress: watch::Receiver<Option<Progress>>,
    /// Closed when it is over.
    ended: watch::Receiver<()>,
}

/// The place of the driver of a run here; no other driver gets one until it is dropped.
#[derive(Debug)]
pub(super) struct Seat {
    run: RunId,
    drives: Drives,
    /// Signals when it should stop: soon if the server ends, now if another driver drives the run.
    pub stop: watch::Receiver<Stop>,
    pub stops: watch::Sender<Stop>,
    pub progress: watch::Sender<Option<Progress>>,
    _ended: watch::Sender<()>,
}

/// A page that is connected. The last one of a run to go may have left it.
#[derive(Debug)]
pub struct Connected {
    run: RunId,
    drives: Drives,
}

impl Default for Drives {
    fn default() -> Self {
        Drives(Arc::new(Inner {
            hands: Mutex::default(),
            pages: Mutex::default(),
            news: broadcast::Sender::new(NEWS),
        }))
    }
}

impl Drives {
    /// Whether this server drives a run.
    pub fn has(&self, run: &RunId) -> bool {
        lock(&self.0.hands).contains_key(run)
    }

    /// Whether this server may drive one run more.
    pub fn has_room(&self) -> bool {
        lock(&self.0.hands).len() < MOST
    }

    /// How far the driver of a run is, if it is driven here and has begun.
    pub fn progress(&self, run: &RunId) -> Option<Progress> {
        lock(&self.0.hands).get(run)?.progress.borrow().clone()
    }

    /// Another driver has taken the lease of a run, or it was revoked: older drivers go.
    pub fn tell(&self, run: &RunId, epoch: Epoch) {
        // If no client is connected, none needs to hear it.
        let _ = self.0.news.send((run.clone(), epoch));
    }

    /// Hears of leases that are taken.
    pub fn listen(&self) -> broadcast::Receiver<(RunId, Epoch)> {
        self.0.news.subscribe()
    }

    pub fn connect(&self, run: &RunId) -> Connected {
        *lock(&self.0.pages).entry(run.clone()).or_default() += 1;
        Connected { run: run.clone(), drives: self.clone() }
    }

    /// Stops the driver of a run and waits until it has stored what it knows. Nothing if it is not driven here.
    pub async fn stop(&self, run: &RunId) {
        let ended = {
            let hands = lock(&self.0.hands);
            let Some(hand) = hands.get(run) else {
                return;
            };
            hand.stop.send_replace(Stop::Now);
            hand.ended.clone()
        };
        over(ended).await;
    }

    /// The server ends: every driver sends nothing more, waits a little for what is in flight, and leaves its run to the server
    /// that starts next.
    pub fn stop_all(&self) {
        for hand in lock(&self.0.hands).values() {
            hand.stop.send_if_modified(|stop| {
                let first = *stop == Stop::No;
                if first {
                    *stop = Stop::Soon;
                }
                first
            });
        }
    }

    /// Waits until no driver is left.
    pub async fn ended(&self) {
        loop {
            let next = lock(&self.0.hands).values().next().map(|hand| hand.ended.clone());
            match next {
                Some(ended) => over(ended).await,
                None => return,
            }
        }
    }

    /// A place for the driver of a run.
    ///
    /// # Errors
    /// If it is driven here, or there is no room.
    pub(super) fn sit(&self, run: &RunId) -> Answer<Seat> {
        let mut hands = lock(&self.0.hands);
        if hands.contains_key(run) {
            return Err(Problem::driven_elsewhere());
        }
        if hands.len() >= MOST {
            return Err(Problem::conflict(format!(
                "The server drives {MOST} runs already, which is as many as it may."
            ))
            .mend("Wait until one of them is over, or drive this one in a page."));
        }
        let (stops, stop) = watch::channel(Stop::No);
        let (progress, seen) = watch::channel(None);
        let (ended_sender, ended) = watch::channel(());
        let hand = Hand { stop: stops.clone(), progress: seen, ended };
        hands.insert(run.clone(), hand);
        Ok(Seat {
            run: run.clone(),
            drives: self.clone(),
            stop,
            stops,
            progress,
            _ended: ended_sender,
        })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        lock(&self.drives.0.hands).remove(&self.run);
    }
}

impl Connected {
    /// Whether another page of the same run is connected.
    pub fn is_last(&self) -> bool {
        lock(&self.drives.0.pages).get(&self.run) == Some(&1)
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        let mut pages = lock(&self.drives.0.pages);
        if let Some(count) = pages.get_mut(&self.run) {
            *count -= 1;
            if *count == 0 {
                pages.remove(&self.run);
            }
        }
    }
}

/// Waits until the other half is gone.
async fn over(mut ended: watch::Receiver<()>) {
    while ended.changed().await.is_ok() {}
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|broken| broken.into_inner())
}
