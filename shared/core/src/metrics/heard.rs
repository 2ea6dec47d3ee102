//! How the replies of an episode could be read, counted alike for every benchmark and seat: which questions stayed without a reading, and
//! which reasoning stood in replies.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::effect::{CallId, Reply};
use crate::episode::Outcome;
use crate::note::Note;
use crate::parse::reasoning;
use crate::seat::Player;
use crate::serialised::is_usual;
use crate::spec::Profile;
use crate::transcript::{Event, Header, Part, Request};

/// How the replies of one seat could be read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Heard {
    /// Questions that others put to this seat, attempts after an unreadable reply left aside.
    #[serde(skip_serializing_if = "is_usual")]
    pub asked: u32,
    /// Of these, questions of which no reply could be read.
    #[serde(skip_serializing_if = "is_usual")]
    pub unread: u32,
    /// Replies of models by the first mark around the reasoning that was taken off (`strict`).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: BTreeMap<String, u32>,
    /// Replies that could not be read and begin with a mark that is not known.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub unknown_marks: BTreeMap<String, u32>,
}

impl Heard {
    pub(super) fn add(&mut self, other: &Heard) {
        self.asked = self.asked.saturating_add(other.asked);
        self.unread = self.unread.saturating_add(other.unread);
        for (sums, more) in
            [(&mut self.marks, &other.marks), (&mut self.unknown_marks, &other.unknown_marks)]
        {
            for (mark, count) in more {
                *sums.entry(mark.clone()).or_default() += count;
            }
        }
    }
}

/// Follows the lines of one transcript.
#[derive(Debug, Clone, Default)]
pub(super) struct Listening {
    /// Which seat each call asked.
    seats: BTreeMap<CallId, String>,
    /// The latest reply that no note is about yet.
    last: Option<CallId>,
    /// The unknown mark with which a reply begins.
    unknown: BTreeMap<CallId, String>,
    /// Calls that were answered, by whatever words.
    answered: BTreeSet<CallId>,
    /// Seats that take turns; what comes back to them is from others.
    takers: BTreeSet<String>,
    is_unread: bool,
}

impl Listening {
    pub(super) fn take(
        &mut self,
        header: &Header,
        event: &Event,
        heard: &mut BTreeMap<String, Heard>,
    ) {
        match event {
            Event::Asked { call, request: Request::Ask { seat, .. } } => {
                self.seats.insert(*call, seat.as_str().to_owned());
            }
            Event::Told { call, reply: Reply::Said(said) } => {
                self.answered.insert(*call);
                self.last = Some(*call);
                let text = said.text.as_deref().unwrap_or_default();
                self.look(header, *call, text, heard);
            }
            Event::Told { .. } => self.last = None,
            Event::Noted(Note::Turn(turn)) => {
                self.takers.insert(turn.seat.as_str().to_owned());
                self.last = self.last.filter(|last| *last != turn.call);
                if turn.reading.fault.is_some() {
                    self.is_unread = true;
                    self.tell_unknown(turn.call, heard);
                }
            }
            Event::Noted(Note::Observation(came)) => {
                let call = came.call.or(self.last);
                self.last = None;
                let Some(call) = call.filter(|call| self.answered.contains(call)) else {
                    return;
                };
                let Some(seat) = self.seats.get(&call) else {
                    return;
                };
                if self.takers.contains(seat) {
                    return;
                }
                let reading = came.reading.as_ref();
                let is_unread = reading.is_some_and(|reading| reading.fault.is_some());
                let of_seat = heard.entry(seat.clone()).or_default();
                of_seat.asked += 1;
                of_seat.unread += u32::from(is_unread);
                if is_unread {
                    self.tell_unknown(call, heard);
                }
            }
            Event::Closed(outcome) => self.closed(header, outcome, heard),
            _ => {}
        }
    }

    fn look(
        &mut self,
        header: &Header,
        call: CallId,
        text: &str,
        heard: &mut BTreeMap<String, Heard>,
    ) {
        let Some(seat) = self.seats.get(&call) else {
            return;
        };
        let sitting = header.spec.seats.iter().find(|(one, _)| one.as_str() == seat);
        let is_model = sitting.is_some_and(|(_, one)| matches!(one.player, Player::Model { .. }));
        if header.spec.profile != Profile::Strict || !is_model {
            return;
        }
        if let Some(mark) = reasoning::read(text).marks.into_iter().next() {
            let of_seat = heard.entry(seat.clone()).or_default();
            *of_seat.marks.entry(mark).or_default() += 1;
        } else if let Some(mark) = reasoning::unknown_mark(text) {
            self.unknown.insert(call, mark.to_owned());
        }
    }

    fn tell_unknown(&mut self, call: CallId, heard: &mut BTreeMap<String, Heard>) {
        if let (Some(mark), Some(seat)) = (self.unknown.remove(&call), self.seats.get(&call)) {
            let of_seat = heard.entry(seat.clone()).or_default();
            *of_seat.unknown_marks.entry(mark).or_default() += 1;
        }
    }

    /// A grading asks one question, what its verdict is, and the seat that it asks last.
    fn closed(&self, header: &Header, outcome: &Outcome, heard: &mut BTreeMap<String, Heard>) {
        let is_grading = matches!(header.part, Part::Grading { .. });
        let seat = self.seats.values().next_back().filter(|_| is_grading && outcome.is_complete());
        if let Some(seat) = seat {
            let of_seat = heard.entry(seat.clone()).or_default();
            of_seat.asked += 1;
            of_seat.unread += u32::from(self.is_unread && outcome.verdict().is_none());
        }
    }
}
