//! From what a person chose to the spec of a run, and what it will cost at most. Pure; no browser.

pub mod caps;
pub mod charges;

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use turnwise_shared::benchmark::{Benchmark, SeatInfo, TaskSource};
use turnwise_shared::benchmarks::interactcomp::reading::ActionName;
use turnwise_shared::benchmarks::interactcomp::settings::Settings;
use turnwise_shared::benchmarks::paraworld;
use turnwise_shared::benchmarks::studio::{self, Studio};
use turnwise_shared::hash::Digest;
use turnwise_shared::sealed;
use turnwise_shared::seat::knob;
use turnwise_shared::seat::{Lineup, Player, Sampling, Seat, Sitting};
use turnwise_shared::spec::{BadSpec, Budget, Named, Profile, SearchSpec, Spec};
use turnwise_shared::sweep;
use turnwise_shared::tape::Tape;
use turnwise_shared::task::{Task, TaskSet};
use turnwise_shared::wire::EngineInfo;

use crate::address::{Config, Engine};

/// Hits that an episode asks a search engine for (InteractComp, specification 5).
const RESULTS: u32 = 5;

/// A run that was chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// Its spec.
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

/// The chosen run: the same that the command line makes of the same choice. `file` is looked at only where tasks come from one.
///
/// # Errors
/// The first part that cannot be run, and how to mend it.
pub fn chosen(
    config: &Config,
    benchmark: &dyn Benchmark,
    file: Option<&TaskSet>,
    engines: &[EngineInfo],
    players_tape: Option<&Tape>,
) -> Result<Chosen, BadSpec> {
    let pack = benchmark.pack();
    let mut spec = Spec {
        benchmark: benchmark.name().to_owned(),
        protocol: benchmark.protocol(),
        profile: config.profile,
        settings: Value::Object(settings(config, benchmark)),
        tasks: named(file),
        subset: config.subset.clone(),
        pack: Named {
            name: pack.name.clone(),
            digest: pack.digest(),
        },
        seats: lineup(config, benchmark)?,
        search: None,
        budget: Budget::default(),
        seed: config.seed,
        repeats: config.repeats,
    };
    spec.search = match (
        &config.search,
        players_tape.and_then(|tape| tape.search.clone()),
    ) {
        (Engine::Nobody, _) => None,
        (Engine::First, Some(recorded)) => Some(recorded),
        (Engine::First, None) if searches(benchmark, &spec) => usual(engines).map(engine),
        (Engine::First, None) => None,
        (Engine::Named(name), _) => {
            let found = engines.iter().find(|engine| engine.name == *name);
            Some(found.map(engine).ok_or_else(|| {
                BadSpec::new(
                    "search",
                    format!("this server has no search engine {name:?}"),
                )
            })?)
        }
    };
    benchmark.check(&spec)?;
    let planned = match benchmark.task_source() {
        TaskSource::File => None,
        TaskSource::Spec => Some(benchmark.plan(&spec)?),
    };
    if let Some(planned) = &planned {
        spec.tasks = named(Some(planned));
    }
    spec.budget = benchmark.default_budget(&spec);
    let chosen = Chosen { spec, planned };
    let tasks = chosen
        .tasks(file)
        .ok_or_else(|| BadSpec::new("tasks", "no tasks are chosen"))?;
    sweep::tasks(&chosen.spec, tasks)?;
    sealed::of(benchmark, &chosen.spec, tasks)?;
    Ok(chosen)
}

/// A set of tasks by name and content.
fn named(tasks: Option<&TaskSet>) -> Named {
    match tasks {
        Some(tasks) => Named {
            name: tasks.name.clone(),
            digest: tasks.digest,
        },
        None => Named {
            name: String::new(),
            digest: Digest::of(""),
        },
    }
}

/// The benchmark's settings as chosen, defaults filled in.
pub fn settings(config: &Config, benchmark: &dyn Benchmark) -> Map<String, Value> {
    let mut settings = match benchmark.default_settings() {
        Value::Object(settings) => settings,
        _ => Map::new(),
    };
    settings.extend(config.settings.clone());
    settings
}

/// Who sits where: who was chosen, and the benchmark's own bots where nobody was.
///
/// # Errors
/// If a model cannot be sampled as was chosen.
pub fn lineup(config: &Config, benchmark: &dyn Benchmark) -> Result<Lineup, BadSpec> {
    places(config, benchmark)
        .into_iter()
        .map(|place| {
            let player = config.seats.get(&place.seat).cloned();
            let player = player.unwrap_or(place.default);
            let sampling = match &player {
                Player::Model { model, .. } => sampling(config, benchmark, &place.seat, model)?,
                Player::Bot(_) | Player::Tape(_) | Player::Person => Sampling::default(),
            };
            Ok((place.seat, Sitting { player, sampling }))
        })
        .collect()
}

/// How somebody in a seat is sampled if nobody chooses anything: a model as the benchmark does it, others not at all.
pub fn usual_sampling(benchmark: &dyn Benchmark, seat: &Seat, player: &Player) -> Sampling {
    match player {
        Player::Model { model, .. } => benchmark.default_sampling(seat, model),
        Player::Bot(_) | Player::Tape(_) | Player::Person => Sampling::default(),
    }
}

/// How a model is sampled in a seat: as the benchmark does it, and what was chosen over that.
fn sampling(
    config: &Config,
    benchmark: &dyn Benchmark,
    seat: &Seat,
    model: &str,
) -> Result<Sampling, BadSpec> {
    let usual = benchmark.default_sampling(seat, model);
    let Some(chosen) = config.sampling.get(seat) else {
        return Ok(usual);
    };
    knob::turned(usual, chosen)
        .map_err(|(knob, bad)| BadSpec::new("seats", format!("{knob} of {seat}: {bad}")))
}

/// A seat that somebody can be chosen for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatPlace {
    /// The seat.
    pub seat: Seat,
    /// What it does, in a few words.
    pub about: &'static str,
    /// Who sits there when nobody was chosen: a built-in bot.
    pub default: Player,
}

/// The seats of the chosen run, in order. Where participants are numbered there are as many as were chosen; those beyond the
/// default lineup begin with its bots again.
pub fn places(config: &Config, benchmark: &dyn Benchmark) -> Vec<SeatPlace> {
    let infos = benchmark.seats();
    let place = |seat: String, info: &SeatInfo| SeatPlace {
        seat: Seat::new(seat),
        about: info.about,
        default: info.default_sitting().player,
    };
    match benchmark.participants() {
        None => infos
            .iter()
            .map(|info| place(info.seat.to_owned(), info))
            .collect(),
        Some(_) => (1..=participants(config, benchmark))
            .zip(infos.iter().cycle())
            .map(|(number, info)| place(number.to_string(), info))
            .collect(),
    }
}

/// How many take part where participants are numbered: as many as were chosen, within what the benchmark allows.
pub fn participants(config: &Config, benchmark: &dyn Benchmark) -> u32 {
    let usual = u32::try_from(benchmark.seats().len()).unwrap_or(u32::MAX);
    let (fewest, most) = benchmark.participants().unwrap_or((usual, usual));
    config.participants.unwrap_or(usual).clamp(fewest, most)
}

/// Whether episodes under this spec search: the strict reading refuses them without an engine.
fn searches(benchmark: &dyn Benchmark, spec: &Spec) -> bool {
    let strict = Spec {
        profile: Profile::Strict,
        search: None,
        ..spec.clone()
    };
    benchmark
        .check(&strict)
        .is_err_and(|bad| bad.field == "search")
}

/// The engine that is asked when nobody chose: one over documents of the server's own if there is any, so that nothing is
/// paid and nothing is asked of others unless somebody says so.
fn usual(engines: &[EngineInfo]) -> Option<&EngineInfo> {
    let own = engines.iter().find(|engine| engine.corpus.is_some());
    own.or_else(|| engines.iter().find(|engine| engine.format == "local"))
        .or_else(|| engines.first())
}

fn engine(info: &EngineInfo) -> SearchSpec {
    SearchSpec {
        engine: info.name.clone(),
        corpus: info.corpus,
        results: RESULTS,
    }
}

/// What a run will do at most.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Estimate {
    /// Tasks that are played.
    pub tasks: usize,
    /// Plays: tasks times repeats.
    pub plays: u64,
    /// The most calls that each seat with a model, and the search engine, can get in the whole run; bots and tapes cost
    /// nothing and are left out. Attempts after a failure of the service are not counted.
    pub most_calls: BTreeMap<String, u64>,
}

/// What the run of a spec will do at most.
///
/// # Errors
/// If the subset fits no task.
pub fn estimate(
    spec: &Spec,
    benchmark: &dyn Benchmark,
    tasks: &TaskSet,
) -> Result<Estimate, BadSpec> {
    let played = sweep::tasks(spec, tasks)?;
    let chosen = played.len();
    let plays = chosen as u64 * u64::from(spec.repeats);
    let mut most_calls = BTreeMap::new();
    if benchmark.participants().is_some() {
        // Who of them is asked how often is the game's business; together they never get more than the budget.
        let models = spec.seats.values();
        let models = models.filter(|sitting| matches!(sitting.player, Player::Model { .. }));
        if models.count() > 0 {
            let calls = u64::from(spec.budget.calls) * plays;
            most_calls.insert(MODELS.to_owned(), calls);
        }
        return Ok(Estimate {
            tasks: chosen,
            plays,
            most_calls,
        });
    }
    let costs = |who: &str| match spec.seats.get(&Seat::new(who)) {
        Some(sitting) => matches!(sitting.player, Player::Model { .. }),
        None => who == SEARCH && spec.search.is_some() && !is_recorded(spec),
    };
    let mut add = |who: &str, calls: u32, plays: u64| {
        if costs(who) && calls > 0 {
            let calls = u64::from(calls.min(spec.budget.calls)) * plays;
            *most_calls.entry(who.to_owned()).or_default() += calls;
        }
    };
    if benchmark.name() == paraworld::ParaWorld.name() {
        let settings = paraworld::settings::Settings::of(spec)?;
        for task in &played {
            for (who, calls) in most_calls_of_a_world(spec, &settings, task) {
                add(who, calls, spec.repeats.into());
            }
        }
    } else if benchmark.name() == Studio.name() {
        for (who, calls) in most_calls_of_a_pair(&studio::settings::Settings::of(spec)?) {
            add(who, calls, plays);
        }
    } else {
        for task in &played {
            for (who, calls) in most_calls_of_a_play(spec, task)? {
                add(who, calls, spec.repeats.into());
            }
        }
    }
    Ok(Estimate {
        tasks: chosen,
        plays,
        most_calls,
    })
}

/// Whether a recording sits in the player's seat; it answers its searches, too.
fn is_recorded(spec: &Spec) -> bool {
    spec.seats
        .get(&Seat::new(Seat::PLAYER))
        .is_some_and(|sitting| matches!(sitting.player, Player::Tape(_)))
}

/// The name under which searches are counted.
pub const SEARCH: &str = "search";

/// The name under which calls of all models are counted together.
pub const MODELS: &str = "models";

/// InteractComp, specification 3: four replies a round before the fourth strike ends the episode, in the last round an answer
/// and a repair (`strict`); three attempts at an episode (`reference`); an unreadable responder or grader is asked twice more
/// (`strict`).
fn most_calls_of_a_play(spec: &Spec, task: &Task) -> Result<Vec<(&'static str, u32)>, BadSpec> {
    let settings = Settings::at(spec, task)?;
    let actions = settings.mode.actions();
    let open_rounds = settings.limit() - 1;
    let allows = |action: ActionName| u32::from(actions.contains(&action));
    let (attempts, last, again) = match spec.profile {
        Profile::Strict => (1, 2, 3),
        Profile::Reference => (3, 1, 1),
    };
    Ok(vec![
        (Seat::PLAYER, attempts * (4 * open_rounds + last)),
        (
            Seat::RESPONDER,
            attempts * open_rounds * again * allows(ActionName::Ask),
        ),
        (SEARCH, attempts * open_rounds * allows(ActionName::Search)),
        (Seat::GRADER, again),
    ])
}

/// The world studio, specification 3.5: every question is asked for, answered by a law (and its repairs) and audited; each of
/// these again after a reply that could not be read.
fn most_calls_of_a_pair(settings: &studio::settings::Settings) -> [(&'static str, u32); 3] {
    use studio::work::seat;
    let each = settings.questions * (1 + studio::settings::RETRIES);
    [
        (seat::QUESTIONER, each),
        (seat::LAWGIVER, each * (1 + settings.repairs)),
        (seat::AUDITOR, each * (1 + settings.audits)),
    ]
}

/// Mind-ParaWorld, specification 4.4, 5.4 and 7: one message a turn; the engine is asked up to three times for a search
/// (`strict`) or five (`reference`), and where calls run side by side only the budget bounds them; each vote of the judge has
/// two attempts (`strict`) or three.
fn most_calls_of_a_world(
    spec: &Spec,
    settings: &paraworld::settings::Settings,
    task: &Task,
) -> [(&'static str, u32); 3] {
    use paraworld::settings::seat;
    use paraworld::task::{field, of_task};
    // Few worlds bring a limit, and only those need to be read.
    let own = task
        .field(field::ROW)
        .is_some_and(|row| row.contains("\"max_turns\""));
    let world = own.then(|| of_task(task)).flatten();
    let turns = match (&world, settings.setting.searches()) {
        (_, false) => 1,
        (Some(world), true) => settings.limit(world),
        (None, true) => settings.turns,
    };
    let (attempts, readings) = match spec.profile {
        Profile::Strict => (3, 2),
        Profile::Reference => (5, 3),
    };
    let searches = match (settings.setting.searches(), settings.parallel) {
        (false, _) => 0,
        (true, false) => turns.saturating_mul(attempts),
        (true, true) => u32::MAX,
    };
    [
        (Seat::PLAYER, turns),
        (seat::ENGINE, searches),
        (seat::JUDGE, settings.votes * readings),
    ]
}

#[cfg(test)]
mod tests;
