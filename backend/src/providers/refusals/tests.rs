use serde_json::json;

use super::*;

#[test]
fn what_repeats_the_prompt_tells_nothing_about_the_refusal() {
    let echo = json!({ "detail": [{ "loc": ["body"], "msg": "too short", "input": "this was flagged as harmful" }] });
    assert_eq!(about(422, &echo), None);
    let echo = json!({ "error": { "message": "bad", "failed_generation": "the content filter" } });
    assert_eq!(about(400, &echo), None);
}

#[test]
fn the_same_words_are_something_else_under_another_status() {
    let body = json!({ "message": "flagged by moderation" });
    for (status, expected) in [
        (403, Some(About::Prompt)),
        (422, Some(About::Prompt)),
        (500, Some(About::Prompt)),
        (401, Some(About::Key)),
        (402, Some(About::Money)),
    ] {
        assert_eq!(about(status, &body), expected, "{status}");
    }
    for (status, body) in [
        (503, json!({ "message": "overloaded, uploading stopped" })),
        (500, json!({ "message": "Internal server error" })),
        (400, json!({ "message": "max_tokens: too large" })),
        (404, json!({ "message": "no such model in this region" })),
        (429, json!({ "message": "slow down" })),
    ] {
        assert_eq!(about(status, &body), None, "{body}");
    }
}

#[test]
fn pages_of_firewalls_are_told_from_others() {
    for (status, body, expected) in [
        (403, "<h1>Forbidden</h1>", Page::Refused),
        (404, "<h1>Not Found</h1>", Page::Other),
        (502, "<h1>Bad Gateway</h1>", Page::Other),
        (200, "<title>Welcome</title> our privacy policy, security", Page::Other),
        (200, "Request unsuccessful. Incapsula incident ID: 1", Page::Refused),
        (503, "Just a moment...", Page::Machine),
        (403, "unusual traffic from your network; solve the captcha", Page::Machine),
    ] {
        assert_eq!(page(status, body.as_bytes()), expected, "{status} {body}");
    }
    assert!(is_page("", b"\n <!DOCTYPE html>") && is_page("text/html; charset=x", b"x"));
    assert!(!is_page("application/json", b"{}"));
    let page = b"<html><head><TITLE> Request \n blocked</title></head><h1 class=\"a\">By <b>rule</b> 7</h1>";
    assert_eq!(page_words(page), "Request blocked. By rule 7");
    assert_eq!(page_words(b"<p>only <i>this"), "only this");
}

#[test]
fn a_services_sentence_is_found_wherever_it_stands() {
    for (body, sentence) in [
        (json!({ "message": "a\n b" }), Some("a b")),
        (json!("plain"), Some("plain")),
        (json!({ "detail": [{ "msg": "c" }, { "msg": "d" }] }), Some("c; d")),
        (json!({ "choices": null, "base_resp": { "status_msg": "e" } }), Some("e")),
        (
            json!({ "message": "Provider returned error", "metadata": { "raw": "{\"error\":{\"message\":\"f\"}}" } }),
            Some("Provider returned error; f"),
        ),
        (json!({ "code": 1 }), None),
        (json!(null), None),
    ] {
        let found = super::sentence(&body);
        assert_eq!(found.as_deref(), sentence, "{body}");
    }
    let mut deep = json!("x");
    for _ in 0..100 {
        deep = json!({ "error": deep });
    }
    assert_eq!(super::sentence(&deep), None);
    assert_eq!(about(400, &deep), None);
}

/// What services really say, with the class that it is: `sentences.tsv`.
#[test]
fn sentences_of_services_are_what_they_say() {
    use crate::providers::errors::{error_inside, error_of_body, told_instead};
    use crate::services::{Again, ProviderError};
    use turnwise_shared::effect::FailureClass;

    let mut wrong = Vec::new();
    let mut count = 0;
    for line in include_str!("sentences.tsv").lines().filter(|line| !line.starts_with('#')) {
        let [service, status, wanted, body] = line.splitn(4, '\t').collect::<Vec<_>>()[..] else {
            panic!("four columns: {line}")
        };
        let status = status.parse().expect("a status");
        let inside: Option<Value> = serde_json::from_str(body).ok();
        let miss = match (status, inside.as_ref().and_then(|body| body.get("error"))) {
            (200, Some(error)) => error_inside(error),
            (200, None) => {
                let none = ProviderError::new(FailureClass::Undecodable, "no answer");
                told_instead(none, "", body.as_bytes())
            }
            _ => error_of_body(status, "", body.as_bytes()),
        };
        let class = json!(miss.failure.class);
        let class = match miss.again {
            Again::OnceLoaded => "loading",
            _ => class.as_str().expect("a word"),
        };
        count += 1;
        if class != wanted {
            wrong.push(format!("{service} {status}: {class}, not {wanted}: {body}"));
        }
        if inside.is_none_or(|body| !body.is_null())
            && miss.words.is_none()
            && !body.contains("blockReason")
        {
            wrong.push(format!("{service} {status}: no words: {body}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 150, "{count}");
}

#[test]
fn a_limit_of_tokens_is_read_where_a_service_names_it() {
    use TokenLimit::{OfConversation, OfModel};
    let limit = |sent, message: &str| token_limit(&json!({ "message": message }), sent);
    for (sent, message, expected) in [
        (
            20_000,
            "max_tokens is too large: 20000. This model supports at most 8192 completion tokens, whereas you provided 20000.",
            Some(OfModel(8192)),
        ),
        (
            20_000,
            "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
            Some(OfModel(8192)),
        ),
        (
            20_000,
            "max_tokens: 20000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet-20241022",
            Some(OfModel(8192)),
        ),
        (20_000, "Range of max_tokens should be [1,8192]", Some(OfModel(8192))),
        (20_000, "max_completion_tokens must not exceed 4,096.", Some(OfModel(4096))),
        (
            70_000,
            "Unable to submit request because it has a maxOutputTokens value of 70000 but the supported range is from 1 (inclusive) to 65537 (exclusive).",
            Some(OfModel(65_536)),
        ),
        (
            9000,
            "The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower than 4096.",
            Some(OfModel(4096)),
        ),
        (
            9000,
            "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model",
            Some(OfModel(8192)),
        ),
        (
            4000,
            "This model's maximum context length is 4096 tokens. However, you requested 4154 tokens (154 in the messages, 4000 in the completion).",
            Some(OfConversation(3942)),
        ),
        (
            32_000,
            "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 8192 tokens and your request has 1000 input tokens (32000 > 8192 - 1000).",
            Some(OfConversation(7192)),
        ),
        (
            16_000,
            "input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000, decrease input length or `max_tokens` and try again",
            Some(OfConversation(10_000)),
        ),
        (
            20_000,
            "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 200 `inputs` tokens and 20000 `max_new_tokens`",
            Some(OfConversation(3896)),
        ),
        // Nothing is left beside the conversation.
        (
            200,
            "This model's maximum context length is 4096 tokens. However, you requested 5200 tokens (5000 in the messages, 200 in the completion).",
            None,
        ),
        (16_000, "prompt is too long: 210000 tokens > 200000 maximum", None),
        (50, "max_tokens: too large", None),
        (50, "temperature must be at most 1", None),
        (900, "max_tokens must be at least 1024", None),
        (20_000, "the deployment gpt-4-32k-0613 v1.5 refuses max_tokens", None),
    ] {
        assert_eq!(limit(sent, message), expected, "{message}");
    }
}
