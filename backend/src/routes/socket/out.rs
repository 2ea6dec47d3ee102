//! What goes out to a page: in the order in which it was said, as fast as the page reads it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::ws::{Message, WebSocket};
use futures::SinkExt as _;
use futures::stream::SplitSink;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use turnwise_shared::wire::{Frame, FrameBody};

use super::super::frames::HELLO;

/// Frames that wait for the network; beyond them the server reads no further.
const QUEUE: usize = 64;

/// Frames that wait go out together in one message of at most about so many bytes.
const TOGETHER: usize = 64 * 1024;

/// What goes out.
#[derive(Debug)]
pub enum Out {
    /// A frame, as JSON.
    Frame(String),
    /// A message that carries none.
    Other(Message),
}

impl Out {
    /// A frame.
    pub fn frame(id: u64, body: FrameBody) -> Self {
        let frame = Frame::new(id, body);
        Out::Frame(serde_json::to_string(&frame).expect("frames are plain data"))
    }
}

/// The page has gone.
#[derive(Debug)]
pub struct Gone;

/// What a conversation says itself. It never waits for the page: what finds no place in the queue stays here, so that whoever
/// says it can go on to listen, and to look at the time.
#[derive(Debug)]
pub struct Outgoing {
    queue: mpsc::Sender<Out>,
    unsaid: VecDeque<Out>,
    /// Whether the page has something to read that is not sent yet.
    is_sending: Arc<AtomicBool>,
}

/// What sends it.
#[derive(Debug)]
pub struct Writer(JoinHandle<()>);

/// What is said goes out through `sink` until the page is gone.
pub fn open(sink: SplitSink<WebSocket, Message>) -> (Outgoing, Writer) {
    let (queue, said) = mpsc::channel(QUEUE);
    let is_sending = Arc::new(AtomicBool::new(false));
    let writer = Writer(tokio::spawn(write(sink, said, Arc::clone(&is_sending))));
    let outgoing = Outgoing {
        queue,
        unsaid: VecDeque::new(),
        is_sending,
    };
    (outgoing, writer)
}

impl Outgoing {
    /// Says something.
    pub fn say(&mut self, out: Out) {
        self.unsaid.push_back(out);
        self.pass_on();
    }

    /// Where others say something. They wait for the page.
    pub fn queue(&self) -> mpsc::Sender<Out> {
        self.queue.clone()
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
        // If the page has gone meanwhile, or does not read, nobody is there to be told.
        let _ = timeout(HELLO, all).await;
    }
}

impl Writer {
    /// Waits until all that was said is sent. Whoever does not read it is not waited for.
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
        for message in together(came.drain(..)) {
            if sink.send(message).await.is_err() {
                return;
            }
        }
        is_sending.store(false, Ordering::Relaxed);
    }
    let _ = sink.close().await;
}

/// As few messages as may be, in the same order.
fn together(came: impl Iterator<Item = Out>) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut lines = String::new();
    for out in came {
        let room = match &out {
            Out::Frame(frame) => lines.is_empty() || lines.len() + frame.len() < TOGETHER,
            Out::Other(_) => lines.is_empty(),
        };
        if !room {
            messages.push(Message::Text(std::mem::take(&mut lines).into()));
        }
        match out {
            Out::Frame(frame) if lines.is_empty() => lines = frame,
            Out::Frame(frame) => {
                lines.push('\n');
                lines.push_str(&frame);
            }
            Out::Other(message) => messages.push(message),
        }
    }
    if !lines.is_empty() {
        messages.push(Message::Text(lines.into()));
    }
    messages
}
