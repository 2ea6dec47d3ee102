//! Anthropic's messages as `anthropic` 2.12 for Python sends and reads them.

use crate::common::*;
use crate::providers::{Trial, question, question_of};

pub fn message(text: &str) -> Value {
    json!({
        "id": "msg_01", "type": "message", "role": "assistant", "model": "claude-upstream",
        "content": [{ "type": "text", "text": text }], "stop_reason": "end_turn", "stop_sequence": null,
        "usage": { "input_tokens": 4, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 3, "output_tokens": 3 },
    })
}

pub fn error(kind: &str, message: &str) -> Value {
    json!({ "type": "error", "error": { "type": kind, "message": message }, "request_id": "req_01" })
}

/// A stream of events as the service writes them: each with its name, a ping in between.
pub fn events(all: &[Value]) -> String {
    let mut text = String::new();
    for event in all {
        let name = event["type"].as_str().expect("an event has a type");
        text.push_str(&format!("event: {name}\ndata: {event}\n\n"));
    }
    text
}

pub fn stream(text: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\nconnection: close\r\n\r\n{text}"
    )
}

/// The events of an answer, up to its reason to stop and the end.
pub fn answer(pieces: &[&str]) -> Vec<Value> {
    let mut all = vec![
        json!({ "type": "message_start", "message": { "id": "msg_01", "type": "message", "role": "assistant", "content": [],
            "model": "claude-upstream", "stop_reason": null, "stop_sequence": null,
            "usage": { "input_tokens": 4, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 3, "output_tokens": 1 } } }),
        json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "" } }),
        json!({ "type": "ping" }),
    ];
    all.extend(pieces.iter().map(|piece| {
        json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": piece } })
    }));
    all.extend([
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn", "stop_sequence": null }, "usage": { "output_tokens": 3 } }),
        json!({ "type": "message_stop" }),
    ]);
    all
}

async fn trial(model: &str, answers: Vec<Canned>, listen: bool) -> Trial {
    crate::providers::trial("anthropic", question(model), answers, listen, "attempts = 1").await
}

#[tokio::test]
async fn a_call_is_sent_as_the_format_wants_it_and_its_answer_read() {
    let trial = trial("claude-m", vec![Canned::ok(message("the mill"))], false).await;
    let said = trial.said();
    assert_eq!(said.text.as_deref(), Some("the mill"));
    assert_eq!((said.stop, said.model.as_deref()), (Stop::End, Some("claude-upstream")));
    assert_eq!((said.usage.tokens(), said.usage.cached), (10, Some(3)));
    let seen = &trial.upstream.seen()[0];
    assert!(seen.head.starts_with("POST /v1/messages HTTP/1.1\r\n"), "{}", seen.head);
    assert!(seen.head.contains(&format!("x-api-key: {MARKED_KEY}")));
    assert!(seen.head.contains("anthropic-version: 2023-06-01"));
    assert!(!seen.head.to_lowercase().contains("authorization"));
    assert_eq!(
        seen.body,
        json!({
            "model": "claude-m", "max_tokens": 50, "temperature": 0.6, "system": "rules",
            "messages": [{ "role": "user", "content": "who?" }],
        })
    );
}

#[tokio::test]
async fn a_stream_is_the_same_however_it_is_cut() {
    let whole = stream(&events(&answer(&["the ", "", "mühle 磨", "坊"])));
    let with_returns = whole.replace("\n\n", "\r\n\r\n").replace("\ndata", "\r\ndata");
    for (text, size) in [(&whole, 1), (&whole, 7), (&with_returns, 13), (&whole, 100_000)] {
        let trial = trial("m", vec![Canned::Sliced(text.clone(), size)], true).await;
        assert_eq!(trial.text(), Some("the mühle 磨坊"));
        assert_eq!(trial.heard, "the mühle 磨坊");
        assert_eq!((trial.said().usage.tokens(), trial.said().stop), (10, Stop::End));
        let seen = &trial.upstream.seen()[0];
        assert_eq!(seen.body["stream"], json!(true));
        assert!(seen.head.contains("accept: text/event-stream"));
    }
}

#[tokio::test]
async fn a_stream_that_ends_early_is_a_failure() {
    let all = answer(&["the ", "mill"]);
    for kept in 0..all.len() {
        let trial = trial("m", vec![Canned::Raw(stream(&events(&all[..kept])))], true).await;
        match all.len() - kept {
            // The reason to stop and the last account have come: only the mark of the end is missing.
            1 => assert_eq!(trial.text(), Some("the mill")),
            _ => assert_eq!(trial.class(), FailureClass::Undecodable, "{kept} events"),
        }
    }
}

#[tokio::test]
async fn an_error_in_the_middle_of_a_stream_is_what_it_says() {
    for (kind, class) in [
        ("overloaded_error", FailureClass::Server),
        ("api_error", FailureClass::Server),
        ("rate_limit_error", FailureClass::RateLimited),
        ("authentication_error", FailureClass::Unauthorised),
        ("billing_error", FailureClass::Quota),
        ("something_new", FailureClass::Undecodable),
    ] {
        let mut all = answer(&["the m"]);
        all.truncate(4);
        all.push(error(kind, "not now"));
        let trial = trial("m", vec![Canned::Raw(stream(&events(&all)))], true).await;
        assert_eq!(trial.class(), class, "{kind}");
        assert_eq!(trial.heard, "the m");
    }
}

#[tokio::test]
async fn refusals_and_limits_are_answers() {
    let mut refused = message("");
    refused["content"] = json!([]);
    refused["stop_reason"] = json!("refusal");
    refused["stop_details"] =
        json!({ "type": "refusal", "category": "cyber", "explanation": null });
    let trial = trial("m", vec![Canned::ok(refused)], false).await;
    let said = trial.said();
    assert_eq!((said.text.as_deref(), said.stop), (None, Stop::Refused));
    assert_eq!(said.refusal.as_deref(), Some("cyber"));
    let mut long = message("the mi");
    long["stop_reason"] = json!("max_tokens");
    let trial = self::trial("m", vec![Canned::ok(long)], false).await;
    assert_eq!(trial.said().stop, Stop::Length);
}

#[tokio::test]
async fn what_does_not_go_together_is_left_out_as_is_known_or_learnt() {
    let asked = |model: &str| question_of(model, |sampling| sampling.top_p = Some(0.9));
    let known = asked("claude-sonnet-4-5-20250929");
    let answers = vec![Canned::ok(message("yes"))];
    let trial = crate::providers::trial("anthropic", known, answers, false, "").await;
    assert_eq!(trial.departures(), [("top_p", Departed::NotTaken)]);
    let both = error(
        "invalid_request_error",
        "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
    );
    let answers = vec![Canned::json(400, both), Canned::ok(message("yes"))];
    let trial =
        crate::providers::trial("anthropic", asked("claude-opus-4"), answers, false, "").await;
    assert_eq!(trial.departures(), [("top_p", Departed::Refused)]);
    let seen = trial.upstream.seen();
    assert_eq!((&seen[0].body["top_p"], &seen[1].body["temperature"]), (&json!(0.9), &json!(0.6)));
    assert_eq!(seen[1].body.get("top_p"), None);
}
