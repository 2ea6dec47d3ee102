//! Many calls over one socket, without the socket: which frame goes out next, and what a frame that came in answers.
//!
//! Nothing is sent without credit, and credit belongs to a connection. At most as many calls are made at once as there are
//! permits; the page sends a few more, which wait at the server, so that a permit is used again before this page has heard that
//! it is free. When a connection is lost, every call that has no answer yet is queued again, oldest first; a call that was
//! answered meanwhile is answered again from the server's ledger.

use std::collections::VecDeque;

use turnwise_shared::wire::{Frame, FrameBody};

use crate::prelude::*;

/// With every so-manyth answer the newest is acknowledged; a connection says with its first frame how far it was.
const ACKNOWLEDGE: u32 = 32;

pub struct Multiplex {
    run: RunId,
    /// The number of the newest call.
    last: u64,
    /// Calls without an answer, by number.
    open: BTreeMap<u64, Open>,
    /// Numbers of calls that are still to be sent over the connection that there is now.
    waiting: VecDeque<u64>,
    /// Frames that need no credit.
    notices: VecDeque<Frame>,
    /// How many calls may be sent.
    credit: u32,
    /// How many calls the server makes at once.
    permits: u32,
    /// Whether the server has got that number over the current connection.
    permits_said: bool,
    acknowledged: u64,
    /// Answers since the last acknowledgement.
    unsaid: u32,
}

struct Open {
    ticket: Ticket,
    request: Outgoing,
}

/// What came back for a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub ticket: Ticket,
    pub reply: Reply,
    /// What it took, and what the service said beside it.
    pub timing: Timing,
}

impl Multiplex {
    /// The calls of a run, `permits` to be made at once; none yet.
    pub fn new(run: RunId, permits: u32) -> Self {
        Multiplex {
            run,
            last: 0,
            open: BTreeMap::new(),
            waiting: VecDeque::new(),
            notices: VecDeque::new(),
            credit: 0,
            permits,
            permits_said: false,
            acknowledged: 0,
            unsaid: 0,
        }
    }

    /// A call is to be made.
    pub fn call(&mut self, ticket: Ticket, request: Outgoing) {
        self.last += 1;
        self.open.insert(self.last, Open { ticket, request });
        self.waiting.push_back(self.last);
    }

    /// From now on the server makes `calls` calls at once; 0 makes those wait that have not gone out.
    pub fn set_permits(&mut self, calls: u32) {
        self.permits_said &= self.permits == calls;
        self.permits = calls;
    }

    /// The answers of the open calls are not wanted any more.
    pub fn cancel_all(&mut self) {
        for id in std::mem::take(&mut self.open).into_keys() {
            if !self.waiting.contains(&id) {
                self.notices.push_back(Frame::new(id, FrameBody::Cancel));
            }
        }
        self.waiting.clear();
    }

    /// The first frame of a connection.
    pub fn hello(&self, token: &str, epoch: Epoch) -> Frame {
        Frame::new(
            0,
            FrameBody::Hello {
                run: Some(self.run.clone()),
                token: Some(token.to_owned()),
                epoch,
                acknowledged: self.acknowledged,
            },
        )
    }

    /// The connection is gone; what has no answer is sent again over the next one.
    pub fn lost(&mut self) {
        self.credit = 0;
        self.permits_said = false;
        self.notices.clear();
        self.waiting = self.open.keys().copied().collect();
    }

    /// The frame that should go out next, if one may.
    pub fn next_frame(&mut self) -> Option<Frame> {
        if !self.permits_said {
            self.permits_said = true;
            let calls = self.permits;
            return Some(Frame::new(0, FrameBody::Permits { calls }));
        }
        if let Some(notice) = self.notices.pop_front() {
            return Some(notice);
        }
        if self.credit == 0 {
            return None;
        }
        let id = self.waiting.pop_front()?;
        let Open { ticket, request } = self.open.get(&id)?;
        self.credit -= 1;
        Some(Frame::new(
            id,
            FrameBody::Call {
                key: CallKey::of(&self.run, ticket),
                request: request.clone(),
                stream: Stream::Whole,
            },
        ))
    }

    /// A frame came in. Answers to calls that are no longer open are ignored.
    pub fn receive(&mut self, frame: Frame) -> Option<Answer> {
        let (reply, timing) = match frame.body {
            FrameBody::Credit { calls } => {
                self.credit = self.credit.saturating_add(calls);
                return None;
            }
            FrameBody::Reply { reply, timing } => (reply, timing),
            FrameBody::Failed { failure, timing } => (Reply::Failed(failure), timing),
            FrameBody::Hello { .. }
            | FrameBody::Call { .. }
            | FrameBody::Cancel
            | FrameBody::Permits { .. }
            | FrameBody::Piece { .. }
            | FrameBody::Ack => return None,
        };
        let ticket = self.open.remove(&frame.id)?.ticket;
        self.acknowledged = self.acknowledged.max(frame.id);
        self.unsaid += 1;
        if self.unsaid == ACKNOWLEDGE {
            self.unsaid = 0;
            let newest = Frame::new(self.acknowledged, FrameBody::Ack);
            self.notices.push_back(newest);
        }
        Some(Answer { ticket, reply, timing })
    }

    /// Whether every call has its answer.
    #[cfg(test)]
    fn is_idle(&self) -> bool {
        self.open.is_empty() && self.notices.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use turnwise_shared::effect::{CallId, Failure, FailureClass, Query};
    use turnwise_shared::hash::Digest;
    use turnwise_shared::key::EpisodeKey;

    use super::*;

    fn ticket(number: u32) -> Ticket {
        Ticket {
            episode: EpisodeKey::play(&"7".into(), 1),
            call: CallId(number),
            digest: Digest::of(number.to_le_bytes()),
        }
    }

    fn with_calls(count: u32) -> Multiplex {
        let mut multiplex = Multiplex::new(RunId::new([7; 16]), 8);
        assert_eq!(sent(&mut multiplex), ["8 at once"]);
        for number in 1..=count {
            let request = Outgoing::Search {
                engine: "local".into(),
                query: Query { text: number.to_string(), results: 5, locale: None, since: None },
            };
            multiplex.call(ticket(number), request);
        }
        multiplex
    }

    fn credit(multiplex: &mut Multiplex, calls: u32) {
        assert_eq!(multiplex.receive(Frame::new(0, FrameBody::Credit { calls })), None);
    }

    /// Everything that may go out now, in a few letters.
    fn sent(multiplex: &mut Multiplex) -> Vec<String> {
        std::iter::from_fn(|| multiplex.next_frame())
            .map(|frame| match frame.body {
                FrameBody::Call { key, .. } => format!("{} calls {}", frame.id, key.call),
                FrameBody::Ack => format!("{} ack", frame.id),
                FrameBody::Cancel => format!("{} cancel", frame.id),
                FrameBody::Permits { calls } => format!("{calls} at once"),
                other => format!("{other:?}"),
            })
            .collect()
    }

    fn found(id: u64) -> Frame {
        Frame::new(
            id,
            FrameBody::Reply { reply: Reply::found(Vec::new()), timing: Timing::default() },
        )
    }

    #[test]
    fn nothing_is_called_without_credit() {
        let mut multiplex = with_calls(3);
        assert!(sent(&mut multiplex).is_empty());
        credit(&mut multiplex, 2);
        assert_eq!(sent(&mut multiplex), ["1 calls 1", "2 calls 2"]);
        credit(&mut multiplex, 5);
        assert_eq!(sent(&mut multiplex), ["3 calls 3"]);
    }

    #[test]
    fn an_answer_finds_its_call_once() {
        let mut multiplex = with_calls(2);
        credit(&mut multiplex, 2);
        sent(&mut multiplex);
        let answer = multiplex.receive(found(2)).expect("it was called");
        assert_eq!(answer.ticket, ticket(2));
        assert_eq!(multiplex.receive(found(2)), None);
        assert_eq!(multiplex.receive(found(99)), None);
        let failed = FrameBody::Failed {
            failure: Failure::new(FailureClass::Timeout, "too late"),
            timing: Timing::default(),
        };
        let failed = multiplex.receive(Frame::new(1, failed));
        let answer = failed.expect("it was called");
        assert_eq!(answer.reply.name(), "failed");
        assert!(multiplex.is_idle());
        assert!(sent(&mut multiplex).is_empty());
    }

    #[test]
    fn many_answers_are_acknowledged_together() {
        let calls = ACKNOWLEDGE + 1;
        let mut multiplex = with_calls(calls);
        credit(&mut multiplex, calls);
        sent(&mut multiplex);
        for id in (1..=u64::from(calls)).rev() {
            multiplex.receive(found(id)).expect("it was called");
        }
        assert_eq!(sent(&mut multiplex), [format!("{calls} ack")]);
        assert!(multiplex.is_idle());
    }

    #[test]
    fn a_lost_connection_sends_the_unanswered_again() {
        let mut multiplex = with_calls(3);
        credit(&mut multiplex, 2);
        sent(&mut multiplex);
        multiplex.receive(found(1)).expect("it was called");
        multiplex.lost();
        assert_eq!(sent(&mut multiplex), ["8 at once"], "credit went with it");
        let FrameBody::Hello { acknowledged, .. } = multiplex.hello("token", Epoch(1)).body else {
            panic!("the first frame is a hello");
        };
        assert_eq!(acknowledged, 1);
        credit(&mut multiplex, 9);
        assert_eq!(sent(&mut multiplex), ["2 calls 2", "3 calls 3"]);
    }

    #[test]
    fn the_server_hears_of_other_permits_once() {
        let mut multiplex = with_calls(1);
        multiplex.set_permits(8);
        assert!(sent(&mut multiplex).is_empty());
        multiplex.set_permits(0);
        multiplex.set_permits(4);
        assert_eq!(sent(&mut multiplex), ["4 at once"]);
        multiplex.set_permits(0);
        credit(&mut multiplex, 1);
        assert_eq!(sent(&mut multiplex), ["0 at once", "1 calls 1"]);
    }

    #[test]
    fn a_cancel_names_what_was_sent_and_forgets_the_rest() {
        let mut multiplex = with_calls(3);
        credit(&mut multiplex, 1);
        sent(&mut multiplex);
        multiplex.cancel_all();
        assert_eq!(sent(&mut multiplex), ["1 cancel"]);
        assert_eq!(multiplex.receive(found(1)), None);
        assert!(multiplex.is_idle());
    }
}
