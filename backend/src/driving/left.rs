//! Runs that a server drove and left, because it was stopped or killed: the server that finds them goes on with them.

use std::sync::Weak;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use turnwise_shared::prelude::*;

use super::begin;
use super::lease::{again, turn};
use crate::clock::now;
use crate::error::{Answer, Problem};
use crate::store::{MayBeOutage as _, StoreError};
use crate::{App, Parts};

const LOOK: Duration = Duration::from_secs(2);

/// Looks for runs that were left, from now until the server stops.
pub(crate) async fn look_after(parts: Weak<Parts>) {
    let mut looks = interval(LOOK);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        looks.tick().await;
        let Some(app) = parts.upgrade().map(App) else {
            return;
        };
        if app.is_closing() {
            return;
        }
        match app.store().left_by_servers(now()).await {
            Ok(left) => {
                for (run, drive) in left {
                    go_on(&app, &run, drive).await;
                }
            }
            Err(StoreError::Closed) => return,
            // Logged once, by the task that finds out whether it works.
            Err(error) if error.is_outage() => {
                if app.store().until_sound().await.is_err() {
                    return;
                }
            }
            Err(error) => tracing::warn!(%error, "runs that were left cannot be looked for"),
        }
    }
}

async fn go_on(app: &App, run: &RunId, drive: Drive) {
    // One that is driven here is only late with a sign; one for which there is no room here may find some elsewhere, or later.
    if app.drives().has(run) || !app.drives().has_room() {
        return;
    }
    let begun = match again(app, run).await {
        Ok(head) => begin(app, head, drive).await,
        Err(problem) => Err(problem),
    };
    match begun {
        Ok(()) => tracing::info!(%run, "the server goes on with a run"),
        // The next look tries again.
        Err(problem) if problem.status.is_server_error() => {
            tracing::warn!(%run, %problem, "the server cannot go on with a run yet");
        }
        Err(problem) => {
            tracing::warn!(%run, %problem, "the server cannot go on with a run");
            if let Err(problem) = let_rest(app, run, problem).await {
                tracing::warn!(%run, %problem, "how a run stands could not be written down");
            }
        }
    }
}

/// The run rests until its owner resumes it, and shows why.
async fn let_rest(app: &App, run: &RunId, why: Problem) -> Answer<()> {
    let head = again(app, run).await?;
    let Some(lease) = head.lease.filter(|lease| !lease.is_live(now())) else {
        // Another server was faster.
        return Ok(());
    };
    let wanted = SetState { state: RunState::Paused, epoch: lease.epoch, trouble: Some(why.error) };
    turn(app, head, wanted).await
}
