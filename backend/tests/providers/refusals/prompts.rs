//! Refusals of one prompt, and runs that go on past them.

use super::*;

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
            json_of(500, error(json!({ "message": "prompt blocked by the safety system" }))),
        ),
        (
            "openai",
            json_of(
                200,
                json!({ "choices": null, "base_resp": { "status_code": 1026, "status_msg": "input new_sensitive" } }),
            ),
        ),
        ("openai", json_of(200, json!({ "code": "content_filter", "message": "no" }))),
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
            json_of(200, json!({ "promptFeedback": { "blockReason": "PROHIBITED_CONTENT" } })),
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
        assert_eq!((said.stop, &said.text), (Stop::Filtered, &None), "{answer:?}");
        assert_eq!(trial.requests(), 1, "{answer:?}");
        let why = said.refusal.as_deref().expect("a reason");
        assert!(!why.contains("key"), "{why}");
    }
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
                    (200, "application/json", completion(json!(text.to_string())).to_string())
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
    for refusal in
        [(403, "application/json", flagged.to_string()), (403, "text/html", page.to_owned())]
    {
        let (texts, incomplete, _) = run_over(refusal, "curved wooden sticks").await;
        assert_eq!(incomplete, 0);
        let filtered = texts.iter().filter(|text| text.contains("\"stop\":\"filtered\"")).count();
        assert_eq!(filtered, 1, "{texts:?}");
    }
}
