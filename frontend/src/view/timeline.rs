//! A transcript as a reader goes through it: turns in order, each with what was said, what it was taken for and what came
//! back; and whatever happened between turns.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use turnwise_shared::effect::Reply;
use turnwise_shared::episode::{CallId, Outcome};
use turnwise_shared::note::{Came, Note, Turn};
use turnwise_shared::prompt::Said;
use turnwise_shared::scene::{Block, Cell, ribbon};
use turnwise_shared::transcript::{Event, Request, Transcript};

/// An episode for reading.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Timeline {
    /// In the order in which it happened.
    pub items: Vec<Item>,
    /// Its ribbon.
    pub cells: Vec<Cell>,
    /// Flags that belong to no turn.
    pub flags: Vec<Flag>,
    /// How it ended; `None` while it is under way.
    pub outcome: Option<Outcome>,
    /// How many lines were withheld: what they say is not shown.
    pub withheld: usize,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// A seat took a turn.
    Turn(Box<TurnItem>),
    /// A call that belongs to no turn: it failed, or nothing has come back yet.
    Aside(Box<Exchange>),
    /// The episode began anew.
    Restarted {
        /// Which attempt begins.
        attempt: u32,
        /// Why.
        why: String,
    },
    /// Something happened in the world of the episode: a deal, a street, a payment, a draw.
    Event {
        /// What, as it was noted.
        name: String,
        /// What is to be known of it, in one line.
        line: String,
    },
}

/// A turn with everything that belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnItem {
    /// The turn as it was noted.
    pub turn: Turn,
    /// What was told to its call.
    pub reply: Option<Reply>,
    /// Calls made on its behalf, in order.
    pub exchanges: Vec<Exchange>,
    /// What came back for it, in order.
    pub came: Vec<Came>,
    /// Flags that name it.
    pub flags: Vec<Flag>,
}

impl TurnItem {
    /// What was said, if somebody said something.
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
    /// The call.
    pub call: CallId,
    /// What was asked for.
    pub request: Request,
    /// What came back; `None` while it is open.
    pub reply: Option<Reply>,
}

/// Something that was counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Flag {
    /// Its name.
    pub name: String,
    /// What else is known.
    pub detail: Value,
}

/// A part of a long episode, in turns; both ends belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The first turn.
    pub first: u32,
    /// The last turn.
    pub last: u32,
}

/// Turns of a part.
const PART: u32 = 60;

/// The part in which a turn lies.
pub fn part_of(turn: u32) -> Part {
    let first = turn.saturating_sub(1) / PART * PART + 1;
    Part {
        first,
        last: first + PART - 1,
    }
}

/// The items of a part, with what happened between its turns and after the last one; all items without a part.
pub fn in_part(items: &[Item], part: Option<Part>) -> &[Item] {
    let Some(part) = part else { return items };
    let is_from =
        |item: &Item, turn: u32| matches!(item, Item::Turn(item) if item.turn.index >= turn);
    let start = match part.first {
        1 => Some(0),
        first => items.iter().position(|item| is_from(item, first)),
    };
    let end = items
        .iter()
        .position(|item| is_from(item, part.last + 1))
        .unwrap_or(items.len());
    &items[start.unwrap_or(end).min(end)..end]
}

/// The name under which numbers that were drawn stand in a timeline.
const DRAW: &str = "draw";

/// How many signs of an event are told in its line.
const LONGEST_LINE: usize = 140;

/// Everything of an event that fits into a line: its plain members, and its lists of plain members. What is deeper stands in the
/// raw lines.
fn line(detail: &Value) -> String {
    let parts: Vec<String> = match detail {
        Value::Object(members) => members
            .iter()
            .filter_map(|(name, value)| {
                Some(format!("{} {}", name.replace('_', " "), short(value)?))
            })
            .collect(),
        other => short(other).into_iter().collect(),
    };
    let line = parts.join(", ");
    match line.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

fn short(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Object(_) => None,
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Array(items) if items.is_empty() => None,
        Value::Array(items) => {
            let items: Option<Vec<String>> = items
                .iter()
                .map(|item| match item {
                    Value::Array(_) => None,
                    other => short(other),
                })
                .collect();
            items.map(|items| items.join(" "))
        }
    }
}

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
        withheld: transcript
            .events
            .iter()
            .filter(|event| event.is_none())
            .count(),
        ..Timeline::default()
    };
    let mut flags: Vec<(u32, Flag)> = Vec::new();
    for event in events() {
        match event {
            Event::Asked { call, .. } if turn_calls.contains(call) => {}
            // Chance is no exchange of anybody's: it stands between the turns.
            Event::Asked {
                request: Request::Draw { stream, take, .. },
                ..
            } => timeline.items.push(Item::Event {
                name: DRAW.to_owned(),
                line: format!("{take} from {stream}"),
            }),
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
            Event::Noted(Note::Came(came)) => {
                if let Some(turn) = turn_of(&mut timeline.items, came.turn) {
                    turn.came.push(came.clone());
                }
            }
            Event::Noted(Note::Restarted { attempt, why }) => {
                timeline.items.push(Item::Restarted {
                    attempt: *attempt,
                    why: why.clone(),
                });
            }
            Event::Noted(Note::Event { name, detail }) => {
                timeline.items.push(Item::Event {
                    name: name.clone(),
                    line: line(detail),
                });
            }
            Event::Noted(Note::Flag { name, turn, detail }) => {
                let flag = Flag {
                    name: name.clone(),
                    detail: detail.clone(),
                };
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
    let common = before
        .iter()
        .zip(now)
        .take_while(|(before, now)| before == now)
        .count();
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

/// A value as pairs of name and text, where it is an object; else as one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// Nothing.
    Nothing,
    /// A text.
    Text(String),
    /// Members of an object.
    Members(Vec<(String, String)>),
}

/// What was applied, as a reader wants it.
pub fn told(value: &Value) -> Told {
    match value {
        Value::Null => Told::Nothing,
        Value::Object(members) if !members.is_empty() => Told::Members(
            members
                .iter()
                .map(|(name, value)| (name.clone(), text(value)))
                .collect(),
        ),
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
pub(crate) mod tests {
    use super::*;
    use crate::view::figures::tests::spec;
    use serde_json::json;
    use turnwise_shared::effect::{Failure, FailureClass, Hit, Query};
    use turnwise_shared::hash::Digest;
    use turnwise_shared::note::{Reading, Tone, TurnKind};
    use turnwise_shared::prompt::{ThreadId, Usage};
    use turnwise_shared::transcript::{FORMAT, Header, Origin, Part, TaskRef};

    fn asked(call: u32, seat: &str) -> Event {
        Event::Asked {
            call: CallId(call),
            request: Request::Ask {
                seat: seat.into(),
                thread: ThreadId(call),
                templates: vec!["act".into()],
                digest: Digest::of(seat),
            },
        }
    }

    fn said(call: u32, text: &str, tokens: u64) -> Event {
        Event::Told {
            call: CallId(call),
            reply: Reply::Said(Said {
                usage: Usage {
                    output: Some(tokens),
                    ..Usage::default()
                },
                ..Said::text(text)
            }),
        }
    }

    fn turn(index: u32, call: u32, kind: TurnKind) -> Event {
        Event::Noted(Note::Turn(Turn {
            index,
            round: index,
            seat: "player".into(),
            call: CallId(call),
            kind,
            sentence: format!("turn {index}"),
            reading: Reading::default(),
        }))
    }

    #[test]
    fn long_episodes_are_cut_into_parts() {
        let item = |index: u32| {
            Item::Turn(Box::new(TurnItem {
                turn: match turn(index, index, TurnKind::Move) {
                    Event::Noted(Note::Turn(turn)) => turn,
                    other => panic!("a turn, not {other:?}"),
                },
                reply: None,
                exchanges: Vec::new(),
                came: Vec::new(),
                flags: Vec::new(),
            }))
        };
        let event = || Item::Event {
            name: "deal".into(),
            line: String::new(),
        };
        let mut items = vec![event()];
        for index in 1..=130 {
            items.push(item(index));
            items.push(event());
        }
        let turns = |part| {
            let found = in_part(&items, part).iter().filter_map(|item| match item {
                Item::Turn(turn) => Some(turn.turn.index),
                _ => None,
            });
            let found: Vec<u32> = found.collect();
            (found.len(), found.first().copied(), found.last().copied())
        };
        assert_eq!(turns(None), (130, Some(1), Some(130)));
        assert_eq!(turns(Some(part_of(60))), (60, Some(1), Some(60)));
        assert_eq!(turns(Some(part_of(61))), (60, Some(61), Some(120)));
        assert_eq!(turns(Some(part_of(130))), (10, Some(121), Some(130)));
        assert_eq!(turns(Some(part_of(500))).0, 0);
        assert!(matches!(
            in_part(&items, Some(part_of(1)))[0],
            Item::Event { .. }
        ));
    }

    #[test]
    fn events_are_told_in_a_line() {
        let detail = json!({
            "hand": 3, "button": 2, "seats": ["1", "2"], "deep": { "more": 1 }, "none": null, "lists": [[1]]
        });
        assert_eq!(line(&detail), "button 2, hand 3, seats 1 2");
        assert!(line(&json!({ "text": "x".repeat(999) })).chars().count() < 150);
        assert_eq!(
            told(&json!({ "asked": { "action": "CALL", "amount": 100 } })),
            Told::Members(vec![("asked".into(), "action CALL, amount 100".into())])
        );
    }

    fn came(turn: u32, call: Option<u32>, word: &str) -> Event {
        Event::Noted(Note::Came(Came {
            turn,
            call: call.map(CallId),
            tone: Tone::Neutral,
            word: word.into(),
            shown: word.into(),
            reading: None,
        }))
    }

    fn transcript(events: Vec<Event>) -> Transcript {
        let header = Header {
            format: FORMAT,
            spec: spec(),
            task: TaskRef {
                id: "1".into(),
                digest: Digest::of("1"),
                labels: BTreeMap::new(),
            },
            repeat: 1,
            part: Part::Play,
            origin: Origin::Recorded,
        };
        let mut all = vec![Some(Event::Opened(Box::new(header.clone())))];
        all.extend(events.into_iter().map(Some));
        Transcript {
            header,
            events: all,
            chain: Digest::of("chain"),
        }
    }

    fn turns(timeline: &Timeline) -> Vec<&TurnItem> {
        timeline
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Turn(turn) => Some(&**turn),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn what_belongs_to_a_turn_stands_with_it() {
        let search = Event::Asked {
            call: CallId(2),
            request: Request::Search(Query {
                text: "q".into(),
                results: 5,
                locale: None,
            }),
        };
        let found = Event::Told {
            call: CallId(2),
            reply: Reply::Found {
                hits: vec![Hit {
                    title: Some("T".into()),
                    snippet: None,
                    url: None,
                }],
            },
        };
        let timeline = timeline(&transcript(vec![
            asked(1, "player"),
            said(1, "search", 10),
            turn(1, 1, TurnKind::Search),
            search,
            found,
            came(1, None, "1 result"),
            asked(3, "player"),
            said(3, "ask", 80),
            turn(2, 3, TurnKind::Ask),
            asked(4, "responder"),
            said(4, "mumble", 1),
            Event::Noted(Note::Flag {
                name: "responder_unreadable".into(),
                turn: Some(2),
                detail: json!({"attempt": 1}),
            }),
            asked(5, "responder"),
            said(5, "yes", 1),
            came(2, Some(5), "yes"),
            Event::Noted(Note::Flag {
                name: "min_not_met".into(),
                turn: Some(3),
                detail: Value::Null,
            }),
            asked(6, "player"),
            said(6, "answer", 0),
            turn(3, 6, TurnKind::Answer),
            Event::Closed(Outcome {
                ending: "answered".into(),
                result: Value::Null,
            }),
        ]));
        let turns = turns(&timeline);
        assert_eq!(timeline.items.len(), 3, "nothing stands between the turns");
        assert_eq!(turns[0].exchanges.len(), 1);
        assert_eq!(turns[0].came[0].word, "1 result");
        assert_eq!(turns[0].said().unwrap().text.as_deref(), Some("search"));
        let calls: Vec<_> = turns[1].exchanges.iter().map(|one| one.call.0).collect();
        assert_eq!(calls, [4, 5], "both attempts of the responder");
        assert_eq!(turns[1].flags[0].name, "responder_unreadable");
        assert_eq!(
            turns[2].flags[0].name, "min_not_met",
            "noted before its turn"
        );
        assert_eq!(timeline.cells[1].sentence, "turn 2 → yes");
        assert_eq!(timeline.outcome.as_ref().unwrap().ending, "answered");
        assert_eq!(
            levels(&timeline),
            BTreeMap::from([(1, 1), (2, 8)]),
            "tokens of both seats, and no level where nothing was counted"
        );
    }

    #[test]
    fn calls_without_a_turn_stand_apart() {
        let failed = |call| Event::Told {
            call: CallId(call),
            reply: Reply::Failed(Failure::new(FailureClass::Timeout, "no answer")),
        };
        let timeline = timeline(&transcript(vec![
            asked(1, "player"),
            failed(1),
            Event::Noted(Note::Restarted {
                attempt: 2,
                why: "no answer".into(),
            }),
            asked(2, "player"),
            said(2, "ask", 0),
            turn(1, 2, TurnKind::Ask),
            asked(3, "responder"),
            failed(3),
            asked(4, "player"),
        ]));
        assert!(matches!(&timeline.items[0], Item::Aside(one) if one.call == CallId(1)));
        assert!(matches!(
            &timeline.items[1],
            Item::Restarted { attempt: 2, .. }
        ));
        assert_eq!(turns(&timeline)[0].exchanges[0].call, CallId(3));
        assert!(
            matches!(&timeline.items[3], Item::Aside(one) if one.call == CallId(4) && one.reply.is_none()),
            "the open call of the player is no part of the last turn"
        );
        assert_eq!(timeline.outcome, None);
        assert!(levels(&timeline).is_empty());
    }

    #[test]
    fn withheld_lines_are_counted() {
        let mut cut = transcript(vec![asked(1, "player"), said(1, "x", 0)]);
        cut.events[2] = None;
        assert_eq!(timeline(&cut).withheld, 1);
    }

    #[test]
    fn only_what_is_new_on_the_screen_is_shown() {
        let block = |text: &str| Block::Remark { text: text.into() };
        let before = [block("question"), block("first"), block("remark")];
        let now = [block("question"), block("first"), block("second")];
        assert_eq!(new_blocks(&before, &now), [block("second")]);
        assert_eq!(new_blocks(&[], &now), now);
        assert!(new_blocks(&now, &now).is_empty());
    }

    #[test]
    fn the_part_that_was_taken_is_found_in_the_raw_text() {
        assert_eq!(around("a {x} b", "{x}"), Some(("a ", "{x}", " b")));
        assert_eq!(
            around("{x} {x}", "{x}"),
            Some(("{x} ", "{x}", "")),
            "the last one"
        );
        assert_eq!(around("a", "b"), None);
        assert_eq!(around("a", ""), None);
    }

    #[test]
    fn what_was_applied_is_set_out() {
        assert_eq!(told(&Value::Null), Told::Nothing);
        assert_eq!(told(&json!("yes")), Told::Text("yes".into()));
        assert_eq!(
            told(&json!({"query": "q", "n": 3})),
            Told::Members(vec![("n".into(), "3".into()), ("query".into(), "q".into())])
        );
    }
}
