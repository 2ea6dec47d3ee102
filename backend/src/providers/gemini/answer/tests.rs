use serde_json::json;

use super::*;
use crate::providers::draft::{Answer as _, take_body};
use crate::providers::tests::{heard, take};

fn whole(response: Value) -> Result<Said, ProviderError> {
    take_body::<Answer>(&response.to_string())?.whole()
}

fn finished(content: Value, reason: &str) -> Said {
    whole(json!({ "candidates": [{ "content": content, "finishReason": reason, "index": 0 }] }))
        .expect("an answer")
}

#[test]
fn a_response_is_read_with_its_account() {
    let usage = json!({
        "promptTokenCount": 100, "cachedContentTokenCount": 60, "candidatesTokenCount": 20, "thoughtsTokenCount": 300,
        "toolUsePromptTokenCount": 5, "totalTokenCount": 425,
        "promptTokensDetails": [{ "modality": "TEXT", "tokenCount": 100 }],
    });
    let said = whole(json!({
        "candidates": [{ "index": 0, "finishReason": "STOP", "content": { "role": "model", "parts": [
            { "text": "hm", "thought": true }, { "text": "ye" }, { "text": "s", "thoughtSignature": "eA==" },
        ] } }],
        "usageMetadata": usage, "modelVersion": "gemini-m-001", "responseId": "r",
    }))
    .expect("an answer");
    assert_eq!(said.text.as_deref(), Some("yes"));
    assert_eq!(said.reasoning.as_deref(), Some("hm"));
    assert_eq!((said.stop, said.model.as_deref()), (Stop::End, Some("gemini-m-001")));
    assert_eq!((said.usage.input, said.usage.cached), (Some(105), Some(60)));
    assert_eq!((said.usage.output, said.usage.reasoning), (Some(320), Some(300)));
    assert_eq!(said.usage.tokens(), 425);
    assert_eq!(said.usage.raw, usage);
}

#[test]
fn reasons_to_stop_are_told_apart() {
    let content = || json!({ "parts": [{ "text": "a" }] });
    for (reason, stop, refusal) in [
        ("STOP", Stop::End, None),
        ("MAX_TOKENS", Stop::Length, None),
        ("SAFETY", Stop::Filtered, Some("SAFETY")),
        ("RECITATION", Stop::Filtered, Some("RECITATION")),
        ("PROHIBITED_CONTENT", Stop::Filtered, Some("PROHIBITED_CONTENT")),
        ("MALFORMED_FUNCTION_CALL", Stop::Other, Some("MALFORMED_FUNCTION_CALL")),
        ("SOMETHING_NEW", Stop::Other, Some("SOMETHING_NEW")),
    ] {
        let said = finished(content(), reason);
        assert_eq!((said.stop, said.refusal.as_deref()), (stop, refusal), "{reason}");
    }
    let thought_too_long = finished(json!({ "role": "model" }), "MAX_TOKENS");
    assert_eq!((thought_too_long.text, thought_too_long.stop), (None, Stop::Length));
}

#[test]
fn a_blocked_prompt_is_an_answer_and_not_an_error() {
    let said = whole(json!({
        "promptFeedback": { "blockReason": "PROHIBITED_CONTENT" },
        "usageMetadata": { "promptTokenCount": 7, "totalTokenCount": 7 }, "modelVersion": "m",
    }))
    .expect("an answer");
    assert_eq!((said.text, said.stop), (None, Stop::Filtered));
    assert_eq!(said.refusal.as_deref(), Some("the prompt was blocked: PROHIBITED_CONTENT"));
    assert_eq!((said.usage.input, said.usage.output), (Some(7), None));
}

#[test]
fn what_has_no_candidate_is_no_answer() {
    for body in [
        json!({}),
        json!([]),
        json!({ "candidates": [] }),
        json!({ "candidates": null, "promptFeedback": {} }),
        json!({ "error": { "status": "INTERNAL" } }),
    ] {
        let miss = whole(body.clone()).expect_err("it has none");
        assert_eq!(miss.failure.class, FailureClass::Undecodable, "{body}");
    }
    let busy = json!({ "error": { "code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE" } });
    assert_eq!(whole(busy).expect_err("busy").failure.class, FailureClass::Server);
}

#[test]
fn a_stream_adds_up_and_knows_its_end() {
    let (mut answer, heard) = heard::<Answer>(include_str!("stream.jsonl"));
    let last = json!({ "candidates": [{ "content": {}, "finishReason": "STOP" }],
        "usageMetadata": { "promptTokenCount": 4, "candidatesTokenCount": 2, "thoughtsTokenCount": 1, "totalTokenCount": 7 } });
    take(&mut answer, &last.to_string()).expect("no error");
    assert!(answer.draft().is_finished() && !answer.draft().is_done);
    let said = answer.whole().expect("an answer");
    assert_eq!((heard.as_str(), said.text.as_deref()), ("one", Some("one")));
    assert_eq!(said.reasoning.as_deref(), Some("think"));
    assert_eq!((said.usage.tokens(), said.usage.reasoning), (7, Some(1)));
}
