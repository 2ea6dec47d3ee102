//! `GET /readyz`, `GET /api/about`, `GET /api/prices` and `GET /api/left-out`

use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use turnwise_shared::archive::Content;
use turnwise_shared::key::demo;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::{Access, BenchmarkInfo};

use crate::App;
use crate::access::find;
use crate::error::{Answer, Problem};
use crate::extract::Params;
use crate::{prices, sample_web};

/// What this server offers: names, never keys and never addresses.
pub async fn about(State(app): State<App>) -> Answer<Json<About>> {
    Ok(Json(About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        benchmarks: BENCHMARKS
            .iter()
            .map(|benchmark| BenchmarkInfo {
                name: benchmark.name().to_owned(),
                title: benchmark.title().to_owned(),
            })
            .collect(),
        providers: app.egress().providers(),
        engines: app.egress().engines(),
        task_sets: app.task_sets().await?,
        access: match app.config().is_open() {
            false => Access::Token,
            true => Access::Open,
        },
        visitors: app.config().limits.visitor_branches > 0,
        demo: find(&app, demo().as_str(), None).await.is_ok(),
        rendering_off: app.egress().renderer().off(),
        sample_web: sample_web::archive().map(|archive| archive.digest()),
    }))
}

/// An archive that the program has, so that a page can play on it.
pub async fn archive(Path(digest): Path<Digest>) -> Answer<Json<Content>> {
    match sample_web::archive() {
        Some(archive) if archive.digest() == digest => Ok(Json(archive.content().clone())),
        _ => Err(Problem::not_found("such archive")),
    }
}

/// `GET /readyz`: whether the server can do its work, for monitoring.
pub async fn ready(State(app): State<App>) -> Answer<Json<serde_json::Value>> {
    app.works()?;
    Ok(Json(serde_json::json!({ "ready": true })))
}

/// What services ask, under the names that endpoints and engines have here.
pub async fn prices(State(app): State<App>) -> Json<PriceBook> {
    Json(prices::book(app.config()))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Which {
    provider: String,
    model: String,
}

/// What of a sampling a model is never sent, as far as is known by now: names of parameters as replies say them.
pub async fn left_out(
    State(app): State<App>,
    Params(which): Params<Which>,
) -> Answer<Json<Vec<&'static str>>> {
    let left_out = app.egress().left_out(&which.provider, &which.model);
    left_out.map(Json).ok_or_else(|| Problem::not_found("provider of that name"))
}
