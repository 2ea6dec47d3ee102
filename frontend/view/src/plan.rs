//! From what a person chose to the spec of a run. Pure; no browser.

pub mod caps;
pub mod charges;
pub mod cost;

use std::collections::BTreeSet;

use serde_json::Value;
use turnwise_shared::benchmark::{SeatInfo, Setup, check_bots, drafted, sealing_of};
use turnwise_shared::prelude::*;
use turnwise_shared::recording::Recording;
use turnwise_shared::seat::knob;
use turnwise_shared::spec::Subset;

pub use turnwise_shared::effect::SEARCH;
pub use turnwise_shared::run::estimate::{Estimate, MODELS, estimate};

use crate::address::{Config, Engine};

/// A run that was chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    pub spec: Spec,
    /// Its tasks, where they follow from the spec; else they are those of the file.
    pub planned: Option<TaskSet>,
}

impl Chosen {
    /// The tasks of the run, those of the file where they come from one.
    pub fn tasks<'a>(&'a self, file: Option<&'a TaskSet>) -> Option<&'a TaskSet> {
        self.planned.as_ref().or(file)
    }
}

/// Which tasks, in the order of the command line. Ranges of ids are all that are in them; what means no task stays, and is refused.
fn subset(config: &Config, file: Option<&TaskSet>) -> Subset {
    let mut subset = config.subset.clone();
    if let Some(tasks) = file {
        let ids = subset.ids.into_iter();
        let meant = ids.flat_map(|id| tasks.meant(&id.0).unwrap_or_else(|_| vec![id]));
        subset.ids = meant.collect();
        subset.ids.sort();
        subset.ids.dedup();
    }
    subset
}

/// The chosen run: the same that the command line makes of the same choice. `file` is looked at only where tasks come from one.
///
/// # Errors
/// The first part that cannot be run, and how to mend it.
pub fn chosen(
    config: &Config,
    benchmark: &dyn Benchmark,
    file: Option<&TaskSet>,
    engines: &[EngineInfo],
    players_recording: Option<&Recording>,
) -> Result<Chosen, BadSpec> {
    let mut spec = Spec {
        subset: subset(config, file),
        seats: lineup(config, benchmark)?,
        seed: config.seed,
        repeats: config.repeats,
        ..drafted(benchmark, config.profile, settings(config, benchmark))
    };
    if let Some(file) = file {
        spec.tasks = Named::from(file);
    }
    let engine = |info: &EngineInfo| SearchSpec {
        engine: info.name.clone(),
        corpus: info.corpus,
        results: benchmark.search_results(),
    };
    let archive = engines.iter().find(|engine| engine.format == EngineInfo::ARCHIVE);
    if benchmark.lacks(&spec, "web") {
        let recorded = players_recording.and_then(|recording| recording.web);
        // The addresses that an engine finds are those of its web.
        let is_sample = match &config.search {
            Engine::Named(name) => archive.is_some_and(|archive| archive.name == *name),
            _ => file.is_none_or(|file| file.digest == benchmark.samples().digest),
        };
        let usual = || match is_sample {
            true => Some(WebSpec::Archive { archive: archive?.corpus? }),
            false => Some(WebSpec::Live),
        };
        spec.web = recorded.or_else(usual);
    }
    let usual = || match spec.web {
        Some(WebSpec::Archive { .. }) => archive,
        _ => usual(engines),
    };
    spec.search =
        match (&config.search, players_recording.and_then(|recording| recording.search.clone())) {
            (Engine::Nobody, _) => None,
            (Engine::First, Some(recorded)) => Some(recorded),
            (Engine::First, None) if benchmark.lacks(&spec, "search") => usual().map(engine),
            (Engine::First, None) => None,
            (Engine::Named(name), _) => {
                let found = engines.iter().find(|engine| engine.name == *name);
                Some(found.map(engine).ok_or_else(|| {
                    BadSpec::new("search", format!("this server has no search engine {name:?}"))
                })?)
            }
        };
    benchmark.check_spec(&spec)?;
    benchmark.check_own(&spec)?;
    check_bots(benchmark, &spec)?;
    let planned = match benchmark.task_source() {
        TaskSource::File => None,
        TaskSource::Spec => Some(benchmark.plan(&spec)?),
    };
    if let Some(planned) = &planned {
        spec.tasks = Named::from(planned);
    }
    spec.budget = benchmark.default_budget(&spec);
    let chosen = Chosen { spec, planned };
    let tasks = chosen.tasks(file).ok_or_else(|| BadSpec::new("tasks", "no tasks are chosen"))?;
    sweep::tasks(benchmark, &chosen.spec, tasks)?;
    sealing_of(benchmark, &chosen.spec, tasks)?;
    Ok(chosen)
}

/// The benchmark's settings as chosen, defaults filled in.
pub fn settings(config: &Config, benchmark: &dyn Benchmark) -> Value {
    benchmark.settings(config.profile, config.settings.clone())
}

/// The lineup: the chosen players, and the benchmark's own bots in seats for which none was chosen.
///
/// # Errors
/// If a model cannot be sampled as was chosen.
pub fn lineup(config: &Config, benchmark: &dyn Benchmark) -> Result<Lineup, BadSpec> {
    let settings = settings(config, benchmark);
    let setup = setup(config, &settings);
    places(config, benchmark)
        .into_iter()
        .map(|place| {
            let player = config.seats.get(&place.seat).cloned();
            let player = player.unwrap_or(place.default);
            let sampling = match &player {
                Player::Model { model, .. } => {
                    sampling(config, benchmark, setup, &place.seat, model)?
                }
                Player::Bot(_) | Player::Recording(_) | Player::Person => Sampling::default(),
            };
            Ok((place.seat, Sitting { player, sampling }))
        })
        .collect()
}

/// What decides how the models of the chosen run are sampled.
pub fn setup<'a>(config: &Config, settings: &'a Value) -> Setup<'a> {
    Setup { profile: config.profile, settings, repeats: config.repeats }
}

/// The default sampling of a player in a seat: a model is sampled as the benchmark does it, others not at all.
pub fn usual_sampling(
    benchmark: &dyn Benchmark,
    setup: Setup<'_>,
    seat: &Seat,
    player: &Player,
) -> Sampling {
    match player {
        Player::Model { model, .. } => benchmark.default_sampling(setup, seat, model),
        Player::Bot(_) | Player::Recording(_) | Player::Person => Sampling::default(),
    }
}

/// How a model is sampled in a seat: as the benchmark does it, and what was chosen over that.
fn sampling(
    config: &Config,
    benchmark: &dyn Benchmark,
    setup: Setup<'_>,
    seat: &Seat,
    model: &str,
) -> Result<Sampling, BadSpec> {
    let usual = benchmark.default_sampling(setup, seat, model);
    let Some(chosen) = config.sampling.get(seat) else {
        return Ok(usual);
    };
    knob::turned(usual, chosen)
        .map_err(|(knob, bad)| BadSpec::new("seats", format!("{knob} of {seat}: {bad}")))
}

/// A seat for which a player can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatPlace {
    pub seat: Seat,
    /// What it does, in a few words.
    pub about: &'static str,
    /// The player if none was chosen: a built-in bot.
    pub default: Player,
}

/// The seats of the chosen run, in order. Where participants are numbered there are as many as were chosen; those beyond the
/// default lineup begin with its bots again.
pub fn places(config: &Config, benchmark: &dyn Benchmark) -> Vec<SeatPlace> {
    let infos = benchmark.seats();
    let place = |seat: String, info: &SeatInfo| SeatPlace {
        seat: Seat::new(seat),
        about: info.about,
        default: info.usual(|seat| config.seats.get(&Seat::new(seat))),
    };
    match benchmark.participants() {
        None => infos.iter().map(|info| place(info.seat.to_owned(), info)).collect(),
        Some(_) => (1..=participants(config, benchmark))
            .zip(infos.iter().cycle())
            .map(|(number, info)| place(number.to_string(), info))
            .collect(),
    }
}

/// Seats for which a player or sampling was chosen, and which the chosen run does not have.
pub fn strange_seats(config: &Config, benchmark: &dyn Benchmark) -> BTreeSet<Seat> {
    let places = places(config, benchmark);
    let chosen = config.seats.keys().chain(config.sampling.keys());
    chosen.filter(|seat| places.iter().all(|place| place.seat != **seat)).cloned().collect()
}

/// How many take part where participants are numbered: as many as were chosen, within what the benchmark allows.
pub fn participants(config: &Config, benchmark: &dyn Benchmark) -> u32 {
    let usual = u32::try_from(benchmark.seats().len()).unwrap_or(u32::MAX);
    let (fewest, most) = benchmark.participants().unwrap_or((usual, usual));
    config.participants.unwrap_or(usual).clamp(fewest, most)
}

/// The default search engine: one over documents of the server's own if there is any, so that nothing is paid and no
/// other service is queried unless the user asks for it.
fn usual(engines: &[EngineInfo]) -> Option<&EngineInfo> {
    let mut asked = engines.iter().filter(|engine| engine.format != EngineInfo::ARCHIVE);
    let own = asked.clone().find(|engine| engine.corpus.is_some());
    own.or_else(|| asked.clone().find(|engine| engine.format == "local")).or_else(|| asked.next())
}

#[cfg(test)]
mod tests;
