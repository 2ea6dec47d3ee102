//! The connection of a run: opened when a page begins to drive it, opened again when it is lost. It also tells the server that
//! this page is there.

use std::cell::Cell;

use futures::StreamExt as _;
use futures::channel::mpsc;
use leptos::prelude::Set as _;
use turnwise_shared::wire::driving::DRIVEN_ELSEWHERE;

use super::{Event, Live};
use crate::api::Heard;
use crate::live::Driving;
use crate::prelude::*;
use crate::{api, clock};

/// The longest wait between two attempts to connect, in milliseconds.
const LONGEST: u32 = 10_000;

/// Frames go out together in a message of at most this many bytes, unless a single one is longer; the server takes no message
/// above [`MAX_REQUEST_BYTES`](turnwise_shared::wire::MAX_REQUEST_BYTES).
const TOGETHER: usize = 64 * 1024;

/// A connection, or the wish for one.
#[derive(Default)]
pub struct Line {
    outgoing: RefCell<Option<mpsc::UnboundedSender<String>>>,
    /// Whether a task is connecting, or is connected and listens.
    wanted: Cell<bool>,
    /// Why the server refused the last attempt, if it did.
    refused: RefCell<Option<ApiError>>,
}

impl Line {
    /// No connection is needed any more.
    pub fn hang_up(&self) {
        self.wanted.set(false);
        self.outgoing.take();
    }
}

impl Live {
    pub(super) fn connect(self: &Rc<Self>) {
        if !self.line.wanted.replace(true) {
            spawn_local(Rc::clone(self).stay_connected());
        }
    }

    /// Sends what may be sent.
    pub(super) fn pump(self: &Rc<Self>) {
        if let Some(outgoing) = &*self.line.outgoing.borrow() {
            let mut calls = self.calls.borrow_mut();
            let frames = std::iter::from_fn(|| calls.next_frame()).map(|frame| api::json(&frame));
            for message in together(frames) {
                // A send that fails means that the connection is gone; the listener notices and sends it again.
                let _ = outgoing.unbounded_send(message);
            }
        }
    }

    async fn stay_connected(self: Rc<Self>) {
        let mut wait = 500;
        let mut attempts = api::Attempts::default();
        while self.line.wanted.get() {
            let heard = self.listen().await;
            if heard {
                wait = 500;
            }
            self.line.outgoing.take();
            self.calls.borrow_mut().lost();
            if !self.line.wanted.get() {
                break;
            }
            if self.watch.get().state == Driving::Running {
                self.show(Driving::Reconnecting);
            }
            // A server that says why it refuses was heard.
            let heard = heard || self.line.refused.borrow().is_some();
            match attempts.ended(heard).await {
                Some(why) => self.view.problem.set(Some(why)),
                None => self.view.forget(api::SOCKET_BLOCKED),
            }
            clock::sleep(wait).await;
            wait = (wait * 2).min(LONGEST);
        }
    }

    /// Connects and listens until the connection is gone. Returns whether anything came in.
    async fn listen(self: &Rc<Self>) -> bool {
        let Ok(mut socket) = api::socket() else {
            return false;
        };
        let (token, epoch) = self.lease();
        let hello = self.calls.borrow().hello(&token, epoch);
        if socket.outgoing.unbounded_send(api::json(&hello)).is_err() {
            return false;
        }
        self.line.outgoing.replace(Some(socket.outgoing));
        let mut heard = false;
        while let Some(came) = socket.incoming.next().await {
            let frames = match came {
                Heard::Frames(frames) => frames,
                Heard::Refused(why) if why.code == DRIVEN_ELSEWHERE => {
                    self.give_way();
                    return false;
                }
                Heard::Refused(why) => {
                    self.line.refused.replace(Some(why.clone()));
                    self.view.problem.set(Some(why));
                    return false;
                }
            };
            if !heard {
                heard = true;
                self.view.forget(api::SOCKET_BLOCKED);
                if let Some(refused) = self.line.refused.take() {
                    self.view.forget(&refused.code);
                }
                if self.watch.get().state == Driving::Reconnecting {
                    self.show(Driving::Running);
                }
            }
            for frame in frames {
                let answer = self.calls.borrow_mut().receive(frame);
                let event = answer.map_or(Event::Look, |answer| Event::Answer(Box::new(answer)));
                let _ = self.events.unbounded_send(event);
            }
            if !self.line.wanted.get() {
                break;
            }
        }
        heard
    }
}

/// As few messages as may be, each frame on a line of its own.
fn together(frames: impl Iterator<Item = String>) -> Vec<String> {
    let mut messages: Vec<String> = Vec::new();
    for frame in frames {
        match messages.last_mut() {
            Some(last) if last.len() + frame.len() < TOGETHER => {
                last.push('\n');
                last.push_str(&frame);
            }
            _ => messages.push(frame),
        }
    }
    messages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_share_messages_that_are_not_too_long() {
        let long = "x".repeat(TOGETHER);
        let frames = ["a", "b", &long, "c", "d"].map(str::to_owned);
        let sent = together(frames.into_iter());
        assert_eq!(sent, ["a\nb".to_owned(), long, "c\nd".to_owned()]);
        assert!(together(std::iter::empty()).is_empty());
    }
}
