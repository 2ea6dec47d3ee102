//! Specification 5.7 in whole episodes: what the player is shown again when the conversation grows too long.

use super::*;
use crate::results::written::conversation;

/// Prose of this many characters that is neither call nor answer.
fn prose(length: usize) -> String {
    "x".repeat(length)
}

fn sizes(ask: &Ask) -> Vec<usize> {
    let pack = (ParaWorld::FACTS.pack)();
    let rendered = pack.render(ask, &towers()).expect("it can be rendered");
    rendered.iter().map(|message| message.text.chars().count()).collect()
}

#[test]
fn the_reference_loses_the_question_first_and_for_good() {
    let free = spec(Profile::Reference, json!({ "context": null }));
    let script = [prose(5000), prose(5000), prose(10), prose(10)];
    let whole = play(&free, &script);
    assert_eq!(roles(&whole.asks[3]), "suauauau");
    let all: usize = sizes(&whole.asks[1]).iter().sum();
    let reminder = sizes(&whole.asks[1])[3];
    // Exactly what the second request needs.
    let capped = |cap: usize| play(&spec(Profile::Reference, json!({ "context": cap })), &script);
    let fits = capped(all);
    assert_eq!(roles(&fits.asks[1]), "suau");
    assert!(!fits.flags()[..1].contains(&"window"));
    let short = capped(all - 1);
    // The question alone is dropped; then the first turn goes, and nothing comes back.
    assert_eq!(roles(&short.asks[1]), "sau");
    assert_eq!(roles(&short.asks[2]), "sau");
    let third = sizes(&short.asks[2]);
    assert_eq!(third[1..], [5000, reminder]);
    // The window may begin with what followed a message that is gone.
    assert_eq!(roles(&short.asks[3]), "suau");
    assert_eq!(said(&short.asks[3].messages[1]), "<reminder>");
    assert!(short.flags().contains(&"window"));
    // The newest alone does not fit: only the system message is sent.
    let system = sizes(&whole.asks[0])[0];
    let tiny = capped(system + reminder - 1);
    assert_eq!(roles(&tiny.asks[1]), "s");
}

/// What is exported is the whole conversation, however little of it was shown again.
#[test]
fn the_full_track_has_what_the_window_left_out() {
    let script = [prose(3000), prose(3000), prose(2000)];
    for profile in [Profile::Reference, Profile::Strict] {
        let of = |context: Value| {
            let spec = spec(profile, json!({ "context": context, "turns": 3 }));
            let played = play(&spec, &script);
            let track = conversation(&played.transcript, &towers(), &(ParaWorld::FACTS.pack)());
            (played, track.expect("it replays"))
        };
        let (whole, track) = of(Value::Null);
        assert!(track.len() >= 7, "{track:?}");
        let system = sizes(&whole.asks[0])[0];
        let first: usize = sizes(&whole.asks[0]).iter().sum();
        for cap in [system + 10, first + 10, 5000] {
            let (played, cut) = of(json!(cap));
            assert!(played.flags().contains(&"window"), "{cap}");
            assert_eq!(cut, track, "{cap}");
        }
    }
}

#[test]
fn services_are_not_truncated_by_the_reference() {
    let api = spec(Profile::Reference, json!({ "engines": "api", "context": 10 }));
    let played = play(&api, &[prose(5000), prose(5000)]);
    assert_eq!(roles(&played.asks[2]), "suauau");
}

#[test]
fn strict_keeps_question_and_whole_turns_and_says_what_is_missing() {
    let free = spec(Profile::Strict, json!({ "context": null }));
    let script: Vec<String> = (0..5).map(|_| prose(3000)).collect();
    let whole = play(&free, &script);
    let pinned: usize = sizes(&whole.asks[0]).iter().sum();
    let turn: usize = sizes(&whole.asks[1])[2..].iter().sum();
    let pack = (ParaWorld::FACTS.pack)();
    let marker = pack.template("dropped").expect("it is there").replace("{dropped}", "1");
    // A quarter is kept free for the reply; the rest holds two turns and the marker.
    let room = pinned + marker.chars().count() + 2 * turn;
    let cap = room.div_ceil(3) * 4;
    let capped = |cap: usize| play(&spec(Profile::Strict, json!({ "context": cap })), &script);
    let played = capped(cap);
    assert_eq!(roles(&played.asks[2]), "suauau");
    assert_eq!(roles(&played.asks[3]), "suuauau");
    assert_eq!(said(&played.asks[3].messages[1]), "<question>");
    assert_eq!(said(&played.asks[3].messages[2]), "<dropped>");
    assert_eq!(played.asks[4].variable("dropped", &towers()), Some("2"));
    assert_eq!(
        played.asks[4].variable("question", &towers()),
        Some("Which is taller, Ada Tower or Bo Tower?")
    );
    let windows = played.flags().iter().filter(|flag| **flag == "window").count();
    assert_eq!(windows, 3, "once for each request that leaves out more");
    // Less than one turn: the question and the marker are left.
    let played = capped(pinned + turn);
    assert_eq!(roles(&played.asks[1]), "suu");
    assert_eq!(said(&played.asks[1].messages[2]), "<dropped>");
}

#[test]
fn the_call_for_the_answer_is_never_left_out() {
    let strict = spec(Profile::Strict, json!({ "turns": 3, "context": 4000 }));
    let played = play(&strict, &[prose(3000), prose(3000), prose(3000)]);
    let last = played.asks[2].messages.last().expect("messages");
    assert_eq!(said(last), "<reminder_last>");
    assert_eq!(played.outcome.ending, "max_turns_reached");
}
