//! How soon a board is shown by a server that has 10,000 published runs and the summaries of 1,000,000 episodes: half of the runs
//! on one board, the others on fifty. p95 over requests to the router itself, without a network; and the first request after
//! a run was published, when everything is made anew.
//!
//! The store is SQLite's file in a temporary folder. What is written there is made up; that it is a million rows of
//! summaries only shows that boards do not read them.

mod common;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{Request, StatusCode};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection as _, SqliteConnection};
use tower::ServiceExt as _;
use turnwise_backend::store::{KeptEntry, Logging, NewRun};
use turnwise_backend::{App, build_app};
use turnwise_shared::benchmark::default_spec;
use turnwise_shared::examples::{QUESTIONS, example};
use turnwise_shared::prelude::*;
use turnwise_shared::wire::publishing::{Change, Entry, Measure, Numbers, Owner};

const RUNS: u32 = 10_000;
/// Of these, on one board.
const ON_ONE: u32 = 5_000;
const OTHERS: u32 = 50;
const EPISODES: u32 = 100;
const REQUESTS: usize = 200;
/// What a page should not have to wait for longer.
const AIM: Duration = Duration::from_millis(50);

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let app = common::open(folder.path()).await;
    let boards = fill(&app, &folder.path().join("turnwise.db")).await;
    let service = build_app(app.clone());
    let ask = async |path: &str| {
        let request = Request::get(path)
            .header("host", "127.0.0.1")
            .body(Body::empty())
            .expect("a sound request");
        let started = Instant::now();
        let answer = service.clone().oneshot(request).await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        let bytes = axum::body::to_bytes(answer.into_body(), usize::MAX).await.expect("a body");
        (started.elapsed(), bytes.len())
    };
    let large = format!("/api/boards/{}", boards[0]);
    let small = format!("/api/boards/{}", boards[1]);
    let kinds = [
        ("list of boards", "/api/boards".to_owned()),
        ("board of 5,000 runs", large.clone()),
        (
            "board of 5,000 runs, sorted and filtered",
            format!("{large}?sort=cost&standing=verified&q=model-1"),
        ),
        ("board of 100 runs", small),
        ("board of 5,000 runs as CSV", format!("{large}?format=csv")),
    ];
    for (name, path) in &kinds {
        let (first, bytes) = ask(path).await;
        let mut times = Vec::with_capacity(REQUESTS);
        for _ in 0..REQUESTS {
            times.push(ask(path).await.0);
        }
        times.sort_unstable();
        let p95 = times[REQUESTS * 95 / 100];
        println!(
            "{name}, p95  {:.1} ms  {:.2}  the aim of {} ms; {RUNS} runs, {} episodes; first time {:.0} ms; {} kB",
            p95.as_secs_f64() * 1e3,
            p95.as_secs_f64() / AIM.as_secs_f64(),
            AIM.as_millis(),
            RUNS * EPISODES,
            first.as_secs_f64() * 1e3,
            bytes / 1000,
        );
    }
    let mut anew = Vec::new();
    for number in 0..5 {
        publish(&app, RUNS + number, 0).await;
        // Whatever was kept may be a second old.
        tokio::time::sleep(Duration::from_millis(1100)).await;
        anew.push(ask(&large).await.0);
    }
    anew.sort_unstable();
    println!(
        "board of 5,000 runs, first after a run was published  {:.0} ms  -  median of {}; made anew from the database",
        anew[anew.len() / 2].as_secs_f64() * 1e3,
        anew.len()
    );
    app.store().close().await;
}

fn board_of(spec: &Spec) -> Digest {
    registry::find(&spec.benchmark).expect("it is registered").board(spec)
}

/// Fills the store; the keys of some boards, the large one first.
async fn fill(app: &App, database: &std::path::Path) -> Vec<Digest> {
    let mut boards = vec![board_of(&spec(0, 0)), board_of(&spec(1, 0))];
    boards.dedup();
    for number in 0..RUNS {
        let board = match number < ON_ONE {
            true => 0,
            false => 1 + number % OTHERS,
        };
        publish(app, number, board).await;
    }
    // In bulk: one by one it would take longer than everything else together.
    let options = SqliteConnectOptions::new().filename(database);
    let mut connection =
        SqliteConnection::connect_with(&options).await.expect("the database is there");
    sqlx::query(
        "WITH RECURSIVE play (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM play WHERE n < $1) \
         INSERT INTO summaries (run, play, play_chain, grading_chain, maker, score, summary) \
         SELECT r.id, p.n || '.1.play', '', NULL, 'bench', 0.5, $2 FROM runs r CROSS JOIN play p",
    )
    .bind(EPISODES)
    .bind(r#"{"ending":"answered","ribbon":[],"usage":{},"faults":{},"flags":{},"failures":{},"measured":{}}"#)
    .execute(&mut connection)
    .await
    .expect("the summaries are written");
    connection.close().await.expect("the connection closes");
    boards
}

/// The spec of a board's runs, by a player.
fn spec(board: u32, player: u32) -> Spec {
    let benchmark = example(QUESTIONS);
    let mut spec = default_spec(benchmark);
    spec.seed = u64::from(board);
    if let Some(sitting) = spec.seats.get_mut(&Seat::new(Seat::PLAYER)) {
        sitting.player = Player::Model {
            provider: "made-up".to_owned(),
            model: format!("model-{}", player % 40),
        };
    }
    spec
}

async fn publish(app: &App, number: u32, board: u32) {
    let spec = spec(board, number);
    let mut random = [0; 16];
    random[..4].copy_from_slice(&number.to_le_bytes());
    let run = RunId::new(random);
    let opened = 1_790_000_000_000 + u64::from(number) * 60_000;
    let new = NewRun {
        tags: Vec::new(),
        run: run.clone(),
        token: Digest::of(number.to_string()),
        title: String::new(),
        spec: spec.clone(),
        opened,
        episodes: EPISODES,
        regrades: None,
        branch_of: None,
        visibility: Visibility::Public,
        is_visitors: false,
    };
    let store = app.store();
    store.add_run(&new).await.expect("a run is kept");
    let owner = Owner::of_key(&(number % 200).to_string());
    let key = board_of(&spec);
    store.set_opening(&run, Some(&owner), &key).await.expect("its owner is kept");
    let share = f64::from(number % 997) / 997.0;
    let half = 1.96 * (share * (1.0 - share) / f64::from(EPISODES)).sqrt();
    let measure = |label: &str, value: f64, interval| Measure {
        key: String::new(),
        label: label.to_owned(),
        value: Some(value),
        interval,
        unit: Unit::Fraction,
    };
    let player = spec.seats[&Seat::new(Seat::PLAYER)].player.clone();
    let kept = KeptEntry {
        entry: Entry {
            run: run.clone(),
            board: key,
            benchmark: spec.benchmark.clone(),
            title: String::new(),
            players: BTreeMap::from([(Seat::new(Seat::PLAYER), player)]),
            tier: match number % 3 {
                0 => EvidenceTier::SelfReported,
                _ => EvidenceTier::Verified,
            },
            owner: Some(owner),
            opened,
            published: opened + 3_600_000,
            numbers: Numbers {
                plays: EPISODES,
                tasks: EPISODES,
                measures: vec![
                    measure("Accuracy", share, Some((share - half, share + half))),
                    measure("Calibration error", 1.0 - share, None),
                    measure("Rounds", 5.0, None),
                    measure("Interaction rate", share / 2.0, None),
                    measure("Asks", 2.0, None),
                ],
                player_cost: Some(u64::from(number) * 1000),
                latency: Some(900),
                ..Numbers::default()
            },
        },
        evidence: BTreeMap::new(),
        findings: Vec::new(),
        transcripts: store.transcripts(&run, None).await.expect("they are read"),
        maker: "bench".to_owned(),
        left: None,
    };
    let logging = Logging::new(Change::Admitted, "made up", kept.entry.published);
    store.place(&kept, None, &logging).await.expect("it is admitted");
}
