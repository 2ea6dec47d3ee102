//! From what a person chose to the spec of a run, and what it will cost at most. Pure; no browser.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use turnwise_shared::benchmark::{Benchmark, SeatInfo};
use turnwise_shared::benchmarks::interactcomp::reading::ActionName;
use turnwise_shared::benchmarks::interactcomp::settings::Settings;
use turnwise_shared::run::choose;
use turnwise_shared::seat::{Lineup, Player, Sampling, Seat, Sitting};
use turnwise_shared::spec::{BadSpec, Budget, Named, Profile, SearchSpec, Spec};
use turnwise_shared::tape::Tape;
use turnwise_shared::task::TaskSet;
use turnwise_shared::wire::EngineInfo;

use crate::address::{Config, Engine};

/// Hits that an episode asks a search engine for (InteractComp, specification 5).
const RESULTS: u32 = 5;

/// The spec of the chosen run: the same that the command line makes of the same choice.
///
/// # Errors
/// The first part that cannot be run, and how to mend it.
pub fn spec(
    config: &Config,
    benchmark: &dyn Benchmark,
    tasks: &TaskSet,
    engines: &[EngineInfo],
    players_tape: Option<&Tape>,
) -> Result<Spec, BadSpec> {
    let pack = benchmark.pack();
    let mut spec = Spec {
        benchmark: benchmark.name().to_owned(),
        protocol: benchmark.protocol(),
        profile: config.profile,
        settings: Value::Object(settings(config, benchmark)),
        tasks: Named {
            name: tasks.name.clone(),
            digest: tasks.digest,
        },
        subset: config.subset.clone(),
        pack: Named {
            name: pack.name.clone(),
            digest: pack.digest(),
        },
        seats: lineup(config, benchmark),
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
        (Engine::First, None) if searches(benchmark, &spec) => engines.first().map(engine),
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
    choose(tasks, &spec.subset)?;
    Ok(spec)
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
pub fn lineup(config: &Config, benchmark: &dyn Benchmark) -> Lineup {
    benchmark
        .seats()
        .iter()
        .map(|info| {
            let seat = Seat::new(info.seat);
            let player = config
                .seats
                .get(&seat)
                .cloned()
                .unwrap_or_else(|| default_player(info));
            let sampling = match &player {
                Player::Model { model, .. } => benchmark.default_sampling(&seat, model),
                Player::Bot(_) | Player::Tape(_) | Player::Person => Sampling::default(),
            };
            (seat, Sitting { player, sampling })
        })
        .collect()
}

/// The bot that sits in a seat when nobody was chosen.
pub fn default_player(info: &SeatInfo) -> Player {
    Player::Bot(
        info.default
            .strip_prefix("bot:")
            .unwrap_or(info.default)
            .to_owned(),
    )
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

fn engine(info: &EngineInfo) -> SearchSpec {
    SearchSpec {
        engine: info.name.clone(),
        corpus: info.corpus,
        results: RESULTS,
    }
}

/// What a run will do at most.
#[derive(Debug, Clone, PartialEq, Eq)]
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
pub fn estimate(spec: &Spec, tasks: &TaskSet) -> Result<Estimate, BadSpec> {
    let chosen = choose(tasks, &spec.subset)?.len();
    let plays = chosen as u64 * u64::from(spec.repeats);
    let mut most_calls = BTreeMap::new();
    for (who, calls) in most_calls_of_a_play(spec)? {
        let costs = match spec.seats.get(&Seat::new(who)) {
            Some(sitting) => matches!(sitting.player, Player::Model { .. }),
            None => who == SEARCH && spec.search.is_some() && !is_recorded(spec),
        };
        if costs && calls > 0 {
            let calls = u64::from(calls.min(spec.budget.calls));
            most_calls.insert(who.to_owned(), calls * plays);
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

/// InteractComp, specification 3: four replies a round before the fourth strike ends the episode, in the last round an answer
/// and a repair (`strict`); three attempts at an episode (`reference`); an unreadable responder or grader is asked twice more
/// (`strict`).
fn most_calls_of_a_play(spec: &Spec) -> Result<Vec<(&'static str, u32)>, BadSpec> {
    let settings = Settings::of(spec)?;
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

#[cfg(test)]
mod tests {
    use turnwise_shared::registry;
    use turnwise_shared::spec::RandomSubset;

    use super::*;

    fn benchmark() -> &'static dyn Benchmark {
        registry::find("interactcomp").unwrap()
    }

    fn local() -> Vec<EngineInfo> {
        vec![EngineInfo {
            name: "local".into(),
            documents: Some(81),
            corpus: None,
        }]
    }

    fn spec_of(config: &Config) -> Result<Spec, BadSpec> {
        spec(config, benchmark(), &benchmark().samples(), &local(), None)
    }

    #[test]
    fn the_default_run_needs_nobody_and_costs_nothing_but_searches() {
        let spec = spec_of(&Config::new("interactcomp")).unwrap();
        assert_eq!(spec.search.as_ref().unwrap().engine, "local");
        let players: Vec<_> = spec
            .seats
            .values()
            .map(|sitting| sitting.player.to_string())
            .collect();
        assert_eq!(players, ["bot:exact", "bot:asks-by-rule", "bot:lexical"]);
        let estimate = estimate(&spec, &benchmark().samples()).unwrap();
        assert_eq!(estimate.plays, 20);
        assert_eq!(
            estimate.most_calls,
            BTreeMap::from([("search".to_owned(), 180)])
        );
    }

    #[test]
    fn modes_that_do_not_search_have_no_engine() {
        for mode in ["ask_only", "answer_only"] {
            for profile in [Profile::Strict, Profile::Reference] {
                let mut config = Config::new("interactcomp");
                config.settings.insert("mode".into(), mode.into());
                config.profile = profile;
                assert_eq!(spec_of(&config).unwrap().search, None, "{mode}");
            }
        }
        let mut config = Config::new("interactcomp");
        config.profile = Profile::Reference;
        assert!(spec_of(&config).unwrap().search.is_some());
        config.search = Engine::Nobody;
        assert!(spec_of(&config).unwrap().search.is_none());
        config.profile = Profile::Strict;
        assert_eq!(spec_of(&config).unwrap_err().field, "search");
        config.search = Engine::Named("web".into());
        assert_eq!(spec_of(&config).unwrap_err().field, "search");
    }

    #[test]
    fn models_are_counted_at_most() {
        let mut config = Config::new("interactcomp");
        config.settings.insert("rounds".into(), 3.into());
        config.repeats = 2;
        config.subset.random = Some(RandomSubset { count: 5, seed: 1 });
        config
            .seats
            .insert("player".into(), "model:lab/m".parse().unwrap());
        config
            .seats
            .insert("grader".into(), "model:lab/g".parse().unwrap());
        let tasks = benchmark().samples();
        let spec = spec_of(&config).unwrap();
        assert_eq!(
            spec.seats[&Seat::new("player")].sampling.temperature,
            Some(0.6)
        );
        let estimate = super::estimate(&spec, &tasks).unwrap();
        assert_eq!((estimate.tasks, estimate.plays), (5, 10));
        assert_eq!(
            estimate.most_calls,
            BTreeMap::from([
                ("grader".to_owned(), 30),
                ("player".to_owned(), 100),
                ("search".to_owned(), 20),
            ])
        );
    }

    #[test]
    fn what_cannot_be_run_is_said_with_its_field() {
        let mut config = Config::new("interactcomp");
        config.settings.insert("rounds".into(), 0.into());
        assert_eq!(spec_of(&config).unwrap_err().field, "settings.rounds");
        config.settings.insert("rounds".into(), 10.into());
        config.subset.ids = vec!["no such id".into()];
        assert_eq!(spec_of(&config).unwrap_err().field, "subset.ids");
    }
}
