//! From the choice of a run to the running run.

use crate::address::Config;
use crate::driver::{self, Launch, NotStarted};
use crate::plan::Chosen;
use crate::prelude::*;
use crate::strings::new_run as words;
use crate::{clock, library};

/// The tasks of a try.
pub const TRIED: u32 = 2;

/// Starts a try of the chosen run: its first tasks, once each.
///
/// # Errors
/// As [`start`].
pub async fn try_first(
    config: &Config,
    about: &About,
    file: Option<TaskSet>,
) -> Result<RunId, NotStarted> {
    let mut config = config.clone();
    let tried = config.subset.first.map_or(TRIED, |first| first.min(TRIED));
    config.subset.first = Some(tried);
    config.repeats = 1;
    let player = Seat::new(Seat::PLAYER);
    let player = config.seats.get(&player).map(ToString::to_string);
    let title = words::try_title(tried, player.as_deref());
    titled(&config, about, file, title).await
}

/// Starts the chosen run in this page, over a set of tasks where they come from a file.
///
/// # Errors
/// If the choice cannot be run, something of it is not at hand, or the server refuses; nothing was opened then.
pub async fn start(
    config: &Config,
    about: &About,
    file: Option<TaskSet>,
) -> Result<RunId, NotStarted> {
    titled(config, about, file, String::new()).await
}

async fn titled(
    config: &Config,
    about: &About,
    file: Option<TaskSet>,
    title: String,
) -> Result<RunId, NotStarted> {
    let benchmark = library::benchmark(&config.benchmark).map_err(NotStarted::Server)?;
    let players_recording = match config.seats.get(&Seat::new(Seat::PLAYER)) {
        Some(Player::Recording(name)) => {
            Some(library::recording(name).await.map_err(NotStarted::Server)?)
        }
        _ => None,
    };
    let Chosen { mut spec, planned } = plan::chosen(
        config,
        benchmark,
        file.as_ref(),
        &about.engines_and_web(),
        players_recording.as_ref(),
    )
    .map_err(NotStarted::Spec)?;
    spec.settings = benchmark.schema().opened(spec.settings, Day::of(clock::today()));
    let no_tasks = || NotStarted::Spec(BadSpec::new("tasks", "no tasks are chosen"));
    let tasks = planned.or(file).ok_or_else(no_tasks)?;
    let recordings = library::recordings(&spec).await.map_err(NotStarted::Server)?;
    driver::launch(Launch {
        spec,
        title,
        tasks,
        pack: benchmark.pack(),
        recordings,
        in_flight: config.in_flight,
        pause_after: config.pause_after,
        caps: config.caps.clone(),
    })
    .await
}

/// Starts the first benchmark's sample tasks with the offline seats.
///
/// # Errors
/// If the server refuses.
pub async fn samples(about: About) -> Result<RunId, ApiError> {
    let benchmark = registry::BENCHMARKS[0];
    let config = Config::new(benchmark.name());
    Ok(start(&config, &about, Some(benchmark.samples())).await?)
}
