//! What is refused in one way and answered in another is asked otherwise: once for a model, and reported as a departure.

use std::sync::{Arc, Mutex};

use turnwise_backend::outbound::budget::Account;
use turnwise_shared::prompt::Rendered;

use crate::common::upstream::delta;
use crate::common::*;
use crate::providers::{Trial, asked, departures, egress, gemini, question, question_of, trial};

fn refused(status: u16, message: &str) -> Canned {
    let error = json!({ "error": { "message": message, "type": "invalid_request_error" } });
    Canned::json(status, error)
}

/// Asks twice: what is learnt at the first call holds for the second.
async fn twice(asked: Outgoing, answers: Vec<Canned>) -> Trial {
    let refusals = answers.len() - 1;
    let trial = trial("openai", asked.clone(), answers, false, "").await;
    assert_eq!(trial.answer.timing.attempts, 1, "no attempt is used up");
    assert_eq!(trial.requests(), refusals + 1);
    let said = trial.again(&asked).await;
    assert_eq!(said.departures, trial.said().departures);
    assert_eq!(trial.requests(), refusals + 2, "it was learnt");
    trial
}

fn with_top_p() -> Outgoing {
    question_of("m", |sampling| sampling.top_p = Some(0.9))
}

#[tokio::test]
async fn a_parameter_that_may_have_one_value_only_is_left_out() {
    for (status, message, parameter) in cases(include_str!("otherwise/one_value.jsonl")) {
        let trial = twice(with_top_p(), vec![refused(status, message), Canned::text("yes")]).await;
        assert_eq!(trial.departures(), [(parameter, Departed::Refused)], "{message}");
        let words = trial.answer.timing.words.as_deref();
        assert_eq!(words, Some(message), "the service's sentence is kept");
    }
}

#[tokio::test]
async fn what_does_not_help_is_forgotten_and_the_services_own_sentence_kept() {
    let message = "the temperature of this place is too high today";
    let trial = asked("openai", refused(400, message)).await;
    assert_eq!(trial.failed(), (FailureClass::Rejected, 2));
    assert_eq!(trial.answer.timing.words.as_deref(), Some(message));
    let left_out = trial.egress.left_out("up", "m");
    assert_eq!(left_out, Some(vec!["thinking_tokens"]), "what the format lacks");
    for (unclear, class, most) in [
        ("please stop sending nonsense", FailureClass::Rejected, 4),
        ("the messages make no sense", FailureClass::Rejected, 4),
        (
            "This model's maximum context length is 10 tokens, the temperature does not matter",
            FailureClass::Context,
            1,
        ),
        ("The model `m` does not exist", FailureClass::Rejected, 1),
    ] {
        let asked = question_of("m", |sampling| sampling.stop = vec!["x".to_owned()]);
        let trial = super::trial("openai", asked, vec![refused(400, unclear)], false, "").await;
        assert_eq!(trial.failed(), (class, most), "{unclear}");
        assert_eq!(trial.answer.timing.words.as_deref(), Some(unclear));
        let left_out = trial.egress.left_out("up", "m");
        assert_eq!(left_out, Some(vec!["thinking_tokens"]), "{unclear}");
    }
    // What names a part that has to be sent is believed at once.
    let named = json!({ "error": { "message": "bad", "type": "invalid_request_error", "param": "messages[1].content" } });
    let trial = asked("openai", Canned::json(400, named)).await;
    assert_eq!(trial.failed(), (FailureClass::Rejected, 1));
}

/// A service that refuses requests which have one of these fields, in these words.
async fn refusing(fields: BTreeMap<String, String>) -> (String, Arc<Mutex<Vec<Value>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&seen);
    let answer = move |axum::Json(body): axum::Json<Value>| {
        let refusal = fields.iter().find(|(field, _)| body.get(field).is_some());
        kept.lock().expect("no panic").push(body);
        let (status, answer) = match refusal {
            Some((_, words)) => {
                (400, json!({ "error": { "message": words, "param": null, "code": null } }))
            }
            None => (200, completion(json!("yes"))),
        };
        let status = axum::http::StatusCode::from_u16(status).expect("a status");
        async move { (status, axum::Json(answer)) }
    };
    let base_url = serve(axum::routing::post(answer)).await;
    (base_url, seen)
}

#[tokio::test]
async fn what_is_refused_in_other_words_is_left_out_by_guess_and_learnt() {
    for (fields, left_out, requests) in
        cases::<(BTreeMap<_, _>, Vec<&str>, usize)>(include_str!("otherwise/guessed.jsonl"))
    {
        let asked = question_of("m", |sampling| {
            sampling.top_p = Some(0.9);
            sampling.seed = Some(5);
            sampling.stop = vec!["x".to_owned()];
            sampling.effort = Some(Effort::High);
        });
        let (base_url, seen) = refusing(fields.clone()).await;
        let egress = egress("openai", &base_url, "").await;
        for more in [requests, 1] {
            let before = seen.lock().expect("no panic").len();
            let answer = egress.send(&asked, None, &Account::open(), 3).await;
            let Reply::Said(said) = answer.reply else { panic!("{fields:?}: {:?}", answer.reply) };
            let wanted: Vec<_> = left_out.iter().map(|name| (*name, Departed::Refused)).collect();
            assert_eq!(departures(&said), wanted, "{fields:?}");
            assert_eq!(answer.timing.attempts, 1);
            assert_eq!(seen.lock().expect("no panic").len() - before, more, "{fields:?}");
        }
        let last = seen.lock().expect("no panic").last().cloned().expect("a request");
        let sent = ["temperature", "reasoning_effort", "stop", "top_p", "seed"];
        let count = sent.iter().filter(|field| last.get(**field).is_some()).count();
        assert_eq!(count + left_out.len(), sent.len(), "nothing else is left out: {last}");
    }
}

fn stream() -> Canned {
    let usage = json!({ "choices": [], "usage": { "prompt_tokens": 4, "completion_tokens": 3 } });
    Canned::Events(vec![
        delta(Some("the "), None),
        delta(Some("mill"), None),
        delta(None, Some("stop")),
        usage.to_string(),
        "[DONE]".to_owned(),
    ])
}

#[tokio::test]
async fn a_model_that_answers_streams_only_is_asked_for_one() {
    for (status, body) in cases::<(_, Value)>(include_str!("otherwise/streams_only.jsonl")) {
        let refusal = Canned::json(status, body.clone());
        let trial = twice(question("m"), vec![refusal, stream()]).await;
        assert_eq!(trial.text(), Some("the mill"), "{body}");
        assert_eq!(trial.said().usage.tokens(), 7);
        assert_eq!(trial.departures(), [("stream", Departed::Supplied(1))]);
        let seen = trial.upstream.seen();
        assert_eq!((seen[0].body.get("stream"), &seen[1].body["stream"]), (None, &json!(true)));
        assert_eq!(trial.heard, "");
    }
    let options = refused(400, "Unknown field: stream_options");
    let only = refused(400, "only streams are answered");
    let trial = twice(question("m"), vec![only, options, stream()]).await;
    assert!(trial.upstream.seen()[2].body.get("stream_options").is_none());
    let none = vec![refused(400, "streaming is not supported"), Canned::text("yes")];
    let trial = super::trial("openai", question("m"), none, true, "").await;
    assert_eq!(trial.text(), Some("yes"));
    assert_eq!(trial.requests(), 2);
}

#[tokio::test]
async fn rules_that_are_refused_go_into_the_first_message() {
    for (status, message) in cases::<(_, &str)>(include_str!("otherwise/no_system.jsonl")) {
        let trial = twice(question("m"), vec![refused(status, message), Canned::text("yes")]).await;
        assert_eq!(trial.departures(), [("system", Departed::Moved)], "{message}");
        let messages = &trial.upstream.seen()[1].body["messages"];
        assert_eq!(*messages, json!([{ "role": "user", "content": "rules\n\nwho?" }]));
    }
    let text = "TemplateError: System role not supported";
    let plain = Canned::body(500, "content-type: text/plain\r\n", text.as_bytes());
    let trial = twice(question("m"), vec![plain, Canned::text("yes")]).await;
    assert_eq!(trial.departures(), [("system", Departed::Moved)]);
}

#[tokio::test]
async fn messages_of_one_side_go_as_one_where_their_order_is_refused() {
    let Outgoing::Model(mut call) = question("m") else { panic!("it is one") };
    call.sampling = Sampling::default();
    call.messages.push(Rendered::text(Role::User, "where?"));
    let asked = Outgoing::Model(call);
    for (status, message) in cases::<(_, &str)>(include_str!("otherwise/alternate.jsonl")) {
        let trial = twice(asked.clone(), vec![refused(status, message), Canned::text("yes")]).await;
        assert_eq!(trial.departures(), [("role_order", Departed::Moved)], "{message}");
        let messages: &Value = &trial.upstream.seen()[1].body["messages"];
        assert_eq!(messages[0]["role"], "system");
        assert_eq!(messages[1]["content"], "who?\n\nwhere?");
    }
}

#[tokio::test]
async fn what_geminis_narrow_version_lacks_is_asked_of_the_wider_one() {
    let asked = question_of("m", |sampling| sampling.thinking_tokens = Some(500));
    let error = |code, status, message| Canned::json(code, gemini::error(code, status, message));
    for refusal in [
        error(404, "NOT_FOUND", "this model is not found for API version v1"),
        error(
            404,
            "NOT_FOUND",
            "models/m is not found for API version v1, or is not supported for generateContent.",
        ),
        error(
            400,
            "INVALID_ARGUMENT",
            "Invalid JSON payload received. Unknown name \"thinkingConfig\" at 'generation_config': Cannot find field.",
        ),
    ] {
        let answer = Canned::ok(gemini::response("yes"));
        let trial = trial("gemini", asked.clone(), vec![refusal, answer], false, "").await;
        assert_eq!(trial.departures(), [("version", Departed::Moved)]);
        let seen = trial.upstream.seen();
        assert!(seen[0].head.starts_with("POST /v1/models/m:"), "{}", seen[0].head);
        assert!(seen[1].head.starts_with("POST /v1beta/models/m:"), "{}", seen[1].head);
        let budget = &seen[1].body["generationConfig"]["thinkingConfig"]["thinkingBudget"];
        assert_eq!(*budget, json!(500), "nothing was left out");
    }
}
