//! Leases: taken, named, lived on, and what becomes of them when a run comes to stand otherwise.

use turnwise_shared::prelude::*;
use turnwise_shared::wire::driving::{Epoch, GRACE, Holder, Move, RunState, TakeLease};

use crate::App;
use crate::clock::now;
use crate::error::{Answer, Problem};
use crate::store::{Hold, RunHead, Taking, ThenLease};

/// How often a decision is made anew because another writer was faster.
pub(super) const TRIES: u32 = 5;

/// The lease under which a driver writes that names this epoch; `None` as long as the run has never been driven.
///
/// # Errors
/// If it is not the newest.
pub fn named(head: &RunHead, epoch: Epoch) -> Answer<Option<Hold>> {
    let newest = head.lease.map_or(Epoch(0), |lease| lease.epoch);
    if epoch != newest {
        return Err(Problem::driven_elsewhere());
    }
    Ok(head.lease.map(|lease| Hold { epoch, until: lives_until(lease.holder) }))
}

/// A driver asks for the lease of a run.
///
/// # Errors
/// If another driver drives it and may not be followed, or the run is over.
pub async fn take(app: &App, mut head: RunHead, wish: TakeLease) -> Answer<Lease> {
    for _ in 0..TRIES {
        if !wish.may_follow(head.lease.as_ref(), now()) {
            return Err(Problem::driven_elsewhere());
        }
        possible(&head, Move::Take)?;
        app.drives().stop(&head.run).await;
        let taking = Taking { holder: Holder::Page, until: lives_until(Holder::Page), drive: None };
        if let Some(lease) = app.store().take_lease(&head, &taking).await? {
            app.drives().tell(&head.run, lease.epoch);
            return Ok(lease);
        }
        head = again(app, &head.run).await?;
    }
    Err(too_many())
}

/// A run is to stand otherwise: its driver says so, or its owner.
///
/// # Errors
/// If it cannot stand so, or the driver who says it is not the newest.
pub async fn turn(app: &App, mut head: RunHead, wanted: SetState) -> Answer<()> {
    for _ in 0..TRIES {
        let wish = Move::towards(wanted.state);
        let is_owners = wanted.epoch.is_none();
        let to = match wish {
            // No writer records that a lease ran out.
            Move::Lapse => head.left,
            _ => possible(&head, wish)?,
        };
        if is_owners {
            owners_word(&head, wish)?;
            app.drives().stop(&head.run).await;
        } else {
            named(&head, wanted.epoch)?;
        }
        let lease = match (is_owners, wish) {
            // The driver hears of it with the next thing that it sends.
            (true, _) => ThenLease::Revoked,
            (false, Move::Pause | Move::GoOn) => {
                let holder = head.lease.map_or(Holder::Page, |lease| lease.holder);
                ThenLease::Lives(lives_until(holder))
            }
            (false, _) => ThenLease::Ends(now()),
        };
        let trouble = wanted.trouble.as_ref().filter(|_| wish == Move::Pause);
        if app.store().move_run(&head, to, lease, trouble).await? {
            if let (ThenLease::Revoked, Some(before)) = (lease, head.lease) {
                app.drives().tell(&head.run, Epoch(before.epoch.0 + 1));
            }
            return Ok(());
        }
        head = again(app, &head.run).await?;
    }
    Err(too_many())
}

/// Something was heard of a page that drives a run. Returns whether its lease is the newest.
///
/// # Errors
/// If the store fails.
pub async fn heard(app: &App, run: &RunId, epoch: Epoch) -> Answer<bool> {
    let hold = Hold { epoch, until: lives_until(Holder::Page) };
    Ok(app.store().renew_lease(run, hold).await?)
}

/// A page that drives a run was disconnected. It may only have lost the network.
///
/// # Errors
/// If the store fails.
pub async fn gone(app: &App, run: &RunId, epoch: Epoch) -> Answer<()> {
    let ends = now() + GRACE;
    Ok(app.store().shorten_lease(run, epoch, ends).await?)
}

/// Until when a lease lives of which something is heard now.
pub(super) fn lives_until(holder: Holder) -> u64 {
    now() + holder.lease()
}

/// How a run stands after a move, as it was left or as it is seen: a driver that is heard of again was never idle.
pub(super) fn possible(head: &RunHead, wish: Move) -> Answer<RunState> {
    let refused = |refused: turnwise_shared::wire::driving::CannotMove| {
        let words = refused.to_string();
        Problem::conflict(format!("A{}.", &words[1..]))
    };
    head.state.after(wish).map_err(refused)
}

/// What an owner may say of a run without driving it: everything but how a page that drives it now goes on.
fn owners_word(head: &RunHead, wish: Move) -> Answer<()> {
    let is_driven_by_a_page =
        head.lease.is_some_and(|lease| lease.holder == Holder::Page && lease.is_live(now()))
            && !head.state.is_over();
    match wish {
        Move::Pause | Move::GoOn | Move::Close if is_driven_by_a_page => {
            Err(Problem::driven_elsewhere())
        }
        _ => Ok(()),
    }
}

/// The run as it is now.
pub(super) async fn again(app: &App, run: &RunId) -> Answer<RunHead> {
    let head = app.store().run_head(run).await?;
    head.ok_or_else(|| Problem::not_found("such run"))
}

pub(super) fn too_many() -> Problem {
    Problem::conflict("Several want to drive this run at the same moment.").mend("Try again.")
}
