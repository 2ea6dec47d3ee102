//! Specification 5.5 in whole episodes: calls one by one and side by side, other syntaxes, and G13.

use super::*;
use crate::metrics::errors::{Errors, analyse};
use turnwise_core::prelude::*;
use turnwise_core::testing::cases;

const ANSWER: &str = "<answer>Ada Tower</answer>";

fn custom(profile: Profile, more: Value) -> Spec {
    let mut settings = json!({ "setting": "custom" });
    for (name, value) in more.as_object().expect("settings") {
        settings[name] = value.clone();
    }
    spec(profile, settings)
}

#[test]
fn of_several_calls_the_last_runs() {
    let two = format!("{}{}", call("height of Ada Tower"), call("height of Bo Tower"));
    for profile in [Profile::Reference, Profile::Strict] {
        let played = play(&spec(profile, json!({})), &[&two, ANSWER]);
        assert_eq!(played.row(), ("finished", "Ada Tower", 2, 1, 1));
        assert_eq!(played.queries, ["height of Bo Tower"]);
        assert_eq!(played.flags(), ["ignored_calls"]);
    }
}

#[test]
fn calls_side_by_side_are_one_round_and_noted_in_their_order() {
    let three = format!(
        "{}{}{}",
        call("height of Ada Tower"),
        call("height of Cy Tower"),
        call("height of Bo Tower")
    );
    for profile in [Profile::Reference, Profile::Strict] {
        let played = play(&custom(profile, json!({ "parallel": true })), &[&three, ANSWER]);
        assert_eq!(played.row(), ("finished", "Ada Tower", 2, 3, 3));
        assert_eq!(played.numbers().episode.calling_messages, 1);
        let words = played.words();
        assert_eq!((words[0], words[2]), ("hit", "hit"), "{words:?}");
        assert_ne!(words[1], "hit");
        let rounds: Vec<u32> = played
            .transcript
            .notes()
            .filter_map(|note| match note {
                Note::Turn(turn) => Some(turn.round),
                _ => None,
            })
            .collect();
        assert_eq!(rounds, [1, 1, 1, 2]);
        let told = said(played.asks[1].messages.last().expect("messages"));
        let at =
            |name: &str| told.find(&format!("\"search_query\": \"height of {name}")).expect(name);
        assert!(at("Ada") < at("Cy") && at("Cy") < at("Bo"));
    }
}

#[test]
fn equal_queries_side_by_side_are_one_question_to_the_strict_engine() {
    let two = call("height of Ada Tower").repeat(2);
    let parallel = json!({ "parallel": true });
    let played = play(&custom(Profile::Strict, parallel.clone()), &[&two, ANSWER]);
    assert_eq!(played.row(), ("finished", "Ada Tower", 2, 2, 2));
    assert_eq!(played.queries.len(), 1);
    let played = play(&custom(Profile::Reference, parallel), &[&two, ANSWER]);
    assert_eq!(played.row(), ("finished", "Ada Tower", 2, 2, 2));
    assert_eq!(played.queries.len(), 2);
}

#[test]
fn a_bad_call_beside_others_is_an_error_among_the_results() {
    let mixed = format!(
        "{}{}{}",
        tagged(r#"{"name": "browse", "arguments": {}}"#),
        call("height of Ada Tower"),
        tagged(r#"{"name": "web_search", "arguments": {"query": "x",}}"#)
    );
    let parallel = json!({ "parallel": true });
    let reference = play(&custom(Profile::Reference, parallel.clone()), &[&mixed, ANSWER]);
    // Neither is counted: side by side nothing is mended.
    assert_eq!(reference.row(), ("finished", "Ada Tower", 2, 1, 1));
    let told = said(reference.asks[1].messages.last().expect("messages"));
    assert!(told.starts_with("Error: ") && told.contains("\n\n<tool_response>{"), "{told}");
    let strict = play(&custom(Profile::Strict, parallel), &[&mixed, ANSWER]);
    assert_eq!(strict.row(), ("finished", "Ada Tower", 2, 3, 2));
    assert_eq!(strict.numbers().episode.format_errors, 1);
}

#[test]
fn every_row_of_the_table() {
    // A call, the reference's row (status, prediction, turns, calls, logs), that of strict.
    type Row = (&'static str, &'static str, u32, usize, usize);
    let rows = cases::<(&str, Row, Row)>(include_str!("dispatch.jsonl"));
    for (body, reference, strict) in rows {
        let script = [tagged(body), ANSWER.to_owned()];
        let played = |profile| play(&spec(profile, json!({})), &script);
        assert_eq!(played(Profile::Reference).row(), reference, "{body}");
        assert_eq!(played(Profile::Strict).row(), strict, "{body}");
    }
}

/// The corrected rows of specification 5.5 in whole episodes: what the last block says, what cannot be cut, and side by side.
#[test]
fn what_the_tool_of_the_reference_refuses() {
    let with = |arguments: &str| {
        tagged(&format!("{{\"name\": \"web_search\", \"arguments\": {arguments}}}"))
    };
    let valid = call("height of Ada Tower");
    let alone =
        |text: String| play(&spec(Profile::Reference, json!({})), &[text, ANSWER.to_owned()]);
    // A valid call, then a last block that does not decode: an error is shown, and the engine is not asked.
    let played = alone(format!("{valid}<tool_call>and then</tool_call>"));
    assert_eq!(played.row(), ("finished", "Ada Tower", 2, 1, 0));
    assert!(played.queries.is_empty());
    let told = said(played.asks[1].messages.last().expect("messages"));
    assert!(told.starts_with("Error: Invalid tool call format"), "{told}");
    assert_eq!(played.numbers().episode.format_errors, 1);
    // Refused, counted, and over.
    for query in ["null", "0", "false", "{}"] {
        let played = alone(with(&format!("{{\"query\": {query}}}")));
        assert_eq!(played.row(), ("finished", "", 1, 1, 0), "{query}");
        assert_eq!(played.numbers().episode.format_errors, 0, "{query}");
    }
    for query in ["\"\"", "[]"] {
        let played = alone(with(&format!("{{\"query\": {query}}}")));
        assert_eq!(played.row(), ("finished", "Ada Tower", 2, 1, 0), "{query}");
    }
    // Side by side.
    let beside = |arguments: &str| {
        let text = format!("{valid}{}", with(arguments));
        let spec = custom(Profile::Reference, json!({ "parallel": true }));
        play(&spec, &[text, ANSWER.to_owned()])
    };
    for arguments in ["{}", r#"{"query": null}"#] {
        let played = beside(arguments);
        assert_eq!(played.row(), ("finished", "Ada Tower", 2, 2, 1), "{arguments}");
        let told = said(played.asks[1].messages.last().expect("messages"));
        assert_eq!(told.matches("<tool_response>").count(), 2, "{told}");
    }
    let number = beside(r#"{"query": 2027}"#);
    assert_eq!(number.row(), ("finished", "Ada Tower", 2, 2, 2));
    // The program fails in the middle of the turn: what came before is recorded.
    let failed = beside(r#""x""#);
    assert_eq!(failed.row(), ("api_error", "", 1, 1, 1));
    assert_eq!(failed.asks.len(), 1);
}

#[test]
fn another_syntax_is_refused_alone_by_the_reference_and_runs_under_strict() {
    let glm = "<tool_call>web_search\n<arg_key>query</arg_key><arg_value>height of Ada Tower</arg_value></tool_call>";
    let with_model = |profile| {
        let mut spec = default_spec(&ParaWorld);
        spec.profile = profile;
        spec.settings = json!({ "setting": "custom", "syntax": "glm4" });
        let player = spec.seats.get_mut(&Seat::new(Seat::PLAYER)).expect("a player");
        player.player = "model:up/chat".parse().expect("a player");
        spec
    };
    let played = play(&with_model(Profile::Reference), &[glm, ANSWER]);
    assert_eq!(played.row(), ("finished", "Ada Tower", 2, 1, 0));
    let played = play(&with_model(Profile::Strict), &[glm, ANSWER]);
    assert_eq!(played.row(), ("finished", "Ada Tower", 2, 1, 1));
    assert_eq!(played.words(), ["hit"]);
}

#[test]
fn the_reference_closes_calls_of_glm() {
    let open = "<tool_call>{\"name\": \"web_search\", \"arguments\": {\"query\": \"height of Ada Tower\"}}<|observation|>";
    let mut spec = spec(Profile::Reference, json!({}));
    let named = |spec: &mut Spec, model: &str| {
        let player = spec.seats.get_mut(&Seat::new(Seat::PLAYER)).expect("a player");
        player.player = Player::Model { provider: "up".to_owned(), model: model.to_owned() };
    };
    named(&mut spec, "GLM-4.7");
    assert_eq!(play(&spec, &[open, ANSWER]).row(), ("finished", "Ada Tower", 2, 1, 1));
    named(&mut spec, "other");
    assert_eq!(play(&spec, &[open, ANSWER]).row(), ("finished", "Ada Tower", 2, 0, 0));
}

#[test]
fn g13_in_a_whole_play() {
    let broken = tagged(r#"{"name": "web_search", "arguments": {"query": "x",}}"#);
    let two = format!("{}{broken}", call("height of Ada Tower"));
    let script = [two, call("height of Ada Tower"), "<answer>Ada".to_owned()];
    let api = json!({ "setting": "custom", "turns": 3 });
    let played = play(&spec(Profile::Reference, api), &script);
    // The messages as the reference would save them: everything that was said and shown.
    let mut messages: Vec<(String, String)> = played.asks[2]
        .messages
        .iter()
        .map(|message| {
            let role = match message.role {
                Role::Assistant => "assistant",
                Role::System => "system",
                Role::User => "user",
            };
            (role.to_owned(), said(message))
        })
        .collect();
    messages.push(("assistant".to_owned(), script[2].clone()));
    let errors = analyse(messages.iter().map(|(role, text)| (role.as_str(), text.as_str())));
    let expected = Errors {
        tool_calls: 2,
        valid_calls: 1,
        format_errors: 1,
        success: true,
        ..Errors::default()
    };
    assert_eq!(errors, expected);
    assert_eq!(played.row(), ("max_turns_reached", "", 3, 2, 1));
}
