//! The server goes on with a run that this browser drives or could drive.

use super::find;
use crate::keep::KeptRun;
use crate::live::Driving;
use crate::prelude::*;
use crate::{api, clock, keep};

/// How long the page waits for the server to take in the last lines, in milliseconds. It makes those anew that it does not have.
const PATIENCE: f64 = 10_000.0;
/// Between two looks, in milliseconds.
const LOOK: u32 = 100;

/// Whether the server could drive a run with these seats: none of them has a person or a recording, which are here.
pub fn can_hand_over(spec: &Spec) -> bool {
    let mut seats = spec.seats.values();
    !seats.any(|sitting| matches!(sitting.player, Player::Person | Player::Recording(_)))
}

/// The server is to drive a run from now on. One that is driven here sends nothing new meanwhile, and goes on here if the server
/// cannot.
///
/// # Errors
/// If this browser has not the run's token, or the server cannot drive it.
pub async fn hand_over(id: &RunId) -> Result<(), ApiError> {
    let Some(live) = find(id) else {
        let kept = keep::own(id).await?;
        able(&kept.spec)?;
        api::driving::drive(id, &kept.token, &wish_of(&kept)).await?;
        return Ok(());
    };
    let (spec, wish) = {
        let kept = live.kept.borrow();
        (kept.spec.clone(), wish_of(&kept))
    };
    able(&spec)?;
    let goes_on = live.watch.get().state != Driving::Paused;
    live.run.borrow_mut().pause();
    let began = clock::now();
    while live.shelf.borrow().unstored() > 0 && clock::now() - began < PATIENCE {
        live.shelf.borrow_mut().flush();
        live.upload();
        clock::sleep(LOOK).await;
    }
    let (token, _) = live.lease();
    match api::driving::drive(id, &token, &wish).await {
        Ok(_) => {
            live.give_way();
            Ok(())
        }
        Err(problem) => {
            if goes_on {
                live.run.borrow_mut().resume();
                live.look();
            }
            Err(problem)
        }
    }
}

/// Says as its owner how a run stands that is driven elsewhere.
///
/// # Errors
/// If this browser has not the run's token, or the run cannot stand so.
pub async fn turn(id: &RunId, state: RunState) -> Result<(), ApiError> {
    let kept = keep::own(id).await?;
    let wanted = SetState::to(state);
    api::driving::set_state(id, &kept.token, &wanted).await?;
    Ok(())
}

/// It is driven there as it was here.
fn wish_of(kept: &KeptRun) -> Drive {
    Drive { in_flight: kept.in_flight, pause_after: kept.pause_after }
}

fn able(spec: &Spec) -> Result<(), ApiError> {
    match can_hand_over(spec) {
        true => Ok(()),
        false => Err(api::error(
            "unfit",
            "A person or a recording holds a seat of this run, and both are in \
            this browser; so the server cannot drive it.",
        )),
    }
}
