//! `POST /api/runs/{run}/thinking`: how long people in a run's seats thought.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use turnwise_shared::seat::Player;
use turnwise_shared::visitors::MOST_CALLS;
use turnwise_shared::wire::thinking::Thought;

use crate::App;
use crate::access::{bearer, may_change, owned};
use crate::error::{Answer, Problem};
use crate::extract::PathParam;
use crate::limits;

/// The most calls of one request.
const MOST: usize = 1000;

pub async fn thinking(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
    limits::Json(thoughts): limits::Json<Vec<Thought>>,
) -> Answer<StatusCode> {
    let run = owned(&app, &run, bearer(&headers)).await?;
    let mut seats = run.spec.seats.values();
    if !seats.any(|sitting| sitting.player == Player::Person) {
        return Err(Problem::unfit("No person sits in this run."));
    }
    if thoughts.len() > MOST {
        return Err(Problem::unfit(format!("One request has at most {MOST} calls.")));
    }
    if run.is_visitors {
        let is_its_own = |thought: &Thought| {
            let of = run.branch_of.as_ref();
            of.is_some_and(|of| of.episode == thought.episode.its_play())
                && u64::from(thought.call.0) < MOST_CALLS
        };
        if !thoughts.iter().all(is_its_own) {
            return Err(Problem::unfit("The run has no such call."));
        }
    }
    may_change(&app, &run.run).await?;
    app.store().add_thoughts(&run.run, &thoughts).await?;
    Ok(StatusCode::NO_CONTENT)
}
