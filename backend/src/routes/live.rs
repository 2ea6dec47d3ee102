//! `/api/live`: tables at which people sit. The messages are described in [`turnwise_shared::wire::live`].

pub mod socket;

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::Deserialize;
use tokio::time::timeout;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::live::{LiveOpened, OpenLive, SeatSays};

use crate::App;
use crate::access::{Caller, Operator, anonymous, bearer, find, owner};
use crate::error::{Answer, Problem};
use crate::extract::{Params, PathParam};
use crate::limits;
use crate::rooms::{self, Opener, Room};

/// The longest that a look waits for a change.
const LONGEST_LOOK: u64 = 25_000;

/// `POST /api/live`: a table can cost calls of models, so it is the operator's to open; a visitor opens one that costs nothing.
pub async fn open(
    caller: Caller,
    State(app): State<App>,
    headers: HeaderMap,
    limits::Json(mut wanted): limits::Json<OpenLive>,
) -> Answer<Json<LiveOpened>> {
    let owner = owner(&headers);
    let client = match caller {
        Caller::Operator(operator) => {
            let opener = Opener { access: operator.token, owner, is_visitor: false };
            return Ok(Json(rooms::open(&app, wanted, opener).await?));
        }
        Caller::Anonymous(client) => client,
    };
    // What follows from the spec is counted once the table is planned; here is what needs no plan.
    anonymous::check_table(&app, &wanted, 0)?;
    anonymous::pay(&app, client)?;
    wanted.caps = anonymous::caps();
    let opener = Opener { access: None, owner, is_visitor: true };
    let open = rooms::open(&app, wanted, opener);
    Ok(Json(anonymous::in_turn(&app, client, open).await?))
}

/// `GET /api/live`: the tables that are not over.
pub async fn list(_: Operator, State(app): State<App>) -> Json<Vec<LiveInfo>> {
    Json(app.rooms().open_ones())
}

/// `GET /api/live/{run}`
pub async fn info(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
) -> Answer<Json<LiveInfo>> {
    Ok(Json(told(&app, &id(&run)?, bearer(&headers)).await?))
}

/// `POST /api/live/{run}/cancel`
pub async fn cancel(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
) -> Answer<Json<LiveInfo>> {
    let table = table(&app, &run, bearer(&headers)).await?;
    table.cancel(bearer(&headers)).await?;
    Ok(Json(table.info()))
}

/// What a look waits for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// The version that is known already.
    after: Option<u64>,
    /// Milliseconds to wait for a newer one.
    wait: Option<u64>,
}

/// `GET /api/live/{run}/seat`: the present view; with `?after=VERSION&wait=MS` a newer one, if one comes in time.
pub async fn look(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    Params(Look { after, wait }): Params<Look>,
    headers: HeaderMap,
) -> Answer<Json<SeatView>> {
    let table = table(&app, &run, bearer(&headers)).await?;
    let seat = table.seat(bearer(&headers))?;
    table.look(&seat).await;
    let mut views = table.views(&seat).ok_or_else(|| Problem::not_found("such seat"))?;
    if let Some(after) = after {
        let wait = Duration::from_millis(wait.unwrap_or(LONGEST_LOOK).min(LONGEST_LOOK));
        let is_news = |view: &Arc<rooms::Seen>| view.version() > after || view.is_over();
        // If nothing comes in time, or ever, the present view is the answer.
        let _ = timeout(wait, views.wait_for(is_news)).await;
    }
    let view = views.borrow().now();
    Ok(Json(view))
}

/// `POST /api/live/{run}/seat`: sits down, replies, leaves. The answer shows what came of it.
pub async fn say(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
    limits::Json(says): limits::Json<SeatSays>,
) -> Answer<Json<SeatView>> {
    let table = table(&app, &run, bearer(&headers)).await?;
    let seat = table.seat(bearer(&headers))?;
    table.say(&seat, says).await?;
    let views = table.views(&seat).ok_or_else(|| Problem::not_found("such seat"))?;
    let view = views.borrow().now();
    Ok(Json(view))
}

fn id(run: &str) -> Answer<RunId> {
    run.parse().map_err(|_| rooms::none())
}

/// What a client with this token, if any, may know of a table: before its end what it shows to everyone, then only if it may see
/// its run.
///
/// # Errors
/// If there is none of that id for this reader, or its run was withdrawn.
async fn told(app: &App, run: &RunId, token: Option<&str>) -> Answer<LiveInfo> {
    let info = rooms::info(app, run).await?;
    if info.stage != LiveStage::Over {
        return Ok(info);
    }
    match find(app, run.as_str(), token).await.map_err(|problem| problem.status) {
        Err(StatusCode::NOT_FOUND) => Err(rooms::none()),
        Err(StatusCode::GONE) => Err(Problem::withdrawn()),
        // Of one that ends just now as much is shown as a moment ago.
        Ok(_) | Err(_) => Ok(info),
    }
}

/// A table at which a player can sit; one that is over for a client that has a ticket of it, or may see its run.
async fn table(app: &App, run: &str, token: Option<&str>) -> Answer<Arc<Room>> {
    let run = id(run)?;
    let at_hand = app.rooms().find(&run);
    if let Some(table) = &at_hand
        && (!table.is_over() || table.seat(token).is_ok())
    {
        return Ok(Arc::clone(table));
    }
    // The error is another one where there never was such a table.
    let info = told(app, &run, token).await?;
    at_hand.ok_or_else(|| match info.stage {
        LiveStage::Over => Problem::conflict("The table is over.").mend("Look at its run."),
        _ => Problem::conflict("The table stands on another server.")
            .mend("Use the address under which it was opened."),
    })
}
