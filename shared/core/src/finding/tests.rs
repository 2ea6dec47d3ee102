//! Finding in a transcript that a real session wrote.

use serde_json::json;

use super::*;
use crate::effect;
use crate::episode::Outcome;
use crate::note::{Reading, Turn, TurnKind};
use crate::prompt::{Said, ThreadId};
use crate::transcript::{SaltKey, Writer};

fn transcript(events: &[Event]) -> String {
    let mut writer = Writer::new(SaltKey::strange());
    events.iter().map(|event| format!("{}\n", writer.line(event))).collect()
}

fn asked(call: u32, seat: &str) -> Event {
    Event::Asked {
        call: CallId(call),
        request: Request::Ask {
            seat: Seat::new(seat),
            thread: ThreadId(1),
            templates: vec!["t".to_owned()],
            digest: crate::hash::Digest::of("q"),
        },
    }
}

fn said(call: u32, text: &str) -> Event {
    Event::Told { call: CallId(call), reply: Reply::Said(Said::text(text)) }
}

fn turn(index: u32, call: u32) -> Event {
    Event::Noted(Note::Turn(Turn {
        index,
        round: index,
        seat: Seat::new("player"),
        call: CallId(call),
        kind: TurnKind::Search,
        sentence: "searched".to_owned(),
        reading: Reading::default(),
    }))
}

fn episode() -> String {
    transcript(&[
        asked(1, "player"),
        said(1, "I look for the \"Grand Harbour\" bridge,\nwhich opened late."),
        turn(1, 1),
        Event::Told {
            call: CallId(2),
            reply: Reply::found(vec![effect::Hit {
                title: Some("港口大桥".to_owned()),
                snippet: Some("这座大桥在港口的北面".to_owned()),
                url: None,
            }]),
        },
        asked(3, "responder"),
        said(3, "No, the BRIDGE is older."),
        turn(2, 3),
        Event::Closed(Outcome {
            ending: "answered".to_owned(),
            result: json!({ "prediction": "Old Bridge" }),
        }),
    ])
}

fn found(request: &str) -> Vec<(Option<u32>, Place)> {
    let sought = Sought::read(request).unwrap();
    let (hits, count) = hits(&sought, &episode(), 10);
    assert_eq!(hits.len(), count as usize);
    hits.into_iter().map(|hit| (hit.turn, hit.place)).collect()
}

fn by(seat: &str) -> Place {
    Place::Said { seat: Seat::new(seat) }
}

#[test]
fn words_are_found_whatever_their_case_and_lead_to_their_turn() {
    assert_eq!(
        found("bridge"),
        [(Some(1), by("player")), (Some(2), by("responder")), (None, Place::Ended)]
    );
    assert_eq!(found("older Bridge"), [(Some(2), by("responder"))]);
    assert_eq!(found("nothing of this"), []);
}

#[test]
fn what_json_writes_otherwise_is_found() {
    assert_eq!(found("\"harbour\\\" bridge\""), [], "a backslash was not said");
    assert_eq!(found("\"bridge, which\"").len(), 0, "the line break stands between");
    assert_eq!(found("opened harbour"), [(Some(1), by("player"))]);
}

#[test]
fn chinese_is_found_inside_of_words() {
    assert_eq!(found("大桥在港口"), [(Some(1), Place::Found)]);
    let (hits, _) = hits(&Sought::read("港口大桥").unwrap(), &episode(), 10);
    assert_eq!(
        hits[0].excerpt,
        [
            Piece { text: "港口大桥".to_owned(), found: Mark::Found },
            Piece { text: " — 这座大桥在港口的北面".to_owned(), found: Mark::Plain },
        ]
    );
}

#[test]
fn turns_are_told_once_and_in_order() {
    let turns = |request: &str| turns(&Sought::read(request).unwrap(), &episode());
    assert_eq!(turns("BRIDGE"), [1, 2]);
    assert_eq!(turns("北面"), [1]);
    assert_eq!(turns("old"), [2], "how it ended is no turn");
    assert_eq!(turns("harbour older").len(), 0, "not within one reply");
    let sought = Sought::read("harbour older").unwrap();
    assert!(sought.touches("It is OLDER") && !sought.touches("It is old"));
}

#[test]
fn only_so_many_are_shown_and_all_are_counted() {
    let (hits, count) = hits(&Sought::read("bridge").unwrap(), &episode(), 1);
    assert_eq!((hits.len(), count), (1, 3));
}

#[test]
fn excerpts_are_cut_and_marked() {
    let long = format!("{} needle {}", "hay ".repeat(50), "straw ".repeat(50));
    let pieces = excerpt::around(&["needle".to_owned()], &long);
    assert_eq!(pieces[1].text, "needle");
    assert!(pieces[0].text.starts_with('…') && pieces[2].text.ends_with('…'));
    let whole: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
    assert_eq!(whole.chars().count(), 60 + 6 + 60 + 2);
    // A capital whose small form is longer.
    let pieces = excerpt::around(&["x".to_owned()], "İİx");
    assert_eq!((pieces[0].text.as_str(), pieces[1].text.as_str()), ("İİ", "x"));
}

#[test]
fn requests_are_read() {
    assert_eq!(Sought::read("  "), None);
    assert_eq!(Sought::read("\"\""), None);
    let sought = Sought::read("B a \"C d\" a").unwrap();
    assert_eq!(sought.words, ["a", "b", "c d"]);
    assert!(sought.is_in("A c D b") && !sought.is_in("a b c"));
}

proptest::proptest! {
    #[test]
    fn anything_can_be_looked_for(request in "(?s).{0,40}", text in "(?s).{0,200}") {
        if let Some(sought) = Sought::read(&request) {
            let lines = transcript(&[asked(1, "player"), said(1, &text)]);
            let (hits, count) = hits(&sought, &lines, 3);
            proptest::prop_assert_eq!(count > 0, sought.is_in(&text));
            proptest::prop_assert!(hits.len() <= 3);
        }
    }
}
