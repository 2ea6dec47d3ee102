//! Streams as services send them: reasons to stop that are none, pieces that say all so far, unknown events, accounts that
//! know less than the ones before.

use crate::common::*;
use crate::providers::{Trial, answer, question, trial};

/// Asks with a listener; if that fails, the next attempt is answered whole.
async fn heard(format: &str, body: &str, is_cut: bool) -> Trial {
    let answers = vec![Canned::stream(body, is_cut), Canned::ok(answer(format, "whole"))];
    trial(format, question("m"), answers, true, "").await
}

fn events(values: &[Value]) -> String {
    values.iter().map(|value| format!("data: {value}\n\n")).collect()
}

/// A piece of a completion with a reason to stop.
fn piece(text: &str, finish: Value) -> Value {
    json!({ "choices": [{ "index": 0, "delta": { "content": text }, "finish_reason": finish }] })
}

fn candidate(text: &str, finish: Value) -> Value {
    json!({ "candidates": [{ "index": 0, "content": { "parts": [{ "text": text }] }, "finishReason": finish }] })
}

#[tokio::test]
async fn a_reason_that_is_none_ends_nothing() {
    for nothing in [json!(""), json!(null), json!("null"), json!(0), json!({}), json!(" ")] {
        let body =
            events(&[piece("The answer is", nothing.clone()), piece(" four", nothing.clone())]);
        for is_cut in [true, false] {
            let trial = heard("openai", &body, is_cut).await;
            let said = trial.text();
            assert_eq!((said, trial.requests()), (Some("whole"), 2), "{nothing} {is_cut}");
        }
    }
    for nothing in [json!(""), json!(null), json!("FINISH_REASON_UNSPECIFIED")] {
        let body = events(&[
            candidate("The answer is", nothing.clone()),
            candidate(" four", nothing.clone()),
        ]);
        let trial = heard("gemini", &body, false).await;
        assert_eq!(trial.text(), Some("whole"), "{nothing}");
    }
}

#[tokio::test]
async fn a_reason_before_the_end_is_none() {
    let gemini =
        events(&[candidate("The answer is", json!("STOP")), candidate(" four", json!("STOP"))]);
    let openai = events(&[piece("The answer is", json!("stop")), piece(" four", json!("stop"))]);
    for (format, body) in [("gemini", &gemini), ("openai", &openai)] {
        let cut = heard(format, body, true).await;
        assert_eq!(cut.text(), Some("whole"), "{format}");
        let ended = heard(format, body, false).await;
        assert_eq!(ended.text(), Some("The answer is four"), "{format}");
        assert_eq!((ended.said().stop, ended.requests()), (Stop::End, 1), "{format}");
    }
    let early = events(&[piece("The answer is", json!("stop")), piece(" four", json!(null))]);
    for is_cut in [true, false] {
        let trial = heard("openai", &early, is_cut).await;
        assert_eq!(trial.text(), Some("whole"), "{is_cut}");
    }
    let done = format!("{early}data: [DONE]\n\n");
    assert_eq!(heard("openai", &done, false).await.text(), Some("The answer is four"));
}

#[tokio::test]
async fn nothing_behind_the_end_changes_it() {
    let account =
        json!({ "choices": [], "usage": { "prompt_tokens": 20, "completion_tokens": 6 } });
    let body = events(&[
        piece("The answer is", json!("")),
        piece(" fourteen", json!("stop")),
        piece("", json!("")),
        account,
    ]);
    for end in ["data: [DONE]\n\n", "", "data: [DONE]", "data:[done]\n\n", "data: \"[DONE]\"\n\n"] {
        let trial = heard("openai", &format!("{body}{end}"), false).await;
        let said = trial.said();
        assert_eq!(
            (said.text.as_deref(), said.stop),
            (Some("The answer is fourteen"), Stop::End),
            "{end}"
        );
        assert_eq!((said.usage.tokens(), trial.requests()), (26, 1), "{end}");
    }
    // The connection breaks before the account: the answer is whole, and what it used is unknown.
    let body = events(&[piece("four", json!(null)), piece("", json!("stop"))]);
    let trial = heard("openai", &body, true).await;
    assert_eq!((trial.text(), trial.requests()), (Some("four"), 1));
    assert_eq!(trial.said().usage, Usage::default());
}

#[tokio::test]
async fn what_was_said_is_not_said_again() {
    let with = |text: &str, all: &str, finish: Value| {
        let mut piece = piece(text, finish);
        piece["choices"][0]["message"] = json!({ "role": "assistant", "content": all });
        piece
    };
    let message = |all: &str, finish: Value| json!({ "choices": [{ "message": { "content": all }, "finish_reason": finish }] });
    let none = || json!(null);
    for values in [
        vec![
            with("Paris", "Paris", none()),
            with(" is", "Paris is", none()),
            with(" it.", "Paris is it.", json!("stop")),
        ],
        vec![
            piece("Paris ", none()),
            piece("is it.", none()),
            with("", "Paris is it.", json!("stop")),
        ],
        vec![piece("Paris ", none()), with("", "Paris is it.", json!("stop"))],
        vec![
            piece("Paris", none()),
            piece("Paris is", none()),
            piece("Paris is it.", none()),
            piece("", json!("stop")),
        ],
        vec![
            piece("Paris ", none()),
            piece("is it.", none()),
            piece("Paris is it.", json!("stop")),
        ],
        vec![
            message("Paris", none()),
            message("Paris is", none()),
            message("Paris is it.", json!("stop")),
        ],
        vec![message("Paris", none()), message(" is", none()), message(" it.", json!("stop"))],
    ] {
        let trial = heard("openai", &format!("{}data: [DONE]\n\n", events(&values)), false).await;
        assert_eq!(trial.text(), Some("Paris is it."), "{values:?}");
        assert_eq!(trial.requests(), 1);
    }
    let all = ["Paris", "Paris is", "Paris is it."];
    let gemini: Vec<Value> = all.iter().map(|text| candidate(text, none())).collect();
    let gemini = format!("{}{}", events(&gemini), events(&[candidate("", json!("STOP"))]));
    let anthropic: Vec<Value> = all
        .iter()
        .map(|text| json!({ "type": "content_block_delta", "delta": { "type": "text_delta", "text": text } }))
        .chain([json!({ "type": "message_stop" })])
        .collect();
    for (format, body) in [("gemini", gemini), ("anthropic", events(&anthropic))] {
        let trial = heard(format, &body, false).await;
        assert_eq!(trial.text(), Some("Paris is it."), "{format}");
    }
}

#[tokio::test]
async fn events_that_the_format_does_not_know_are_passed_over() {
    let start = json!({ "type": "message_start", "message": { "type": "message", "content": [], "usage": { "input_tokens": 9, "output_tokens": 1 } } });
    let text = json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": "ready" } });
    let last = json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "output_tokens": 7 } });
    for (between, end) in [
        ("event: ping\ndata: {}\n\n", "data: {\"type\": \"message_stop\"}\n\n"),
        ("data: {\"type\": null}\n\n", "data: [DONE]\n\n"),
        (
            "data: ping\n\n: comment\n\n",
            "event: message_stop\ndata: {\"type\": \"message_stop\"}\n\n",
        ),
        ("event: keep-alive\ndata\n\nretry: 5\n\n", "data: [DONE]"),
        ("data: {\"error\": null}\n\ndata: []\n\ndata: 7\n\n", ""),
    ] {
        let body =
            format!("data: {start}\n\n{between}data: {text}\n\n{between}data: {last}\n\n{end}");
        for ends in ["\n", "\r\n", "\r"] {
            let trial = heard("anthropic", &body.replace('\n', ends), false).await;
            let said = trial.said();
            assert_eq!(
                (said.text.as_deref(), trial.heard.as_str()),
                (Some("ready"), "ready"),
                "{between}"
            );
            assert_eq!((said.usage.input, said.usage.output), (Some(9), Some(7)), "{between}");
            assert_eq!(trial.requests(), 1, "{between}");
        }
    }
    // An error is none of them, and half an event is lost text.
    for (format, bad) in [
        ("openai", "event: error\ndata: {\"message\": \"out of order\"}\n\n"),
        ("openai", "{\"error\": {\"message\": \"out of order\"}}\n"),
        ("openai", "data: {\"choices\": [{\"delta\": {\"cont\n\n"),
        ("anthropic", "data: {\"error\": {\"type\": \"overloaded_error\"}}\n\n"),
    ] {
        let body = format!(
            "{}{bad}{}",
            events(&[piece("a", json!(null))]),
            events(&[piece("b", json!("stop"))])
        );
        let trial = heard(format, &body, false).await;
        assert_eq!(trial.text(), Some("whole"), "{bad}");
    }
}

#[tokio::test]
async fn an_account_takes_nothing_away_from_the_one_before() {
    let delta = json!({ "type": "content_block_delta", "delta": { "type": "text_delta", "text": "ready" } });
    let start = |usage: Value| json!({ "type": "message_start", "message": { "type": "message", "content": [], "usage": usage } });
    let last = |usage: Value| json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": usage });
    let stop = json!({ "type": "message_stop" });
    let first = json!({ "input_tokens": 1500, "cache_read_input_tokens": 300, "output_tokens": 1 });
    for (early, late, wanted) in [
        (
            first.clone(),
            json!({ "input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 7 }),
            [Some(1800), Some(300), Some(7)],
        ),
        (
            first.clone(),
            json!({ "input_tokens": null, "output_tokens": 7 }),
            [Some(1800), Some(300), Some(7)],
        ),
        (
            json!({ "input_tokens": 0, "output_tokens": 0 }),
            json!({ "input_tokens": 1500, "output_tokens": 7 }),
            [Some(1500), None, Some(7)],
        ),
        // The first account came before the text, so it does not count it.
        (first.clone(), json!({ "output_tokens": 0 }), [Some(1800), Some(300), None]),
        (first, json!({}), [Some(1800), Some(300), None]),
    ] {
        let body = events(&[start(early), delta.clone(), last(late.clone()), stop.clone()]);
        let trial = heard("anthropic", &body, false).await;
        let usage = &trial.said().usage;
        assert_eq!([usage.input, usage.cached, usage.output], wanted, "{late}");
    }
    let counted = |text: &str, finish: Value, usage: Value| {
        let mut piece = piece(text, finish);
        piece["usage"] = usage;
        piece
    };
    let early = json!({ "prompt_tokens": 1500, "completion_tokens": 1 });
    for late in [
        json!({ "prompt_tokens": 0, "completion_tokens": 7 }),
        json!({ "prompt_tokens": -1, "completion_tokens": 7 }),
        json!({ "completion_tokens": 7 }),
    ] {
        let values = [
            counted("ready", json!(null), early.clone()),
            counted("", json!("stop"), late.clone()),
        ];
        let trial = heard("openai", &format!("{}data: [DONE]\n\n", events(&values)), false).await;
        let usage = &trial.said().usage;
        assert_eq!((usage.input, usage.output), (Some(1500), Some(7)), "{late}");
    }
    let mut one = candidate("rea", json!(null));
    one["usageMetadata"] = json!({ "promptTokenCount": 1500, "candidatesTokenCount": 1 });
    let mut other = candidate("dy", json!("STOP"));
    other["usageMetadata"] = json!({ "promptTokenCount": 0, "candidatesTokenCount": 7 });
    let trial = heard("gemini", &events(&[one, other]), false).await;
    assert_eq!((trial.said().usage.input, trial.said().usage.output), (Some(1500), Some(7)));
}
