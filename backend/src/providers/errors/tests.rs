use reqwest::header::HeaderValue;

use super::*;
use turnwise_shared::testing::cases;

#[test]
fn statuses_fall_into_classes() {
    use FailureClass::*;
    for (status, class) in [
        (400, Rejected),
        (401, Unauthorised),
        (402, Quota),
        (403, Unauthorised),
        (404, Rejected),
        (408, Server),
        (409, Server),
        (413, Context),
        (422, Rejected),
        (425, Server),
        (429, RateLimited),
        (500, Server),
        (503, Server),
        (529, Server),
        (302, Rejected),
    ] {
        let miss = error_of(status, &Value::Null);
        assert_eq!(miss.failure.class, class, "{status}");
        assert_eq!(miss.failure.detail["status"], status);
    }
}

#[test]
fn an_account_without_credit_is_told_from_a_busy_service_and_a_bad_request() {
    let class = |status, error: Value| error_of(status, &error).failure.class;
    let quota = json!({ "code": "insufficient_quota", "type": "insufficient_quota" });
    assert_eq!(class(429, quota), FailureClass::Quota);
    let low = json!({ "type": "invalid_request_error",
        "message": "Your credit balance is too low to access the API. Please go to Plans & Billing." });
    assert_eq!(class(400, low), FailureClass::Quota);
    let ordinary = json!({ "type": "invalid_request_error", "message": "max_tokens: too large" });
    assert_eq!(class(400, ordinary), FailureClass::Rejected);
}

#[test]
fn geminis_refusal_of_a_key_is_one_although_its_status_is_another() {
    let error = json!({
        "code": 400, "status": "INVALID_ARGUMENT", "message": "API key not valid. Please pass a valid API key.",
        "details": [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID",
                      "domain": "googleapis.com", "metadata": { "service": "generativelanguage.googleapis.com" } }],
    });
    let miss = error_of(400, &error);
    assert_eq!(miss.failure.class, FailureClass::Unauthorised);
    assert_eq!(miss.failure.detail["reason"], "API_KEY_INVALID");
    let busy = json!({ "code": 429, "status": "RESOURCE_EXHAUSTED",
        "details": [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s" }] });
    let miss = error_of(429, &busy);
    assert_eq!(miss.failure.class, FailureClass::RateLimited);
    assert_eq!(miss.retry_after, Some(Duration::from_millis(34_500)));
    assert_eq!(
        miss.failure.message,
        "the service asked for fewer calls (status 429, RESOURCE_EXHAUSTED)"
    );
}

#[test]
fn an_errors_sentences_stay_out_of_the_failure() {
    let error = json!({
        "message": "Incorrect API key provided: marked-key. The prompt was: secret",
        "type": "invalid_request_error", "param": "max_tokens", "code": "sk-marked",
    });
    let miss = error_of(400, &error);
    assert_eq!(
        miss.failure.message,
        "the service refused the key (status 400, invalid_request_error, max_tokens)"
    );
    let shown = serde_json::to_string(&miss.failure).expect("JSON");
    assert!(!shown.contains("marked") && !shown.contains("secret"), "{shown}");
}

#[test]
fn an_error_behind_a_good_status_is_what_it_says() {
    let class = |error: Value| error_inside(&error).failure.class;
    for (error, expected) in [
        (json!({ "code": 429, "message": "slow" }), FailureClass::RateLimited),
        (json!({ "code": "502" }), FailureClass::Server),
        (json!({ "code": 401 }), FailureClass::Unauthorised),
        (json!({ "type": "overloaded_error", "message": "Overloaded" }), FailureClass::Server),
        (json!({ "type": "rate_limit_error" }), FailureClass::RateLimited),
        (json!({ "type": "authentication_error" }), FailureClass::Unauthorised),
        (json!({ "type": "something_new" }), FailureClass::Undecodable),
        (json!("out of order"), FailureClass::Undecodable),
    ] {
        assert_eq!(class(error.clone()), expected, "{error}");
    }
}

#[test]
fn a_wait_is_read_in_milliseconds_in_seconds_and_as_a_date() {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    let wait = |value: &str| {
        let value = HeaderValue::from_str(value).expect("a header");
        retry_after(&HeaderMap::from_iter([(RETRY_AFTER, value)]), now)
    };
    assert_eq!(wait("7"), Some(Duration::from_secs(7)));
    assert_eq!(wait("0.25"), Some(Duration::from_millis(250)));
    let date = httpdate::fmt_http_date(now + Duration::from_secs(90));
    assert_eq!(wait(&date), Some(Duration::from_secs(90)));
    let past = httpdate::fmt_http_date(now - Duration::from_secs(90));
    assert_eq!(wait(&past), Some(Duration::ZERO));
    for nonsense in ["soon", "-1", "1e99", "NaN"] {
        assert_eq!(wait(nonsense), None, "{nonsense}");
    }
    let both = [("retry-after-ms", "125"), ("retry-after", "9")];
    let both = both.map(|(name, value)| {
        (reqwest::header::HeaderName::from_static(name), HeaderValue::from_static(value))
    });
    let both = HeaderMap::from_iter(both);
    assert_eq!(retry_after(&both, now), Some(Duration::from_millis(125)));
}

fn named(status: u16, error: Value, sent: &[Parameter]) -> Option<Parameter> {
    let sent = sent.iter().copied().collect();
    refused_parameter(status, &error, &sent, |parameter| match parameter {
        Parameter::Temperature => vec!["temperature"],
        Parameter::TopP => vec!["top_p"],
        Parameter::Seed => vec!["seed"],
        Parameter::MaxTokens => vec!["max_tokens"],
        Parameter::Stop => vec!["stop"],
        Parameter::Form => vec!["response_format", "json mode"],
        _ => vec![],
    })
}

#[test]
fn a_parameter_that_is_not_taken_is_named_in_many_ways() {
    use Parameter::{Form, MaxTokens, Seed, Stop, Temperature, TopP};
    // The status, the only parameter that is sent, if not all are, and the one that is named.
    for (status, only, expected, error) in
        cases::<(_, Option<&str>, Option<&str>, Value)>(include_str!("named.jsonl"))
    {
        let sent: Vec<_> = [MaxTokens, Temperature, Form, Stop, TopP, Seed]
            .into_iter()
            .filter(|parameter| only.is_none_or(|only| parameter.name() == only))
            .collect();
        let found = named(status, error.clone(), &sent).map(Parameter::name);
        assert_eq!(found, expected, "{status} {error}");
    }
}

#[test]
fn a_sentence_that_begins_with_a_number_is_no_json() {
    for (body, words) in [
        ("429 Too many requests", "429 Too many requests"),
        ("\"Rate limit\" reached", "\"Rate limit\" reached"),
        ("\"slow down\"", "slow down"),
        ("{\"message\": \"slow down\"} trailing", "slow down"),
        ("[{\"error\": {\"message\": \"slow down\"}}]", "slow down"),
    ] {
        let miss = error_of_body(429, "text/plain", body.as_bytes());
        assert_eq!(miss.words.as_deref(), Some(words), "{body}");
    }
}
