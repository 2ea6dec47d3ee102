//! The search engines against services on loopback that speak their wire formats, refusals and broken answers included.

mod refusals;
mod wrapping;

use turnwise_backend::outbound::Egress;
use turnwise_backend::outbound::budget::Account;
use turnwise_shared::wire::Promise;

use crate::common::*;

/// Every engine on the network.
const ENGINES: [&str; 9] = [
    "serper",
    "brave",
    "tavily",
    "searxng",
    "duckduckgo",
    "serpapi-bing",
    "serpapi-duckduckgo",
    "serpapi-google",
    "serpapi-yahoo",
];

/// What came of a search.
pub struct Trial {
    pub answer: CallAnswer,
    words: Option<String>,
    seen: Vec<Seen>,
}

impl Trial {
    fn hits(&self) -> &[Hit] {
        match &self.answer.reply {
            Reply::Found { hits, .. } => hits,
            other => panic!("nothing was found: {other:?}"),
        }
    }

    fn class(&self) -> FailureClass {
        match &self.answer.reply {
            Reply::Failed(failure) => failure.class,
            other => panic!("it did not fail: {other:?}"),
        }
    }

    fn message(&self) -> &str {
        match &self.answer.reply {
            Reply::Failed(failure) => &failure.message,
            other => panic!("it did not fail: {other:?}"),
        }
    }
}

fn query(text: &str, results: u32, locale: Option<&str>) -> Query {
    Query { text: text.to_owned(), results, locale: locale.map(str::to_owned), since: None }
}

async fn egress(engine: &str, base_url: &str, limits: &str) -> Egress {
    let key = match engine {
        "duckduckgo" => String::new(),
        _ => format!("key = \"{MARKED_KEY}\"\n"),
    };
    let text = format!(
        "[limits]\nbackoff_ms = 20\nlongest_wait_seconds = 2\n{limits}\n\
         [[search]]\nname = \"{engine}\"\nbase_url = \"{base_url}\"\n{key}"
    );
    let config = configured(folder().path(), &text);
    Egress::open(&config).await.expect("it opens")
}

/// One attempt, so that failures are seen at once.
async fn asked(engine: &str, answers: Vec<Canned>, query: Query) -> Trial {
    let upstream = Upstream::start(answers).await;
    let egress = egress(engine, &upstream.base_url(), "").await;
    let request = Outgoing::Search { engine: engine.to_owned(), query };
    let answer = egress.probe(&request, &Account::open()).await;
    let words = answer.timing.words.clone();
    let shown = format!("{answer:?} {words:?}");
    for secret in [MARKED_KEY, "127.0.0.1", "/v1/"] {
        assert!(!shown.contains(secret), "{engine}: {secret} is in {shown}");
    }
    Trial { answer, words, seen: upstream.seen() }
}

pub async fn plainly(engine: &str, answer: Canned) -> Trial {
    asked(engine, vec![answer], query("the old mill", 5, None)).await
}

/// A result of DuckDuckGo's page as it stands there; made up, in its form.
fn duck(number: usize, class: &str) -> String {
    format!(
        "<div class=\"result results_links results_links_deep {class}\">\
         <div class=\"links_main links_deep result__body\"><h2 class=\"result__title\">\
         <a rel=\"nofollow\" class=\"result__a\" href=\"//duckduckgo.com/l/?uddg=https%3A%2F%2Fsite{number}.example%2Fmill%3Fa%3D1&amp;rut=0f\">\
         The <b>mill</b> &amp; river {number}</a></h2>\
         <a class=\"result__url\" href=\"//duckduckgo.com/l/?uddg=x\">site{number}.example</a>\
         <a class=\"result__snippet\" href=\"//duckduckgo.com/l/?uddg=x\">Turned by <b>water</b>&#x27;s force {number}</a>\
         </div></div>"
    )
}

fn duck_page(inside: &str) -> Canned {
    Canned::page(
        200,
        &format!(
            "<!DOCTYPE html><html><head><script>var a = '<a class=\"result__a\">';</script></head><body>\
             <div id=\"links\" class=\"results\">{inside}</div></body></html>"
        ),
    )
}

/// A page of `count` results of an engine, numbered from `from`.
fn results(engine: &str, from: usize, count: usize) -> Canned {
    let each = |title: &str, snippet: &str, address: &str| -> Vec<Value> {
        (from..from + count)
            .map(|number| {
                json!({
                    title: format!("The <strong>mill</strong> &amp; river {number}"),
                    snippet: format!("Turned by <b>water</b>&#x27;s force {number}"),
                    address: format!("https://site{number}.example/mill?a=1"),
                })
            })
            .collect()
    };
    Canned::ok(match engine {
        "serper" => json!({
            "searchParameters": { "q": "q", "type": "search", "engine": "google" },
            "knowledgeGraph": { "title": "Not a result" },
            "organic": each("title", "snippet", "link"),
            "credits": 1,
        }),
        "brave" => json!({
            "type": "search",
            "query": { "original": "q", "more_results_available": count == 20 },
            "web": { "type": "search", "results": each("title", "description", "url") },
        }),
        "tavily" => json!({
            "query": "q", "answer": null, "images": [], "response_time": 0.4,
            "results": each("title", "content", "url"),
        }),
        "searxng" => json!({
            "query": "q", "number_of_results": 0, "answers": [], "infoboxes": [], "suggestions": [],
            "results": each("title", "content", "url"), "unresponsive_engines": [["other", "timeout"]],
        }),
        serpapi if serpapi.starts_with("serpapi-") => json!({
            "search_metadata": { "status": "Success" },
            "search_parameters": { "engine": &serpapi["serpapi-".len()..] },
            "organic_results": each("title", "snippet", "link"),
            "serpapi_pagination": { "next": "https://serpapi.com/search.json?q=x&first=11&start=12&b=13" },
        }),
        _ => {
            let all: String = (from..from + count).map(|n| duck(n, "web-result")).collect();
            return duck_page(&all);
        }
    })
}

#[tokio::test]
async fn every_engine_gives_the_same_number_of_plain_results() {
    for engine in ENGINES {
        let trial = plainly(engine, results(engine, 1, 9)).await;
        let hits = trial.hits();
        assert_eq!(hits.len(), 5, "{engine}");
        assert_eq!(
            hits[1],
            Hit {
                title: Some("The mill & river 2".into()),
                snippet: Some("Turned by water's force 2".into()),
                url: Some("https://site2.example/mill?a=1".into()),
            },
            "{engine}"
        );
        assert_eq!(trial.seen.len(), 1, "{engine}: one page is enough");
        let fewer = plainly(engine, results(engine, 1, 3)).await;
        assert_eq!(fewer.hits().len(), 3, "{engine}");
    }
}

#[tokio::test]
async fn further_pages_are_asked_for_only_where_they_are_needed() {
    for (engine, size, pages) in
        [("serper", 10, 2), ("brave", 20, 1), ("searxng", 10, 2), ("serpapi-yahoo", 7, 3)]
    {
        let answers = (0..3).map(|page| results(engine, page * size + 1, size)).collect();
        let trial = asked(engine, answers, query("mill", 17, None)).await;
        let urls: std::collections::BTreeSet<_> = trial.hits().iter().map(|hit| &hit.url).collect();
        assert_eq!((urls.len(), trial.seen.len()), (17, pages), "{engine}");
    }
    // The same page again brings nothing new, and ends it.
    let again = asked("serper", vec![results("serper", 1, 10)], query("mill", 30, None)).await;
    assert_eq!((again.hits().len(), again.seen.len()), (10, 2));
}

#[tokio::test]
async fn what_is_sent_is_what_the_service_wants() {
    let seen = |engine: &'static str, locale: Option<&'static str>| async move {
        let trial = asked(engine, vec![results(engine, 1, 9)], query("水 & mill", 5, locale)).await;
        trial.seen[0].clone()
    };
    let serper = seen("serper", Some("zh")).await;
    assert!(serper.head.starts_with("POST /v1/search HTTP/1.1"), "{}", serper.head);
    assert!(serper.head.contains(&format!("x-api-key: {MARKED_KEY}")), "{}", serper.head);
    assert_eq!(
        serper.body,
        json!({ "q": "水 & mill", "gl": "cn", "hl": "zh-cn", "num": 10, "page": 1 })
    );
    assert_eq!(seen("serper", None).await.body, json!({ "q": "水 & mill", "num": 10, "page": 1 }));
    let brave = seen("brave", Some("zh-TW")).await;
    assert!(
        brave.head.starts_with(
            "GET /v1/res/v1/web/search?q=%E6%B0%B4+%26+mill&count=10&offset=0&text_decorations=false&result_filter=web\
             &country=TW&search_lang=zh-hant HTTP/1.1"
        ),
        "{}",
        brave.head
    );
    assert!(brave.head.contains(&format!("x-subscription-token: {MARKED_KEY}")));
    let unknown = seen("brave", Some("fil")).await;
    assert!(!unknown.head.contains("country="), "{}", unknown.head);
    let tavily = seen("tavily", Some("en")).await;
    assert!(tavily.head.contains(&format!("authorization: Bearer {MARKED_KEY}")));
    assert_eq!(
        tavily.body,
        json!({
            "query": "水 & mill", "topic": "general", "search_depth": "basic", "max_results": 10,
            "country": "united states",
        })
    );
    let searxng = seen("searxng", Some("pt-BR")).await;
    assert!(searxng.head.starts_with("POST /v1/search HTTP/1.1"), "{}", searxng.head);
    assert_eq!(searxng.text, "q=%E6%B0%B4+%26+mill&format=json&language=pt-BR&pageno=1");
    let duck = seen("duckduckgo", Some("zh")).await;
    assert!(duck.head.starts_with("POST /v1/html/ HTTP/1.1"), "{}", duck.head);
    assert_eq!(duck.text, "q=%E6%B0%B4+%26+mill&b=&kl=cn-zh");
    assert!(!duck.head.contains("authorization"));
}

#[tokio::test]
async fn every_engine_behind_serpapi_is_asked_in_its_own_words() {
    let since = Some("2026-01-31".parse().expect("a day"));
    let today = Day::of(turnwise_backend::clock::now()).expect("a day");
    let bing =
        format!("&mkt=zh-TW&filters=ex1%3A%22ez5_20484_{}%22", today.number().expect("a day"));
    for (name, wanted, next) in [
        ("bing", format!("q=mill{bing}"), "first=11"),
        ("duckduckgo", format!("q=mill&kl=tw-tzh&df=2026-01-31..{today}"), "start=12"),
        (
            "google",
            "q=mill&hl=zh-tw&gl=tw&tbs=cdr%3A1%2Ccd_min%3A1%2F31%2F2026".to_owned(),
            "start=12",
        ),
        ("yahoo", "p=mill&vl=lang_zh&vc=tw".to_owned(), "b=13"),
    ] {
        let engine = format!("serpapi-{name}");
        let since = since.clone().filter(|_| name != "yahoo");
        let query = Query { since, ..query("mill", 9, Some("zh-TW")) };
        let answers = vec![results(&engine, 1, 5), results(&engine, 6, 5)];
        let trial = asked(&engine, answers, query).await;
        assert!(
            matches!(&trial.answer.reply, Reply::Found { hits, by: Some(by) } if hits.len() == 9 && by == name)
        );
        let line = |at: usize| trial.seen[at].head.lines().next().unwrap_or_default().to_owned();
        let first = format!("GET /v1/search.json?engine={name}&{wanted}");
        assert_eq!(line(0), format!("{first}&api_key={MARKED_KEY} HTTP/1.1"));
        assert_eq!(line(1), format!("{first}&{next}&api_key={MARKED_KEY} HTTP/1.1"));
    }
}

#[tokio::test]
async fn pages_from_a_day_on_are_found_or_the_query_is_refused() {
    let today = Day::of(turnwise_backend::clock::now()).expect("a day");
    for (engine, wanted) in [
        ("serper", Some("\"tbs\":\"cdr:1,cd_min:1/31/2026\"".to_owned())),
        ("brave", Some(format!("&freshness=2026-01-31to{today} "))),
        ("tavily", Some("\"start_date\":\"2026-01-31\"".to_owned())),
        ("duckduckgo", Some(format!("&df=2026-01-31..{today}"))),
        ("searxng", None),
        ("serpapi-yahoo", None),
    ] {
        let query = Query { since: "2026-01-31".parse().ok(), ..query("mill", 5, None) };
        let trial = asked(engine, vec![results(engine, 1, 9)], query).await;
        match wanted {
            Some(wanted) => {
                let sent = format!("{}{}", trial.seen[0].head, trial.seen[0].text);
                assert!(sent.contains(&wanted), "{sent}");
            }
            None => assert_eq!((trial.class(), trial.seen.len()), (FailureClass::Rejected, 0)),
        }
    }
}

#[tokio::test]
async fn nothing_found_is_no_failure() {
    let none = [
        ("serper", Canned::ok(json!({ "searchParameters": { "q": "q" }, "organic": [] }))),
        ("brave", Canned::ok(json!({ "type": "search", "query": {}, "mixed": { "main": [] } }))),
        ("tavily", Canned::ok(json!({ "query": "q", "results": [] }))),
        ("searxng", Canned::ok(json!({ "results": [], "unresponsive_engines": [] }))),
        ("duckduckgo", duck_page("<div class=\"no-results\">No results.</div>")),
        (
            "serpapi-google",
            Canned::ok(json!({
                "search_parameters": { "engine": "google" },
                "error": "Google hasn't returned any results for this query.",
            })),
        ),
    ];
    for (engine, answer) in none {
        let trial = plainly(engine, answer).await;
        assert!(trial.hits().is_empty(), "{engine}");
    }
    for engine in ENGINES {
        let blank = asked(engine, vec![results(engine, 1, 9)], query(" \n", 5, None)).await;
        assert!(blank.hits().is_empty() && blank.seen.is_empty(), "{engine}");
    }
}

#[tokio::test]
async fn hits_without_use_are_left_out() {
    let item = |title: Value, link: &str| json!({ "title": title, "snippet": null, "link": link });
    let long = format!("https://site.example/{}", "x".repeat(3000));
    let organic = vec![
        item(json!("good"), "https://a.example/"),
        item(json!("twice"), "https://a.example/"),
        item(json!("script"), "javascript:alert(1)"),
        item(json!("no address"), ""),
        item(json!(null), "https://b.example/"),
        item(json!(7), "https://c.example/"),
        item(json!(format!("tells {MARKED_KEY}")), "https://d.example/"),
        item(json!("tells"), &format!("https://e.example/?key={MARKED_KEY}")),
        item(json!("long"), &long),
        json!("no object"),
    ];
    let body = json!({ "searchParameters": {}, "organic": organic });
    let trial = plainly("serper", Canned::ok(body)).await;
    let titles: Vec<_> = trial.hits().iter().map(|hit| hit.title.as_deref()).collect();
    assert_eq!(titles, [Some("good")]);
}

#[tokio::test]
async fn advertisements_are_no_results() {
    let inside = format!("{}{}", duck(1, "result--ad"), duck(2, "web-result"));
    let trial = plainly("duckduckgo", duck_page(&inside)).await;
    let urls: Vec<_> = trial.hits().iter().filter_map(|hit| hit.url.as_deref()).collect();
    assert_eq!(urls, ["https://site2.example/mill?a=1"]);
}

#[tokio::test]
async fn long_queries_are_cut_where_the_service_refuses_them() {
    let long = "mill ".repeat(300);
    let brave = asked("brave", vec![results("brave", 1, 9)], query(&long, 5, None)).await;
    let first = brave.seen[0].head.lines().next().unwrap_or_default().to_owned();
    assert_eq!(first.matches("mill").count(), 50, "{first}");
    let tavily = asked("tavily", vec![results("tavily", 1, 9)], query(&long, 5, None)).await;
    let sent = tavily.seen[0].body["query"].as_str().unwrap_or_default().to_owned();
    assert!(sent.len() <= 400 && sent.ends_with("mill"), "{sent}");
}

#[tokio::test]
async fn the_services_own_words_are_shown_to_a_probe_only() {
    let words = format!("quota of {MARKED_KEY} at http://127.0.0.1/v1/ is used up");
    let trial = plainly(
        "tavily",
        Canned::json(432, json!({ "detail": { "error": words.replace("127.0.0.1/v1/", "x") } })),
    )
    .await;
    assert!(!trial.message().contains("quota of"), "{}", trial.message());
    assert!(trial.words.is_some_and(|words| words.starts_with("quota of …")));
}

#[tokio::test]
async fn engines_say_what_can_be_relied_on() {
    for engine in ENGINES {
        let egress = egress(engine, "http://127.0.0.1:9", "").await;
        let info =
            egress.engines().into_iter().find(|info| info.name == engine).expect("it is there");
        assert_eq!(info.format, engine);
        assert_eq!(info.promise == Promise::BestEffort, engine == "duckduckgo");
        assert_eq!((info.documents, info.corpus), (None, None));
    }
}

#[tokio::test]
async fn pages_hear_of_engines_and_prices_and_of_no_key_or_address() {
    let text = format!(
        "[[search]]\nname = \"web\"\nformat = \"brave\"\nkey = \"{MARKED_KEY}\"\nbase_url = \"http://box.internal/b\"\n\
         [[search_price]]\nengine = \"web\"\nfrom = \"2026-01-01\"\nper_thousand = 3\n\
         [[price]]\nprovider = \"lab\"\nmodel = \"m\"\nfrom = \"2026-01-01\"\ninput = 0.5\noutput = 2\n"
    );
    let service = Service::in_a_folder(|folder| configured(folder, &text)).await;
    let about = service.get("/api/about").await;
    let prices = service.get("/api/prices").await;
    for shown in [&about.text, &prices.text] {
        assert!(!shown.contains(MARKED_KEY) && !shown.contains("box.internal"), "{shown}");
    }
    let engines = about.json::<Value>()["engines"].clone();
    assert_eq!(engines[1], json!({ "name": "web", "format": "brave", "promise": "stable" }));
    let book: turnwise_shared::metrics::prices::PriceBook = prices.json();
    let day = "2026-11-21".parse().expect("a day");
    let own = book.model("lab", "m", &day).map(|price| price.output.dollars());
    assert_eq!(own, Some(2.0));
    let web = book.search("web", &day).map(|price| price.per_thousand.dollars());
    assert_eq!((web, book.is_free("scripted")), (Some(3.0), true));
    assert_eq!(book.model("lab", "m-large", &day), None);
}
