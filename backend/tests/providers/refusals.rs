//! Refusals as services spell them: of one prompt, of the key, of a model, of a region, for want of money, while a model is
//! loaded. Each is told by what it is about, whatever its status.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use turnwise_shared::effect::FailureClass;
use turnwise_shared::prompt::Stop;

use crate::common::MARKED_KEY;
use crate::common::upstream::{Canned, Upstream, completion};
use crate::common::{Service, config_of, drive, planned, trial_spec};
use crate::providers::{Trial, question, trial};

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

#[tokio::test]
async fn a_refusal_of_one_prompt_is_an_answer_that_was_filtered() {
    let azure = error(json!({
        "message": "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        "type": null, "param": "prompt", "code": "content_filter", "status": 400,
        "innererror": { "code": "ResponsibleAIPolicyViolation",
            "content_filter_result": { "hate": { "filtered": true, "severity": "high" } } },
    }));
    let behind = error(json!({
        "code": 400, "message": "Provider returned error",
        "metadata": { "provider_name": "p", "raw": "{\"error\":{\"message\":\"no\",\"code\":\"data_inspection_failed\"}}" },
    }));
    let all = [
        (
            "openai",
            json_of(
                403,
                error(
                    json!({ "code": 403, "message": "the input was flagged by the moderation of this model", "metadata": { "reasons": ["harm"] } }),
                ),
            ),
        ),
        (
            "openai",
            json_of(
                403,
                error(
                    json!({ "code": 403, "message": "no", "metadata": { "reasons": ["sexual"], "flagged_input": "x", "model_slug": "m" } }),
                ),
            ),
        ),
        (
            "openai",
            json_of(
                403,
                error(
                    json!({ "message": "this goes against the policy for content", "type": "permission_error", "code": "content_policy_violation" }),
                ),
            ),
        ),
        ("openai", json_of(400, azure.clone())),
        ("openai", json_of(200, azure)),
        (
            "openai",
            json_of(
                400,
                error(
                    json!({ "message": "Invalid prompt: your prompt was flagged as potentially violating our usage policy.", "type": "invalid_request_error", "code": "invalid_prompt" }),
                ),
            ),
        ),
        (
            "openai",
            json_of(
                400,
                json!({ "code": "DataInspectionFailed", "message": "Input data may contain inappropriate content.", "request_id": "r" }),
            ),
        ),
        (
            "openai",
            json_of(
                400,
                error(
                    json!({ "message": "Output data may contain inappropriate content.", "type": "data_inspection_failed", "param": null, "code": "data_inspection_failed" }),
                ),
            ),
        ),
        (
            "openai",
            json_of(
                400,
                error(
                    json!({ "message": "Content Exists Risk", "type": "invalid_request_error", "param": null }),
                ),
            ),
        ),
        (
            "openai",
            json_of(
                400,
                error(
                    json!({ "code": "1301", "message": "系统检测到输入或生成内容可能包含不安全或敏感内容" }),
                ),
            ),
        ),
        (
            "openai",
            json_of(
                400,
                error(
                    json!({ "code": "SensitiveContentDetected", "type": "BadRequest", "message": "The request failed." }),
                ),
            ),
        ),
        (
            "openai",
            json_of(
                422,
                json!({ "detail": [{ "type": "moderation", "msg": "blocked by guardrail" }] }),
            ),
        ),
        (
            "openai",
            json_of(
                500,
                error(json!({ "message": "prompt blocked by the safety system" })),
            ),
        ),
        (
            "openai",
            json_of(
                200,
                json!({ "choices": null, "base_resp": { "status_code": 1026, "status_msg": "input new_sensitive" } }),
            ),
        ),
        (
            "openai",
            json_of(200, json!({ "code": "content_filter", "message": "no" })),
        ),
        ("openai", json_of(400, behind)),
        (
            "anthropic",
            json_of(
                400,
                json!({ "type": "error", "error": { "type": "invalid_request_error", "message": "Output blocked by content filtering policy" } }),
            ),
        ),
        (
            "anthropic",
            json_of(
                403,
                json!({ "type": "error", "error": { "type": "permission_error", "message": "This request was blocked under our Acceptable Use Policy." } }),
            ),
        ),
        (
            "gemini",
            json_of(
                200,
                json!({ "promptFeedback": { "blockReason": "PROHIBITED_CONTENT" } }),
            ),
        ),
        (
            "gemini",
            json_of(
                400,
                json!({ "error": { "code": 400, "status": "INVALID_ARGUMENT", "message": "The prompt violates the policies of the service." } }),
            ),
        ),
        (
            "gemini",
            json_of(
                400,
                json!([{ "error": { "code": 400, "status": "FAILED_PRECONDITION", "message": "no", "promptFeedback": { "blockReason": "SAFETY" } } }]),
            ),
        ),
        (
            "openai",
            html(
                403,
                "<html><body><h1>Request blocked</h1>A rule of the firewall was met.</body></html>",
            ),
        ),
        (
            "openai",
            html(
                403,
                "<html><head><title>403 Forbidden</title></head><body><center><h1>403 Forbidden</h1></center><hr>nginx</body></html>",
            ),
        ),
        (
            "anthropic",
            html(
                406,
                "<!DOCTYPE html><title>Not Acceptable!</title><h1>Not Acceptable!</h1><p>An appropriate representation could not be found. This error was generated by Mod_Security.",
            ),
        ),
        (
            "gemini",
            html(
                200,
                "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Your support ID is: 1</body></html>",
            ),
        ),
        (
            "openai",
            html(
                405,
                "<!doctype html><title>405</title>Sorry, your request has been blocked as it may cause potential threats to the server's security.",
            ),
        ),
        (
            "openai",
            html(
                403,
                "<!DOCTYPE html><title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1>There are several actions that could trigger this block including submitting a certain word or phrase, a SQL command or malformed data. Cloudflare Ray ID: x",
            ),
        ),
    ];
    for (format, answer) in all {
        let trial = asked(format, answer.clone()).await;
        let said = trial.said();
        assert_eq!(
            (said.stop, &said.text),
            (Stop::Filtered, &None),
            "{answer:?}"
        );
        assert_eq!(trial.requests(), 1, "{answer:?}");
        let why = said.refusal.as_deref().expect("a reason");
        assert!(!why.contains("key"), "{why}");
    }
}

#[tokio::test]
async fn refusals_of_the_key_of_a_model_and_of_a_region_are_told_apart() {
    use FailureClass::{Blocked, Forbidden, Rejected, Unauthorised};
    let (model, region, key) = ("use the model", "region", "key");
    let all = [
        (
            403,
            error(
                json!({ "message": "this project may not use that model", "type": "invalid_request_error", "code": "model_not_found" }),
            ),
            Forbidden,
            model,
        ),
        (
            403,
            error(json!({ "message": "Your account is not allowed to sample from this model" })),
            Forbidden,
            model,
        ),
        (
            403,
            json!({ "code": "Model.AccessDenied", "message": "Model access denied." }),
            Forbidden,
            model,
        ),
        (
            403,
            error(
                json!({ "message": "Project `p` does not have access to model `m`", "code": "model_not_found" }),
            ),
            Forbidden,
            model,
        ),
        (
            403,
            error(json!({ "message": "This API key does not have access to the model m" })),
            Forbidden,
            model,
        ),
        (
            400,
            error(
                json!({ "message": "Your organization must be verified to use the model `m`.", "type": "invalid_request_error" }),
            ),
            Forbidden,
            model,
        ),
        (
            403,
            error(
                json!({ "message": "this country or region is not served", "type": "request_forbidden", "code": "unsupported_country_region_territory" }),
            ),
            Forbidden,
            region,
        ),
        (
            400,
            error(
                json!({ "code": 400, "message": "User location is not supported for the API use.", "status": "FAILED_PRECONDITION" }),
            ),
            Forbidden,
            region,
        ),
        (
            403,
            json!({ "message": "This service is not available in your country." }),
            Forbidden,
            region,
        ),
        (451, json!({}), Forbidden, region),
        (
            401,
            error(
                json!({ "message": "Incorrect API key provided: sk-abc***xyz", "code": "invalid_api_key" }),
            ),
            Unauthorised,
            key,
        ),
        (
            401,
            error(json!({ "message": "flagged" })),
            Unauthorised,
            key,
        ),
        (403, json!({}), Unauthorised, key),
        (
            403,
            error(
                json!({ "message": "Your API key does not have permission to use the specified resource.", "type": "permission_error" }),
            ),
            Unauthorised,
            key,
        ),
        (
            400,
            error(json!({ "message": "bad", "code": "invalid_api_key" })),
            Unauthorised,
            key,
        ),
        (
            403,
            error(
                json!({ "message": "your account has been suspended for violating our usage policies" }),
            ),
            Unauthorised,
            key,
        ),
        (
            404,
            error(
                json!({ "message": "The model `m` does not exist or you do not have access to it.", "code": "model_not_found" }),
            ),
            Rejected,
            "request",
        ),
    ];
    for (status, body, class, word) in all {
        let trial = asked("openai", json_of(status, body.clone())).await;
        assert_eq!((trial.class(), trial.requests()), (class, 1), "{body}");
        let message = trial.failure().message.as_str();
        assert!(message.contains(word), "{body}: {message}");
        assert_eq!(
            message.contains("key"),
            word == key && class == Unauthorised,
            "{message}"
        );
    }
    let person = html(
        403,
        "<html><title>Just a moment...</title>Enable JavaScript and cookies to continue</html>",
    );
    let trial = asked("openai", person).await;
    assert_eq!((trial.class(), trial.requests()), (Blocked, 1));
}

#[tokio::test]
async fn an_account_without_money_is_one_class_in_every_spelling() {
    let all = [
        (
            "anthropic",
            500,
            json!({ "type": "error", "error": { "type": "api_error", "message": "the balance is insufficient (1008)" } }),
        ),
        (
            "openai",
            200,
            json!({ "id": "r", "choices": null, "usage": { "total_tokens": 0 }, "base_resp": { "status_code": 1008, "status_msg": "insufficient balance" } }),
        ),
        (
            "openai",
            429,
            error(
                json!({ "message": "insufficient balance", "type": "insufficient_balance_error" }),
            ),
        ),
        (
            "openai",
            429,
            error(
                json!({ "message": "the account is suspended, see plan and billing", "type": "exceeded_current_quota_error" }),
            ),
        ),
        (
            "openai",
            429,
            error(
                json!({ "code": "1113", "message": "the account has run out of money, please recharge" }),
            ),
        ),
        (
            "openai",
            429,
            error(json!({ "code": 1113, "message": "?" })),
        ),
        (
            "openai",
            403,
            json!({ "code": "INSUFFICIENT_BALANCE", "message": "the balance of the account is insufficient" }),
        ),
        (
            "openai",
            403,
            error(
                json!({ "message": "the quota of this user is not enough", "type": "api_error", "code": "insufficient_user_quota" }),
            ),
        ),
        (
            "openai",
            400,
            error(
                json!({ "message": "access denied: is the account in good standing?", "type": "Arrearage", "code": "Arrearage" }),
            ),
        ),
        (
            "openai",
            402,
            error(json!({ "message": "insufficient balance", "type": "unknown_error" })),
        ),
        (
            "openai",
            429,
            error(
                json!({ "message": "You exceeded your current quota, please check your plan and billing details.", "type": "insufficient_quota", "code": "insufficient_quota" }),
            ),
        ),
        (
            "openai",
            403,
            error(json!({ "message": "not enough credits left", "code": 403 })),
        ),
        ("openai", 400, json!({ "message": "余额不足，请充值" })),
        (
            "openai",
            503,
            error(json!({ "message": "You have run out of credits." })),
        ),
        (
            "openai",
            429,
            error(json!({ "code": 429, "message": "Rate limit exceeded: free-models-per-day" })),
        ),
        (
            "openai",
            429,
            error(
                json!({ "message": "Rate limit reached for m on requests per day (RPD): Limit 200, Used 200", "code": "rate_limit_exceeded" }),
            ),
        ),
        (
            "openai",
            403,
            json!({ "code": "AllocationQuota.FreeTierOnly", "message": "The free tier of the model has been exhausted." }),
        ),
        (
            "openai",
            200,
            error(json!({ "message": "Your credit balance is too low", "type": "x" })),
        ),
        (
            "gemini",
            429,
            json!({ "error": { "code": 429, "status": "RESOURCE_EXHAUSTED", "message": "You exceeded your current quota",
            "details": [{ "violations": [{ "quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier" }] }, { "retryDelay": "34s" }] } }),
        ),
    ];
    for (format, status, body) in all {
        let trial = asked(format, json_of(status, body.clone())).await;
        assert_eq!(
            (trial.class(), trial.requests()),
            (FailureClass::Quota, 1),
            "{body}"
        );
    }
}

#[tokio::test]
async fn a_quota_of_a_moment_and_an_ordinary_word_are_no_want_of_money() {
    let moment = json!({ "error": { "code": 429, "status": "RESOURCE_EXHAUSTED", "message": "You exceeded your current quota, please check your plan and billing details.",
        "details": [{ "violations": [{ "quotaId": "GenerateRequestsPerMinutePerProjectPerModel" }] }] } });
    for body in [
        moment,
        json!({ "error": { "code": 429, "status": "RESOURCE_EXHAUSTED", "message": "Resource has been exhausted (e.g. check quota)." } }),
        error(
            json!({ "message": "Rate limit reached for m on tokens per min (TPM): Limit 9", "code": "rate_limit_exceeded" }),
        ),
        error(json!({ "message": "Quota exceeded for requests per minute" })),
        error(json!({ "message": "the load balancer asks for fewer calls" })),
        json!({}),
    ] {
        let trial = trial(
            "openai",
            question("m"),
            vec![json_of(429, body.clone())],
            false,
            "attempts = 1",
        )
        .await;
        assert_eq!(trial.class(), FailureClass::RateLimited, "{body}");
    }
    let answer = completion(json!(
        "the balance is insufficient, and the prompt was flagged"
    ));
    let trial = asked("openai", json_of(200, answer)).await;
    assert_eq!((trial.said().stop, trial.requests()), (Stop::End, 1));
}

#[tokio::test]
async fn when_a_quota_is_fresh_again_is_told() {
    let no_money = || error(json!({ "code": "insufficient_quota", "message": "no" }));
    let reset = error(json!({ "code": 429, "message": "free-models-per-day limit",
        "metadata": { "headers": { "X-RateLimit-Reset": "4102444800000" } } }));
    let in_an_hour = 3_600_000..3_660_000_u64;
    for (headers, body, span) in [
        (
            vec![("retry-after", "3600".to_owned())],
            no_money(),
            Some(in_an_hour.clone()),
        ),
        (
            vec![("x-ratelimit-reset-requests", "1h0m1s".to_owned())],
            no_money(),
            Some(in_an_hour),
        ),
        (Vec::new(), reset, Some(1_000_000_000..u64::MAX)),
        (Vec::new(), no_money(), None),
    ] {
        let answer = Canned::Json(429, headers, body);
        let trial = asked("openai", answer).await;
        assert_eq!((trial.class(), trial.requests()), (FailureClass::Quota, 1));
        let timing = &trial.answer.timing;
        let until = timing.until.map(|until| until - timing.started);
        assert_eq!(until.is_some(), span.is_some());
        assert!(
            until
                .zip(span)
                .is_none_or(|(until, span)| span.contains(&until)),
            "{until:?}"
        );
    }
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
        let answers = (0..6)
            .map(|_| wait())
            .chain([Canned::text("yes")])
            .collect();
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
    let trial = trial(
        "openai",
        question("m"),
        vec![wait],
        false,
        "total_seconds = 2",
    )
    .await;
    assert_eq!(trial.class(), FailureClass::Server);
    assert!(trial.failure().message.contains("still being loaded"));
    assert!(began.elapsed() < Duration::from_secs(30));
}

/// A run whose service refuses whatever has these words in it, and answers everything else.
async fn run_over(
    refusal: (u16, &'static str, String),
    words: &'static str,
) -> (Vec<String>, u32, usize) {
    let seen = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counted = std::sync::Arc::clone(&seen);
    let answers = axum::routing::post(move |body: String| {
        let refusal = refusal.clone();
        let counted = std::sync::Arc::clone(&counted);
        async move {
            counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let (status, kind, text) = match body.contains(words) {
                true => refusal,
                false => {
                    let text = json!({ "action": "answer", "params": { "answer": "a", "confidence": "40" } });
                    (
                        200,
                        "application/json",
                        completion(json!(text.to_string())).to_string(),
                    )
                }
            };
            let status = axum::http::StatusCode::from_u16(status).expect("a status");
            (status, [("content-type", kind)], text)
        }
    });
    let base_url = crate::common::upstream::serve(answers).await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = config_of("openai", folder.path(), &base_url, "");
    let service = Service::open(config).await;
    let spec = trial_spec(3);
    let opened = service.open_run(&spec, 1).await;
    let mut run = planned(&spec);
    run.pause_on_failures(10);
    drive(&service, &opened, &mut run).await;
    assert_eq!(run.halt(), None);
    let progress = run.progress();
    let mut texts = Vec::new();
    for task in 1..=3 {
        let path = format!("/api/runs/{}/episodes/{task}.r1.play", opened.run);
        texts.push(service.get(&path).await.text);
    }
    let seen = seen.load(std::sync::atomic::Ordering::Relaxed);
    (texts, progress.incomplete, seen)
}

#[tokio::test]
async fn a_run_goes_on_past_a_prompt_that_is_refused() {
    let flagged = error(
        json!({ "code": 403, "message": "flagged by moderation", "metadata": { "reasons": ["harm"] } }),
    );
    let page = "<html><body><h1>Request blocked</h1>A rule of the firewall was met.</body></html>";
    for refusal in [
        (403, "application/json", flagged.to_string()),
        (403, "text/html", page.to_owned()),
    ] {
        let (texts, incomplete, _) = run_over(refusal, "curved wooden sticks").await;
        assert_eq!(incomplete, 0);
        let filtered = texts
            .iter()
            .filter(|text| text.contains("\"stop\":\"filtered\""))
            .count();
        assert_eq!(filtered, 1, "{texts:?}");
    }
}

#[tokio::test]
async fn where_nothing_but_pages_comes_the_service_is_shut_off() {
    let page = html(403, "<html><h1>403 Forbidden</h1></html>");
    let upstream = Upstream::start([page]).await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = config_of("openai", folder.path(), &upstream.base_url(), "");
    let egress = turnwise_backend::outbound::Egress::open(&config)
        .await
        .expect("it opens");
    let mut failed = None;
    for asked in 1..=10 {
        let account = turnwise_backend::outbound::budget::Account::open();
        let answer = egress.send(&question("m"), None, &account, 3).await;
        match answer.reply {
            turnwise_shared::effect::Reply::Said(said) => {
                assert_eq!(said.stop, Stop::Filtered);
                assert!(asked < 10);
            }
            turnwise_shared::effect::Reply::Failed(failure) => {
                failed = Some((asked, failure.class))
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(failed, Some((10, FailureClass::Blocked)));
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
    let asked = trial(
        "openai",
        question("m"),
        vec![json_of(200, whole)],
        false,
        "",
    )
    .await;
    assert_eq!(asked.said().text.as_deref(), Some("your key is …."));
    let heard = trial("openai", question("m"), vec![stream], true, "").await;
    assert_eq!(heard.said().text.as_deref(), Some("your key is …."));
    assert_eq!(heard.heard, "your key is ….");
    let filtered =
        error(json!({ "code": "content_filter", "message": format!("{MARKED_KEY} is refused") }));
    let filtered = asked_once("openai", json_of(400, filtered)).await;
    assert!(
        filtered
            .said()
            .refusal
            .as_deref()
            .is_some_and(|why| why.contains("… is refused"))
    );
}

async fn asked_once(format: &str, answer: Canned) -> Trial {
    trial(format, question("m"), vec![answer], false, "attempts = 1").await
}
