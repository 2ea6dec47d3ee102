//! The way out to the web: what is never connected to, what is not read, and how sites are treated. Servers on loopback stand for the web:
//! 127.0.0.1 is public to the tests, everything else is not.

mod sites;

use std::io::ErrorKind;
use std::net::{IpAddr, TcpListener};
use std::sync::Arc;
use std::time::Instant;

use futures::future::{join, join_all};
use sites::{After, Made, Site, gzip, html, inner, redirect};
use turnwise_backend::config::Manners;
use turnwise_backend::fetching::{Fetched, Fetcher, Internet, Surroundings as _};
use turnwise_backend::outbound::Egress;
use turnwise_backend::outbound::budget::Account;
use turnwise_backend::services::ProviderError;
use turnwise_shared::benchmark::USUAL_ATTEMPTS;
use turnwise_shared::effect::{self, Tool, Visit};

use crate::common::*;

const ADDRESSES: &str = include_str!("addresses.txt");
/// Set in the namespace of [`nothing_inside_is_connected_to`].
const FENCED: &str = "TURNWISE_TEST_FENCED";

fn manners(robots: bool) -> Manners {
    Manners {
        contact: Some("https://lab.example/complaints".to_owned()),
        robots,
        own_names: vec!["turnwise.example".to_owned()],
    }
}

fn fetcher(made: &Arc<Made>, robots: bool) -> Fetcher {
    Fetcher::within(made.clone(), &manners(robots)).expect("a client")
}

#[track_caller]
fn rule(outcome: &Result<Fetched, ProviderError>) -> (FailureClass, String) {
    let failure = &outcome.as_ref().expect_err("it fails").failure;
    assert!(!failure.message.contains("127.0"), "{}", failure.message);
    (failure.class, failure.detail["rule"].as_str().expect("a rule").to_owned())
}

fn refused(rule: &str) -> (FailureClass, String) {
    (FailureClass::Refused, rule.to_owned())
}

async fn every_address_is_refused_by_its_rule() {
    let fetcher = Fetcher::new(&manners(true)).expect("a client");
    for line in ADDRESSES.lines().filter(|line| !line.starts_with('#')) {
        let (wanted, address) = line.split_once(' ').expect("a rule and an address");
        if wanted == "public" {
            let url = reqwest::Url::parse(address).expect(address);
            let host = url.host_str().expect(address).trim_matches(['[', ']']);
            assert!(Internet.is_public(host.parse::<IpAddr>().expect(address)), "{address}");
        } else {
            assert_eq!(rule(&fetcher.fetch(address, None).await), refused(wanted), "{address}");
        }
    }
}

/// In a network namespace of its own, where ports 80 and 443 can be listened at.
#[test]
fn nothing_inside_is_connected_to() {
    let this = std::env::current_exe().expect("this program");
    let mut fenced = Command::new("unshare");
    fenced.arg("-rn").arg(this).args(["--exact", "fetching::fenced", "--nocapture"]);
    let said = fenced
        .env(FENCED, "1")
        .output()
        .map(|said| String::from_utf8_lossy(&said.stdout).into_owned());
    match said {
        Ok(out) if out.contains("running 1 test") => assert!(out.contains("nobody came"), "{out}"),
        other => eprintln!("skipped: no network namespace can be made ({other:?})"),
    }
}

#[tokio::test]
async fn fenced() {
    let is_fenced = std::env::var_os(FENCED).is_some();
    let mut listeners = Vec::new();
    if is_fenced {
        let up = Command::new("ip").args(["link", "set", "lo", "up"]).status();
        assert!(up.expect("ip").success());
        for (host, port) in
            ["0.0.0.0", "::1"].into_iter().flat_map(|host| [80, 443, 8080].map(|port| (host, port)))
        {
            let listener = TcpListener::bind((host, port)).expect(host);
            listener.set_nonblocking(true).expect("a listener");
            listeners.push(listener);
        }
    }
    every_address_is_refused_by_its_rule().await;
    for host in ["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "localhost"] {
        let said = expect(turnwise(["browse", &format!("http://{host}/"), "--json"]), 1);
        let reply: Value = serde_json::from_str(&said.out).expect("it is JSON");
        assert_eq!(reply["failed"]["detail"]["rule"], "address", "{host}");
    }
    for listener in &listeners {
        let came = listener.accept().expect_err("nobody comes");
        assert_eq!(came.kind(), ErrorKind::WouldBlock);
    }
    if is_fenced {
        println!("nobody came");
    }
}

#[tokio::test]
async fn names_that_lead_inside_are_not_connected_to() {
    let site = Site::start(|_| html("<p>fine</p>")).await;
    let inside = inner().await;
    let made = Made::new([
        ("both.test", vec![vec![site.addr, inside.addr]]),
        ("either.test", vec![vec![inside.addr, site.addr]]),
        ("inside.test", vec![vec![inside.addr]]),
        // Another address than before: for a second visit, and between robots.txt and its page.
        ("turns.test", vec![vec![site.addr], vec![inside.addr]]),
        ("robots.test", vec![vec![site.addr], vec![inside.addr]]),
        ("mapped.test", vec![vec!["[::ffff:127.0.0.1]:80".parse().expect("an address")]]),
        ("none.test", vec![vec![]]),
    ]);
    let fetcher = fetcher(&made, false);
    for name in ["both", "either", "inside", "mapped"] {
        for scheme in ["http", "https"] {
            let got = fetcher.fetch(&format!("{scheme}://{name}.test/"), None).await;
            assert_eq!(rule(&got), refused("address"), "{name}");
        }
    }
    assert!(fetcher.fetch("http://turns.test/", None).await.is_ok());
    assert_eq!(rule(&fetcher.fetch("http://turns.test/", None).await), refused("address"));
    let keeps = self::fetcher(&made, true).fetch("http://robots.test/page", None).await;
    assert_eq!(rule(&keeps), refused("address"));
    for name in ["none", "unknown"] {
        let got = fetcher.fetch(&format!("http://{name}.test/"), None).await;
        assert_eq!(rule(&got), (FailureClass::Connection, "name".to_owned()));
    }
    assert_eq!((inside.connections(), site.connections()), (0, 2));
}

#[tokio::test]
async fn redirects_pass_the_same_door() {
    let inside = inner().await;
    let port = inside.addr.port();
    let near = format!("http://127.0.0.2:{port}/");
    let leads = [
        ("address", "http://inside.test/"),
        ("address", "//inside.test/"),
        ("address", "https://inside.test/"),
        ("address", "http://127.0.0.2/"),
        ("address", "http://0x7f.2/"),
        ("address", "http://[::1]/"),
        ("address", "http://localhost/"),
        ("address", "http://turnwise.example/"),
        ("address", "http://[::1"),
        ("port", &near),
        ("port", "http://site.test:8080/"),
        ("userinfo", "http://a:b@site.test/"),
        ("scheme", "file:///etc/passwd"),
        ("scheme", "data:text/html,x"),
        ("scheme", "javascript:alert(1)"),
        ("redirects", "/0"),
    ];
    let to: Vec<String> = leads.iter().map(|(_, to)| (*to).to_owned()).collect();
    let statuses = [301, 302, 303, 307, 308];
    let site = Site::start(move |path| match path.trim_start_matches('/').parse::<usize>() {
        // The last one leads to the first, and so on for ever.
        Ok(0) if to.is_empty() => html(""),
        Ok(at) if at >= 100 => redirect(302, &format!("/{}", at - 1)),
        Ok(99) => html("<p>arrived</p>"),
        Ok(at) => redirect(statuses[at % 5], if at + 1 == to.len() { "/15#x" } else { &to[at] }),
        Err(_) => html("<p>fine</p>"),
    })
    .await;
    let made =
        Made::new([("site.test", vec![vec![site.addr]]), ("inside.test", vec![vec![inside.addr]])]);
    let fetcher = fetcher(&made, false);
    let visits =
        leads.iter().enumerate().map(|(at, (wanted, to))| {
            // A host of its own for each, so that none waits.
            made.add(&format!("site{at}.test"), site.addr);
            let (fetcher, address) = (&fetcher, format!("http://site{at}.test/{at}"));
            async move {
                assert_eq!(rule(&fetcher.fetch(&address, None).await), refused(wanted), "{to}")
            }
        });
    join_all(visits).await;
    let five = fetcher.fetch("http://site.test/104#part", None).await.expect("five redirects");
    assert_eq!((five.url.as_str(), five.text.as_str()), ("http://site.test/99", "<p>arrived</p>"));
    assert_eq!(rule(&fetcher.fetch("http://site0.test/105", None).await), refused("redirects"));
    assert_eq!(inside.connections(), 0);
}

#[tokio::test]
async fn what_is_no_page_is_refused_within_bounds() {
    use After::{Close, Endless, EndlessChunks, Hang};
    use FailureClass::{Connection, RateLimited, Refused, TooLarge, Undecodable};
    let bomb = gzip(&vec![b' '; 17_000_000]);
    let twice = gzip(&gzip(&vec![b' '; 200_000_000]));
    let ok = |headers: &str| format!("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n{headers}\r\n");
    let with = |headers: &str, bytes: &[u8]| {
        let length = format!("content-length: {}\r\n", bytes.len());
        [ok(&(length + headers)).as_bytes(), bytes].concat()
    };
    let gzipped = "content-encoding: gzip\r\n";
    let mut cases = vec![
        (ok("").into(), Endless, TooLarge, "size"),
        (ok("transfer-encoding: chunked\r\n").into(), EndlessChunks, TooLarge, "size"),
        (ok("content-length: 4000001\r\n").into(), Hang, TooLarge, "size"),
        (with(gzipped, &bomb), Close, TooLarge, "size"),
        (with(gzipped, &twice), Close, TooLarge, "size"),
        (with(gzipped, &bomb[..100]), Close, Undecodable, "body"),
        (with("content-encoding: lzma\r\n", &[0xff; 50]), Close, Undecodable, "body"),
    ];
    let broken = [
        ok(&"x-a: b\r\n".repeat(10_000)),
        ok("content-length: x\r\n"),
        ok("content-length: 100\r\n") + "short",
        ok("content-length: 1\r\ncontent-length: 2\r\n") + "ab",
        ok("transfer-encoding: chunked\r\n") + "zz\r\n",
        format!("HTTP/1.1 200 OK\r\nx-a: {}", "b".repeat(2_000_000)),
        "SSH-2.0-x\r\n".to_owned(),
        String::new(),
    ];
    cases.extend(broken.map(|text| (text.into_bytes(), Close, Connection, "connection")));
    cases.extend(["image/png", "application/pdf", "application/octet-stream"].map(|kind| {
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\n\r\n");
        (head.into_bytes(), Endless, Refused, "type")
    }));
    let busy = b"HTTP/1.1 503 X\r\nretry-after: 7200\r\ncontent-length: 0\r\n\r\n".to_vec();
    cases.push((busy, Close, RateLimited, "busy"));
    let last = cases.len() - 1;
    let made = Made::new([]);
    let fetcher = fetcher(&made, false);
    for (at, (bytes, after, class, wanted)) in cases.into_iter().enumerate() {
        let site = Site::answering(move |_| (bytes.clone(), after)).await;
        made.add(&format!("site{at}.test"), site.addr);
        let began = Instant::now();
        let got = fetcher.fetch(&format!("http://site{at}.test/"), None).await;
        assert_eq!(rule(&got), (class, wanted.to_owned()), "case {at}");
        assert!(began.elapsed() < Duration::from_secs(8), "case {at}");
    }
    let again = fetcher.fetch(&format!("http://site{last}.test/"), None).await;
    assert_eq!(rule(&again), (RateLimited, "busy".to_owned()), "it asked for two hours of rest");
    let no_tls = fetcher.fetch("https://site7.test/", None).await;
    assert_eq!(rule(&no_tls), (Connection, "connection".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn slow_sites_are_left() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n".to_vec();
    for (bytes, most) in [(Vec::new(), 10), (b"HTTP/1.1 200".to_vec(), 10), (head, 20)] {
        let site = Site::answering(move |_| (bytes.clone(), After::Hang)).await;
        let made = Made::new([("slow.test", vec![vec![site.addr]])]);
        let began = tokio::time::Instant::now();
        let got = fetcher(&made, false).fetch("http://slow.test/", None).await;
        assert_eq!(rule(&got), (FailureClass::Timeout, "time".to_owned()));
        assert!(began.elapsed() <= Duration::from_secs(most + 1), "{:?}", began.elapsed());
    }
}

#[tokio::test]
async fn pages_are_text_in_any_character_set() {
    let cases: [(&str, &[u8], &str, &str); 10] = [
        ("text/html; charset=UTF-8", "é问".as_bytes(), "text/html", "é问"),
        ("TEXT/HTML;charset=gbk", b"\xce\xca", "text/html", "问"),
        (
            "text/html",
            b"<meta charset=\"gb2312\">\xce\xca",
            "text/html",
            "<meta charset=\"gb2312\">问",
        ),
        ("text/html; charset=nonsense", b"caf\xe9", "text/html", "café"),
        ("text/plain", b"\xff\xfe\xee\x95", "text/plain", "\u{95ee}"),
        ("application/json", b"{}", "application/json", "{}"),
        ("application/ld+json", b"{}", "application/ld+json", "{}"),
        ("application/xhtml+xml", b"<p/>", "application/xhtml+xml", "<p/>"),
        ("", b" <p>", "text/html", " <p>"),
        ("", b"p", "text/plain", "p"),
    ];
    let made = Made::new([]);
    let fetcher = fetcher(&made, false);
    for (at, (kind, body, content_type, text)) in cases.into_iter().enumerate() {
        let kind =
            if kind.is_empty() { String::new() } else { format!("content-type: {kind}\r\n") };
        let length = body.len();
        let head = format!("HTTP/1.1 404 X\r\n{kind}content-length: {length}\r\n\r\n");
        let bytes = [head.as_bytes(), body].concat();
        let site = Site::answering(move |_| (bytes.clone(), After::Close)).await;
        made.add(&format!("site{at}.test"), site.addr);
        let page = fetcher.fetch(&format!("http://site{at}.test/"), None).await.expect("a page");
        let got = (page.status, page.content_type.as_str(), page.text.as_str());
        assert_eq!(got, (404, content_type, text));
        assert_eq!(page.source, Digest::of(body));
    }
}

#[tokio::test]
async fn a_site_hears_who_asks_and_nothing_else() {
    let site = Site::start(|_| html("<p>fine</p>")).await;
    let made = Made::new([("site.test", vec![vec![site.addr]])]);
    fetcher(&made, false).fetch("http://site.test/a?b#c", Some("zh-CN")).await.expect("a page");
    let seen = site.seen();
    let mut lines: Vec<_> = seen[0].trim_end().lines().collect();
    lines[1..].sort_unstable();
    let agent = format!(
        "user-agent: turnwise/{} (evaluation of language models; +https://lab.example/complaints)",
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(
        lines,
        [
            "GET /a?b HTTP/1.1",
            "accept-encoding: gzip, deflate, br, zstd",
            "accept-language: zh-CN, *;q=0.5",
            "accept: text/html, application/xhtml+xml, text/*;q=0.9, application/xml;q=0.8, application/json;q=0.8",
            "host: site.test",
            &agent,
        ]
    );
}

#[tokio::test]
async fn a_page_comes_back_as_text_and_a_refusal_at_the_first_attempt() {
    let site = Site::start(|_| html("<title>Mill</title><p>Built in 1707.</p>")).await;
    let made = Made::new([("site.test", vec![vec![site.addr]])]);
    let folder = folder();
    let config = crate::common::config(folder.path(), "http://127.0.0.1:9", "");
    let egress = Egress::open(&config).await.expect("it opens");
    let egress = egress.reading(Arc::new(fetcher(&made, false)));
    let visit = async |url: &str| {
        let visit = Visit { url: url.to_owned(), locale: None };
        let request = Outgoing::Use(Tool::Page(visit));
        egress.send(&request, None, &Account::open(), USUAL_ATTEMPTS).await
    };
    let Reply::Made(effect::Made::Page(page)) = visit("http://site.test/").await.reply else {
        panic!("no page")
    };
    assert_eq!((page.title.as_deref(), page.text.as_str()), (Some("Mill"), "Built in 1707."));
    // What two episodes want at once is fetched once.
    let both = join(visit("http://site.test/two"), visit("http://site.test/two")).await;
    assert_eq!(both.0.reply, both.1.reply);
    assert_eq!(site.seen().len(), 2);
    for address in ["http://127.0.0.2/", "an address", "ftp://site.test/"] {
        let answer = visit(address).await;
        assert!(
            matches!(&answer.reply, Reply::Failed(failure) if failure.class == FailureClass::Refused)
        );
        assert_eq!(answer.timing.attempts, 1);
    }
}

#[tokio::test]
async fn robots_txt_is_kept() {
    let inside = inner().await;
    let private = "User-agent: *\nDisallow: /private\n";
    let ours = "User-agent: turnwise\nDisallow: /\n\nUser-agent: *\nAllow: /";
    let many = "Disallow: /x$\n".repeat(1001);
    let texts = [
        (200, private, "/private/a", Some("robots")),
        (200, private, "/public", None),
        (200, ours, "/", Some("robots")),
        (200, "User-agent: *\nDisallow: /\nAllow: /p$", "/p", None),
        (200, &many, "/", Some("robots")),
        (404, "Disallow: /", "/", None),
        (403, "", "/", None),
        (503, "", "/", Some("robots")),
        (429, "", "/", Some("robots")),
    ];
    let mut cases: Vec<_> = texts
        .map(|(status, body, path, wanted)| {
            let length = body.len();
            let text = format!("HTTP/1.1 {status} X\r\ncontent-length: {length}\r\n\r\n{body}");
            (text.into_bytes(), After::Close, path, wanted)
        })
        .into();
    let huge =
        format!("HTTP/1.1 200 OK\r\ncontent-length: 100000000\r\n\r\n{private}").into_bytes();
    cases.extend([
        (huge.clone(), After::Endless, "/private", Some("robots")),
        (huge, After::Endless, "/public", None),
        (redirect(302, "http://inside.test/robots.txt"), After::Close, "/", Some("address")),
        (redirect(302, "/robots.txt"), After::Close, "/", None),
    ]);
    let made = Made::new([("inside.test", vec![vec![inside.addr]])]);
    let fetcher = fetcher(&made, true);
    for (at, (robots, after, path, wanted)) in cases.into_iter().enumerate() {
        let site = Site::answering(move |path| match path {
            "/robots.txt" => (robots.clone(), after),
            _ => (html("<p>fine</p>"), After::Close),
        })
        .await;
        made.add(&format!("site{at}.test"), site.addr);
        let got = fetcher.fetch(&format!("http://site{at}.test{path}"), None).await;
        match wanted {
            Some(wanted) => assert_eq!(rule(&got), refused(wanted), "case {at}"),
            None => assert!(got.is_ok(), "case {at}: {got:?}"),
        }
        let pages = site.seen().iter().filter(|head| !head.contains(" /robots.txt ")).count();
        assert_eq!(pages, usize::from(wanted.is_none()), "case {at}");
        assert!(site.written() < 20_000_000, "case {at}: {}", site.written());
    }
    let careless = self::fetcher(&made, false).fetch("http://site0.test/private/a", None).await;
    assert!(careless.is_ok());
    assert_eq!(inside.connections(), 0);
}

#[tokio::test]
async fn a_host_is_visited_twice_at_once_and_once_a_second() {
    let site = Site::start(|path| match path {
        "/busy" => b"HTTP/1.1 429 X\r\nretry-after: 2\r\ncontent-length: 0\r\n\r\n".to_vec(),
        _ => html("<p>fine</p>"),
    })
    .await;
    let made =
        Made::new([("site.test", vec![vec![site.addr]]), ("other.test", vec![vec![site.addr]])]);
    let fetcher = fetcher(&made, true);
    let began = Instant::now();
    let visits = (0..3).map(|_| fetcher.fetch("http://site.test/", None));
    assert!(join_all(visits).await.iter().all(Result::is_ok));
    let took = began.elapsed();
    assert!(took >= Duration::from_secs(2), "{took:?}");
    assert_eq!(site.seen().iter().filter(|head| head.contains(" /robots.txt ")).count(), 1);
    let busy = fetcher.fetch("http://other.test/busy", None).await;
    assert_eq!(busy.as_ref().expect_err("it is busy").retry_after, Some(Duration::from_secs(2)));
    let began = Instant::now();
    assert!(fetcher.fetch("http://other.test/", None).await.is_ok());
    assert!(began.elapsed() >= Duration::from_millis(1900), "{:?}", began.elapsed());
}
