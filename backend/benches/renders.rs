//! How many pages are rendered in a second, and how long each takes, by the pool of browsers and by a new browser for every page; and
//! how much memory a browser needs. Without a browser it says so.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use futures::future::join_all;
use turnwise_backend::rendering::{MOST_PIXELS, Options, Order, Renderer, find, memory_of};

/// Pages of a measurement, all different.
const PAGES: usize = 40;
/// The most memory of a browser, in bytes.
const MEMORY_AIM: f64 = 4e8;

/// A page of 24 cards.
fn page(number: usize) -> String {
    let card = |at: usize| {
        format!(
            "<div><h2>Card {number}-{at}</h2><p>What it holds, in a line or two of text.</p><b>€ {at}.90</b></div>"
        )
    };
    let cards: String = (0..24).map(card).collect();
    format!(
        "<!doctype html><style>body {{ margin: 24px; font-family: sans-serif; display: grid; grid-template-columns: repeat(4, 1fr); gap: 16px }} \
         div {{ border: 1px solid #ccd; border-radius: 8px; padding: 16px; box-shadow: 0 1px 3px #0002 }}</style>{cards}"
    )
}

/// Renders all pages, as many at once as there are browsers: pages a second and the 95th percentile of what one took.
async fn measured(renderer: &Renderer, browsers: usize, pages: usize) -> (f64, Duration) {
    let (pages, next) = ((0..pages).map(page).collect::<Vec<_>>(), AtomicU64::new(0));
    let began = Instant::now();
    let took = join_all((0..browsers).map(async |_| {
        let mut took = Vec::new();
        while let Some(html) = pages.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
            let began = Instant::now();
            let order = Order { html, width: 1280, height: 720, most_height: MOST_PIXELS };
            renderer.render(order).await.expect("the page is rendered");
            took.push(began.elapsed());
        }
        took
    }));
    let mut took = took.await.concat();
    let rate = pages.len() as f64 / began.elapsed().as_secs_f64();
    took.sort();
    (rate, took[took.len() * 95 / 100])
}

#[tokio::main]
async fn main() {
    let program = match find() {
        Ok(program) => program,
        Err(why) => return println!("renders  not measured  -  {why}"),
    };
    let browsers = available_parallelism().map_or(1, NonZero::get);
    let pool = Renderer::new(Ok(Options::new(program.clone())));
    let single = Renderer::new(Ok(Options { most_renders: 1, ..Options::new(program) }));
    // The fence is tested and the browsers are started before.
    for renderer in [&pool, &single] {
        measured(renderer, browsers, browsers).await;
    }
    let own = memory_of(std::process::id());
    let most = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&most);
    let watch = tokio::spawn(async move {
        loop {
            let now = tokio::task::spawn_blocking(|| memory_of(std::process::id())).await;
            seen.fetch_max(now.unwrap_or_default(), Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    let (rate, p95) = measured(&pool, browsers, PAGES).await;
    watch.abort();
    pool.close().await;
    let idle = memory_of(std::process::id()).min(own);
    let memory = most.load(Ordering::Relaxed).saturating_sub(idle) as f64 / browsers as f64;
    let (rate_new, p95_new) = measured(&single, browsers, PAGES).await;
    println!(
        "renders, 24 cards  {rate:.1}/s, p95 {:.0} ms  {:.2}  a new browser for every page, {rate_new:.1}/s, p95 {:.0} ms",
        p95.as_secs_f64() * 1e3,
        rate / rate_new,
        p95_new.as_secs_f64() * 1e3,
    );
    println!(
        "memory of a browser  {:.0} MB  {:.2}  the aim, {:.0} MB",
        memory / 1e6,
        memory / MEMORY_AIM,
        MEMORY_AIM / 1e6
    );
}
