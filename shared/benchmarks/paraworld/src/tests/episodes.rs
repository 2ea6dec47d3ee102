//! Specification 8.8, G14, and what `strict` makes of the same scripts.

use super::*;

const ANSWER: &str = "<answer>Ada Tower</answer>";

fn reference(settings: Value) -> Spec {
    spec(Profile::Reference, settings)
}

fn strict(settings: Value) -> Spec {
    spec(Profile::Strict, settings)
}

/// A script under both profiles with at most this many turns.
fn both(turns: u32, script: &[&str]) -> [Played; 2] {
    [Profile::Reference, Profile::Strict]
        .map(|profile| play(&spec(profile, json!({ "turns": turns })), script))
}

#[test]
fn g14_a_call_then_an_answer() {
    for played in both(32, &[&call("height of Ada Tower"), ANSWER]) {
        assert_eq!(played.row(), ("finished", "Ada Tower", 2, 1, 1));
        assert_eq!(played.words(), ["hit"]);
    }
}

#[test]
fn g14_call_and_answer_in_one_text() {
    let text = format!("{}\n{ANSWER}", call("height of Ada Tower"));
    for played in both(32, &[&text]) {
        assert_eq!(played.row(), ("finished", "Ada Tower", 1, 0, 0));
        assert_eq!(played.flags(), ["ignored_calls"]);
    }
}

#[test]
fn g14_prose_and_blank_answers_are_reminded() {
    for first in ["Let me see.", "<answer> \n </answer>"] {
        for played in both(32, &[first, ANSWER]) {
            assert_eq!(played.row(), ("finished", "Ada Tower", 2, 0, 0));
            assert_eq!(played.flags(), ["reminded"]);
            let last = played.asks[1].messages.last().expect("messages");
            assert_eq!(said(last), "<reminder>");
        }
    }
}

#[test]
fn g14_a_broken_call_ends_the_reference_and_costs_strict_a_turn() {
    let cases = [
        (tagged(r#"{"name": web_search}"#), "not_json"),
        (tagged(r#"{"name": "browse", "arguments": {"query": "x"}}"#), "unknown_tool"),
    ];
    for (broken, fault) in cases {
        let [reference, strict] = both(32, &[&broken, ANSWER]);
        assert_eq!(reference.row(), ("finished", "", 1, 0, 0));
        assert_eq!(reference.faults(), [fault]);
        assert_eq!(strict.row(), ("finished", "Ada Tower", 2, 1, 0));
        assert_eq!(strict.numbers().episode.format_errors, 1);
        let told = said(strict.asks[1].messages.last().expect("messages"));
        assert!(told.starts_with("<tool_response>\nError: Invalid tool call format"), "{told}");
    }
}

#[test]
fn g14_a_trailing_comma() {
    let comma = tagged(r#"{"name": "web_search", "arguments": {"query": "height of Ada Tower",}}"#);
    let [reference, strict] = both(32, &[&comma, ANSWER]);
    assert_eq!(reference.row(), ("finished", "Ada Tower", 2, 1, 0));
    assert_eq!(reference.faults(), ["read_again"]);
    // `strict` mends it and runs it.
    assert_eq!(strict.row(), ("finished", "Ada Tower", 2, 1, 1));
    assert!(strict.faults().is_empty());
}

#[test]
fn g14_a_numeric_query() {
    let numeric = tagged(r#"{"name": "web_search", "arguments": {"query": 2027}}"#);
    let [reference, strict] = both(32, &[&numeric, ANSWER]);
    assert_eq!(reference.row(), ("finished", "", 1, 1, 1));
    assert_eq!(strict.row(), ("finished", "Ada Tower", 2, 1, 1));
    assert_eq!(strict.queries, ["2027"]);
}

#[test]
fn g14_turns_run_out() {
    let [one, two] = [call("height of Ada Tower"), call("height of Bo Tower")];
    for played in both(2, &[&one, &two]) {
        assert_eq!(played.row(), ("max_turns_reached", "", 2, 2, 2));
        assert_eq!(played.numbers().episode.covered(Profile::Strict), 2);
    }
    for played in both(2, &["Hm.", "Hm."]) {
        assert_eq!(played.row(), ("max_turns_reached", "", 2, 0, 0));
    }
}

#[test]
fn g14_the_last_chance_finds_only_blank_answers() {
    let [reference, strict] = both(2, &["<answer></answer>", "Hm."]);
    assert_eq!(reference.row(), ("finished", "", 2, 0, 0));
    assert_eq!(reference.flags(), ["reminded", "last_chance"]);
    assert_eq!(strict.row(), ("max_turns_reached", "", 2, 0, 0));
    // The authors' custom engine for services does not look back.
    let custom = super::spec(
        Profile::Reference,
        json!({ "setting": "custom", "engines": "api", "turns": 2 }),
    );
    let played = play(&custom, &["<answer></answer>", "Hm."]);
    assert_eq!(played.row(), ("max_turns_reached", "", 2, 0, 0));
}

#[test]
fn g14_an_answer_inside_a_thought() {
    let text = format!("<think><answer>Bo</answer></think>{}", call("height of Ada Tower"));
    let [reference, strict] = both(32, &[&text, ANSWER]);
    assert_eq!(reference.row(), ("finished", "Bo", 1, 0, 0));
    assert_eq!(strict.row(), ("finished", "Ada Tower", 2, 1, 1));
}

#[test]
fn g14_an_empty_first_reply() {
    for played in both(32, &[" \n"]) {
        assert_eq!(played.row(), ("empty_response", "", 0, 0, 0));
    }
    let nothing = |settings| play(&reference(settings), &[Says::Nothing]).outcome.ending;
    assert_eq!(nothing(json!({})), "empty_response");
    assert_eq!(nothing(json!({ "engines": "api" })), "api_error");
}

#[test]
fn g14_the_same_query_twice_asks_the_engine_once() {
    let again = call("height of Ada Tower");
    for played in both(32, &[&again, &again, ANSWER]) {
        assert_eq!(played.row(), ("finished", "Ada Tower", 3, 2, 2));
        assert_eq!(played.queries, ["height of Ada Tower"]);
        assert_eq!(played.words(), ["hit", "hit"]);
        assert_eq!(played.numbers().episode.covered(Profile::Strict), 1);
    }
}

#[test]
fn g14_garbage_of_the_engine_is_kept_by_the_reference() {
    let script = [call("height of Ada Tower"), call("height of Ada Tower"), ANSWER.to_owned()];
    let script = script.map(Says::Text);
    let garbage = |_: &Ask, _| Some(Reply::Said(Said::text("I would rather not.")));
    let played = play_with(&reference(json!({})), &towers(), &script, garbage);
    assert_eq!(played.row(), ("finished", "Ada Tower", 3, 2, 2));
    assert_eq!(played.queries.len(), 1);
    assert!(played.numbers().episode.logs.iter().all(|log| !log.hit && log.compound));
    // Under `strict` the engine's failure is not the player's.
    let played = play_with(&strict(json!({})), &towers(), &script, garbage);
    assert_eq!(played.outcome.ending, "finished");
    assert!(played.numbers().episode.logs.iter().all(|log| log.engine_fault));
    assert_eq!(played.words()[0], "engine fault");
    assert!(played.flags().contains(&"engine_fault"));
}

#[test]
fn three_format_errors_in_a_row_end_a_strict_play() {
    let broken = "<tool_call>{\"name\": \"web_search\"";
    let played = play(&strict(json!({})), &[broken, broken, broken]);
    assert_eq!(played.row(), ("format_failure", "", 3, 0, 0));
    assert_eq!(played.faults(), ["broken_call"; 3]);
    // So it does in the last turn, whether the calls were closed or not.
    for broken in [broken, "<tool_call>{\"name\": \"web_search\"</tool_call>"] {
        let last = play(&strict(json!({ "turns": 3 })), &[broken, broken, broken]);
        assert_eq!(last.outcome.ending, "format_failure", "{broken}");
    }
    // A good call in between begins the count anew, and without a cap it never ends so.
    let good = call("height of Ada Tower");
    let mixed = [broken, broken, &good, broken, broken, ANSWER];
    assert_eq!(play(&strict(json!({})), &mixed).outcome.ending, "finished");
    let without = strict(json!({ "format_errors": null }));
    let played = play(&without, &[broken, broken, broken, broken, ANSWER]);
    assert_eq!(played.row(), ("finished", "Ada Tower", 5, 0, 0));
    // The reference takes it for prose.
    let played = play(&reference(json!({})), &[broken, broken, broken, ANSWER]);
    assert_eq!(played.row(), ("finished", "Ada Tower", 4, 0, 0));
}

#[test]
fn a_thought_that_never_closes_is_a_format_error() {
    let open = format!("<think>{ANSWER}");
    let [reference, strict] = both(32, &[&open, ANSWER]);
    assert_eq!(reference.row(), ("finished", "Ada Tower", 1, 0, 0));
    assert_eq!(strict.row(), ("finished", "Ada Tower", 2, 0, 0));
    assert_eq!(strict.faults(), ["open_thought"]);
}

#[test]
fn the_last_turn_of_a_strict_play_asks_for_the_answer() {
    let played = play(&strict(json!({ "turns": 2 })), &["Hm.", ANSWER]);
    let last = |at: usize| said(played.asks[at].messages.last().expect("messages"));
    assert_eq!(last(0), "<question>");
    assert_eq!(last(1), "<reminder_last>");
    let [reference, _] = both(2, &["Hm.", ANSWER]);
    let last = reference.asks[1].messages.last().expect("messages");
    assert_eq!(said(last), "<reminder>");
}

#[test]
fn services_that_fail() {
    for (class, in_reference) in [
        (FailureClass::Server, "api_error"),
        (FailureClass::Timeout, "api_error"),
        (FailureClass::Unavailable, "incomplete"),
        (FailureClass::Cancelled, "incomplete"),
    ] {
        let script = [Says::Text(call("height of Ada Tower")), Says::Fails(class)];
        assert_eq!(play(&reference(json!({})), &script).outcome.ending, in_reference);
        assert_eq!(play(&strict(json!({})), &script).outcome.ending, "incomplete");
    }
    let oracle = reference(json!({ "setting": "A" }));
    let played = play(&oracle, &[Says::Fails(FailureClass::Server)]);
    assert_eq!(played.outcome.ending, "error");
}

#[test]
fn an_engine_that_is_gone_ends_the_play_and_one_that_fails_does_not() {
    let script = [Says::Text(call("height of Ada Tower")), ANSWER.into()];
    let fails = |class| move |_: &Ask, _| Some(Reply::Failed(Failure::new(class, "a test")));
    let with = |spec: &Spec, class| play_with(spec, &towers(), &script, fails(class));
    let gone = FailureClass::Unavailable;
    assert_eq!(with(&reference(json!({})), gone).outcome.ending, "incomplete");
    assert_eq!(with(&strict(json!({})), gone).outcome.ending, "incomplete");
    let played = with(&reference(json!({})), FailureClass::Server);
    assert_eq!(played.row(), ("finished", "Ada Tower", 2, 1, 1));
    assert_eq!(played.words(), ["error"]);
    assert_eq!(played.queries.len(), 5);
    let told = said(played.asks[1].messages.last().expect("messages"));
    assert!(told.starts_with("Error: Internal Service Error"), "{told}");
    let played = with(&strict(json!({})), FailureClass::Server);
    assert_eq!(played.words(), ["engine fault"]);
    assert_eq!(played.numbers().episode.tool_calls(Profile::Strict), 0);
}
