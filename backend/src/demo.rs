//! The demo: a run of the first benchmark's samples that a new server plays with built-in players, so that it has something to
//! show. It costs nothing and needs no network. Its id is the same everywhere ([`demo`]), and an operator who withdraws it keeps
//! it away: the row stays. No client has its token, so it is never published.

use turnwise_shared::benchmark::default_spec;
use turnwise_shared::key::demo;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::driving::RunState;
use turnwise_shared::wire::naming::default_title;

use crate::App;
use crate::access::again;
use crate::driving::begin;
use crate::error::Answer;
use crate::store::{NewRun, RunHead};
use crate::{clock, random};

/// The engine over the sample documents.
const SAMPLE_DOCUMENTS: &str = "local";

/// Opens and plays the demo where the server has no run at all and its operator wants one. One that was opened before and never
/// begun is begun now.
///
/// # Errors
/// If it cannot be stored or driven.
pub async fn show(app: &App) -> Answer<()> {
    if !app.config().demo {
        return Ok(());
    }
    if let Some(head) = app.store().run_head(&demo()).await? {
        // The server failed between opening it and driving it.
        return match head.left == RunState::Open && head.lease.is_none() {
            true => play(app, head).await,
            false => Ok(()),
        };
    }
    if app.store().has_runs().await? {
        return Ok(());
    }
    let benchmark = BENCHMARKS[0];
    let samples = benchmark.samples();
    let engines = app.egress().engines();
    let engine = engines.iter().find(|one| one.name == SAMPLE_DOCUMENTS);
    let mut spec = default_spec(benchmark);
    spec.tasks = Named::from(&samples);
    if benchmark.check_spec(&spec).is_err() {
        spec.search = engine.map(|engine| SearchSpec {
            engine: engine.name.clone(),
            corpus: engine.corpus,
            results: benchmark.search_results(),
        });
    }
    let new = NewRun {
        run: demo(),
        // It is given to no client.
        token: Digest::of(hex(&random::bytes::<32>())),
        title: format!("Demo: {}", default_title(benchmark, &spec)),
        tags: vec!["demo".to_owned()],
        episodes: u32::try_from(samples.tasks.len()).unwrap_or(u32::MAX),
        opened: clock::now(),
        regrades: None,
        branch_of: None,
        visibility: Visibility::Public,
        is_visitors: false,
        spec,
    };
    app.store().add_run(&new).await?;
    play(app, again(app, &new.run).await?).await
}

async fn play(app: &App, head: RunHead) -> Answer<()> {
    let board = BENCHMARKS[0].board(&head.spec);
    app.store().set_opening(&head.run, None, &board).await?;
    begin(app, head, Drive::default()).await
}
