//! Faults of each kind, in each wire format, as the transcript of an episode tells them apart.

use turnwise_shared::transcript;

use crate::common::*;
use crate::providers::{anthropic, gemini};

/// Everything that can go wrong, as a service of a format says it.
fn faults(format: &str) -> Vec<(&'static str, Canned)> {
    let json = |status, body| Canned::Json(status, Vec::new(), body);
    let openai = |message: &str, kind: &str, code: Value| json!({ "error": { "message": message, "type": kind, "param": null, "code": code } });
    let said = match format {
        "anthropic" => [
            ("key", json(401, anthropic::error("authentication_error", "invalid x-api-key"))),
            ("permission", json(403, anthropic::error("permission_error", "not yours"))),
            (
                "credit",
                json(
                    400,
                    anthropic::error(
                        "invalid_request_error",
                        "Your credit balance is too low to access the API.",
                    ),
                ),
            ),
            ("busy", json(429, anthropic::error("rate_limit_error", "slow down"))),
            ("overloaded", json(529, anthropic::error("overloaded_error", "Overloaded"))),
            ("broken", json(500, anthropic::error("api_error", "Internal server error"))),
            ("model", json(404, anthropic::error("not_found_error", "model: m"))),
            ("request", json(400, anthropic::error("invalid_request_error", "messages: too long"))),
        ],
        "gemini" => [
            (
                "key",
                json(
                    400,
                    json!({ "error": { "code": 400, "status": "INVALID_ARGUMENT", "message": "API key not valid.",
                "details": [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID" }] } }),
                ),
            ),
            ("permission", json(403, gemini::error(403, "PERMISSION_DENIED", "not yours"))),
            ("credit", json(402, gemini::error(402, "FAILED_PRECONDITION", "prepay first"))),
            ("busy", json(429, gemini::error(429, "RESOURCE_EXHAUSTED", "slow down"))),
            (
                "overloaded",
                json(503, gemini::error(503, "UNAVAILABLE", "The model is overloaded.")),
            ),
            (
                "broken",
                json(500, gemini::error(500, "INTERNAL", "An internal error has occurred.")),
            ),
            ("model", json(404, gemini::error(404, "NOT_FOUND", "models/m is not found"))),
            ("request", json(400, gemini::error(400, "INVALID_ARGUMENT", "too many tokens"))),
        ],
        _ => [
            (
                "key",
                json(
                    401,
                    openai(
                        "Incorrect API key provided",
                        "invalid_request_error",
                        json!("invalid_api_key"),
                    ),
                ),
            ),
            (
                "permission",
                json(
                    403,
                    openai("not yours", "invalid_request_error", json!("unsupported_country")),
                ),
            ),
            (
                "credit",
                json(
                    429,
                    openai(
                        "You exceeded your current quota",
                        "insufficient_quota",
                        json!("insufficient_quota"),
                    ),
                ),
            ),
            ("busy", json(429, openai("slow down", "requests", json!("rate_limit_exceeded")))),
            ("overloaded", json(503, openai("overloaded", "service_unavailable", Value::Null))),
            ("broken", json(500, openai("broken", "server_error", Value::Null))),
            (
                "model",
                json(
                    404,
                    openai("no such model", "invalid_request_error", json!("model_not_found")),
                ),
            ),
            (
                "request",
                json(
                    400,
                    openai("too long", "invalid_request_error", json!("context_length_exceeded")),
                ),
            ),
        ],
    };
    let mut all = said.to_vec();
    let page = format!("<html>Try again, owner of {MARKED_KEY}</html>");
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
    all.extend([
        ("page", Canned::Raw(format!("{head}content-length: {}\r\n\r\n{page}", page.len()))),
        ("empty", json(200, json!({}))),
        ("cut", Canned::Raw(format!("{head}content-length: 999\r\n\r\n{{\"a\":"))),
    ]);
    all
}

/// The failure that stands in the transcript of an episode whose only call fails so.
async fn told(format: &str, fault: Canned) -> Failure {
    let upstream = Upstream::start([fault]).await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = config_of(format, folder.path(), &upstream.base_url(), "attempts = 1");
    let service = Service::open(config).await;
    let spec = trial_spec(1);
    let opened = service.open_run(&spec, 1).await;
    drive(&service, &opened, &mut planned(&spec)).await;
    let path = format!("/api/runs/{}/episodes", opened.run);
    let heads: Vec<Value> = service.get(&path).await.json();
    let episode = heads[0]["episode"].as_str().expect("a name");
    let text = service.get(&format!("{path}/{episode}")).await.text;
    assert!(!text.contains(MARKED_KEY), "{text}");
    let stored = transcript::read(&text).expect("it reads");
    let mut failures = stored.events.into_iter().flatten().filter_map(|event| match event {
        Event::Told { reply: Reply::Failed(failure), .. } => Some(failure),
        _ => None,
    });
    failures.next().expect("a failure was told")
}

#[tokio::test]
async fn faults_of_each_kind_are_told_apart_in_the_transcript() {
    for format in ["openai", "anthropic", "gemini"] {
        let mut classes = Vec::new();
        for (what, fault) in faults(format) {
            let failure = told(format, fault).await;
            let class = serde_json::to_value(failure.class).expect("JSON");
            classes.push(format!("{what}: {}", class.as_str().expect("a word")));
            let (status, message) = (&failure.detail["status"], &failure.message);
            match what {
                "page" | "empty" | "cut" => assert!(failure.detail.is_null(), "{failure:?}"),
                _ => assert!(message.contains(&format!("status {status}")), "{failure:?}"),
            }
        }
        // OpenAI's is of the region.
        let permission = match format {
            "openai" => "permission: forbidden",
            _ => "permission: unauthorised",
        };
        assert_eq!(
            classes,
            [
                "key: unauthorised",
                permission,
                "credit: quota",
                "busy: rate_limited",
                "overloaded: server",
                "broken: server",
                "model: rejected",
                "request: context",
                "page: undecodable",
                "empty: undecodable",
                "cut: connection",
            ],
            "{format}"
        );
    }
}

#[tokio::test]
async fn an_episode_is_played_in_each_format_and_its_account_stands_in_the_transcript() {
    let moves = [
        acts("search", json!({ "query": "sport with sticks" })),
        acts("answer", json!({ "answer": "Kivvet", "confidence": "80" })),
    ];
    // As many tokens as a prompt of some thousand bytes may have.
    let input = 1000;
    for (format, raw) in [
        ("openai", "prompt_tokens"),
        ("anthropic", "cache_read_input_tokens"),
        ("gemini", "thoughtsTokenCount"),
    ] {
        let answers = moves.iter().map(|text| {
            let mut body = match format {
                "anthropic" => anthropic::message(text),
                "gemini" => gemini::response(text),
                _ => completion(json!(text)),
            };
            match format {
                "anthropic" => body["usage"]["cache_read_input_tokens"] = json!(input - 4),
                "gemini" => body["usageMetadata"]["promptTokenCount"] = json!(input),
                _ => body["usage"]["prompt_tokens"] = json!(input),
            }
            Canned::Json(200, Vec::new(), body)
        });
        let upstream = Upstream::start(answers).await;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let config = config_of(format, folder.path(), &upstream.base_url(), "");
        let service = Service::open(config).await;
        let spec = trial_spec(1);
        let opened = service.open_run(&spec, 1).await;
        let driven = drive(&service, &opened, &mut planned(&spec)).await;
        let (_, summary) = driven.summaries.last().expect("it ended");
        assert!(summary.complete, "{format}: {summary:?}");
        let player = &summary.usage["player"];
        assert_eq!((player.calls, player.counted), (2, 2), "{format}");
        assert_eq!(player.output, 6, "{format}");
        assert_eq!(player.input, 2 * input, "{format}");
        let supplied = player.departures.get("max_tokens").copied();
        assert_eq!(supplied, (format == "anthropic").then_some(2), "{format}");
        let path = format!("/api/runs/{}/episodes/1.r1.play", opened.run);
        let text = service.get(&path).await.text;
        assert!(text.contains(raw), "{format}: {text}");
    }
}
