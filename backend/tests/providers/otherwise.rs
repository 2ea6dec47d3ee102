//! What is refused in one way and answered in another is asked otherwise: once for a model, and reported as a departure.

use std::sync::{Arc, Mutex};

use turnwise_backend::outbound::Egress;
use turnwise_backend::outbound::budget::Account;
use turnwise_shared::prompt::Rendered;

use crate::common::upstream::delta;
use crate::common::*;
use crate::providers::{Trial, departures, question, question_of, trial};

fn refused(status: u16, message: &str) -> Canned {
    let error = json!({ "error": { "message": message, "type": "invalid_request_error" } });
    Canned::Json(status, Vec::new(), error)
}

/// Asks twice: what is learnt at the first call holds for the second.
async fn twice(asked: Outgoing, answers: Vec<Canned>) -> Trial {
    let refusals = answers.len() - 1;
    let trial = trial("openai", asked.clone(), answers, false, "").await;
    assert_eq!(trial.answer.timing.attempts, 1, "no attempt is used up");
    assert_eq!(trial.requests(), refusals + 1);
    let again = trial.egress.send(&asked, None, &Account::open(), 3).await;
    let Reply::Said(said) = again.reply else { panic!("{:?}", again.reply) };
    assert_eq!(said.departures, trial.said().departures);
    assert_eq!(trial.requests(), refusals + 2, "it was learnt");
    trial
}

fn with_top_p() -> Outgoing {
    question_of("m", |sampling| sampling.top_p = Some(0.9))
}

#[tokio::test]
async fn a_parameter_that_may_have_one_value_only_is_left_out() {
    for (status, message, parameter) in [
        (400, "invalid temperature: only 1 is allowed for this model", "temperature"),
        (400, "temperature must be 1 while the model thinks", "temperature"),
        (422, "value error, temperature should be 1.0", "temperature"),
        (
            400,
            "'temperature' does not support 0.6 with this model, only the default (1)",
            "temperature",
        ),
        (400, "temperature: Input should be less than or equal to 0.5", "temperature"),
        (400, "`temperature` may only be set to 1", "temperature"),
        (400, "the value of temperature has to be 1", "temperature"),
        (400, "invalid top_p: only 0.97 is allowed for this model", "top_p"),
        (422, "top_p is fixed at 0.95", "top_p"),
        (400, "the parameter top_p and this model do not go together before noon", "top_p"),
    ] {
        let trial = twice(with_top_p(), vec![refused(status, message), Canned::text("yes")]).await;
        assert_eq!(departures(trial.said()), [(parameter, Departed::Refused)], "{message}");
        let words = trial.answer.timing.words.as_deref();
        assert_eq!(words, Some(message), "the service's sentence is kept");
    }
}

#[tokio::test]
async fn what_does_not_help_is_forgotten_and_the_services_own_sentence_kept() {
    let message = "the temperature of this place is too high today";
    let asked = question("m");
    let trial = trial("openai", asked, vec![refused(400, message)], false, "").await;
    assert_eq!((trial.class(), trial.requests()), (FailureClass::Rejected, 2));
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
        assert_eq!((trial.class(), trial.requests()), (class, most), "{unclear}");
        assert_eq!(trial.answer.timing.words.as_deref(), Some(unclear));
        let left_out = trial.egress.left_out("up", "m");
        assert_eq!(left_out, Some(vec!["thinking_tokens"]), "{unclear}");
    }
    // What names a part that has to be sent is believed at once.
    let named = json!({ "error": { "message": "bad", "type": "invalid_request_error", "param": "messages[1].content" } });
    let answers = vec![Canned::Json(400, Vec::new(), named)];
    let trial = super::trial("openai", question("m"), answers, false, "").await;
    assert_eq!((trial.class(), trial.requests()), (FailureClass::Rejected, 1));
}

/// A service that refuses requests which have one of these fields, in these words.
async fn refusing(
    fields: &'static [(&'static str, &'static str)],
) -> (String, Arc<Mutex<Vec<Value>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&seen);
    let answer = move |axum::Json(body): axum::Json<Value>| {
        let refusal = fields.iter().find(|(field, _)| body.get(*field).is_some());
        kept.lock().expect("no panic").push(body);
        let answer = match refusal {
            Some((_, words)) => (
                axum::http::StatusCode::BAD_REQUEST,
                json!({ "error": { "message": words, "param": null, "code": null } }),
            ),
            None => (axum::http::StatusCode::OK, completion(json!("yes"))),
        };
        async move { (answer.0, axum::Json(answer.1)) }
    };
    let base_url = serve(axum::routing::post(answer)).await;
    (base_url, seen)
}

#[tokio::test]
async fn what_is_refused_in_other_words_is_left_out_by_guess_and_learnt() {
    type Fields = &'static [(&'static str, &'static str)];
    let all: [(Fields, &[&str], usize); 8] = [
        (
            &[("reasoning_effort", "Model m does not support parameter reasoningEffort.")],
            &["effort"],
            2,
        ),
        (
            &[("reasoning_effort", "Reasoning effort is not supported for this model")],
            &["effort"],
            2,
        ),
        (&[("reasoning_effort", "Thinking harder is for larger models")], &["effort"], 2),
        (&[("top_p", "Nucleus sampling cannot be set for reasoning models")], &["top_p"], 2),
        (&[("seed", "Results of this model are never reproducible")], &["seed"], 2),
        (&[("stop", "Custom terminators are not for you")], &["stop"], 2),
        (&[("temperature", "Bad Request")], &["temperature"], 3),
        (
            &[
                ("temperature", "Randomness cannot be chosen"),
                ("top_p", "The probability mass is fixed"),
            ],
            &["temperature", "top_p"],
            3,
        ),
    ];
    for (fields, left_out, requests) in all {
        let asked = question_of("m", |sampling| {
            sampling.top_p = Some(0.9);
            sampling.seed = Some(5);
            sampling.stop = vec!["x".to_owned()];
            sampling.effort = Some(Effort::High);
        });
        let (base_url, seen) = refusing(fields).await;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let config = config_of("openai", folder.path(), &base_url, "");
        let egress = Egress::open(&config).await.expect("it opens");
        for more in [requests, 1] {
            let before = seen.lock().expect("no panic").len();
            let answer = egress.send(&asked, None, &Account::open(), 3).await;
            let Reply::Said(said) = answer.reply else { panic!("{fields:?}: {:?}", answer.reply) };
            let told: Vec<_> = departures(&said);
            let wanted: Vec<_> = left_out.iter().map(|name| (*name, Departed::Refused)).collect();
            assert_eq!(told, wanted, "{fields:?}");
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
    let by_param = json!({ "error": { "message": "stream must be true for this model", "type": "invalid_request_error", "param": "stream" } });
    for refusal in [
        refused(400, "this model answers in streaming mode only, please set the stream parameter"),
        refused(400, "parameter.enable_thinking has to be false for calls that do not stream"),
        refused(400, "parameter.enable_thinking must be set to false for non-streaming calls"),
        refused(
            400,
            "This model only support stream mode, please enable the stream parameter to access the model.",
        ),
        refused(422, "Streaming is required for this model"),
        refused(500, "non-stream requests are not supported"),
        Canned::Json(422, Vec::new(), by_param),
        Canned::Json(400, Vec::new(), json!({ "detail": "only stream=true is accepted" })),
    ] {
        let trial = twice(question("m"), vec![refusal.clone(), stream()]).await;
        assert_eq!(trial.said().text.as_deref(), Some("the mill"), "{refusal:?}");
        assert_eq!(trial.said().usage.tokens(), 7);
        assert_eq!(departures(trial.said()), [("stream", Departed::Supplied(1))]);
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
    assert_eq!(trial.said().text.as_deref(), Some("yes"));
    assert_eq!(trial.requests(), 2);
}

#[tokio::test]
async fn rules_that_are_refused_go_into_the_first_message() {
    for (status, message) in [
        (400, "System role not supported"),
        (500, "jinja2.exceptions.TemplateError: System role not supported"),
        (500, "Conversation roles must alternate user/assistant/user/assistant/..."),
        (400, "'messages[0].role' does not support 'system' with this model."),
        (422, "Only user and assistant roles are supported!"),
        (400, "the system message is not accepted by this model"),
        (400, "Developer instruction is not enabled for models/m"),
    ] {
        let trial = twice(question("m"), vec![refused(status, message), Canned::text("yes")]).await;
        assert_eq!(departures(trial.said()), [("system", Departed::Moved)], "{message}");
        let messages = &trial.upstream.seen()[1].body["messages"];
        assert_eq!(*messages, json!([{ "role": "user", "content": "rules\n\nwho?" }]));
    }
    let text = "TemplateError: System role not supported";
    let plain = Canned::Raw(format!(
        "HTTP/1.1 500 X\r\ncontent-type: text/plain\r\ncontent-length: {}\r\n\r\n{text}",
        text.len()
    ));
    let trial = twice(question("m"), vec![plain, Canned::text("yes")]).await;
    assert_eq!(departures(trial.said()), [("system", Departed::Moved)]);
}

#[tokio::test]
async fn messages_of_one_side_go_as_one_where_their_order_is_refused() {
    let Outgoing::Model(mut call) = question("m") else { panic!("it is one") };
    call.sampling = Sampling::default();
    call.messages.push(Rendered::text(Role::User, "where?"));
    let asked = Outgoing::Model(call);
    for (status, message) in [
        (
            400,
            "After the optional system message, conversation roles must alternate user/assistant",
        ),
        (500, "roles must alternate between user and assistant"),
        (400, "consecutive messages of the same role are not allowed"),
    ] {
        let trial = twice(asked.clone(), vec![refused(status, message), Canned::text("yes")]).await;
        assert_eq!(departures(trial.said()), [("role_order", Departed::Moved)], "{message}");
        let messages: &Value = &trial.upstream.seen()[1].body["messages"];
        assert_eq!(messages[0]["role"], "system");
        assert_eq!(messages[1]["content"], "who?\n\nwhere?");
    }
}

#[tokio::test]
async fn what_geminis_narrow_version_lacks_is_asked_of_the_wider_one() {
    let asked = question_of("m", |sampling| sampling.thinking_tokens = Some(500));
    let error = |code: u16, status: &str, message: &str| {
        let error = json!({ "error": { "code": code, "status": status, "message": message } });
        Canned::Json(code, Vec::new(), error)
    };
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
        let answer = Canned::Json(200, Vec::new(), super::gemini::response("yes"));
        let trial = trial("gemini", asked.clone(), vec![refusal, answer], false, "").await;
        assert_eq!(departures(trial.said()), [("version", Departed::Moved)]);
        let seen = trial.upstream.seen();
        assert!(seen[0].head.starts_with("POST /v1/models/m:"), "{}", seen[0].head);
        assert!(seen[1].head.starts_with("POST /v1beta/models/m:"), "{}", seen[1].head);
        let budget = &seen[1].body["generationConfig"]["thinkingConfig"]["thinkingBudget"];
        assert_eq!(*budget, json!(500), "nothing was left out");
    }
}
