//! Results are read whatever they are wrapped in, and what is none is not taken for an empty list.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use turnwise_backend::outbound::budget::Account;
use turnwise_shared::benchmark::USUAL_ATTEMPTS;

use crate::common::*;
use crate::search::{ENGINES, asked, egress, plainly, query, results};

const JSON: &str = "content-type: application/json\r\n";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut to = GzEncoder::new(Vec::new(), Compression::fast());
    to.write_all(bytes).expect("memory");
    to.finish().expect("memory")
}

/// The body of a canned page of results.
fn body(engine: &str) -> Vec<u8> {
    match results(engine, 1, 9) {
        Canned::Json(_, _, body) => body.to_string().into_bytes(),
        Canned::Raw(text) => text.split_once("\r\n\r\n").expect("a body").1.as_bytes().to_vec(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn compressed_and_marked_results_are_read() {
    for engine in ENGINES {
        let plain = body(engine);
        for (headers, bytes) in [
            ("content-encoding: gzip\r\n", gzip(&plain)),
            ("", gzip(&plain)),
            ("", [b"\xef\xbb\xbf", plain.as_slice()].concat()),
            ("content-encoding: identity\r\n", plain.clone()),
        ] {
            let trial = plainly(engine, Canned::body(200, headers, &bytes)).await;
            assert_eq!(trial.hits().len(), 5, "{engine} {headers}");
        }
    }
    let large =
        gzip(format!("{{\"organic\": [], \"x\": \"{}\"}}", "y".repeat(5_000_000)).as_bytes());
    let trial = plainly("serper", Canned::body(200, JSON, &large)).await;
    assert_eq!(trial.class(), FailureClass::Rejected, "it is bounded when it is unpacked");
    let quota = gzip(json!({ "detail": { "error": "no" } }).to_string().as_bytes());
    let trial = plainly("tavily", Canned::body(432, JSON, &quota)).await;
    assert_eq!(trial.words.as_deref(), Some("no"));
}

#[tokio::test]
async fn odd_json_is_read() {
    for engine in ["serper", "brave", "tavily", "searxng"] {
        let plain = String::from_utf8(body(engine)).expect("a text");
        for odd in [
            plain.replacen("river 2", "river \\ud83d 2", 1),
            plain.replacen('{', "{\"took\": NaN, \"more\": [Infinity, -Infinity],", 1),
            plain.replacen('{', "{\"results\": 7, \"organic\": null, \"type\": 1, \"web\": 2, ", 1),
            format!("{plain}\n<!-- 12 ms -->"),
        ] {
            let trial = plainly(engine, Canned::body(200, JSON, odd.as_bytes())).await;
            assert_eq!(trial.hits().len(), 5, "{engine} {odd}");
        }
    }
}

#[tokio::test]
async fn an_answer_without_a_list_is_not_nothing_found() {
    for (engine, body) in [
        ("serper", json!({ "searchParameters": { "q": "q" } })),
        ("serper", json!({ "searchParameters": { "q": "q" }, "organic": null })),
        ("serper", json!({ "searchParameters": { "q": "q" }, "organic": {} })),
        ("serper", json!({ "message": "no" })),
        ("brave", json!({ "type": "search", "query": {} })),
        ("brave", json!({ "type": "search", "web": {} })),
        ("brave", json!({ "type": "search", "web": { "results": null } })),
        (
            "brave",
            json!({ "type": "search", "mixed": { "main": [{ "type": "web", "index": 0 }] } }),
        ),
        ("tavily", json!({ "query": "q" })),
        ("tavily", json!({ "query": "q", "results": null })),
        ("searxng", json!({ "query": "q", "unresponsive_engines": [] })),
        ("searxng", json!({ "results": {} })),
    ] {
        let trial = plainly(engine, Canned::ok(body.clone())).await;
        assert_eq!(trial.class(), FailureClass::Undecodable, "{engine} {body}");
        assert!(trial.message().contains("no list of results"), "{engine} {}", trial.message());
    }
}

/// What an instance's limiter wants to see; see `searx/botdetection` of SearXNG.
#[tokio::test]
async fn what_clients_send_is_sent() {
    for engine in ENGINES {
        for (locale, language) in
            [(None, "en, *;q=0.5"), (Some("zh-TW"), "zh-TW, *;q=0.5"), (Some("fr"), "fr, *;q=0.5")]
        {
            let trial = asked(engine, vec![results(engine, 1, 9)], query("mill", 5, locale)).await;
            let head = trial.seen[0].head.to_ascii_lowercase();
            let language = language.to_ascii_lowercase();
            assert!(head.contains(&format!("accept-language: {language}")), "{engine} {head}");
            assert!(head.contains("accept-encoding: gzip, deflate"), "{engine} {head}");
            assert_eq!(head.matches("accept:").count(), 1, "{engine} {head}");
            assert!(!head.contains("connection: close"), "{engine} {head}");
        }
    }
}

#[tokio::test]
async fn a_check_for_bots_is_named_as_one_and_not_asked_again() {
    let limiter = Canned::page(
        429,
        "<!doctype html><html lang=en><title>429 Too Many Requests</title><h1>Too Many Requests</h1>",
    );
    for (engine, answer, says) in [
        ("searxng", limiter, "limiter"),
        (
            "searxng",
            Canned::page(
                200,
                "<html><title>Just a moment...</title><script src=/cdn-cgi/challenge-platform/x></script>",
            ),
            "check for bots",
        ),
        ("serper", Canned::page(403, "<html>Please complete the CAPTCHA</html>"), "captcha"),
        (
            "brave",
            Canned::page(503, "<html>Our systems have detected unusual traffic</html>"),
            "captcha",
        ),
        (
            "tavily",
            Canned::page(200, "<!DOCTYPE html><p>Verify you are human</p>"),
            "check for bots",
        ),
        (
            "duckduckgo",
            Canned::page(200, "<html>Are you a robot? Solve the captcha</html>"),
            "captcha",
        ),
    ] {
        let upstream = Upstream::start([answer]).await;
        let egress = egress(engine, &upstream.base_url(), "").await;
        let request = Outgoing::Search { engine: engine.to_owned(), query: query("mill", 5, None) };
        let sent = egress.send(&request, None, &Account::open(), USUAL_ATTEMPTS).await;
        let Reply::Failed(failure) = sent.reply else { panic!("{engine}: {sent:?}") };
        assert_eq!(
            (failure.class, upstream.seen().len()),
            (FailureClass::Blocked, 1),
            "{engine} {failure:?}"
        );
        assert!(failure.message.contains(says), "{engine} {failure:?}");
    }
    // One that says when is only busy, and results may be about anything.
    let busy = Canned::body(429, "retry-after: 7\r\n", b"<h1>Too Many Requests</h1>");
    assert_eq!(plainly("searxng", busy).await.class(), FailureClass::RateLimited);
    let body = json!({ "results": [{ "title": "<b>How captchas work</b>", "url": "https://a.example/", "content": "captcha" }] });
    assert_eq!(plainly("searxng", Canned::ok(body)).await.hits().len(), 1);
}
