use serde_json::json;

use super::*;
use crate::providers::draft::{Answer as _, take_body};
use crate::providers::tests::{heard, take};

fn whole(completion: Value) -> Result<Said, ProviderError> {
    take_body::<Answer>(&completion.to_string())?.whole()
}

fn message(message: Value, finish: Value) -> Result<Said, ProviderError> {
    whole(json!({ "choices": [{ "index": 0, "message": message, "finish_reason": finish }] }))
}

#[test]
fn a_completion_is_read_with_its_account() {
    let usage = json!({
        "prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120, "queue_time": 0.5,
        "prompt_tokens_details": { "cached_tokens": 64, "cache_write_tokens": 30 },
        "completion_tokens_details": { "reasoning_tokens": 12 },
    });
    let said = whole(json!({
        "id": "1", "object": "chat.completion", "model": "m-2", "usage": usage,
        "choices": [
            { "index": 1, "message": { "content": "other" }, "finish_reason": "stop" },
            { "index": 0, "message": { "role": "assistant", "content": "yes", "reasoning_content": "hm" },
              "finish_reason": "stop" },
        ],
    }))
    .expect("an answer");
    assert_eq!(said.text.as_deref(), Some("yes"));
    assert_eq!(said.reasoning.as_deref(), Some("hm"));
    assert_eq!((said.stop, said.model.as_deref()), (Stop::End, Some("m-2")));
    assert_eq!((said.usage.input, said.usage.cached), (Some(100), Some(64)));
    assert_eq!(said.usage.cache_written, Some(30));
    assert_eq!((said.usage.output, said.usage.reasoning), (Some(20), Some(12)));
    assert_eq!(said.usage.raw, usage);
}

#[test]
fn nothing_is_not_the_same_as_empty_text() {
    let said = |content: Value| {
        message(json!({ "content": content }), json!("stop")).map(|said| said.text)
    };
    assert_eq!(said(Value::Null), Ok(None));
    assert_eq!(said(json!("")), Ok(Some(String::new())));
    let parts = json!([{ "type": "text", "text": "a" }, { "type": "image" }, { "type": "text", "text": "b" }]);
    assert_eq!(said(parts), Ok(Some("ab".into())));
    assert_eq!(message(json!({}), json!("stop")).map(|said| said.text), Ok(None));
}

#[test]
fn reasons_to_stop_are_told_apart() {
    let stop = |finish: Value| message(json!({ "content": "" }), finish).map(|said| said.stop);
    assert_eq!(stop(json!("length")), Ok(Stop::Length));
    assert_eq!(stop(json!("content_filter")), Ok(Stop::Filtered));
    assert_eq!(stop(json!("tool_calls")), Ok(Stop::Other));
    assert_eq!(stop(Value::Null), Ok(Stop::Other));
    let class = stop(json!("error")).map_err(|miss| miss.failure.class);
    assert_eq!(class, Err(FailureClass::Server));
    let refused = message(json!({ "content": null, "refusal": "I will not" }), json!("stop"));
    let refused = refused.expect("a refusal is an answer");
    assert_eq!((refused.text, refused.stop), (None, Stop::Refused));
    assert_eq!(refused.refusal.as_deref(), Some("I will not"));
    assert_eq!(refused.reasoning, None);
}

#[test]
fn what_has_no_choice_is_no_answer() {
    for completion in [
        json!({}),
        json!({ "choices": [] }),
        json!({ "choices": null }),
        json!({ "choices": [{ "index": 0, "finish_reason": "stop" }] }),
        json!({ "error": "out of order" }),
    ] {
        let miss = whole(completion.clone()).expect_err("it has no choice");
        assert_eq!(miss.failure.class, FailureClass::Undecodable, "{completion}");
    }
}

#[test]
fn reasoning_that_a_service_counts_apart_is_added() {
    let account = |total: u64| {
        parts(&json!({ "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": total,
            "completion_tokens_details": { "reasoning_tokens": 3 } }))
        .usage(Value::Null)
    };
    assert_eq!((account(15).output, account(15).reasoning), (Some(5), Some(3)));
    assert_eq!((account(18).output, account(18).reasoning), (Some(8), Some(3)));
    assert_eq!(account(500).output, None, "its total tells of more than both");
    assert_eq!(account(500).input, Some(10));
    assert_eq!(account(0).output, Some(5), "a total that is too small takes nothing away");
}

#[test]
fn a_stream_adds_up_and_knows_its_end() {
    let (mut answer, heard) = heard::<Answer>(include_str!("stream.jsonl"));
    let last = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] });
    take(&mut answer, &last.to_string()).expect("no error");
    assert!(answer.draft().is_finished() && !answer.draft().is_done);
    let account = json!({ "choices": [], "usage": { "prompt_tokens": 3, "completion_tokens": 2 } });
    take(&mut answer, &account.to_string()).expect("no error");
    take(&mut answer, " [DONE]").expect("no error");
    assert!(answer.draft().is_done);
    let said = answer.whole().expect("an answer");
    assert_eq!((heard.as_str(), said.text.as_deref()), ("one", Some("one")));
    assert_eq!(said.reasoning.as_deref(), Some("think"));
    assert_eq!(said.usage.tokens(), 5);
}
