use serde_json::json;

use super::*;
use crate::providers::draft::{Answer as _, take_body};
use crate::providers::tests::{heard, take};

fn whole(message: Value) -> Result<Said, ProviderError> {
    take_body::<Answer>(&message.to_string())?.whole()
}

fn message(content: Value, stop: Value) -> Value {
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-m", "content": content,
        "stop_reason": stop, "stop_sequence": null,
        "usage": { "input_tokens": 10, "cache_creation_input_tokens": 200, "cache_read_input_tokens": 3000,
            "output_tokens": 40, "service_tier": "standard" },
    })
}

#[test]
fn a_message_is_read_with_its_account() {
    let content = json!([
        { "type": "thinking", "thinking": "hm", "signature": "c2ln" },
        { "type": "redacted_thinking", "data": "eA==" },
        { "type": "text", "text": "ye" }, { "type": "text", "text": "s" },
    ]);
    let said = whole(message(content, json!("end_turn"))).expect("an answer");
    assert_eq!(said.text.as_deref(), Some("yes"));
    assert_eq!(said.reasoning.as_deref(), Some("hm"));
    assert_eq!((said.stop, said.model.as_deref()), (Stop::End, Some("claude-m")));
    let usage = &said.usage;
    assert_eq!(
        (usage.input, usage.cached, usage.cache_written),
        (Some(3210), Some(3000), Some(200))
    );
    assert_eq!((usage.output, usage.reasoning), (Some(40), None));
    assert_eq!(usage.raw["service_tier"], "standard");
}

#[test]
fn reasons_to_stop_are_told_apart() {
    let text = || json!([{ "type": "text", "text": "a" }]);
    for (reason, stop) in [
        ("end_turn", Stop::End),
        ("stop_sequence", Stop::End),
        ("max_tokens", Stop::Length),
        ("model_context_window_exceeded", Stop::Length),
        ("refusal", Stop::Refused),
        ("pause_turn", Stop::Other),
        ("something_new", Stop::Other),
    ] {
        let said = whole(message(text(), json!(reason))).expect("an answer");
        assert_eq!(said.stop, stop, "{reason}");
    }
    let mut refused = message(json!([]), json!("refusal"));
    refused["stop_details"] = json!({ "type": "refusal", "category": "bio", "explanation": "This cannot be helped with." });
    let said = whole(refused).expect("a refusal is an answer");
    assert_eq!((said.text, said.stop), (None, Stop::Refused));
    assert_eq!(said.refusal.as_deref(), Some("This cannot be helped with."));
}

#[test]
fn what_is_no_message_is_no_answer() {
    for body in [
        json!({}),
        json!([]),
        json!({ "type": "completion", "completion": "a" }),
        json!({ "type": "message", "content": "a" }),
        json!({ "type": "error", "error": { "type": "something_new" } }),
    ] {
        let miss = whole(body.clone()).expect_err("it is none");
        assert_eq!(miss.failure.class, FailureClass::Undecodable, "{body}");
    }
    let busy = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    assert_eq!(whole(busy).expect_err("busy").failure.class, FailureClass::Server);
}

#[test]
fn a_stream_adds_up_and_knows_its_end() {
    let (mut answer, heard) = heard::<Answer>(include_str!("stream.jsonl"));
    let last = json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn", "stop_sequence": null },
        "usage": { "output_tokens": 15, "input_tokens": null, "output_tokens_details": { "thinking_tokens": 9 } } });
    take(&mut answer, &last.to_string()).expect("no error");
    assert!(answer.draft().is_finished() && !answer.draft().is_done);
    take(&mut answer, r#"{"type": "message_stop"}"#).expect("no error");
    assert!(answer.draft().is_done);
    let said = answer.whole().expect("an answer");
    assert_eq!((heard.as_str(), said.text.as_deref()), ("one", Some("one")));
    assert_eq!(said.reasoning.as_deref(), Some("think"));
    assert_eq!((said.usage.input, said.usage.cached), (Some(30), Some(5)));
    assert_eq!((said.usage.output, said.usage.reasoning), (Some(15), Some(9)));
}
