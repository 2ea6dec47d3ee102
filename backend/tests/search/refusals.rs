//! Refusals, answers that are none, and what can succeed later.

use turnwise_backend::outbound::budget::Account;
use turnwise_shared::benchmark::USUAL_ATTEMPTS;

use crate::common::*;
use crate::search::{ENGINES, egress, plainly, query, results};

#[tokio::test]
async fn refusals_are_told_apart() {
    use FailureClass::{
        Blocked, Filtered, Forbidden, Quota, RateLimited, Rejected, Server, Unauthorised,
        Undecodable,
    };
    let brave = |status: u16, code: &str| {
        Canned::json(
            status,
            json!({ "type": "ErrorResponse", "error": { "id": "1", "status": status, "code": code, "detail": "no", "meta": {} } }),
        )
    };
    let tavily =
        |status, words: &str| Canned::json(status, json!({ "detail": { "error": words } }));
    let serper = |status: u16, words: &str| {
        Canned::json(status, json!({ "message": words, "statusCode": status }))
    };
    let serpapi = |status, words: &str| Canned::json(status, json!({ "error": words }));
    let silent = |why: [&str; 2]| {
        let engines: Vec<_> = why.iter().map(|why| json!(["one", why])).collect();
        Canned::ok(json!({ "results": [], "unresponsive_engines": engines }))
    };
    let captcha = "<html><body><form id=\"challenge-form\" action=\"//duckduckgo.com/anomaly.js?sv=html\" method=\"POST\">\
                   <div class=\"anomaly-modal__title\">Are you a duck?</div></form></body></html>";
    for (engine, answer, class) in [
        ("serper", serper(403, "Unauthorized."), Unauthorised),
        ("serper", serper(400, "Not enough credits"), Quota),
        ("serper", serper(400, "Missing query parameter"), Filtered),
        ("serper", serper(429, "Rate limit exceeded"), RateLimited),
        ("serper", Canned::page(502, "<html>bad gateway</html>"), Server),
        ("brave", brave(422, "SUBSCRIPTION_TOKEN_INVALID"), Unauthorised),
        ("brave", brave(422, "VALIDATION"), Filtered),
        ("brave", brave(429, "RATE_LIMITED"), RateLimited),
        ("brave", brave(429, "QUOTA_LIMITED"), Quota),
        ("brave", brave(500, "INTERNAL"), Server),
        ("tavily", tavily(401, "Unauthorized: missing or invalid API key."), Unauthorised),
        ("tavily", tavily(432, "This request exceeds your plan's set usage limit."), Quota),
        ("tavily", tavily(433, "pay-as-you-go limit"), Quota),
        ("tavily", tavily(429, "blocked due to excessive requests"), RateLimited),
        ("tavily", Canned::json(400, json!({ "detail": "Query is too long." })), Filtered),
        ("serpapi-bing", serpapi(401, "Invalid API key."), Unauthorised),
        ("serpapi-bing", serpapi(429, "Your account has run out of searches."), Quota),
        ("serpapi-bing", serpapi(429, "You are exceeding your hourly throughput."), RateLimited),
        ("serpapi-bing", results("serpapi-yahoo", 1, 5), Undecodable),
        ("searxng", Canned::page(403, "<h1>Forbidden</h1>"), Unauthorised),
        ("searxng", Canned::page(429, "Too Many Requests"), RateLimited),
        (
            "serper",
            Canned::page(403, "<html>The request was rejected. Support ID: 7</html>"),
            Filtered,
        ),
        ("searxng", Canned::page(403, "<html>Request blocked by a firewall</html>"), Filtered),
        ("tavily", Canned::page(403, "<html>Request blocked: solve the captcha</html>"), Blocked),
        ("searxng", Canned::page(403, "<html>Blocked for a certain word: captcha</html>"), Blocked),
        ("searxng", silent(["CAPTCHA", "Suspended: CAPTCHA"]), Blocked),
        ("searxng", silent(["Suspended: too many requests", "CAPTCHA"]), RateLimited),
        ("searxng", silent(["timeout", "HTTP error"]), Server),
        ("duckduckgo", Canned::page(202, captcha), Blocked),
        ("duckduckgo", Canned::page(200, captcha), Blocked),
        ("duckduckgo", Canned::page(403, "<h1>403</h1>"), Blocked),
        ("duckduckgo", Canned::page(429, ""), RateLimited),
        ("duckduckgo", Canned::page(302, ""), Rejected),
        ("searxng", Canned::page(451, "Unavailable For Legal Reasons"), Filtered),
        ("searxng", Canned::page(414, "URI Too Long"), Filtered),
        (
            "tavily",
            Canned::json(403, json!({ "detail": "Your account has been suspended." })),
            Forbidden,
        ),
    ] {
        let trial = plainly(engine, answer.clone()).await;
        assert_eq!(trial.class(), class, "{engine}: {answer:?}");
        assert!(trial.message().contains("search service"), "{}", trial.message());
    }
}

#[tokio::test]
async fn answers_that_are_none_are_not_empty() {
    for engine in ENGINES {
        let cut = Canned::Raw(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{\"organic\": [{\"ti".into(),
        );
        assert_eq!(plainly(engine, cut).await.class(), FailureClass::Connection, "{engine}");
        for broken in ["{\"results\": [}", "[]", "null", "", "<html><body>Welcome</body></html>"] {
            let trial = plainly(engine, Canned::page(200, broken)).await;
            assert_eq!(trial.class(), FailureClass::Undecodable, "{engine}: {broken}");
        }
        let other =
            plainly(engine, Canned::ok(json!({ "organic": 7, "results": "x", "type": "error" })))
                .await;
        assert_eq!(other.class(), FailureClass::Undecodable, "{engine}");
    }
}

#[tokio::test]
async fn time_and_size_are_bounded() {
    let upstream = Upstream::start([Canned::Silence(Duration::from_secs(30))]).await;
    let egress = egress("serper", &upstream.base_url(), "total_seconds = 1\nattempts = 1").await;
    let request = Outgoing::Search { engine: "serper".into(), query: query("mill", 5, None) };
    let late = egress.send(&request, None, &Account::open(), USUAL_ATTEMPTS).await;
    assert!(
        matches!(&late.reply, Reply::Failed(failure) if failure.class == FailureClass::Timeout)
    );
    let huge = format!("{{\"organic\": [], \"x\": \"{}\"}}", "y".repeat(5_000_000));
    let trial = plainly("serper", Canned::page(200, &huge)).await;
    assert_eq!(trial.class(), FailureClass::Rejected);
}

#[tokio::test]
async fn what_can_succeed_later_is_tried_again_as_the_service_asks() {
    let busy =
        Canned::Json(429, vec![("retry-after", "1".into())], json!({ "message": "slow down" }));
    let upstream = Upstream::start([busy, results("serper", 1, 9)]).await;
    let egress = egress("serper", &upstream.base_url(), "").await;
    let request = Outgoing::Search { engine: "serper".into(), query: query("mill", 5, None) };
    let answer = egress.send(&request, None, &Account::open(), USUAL_ATTEMPTS).await;
    assert!(matches!(&answer.reply, Reply::Found { hits, .. } if hits.len() == 5), "{answer:?}");
    assert_eq!((answer.timing.attempts, upstream.seen().len()), (2, 2));
    assert!(answer.timing.took >= 1000, "{:?}", answer.timing);
    // A refused key is not.
    let upstream =
        Upstream::start([Canned::json(403, json!({ "message": "Unauthorized." }))]).await;
    let egress = self::egress("serper", &upstream.base_url(), "").await;
    let answer = egress.send(&request, None, &Account::open(), USUAL_ATTEMPTS).await;
    assert_eq!((answer.timing.attempts, upstream.seen().len()), (1, 1));
}

#[tokio::test]
async fn where_every_query_is_refused_it_is_the_service_that_refuses() {
    let refusal = Canned::json(400, json!({ "message": "bad query" }));
    let upstream = Upstream::start([refusal]).await;
    let egress = egress("serper", &upstream.base_url(), "").await;
    let mut classes = Vec::new();
    for number in 0..11 {
        let request = Outgoing::Search {
            engine: "serper".into(),
            query: query(&format!("mill {number}"), 5, None),
        };
        let answer = egress.send(&request, None, &Account::open(), USUAL_ATTEMPTS).await;
        let Reply::Failed(failure) = answer.reply else { panic!("{:?}", answer.reply) };
        assert_eq!(answer.timing.attempts, 1);
        assert_eq!(answer.timing.words.as_deref(), Some("bad query"));
        classes.push(failure.class);
    }
    assert!(classes[..9].iter().all(|class| *class == FailureClass::Filtered), "{classes:?}");
    assert_eq!(classes[9..], [FailureClass::Blocked, FailureClass::Blocked]);
}
