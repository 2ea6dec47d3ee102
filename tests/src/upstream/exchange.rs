//! The wire: completions, whole and as streams of events, and everything that a service sends in place of one.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::{Stream, stream};
use serde_json::{Value, json};

use super::play::{Request, Words};
use super::{Fate, Fault, Flight};

/// What a busy service asks to wait, in seconds.
const RETRY_AFTER: &str = "0.2";

/// How long a silent service is silent.
const SILENCE: Duration = Duration::from_secs(60);

/// Answers a request in time, or fails as was decided.
pub async fn answer(
    request: &Request,
    fate: Fate,
    key: &str,
    streamed: bool,
    body: &Value,
    flight: Flight,
) -> Response {
    match fate.fault {
        None | Some(Fault::Empty | Fault::Cut) => {}
        Some(Fault::Silent) => {
            tokio::time::sleep(SILENCE).await;
            flight.landed();
            return failed(Fault::Broken, key);
        }
        Some(fault) => {
            tokio::time::sleep(fate.latency / 2).await;
            flight.landed();
            return failed(fault, key);
        }
    }
    let words = match fate.fault {
        Some(Fault::Empty) => Words::default(),
        _ => request.play(&fate.reply),
    };
    let model = body["model"].as_str().unwrap_or("unnamed");
    let usage = usage(request, &words);
    let cut = fate.fault == Some(Fault::Cut);
    if streamed {
        // A third of the time until the first piece, as with real services; the rest while it writes.
        tokio::time::sleep(fate.latency / 3).await;
        let wants_usage = body["stream_options"]["include_usage"] == true;
        let mut events = events(model, &words, wants_usage.then_some(usage));
        if cut {
            events.truncate(events.len() / 2);
            events.push(Err(Cut));
        }
        let pause = fate.latency * 2 / 3 / u32::try_from(events.len()).unwrap_or(u32::MAX).max(1);
        let stream = paced(events, pause, flight);
        ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(stream)).into_response()
    } else {
        tokio::time::sleep(fate.latency).await;
        let text = whole(model, &words, usage).to_string();
        flight.landed();
        if cut {
            half(&text)
        } else {
            ([(header::CONTENT_TYPE, "application/json")], text).into_response()
        }
    }
}

/// What a service sends when it fails. It repeats the key wherever it can, as some do.
pub fn failed(fault: Fault, key: &str) -> Response {
    let (status, code, message) = match fault {
        Fault::TooMany => (429, "rate_limit_exceeded", "slow down"),
        Fault::KeyRefused => (401, key, "incorrect API key provided"),
        Fault::Refused => (400, "invalid_request_error", "this cannot be asked"),
        Fault::Undecodable => {
            let page = format!("<html><title>Busy</title>Try again, owner of {key}.</html>");
            return ([(header::CONTENT_TYPE, "text/html")], page).into_response();
        }
        _ => (500, "server_error", "something broke"),
    };
    let error =
        json!({ "error": { "message": format!("{message}: {key}"), "type": code, "code": code } });
    let status = StatusCode::from_u16(status).expect("a status");
    let mut response = (status, axum::Json(error)).into_response();
    if fault == Fault::TooMany {
        let seconds = header::HeaderValue::from_static(RETRY_AFTER);
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
    }
    response
}

/// The answer to a prompt that belongs to no benchmark known here.
pub fn not_understood() -> Response {
    let message = "this scripted service cannot tell which seat is asked; the benchmark says in `Benchmark::scripted` what is replied";
    let error = json!({ "error": { "message": message, "type": "unknown_prompt" } });
    (StatusCode::BAD_REQUEST, axum::Json(error)).into_response()
}

fn whole(model: &str, words: &Words, usage: Value) -> Value {
    let mut message = json!({ "role": "assistant", "content": words.text });
    if let Some(reasoning) = &words.reasoning {
        message["reasoning_content"] = json!(reasoning);
    }
    json!({
        "id": "made-up", "object": "chat.completion", "created": 0, "model": model,
        "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }],
        "usage": usage,
    })
}

/// The same as events: the role, reasoning, the text in pieces, the end, the account, and the mark that nothing follows.
fn events(model: &str, words: &Words, usage: Option<Value>) -> Vec<Result<Bytes, Cut>> {
    let chunk = |choices: Value, usage: Value| {
        let event = json!({
            "id": "made-up", "object": "chat.completion.chunk", "created": 0, "model": model,
            "choices": choices, "usage": usage,
        });
        format!("data: {event}\n\n")
    };
    let delta = |delta: Value| {
        chunk(json!([{ "index": 0, "delta": delta, "finish_reason": null }]), Value::Null)
    };
    let mut events = vec![delta(json!({ "role": "assistant", "content": "" }))];
    if let Some(reasoning) = &words.reasoning {
        events.push(delta(json!({ "reasoning_content": reasoning })));
    }
    let signs: Vec<char> = words.text.chars().collect();
    events.extend(
        signs
            .chunks(signs.len().div_ceil(4).max(1))
            .map(|piece| delta(json!({ "content": piece.iter().collect::<String>() }))),
    );
    events.push(chunk(json!([{ "index": 0, "delta": {}, "finish_reason": "stop" }]), Value::Null));
    events.extend(usage.map(|usage| chunk(json!([]), usage)));
    events.push("data: [DONE]\n\n".to_owned());
    events.into_iter().map(|event| Ok(Bytes::from(event))).collect()
}

#[derive(Debug)]
struct Cut;

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("cut on purpose")
    }
}

impl std::error::Error for Cut {}

/// Events with pauses between them. The flight lands after the last.
fn paced(
    events: Vec<Result<Bytes, Cut>>,
    pause: Duration,
    flight: Flight,
) -> impl Stream<Item = Result<Bytes, Cut>> {
    let state = (events.into_iter(), Some(flight));
    stream::unfold(state, move |(mut events, mut flight)| async move {
        let event = events.next()?;
        tokio::time::sleep(pause).await;
        if events.len() == 0
            && let Some(flight) = flight.take()
        {
            flight.landed();
        }
        Some((event, (events, flight)))
    })
}

/// The first half of a body whose length is announced, then the connection ends.
fn half(text: &str) -> Response {
    let first = Bytes::copy_from_slice(&text.as_bytes()[..text.len() / 2]);
    let stream = stream::iter([Ok(first), Err(Cut)]);
    let length = text.len().to_string();
    let headers =
        [(header::CONTENT_TYPE, "application/json".to_owned()), (header::CONTENT_LENGTH, length)];
    (headers, Body::from_stream(stream)).into_response()
}

fn usage(request: &Request, words: &Words) -> Value {
    let tokens = |text: &str| text.chars().count().div_ceil(4);
    let (input, reasoning) =
        (request.length().div_ceil(4), words.reasoning.as_deref().map_or(0, tokens));
    let output = tokens(&words.text) + reasoning;
    json!({
        "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output,
        "prompt_tokens_details": { "cached_tokens": 0 },
        "completion_tokens_details": { "reasoning_tokens": reasoning },
    })
}
