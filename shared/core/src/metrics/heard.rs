//! How the replies of a run could be read, told alike for every benchmark and seat: which questions stayed without a reading, which
//! reasoning stood in replies, and what is unknown of the headline number where verdicts are missing.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::effect::Reply;
use crate::episode::{CallId, Outcome};
use crate::metrics::report::{Report, Unit};
use crate::metrics::summary::Summary;
use crate::note::Note;
use crate::parse::reasoning;
use crate::screen::episode_status::EpisodeStatus;
use crate::screen::number::counted;
use crate::seat::Player;
use crate::spec::Profile;
use crate::transcript::{Event, Header, Part, Request};

/// How the replies of one seat could be read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Heard {
    /// Questions that others put to this seat, attempts after an unreadable reply left aside.
    #[serde(skip_serializing_if = "is_zero")]
    pub asked: u32,
    /// Of these, questions of which no reply could be read.
    #[serde(skip_serializing_if = "is_zero")]
    pub unread: u32,
    /// Replies of models by the first mark around the reasoning that was taken off (`strict`).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: BTreeMap<String, u32>,
    /// Replies that could not be read and begin with a mark that is not known.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub unknown_marks: BTreeMap<String, u32>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Heard {
    fn add(&mut self, other: &Heard) {
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
    /// The reply that was told last and that no note is about yet.
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
            Event::Noted(Note::Came(came)) => {
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

/// Which seats could not be read, and on how many questions, each in a sentence.
pub fn unread<'a>(episodes: impl IntoIterator<Item = &'a Summary>) -> Vec<String> {
    of_unread(&sums(episodes))
}

fn of_unread(all: &BTreeMap<&str, Heard>) -> Vec<String> {
    let told = all.iter().filter(|(_, heard)| heard.unread > 0);
    told.map(|(seat, heard)| {
        format!(
            "The {seat} could not be read on {} of the {} that it was asked, also when asked again.",
            heard.unread,
            counted(heard.asked.into(), "question", "questions"),
        )
    })
    .collect()
}

/// The same, and which reasoning was taken off replies.
pub fn sentences<'a>(episodes: impl IntoIterator<Item = &'a Summary>) -> Vec<String> {
    let all = sums(episodes);
    let mut told = of_unread(&all);
    let marked = |of: fn(&Heard) -> &BTreeMap<String, u32>| {
        let mut marks: BTreeMap<&str, u32> = BTreeMap::new();
        let mut seats = Vec::new();
        for (seat, heard) in &all {
            let replies: u32 = of(heard).values().sum();
            if replies > 0 {
                seats
                    .push(format!("{} of the {seat}", counted(replies.into(), "reply", "replies")));
            }
            for (mark, count) in of(heard) {
                *marks.entry(mark).or_default() += count;
            }
        }
        let marks: Vec<&str> = marks.keys().take(SHOWN).copied().collect();
        (!seats.is_empty()).then(|| (seats.join(", "), marks.join(", ")))
    };
    if let Some((replies, marks)) = marked(|heard| &heard.marks) {
        told.push(format!("Reasoning between marks ({marks}) was taken off {replies}."));
    }
    if let Some((replies, marks)) = marked(|heard| &heard.unknown_marks) {
        told.push(format!(
            "{replies} could not be read and began with {marks}, which is no known mark of reasoning."
        ));
    }
    told
}

/// The most marks in a sentence.
const SHOWN: usize = 5;

fn sums<'a>(episodes: impl IntoIterator<Item = &'a Summary>) -> BTreeMap<&'a str, Heard> {
    let mut all: BTreeMap<&str, Heard> = BTreeMap::new();
    for (seat, heard) in episodes.into_iter().flat_map(|summary| &summary.heard) {
        all.entry(seat).or_default().add(heard);
    }
    all
}

/// What is known of a share where some episodes have no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// Episodes with a score.
    pub graded: u32,
    /// Episodes that ended or were broken off, these included; none of a game.
    pub of: u32,
    /// The share if every other one were wrong, and if every other one were right.
    pub bounds: (f64, f64),
}

impl Known {
    /// Of a mean score over the graded ones of so many episodes; `None` where all are graded.
    pub fn of(mean: Option<f64>, graded: u32, of: u32) -> Option<Self> {
        let right = mean.unwrap_or(0.0) * f64::from(graded);
        let share = |right: f64| (right / f64::from(of)).clamp(0.0, 1.0);
        (graded < of).then(|| Known {
            graded,
            of,
            bounds: (share(right), share(right + f64::from(of - graded))),
        })
    }

    /// In a few words, e.g. `18 of 32 graded`.
    pub fn words(&self) -> String {
        format!("{} of {} graded", self.graded, self.of)
    }

    fn of_episodes(episodes: &[&Summary]) -> Option<Self> {
        let scores: Vec<f64> = episodes.iter().filter_map(|one| one.score).collect();
        let count = |wanted: EpisodeStatus| {
            let of = |one: &&&Summary| EpisodeStatus::of(one) == wanted;
            episodes.iter().filter(of).count()
        };
        // Without any score it may be a game, or a run that has none: then only a seat that could not be read tells.
        let mut heard = episodes.iter().flat_map(|one| one.heard.values());
        if scores.is_empty() && heard.all(|one| one.unread == 0) {
            return None;
        }
        let open = count(EpisodeStatus::Ungraded) + count(EpisodeStatus::Incomplete);
        let small = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let mean = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
        Known::of(Some(mean), small(scores.len()), small(scores.len() + open))
    }
}

/// A benchmark's report with all this in it.
pub fn reported(mut report: Report, episodes: &[&Summary]) -> Report {
    let known = Known::of_episodes(episodes);
    if let Some(known) = known {
        let main = report.headline.iter_mut().find(|figure| figure.unit == Unit::Fraction);
        if let Some(figure) = main {
            report.remarks.insert(
                0,
                format!(
                    "{} of {} episodes have no score, because they are incomplete or whoever grades them could not be read: {} \
                     lies between {:.1} % and {:.1} %. The run is not ranked until they are resumed or graded again.",
                    known.of - known.graded,
                    known.of,
                    figure.label.to_lowercase(),
                    100.0 * known.bounds.0,
                    100.0 * known.bounds.1,
                ),
            );
            figure.known = Some(known);
        }
    }
    report.remarks.extend(sentences(episodes.iter().copied()));
    if let Value::Object(record) = &mut report.record {
        let unread = sums(episodes.iter().copied());
        if unread.values().any(|heard| *heard != Heard { asked: heard.asked, ..Heard::default() }) {
            record.insert("heard".into(), json!(unread));
        }
        if let Some(known) = known {
            record.insert("graded".into(), json!(known.graded));
            record.insert("score_bounds".into(), json!(known.bounds));
        }
    }
    report
}
