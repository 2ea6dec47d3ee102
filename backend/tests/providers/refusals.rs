//! Refusals as services spell them: of one prompt, of the key, of a model, of a region, for want of money, while a model is
//! loaded. Each is recognized by what it is about, whatever its status.

mod accounts;
mod lengths;
mod prompts;

use std::time::Instant;

use turnwise_backend::outbound::budget::Account;

use crate::common::*;
use crate::providers::{Trial, departures, question, question_of, trial};

fn json_of(status: u16, body: Value) -> Canned {
    Canned::Json(status, Vec::new(), body)
}

fn html(status: u16, page: &str) -> Canned {
    Canned::Raw(format!(
        "HTTP/1.1 {status} X\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{page}",
        page.len()
    ))
}

fn error(fields: Value) -> Value {
    json!({ "error": fields })
}

async fn asked(format: &str, answer: Canned) -> Trial {
    trial(format, question("m"), vec![answer], false, "").await
}

async fn asked_once(format: &str, answer: Canned) -> Trial {
    trial(format, question("m"), vec![answer], false, "attempts = 1").await
}

#[tokio::test]
async fn a_model_that_is_being_loaded_is_waited_for() {
    for loading in [
        error(
            json!({ "code": 503, "message": "the model is loading", "type": "unavailable_error" }),
        ),
        json!({ "error": "Model org/m is currently loading", "estimated_time": 0.01 }),
        error(json!({ "message": "Loading model" })),
        json!({ "message": "The server is starting up (cold start), try again" }),
    ] {
        let wait = || Canned::Json(503, vec![("retry-after", "0.01".into())], loading.clone());
        let answers = (0..6).map(|_| wait()).chain([Canned::text("yes")]).collect();
        let trial = trial("openai", question("m"), answers, false, "").await;
        assert_eq!(trial.said().text.as_deref(), Some("yes"), "{loading}");
        assert_eq!(trial.requests(), 7, "more than there are attempts");
    }
    let began = Instant::now();
    let wait = Canned::Json(
        503,
        vec![("retry-after", "1".into())],
        error(json!({ "message": "loading" })),
    );
    let trial = trial("openai", question("m"), vec![wait], false, "total_seconds = 2").await;
    assert_eq!(trial.class(), FailureClass::Server);
    assert!(trial.failure().message.contains("still being loaded"));
    assert!(began.elapsed() < Duration::from_secs(30));
}

#[tokio::test]
async fn where_nothing_but_filtered_prompts_come_back_the_service_is_shut_off() {
    let gemini = json!({ "promptFeedback": { "blockReason": "SAFETY" } });
    for (format, answer) in [
        ("openai", html(403, "<html><h1>403 Forbidden</h1></html>")),
        (
            "openai",
            json_of(
                403,
                error(json!({ "message": "flagged", "metadata": { "reasons": ["harm"] } })),
            ),
        ),
        ("openai", json_of(451, json!({}))),
        (
            "anthropic",
            json_of(400, error(json!({ "message": "Output blocked by content filtering policy" }))),
        ),
        ("gemini", json_of(200, gemini)),
    ] {
        let upstream = Upstream::start([answer.clone()]).await;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let config = config_of(format, folder.path(), &upstream.base_url(), "");
        let egress = turnwise_backend::outbound::Egress::open(&config).await.expect("it opens");
        let mut failed = None;
        for asked in 1..=10 {
            let account = Account::open();
            let reply = egress.send(&question("m"), None, &account, 3).await.reply;
            match reply {
                Reply::Said(said) => {
                    assert_eq!(said.stop, Stop::Filtered);
                    assert!(asked < 10);
                }
                Reply::Failed(failure) => failed = Some((asked, failure.class)),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(failed, Some((10, FailureClass::Blocked)), "{answer:?}");
        assert_eq!(upstream.seen().len(), 10);
    }
}

#[tokio::test]
async fn a_service_that_repeats_the_key_gets_it_into_nothing() {
    let mut whole = completion(json!(format!("your key is {MARKED_KEY}.")));
    whole["model"] = json!(format!("m-{MARKED_KEY}"));
    whole["choices"][0]["message"]["reasoning_content"] = json!(MARKED_KEY);
    whole["usage"]["by_key"] = json!({ MARKED_KEY: [MARKED_KEY] });
    let piece = |text: &str| {
        json!({ "choices": [{ "index": 0, "delta": { "content": text }, "finish_reason": null }] })
            .to_string()
    };
    let (front, back) = MARKED_KEY.split_at(MARKED_KEY.len() / 2);
    let end =
        json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] }).to_string();
    let stream = Canned::Events(vec![
        piece("your key is "),
        piece(front),
        piece(back),
        piece("."),
        end,
        "[DONE]".into(),
    ]);
    // `trial` looks for the key in the whole answer, its words and its account.
    let asked = trial("openai", question("m"), vec![json_of(200, whole)], false, "").await;
    assert_eq!(asked.said().text.as_deref(), Some("your key is …."));
    let heard = trial("openai", question("m"), vec![stream], true, "").await;
    assert_eq!(heard.said().text.as_deref(), Some("your key is …."));
    assert_eq!(heard.heard, "your key is ….");
    let filtered =
        error(json!({ "code": "content_filter", "message": format!("{MARKED_KEY} is refused") }));
    let filtered = asked_once("openai", json_of(400, filtered)).await;
    assert!(filtered.said().refusal.as_deref().is_some_and(|why| why.contains("… is refused")));
}
