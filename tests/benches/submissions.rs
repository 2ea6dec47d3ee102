//! How many submissions a server verifies in a second: a run over samples is played through it, so that every
//! call has its receipt, and then checked again and again as publishing checks it: each transcript is played again, each receipt
//! and signature checked, each number computed. The store is SQLite's file.
//!
//! As many checks are asked for at once as a server makes; what is compared is a call through the same door, because the
//! submitter of a run has paid for its calls: checking should cost no more than making them.

use std::time::{Duration, Instant};

use futures::future::join_all;
use reqwest::Method;
use serde_json::Value;
use turnwise_shared::prelude::*;
use turnwise_tests::asking::Asking;
use turnwise_tests::house::{Address, House};

/// Tasks of the run: all samples.
const TASKS: u32 = 20;
/// Checks that are asked for at once.
const AT_ONCE: usize = 2;
/// How long it is measured.
const ROUND: Duration = Duration::from_secs(8);

#[tokio::main]
async fn main() {
    let house = House::start(Address::OwnHost).await;
    let began = Instant::now();
    let (opened, admission) = house.published(TASKS).await;
    let played = began.elapsed();
    assert_eq!(admission.entry.tier, EvidenceTier::Verified);
    let asking = Asking::new(&house.server);
    let path = format!("/api/runs/{}/check", opened.run);
    let check = async || {
        let token = Some(opened.token.as_str());
        let came = asking.ask(Method::POST, &path, token, &Value::Null).await;
        let checked: Admission = came.json();
        assert_eq!(checked.entry.numbers, admission.entry.numbers);
    };
    check().await;
    let (began, mut checks) = (Instant::now(), 0_u32);
    while began.elapsed() < ROUND {
        join_all((0..AT_ONCE).map(|_| check())).await;
        checks += AT_ONCE as u32;
    }
    let each = began.elapsed() / checks;
    let rate = 1.0 / each.as_secs_f64();
    println!(
        "submissions verified  {rate:.1}/s, {:.1} ms each  {:.3}  the time in which the run was played, {:.0} ms; {TASKS} episodes and as \
         many gradings, {:.0} transcripts a second",
        each.as_secs_f64() * 1e3,
        each.as_secs_f64() / played.as_secs_f64(),
        played.as_secs_f64() * 1e3,
        rate * f64::from(2 * TASKS),
    );
}
