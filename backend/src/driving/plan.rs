//! What a run needs to be driven here: no player who sits elsewhere, tasks and prompts that the server has, endpoints that the
//! operator configured.

use tokio::sync::watch;
use turnwise_shared::prelude::*;
use turnwise_shared::run::Ingredients;
use turnwise_shared::transcript;

use crate::App;
use crate::driver::Stop;
use crate::error::{Answer, Problem};
use crate::sample_web;
use crate::store::RunHead;

/// Transcripts that are read at a time.
const AT_A_TIME: u32 = 32;

/// Plans a run as it was opened, with nothing of it played yet.
///
/// # Errors
/// If it cannot be driven here, and what to do about it.
pub async fn plan(app: &App, head: &RunHead, in_flight: u32) -> Answer<Run> {
    let spec = &head.spec;
    let benchmark = registry::find(&spec.benchmark).map_err(unfit)?;
    playable(app, spec)?;
    if spec.protocol != benchmark.protocol() {
        return Err(Problem::unfit(format!(
            "The run was opened under version {} of its protocol, and the server plays version {}.",
            spec.protocol,
            benchmark.protocol()
        )));
    }
    if spec.pack.digest != benchmark.pack().digest() {
        return Err(Problem::unfit(format!(
            "The run has another prompt pack ({}) than the one that the server has.",
            spec.pack.name
        )));
    }
    let tasks = tasks(app, benchmark, spec).await?;
    let plays = match head.regrades {
        Some(_) => Some(plays(app, head).await?),
        None => None,
    };
    let in_flight = usize::try_from(in_flight.max(1)).unwrap_or(usize::MAX);
    let ingredients = Ingredients::new(benchmark, spec.clone(), tasks, in_flight);
    let branch_of = head.branch_of.clone();
    tokio::task::spawn_blocking(move || match (plays, branch_of) {
        (Some(plays), _) => Run::regrading(ingredients, plays),
        (None, Some(of)) => Run::branching(ingredients, of),
        (None, None) => Run::new(ingredients),
    })
    .await
    .map_err(Problem::internal)?
    .map(|run| run.reading(sample_web::archives()))
    .map_err(unfit)
}

/// The tasks of a run, as far as the server has them.
///
/// # Errors
/// If it has none, or plans others.
pub async fn tasks(app: &App, benchmark: &'static dyn Benchmark, spec: &Spec) -> Answer<TaskSet> {
    match benchmark.task_source() {
        TaskSource::Spec => planned(benchmark, spec.clone()).await,
        TaskSource::File => app.tasks(benchmark, &spec.tasks).await,
    }
}

/// Replays what is stored of a run, plays before their gradings; it goes on where that ends. A caller that is stopped gets
/// the run as far as it was, and must not go on with it.
///
/// # Errors
/// If a transcript does not replay.
pub async fn restore(
    app: &App,
    head: &RunHead,
    mut run: Run,
    stop: &watch::Receiver<Stop>,
) -> Answer<Run> {
    for part in [PartKey::Play, PartKey::Grading] {
        let mut after: Option<EpisodeKey> = None;
        loop {
            if *stop.borrow() != Stop::No {
                return Ok(run);
            }
            let texts = app.store().texts(&head.run, after.as_ref(), AT_A_TIME).await?;
            let Some((last, _)) = texts.last() else {
                break;
            };
            after = Some(last.clone());
            // A replay is work for a thread of its own.
            run = tokio::task::spawn_blocking(move || -> Answer<Run> {
                for (episode, text) in texts {
                    if episode.part() == part {
                        again(&mut run, &episode, &text)?;
                    }
                }
                Ok(run)
            })
            .await
            .map_err(Problem::internal)??;
        }
    }
    branch(app, &mut run).await?;
    Ok(run)
}

/// Gives a branch the lines of its parent, if none of its own were stored.
async fn branch(app: &App, run: &mut Run) -> Answer<()> {
    let Some(of) = run.branch_of().cloned() else {
        return Ok(());
    };
    if run.session(&of.episode).is_some() || run.ended_last().is_some() {
        return Ok(());
    }
    let stored = app.store().transcript(&of.run, &of.episode).await?;
    let (text, _) = stored
        .ok_or_else(|| Problem::conflict("The episode that the run branches from is not here."))?;
    let unreadable = |why: String| {
        Problem::conflict(format!("The episode that the run branches from cannot be used ({why})."))
    };
    let parent = transcript::read(&text).map_err(|bad| unreadable(bad.to_string()))?;
    run.take_over(&parent).map_err(|bad| unreadable(bad.to_string()))
}

fn again(run: &mut Run, episode: &EpisodeKey, text: &str) -> Answer<()> {
    let drifted = |why: String| {
        Problem::conflict(format!("The run cannot be taken up: {episode} does not replay ({why})."))
    };
    let stored = transcript::read(text).map_err(|bad| drifted(bad.to_string()))?;
    run.restore(episode, &stored).map_err(|drift| drifted(drift.to_string()))?;
    Ok(())
}

fn playable(app: &App, spec: &Spec) -> Answer<()> {
    let providers = app.egress().providers();
    for (seat, sitting) in &spec.seats {
        match &sitting.player {
            Player::Person => {
                return Err(Problem::unfit(format!(
                    "A person holds the seat {seat}, so the server cannot drive the run."
                ))
                .mend("Go on in the page in which the person sits."));
            }
            Player::Recording(name) => {
                return Err(Problem::unfit(format!(
                    "The seat {seat} is the recording {name}'s, which the server does not have."
                ))
                .mend("Go on in the browser that opened the run."));
            }
            Player::Model { provider, .. } => {
                if !providers.iter().any(|known| known.name == *provider) {
                    return Err(Problem::unfit(format!(
                        "The operator has configured no provider named {provider:?}, which the seat {seat} needs."
                    )));
                }
            }
            Player::Bot(_) => {}
        }
    }
    let archives = sample_web::archives();
    if let Some(archive) = spec.archives().find(|archive| !archives.contains_key(archive)) {
        return Err(Problem::unfit(format!(
            "The run reads the archive {}, which the server does not have.",
            archive.short()
        ))
        .mend("Go on where it was begun, e.g. with turnwise run --resume."));
    }
    match &spec.search {
        Some(search)
            if search.frozen_engine().is_none()
                && !app.egress().engines().iter().any(|engine| engine.name == search.engine) =>
        {
            Err(Problem::unfit(format!(
                "The server has no search engine named {:?}.",
                search.engine
            )))
        }
        Some(_) | None => Ok(()),
    }
}

async fn planned(benchmark: &'static dyn Benchmark, spec: Spec) -> Answer<TaskSet> {
    let wanted = spec.tasks.digest;
    let tasks = tokio::task::spawn_blocking(move || benchmark.plan(&spec))
        .await
        .map_err(Problem::internal)?
        .map_err(unfit)?;
    match tasks.digest == wanted {
        true => Ok(tasks),
        false => Err(Problem::unfit(
            "The server plans other tasks than the program that opened the run.",
        )),
    }
}

/// The episodes of the run that is graded again.
async fn plays(app: &App, head: &RunHead) -> Answer<Vec<Transcript>> {
    let mut plays = Vec::new();
    let mut after: Option<EpisodeKey> = None;
    loop {
        let texts = app.store().texts(head.plays(), after.as_ref(), AT_A_TIME).await?;
        let Some((last, _)) = texts.last() else {
            return Ok(plays);
        };
        after = Some(last.clone());
        for (episode, text) in texts.iter() {
            if episode.part() == PartKey::Play {
                let play = transcript::read(text).map_err(|bad| {
                    Problem::conflict(format!("The episode {episode} cannot be read ({bad})."))
                })?;
                plays.push(play);
            }
        }
    }
}

fn unfit(bad: BadSpec) -> Problem {
    Problem::unfit(format!("The server cannot drive the run: {bad}."))
}
