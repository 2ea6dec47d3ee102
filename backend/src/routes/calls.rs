//! `POST /api/call`, `POST /api/probe` and `POST /api/models`: one call each, without a socket.

use axum::Json;
use axum::extract::State;
use serde_json::json;
use turnwise_shared::effect::{Query, Reply};
use turnwise_shared::metrics::day::Day;
use turnwise_shared::seat::Sampling;
use turnwise_shared::wire::budgets::Caps;
use turnwise_shared::wire::{
    CallAnswer, CallRequest, ListModels, ModelList, Outgoing, Probe, Probed, Stream,
};

use super::recent::driven_lately;
use crate::App;
use crate::access::Operator;
use crate::clock::now;
use crate::error::{Answer, Problem};
use crate::limits;
use crate::outbound::probe;

/// Tokens that a probe may cost: enough for models that think first.
const PROBE_TOKENS: u32 = 512;

/// Hits that a probe asks for.
const PROBE_HITS: u32 = 5;

/// `POST /api/call`
pub async fn call(
    State(app): State<App>,
    limits::Json(wanted): limits::Json<CallRequest>,
) -> Answer<Json<CallAnswer>> {
    let CallRequest {
        key,
        token,
        epoch,
        request,
    } = wanted;
    let run = driven_lately(&app, &key.run, &token, epoch).await?;
    app.works()?;
    let mut waiting = app.calls().make(&run, key, request, Stream::Whole, None)?;
    Ok(Json(waiting.answer().await))
}

/// `POST /api/models`: which models a service lists. It costs nothing, but is sent with the operator's key.
pub async fn models(
    _: Operator,
    State(app): State<App>,
    limits::Json(wanted): limits::Json<ListModels>,
) -> Answer<Json<ModelList>> {
    let today = Day::of(now()).ok_or_else(|| Problem::internal("the clock names no day"))?;
    let listed = app.egress().models(&wanted.provider, &today).await;
    listed
        .map(Json)
        .ok_or_else(|| Problem::not_found("provider of that name"))
}

/// `POST /api/probe`: what comes of it is shown and not kept.
pub async fn probe(
    operator: Operator,
    State(app): State<App>,
    limits::Json(wanted): limits::Json<Probe>,
) -> Json<Probed> {
    let request = match wanted {
        Probe::Model { provider, model } => {
            let sampling = Sampling {
                max_tokens: Some(PROBE_TOKENS),
                ..probe::usual_sampling(&model)
            };
            probe::call(provider, model, sampling)
        }
        Probe::Search { engine, text } => Outgoing::Search {
            engine,
            query: Query {
                text,
                results: PROBE_HITS,
                locale: None,
            },
        },
    };
    let account = app
        .call_limits()
        .before(&Caps::default(), operator.token.as_deref());
    let CallAnswer { mut reply, timing } = app.egress().probe(&request, &account).await;
    if let (Reply::Failed(failure), Some(words)) = (&mut reply, &timing.words) {
        failure.message = format!("{}; it says: {words}", failure.message);
        if failure.detail.is_object() {
            failure.detail["words"] = json!(words);
        }
    }
    Json(Probed { reply, timing })
}
