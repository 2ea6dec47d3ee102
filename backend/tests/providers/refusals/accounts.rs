//! Refusals of the key, of a model, of a region, and for want of money.

use super::*;

#[tokio::test]
async fn refusals_of_the_key_of_a_model_and_of_a_region_are_told_apart() {
    use FailureClass::{Blocked, Forbidden, Rejected, Unauthorised};
    let (model, region, key, account) = ("use the model", "region", "key", "account or its access");
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
        (
            401,
            error(
                json!({ "message": "Incorrect API key provided: sk-abc***xyz", "code": "invalid_api_key" }),
            ),
            Unauthorised,
            key,
        ),
        (401, error(json!({ "message": "flagged" })), Unauthorised, key),
        (403, json!({}), Unauthorised, key),
        (
            403,
            error(
                json!({ "message": "Your API key does not have permission to use the specified resource.", "type": "permission_error" }),
            ),
            Unauthorised,
            key,
        ),
        (400, error(json!({ "message": "bad", "code": "invalid_api_key" })), Unauthorised, key),
        (
            403,
            error(
                json!({ "message": "your account has been suspended for violating our usage policies" }),
            ),
            Forbidden,
            account,
        ),
        (
            403,
            error(
                json!({ "message": "Your access was terminated due to violation of our policies", "code": "access_terminated" }),
            ),
            Forbidden,
            account,
        ),
        (
            403,
            error(
                json!({ "message": "Your account has been blocked.", "code": "content_policy_violation" }),
            ),
            Forbidden,
            account,
        ),
        (
            400,
            error(
                json!({ "message": "This organization has been disabled.", "type": "invalid_request_error" }),
            ),
            Forbidden,
            account,
        ),
        (
            429,
            json!({ "errors": [{ "message": "We have banned your organisation: harmful prompts." }] }),
            Forbidden,
            account,
        ),
        (
            200,
            json!({ "code": "account_suspended", "reason": "the account was closed" }),
            Forbidden,
            account,
        ),
        (
            403,
            error(
                json!({ "message": "This API key has been revoked: it violated the usage policy." }),
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
        assert_eq!(message.contains("key"), word == key && class == Unauthorised, "{message}");
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
        ("openai", 429, error(json!({ "code": 1113, "message": "?" }))),
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
        ("openai", 403, error(json!({ "message": "not enough credits left", "code": 403 }))),
        ("openai", 400, json!({ "message": "余额不足，请充值" })),
        ("openai", 503, error(json!({ "message": "You have run out of credits." }))),
        (
            "openai",
            429,
            error(json!({ "message": "This request requires more credits than you have left" })),
        ),
        ("openai", 429, json!({ "detail": "Your team used all available credits" })),
        ("openai", 200, json!({ "code": "INSUFFICIENT_BALANCE", "data": null })),
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
        ("openai", 200, error(json!({ "message": "Your credit balance is too low", "type": "x" }))),
        (
            "gemini",
            429,
            json!({ "error": { "code": 429, "status": "RESOURCE_EXHAUSTED", "message": "You exceeded your current quota",
            "details": [{ "violations": [{ "quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier" }] }, { "retryDelay": "34s" }] } }),
        ),
    ];
    for (format, status, body) in all {
        let trial = asked(format, json_of(status, body.clone())).await;
        assert_eq!((trial.class(), trial.requests()), (FailureClass::Quota, 1), "{body}");
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
        error(
            json!({ "message": "20 requests per minute, with credits more (1000 per day). Retry in 3 seconds" }),
        ),
        error(json!({ "message": "Daily peaks are over soon: try again in 8.6s" })),
        error(json!({ "message": "roles are out of balance" })),
        json!({}),
    ] {
        let trial =
            trial("openai", question("m"), vec![json_of(429, body.clone())], false, "attempts = 1")
                .await;
        assert_eq!(trial.class(), FailureClass::RateLimited, "{body}");
    }
    let answer = completion(json!("the balance is insufficient, and the prompt was flagged"));
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
        (vec![("retry-after", "3600".to_owned())], no_money(), Some(in_an_hour.clone())),
        (vec![("x-ratelimit-reset-requests", "1h0m1s".to_owned())], no_money(), Some(in_an_hour)),
        (Vec::new(), reset, Some(1_000_000_000..u64::MAX)),
        (Vec::new(), no_money(), None),
    ] {
        let answer = Canned::Json(429, headers, body);
        let trial = asked("openai", answer).await;
        assert_eq!((trial.class(), trial.requests()), (FailureClass::Quota, 1));
        let timing = &trial.answer.timing;
        let until = timing.until.map(|until| until - timing.started);
        assert_eq!(until.is_some(), span.is_some());
        assert!(until.zip(span).is_none_or(|(until, span)| span.contains(&until)), "{until:?}");
    }
}
