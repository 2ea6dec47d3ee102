//! `POST /api/call`, `POST /api/probe` and `POST /api/models`: one call each, without a socket.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use serde_json::json;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::{CallRequest, ListModels, ModelList, Probe, Probed};

use super::recent::driven_lately;
use crate::App;
use crate::access::Operator;
use crate::clock::now;
use crate::error::{Answer, Problem};
use crate::limits::{self, BodyBytes, Taken};
use crate::long_texts::{LONG, beside};
use crate::outbound::probe;

/// Tokens that a probe may cost: enough for models that think first.
const PROBE_TOKENS: u32 = 512;

/// Hits that a probe asks for.
const PROBE_HITS: u32 = 5;

/// `POST /api/call`
pub async fn call(
    State(app): State<App>,
    held: Option<Extension<BodyBytes>>,
    limits::Json(wanted): limits::Json<CallRequest>,
) -> Answer<Response> {
    let CallRequest { key, token, epoch, request } = wanted;
    let run = driven_lately(&app, &key.run, &token, epoch).await?;
    if let Some(Extension(held)) = held.filter(|_| !run.is_visitors) {
        held.is_known();
    }
    let mut waiting = app.calls().make(&run, key, request, Stream::Whole, None)?;
    let answer = waiting.answer().await;
    let json = beside(answer.reply.bytes(), || serde_json::to_vec(&answer)).await;
    let json = json.map_err(Problem::internal)?;
    // It stays counted until the client has read it.
    let bytes = json.len().saturating_sub(LONG);
    let room = match bytes {
        0 => None,
        bytes => Some(app.bytes().of_known().take(bytes).await),
    };
    let body = Bytes::from_owner(Sent { json, _room: room });
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

/// The body of an answer, with the room that it takes.
struct Sent {
    json: Vec<u8>,
    _room: Option<Taken>,
}

impl AsRef<[u8]> for Sent {
    fn as_ref(&self) -> &[u8] {
        &self.json
    }
}

/// `POST /api/models`: which models a service lists. It costs nothing, but is sent with the operator's key.
pub async fn models(
    _: Operator,
    State(app): State<App>,
    limits::Json(wanted): limits::Json<ListModels>,
) -> Answer<Json<ModelList>> {
    let today = Day::of(now()).ok_or_else(|| Problem::internal("the clock names no day"))?;
    let listed = app.egress().models(&wanted.provider, &today).await;
    listed.map(Json).ok_or_else(|| Problem::not_found("provider of that name"))
}

/// `POST /api/probe`: what comes of it is shown and not kept.
pub async fn probe(
    operator: Operator,
    State(app): State<App>,
    limits::Json(wanted): limits::Json<Probe>,
) -> Json<Probed> {
    let request = match wanted {
        Probe::Model { provider, model } => {
            let sampling =
                Sampling { max_tokens: Some(PROBE_TOKENS), ..probe::usual_sampling(&model) };
            probe::call(provider, model, sampling)
        }
        Probe::Search { engine, text } => Outgoing::Search {
            engine,
            query: Query { text, results: PROBE_HITS, locale: None, since: None },
        },
    };
    let account = app.call_limits().before(&Caps::default(), operator.token.as_deref());
    let CallAnswer { mut reply, timing } = app.egress().probe(&request, &account).await;
    if let (Reply::Failed(failure), Some(words)) = (&mut reply, &timing.words) {
        failure.message = format!("{}; it says: {words}", failure.message);
        if failure.detail.is_object() {
            failure.detail["words"] = json!(words);
        }
    }
    Json(Probed { reply, timing })
}
