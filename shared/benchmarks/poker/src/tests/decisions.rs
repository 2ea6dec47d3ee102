//! Decisions: what is asked, what a reply means, what is done when it means nothing.

use serde_json::{Value, json};

use super::at_table::AtTable;
use crate::action::Kind;
use crate::{hands, protocol, reading, settings};
use turnwise_core::prelude::*;
use turnwise_core::testing::cases;

#[test]
fn whose_move_a_rule_made_is_told_to_them_and_to_readers_alone() {
    let mut table = AtTable::open(Profile::Strict, one_hand());
    let own = Viewer::Seat(table.say("I fold.").seat);
    let remark = table.remark(&own).unwrap();
    assert!(remark.starts_with("The last reply was not a move"), "{remark}");
    table.say("I fold.");
    for (viewer, told) in [
        (own, "folds (by rule)"),
        (Viewer::Reader, "folds (by rule)"),
        (Viewer::Seat(Seat::new("another")), "folds"),
    ] {
        let shown = table.table(&viewer);
        assert!(shown.log.last().unwrap().ends_with(told), "{viewer:?} {:?}", shown.log);
        let last: Vec<_> = shown.places.iter().filter_map(|place| place.last.as_deref()).collect();
        assert_eq!(last, [told], "{viewer:?}");
    }
}

const FOLD: &str = r#"{"action": "FOLD", "amount": 0}"#;

fn one_hand() -> Value {
    json!({ "tables": 1, "hands": 1 })
}

/// V1: the first observation of hand 1.
#[test]
fn the_first_observation() {
    for profile in [Profile::Reference, Profile::Strict] {
        let mut table = AtTable::open(profile, one_hand());
        let (_, ask) = table.next().unwrap();
        assert_eq!(ask.seat.as_str(), "4", "button P1, blinds P2 and P3");
        let value = |name: &str| ask.variable(name, &table.task).unwrap().to_owned();
        assert_eq!(value("pot"), "150");
        assert_eq!(value("to_call"), "100");
        assert_eq!(value("min_raise"), "100");
        assert_eq!(value("pot_odds"), "1 to 2.50");
        assert_eq!(value("players_in"), "6");
        assert_eq!(value("dealer_label"), "Player");
        let text = table.text(&ask);
        assert!(text.contains("1 to 2.50"), "{text}");
        assert!(!text.contains('{') || text.contains("{\"action\""), "{text}");
        assert_eq!(text.contains("RAISE to a total of 200"), profile == Profile::Strict);
    }
}

#[test]
fn a_form_offers_what_is_legal() {
    let mut table = AtTable::open(Profile::Strict, one_hand());
    let (_, ask) = table.next().unwrap();
    let Expect::Move(moves) = ask.expect else {
        panic!("a move is expected");
    };
    let moves: Vec<_> = moves.iter().map(|one| (one.name.as_str(), one.amount)).collect();
    assert_eq!(
        moves,
        [("FOLD", None), ("CALL", None), ("RAISE", Some((200, 9_999))), ("ALL_IN", None)]
    );
}

/// What is asked, shown and drawn for one seat never holds a card that only another seat may know.
#[test]
fn nobody_sees_the_cards_of_another() {
    for settings in [one_hand(), json!({ "tables": 1, "hands": 6, "memory": "table" })] {
        let mut table = AtTable::open(Profile::Strict, settings);
        let mut seen: Vec<(Seat, u32, String)> = Vec::new();
        while let Some((call, ask)) = table.next() {
            let viewer = Viewer::Seat(ask.seat.clone());
            let scene = table.session.scene(&viewer);
            let drawn = table.table(&viewer);
            let own = drawn.places.iter().filter(|place| place.own).count();
            assert_eq!(own, 1);
            for place in &drawn.places {
                assert_eq!(place.cards.iter().all(Option::is_some), place.own);
            }
            let text =
                format!("{} {}", table.text(&ask), serde_json::to_string(&(&ask, scene)).unwrap());
            seen.push((ask.seat.clone(), drawn.hand, text));
            let reply = r#"{"action": "CALL", "amount": 0}"#;
            table.session.tell(call, Reply::Said(Said::text(reply))).unwrap();
        }
        let records = hands(&table.session.transcript());
        assert!(!records.is_empty());
        for (seat, number, text) in seen {
            let record = records.iter().find(|record| record.hand == number).unwrap();
            for place in &record.places {
                for card in place.hole {
                    let words = [card.to_string(), card.short()];
                    let is_there = text
                        .split(|sign: char| !sign.is_ascii_alphanumeric())
                        .any(|word| words.contains(&word.to_owned()));
                    let is_open = record.board.contains(&card);
                    assert!(
                        place.seat == seat || is_open || !is_there,
                        "{seat} sees {card} in {text}"
                    );
                }
            }
        }
    }
}

#[test]
fn an_unreadable_reply_is_asked_again_then_a_rule_acts() {
    // Six fold or check; the big blind checks for free where `strict` lets it.
    for (profile, done) in [(Profile::Strict, Kind::Check), (Profile::Reference, Kind::Fold)] {
        let mut table = AtTable::open(profile, one_hand());
        for _ in 0..5 {
            table.say(r#"{"action": "CALL", "amount": 0}"#);
        }
        let first = table.say("I check.");
        assert_eq!(first.seat.as_str(), "3");
        let second = table.say("check");
        assert_eq!(second.thread, first.thread, "one conversation");
        assert_eq!(second.messages.len(), 4);
        assert!(table.text(&second).contains("I check."));
        table.next();
        let notes: Vec<Note> = table.session.notes().cloned().collect();
        let invalid = notes
            .iter()
            .filter(|note| matches!(note, Note::Turn(turn) if turn.kind == TurnKind::Invalid))
            .count();
        assert_eq!(invalid, 2);
        let flag = notes.iter().find_map(|note| match note {
            Note::Flag { name, detail, .. } if name == protocol::AUTO => Some(detail),
            _ => None,
        });
        assert_eq!(flag.unwrap()["happened"]["kind"], done.name());
    }
}

/// V8: a fence and small letters are two invalid replies under `reference`; `strict` takes either.
#[test]
fn fences_and_small_letters() {
    let fenced = "```json\n{\"action\": \"CALL\", \"amount\": 100}\n```";
    let small = r#"{"action": "call", "amount": 100}"#;
    let text_amount = r#"{"action": "CALL", "amount": "0"}"#;
    let read = |text: &str, profile| reading::read(Some(text), profile);
    assert_eq!(read(fenced, Profile::Reference).unwrap_err().class, "not_json");
    assert_eq!(read(small, Profile::Reference).unwrap_err().class, "unknown_action");
    assert_eq!(read(text_amount, Profile::Reference).unwrap_err().class, "bad_amount");
    for text in [fenced, small, text_amount] {
        assert_eq!(read(text, Profile::Strict).unwrap().action.kind, Kind::Call, "{text}");
    }
    let mut table = AtTable::open(Profile::Reference, one_hand());
    table.say(fenced);
    table.say(small);
    table.next();
    let folded = table.table(&Viewer::Reader);
    assert_eq!(folded.places[3].last.as_deref(), Some("folds (by rule)"));
}

/// The authors' program reads with `JSON.parse`: the last of equal keys, halves of surrogate pairs, infinite numbers where no
/// amount stands; no raw line breaks, and no names of numbers.
#[test]
fn reference_reads_as_javascript_does() {
    let read = |text: &str| reading::read(Some(text), Profile::Reference);
    for (text, kind) in cases::<(&str, Kind)>(include_str!("last_of_equal_keys.jsonl")) {
        assert_eq!(read(text).unwrap().action.kind, kind, "{text}");
    }
    let long = format!(r#"{{"action":"RAISE","amount":1{}}}"#, "0".repeat(310));
    for (text, class) in [
        (r#"{"action":"RAISE","amount":1e999}"#, "bad_amount"),
        (&*long, "bad_amount"),
        (r#"{"action":"FOLD","amount":0,"confidence":NaN}"#, "not_json"),
        (r#"{"action":"FOLD","amount":-Infinity}"#, "not_json"),
        ("{\"action\":\"FOLD\",\"amount\":0,\"reasoning\":\"a\nb\"}", "not_json"),
    ] {
        assert_eq!(read(text).unwrap_err().class, class, "{text}");
    }
}

/// For compatibility with the authors' program a rule may fold where checking is free; the setting is left out of files unless it
/// does.
#[test]
fn a_rule_may_fold_where_checking_is_free() {
    for (folds, told) in [(true, "folds (by rule)"), (false, "checks (by rule)")] {
        let mut settings = one_hand();
        if folds {
            settings["auto_fold_when_free"] = json!(true);
        }
        let mut table = AtTable::open(Profile::Strict, settings);
        for _ in 0..5 {
            table.say(r#"{"action": "CALL"}"#);
        }
        assert_eq!(table.say("?").seat.as_str(), "3", "the big blind");
        table.say("?");
        table.next();
        let log = table.table(&Viewer::Reader).log;
        assert!(log.iter().any(|line| line.ends_with(told)), "{log:?}");
    }
    let written = serde_json::to_value(settings::Settings::default()).unwrap();
    assert_eq!(written.get("auto_fold_when_free"), None);
}

#[test]
fn what_strict_lets_through_is_noted() {
    let read = |text: &str| reading::read(Some(text), Profile::Strict);
    let bet = read(r#"I think. {"action": "bet", "amount": 300.7}"#).unwrap();
    assert_eq!(bet.action.kind, Kind::Raise);
    assert_eq!(bet.action.amount.unwrap().units(), 300);
    assert_eq!(bet.eased.len(), 3, "{:?}", bet.eased);
    assert!(read(r#"{"action": "FOLD"}"#).unwrap().eased.is_empty());
    let last = read(r#"{"action": "check"} again: {"action": "CHECK"} {"thought": 1}"#).unwrap();
    assert_eq!(last.action.kind, Kind::Check);
    // A copy of the form that names no action that can be played is no move beside the move.
    let form = r#"{"action": "FOLD|CALL", "amount": 0}, so: {"action": "CALL", "amount": 100}"#;
    assert_eq!(read(form).unwrap().action.kind, Kind::Call);
    let hidden = read(r#"<think>{"action": "ALL_IN"}</think> {"action": "CALL"}"#).unwrap();
    assert_eq!(hidden.action.kind, Kind::Call);
    for (text, class) in cases::<(&str, &str)>(include_str!("unreadable.jsonl")) {
        assert_eq!(read(text).unwrap_err().class, class, "{text}");
    }
    // A negative amount is read as nothing, and the rules lift the raise.
    assert_eq!(
        read(r#"{"action": "RAISE", "amount": -5}"#).unwrap().action.amount.unwrap().units(),
        0
    );
}

/// A text that contradicts itself is not played.
#[test]
fn strict_plays_no_text_that_contradicts_itself() {
    let read = |text: &str| reading::read(Some(text), Profile::Strict);
    for (text, class) in cases::<(&str, &str)>(include_str!("contradictions.jsonl")) {
        assert_eq!(read(text).unwrap_err().class, class, "{text}");
    }
    let thought = r#"<think>{"action": "FOLD"}</think>{"action": "CALL"}"#;
    assert_eq!(read(thought).unwrap().action.kind, Kind::Call);

    // Invalid, and asked once more; then the rule acts.
    let mut table = AtTable::open(Profile::Strict, one_hand());
    let both = r#"{"action": "FOLD"} {"action": "CALL"}"#;
    table.say(both);
    let ask = table.say(FOLD);
    assert_eq!(ask.messages.len(), 4, "the reply and what was wrong with it are shown");
    let (_, next) = table.next().unwrap();
    assert_eq!(next.seat.as_str(), "5");
}

#[test]
fn silence_is_an_answer_and_a_broken_world_is_not() {
    // Twice no reply in time: the first to act folds.
    let mut table = AtTable::open(Profile::Strict, one_hand());
    let own = Viewer::Seat(Seat::new("4"));
    assert_eq!(table.remark(&own), None);
    table.fail(FailureClass::Timeout);
    let remark = table.remark(&own).unwrap();
    assert!(remark.starts_with("Nothing came in time"), "{remark}");
    table.fail(FailureClass::Timeout);
    let next = table.say(FOLD);
    assert_eq!(next.seat.as_str(), "5");
    for (profile, class, goes_on) in [
        (Profile::Strict, FailureClass::Server, false),
        (Profile::Strict, FailureClass::Cancelled, false),
        (Profile::Reference, FailureClass::Server, true),
        (Profile::Reference, FailureClass::Cancelled, false),
    ] {
        let mut table = AtTable::open(profile, one_hand());
        table.fail(class);
        assert_eq!(table.next().is_some(), goes_on, "{profile:?} {class:?}");
        let incomplete = table.session.outcome().is_some_and(|outcome| !outcome.is_complete());
        assert_eq!(incomplete, !goes_on);
    }
}

#[test]
fn a_repair_is_noted_beside_what_was_asked() {
    let mut table = AtTable::open(Profile::Strict, one_hand());
    table.say(r#"{"action": "RAISE", "amount": 120}"#);
    table.next();
    let turn = table
        .session
        .notes()
        .find_map(|note| match note {
            Note::Turn(turn) => Some(turn.clone()),
            _ => None,
        })
        .unwrap();
    assert_eq!(turn.reading.repaired, ["raise_lifted"]);
    assert_eq!(turn.reading.applied["asked"], json!({ "action": "RAISE", "amount": "120" }));
    assert_eq!(turn.reading.applied["happened"]["total"], 200);
    assert_eq!(turn.sentence, "raises to 200");
}

#[test]
fn a_table_goes_on_from_hand_to_hand() {
    let mut table = AtTable::open(
        Profile::Strict,
        json!({ "tables": 1, "hands": 3, "policy": "rebuy-busted", "memory": "table" }),
    );
    let mut memories = Vec::new();
    while let Some((call, ask)) = table.next() {
        memories.push(ask.variable("memory", &table.task).unwrap().to_owned());
        table.session.tell(call, Reply::Said(Said::text(FOLD))).unwrap();
    }
    let records = table.records();
    assert_eq!(records.len(), 3);
    assert_eq!(records.iter().map(|record| record.button).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(records[1].places[1].opening, records[0].stacks[1]);
    assert!(memories[0].is_empty());
    assert!(memories.last().unwrap().contains("hand 1:"), "{memories:?}");
    let outcome = table.session.outcome().unwrap();
    assert_eq!(outcome.ending, "played");
    assert_eq!(outcome.result["hands"], 3);
    let sum: i64 =
        outcome.result["won"].as_object().unwrap().values().map(|won| won.as_i64().unwrap()).sum();
    assert_eq!(sum, 0);
}

#[test]
fn a_freezeout_ends_when_one_has_everything() {
    let mut table = AtTable::open(
        Profile::Strict,
        json!({ "tables": 1, "hands": 1000, "policy": "freezeout" }),
    );
    while let Some((call, _)) = table.next() {
        let all_in = r#"{"action": "ALL_IN"}"#;
        table.session.tell(call, Reply::Said(Said::text(all_in))).unwrap();
    }
    assert_eq!(table.session.outcome().unwrap().ending, "won");
    let last = table.records().pop().unwrap();
    assert_eq!(last.stacks.iter().filter(|stack| !stack.is_zero()).count(), 1);
}
