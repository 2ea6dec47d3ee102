//! A table is opened: what is asked for is checked, the server's secret is made and committed to, and tickets are printed.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use turnwise_shared::benchmark::check_bots;
use turnwise_shared::evidence_tier::Attendance;
use turnwise_shared::fairness::commitment;
use turnwise_shared::prelude::*;
use turnwise_shared::visitors::{self, Needs};
use turnwise_shared::wire::live::{Clock, LiveOpened, OpenLive, Sitter, evidence};

use super::chair::Chair;
use super::host::Host;
use super::plan::{Opener, Plan, secret_as_digest};
use super::{Room, Seen, entertain};
use crate::App;
use crate::clock::now;
use crate::error::{Answer, Problem};
use crate::{limits, random};

/// The most seconds of a clock's part.
const LONGEST_CLOCK: u32 = 3600;

/// The most episodes of a live table.
const MOST_EPISODES: u32 = 10_000;

/// Commands that wait for a host.
const QUEUE: usize = 64;

/// Opens a table.
///
/// # Errors
/// If what is asked for cannot be played or paid, or there is no room.
pub async fn open(app: &App, wanted: OpenLive, opener: Opener) -> Answer<LiveOpened> {
    let OpenLive { spec, title, kind, clock, attendance, caps } = wanted;
    if attendance == Attendance::Invited && kind != LiveKind::Rated {
        return Err(Problem::unfit(
            "Where people play as people the table is rated: in practice everything is shown after each episode.",
        ));
    }
    let title = limits::title(&title)?;
    check_clock(clock)?;
    let people = people(&spec)?;
    app.call_limits()
        .before(&caps, opener.access.as_deref())
        .check(&spec.seats, spec.search.as_ref(), app.egress().prices())
        .map_err(Problem::from)?;
    let token = hex(&random::bytes::<32>());
    let plan = Arc::new(plan(app, spec, caps, opener, Digest::of(&token)).await?);
    let trial = Arc::clone(&plan);
    // The seed is not known yet, but how many episodes there are does not depend on it.
    let episodes =
        tokio::task::spawn_blocking(move || trial.run(0).map(|run| run.progress().planned))
            .await
            .map_err(Problem::internal)?
            .map_err(unfit)?;
    if episodes > MOST_EPISODES {
        return Err(Problem::unfit(format!(
            "These are {episodes} episodes, and a live table has at most {MOST_EPISODES}."
        )));
    }
    if plan.opener.is_visitor && u64::from(episodes) > visitors::MOST_EPISODES {
        return Err(Problem::token_needed(Needs::Episodes));
    }
    let secret: [u8; 32] = random::bytes();
    let run = RunId::new(random::bytes());
    let info = LiveInfo {
        run: run.clone(),
        title,
        benchmark: plan.spec.benchmark.clone(),
        kind,
        clock,
        commitment: commitment(&secret),
        opened: now(),
        stage: LiveStage::Lobby,
        people: people.iter().map(|seat| (seat.clone(), Sitter::default())).collect(),
        episodes,
        played: 0,
        end: None,
        proof: None,
        attendance,
        evidence: evidence(attendance).to_owned(),
    };
    let tickets: BTreeMap<Seat, String> =
        people.into_iter().map(|seat| (seat, hex(&random::bytes::<32>()))).collect();
    let (commands, queue) = mpsc::channel(QUEUE);
    let (told, heard) = watch::channel(info.clone());
    let chairs: BTreeMap<Seat, Chair> = tickets
        .keys()
        .map(|seat| {
            let mut chair = Chair::new(seat.clone(), &info, Instant::now());
            chair.understands = plan.benchmark.understands(&plan.spec, seat);
            (seat.clone(), chair)
        })
        .collect();
    let table = Room {
        tickets: tickets.iter().map(|(seat, ticket)| (seat.clone(), Digest::of(ticket))).collect(),
        token: plan.token,
        is_visitors: plan.opener.is_visitor,
        info: heard,
        views: chairs
            .iter()
            .map(|(seat, chair)| -> (Seat, watch::Receiver<Arc<Seen>>) {
                (seat.clone(), chair.views())
            })
            .collect(),
        commands,
    };
    app.rooms().add(run.clone(), Arc::new(table), app.config().limits.live_tables)?;
    if let Err(error) = app.store().add_live(&info, &secret_as_digest(&secret)).await {
        app.rooms().remove(&run);
        return Err(error.into());
    }
    let host = Host::new(app.clone(), plan, secret, info.clone(), chairs, queue, told);
    entertain(app.clone(), run.clone(), host);
    Ok(LiveOpened { run, commitment: info.commitment, token, tickets })
}

fn unfit(bad: BadSpec) -> Problem {
    Problem::unfit(format!("The table cannot be opened: {bad}."))
}

fn check_clock(clock: Clock) -> Answer<()> {
    let Clock { decision_seconds, bank_seconds } = clock;
    if decision_seconds > LONGEST_CLOCK || bank_seconds > LONGEST_CLOCK {
        return Err(Problem::unfit(format!(
            "A decision has 1 to {LONGEST_CLOCK} seconds, or 0 for as long as it takes, and a time bank 0 to {LONGEST_CLOCK}."
        )));
    }
    if !clock.runs() && bank_seconds > 0 {
        return Err(Problem::unfit(
            "Where a decision may take as long as it takes there is no time bank; leave it 0.",
        ));
    }
    Ok(())
}

fn people(spec: &Spec) -> Answer<Vec<Seat>> {
    let mut people = Vec::new();
    for (seat, sitting) in &spec.seats {
        match &sitting.player {
            Player::Person => people.push(seat.clone()),
            Player::Recording(_) => {
                return Err(Problem::unfit(format!(
                    "The seat {seat} is a recording's, and a recording cannot know what a person will say."
                )));
            }
            Player::Bot(_) | Player::Model { .. } => {}
        }
    }
    if people.is_empty() {
        return Err(
            Problem::unfit("No seat of the run is a person's.").mend("Open it as an ordinary run.")
        );
    }
    Ok(people)
}

/// Checks the spec, and finds its tasks.
async fn plan(app: &App, spec: Spec, caps: Caps, opener: Opener, token: Digest) -> Answer<Plan> {
    limits::names(&spec)?;
    if spec.seed != 0 {
        return Err(Problem::unfit(
            "The seed of a live table is mixed by everybody who sits down; leave it 0.",
        ));
    }
    let benchmark = registry::find(&spec.benchmark).map_err(unfit)?;
    benchmark.check_spec(&spec).map_err(unfit)?;
    benchmark.check_people(&spec).map_err(unfit)?;
    check_bots(benchmark, &spec).map_err(unfit)?;
    if spec.protocol != benchmark.protocol() {
        return Err(Problem::unfit(format!(
            "The server plays version {} of the protocol.",
            benchmark.protocol()
        )));
    }
    let pack = benchmark.pack();
    if spec.pack.digest != pack.digest() {
        return Err(Problem::unfit(format!(
            "At a live table the prompt pack is the benchmark's own, {}.",
            pack.name
        )));
    }
    let tasks = match benchmark.task_source() {
        TaskSource::Spec => None,
        TaskSource::File => Some(app.tasks(benchmark, &spec.tasks).await?),
    };
    Ok(Plan { benchmark, spec, tasks, caps, opener, token })
}
