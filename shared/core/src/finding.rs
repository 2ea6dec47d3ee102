//! Words looked for in the transcripts of a run: what was said, what was found, how it ended. Letter case aside; words are
//! looked for as they stand, inside longer ones too, so that languages without blanks are searched alike.
//!
//! A transcript does not hold its task, nor what follows from it (ARCHITECTURE.md, rule 3): the question is not searched here.

mod excerpt;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::effect::{CallId, Made, Reply};
use crate::note::Note;
use crate::seat::Seat;
use crate::transcript::{Event, Request, event_of};

pub use excerpt::{Mark, Piece};

/// The longest request that is read, in characters; what follows is left out.
const LONGEST: usize = 400;

/// What is looked for: all of these, in any order, within one reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sought {
    /// In lower case, none empty.
    words: Vec<String>,
}

impl Sought {
    /// Reads a request: words apart by blanks; what stands in double quotes is one. `None` if nothing is asked for.
    pub fn read(text: &str) -> Option<Self> {
        let text: String = text.chars().take(LONGEST).collect();
        let mut words: Vec<String> = Vec::new();
        for (at, part) in text.split('"').enumerate() {
            let is_quoted = at % 2 == 1;
            if is_quoted {
                words.push(part.trim().to_lowercase());
            } else {
                words.extend(part.split_whitespace().map(str::to_lowercase));
            }
        }
        words.retain(|word| !word.is_empty());
        words.sort();
        words.dedup();
        (!words.is_empty()).then_some(Sought { words })
    }

    /// Whether a text has all of it.
    pub fn is_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.words.iter().all(|word| text.contains(word.as_str()))
    }

    /// Whether a text has any of it.
    pub fn touches(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.words.iter().any(|word| text.contains(word.as_str()))
    }

    /// Whether a line of a transcript could have it: quick, and never wrong when it says no.
    fn may_be_in(&self, line: &str) -> bool {
        // Signs that JSON writes otherwise are not looked for in the raw line.
        let plain = |word: &&String| {
            !word.contains(|sign: char| sign == '"' || sign == '\\' || sign.is_control())
        };
        let line = line.to_lowercase();
        self.words.iter().filter(plain).all(|word| line.contains(word.as_str()))
    }
}

/// One place in an episode that has what was looked for.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// The turn to which it belongs, from 1; `None` where it belongs to none.
    pub turn: Option<u32>,
    pub place: Place,
    pub excerpt: Vec<Piece>,
}

/// Where in an episode something stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "place", rename_all = "snake_case")]
pub enum Place {
    Said {
        seat: Seat,
    },
    /// A seat thought it; the service returned it apart from the text.
    Thought {
        seat: Seat,
    },
    /// A search found it, or it stands on a page or a rendered picture.
    Found,
    /// It happened in the world of the episode.
    Happened,
    /// The episode ended with it.
    Ended,
}

/// The first places of a transcript, given as its lines, that have what is looked for, at most `most`; and how many there
/// are. The chain is not checked. Lines that are withheld or cannot be read hold nothing.
pub fn hits(sought: &Sought, transcript: &str, most: usize) -> (Vec<Hit>, u32) {
    let candidates: Vec<usize> = transcript
        .lines()
        .enumerate()
        .filter(|(_, line)| sought.may_be_in(line))
        .map(|(number, _)| number)
        .collect();
    if candidates.is_empty() {
        return (Vec::new(), 0);
    }
    let lines = Lines::read(transcript);
    let mut hits = Vec::new();
    let mut count = 0;
    for number in candidates {
        let Some(Some(event)) = lines.events.get(number) else {
            continue;
        };
        for (place, text) in lines.texts(event) {
            if !sought.is_in(&text) {
                continue;
            }
            count += 1;
            if hits.len() < most {
                hits.push(Hit {
                    turn: lines.turn(number, event),
                    place,
                    excerpt: excerpt::around(&sought.words, &text),
                });
            }
        }
    }
    (hits, count)
}

/// The turns of a transcript, given as its lines, that have what is looked for, in order, each once.
pub fn turns(sought: &Sought, transcript: &str) -> Vec<u32> {
    let (hits, _) = hits(sought, transcript, usize::MAX);
    let turns: BTreeSet<u32> = hits.iter().filter_map(|hit| hit.turn).collect();
    turns.into_iter().collect()
}

/// The events of a transcript, and what is known about its calls.
struct Lines {
    events: Vec<Option<Event>>,
    seats: BTreeMap<CallId, Seat>,
    turns: BTreeMap<CallId, u32>,
}

impl Lines {
    fn read(transcript: &str) -> Self {
        let events: Vec<Option<Event>> =
            transcript.lines().map(|line| event_of(line).ok()).collect();
        let (mut seats, mut turns) = (BTreeMap::new(), BTreeMap::new());
        for event in events.iter().flatten() {
            match event {
                Event::Asked { call, request: Request::Ask { seat, .. } } => {
                    drop(seats.insert(*call, seat.clone()))
                }
                Event::Noted(Note::Turn(turn)) => drop(turns.insert(turn.call, turn.index)),
                Event::Noted(Note::Observation(came)) => {
                    if let Some(call) = came.call {
                        turns.entry(call).or_insert(came.turn);
                    }
                }
                _ => {}
            }
        }
        Lines { events, seats, turns }
    }

    /// What is read of an event, and where it stands.
    fn texts(&self, event: &Event) -> Vec<(Place, String)> {
        match event {
            Event::Told { call, reply: Reply::Said(said) } => {
                let seat = || {
                    let seat = self.seats.get(call);
                    seat.cloned().unwrap_or_else(|| Seat::new(Seat::PLAYER))
                };
                let text = said.text.iter().chain(&said.refusal);
                let said_texts = text.map(|text| (Place::Said { seat: seat() }, text.clone()));
                let thoughts = said.reasoning.iter();
                said_texts
                    .chain(thoughts.map(|text| (Place::Thought { seat: seat() }, text.clone())))
                    .collect()
            }
            Event::Told { reply: Reply::Found { hits, .. }, .. } => hits
                .iter()
                .map(|hit| {
                    let parts = [&hit.title, &hit.snippet, &hit.url];
                    let parts: Vec<&str> =
                        parts.into_iter().flatten().map(String::as_str).collect();
                    (Place::Found, parts.join(" — "))
                })
                .collect(),
            Event::Told { reply: Reply::Made(Made::Page(page)), .. } => {
                let title = page.title.as_deref().unwrap_or_default();
                vec![(Place::Found, format!("{title} — {} — {}", page.url, page.text))]
            }
            Event::Told { reply: Reply::Made(Made::Picture(made)), .. } => {
                vec![(Place::Found, made.layout.clone())]
            }
            Event::Noted(Note::Event { name, detail }) => {
                vec![(Place::Happened, format!("{name} {}", plain(detail)))]
            }
            Event::Closed(outcome) => {
                let result = plain(&outcome.result);
                vec![(Place::Ended, format!("{} {result}", outcome.ending))]
            }
            _ => Vec::new(),
        }
    }

    /// The turn of an event: that of its call, else the turn that was noted last.
    fn turn(&self, number: usize, event: &Event) -> Option<u32> {
        let of_call = match event {
            Event::Told { call, .. } => self.turns.get(call).copied(),
            Event::Closed(_) => return None,
            _ => None,
        };
        of_call.or_else(|| {
            let before = self.events[..number].iter().rev().flatten();
            before
                .filter_map(|event| match event {
                    Event::Noted(Note::Turn(turn)) => Some(turn.index),
                    _ => None,
                })
                .next()
        })
    }
}

/// The texts of a value without its syntax.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(" "),
        Value::Object(members) => members.values().map(plain).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}
