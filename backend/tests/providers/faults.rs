//! Faults of each kind, in each wire format, as the transcript of an episode tells them apart.

use turnwise_shared::transcript;

use crate::common::*;
use crate::providers::answer;

/// Everything that can go wrong, as a service of a format says it.
fn faults(format: &str) -> Vec<(&'static str, Canned)> {
    let said = cases::<(&str, _, _, _)>(include_str!("faults.jsonl"))
        .into_iter()
        .filter(|(of, ..)| *of == format)
        .map(|(_, what, status, body)| (what, Canned::json(status, body)));
    let mut all: Vec<_> = said.collect();
    let page = format!("<html>Try again, owner of {MARKED_KEY}</html>");
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
    all.extend([
        ("page", Canned::Raw(format!("{head}content-length: {}\r\n\r\n{page}", page.len()))),
        ("empty", Canned::ok(json!({}))),
        ("cut", Canned::Raw(format!("{head}content-length: 999\r\n\r\n{{\"a\":"))),
    ]);
    all
}

/// The failure that stands in the transcript of an episode whose only call fails so.
async fn told(format: &str, fault: Canned) -> Failure {
    let upstream = Upstream::start([fault]).await;
    let service = Service::of(format, &upstream.base_url(), "attempts = 1").await;
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
            let mut body = answer(format, text);
            match format {
                "anthropic" => body["usage"]["cache_read_input_tokens"] = json!(input - 4),
                "gemini" => body["usageMetadata"]["promptTokenCount"] = json!(input),
                _ => body["usage"]["prompt_tokens"] = json!(input),
            }
            Canned::ok(body)
        });
        let upstream = Upstream::start(answers).await;
        let service = Service::of(format, &upstream.base_url(), "").await;
        let spec = trial_spec(1);
        let (opened, driven) = played(&service, &spec).await;
        let (_, summary) = driven.summaries.last().expect("it ended");
        assert!(summary.complete, "{format}: {summary:?}");
        let player = &summary.usage["player"];
        assert_eq!((player.calls, player.counted), (2, 2), "{format}");
        assert_eq!(player.output, 6, "{format}");
        assert_eq!(player.input, 2 * input, "{format}");
        let supplied = player.departures.get("max_tokens").copied();
        assert_eq!(supplied, (format == "anthropic").then_some(2), "{format}");
        let text = service.of_run(&opened.run, "/episodes/1.r1.play").await.text;
        assert!(text.contains(raw), "{format}: {text}");
    }
}
