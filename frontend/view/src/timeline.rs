//! A transcript as a reader goes through it: turns in order, each with what was said, what it was taken for and what came
//! back; and whatever happened between turns.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use turnwise_shared::note::Turn;
use turnwise_shared::parse::reasoning;
use turnwise_shared::prelude::*;
use turnwise_shared::scene::ribbon;
use turnwise_shared::screen::event::line;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Timeline {
    /// In the order in which it happened.
    pub items: Vec<Item>,
    pub cells: Vec<Cell>,
    /// Flags that belong to no turn.
    pub flags: Vec<Flag>,
    /// How it ended; `None` while it is under way.
    pub outcome: Option<Outcome>,
    /// How many lines were withheld: what they say is not shown.
    pub withheld: usize,
}

impl Timeline {
    /// The cell of a turn.
    pub fn cell(&self, turn: u32) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.turn == turn)
    }

    pub fn turn(&self, index: u32) -> Option<&TurnItem> {
        self.items.iter().find_map(|item| match item {
            Item::Turn(turn) if turn.turn.index == index => Some(&**turn),
            _ => None,
        })
    }

    /// How many first turns of two episodes are identical: the same was said, and the same came back.
    pub fn common_turns(&self, other: &Timeline) -> usize {
        let same = |(one, other): &(&TurnItem, &TurnItem)| {
            let text = |item: &TurnItem| item.said().map(|said| said.text.clone());
            let did = |item: &TurnItem| {
                (item.turn.seat.clone(), item.turn.kind, item.turn.reading.clone())
            };
            did(one) == did(other) && text(one) == text(other) && one.came == other.came
        };
        self.turns().zip(other.turns()).take_while(same).count()
    }

    /// The same without its first turns, and without what happened before they ended.
    #[must_use]
    pub fn without_turns(&self, count: usize) -> Timeline {
        let mut left = count;
        let items = self.items.iter().filter(|item| match item {
            Item::Turn(_) if left > 0 => {
                left -= 1;
                false
            }
            _ => left == 0,
        });
        Timeline { items: items.cloned().collect(), ..self.clone() }
    }

    fn turns(&self) -> impl Iterator<Item = &TurnItem> {
        self.items.iter().filter_map(|item| match item {
            Item::Turn(turn) => Some(&**turn),
            _ => None,
        })
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// A seat took a turn.
    Turn(Box<TurnItem>),
    /// A call that belongs to no turn: it failed, or nothing has come back yet.
    Aside(Box<Exchange>),
    Restarted {
        attempt: u32,
        why: String,
    },
    /// Something happened in the world of the episode: a deal, a street, a payment, a draw.
    Event {
        /// What, as it was noted.
        name: String,
        /// What is known of it.
        detail: Value,
    },
}

/// A turn with everything that belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnItem {
    /// The turn as it was noted.
    pub turn: Turn,
    /// The reply to the turn's call.
    pub reply: Option<Reply>,
    /// Calls made on its behalf, in order.
    pub exchanges: Vec<Exchange>,
    /// What came back for it, in order.
    pub came: Vec<Observation>,
    pub flags: Vec<Flag>,
}

impl TurnItem {
    /// The text of the reply, if there is one.
    pub fn said(&self) -> Option<&Said> {
        match &self.reply {
            Some(Reply::Said(said)) => Some(said),
            _ => None,
        }
    }

    /// Tokens of the turn and of what was asked on its behalf, as services counted them.
    pub fn tokens(&self) -> u64 {
        let replies = self.exchanges.iter().filter_map(|one| one.reply.as_ref());
        self.reply
            .iter()
            .chain(replies)
            .map(|reply| match reply {
                Reply::Said(said) => said.usage.tokens(),
                _ => 0,
            })
            .sum()
    }
}

/// A call and what came back.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchange {
    pub call: CallId,
    pub request: Request,
    /// What came back; `None` while it is open.
    pub reply: Option<Reply>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Flag {
    pub name: String,
    pub detail: Value,
}

/// A part of a long episode, in turns; both ends belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnRange {
    /// The first turn.
    pub first: u32,
    /// The last turn.
    pub last: u32,
}

const PART: u32 = 60;

/// The part in which a turn lies.
pub fn part_of(turn: u32) -> TurnRange {
    let first = turn.saturating_sub(1) / PART * PART + 1;
    TurnRange { first, last: first + PART - 1 }
}

/// The items of a part, with what happened between its turns and after the last one; all items without a part.
pub fn in_part(items: &[Item], part: Option<TurnRange>) -> &[Item] {
    let Some(part) = part else { return items };
    let is_from =
        |item: &Item, turn: u32| matches!(item, Item::Turn(item) if item.turn.index >= turn);
    let start = match part.first {
        1 => Some(0),
        first => items.iter().position(|item| is_from(item, first)),
    };
    let end = items.iter().position(|item| is_from(item, part.last + 1)).unwrap_or(items.len());
    &items[start.unwrap_or(end).min(end)..end]
}

/// The name under which numbers that were drawn stand in a timeline.
pub const DRAW: &str = "draw";

/// The timeline of a transcript.
pub fn timeline(transcript: &Transcript) -> Timeline {
    let events = || transcript.events.iter().flatten();
    let mut replies: BTreeMap<CallId, &Reply> = BTreeMap::new();
    let mut turn_calls = BTreeSet::new();
    let mut turn_seats = BTreeSet::new();
    for event in events() {
        match event {
            Event::Told { call, reply } => {
                replies.insert(*call, reply);
            }
            Event::Noted(Note::Turn(turn)) => {
                turn_calls.insert(turn.call);
                turn_seats.insert(turn.seat.clone());
            }
            _ => {}
        }
    }
    let mut timeline = Timeline {
        cells: ribbon(transcript.notes()),
        outcome: transcript.outcome().cloned(),
        withheld: transcript.events.iter().filter(|event| event.is_none()).count(),
        ..Timeline::default()
    };
    let mut flags: Vec<(u32, Flag)> = Vec::new();
    for event in events() {
        match event {
            Event::Asked { call, .. } if turn_calls.contains(call) => {}
            // A random draw belongs to no exchange of a seat: it stands between the turns.
            Event::Asked { request: Request::Draw { stream, take, .. }, .. } => {
                timeline.items.push(Item::Event {
                    name: DRAW.to_owned(),
                    detail: json!({ "numbers": take, "stream": stream }),
                })
            }
            Event::Asked { call, request } => {
                let exchange = Exchange {
                    call: *call,
                    request: request.clone(),
                    reply: replies.get(call).map(|reply| (*reply).clone()),
                };
                let takes_turns = request.seat().is_some_and(|seat| turn_seats.contains(seat));
                match last_turn(&mut timeline.items) {
                    Some(turn) if !takes_turns => turn.exchanges.push(exchange),
                    _ => timeline.items.push(Item::Aside(Box::new(exchange))),
                }
            }
            Event::Noted(Note::Turn(turn)) => {
                timeline.items.push(Item::Turn(Box::new(TurnItem {
                    turn: turn.clone(),
                    reply: replies.get(&turn.call).map(|reply| (*reply).clone()),
                    exchanges: Vec::new(),
                    came: Vec::new(),
                    flags: Vec::new(),
                })));
            }
            Event::Noted(Note::Observation(came)) => {
                if let Some(turn) = turn_of(&mut timeline.items, came.turn) {
                    turn.came.push(came.clone());
                }
            }
            Event::Noted(Note::Restarted { attempt, why }) => {
                timeline.items.push(Item::Restarted { attempt: *attempt, why: why.clone() });
            }
            Event::Noted(Note::Event { name, detail }) => {
                timeline.items.push(Item::Event { name: name.clone(), detail: detail.clone() });
            }
            Event::Noted(Note::Flag { name, turn, detail }) => {
                let flag = Flag { name: name.clone(), detail: detail.clone() };
                match turn {
                    // A flag may be noted before its turn is.
                    Some(turn) => flags.push((*turn, flag)),
                    None => timeline.flags.push(flag),
                }
            }
            Event::Opened(_) | Event::Told { .. } | Event::Closed(_) => {}
        }
    }
    for (number, flag) in flags {
        match turn_of(&mut timeline.items, number) {
            Some(turn) => turn.flags.push(flag),
            None => timeline.flags.push(flag),
        }
    }
    timeline
}

fn last_turn(items: &mut [Item]) -> Option<&mut TurnItem> {
    items.iter_mut().rev().find_map(|item| match item {
        Item::Turn(turn) => Some(&mut **turn),
        _ => None,
    })
}

fn turn_of(items: &mut [Item], index: u32) -> Option<&mut TurnItem> {
    items.iter_mut().rev().find_map(|item| match item {
        Item::Turn(turn) if turn.turn.index == index => Some(&mut **turn),
        _ => None,
    })
}

/// What is new on a seat's screen since it was last asked: the blocks after those that both have in common.
pub fn new_blocks<'a>(before: &[Block], now: &'a [Block]) -> &'a [Block] {
    let common = before.iter().zip(now).take_while(|(before, now)| before == now).count();
    &now[common..]
}

/// A raw text in three parts: before what was taken for the action, that, and after it. `None` if it does not stand there.
pub fn around<'a>(raw: &'a str, taken: &str) -> Option<(&'a str, &'a str, &'a str)> {
    if taken.is_empty() {
        return None;
    }
    // Readers take the last action that stands in a text.
    let start = raw.rfind(taken)?;
    let end = start + taken.len();
    Some((&raw[..start], &raw[start..end], &raw[end..]))
}

/// What of a reply is there for people: what was thought in it, and what was written around the action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prose {
    /// What stands in marks of reasoning.
    pub thinking: Option<String>,
    /// The rest, without the action.
    pub text: String,
}

/// The prose of a reply; `taken` is what was taken from it for the action.
pub fn prose(text: &str, taken: Option<&str>) -> Prose {
    let thinking = reasoning::thought(text);
    let rest = match thinking {
        Some(_) => reasoning::said(text),
        None => text.to_owned(),
    };
    let text = match taken {
        Some(taken) => without(&rest, taken),
        None => rest,
    };
    Prose { thinking, text: text.trim().to_owned() }
}

/// A text without the lines of the action, and without the marks that stand around these. An action within a line belongs to its
/// sentence and stays.
fn without(text: &str, taken: &str) -> String {
    let Some((before, taken, after)) = around(text, taken) else {
        return text.to_owned();
    };
    let (before, after) = match wrapped(before, after) {
        Some(outside) => outside,
        None => (before, after),
    };
    let (above, opens) = before.rsplit_once('\n').unwrap_or(("", before));
    let (closes, below) = after.split_once('\n').unwrap_or((after, ""));
    match is_tag(opens) && is_tag(closes) {
        true => format!("{}\n\n{}", above.trim_end(), below.trim_start()),
        false => format!("{before}{taken}{after}"),
    }
}

/// Whether nothing stands beside an action in its line but what marks it as one: `####`, `Q:`, `**FINAL:** `.
fn is_tag(text: &str) -> bool {
    let is_mark = |sign: char| !sign.is_alphanumeric();
    let word = text.trim_matches(|sign: char| is_mark(sign) && !matches!(sign, ':' | '：'));
    let is_label = word.strip_suffix([':', '：']).is_some_and(|name| {
        name.chars().count() <= LONGEST_TAG && name.chars().all(char::is_alphanumeric)
    });
    is_label || text.chars().all(is_mark)
}

/// The longest word before a colon that is taken for a tag, in characters.
const LONGEST_TAG: usize = 12;

/// What lies outside of the fence or the tag that is closed around an action.
fn wrapped<'a>(before: &'a str, after: &'a str) -> Option<(&'a str, &'a str)> {
    let (open, rest) = (before.trim_end(), after.trim_start());
    let (outside, mark) =
        open.split_at(open.rfind(['\n', '<']).map_or(0, |at| match open[at..].starts_with('\n') {
            true => at + 1,
            false => at,
        }));
    if mark.trim_start().starts_with("```") {
        return Some((outside, rest.strip_prefix("```")?));
    }
    let name = mark.strip_prefix('<')?.strip_suffix('>')?;
    Some((outside, rest.strip_prefix(&*format!("</{name}>"))?))
}

/// A value as pairs of name and text, where it is an object; else as one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    Nothing,
    Text(String),
    Members(Vec<(String, String)>),
}

/// What was applied, as a reader wants it.
pub fn told(value: &Value) -> Told {
    match value {
        Value::Null => Told::Nothing,
        Value::Object(members) if !members.is_empty() => {
            Told::Members(members.iter().map(|(name, value)| (name.clone(), text(value))).collect())
        }
        other => Told::Text(text(other)),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(_) => line(value),
        other => other.to_string(),
    }
}

/// How much of the largest turn's tokens each turn used, in eighths from 1 to 8; empty where nothing was counted.
pub fn levels(timeline: &Timeline) -> BTreeMap<u32, u32> {
    let tokens: BTreeMap<u32, u64> = timeline
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Turn(turn) => Some((turn.turn.index, turn.tokens())),
            _ => None,
        })
        .collect();
    let most = tokens.values().copied().max().unwrap_or(0);
    if most == 0 {
        return BTreeMap::new();
    }
    tokens
        .into_iter()
        .filter(|(_, tokens)| *tokens > 0)
        .map(|(turn, tokens)| {
            // In eighths, rounded up; at most 8.
            let level = (tokens * 8).div_ceil(most);
            (turn, u32::try_from(level).unwrap_or(8))
        })
        .collect()
}

#[cfg(test)]
pub(crate) mod tests;
