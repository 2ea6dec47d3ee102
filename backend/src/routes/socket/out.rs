//! What goes out to a page: in the order in which it was said, as fast as the page reads it.
//!
//! A reply for which there is no room is not kept in memory: the ledger has it, and it is read from there when the page has read
//! what was said before.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use futures::SinkExt as _;
use futures::stream::SplitSink;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use turnwise_shared::prelude::*;
use turnwise_shared::wire::{Frame, FrameBody};

use super::super::frames::HELLO;
use crate::limits::{FrameRoom, Outbox};
use crate::long_texts::beside;
use crate::outbound::Waiting;
use crate::store::Store;

/// Frames that wait for the network; beyond them the server reads no further.
const QUEUE: usize = 64;

/// The most bytes, about, of one message in which waiting frames go out together.
const TOGETHER: usize = 64 * 1024;

/// Until the ledger is asked again for a reply that it could not tell.
const AGAIN: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub enum Out {
    /// A frame, as JSON, with its room until it is sent, where it takes any.
    Frame(String, Option<FrameRoom>),
    /// A message that carries none.
    Other(Message),
}

impl Out {
    pub fn frame(id: u64, body: FrameBody) -> Self {
        Out::Frame(text(id, body), None)
    }
}

fn text(id: u64, body: FrameBody) -> String {
    let frame = Frame::new(id, body);
    serde_json::to_string(&frame).expect("frames are plain data")
}

/// How a call ends, as a frame.
async fn ending(id: u64, CallAnswer { reply, timing }: CallAnswer) -> String {
    let bytes = reply.bytes();
    let body = match reply {
        Reply::Failed(failure) => FrameBody::Failed { failure, timing },
        reply => FrameBody::Reply { reply, timing },
    };
    beside(bytes, || text(id, body)).await
}

#[derive(Debug)]
pub struct Gone;

/// Where calls say how they go on and end.
#[derive(Debug, Clone)]
pub struct CallsOut {
    queue: mpsc::Sender<Out>,
    outbox: Outbox,
}

impl CallsOut {
    /// Says a piece, if there is room for it now; whether it is said.
    pub fn piece(&self, id: u64, piece: &str) -> bool {
        let Ok(place) = self.queue.try_reserve() else {
            return false;
        };
        let frame = text(id, FrameBody::Piece { text: piece.to_owned() });
        let room = self.outbox.try_take(frame.len());
        let has_room = room.is_some();
        if has_room {
            place.send(Out::Frame(frame, room));
        }
        has_room
    }

    /// Says how a call has ended, once there is room for it. The task that waited for it lets go of it then.
    pub async fn ending(
        &self,
        id: u64,
        key: &CallKey,
        answer: CallAnswer,
        store: &Store,
        waiting: Waiting,
    ) {
        let frame = ending(id, answer).await;
        let (frame, room) = match self.outbox.try_take(frame.len()) {
            Some(room) => (frame, room),
            None if is_kept(store, key).await => {
                let bytes = frame.len();
                // The answer must not be kept in memory while the page lets it wait.
                drop((frame, waiting));
                let room = self.outbox.take(bytes).await;
                match self.kept(store, key).await {
                    Some(answer) => (ending(id, answer).await, room),
                    None => return,
                }
            }
            None => {
                let room = self.outbox.take(frame.len()).await;
                (frame, room)
            }
        };
        // If the page has gone, the answer waits for it in the ledger.
        let _ = self.queue.send(Out::Frame(frame, Some(room))).await;
    }

    /// The reply of the ledger; `None` if the page has gone before it could be read.
    async fn kept(&self, store: &Store, key: &CallKey) -> Option<CallAnswer> {
        while !self.queue.is_closed() {
            match store.answer(key).await {
                Ok(Some(known)) => return Some(known.answer),
                Ok(None) => tracing::error!("a reply that was kept is not in the ledger"),
                Err(error) => tracing::error!(%error, "a reply cannot be read from the ledger"),
            }
            sleep(AGAIN).await;
        }
        None
    }
}

/// Whether the ledger has the reply of a call. It has no failures, and a write may have failed.
async fn is_kept(store: &Store, key: &CallKey) -> bool {
    store.has_reply(key).await.unwrap_or(false)
}

/// What a conversation says itself. It never waits for the page: what finds no place in the queue stays here, so that the task
/// that says it can go on to listen, and to look at the time.
#[derive(Debug)]
pub struct Outgoing {
    queue: mpsc::Sender<Out>,
    /// The room for what calls say.
    pub outbox: Outbox,
    unsaid: VecDeque<Out>,
    /// Whether the page has something to read that is not sent yet.
    is_sending: Arc<AtomicBool>,
}

#[derive(Debug)]
pub struct Writer(JoinHandle<()>);

/// What is said goes out through `sink` until the page is gone.
pub fn open(sink: SplitSink<WebSocket, Message>, outbox: Outbox) -> (Outgoing, Writer) {
    let (queue, said) = mpsc::channel(QUEUE);
    let is_sending = Arc::new(AtomicBool::new(false));
    let writer = Writer(tokio::spawn(write(sink, said, Arc::clone(&is_sending))));
    let outgoing = Outgoing { queue, outbox, unsaid: VecDeque::new(), is_sending };
    (outgoing, writer)
}

impl Outgoing {
    pub fn say(&mut self, out: Out) {
        self.unsaid.push_back(out);
        self.pass_on();
    }

    /// Where calls say something. They wait for the page.
    pub fn calls(&self) -> CallsOut {
        CallsOut { queue: self.queue.clone(), outbox: self.outbox.clone() }
    }

    /// Returns when nothing more can be sent.
    pub fn closed(&self) -> impl Future<Output = ()> + use<> {
        let queue = self.queue.clone();
        async move { queue.closed().await }
    }

    /// Whether something found no place.
    pub fn has_unsaid(&self) -> bool {
        !self.unsaid.is_empty()
    }

    /// Whether so much found no place that nothing may be read which would be answered.
    pub fn is_full(&self) -> bool {
        self.unsaid.len() >= QUEUE
    }

    /// Whether there is something that the page has not read yet.
    pub fn is_behind(&self) -> bool {
        self.has_unsaid() || self.is_sending.load(Ordering::Relaxed)
    }

    /// Waits for a place for what found none.
    ///
    /// # Errors
    /// If the page has gone.
    pub async fn go_on(&mut self) -> Result<(), Gone> {
        let place = self.queue.reserve().await.map_err(|_| Gone)?;
        match self.unsaid.pop_front() {
            Some(out) => place.send(out),
            None => drop(place),
        }
        self.pass_on();
        Ok(())
    }

    fn pass_on(&mut self) {
        while let Some(out) = self.unsaid.pop_front() {
            match self.queue.try_reserve() {
                Ok(place) => place.send(out),
                Err(_) => return self.unsaid.push_front(out),
            }
        }
    }

    /// Says the last word, if the page still reads.
    pub async fn end(mut self, last: Message) {
        self.unsaid.push_back(Out::Other(last));
        let all = async {
            while self.has_unsaid() {
                self.go_on().await?;
            }
            Ok::<_, Gone>(())
        };
        // If the page has gone meanwhile, or does not read, no client is there to receive this.
        let _ = timeout(HELLO, all).await;
    }
}

impl Writer {
    /// Waits until all that was said is sent. A client that does not read it is not waited for.
    pub async fn end(mut self) {
        if timeout(HELLO, &mut self.0).await.is_err() {
            self.0.abort();
        }
    }
}

async fn write(
    mut sink: SplitSink<WebSocket, Message>,
    mut queue: mpsc::Receiver<Out>,
    is_sending: Arc<AtomicBool>,
) {
    let mut came = Vec::with_capacity(QUEUE);
    while queue.recv_many(&mut came, QUEUE).await > 0 {
        is_sending.store(true, Ordering::Relaxed);
        // The room of its frames is free once a message is sent.
        for (message, _rooms) in together(came.drain(..)) {
            if sink.send(message).await.is_err() {
                return;
            }
        }
        is_sending.store(false, Ordering::Relaxed);
    }
    let _ = sink.close().await;
}

/// As few messages as may be, in the same order, each with the room that it takes.
fn together(came: impl Iterator<Item = Out>) -> Vec<(Message, Vec<FrameRoom>)> {
    let mut messages = Vec::new();
    let (mut lines, mut rooms) = (String::new(), Vec::new());
    for out in came {
        let fits = match &out {
            Out::Frame(frame, _) => lines.is_empty() || lines.len() + frame.len() < TOGETHER,
            Out::Other(_) => lines.is_empty(),
        };
        if !fits {
            let text = Message::Text(std::mem::take(&mut lines).into());
            messages.push((text, std::mem::take(&mut rooms)));
        }
        match out {
            Out::Frame(frame, room) => {
                rooms.extend(room);
                if lines.is_empty() {
                    lines = frame;
                } else {
                    lines.push('\n');
                    lines.push_str(&frame);
                }
            }
            Out::Other(message) => messages.push((message, Vec::new())),
        }
    }
    if !lines.is_empty() {
        messages.push((Message::Text(lines.into()), rooms));
    }
    messages
}
