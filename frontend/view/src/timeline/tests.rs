use super::*;
use crate::spec::tests::spec;
use serde_json::json;
use turnwise_shared::note::Reading;
use turnwise_shared::prompt::ThreadId;
use turnwise_shared::transcript::{FORMAT, Part};

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
            usage: Usage { output: Some(tokens), ..Usage::default() },
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
    let event = || Item::Event { name: "deal".into(), detail: serde_json::Value::Null };
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
    assert!(matches!(in_part(&items, Some(part_of(1)))[0], Item::Event { .. }));
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
    Event::Noted(Note::Observation(Observation {
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
        task: TaskRef { id: "1".into(), digest: Digest::of("1"), labels: BTreeMap::new() },
        repeat: 1,
        part: Part::Play,
        origin: Origin::Recorded,
        branch: None,
    };
    let mut all = vec![Some(Event::Opened(Box::new(header.clone())))];
    all.extend(events.into_iter().map(Some));
    Transcript { header, events: all, chain: Digest::of("chain") }
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
        request: Request::Search(Query { text: "q".into(), results: 5, locale: None, since: None }),
    };
    let found = Event::Told {
        call: CallId(2),
        reply: Reply::found(vec![Hit { title: Some("T".into()), snippet: None, url: None }]),
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
        Event::Noted(Note::Flag { name: "min_not_met".into(), turn: Some(3), detail: Value::Null }),
        asked(6, "player"),
        said(6, "answer", 0),
        turn(3, 6, TurnKind::Answer),
        Event::Closed(Outcome { ending: "answered".into(), result: Value::Null }),
    ]));
    let turns = turns(&timeline);
    assert_eq!(timeline.items.len(), 3, "nothing stands between the turns");
    assert_eq!(turns[0].exchanges.len(), 1);
    assert_eq!(turns[0].came[0].word, "1 result");
    assert_eq!(turns[0].said().unwrap().text.as_deref(), Some("search"));
    let calls: Vec<_> = turns[1].exchanges.iter().map(|one| one.call.0).collect();
    assert_eq!(calls, [4, 5], "both attempts of the responder");
    assert_eq!(turns[1].flags[0].name, "responder_unreadable");
    assert_eq!(turns[2].flags[0].name, "min_not_met", "noted before its turn");
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
        Event::Noted(Note::Restarted { attempt: 2, why: "no answer".into() }),
        asked(2, "player"),
        said(2, "ask", 0),
        turn(1, 2, TurnKind::Ask),
        asked(3, "responder"),
        failed(3),
        asked(4, "player"),
    ]));
    assert!(matches!(&timeline.items[0], Item::Aside(one) if one.call == CallId(1)));
    assert!(matches!(&timeline.items[1], Item::Restarted { attempt: 2, .. }));
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
    assert_eq!(around("{x} {x}", "{x}"), Some(("{x} ", "{x}", "")), "the last one");
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

/// Two episodes begin alike for two turns: then another reply, or another answer to the same.
#[test]
fn first_turns_that_are_identical_are_counted_and_left_out() {
    let item = |index: u32, text: &str, came: &str| {
        let Event::Noted(Note::Turn(turn)) = turn(index, index, TurnKind::Ask) else {
            panic!("a turn");
        };
        let Event::Told { reply, .. } = said(index, text, u64::from(index)) else {
            panic!("a reply");
        };
        Item::Turn(Box::new(TurnItem {
            turn,
            reply: Some(reply),
            exchanges: Vec::new(),
            came: Vec::new(),
            flags: vec![Flag { name: came.to_owned(), detail: Value::Null }],
        }))
    };
    let event = || Item::Event { name: "deal".to_owned(), detail: serde_json::Value::Null };
    let of = |texts: &[&str]| Timeline {
        items: (1..)
            .zip(texts)
            .flat_map(|(index, text)| [event(), item(index, text, "other")])
            .collect(),
        ..Timeline::default()
    };
    let (one, other) = (of(&["a", "b", "c"]), of(&["a", "b", "d", "c"]));
    assert_eq!(one.common_turns(&other), 2);
    assert_eq!(other.common_turns(&one), 2);
    assert_eq!(one.common_turns(&one), 3);
    assert_eq!(one.common_turns(&of(&["b"])), 0);
    assert_eq!(one.common_turns(&Timeline::default()), 0);
    let rest = one.without_turns(2);
    assert_eq!(rest.items, [event(), item(3, "c", "other")]);
    assert_eq!(one.without_turns(0), one);
}
