//! Refusals of the key, of a model, of a region, and for want of money.

use super::*;

#[tokio::test]
async fn refusals_of_the_key_of_a_model_and_of_a_region_are_told_apart() {
    for (status, class, word, body) in
        cases::<(_, FailureClass, &str, Value)>(include_str!("access.jsonl"))
    {
        let trial = asked("openai", Canned::json(status, body.clone())).await;
        assert_eq!(trial.failed(), (class, 1), "{body}");
        let message = trial.failure().message.as_str();
        assert!(message.contains(word), "{body}: {message}");
        assert_eq!(
            message.contains("key"),
            word == "key" && class == FailureClass::Unauthorised,
            "{message}"
        );
    }
    let page =
        "<html><title>Just a moment...</title>Enable JavaScript and cookies to continue</html>";
    let trial = asked("openai", Canned::page(403, page)).await;
    assert_eq!(trial.failed(), (FailureClass::Blocked, 1));
}

#[tokio::test]
async fn an_account_without_money_is_one_class_in_every_spelling() {
    for (format, status, body) in cases::<(_, _, Value)>(include_str!("money.jsonl")) {
        let trial = asked(format, Canned::json(status, body.clone())).await;
        assert_eq!(trial.failed(), (FailureClass::Quota, 1), "{body}");
    }
}

#[tokio::test]
async fn a_quota_of_a_moment_and_an_ordinary_word_are_no_want_of_money() {
    for body in cases::<Value>(include_str!("moments.jsonl")) {
        let trial = asked_once("openai", Canned::json(429, body.clone())).await;
        assert_eq!(trial.class(), FailureClass::RateLimited, "{body}");
    }
    let answer = completion(json!("the balance is insufficient, and the prompt was flagged"));
    let trial = asked("openai", Canned::ok(answer)).await;
    assert_eq!((trial.said().stop, trial.requests()), (Stop::End, 1));
}

#[tokio::test]
async fn when_a_quota_is_fresh_again_is_told() {
    let no_money = || error(json!({ "code": "insufficient_quota", "message": "no" }));
    let reset = error(json!({ "code": 429, "message": "free-models-per-day limit",
        "metadata": { "headers": { "X-RateLimit-Reset": "4102444800000" } } }));
    let in_an_hour = 3_600_000..3_660_000_u64;
    for (headers, body, span) in [
        (vec![("retry-after", "3600".to_owned())], no_money(), Some(in_an_hour.clone())),
        (vec![("x-ratelimit-reset-requests", "1h0m1s".to_owned())], no_money(), Some(in_an_hour)),
        (Vec::new(), reset, Some(1_000_000_000..u64::MAX)),
        (Vec::new(), no_money(), None),
    ] {
        let answer = Canned::Json(429, headers, body);
        let trial = asked("openai", answer).await;
        assert_eq!(trial.failed(), (FailureClass::Quota, 1));
        let timing = &trial.answer.timing;
        let until = timing.until.map(|until| until - timing.started);
        assert_eq!(until.is_some(), span.is_some());
        assert!(until.zip(span).is_none_or(|(until, span)| span.contains(&until)), "{until:?}");
    }
}
