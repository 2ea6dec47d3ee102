//! A call in the air: who waits for it, what they hear, and how it ends.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::{Notify, broadcast, watch};
use turnwise_shared::prelude::*;
use turnwise_shared::wire::receipts::Endpoint;

use crate::clock::now;
use crate::long_texts::ReplyRoom;

/// Pieces that wait for a slow listener; it misses what is beyond, and has the finished answer anyway.
const PIECES: usize = 256;

/// The calls in the air, by key.
pub(super) type Flights = Arc<Mutex<HashMap<CallKey, Arc<Flight>>>>;

/// A call in the air.
pub(super) struct Flight {
    answer: watch::Sender<Option<CallAnswer>>,
    pieces: broadcast::Sender<Arc<str>>,
    wish: Arc<Wish>,
    /// Whether a piece of the answer was passed on.
    heard: AtomicBool,
    /// The share of the room for replies that its reply takes, until the last holder drops it.
    room: Arc<ReplyRoom>,
}

/// Who still wants an answer. It is apart from the answer, so that a caller that can only cancel does not keep the answer.
#[derive(Debug)]
struct Wish {
    /// How many callers have not cancelled.
    wanted: AtomicUsize,
    cancelled: Notify,
}

/// What a caller hears of a call.
#[derive(Debug)]
pub enum Heard {
    /// A piece of the text, for the eye only.
    Piece(Arc<str>),
    Answer(Box<CallAnswer>),
}

/// A caller's hand on a call. Dropping it does not end the call.
pub struct Waiting {
    wish: Arc<Wish>,
    answer: watch::Receiver<Option<CallAnswer>>,
    pieces: broadcast::Receiver<Arc<str>>,
    #[expect(dead_code, reason = "the room is free when nobody waits for the answer any more")]
    room: Arc<ReplyRoom>,
}

impl Flight {
    /// One that a caller wants.
    pub(super) fn new(stream: Stream, room: Arc<ReplyRoom>) -> Self {
        Flight {
            room,
            answer: watch::Sender::new(None),
            // Room is made in advance, and most calls are made whole.
            pieces: broadcast::Sender::new(match stream {
                Stream::Pieces => PIECES,
                Stream::Whole => 1,
            }),
            wish: Arc::new(Wish { wanted: AtomicUsize::new(1), cancelled: Notify::new() }),
            heard: AtomicBool::new(false),
        }
    }

    /// The room of its reply.
    pub(super) fn room(&self) -> &Arc<ReplyRoom> {
        &self.room
    }

    /// How many callers wait for it.
    pub(super) fn listeners(&self) -> usize {
        self.answer.receiver_count()
    }

    /// Its answer, for a listener that is no caller.
    pub(super) fn ending(&self) -> watch::Receiver<Option<CallAnswer>> {
        self.answer.subscribe()
    }

    /// One more caller wants it; not if it was cancelled, for then it is going down.
    pub(super) fn join(&self) -> bool {
        let goes_on = self.heard.load(Ordering::Relaxed);
        // Who has gone without a word does not want it any more.
        let deserted = self.listeners() == 0;
        let more = |wanted: usize| match wanted {
            0 if !goes_on => None,
            _ if deserted => Some(1),
            wanted => Some(wanted + 1),
        };
        self.wish.wanted.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
    }

    /// A piece of the answer came.
    pub(super) fn tell(&self, piece: &str) {
        self.heard.store(true, Ordering::Relaxed);
        // A call without listeners is no error.
        let _ = self.pieces.send(piece.into());
    }

    /// Returns when the last caller who wanted it has cancelled.
    pub(super) async fn called_off(&self) {
        self.wish.cancelled.notified().await;
    }

    /// Returns when no caller waits for it.
    pub(super) async fn deserted(&self) {
        self.answer.closed().await;
    }

    /// Returns when no caller wants it any more; never once a piece was passed on.
    pub(super) async fn given_up(&self) {
        self.called_off().await;
        if self.heard.load(Ordering::Relaxed) {
            std::future::pending().await
        }
    }
}

/// Ends a flight however its task ends.
pub(super) struct Landing {
    pub(super) key: CallKey,
    pub(super) flight: Arc<Flight>,
    pub(super) flights: Flights,
}

impl Landing {
    /// Whether no caller waits any more; then none can join it any more either.
    pub(super) fn given_up(&self) -> bool {
        let mut flights = lock(&self.flights);
        let nobody = self.flight.listeners() == 0;
        if nobody {
            self.forget(&mut flights);
        }
        nobody
    }

    fn forget(&self, flights: &mut HashMap<CallKey, Arc<Flight>>) {
        // After a cancel the same call may be in the air anew.
        if flights.get(&self.key).is_some_and(|now| Arc::ptr_eq(now, &self.flight)) {
            flights.remove(&self.key);
        }
    }

    /// It landed with this answer.
    pub(super) fn with(&self, answer: CallAnswer) {
        self.flight.answer.send_replace(Some(answer));
    }
}

impl Drop for Landing {
    fn drop(&mut self) {
        self.forget(&mut lock(&self.flights));
        if self.flight.answer.borrow().is_none() {
            // Only a panic on the way leads here; those who wait must not wait for ever.
            let broken = failed(now(), FailureClass::Server, "the server failed at this call");
            self.flight.answer.send_replace(Some(broken));
        }
    }
}

pub(super) struct Landed {
    pub(super) answer: CallAnswer,
    /// What its receipt says was sent; `None` if another server heard the answer, and signs it.
    pub(super) sent: Option<Sent>,
}

/// What was sent, and where it went.
#[derive(Clone)]
pub(super) struct Sent {
    pub(super) digest: Digest,
    pub(super) endpoint: Endpoint,
}

impl Landed {
    pub(super) fn sent(answer: CallAnswer, sent: &Sent) -> Self {
        Landed { answer, sent: Some(sent.clone()) }
    }
}

impl Waiting {
    pub(super) fn on(flight: &Arc<Flight>) -> Self {
        Waiting {
            answer: flight.answer.subscribe(),
            pieces: flight.pieces.subscribe(),
            wish: Arc::clone(&flight.wish),
            room: Arc::clone(&flight.room),
        }
    }

    /// What came back, once it has.
    pub async fn answer(&mut self) -> CallAnswer {
        answered(&mut self.answer).await
    }

    /// What comes next: a piece of the text if pieces are wanted, or the answer.
    pub async fn hear(&mut self, wanted: Stream) -> Heard {
        if wanted == Stream::Whole {
            return Heard::Answer(Box::new(self.answer().await));
        }
        loop {
            tokio::select! {
                biased;
                piece = self.pieces.recv() => match piece {
                    Ok(piece) => return Heard::Piece(piece),
                    Err(broadcast::error::RecvError::Lagged(_)) => {}
                    Err(broadcast::error::RecvError::Closed) => {
                        return Heard::Answer(Box::new(answered(&mut self.answer).await));
                    }
                },
                answer = answered(&mut self.answer) => return Heard::Answer(Box::new(answer)),
            }
        }
    }

    /// A handle with which this caller can say that it no longer wants the answer.
    pub fn canceller(&self) -> Canceller {
        Canceller(Some(Arc::clone(&self.wish)))
    }
}

/// Waits until it has landed.
pub(super) async fn answered(answer: &mut watch::Receiver<Option<CallAnswer>>) -> CallAnswer {
    match answer.wait_for(Option::is_some).await {
        Ok(answer) => answer.clone(),
        Err(_) => None,
    }
    .unwrap_or_else(|| failed(now(), FailureClass::Server, "the server failed at this call"))
}

/// Cancels one caller's wish for a call, once.
pub struct Canceller(Option<Arc<Wish>>);

impl Canceller {
    /// This caller no longer wants the answer. The call ends if no other caller does.
    pub fn cancel(&mut self) {
        if let Some(wish) = self.0.take()
            && wish.wanted.fetch_sub(1, Ordering::Relaxed) == 1
        {
            wish.cancelled.notify_one();
        }
    }
}

pub(super) fn cancelled(started: u64) -> CallAnswer {
    came(started, Failure::of_cancelled_call())
}

pub(super) fn failed(started: u64, class: FailureClass, message: &str) -> CallAnswer {
    came(started, Failure::new(class, message))
}

fn came(started: u64, failure: Failure) -> CallAnswer {
    CallAnswer {
        reply: Reply::Failed(failure),
        timing: Timing {
            started,
            took: now().saturating_sub(started),
            attempts: 1,
            ..Timing::default()
        },
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|broken| broken.into_inner())
}
