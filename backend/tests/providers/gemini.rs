//! Gemini's `generateContent` as `google-genai` 3.4 for Python sends and reads it.

use crate::common::*;
use crate::providers::{Trial, question, question_of};

pub fn response(text: &str) -> Value {
    json!({
        "candidates": [{
            "content": { "parts": [{ "text": text }], "role": "model" }, "finishReason": "STOP", "index": 0,
            "avgLogprobs": -0.1,
        }],
        "usageMetadata": { "promptTokenCount": 7, "candidatesTokenCount": 2, "thoughtsTokenCount": 1, "totalTokenCount": 10 },
        "modelVersion": "gemini-upstream", "responseId": "r1",
    })
}

pub fn error(code: u16, status: &str, message: &str) -> Value {
    json!({ "error": { "code": code, "message": message, "status": status } })
}

/// The events of an answer: the last tells why it ends, and counts.
pub fn answer(pieces: &[&str]) -> Vec<Value> {
    let mut all: Vec<Value> = pieces
        .iter()
        .map(|piece| {
            json!({ "candidates": [{ "content": { "parts": [{ "text": piece }], "role": "model" }, "index": 0 }],
                "usageMetadata": { "promptTokenCount": 7, "totalTokenCount": 7 }, "modelVersion": "gemini-upstream" })
        })
        .collect();
    let mut last = response("");
    last["candidates"][0]["content"] = json!({ "role": "model" });
    all.push(last);
    all
}

/// A stream as the service writes it: with carriage returns, and without a mark of the end.
pub fn stream(all: &[Value]) -> String {
    let events: String = all.iter().map(|event| format!("data: {event}\r\n\r\n")).collect();
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{events}"
    )
}

async fn trial(model: &str, answers: Vec<Canned>, listen: bool) -> Trial {
    crate::providers::trial("gemini", question(model), answers, listen, "attempts = 1").await
}

#[tokio::test]
async fn a_call_is_sent_as_the_format_wants_it_and_its_answer_read() {
    let trial = trial("gemini-m", vec![Canned::ok(response("the mill"))], false).await;
    let said = trial.said();
    assert_eq!(said.text.as_deref(), Some("the mill"));
    assert_eq!((said.stop, said.model.as_deref()), (Stop::End, Some("gemini-upstream")));
    assert_eq!((said.usage.tokens(), said.usage.reasoning), (10, Some(1)));
    let seen = &trial.upstream.seen()[0];
    // The loopback's address ends with /v1, so that is the version.
    let first = "POST /v1/models/gemini-m:generateContent HTTP/1.1\r\n";
    assert!(seen.head.starts_with(first), "{}", seen.head);
    assert!(seen.head.contains(&format!("x-goog-api-key: {MARKED_KEY}")));
    assert!(!first.contains(MARKED_KEY));
    assert_eq!(
        seen.body,
        json!({
            "systemInstruction": { "parts": [{ "text": "rules" }] },
            "contents": [{ "role": "user", "parts": [{ "text": "who?" }] }],
            "generationConfig": { "temperature": 0.6, "maxOutputTokens": 50 },
        })
    );
}

#[tokio::test]
async fn a_stream_is_the_same_however_it_is_cut() {
    let text = stream(&answer(&["the ", "", "mühle 磨", "坊"]));
    for size in [1, 7, 100_000] {
        let trial = trial("m", vec![Canned::Sliced(text.clone(), size)], true).await;
        assert_eq!(trial.text(), Some("the mühle 磨坊"));
        assert_eq!(trial.heard, "the mühle 磨坊");
        assert_eq!((trial.said().usage.tokens(), trial.said().stop), (10, Stop::End));
        let head = &trial.upstream.seen()[0].head;
        assert!(head.starts_with("POST /v1/models/m:streamGenerateContent?alt=sse HTTP"), "{head}");
    }
}

#[tokio::test]
async fn a_stream_that_ends_early_is_a_failure() {
    let all = answer(&["the ", "mill"]);
    for kept in 0..all.len() {
        let trial = trial("m", vec![Canned::Raw(stream(&all[..kept]))], true).await;
        assert_eq!(trial.class(), FailureClass::Undecodable, "{kept} events");
    }
}

#[tokio::test]
async fn an_error_in_the_middle_of_a_stream_is_what_it_says() {
    for (code, status, class) in [
        (503, "UNAVAILABLE", FailureClass::Server),
        (500, "INTERNAL", FailureClass::Server),
        (429, "RESOURCE_EXHAUSTED", FailureClass::RateLimited),
        (403, "PERMISSION_DENIED", FailureClass::Unauthorised),
    ] {
        let mut all = answer(&["the m"]);
        all.pop();
        all.push(error(code, status, "The model is overloaded. Please try again later."));
        let trial = trial("m", vec![Canned::Raw(stream(&all))], true).await;
        assert_eq!(trial.class(), class, "{status}");
        assert_eq!(trial.heard, "the m");
    }
}

#[tokio::test]
async fn what_was_filtered_is_an_answer() {
    let blocked = json!({ "promptFeedback": { "blockReason": "PROHIBITED_CONTENT" },
        "usageMetadata": { "promptTokenCount": 7, "totalTokenCount": 7 }, "modelVersion": "m" });
    let mut unsafe_text = response("");
    unsafe_text["candidates"] = json!([{ "finishReason": "SAFETY", "index": 0,
        "safetyRatings": [{ "category": "HARM_CATEGORY_HARASSMENT", "probability": "HIGH", "blocked": true }] }]);
    for (body, reason) in
        [(blocked, "the prompt was blocked: PROHIBITED_CONTENT"), (unsafe_text, "SAFETY")]
    {
        for listen in [false, true] {
            let canned = match listen {
                true => Canned::Raw(stream(std::slice::from_ref(&body))),
                false => Canned::ok(body.clone()),
            };
            let trial = trial("m", vec![canned], listen).await;
            let said = trial.said();
            assert_eq!((said.text.as_deref(), said.stop), (None, Stop::Filtered));
            assert_eq!(said.refusal.as_deref(), Some(reason));
        }
    }
}

#[tokio::test]
async fn a_parameter_that_is_refused_in_a_sentence_is_left_out_once_and_said() {
    let asked = question_of("gemini-new", |sampling| {
        sampling.effort = Some(turnwise_shared::seat::Effort::Low);
    });
    let refused = error(400, "INVALID_ARGUMENT", "Thinking level is not supported for this model.");
    let answers = vec![Canned::json(400, refused), Canned::ok(response("yes"))];
    let trial = crate::providers::trial("gemini", asked, answers, false, "").await;
    assert_eq!(trial.departures(), [("effort", Departed::Refused)]);
    let config = &trial.upstream.seen()[1].body["generationConfig"];
    assert_eq!(config.get("thinkingConfig"), None);
    let refused =
        error(400, "INVALID_ARGUMENT", "Developer instruction is not enabled for models/m");
    let answers = vec![Canned::json(400, refused), Canned::ok(response("yes"))];
    let trial = self::trial("m", answers, false).await;
    assert_eq!(trial.departures(), [("system", Departed::Moved)]);
    let parts = &trial.upstream.seen()[1].body["contents"][0]["parts"];
    assert_eq!(*parts, json!([{ "text": "rules" }, { "text": "who?" }]));
}

#[tokio::test]
async fn a_wait_that_stands_in_the_error_is_kept() {
    let mut busy = error(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota.");
    busy["error"]["details"] =
        json!([{ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.4s" }]);
    let answers = vec![Canned::json(429, busy), Canned::ok(response("yes"))];
    let trial = crate::providers::trial("gemini", question("m"), answers, false, "").await;
    assert_eq!(trial.text(), Some("yes"));
    assert!(trial.answer.timing.took >= 400, "{:?}", trial.answer.timing);
}
