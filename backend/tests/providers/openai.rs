//! The OpenAI wire format against a service that misbehaves in every way that services do, retries included.

use std::time::Instant;

use turnwise_backend::outbound::budget::Account;
use turnwise_shared::benchmark::{Attempts, USUAL_ATTEMPTS};

use crate::common::upstream::delta;
use crate::common::*;
use crate::providers::{Trial, departures, egress, question, question_of};

async fn trial(answers: Vec<Canned>, listen: bool, limits: &str) -> Trial {
    crate::providers::trial("openai", question("org/m"), answers, listen, limits).await
}

async fn whole(answers: Vec<Canned>) -> Trial {
    trial(answers, false, "").await
}

#[tokio::test]
async fn a_call_is_sent_as_the_format_wants_it_and_its_answer_read() {
    let trial = whole(vec![Canned::text("the mill")]).await;
    let said = trial.said();
    assert_eq!(said.text.as_deref(), Some("the mill"));
    assert_eq!((said.stop, said.model.as_deref()), (Stop::End, Some("upstream-model")));
    assert_eq!(said.usage.tokens(), 10);
    assert_eq!((trial.answer.timing.attempts, trial.answer.timing.failures.len()), (1, 0));
    assert!(trial.answer.timing.started > 1_600_000_000_000);
    let seen = &trial.upstream.seen()[0];
    assert!(seen.head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"));
    assert!(seen.head.contains(&format!("authorization: Bearer {MARKED_KEY}")));
    assert_eq!(
        seen.body,
        json!({
            "model": "org/m", "temperature": 0.6, "max_tokens": 50,
            "messages": [{ "role": "system", "content": "rules" }, { "role": "user", "content": "who?" }],
        })
    );
}

#[tokio::test]
async fn what_can_succeed_later_is_tried_again() {
    for bad in [
        Canned::error(500),
        Canned::error(503),
        Canned::error(408),
        Canned::error(409),
        Canned::error(425),
        Canned::error(429),
        Canned::Raw("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{\"cho".into()),
        Canned::Raw(String::new()),
        Canned::Raw("HTTP/1.1 200 OK\r\ncontent-length: 13\r\n\r\n<html>busy</h".into()),
        Canned::ok(json!({ "choices": [] })),
        Canned::ok(json!({ "error": { "code": 500 } })),
    ] {
        let trial = whole(vec![bad.clone(), Canned::text("yes")]).await;
        assert_eq!(trial.text(), Some("yes"), "{bad:?}");
        assert_eq!(trial.answer.timing.attempts, 2, "{bad:?}");
        assert_eq!(trial.answer.timing.failures.len(), 1, "{bad:?}");
    }
}

#[tokio::test]
async fn what_cannot_succeed_later_is_not_tried_again() {
    for (status, class) in [
        (401, FailureClass::Unauthorised),
        (403, FailureClass::Unauthorised),
        (404, FailureClass::Rejected),
    ] {
        let trial = whole(vec![Canned::error(status), Canned::text("yes")]).await;
        assert_eq!(trial.failed(), (class, 1), "{status}");
    }
}

#[tokio::test]
async fn after_three_attempts_the_last_failure_stands() {
    let trial =
        whole(vec![Canned::error(500), Canned::Raw(String::new()), Canned::error(429)]).await;
    assert_eq!(trial.failed(), (FailureClass::RateLimited, 3));
    let classes: Vec<_> =
        trial.answer.timing.failures.iter().map(|failure| failure.class).collect();
    assert_eq!(classes, [FailureClass::Server, FailureClass::Connection]);
    let undecodable =
        whole(vec![Canned::Raw("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]".into())]).await;
    assert_eq!((undecodable.class(), undecodable.requests()), (FailureClass::Undecodable, 3));
}

#[tokio::test]
async fn empty_text_and_null_are_answers() {
    let trial = whole(vec![Canned::text("")]).await;
    assert_eq!((trial.text(), trial.requests()), (Some(""), 1));
    let trial = whole(vec![Canned::ok(completion(Value::Null))]).await;
    assert_eq!((trial.text(), trial.requests()), (None, 1));
}

#[tokio::test]
async fn a_wait_that_was_asked_for_is_kept_unless_it_is_too_long() {
    let wait = |seconds: &str| {
        let headers = vec![("retry-after", seconds.to_owned())];
        Canned::Json(429, headers, json!({}))
    };
    let began = Instant::now();
    let trial = whole(vec![wait("0.4"), Canned::text("yes")]).await;
    assert_eq!(trial.text(), Some("yes"));
    assert!(began.elapsed() >= Duration::from_millis(400));
    assert!(trial.answer.timing.took >= 400);
    let trial = whole(vec![wait("3600"), Canned::text("yes")]).await;
    assert_eq!(trial.failed(), (FailureClass::RateLimited, 1));
}

#[tokio::test]
async fn a_limit_of_ours_says_its_name_and_is_not_met_twice() {
    let silence = || Canned::Silence(Duration::from_secs(5));
    let held = Canned::Held(vec![delta(Some("the m"), None), "[DONE]".into()], Default::default());
    for (bad, listen, limits, name) in [
        (silence(), false, "idle_seconds = 1", "after 1 s of silence (limits.idle_seconds)"),
        (silence(), true, "idle_seconds = 1", "after 1 s of silence (limits.idle_seconds)"),
        (held, true, "idle_seconds = 1", "after 1 s of silence (limits.idle_seconds)"),
        (silence(), false, "total_seconds = 1", "after 1 s (limits.total_seconds)"),
    ] {
        let trial = trial(vec![bad, Canned::text("yes")], listen, limits).await;
        assert_eq!(trial.failed(), (FailureClass::Timeout, 1));
        let message = trial.failure().message.as_str();
        assert!(message.contains(name) && message.contains("charge"), "{message}");
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let to = vec![("location", "http://127.0.0.1:1/elsewhere".to_owned())];
    let trial = whole(vec![Canned::Json(307, to, json!({}))]).await;
    assert_eq!(trial.failed(), (FailureClass::Rejected, 1));
}

#[tokio::test]
async fn an_answer_that_is_too_long_is_the_models_and_is_not_asked_for_again() {
    let long = Canned::text(&"x".repeat(1_200_000));
    let trial = trial(vec![long], false, "response_megabytes = 1").await;
    let said = trial.said();
    assert_eq!((said.stop, trial.requests()), (Stop::Length, 1));
    assert_eq!(said.text, None);
    let why = said.refusal.as_deref().expect("a reason");
    assert!(why.contains("limits.response_megabytes"), "{why}");
    // It would not fit into a transcript's line.
    let long = whole(vec![Canned::text(&"é".repeat(350_000))]).await;
    let said = long.said();
    assert_eq!((said.stop, long.requests()), (Stop::Length, 1));
    assert_eq!(said.text.as_ref().map(String::len), Some(600_000));
    assert_eq!(departures(said), [("reply", Departed::Cut(600_000))]);
    let counted = (said.usage.input, said.usage.output);
    assert_eq!(counted, (Some(7), None), "nobody writes it in 3 tokens");
}

/// A stream is bounded like an answer in one piece, also one that never says anything.
#[tokio::test]
async fn a_stream_that_is_too_long_is_the_models_and_is_not_asked_for_again() {
    let piece = delta(Some(&"x".repeat(300_000)), None);
    let blank = Canned::stream(&" ".repeat(1_200_000), false);
    let comments = Canned::stream(&": waiting\n\n".repeat(120_000), false);
    for long in [Canned::Events(vec![piece; 4]), blank, comments] {
        let trial = trial(vec![long], true, "response_megabytes = 1").await;
        let said = trial.said();
        assert_eq!((said.stop, trial.requests()), (Stop::Length, 1));
        let why = said.refusal.as_deref().expect("a reason");
        assert!(why.contains("limits.response_megabytes"), "{why}");
    }
}

#[tokio::test]
async fn a_stream_is_heard_piece_by_piece_and_counts_as_a_whole() {
    let events = vec![
        delta(Some("the "), None),
        delta(Some("mi"), None),
        delta(Some("ll"), Some("stop")),
        json!({ "choices": [], "usage": { "prompt_tokens": 4, "completion_tokens": 3 } })
            .to_string(),
        "[DONE]".to_owned(),
    ];
    let trial = trial(vec![Canned::Events(events)], true, "").await;
    assert_eq!(trial.text(), Some("the mill"));
    assert_eq!(trial.heard, "the mill");
    assert_eq!(trial.said().usage.tokens(), 7);
    let body = &trial.upstream.seen()[0].body;
    assert_eq!(body["stream"], json!(true));
    assert_eq!(body["stream_options"], json!({ "include_usage": true }));
}

#[tokio::test]
async fn a_stream_that_ends_early_is_a_failure_and_the_next_attempt_asks_for_the_whole() {
    let cut = Canned::Events(vec![delta(Some("the m"), None)]);
    let again = trial(vec![cut.clone(), Canned::text("the mill")], true, "").await;
    assert_eq!(again.text(), Some("the mill"));
    assert_eq!(again.heard, "the m", "the second attempt is not heard");
    let first = &again.answer.timing.failures[0];
    assert_eq!(first.class, FailureClass::Undecodable);
    let failed = trial(vec![cut], true, "attempts = 1").await;
    assert_eq!(failed.class(), FailureClass::Undecodable);
    let error = Canned::Events(vec![
        delta(Some("the m"), None),
        json!({ "error": { "code": 503, "message": "over" } }).to_string(),
    ]);
    let failed = trial(vec![error], true, "attempts = 1").await;
    assert_eq!(failed.class(), FailureClass::Server);
    let nonsense = Canned::Events(vec!["{".into()]);
    let failed = trial(vec![nonsense], true, "attempts = 1").await;
    assert_eq!(failed.class(), FailureClass::Undecodable);
}

#[tokio::test]
async fn a_service_that_cannot_stream_answers_whole() {
    let trial = trial(vec![Canned::text("the mill")], true, "").await;
    assert_eq!(trial.text(), Some("the mill"));
    assert_eq!(trial.heard, "");
}

#[tokio::test]
async fn nobody_answers_under_an_unknown_name_or_on_a_closed_port() {
    let trial = whole(vec![Canned::text("yes")]).await;
    drop(trial);
    let egress = egress("openai", NOWHERE, "").await;
    let CallAnswer { reply, timing } =
        egress.send(&question("org/m"), None, &Account::open(), USUAL_ATTEMPTS).await;
    assert!(matches!(reply, Reply::Failed(failure) if failure.class == FailureClass::Connection));
    assert_eq!(timing.attempts, 3);
    let Outgoing::Model(mut call) = question("org/m") else { panic!("it is one") };
    call.provider = "nobody".into();
    let CallAnswer { reply, timing } =
        egress.send(&Outgoing::Model(call), None, &Account::open(), USUAL_ATTEMPTS).await;
    assert!(matches!(reply, Reply::Failed(failure) if failure.class == FailureClass::Unavailable));
    assert_eq!(timing.attempts, 1);
}

#[tokio::test]
async fn a_services_own_words_stand_beside_the_reply_and_not_in_it() {
    let told = json!({ "error": { "message": format!("no such model at {MARKED_KEY}"), "code": "model_not_found" } });
    let upstream = Upstream::start([Canned::json(404, told)]).await;
    let egress = egress("openai", &upstream.base_url(), "").await;
    let answer = egress.probe(&question("org/m"), &Account::open()).await;
    let shown = serde_json::to_string(&answer.reply).expect("JSON");
    assert!(shown.contains("model_not_found") && !shown.contains("no such model"), "{shown}");
    assert_eq!(answer.timing.words.as_deref(), Some("no such model at …"));
}

/// The answers of OpenAI itself to a reasoning model's parameters.
fn unsupported(parameter: &str, code: &str) -> Canned {
    let error = json!({ "error": {
        "message": format!("Unsupported parameter: '{parameter}' is not supported with this model."),
        "type": "invalid_request_error", "param": parameter, "code": code,
    } });
    Canned::json(400, error)
}

#[tokio::test]
async fn a_parameter_that_is_refused_is_left_out_once_and_said() {
    let answers = vec![
        unsupported("temperature", "unsupported_value"),
        unsupported("max_tokens", "unsupported_parameter"),
        Canned::text("the mill"),
    ];
    let trial = whole(answers).await;
    let said = trial.said();
    assert_eq!(said.text.as_deref(), Some("the mill"));
    assert_eq!(departures(said), [("temperature", Departed::Refused)]);
    assert_eq!(trial.answer.timing.attempts, 1, "nothing was waited for");
    let seen = trial.upstream.seen();
    assert_eq!(seen[0].body["temperature"], 0.6);
    assert_eq!(seen[1].body.get("temperature"), None);
    assert_eq!(seen[1].body["max_tokens"], 50);
    assert_eq!(seen[2].body.get("max_tokens"), None);
    assert_eq!(seen[2].body["max_completion_tokens"], 50);
    // What was learnt holds for the next call, and for this model alone.
    let again = trial.egress.send(&question("org/m"), None, &Account::open(), USUAL_ATTEMPTS).await;
    assert!(matches!(again.reply, Reply::Said(said) if departures(&said).len() == 1));
    trial.egress.send(&question("org/other"), None, &Account::open(), USUAL_ATTEMPTS).await;
    let seen = trial.upstream.seen();
    assert_eq!(seen.len(), 5);
    assert_eq!(seen[3].body.get("temperature"), None);
    assert_eq!(seen[4].body["temperature"], 0.6);
}

#[tokio::test]
async fn a_refusal_of_something_else_is_one() {
    let value = json!({ "error": { "message": "Invalid 'temperature': decimal above maximum value.",
        "type": "invalid_request_error", "param": "temperature", "code": "decimal_above_max_value" } });
    for error in [Canned::json(400, value), unsupported("logit_bias", "unsupported_parameter")] {
        let trial = whole(vec![error, Canned::text("yes")]).await;
        assert_eq!(trial.failed(), (FailureClass::Rejected, 1));
    }
}

#[tokio::test]
async fn a_reasoning_model_is_not_sent_what_it_is_known_to_refuse() {
    let asked = question_of("gpt-5-mini", |sampling| {
        sampling.effort = Some(turnwise_shared::seat::Effort::Low);
        sampling.seed = Some(7);
    });
    let trial =
        crate::providers::trial("openai", asked, vec![Canned::text("yes")], false, "").await;
    let left = trial.departures();
    assert_eq!(left, [("temperature", Departed::NotTaken)]);
    let body = &trial.upstream.seen()[0].body;
    assert_eq!(body.get("temperature"), None);
    assert_eq!((&body["reasoning_effort"], &body["seed"]), (&json!("low"), &json!(7)));
}

#[tokio::test]
async fn a_refusal_is_an_answer_and_its_words_are_kept_apart() {
    let message = json!({ "role": "assistant", "content": null, "refusal": "I can't help with that.", "annotations": [] });
    let mut body = completion(Value::Null);
    body["choices"][0]["message"] = message;
    let trial = whole(vec![Canned::ok(body)]).await;
    let said = trial.said();
    assert_eq!((said.text.as_deref(), said.stop), (None, Stop::Refused));
    assert_eq!(said.refusal.as_deref(), Some("I can't help with that."));
    let piece = |delta: Value| {
        json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] }).to_string()
    };
    let streamed = vec![
        piece(json!({ "role": "assistant", "content": null, "refusal": "" })),
        piece(json!({ "refusal": "I can't " })),
        piece(json!({ "refusal": "help." })),
        delta(None, Some("stop")),
        "[DONE]".into(),
    ];
    let trial = self::trial(vec![Canned::Events(streamed)], true, "").await;
    assert_eq!(trial.said().refusal.as_deref(), Some("I can't help."));
}

/// Where a benchmark asks again after a reply without text, failures and such replies are counted together, and what both used is
/// summed up.
#[tokio::test]
async fn replies_without_text_are_asked_for_again_where_a_benchmark_wants_it() {
    let blank = |text: Value| {
        let usage = json!({ "prompt_tokens": 7, "completion_tokens": 3 });
        let choice = json!({ "index": 0, "finish_reason": "stop", "message": { "role": "assistant", "content": text } });
        Canned::ok(json!({ "id": "1", "model": "m", "choices": [choice], "usage": usage }))
    };
    let send = async |answers: Vec<Canned>, most: u32, blank_fails: bool| {
        let upstream = Upstream::start(answers).await;
        let egress = egress("openai", &upstream.base_url(), "").await;
        let attempts = Attempts { most, blank_fails };
        let (asked, account) = (question("org/m"), Account::open());
        let CallAnswer { reply, timing } = egress.send(&asked, None, &account, attempts).await;
        (reply, timing, upstream.seen().len())
    };
    let said = |reply: Reply| match reply {
        Reply::Said(said) => said,
        other => panic!("nothing was said: {other:?}"),
    };
    let nothing = [json!(""), json!(null), json!(" \n"), json!("\u{1c}\u{3000}")];
    let answers = nothing.iter().cloned().map(blank).chain([blank(json!("the mill"))]);
    let (reply, timing, requests) = send(answers.collect(), 9, true).await;
    let one = said(reply);
    assert_eq!((one.text.as_deref(), timing.attempts, requests), (Some("the mill"), 5, 5));
    assert_eq!((one.usage.input, one.usage.output), (Some(35), Some(15)));
    assert!(timing.failures.iter().all(|failure| failure.message == "the reply has no text"));
    // Three failures and one reply without text: the fifth is not asked for.
    let mut answers: Vec<Canned> = (0..3).map(|_| Canned::error(500)).collect();
    answers.insert(1, blank(json!("")));
    answers.push(blank(json!("too late")));
    let (reply, timing, requests) = send(answers, 4, true).await;
    assert!(matches!(reply, Reply::Failed(_)), "{reply:?}");
    assert_eq!((timing.attempts, requests), (4, 4));
    let (reply, _, requests) = send((0..3).map(|_| blank(json!(" "))).collect(), 3, true).await;
    assert_eq!((said(reply).text.as_deref(), requests), (Some(" "), 3), "the last one is told");
    let (reply, _, requests) = send(vec![blank(json!(""))], 9, false).await;
    assert_eq!((said(reply).text.as_deref(), requests), (Some(""), 1));
}
