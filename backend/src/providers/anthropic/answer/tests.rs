use serde_json::json;

use super::super::super::draft::Answer as _;
use super::super::super::draft::{take_body, take_event};
use super::super::super::events::Event;
use super::*;

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

/// Takes an event with this data.
fn take(answer: &mut Answer, data: &str) -> Result<Option<String>, ProviderError> {
    let event = Event { name: String::new(), data: data.to_owned() };
    take_event(answer, &event)
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
    let mut answer = Answer::default();
    let mut heard = String::new();
    for event in [
        json!({ "type": "message_start", "message": { "id": "m", "type": "message", "role": "assistant", "content": [],
            "model": "claude-m", "stop_reason": null, "stop_sequence": null,
            "usage": { "input_tokens": 25, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 5, "output_tokens": 1 } } }),
        json!({ "type": "ping" }),
        json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "thinking", "thinking": "", "signature": "" } }),
        json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "thinking_delta", "thinking": "think" } }),
        json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "signature_delta", "signature": "c2ln" } }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "content_block_start", "index": 1, "content_block": { "type": "text", "text": "" } }),
        json!({ "type": "content_block_delta", "index": 1, "delta": { "type": "text_delta", "text": "on" } }),
        json!({ "type": "content_block_delta", "index": 1, "delta": { "type": "text_delta", "text": "" } }),
        json!({ "type": "something_new", "content_block": 7 }),
        json!({ "type": "content_block_delta", "index": 1, "delta": { "type": "text_delta", "text": "e" } }),
        json!({ "type": "content_block_stop", "index": 1 }),
    ] {
        heard.extend(take(&mut answer, &event.to_string()).expect("no error"));
        assert!(!answer.draft().is_finished(), "{event}");
    }
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
