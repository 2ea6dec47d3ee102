//! What the way to the web costs: the guard beside a plain client, pages that are fetched and read in a second beside reading their tags
//! alone, and the report of a run over as many questions as the official file has.

use std::future::ready;
use std::hint::black_box;
use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::{BoxFuture, join_all};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use turnwise_backend::config::Manners;
use turnwise_backend::fetching::{Fetcher, Surroundings};
use turnwise_backend::outbound::Pages as _;
use turnwise_backend::services::{markup, reach};
use turnwise_shared::benchmark::default_spec;
use turnwise_shared::effect::Visit;
use turnwise_shared::prelude::*;

const REQUESTS: usize = 1_000;
/// The most that the guard may add to a request.
const GUARD_AIM: Duration = Duration::from_millis(1);
const PAGES: usize = 300;
/// Bytes of a page.
const PAGE: usize = 100_000;
/// Pages in a second on two cores.
const PAGES_AIM: f64 = 30.0;
const QUESTIONS: usize = 245;
const REPORT_AIM: Duration = Duration::from_millis(50);

/// One server on loopback stands for the whole web.
struct Loopback(SocketAddr);

impl Surroundings for Loopback {
    fn resolve(&self, _: String) -> BoxFuture<'static, std::io::Result<Vec<SocketAddr>>> {
        Box::pin(ready(Ok(vec![self.0])))
    }

    fn is_public(&self, address: IpAddr) -> bool {
        address == self.0.ip()
    }
}

/// A server of one page; it closes each connection, and knows no robots.txt.
async fn serve(body: &str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
    let addr = listener.local_addr().expect("it is bound");
    let answer = |status: &str, body: &str| -> Arc<str> {
        let length = body.len();
        format!("HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}").into()
    };
    let (page, none) = (answer("200 OK", body), answer("404 Not Found", ""));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(converse(stream, Arc::clone(&page), Arc::clone(&none)));
        }
    });
    addr
}

async fn converse(mut stream: TcpStream, page: Arc<str>, none: Arc<str>) -> std::io::Result<()> {
    let (mut head, mut piece) = (Vec::new(), [0; 1024]);
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut piece).await? {
            0 => return Err(ErrorKind::UnexpectedEof.into()),
            read => head.extend_from_slice(&piece[..read]),
        }
    }
    let answer = if head.starts_with(b"GET /robots.txt") { none } else { page };
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await
}

fn fetcher(addr: SocketAddr, robots: bool) -> Fetcher {
    let manners = Manners { contact: None, robots, own_names: Vec::new() };
    Fetcher::within(Arc::new(Loopback(addr)), &manners).expect("a client")
}

/// Each at a host of its own, so that none waits for its turn.
fn address(at: usize) -> String {
    format!("http://site{at}.test/page")
}

/// The means of a request through the guard and by a plain client, one after the other.
async fn guarded() -> (Duration, Duration) {
    let addr = serve("<p>A page.</p>").await;
    let fetcher = fetcher(addr, false);
    let plain = reach::builder().pool_max_idle_per_host(0).build().expect("a client");
    let (mut ours, mut theirs) = (Duration::ZERO, Duration::ZERO);
    for at in 0..REQUESTS {
        let began = Instant::now();
        fetcher.fetch(&address(at), None).await.expect("a page");
        ours += began.elapsed();
        let began = Instant::now();
        let response = plain.get(format!("http://{addr}/page")).send().await.expect("an answer");
        black_box(response.text().await.expect("a page"));
        theirs += began.elapsed();
    }
    let requests = u32::try_from(REQUESTS).expect("a small number");
    (ours / requests, theirs / requests)
}

/// A page of paragraphs, links and a table, with as much markup as text.
fn page() -> String {
    let mut page = "<!doctype html><html lang=en><title>A page</title><body>".to_owned();
    for at in 0.. {
        if page.len() >= PAGE {
            break;
        }
        page.push_str(&format!(
            "<section class=\"part\"><h2 id=\"s{at}\">Part {at}</h2><p>The mill at <a href=\"/wiki/{at}\" title=\"Place {at}\">place \
             {at}</a> was built in {} and has &frac12; of its wheels.</p><table><tr><th>Built<td>{}<tr><th>Wheels<td>2</table></section>",
            1700 + at % 300,
            1700 + at % 300,
        ));
    }
    page
}

/// Pages in a second that are fetched, robots.txt included, and read; and how many tags alone are.
async fn read() -> (f64, f64) {
    let page = page();
    let fetcher = fetcher(serve(&page).await, true);
    let rate = |took: Duration| PAGES as f64 / took.as_secs_f64();
    let began = Instant::now();
    let visits: Vec<Visit> =
        (0..PAGES).map(|at| Visit { url: address(at), locale: None }).collect();
    let read = join_all(visits.iter().map(|visit| fetcher.read(visit))).await;
    let took = began.elapsed();
    let is_whole = |page: &turnwise_shared::effect::Page| page.text.contains("Part 99");
    assert!(read.iter().flatten().filter(|page| is_whole(page)).count() == PAGES);
    let began = Instant::now();
    let tags = (0..PAGES).map(|_| markup::pieces(&page).count()).sum::<usize>();
    assert!(tags > PAGES);
    (rate(took), rate(began.elapsed()))
}

/// How long the report over all questions takes.
fn reported() -> Duration {
    let benchmark = registry::find("infodeepseek").expect("it is registered");
    let spec = default_spec(benchmark);
    let summary = |at: usize| {
        let verdict = |every: usize| at.is_multiple_of(every);
        let pages: Vec<bool> = (0..at % 6).map(|page| verdict(page + 3)).collect();
        let numbers = json!({
            "pages": pages, "conclusion": verdict(4), "offline": verdict(9), "is_graded": true, "stopped": "done",
            "plans": 4, "steps": 3, "searches": 2, "opened": 1, "judged": [4, 4, 4, 0],
        });
        let labels = json!({
            "attributes": (["multi-hop", "long-tail, freshness", "false premise"][at % 3]),
            "domain": format!("domain {}, domain {}", at % 14, at % 5),
            "language": format!("language {}", at % 19),
            "sources": (at % 4 + 1).to_string(),
        });
        let score = f64::from(u8::from(verdict(4)));
        let none = json!({});
        let summary = json!({
            "task": { "id": at.to_string(), "digest": Digest::of(""), "labels": labels }, "repeat": 1, "spec": Digest::of(""),
            "ending": "answered", "complete": true, "score": score, "ribbon": [], "usage": none, "faults": none, "flags": none,
            "failures": none, "measured": { "score": score, "numbers": numbers },
        });
        serde_json::from_value(summary).expect("a summary")
    };
    let summaries: Vec<Summary> = (0..QUESTIONS).map(summary).collect();
    let summaries: Vec<&Summary> = summaries.iter().collect();
    let took = |_| {
        let began = Instant::now();
        black_box(benchmark.report(&spec, &summaries, &MeasureOptions::default()));
        began.elapsed()
    };
    let mut took: Vec<Duration> = (0..9).map(took).collect();
    took.sort();
    took[took.len() / 2]
}

#[tokio::main]
async fn main() {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let (ours, plain) = guarded().await;
    let beside = ours.saturating_sub(plain);
    println!(
        "guard, beside the network  {:.3} ms  {:.2}  the aim, {} ms",
        milliseconds(beside),
        beside.as_secs_f64() / GUARD_AIM.as_secs_f64(),
        GUARD_AIM.as_millis(),
    );
    println!(
        "a request through the guard  {:.3} ms  {:.2}  plain reqwest to the same server, {:.3} ms",
        milliseconds(ours),
        ours.as_secs_f64() / plain.as_secs_f64(),
        milliseconds(plain),
    );
    let (rate, tags) = read().await;
    println!(
        "pages of 100 kB, fetched and read  {rate:.0}/s  {:.1}  the aim, {PAGES_AIM}/s",
        rate / PAGES_AIM
    );
    println!(
        "pages of 100 kB, fetched and read  {rate:.0}/s  {:.2}  html5gum reading their tags on one core, {tags:.0}/s",
        rate / tags
    );
    let took = reported();
    println!(
        "report over {QUESTIONS} questions  {:.0} ms  {:.2}  the aim, {} ms",
        milliseconds(took),
        took.as_secs_f64() / REPORT_AIM.as_secs_f64(),
        REPORT_AIM.as_millis(),
    );
}
