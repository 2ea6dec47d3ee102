//! Refusals as services spell them: of one prompt, of the key, of a model, of a region, for want of money, while a model is
//! loaded. Each is recognized by what it is about, whatever its status.

mod accounts;
mod lengths;
mod prompts;

use std::time::Instant;

use turnwise_backend::outbound::budget::Account;

use crate::common::upstream::delta;
use crate::common::*;
use crate::providers::{Trial, asked, departures, egress, question, question_of, trial};

fn error(fields: Value) -> Value {
    json!({ "error": fields })
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
        assert_eq!(trial.text(), Some("yes"), "{loading}");
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
    for (format, status, body) in [
        ("openai", 403, json!("<html><h1>403 Forbidden</h1></html>")),
        (
            "openai",
            403,
            error(json!({ "message": "flagged", "metadata": { "reasons": ["harm"] } })),
        ),
        ("openai", 451, json!({})),
        (
            "anthropic",
            400,
            error(json!({ "message": "Output blocked by content filtering policy" })),
        ),
        ("gemini", 200, json!({ "promptFeedback": { "blockReason": "SAFETY" } })),
    ] {
        let upstream = Upstream::start([Canned::of(status, body.clone())]).await;
        let egress = egress(format, &upstream.base_url(), "").await;
        let mut failed = None;
        for asked in 1..=10 {
            match egress.send(&question("m"), None, &Account::open(), 3).await.reply {
                Reply::Said(said) => {
                    assert_eq!(said.stop, Stop::Filtered);
                    assert!(asked < 10);
                }
                Reply::Failed(failure) => failed = Some((asked, failure.class)),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(failed, Some((10, FailureClass::Blocked)), "{body}");
        assert_eq!(upstream.seen().len(), 10);
    }
}

#[tokio::test]
async fn a_service_that_repeats_the_key_gets_it_into_nothing() {
    let mut whole = completion(json!(format!("your key is {MARKED_KEY}.")));
    whole["model"] = json!(format!("m-{MARKED_KEY}"));
    whole["choices"][0]["message"]["reasoning_content"] = json!(MARKED_KEY);
    whole["usage"]["by_key"] = json!({ MARKED_KEY: [MARKED_KEY] });
    let piece = |text: &str| delta(Some(text), None);
    let (front, back) = MARKED_KEY.split_at(MARKED_KEY.len() / 2);
    let stream = Canned::Events(vec![
        piece("your key is "),
        piece(front),
        piece(back),
        piece("."),
        delta(None, Some("stop")),
        "[DONE]".into(),
    ]);
    // `trial` looks for the key in the whole answer, its words and its account.
    let asked = asked("openai", Canned::ok(whole)).await;
    assert_eq!(asked.text(), Some("your key is …."));
    let heard = trial("openai", question("m"), vec![stream], true, "").await;
    assert_eq!(heard.text(), Some("your key is …."));
    assert_eq!(heard.heard, "your key is ….");
    let filtered =
        error(json!({ "code": "content_filter", "message": format!("{MARKED_KEY} is refused") }));
    let filtered = asked_once("openai", Canned::json(400, filtered)).await;
    assert!(filtered.said().refusal.as_deref().is_some_and(|why| why.contains("… is refused")));
}
