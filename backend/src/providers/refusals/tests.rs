use serde_json::json;

use super::*;
use turnwise_shared::testing::cases;

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
    for (sent, message, expected) in
        cases::<(_, &str, Option<(&str, u32)>)>(include_str!("limits.jsonl"))
    {
        let limit = token_limit(&json!({ "message": message }), sent).map(|limit| match limit {
            TokenLimit::OfModel(most) => ("OfModel", most),
            TokenLimit::OfConversation(most) => ("OfConversation", most),
        });
        assert_eq!(limit, expected, "{message}");
    }
}
