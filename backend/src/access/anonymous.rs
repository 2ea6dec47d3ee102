//! Branches, runs of samples and tables that visitors open without the operator's access token ([`turnwise_shared::visitors`] says
//! which those may be). They cost no money, but room and time, so they are bounded: how many there are, how many of one client in a
//! day, how large each is and how many searches it makes; and how many of the tables visitors hold.

use std::net::IpAddr;

use tokio::sync::Mutex;
use turnwise_shared::prelude::*;
use turnwise_shared::visitors::{
    MOST_BYTES, MOST_CALLS, needs_token, run_needs_token, table_needs_token,
};
use turnwise_shared::wire::OpenRun;
use turnwise_shared::wire::live::OpenLive;

use crate::App;
use crate::config::Limits;
use crate::error::{Answer, Problem};
use crate::limits::RateLimit;
use crate::store::RunHead;

/// What opening one costs of the caller's rate of requests, whatever comes of it.
const COST: f64 = 100.0;

#[derive(Debug)]
pub struct AnonymousBranches {
    a_day: RateLimit,
    /// Held from counting to adding, so that no two are the last one.
    turn: Mutex<()>,
}

impl AnonymousBranches {
    /// No branches are opened yet.
    pub fn new(limits: &Limits) -> Self {
        AnonymousBranches {
            a_day: RateLimit::a_day(limits.visitor_branches_of_client),
            turn: Mutex::default(),
        }
    }
}

/// Checks that a visitor may open this, as far as that is known before its parent is read; `episodes` are those that follow from
/// its spec.
///
/// # Errors
/// What the access token is needed for, or what of it is no visitor's to choose.
pub fn check(app: &App, wanted: &OpenRun, episodes: u64) -> Answer<()> {
    if wanted.regrades.is_some() {
        return Err(Problem::token_missing("the operator's access token"));
    }
    let benchmark = visited(app, &wanted.spec)?;
    let is_sealed = app.sealed().has(&wanted.spec);
    let (spec, engines) = (&wanted.spec, app.egress().engines());
    let needs = match wanted.branch_of {
        Some(_) => needs_token(spec, &engines, is_sealed),
        None => run_needs_token(benchmark, spec, episodes, &engines, is_sealed),
    };
    if let Some(needs) = needs {
        return Err(Problem::token_needed(needs));
    }
    own_budget(&wanted.caps)
}

/// Checks that a visitor may open this table; `episodes` are those that follow from its spec.
///
/// # Errors
/// As [`check`].
pub fn check_table(app: &App, wanted: &OpenLive, episodes: u64) -> Answer<()> {
    let benchmark = visited(app, &wanted.spec)?;
    let is_sealed = app.sealed().has(&wanted.spec);
    let engines = app.egress().engines();
    if let Some(needs) = table_needs_token(benchmark, wanted, episodes, &engines, is_sealed) {
        return Err(Problem::token_needed(needs));
    }
    own_budget(&wanted.caps)
}

/// The benchmark of what a visitor wants to open, where visitors may open anything.
fn visited(app: &App, spec: &Spec) -> Answer<&'static dyn Benchmark> {
    if app.config().limits.visitor_branches == 0 {
        return Err(Problem::token_needed("this server lets nobody play without it"));
    }
    registry::find(&spec.benchmark).map_err(|bad| Problem::unfit(bad.to_string()))
}

fn own_budget(caps: &Caps) -> Answer<()> {
    match caps.is_nothing() {
        true => Ok(()),
        false => Err(Problem::unfit(
            "What is opened without the access token has the budget that the server gives it.",
        )),
    }
}

/// The budget of such a branch: nothing that is paid, even if an engine of that name should cost something one day.
pub fn caps() -> Caps {
    Caps { money: Some(0), calls: Some(MOST_CALLS), ..Caps::default() }
}

/// A client pays for trying to open one, before its parent is read.
///
/// # Errors
/// If it has to wait.
pub fn pay(app: &App, client: IpAddr) -> Answer<()> {
    let wait = |wait: std::time::Duration| Problem::too_many(wait.as_secs().saturating_add(1));
    app.rate().take(client, COST).map_err(wait)
}

/// Opens one more of a client, if there is room. It counts for the client's day unless it is refused; a client who goes away meanwhile
/// may have opened it.
///
/// # Errors
/// If there are too many, of this client or in all, and those of `open`.
pub async fn in_turn<T>(
    app: &App,
    client: IpAddr,
    open: impl Future<Output = Answer<T>>,
) -> Answer<T> {
    let branches = app.anonymous_branches();
    let _turn = branches.turn.lock().await;
    let most = app.config().limits.visitor_branches;
    // A table becomes a run when it begins.
    let lobbies = app.rooms().visitors_in_lobbies();
    if app.store().visitor_branches().await? + lobbies >= u64::from(most) {
        return Err(Problem::full(
            "This server keeps as many runs of visitors as it is allowed to.",
        )
        .mend("With the operator's access token there is room; it is entered under Connections."));
    }
    branches.a_day.take(client, 1.0).map_err(|wait| {
        let seconds = wait.as_secs().saturating_add(1);
        Problem::too_many(seconds).mend(format!(
            "One visitor opens no more runs here in a day. Try again in {} min.",
            seconds.div_ceil(60)
        ))
    })?;
    let opened = open.await;
    if opened.is_err() {
        branches.a_day.give_back(client, 1.0);
    }
    opened
}

/// Refuses what is not done with a visitor's branch.
///
/// # Errors
/// If it is one.
pub fn not_theirs(run: &RunHead, what: &str) -> Answer<()> {
    match run.is_visitors {
        true => Err(Problem::forbidden(format!(
            "This run was opened without the access token, so {what}."
        ))),
        false => Ok(()),
    }
}

/// The most bytes of all transcripts of a run.
pub fn largest(run: &RunHead, otherwise: u64) -> u64 {
    match run.is_visitors {
        true => MOST_BYTES,
        false => otherwise,
    }
}
