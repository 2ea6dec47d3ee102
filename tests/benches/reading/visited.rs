//! What a first visit to the home page fetches in ten seconds, whatever the page does by itself in that time.

use std::time::Duration;

use turnwise_tests::chromium::Chromium;
use turnwise_tests::server::Server;

use super::Stage;

/// How long it is looked at.
const VISIT: Duration = Duration::from_secs(10);

/// What the page needs to be shown, in bytes (docs/measurements.md).
const NEEDED: f64 = 360_000.0;

pub async fn measure(stage: &Stage) {
    let server = Server::start(&stage.program, &stage.folder.join("visited"), &[]);
    let browser = Chromium::start(&stage.browser).await;
    let tab = browser.open(&server.url("/")).await;
    tokio::time::sleep(VISIT).await;
    let loaded = tab.loaded().await;
    println!(
        "first visit, fetched in 10 s  {:.2} MB in {} requests  {:.1}  what the page needs",
        loaded.bytes / 1e6,
        loaded.requests,
        loaded.bytes / NEEDED
    );
}
