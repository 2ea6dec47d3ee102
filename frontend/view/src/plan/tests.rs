use std::collections::BTreeMap;

use turnwise_shared::benchmark::default_spec;
use turnwise_shared::examples::{GAME, MATCH, QUESTIONS, WORLDS};
use turnwise_shared::registry::{self, BENCHMARKS};
use turnwise_shared::spec::RandomSubset;
use turnwise_shared::wire::Promise;

use super::*;

fn benchmark() -> &'static dyn Benchmark {
    registry::find(QUESTIONS).unwrap()
}

fn local() -> Vec<EngineInfo> {
    vec![EngineInfo {
        name: "local".into(),
        format: "local".to_owned(),
        promise: Promise::Stable,
        documents: Some(81),
        corpus: None,
    }]
}

fn spec_of(config: &Config) -> Result<Spec, BadSpec> {
    let samples = benchmark().samples();
    chosen(config, benchmark(), Some(&samples), &local(), None).map(|chosen| chosen.spec)
}

#[test]
fn seats_that_the_run_does_not_have_are_named() {
    let (config, _) = Config::read("seat.nobody=bot:exact&seat.player=bot:exact&effort.gradr=low");
    let strange = strange_seats(&config, benchmark());
    assert_eq!(strange, ["gradr", "nobody"].map(Seat::new).into());
    let game = registry::find(GAME).expect("it is one of ours");
    let (config, _) =
        Config::read(&format!("benchmark={GAME}&participants=3&seat.3=bot:tight&seat.4=bot:tight"));
    assert_eq!(strange_seats(&config, game), [Seat::new("4")].into());
}

#[test]
fn the_default_run_needs_nobody_and_costs_nothing_but_searches() {
    let spec = spec_of(&Config::new(QUESTIONS)).unwrap();
    assert_eq!(spec.search.as_ref().unwrap().engine, "local");
    let players: Vec<_> = spec.seats.values().map(|sitting| sitting.player.to_string()).collect();
    assert_eq!(players, ["bot:exact", "bot:asks-by-rule", "bot:lexical"]);
    let estimate = estimate(&spec, benchmark(), &benchmark().samples()).unwrap();
    assert_eq!(estimate.plays, 20);
    assert_eq!(estimate.most_calls, BTreeMap::from([("search".to_owned(), 180)]));
}

#[test]
fn modes_that_do_not_search_have_no_engine() {
    for mode in ["ask_only", "answer_only"] {
        for profile in [Profile::Strict, Profile::Reference] {
            let mut config = Config::new(QUESTIONS);
            config.settings.insert("mode".into(), mode.into());
            config.profile = profile;
            assert_eq!(spec_of(&config).unwrap().search, None, "{mode}");
        }
    }
    let mut config = Config::new(QUESTIONS);
    config.profile = Profile::Reference;
    assert!(spec_of(&config).unwrap().search.is_some());
    config.search = Engine::Nobody;
    assert!(spec_of(&config).unwrap().search.is_none());
    config.profile = Profile::Strict;
    assert_eq!(spec_of(&config).unwrap_err().field, "search");
    config.search = Engine::Named("web".into());
    assert_eq!(spec_of(&config).unwrap_err().field, "search");
    // The built-in web is searched by those who read its pages.
    let archive = EngineInfo { format: EngineInfo::ARCHIVE.to_owned(), ..local().remove(0) };
    let (config, samples) = (Config::new(QUESTIONS), benchmark().samples());
    let without = chosen(&config, benchmark(), Some(&samples), &[archive], None);
    assert_eq!(without.unwrap_err().field, "search");
}

#[test]
fn pages_are_of_the_web_that_is_searched() {
    let sample = "frozen:sample";
    let archive = EngineInfo {
        name: sample.to_owned(),
        format: EngineInfo::ARCHIVE.to_owned(),
        corpus: Some(Digest::of("pages")),
        ..local().remove(0)
    };
    let engines = [local().remove(0), archive];
    let mut all = BENCHMARKS.iter().copied();
    let reads = |one: &&dyn Benchmark| one.lacks(&default_spec(*one), "web");
    let benchmark = all.find(reads).expect("one reads pages");
    let samples = benchmark.samples();
    let others = TaskSet { digest: Digest::of("others"), ..samples.clone() };
    for (named, tasks, searched) in [
        (None, &samples, sample),
        (None, &others, "local"),
        (Some("local"), &samples, "local"),
        (Some(sample), &others, sample),
    ] {
        let mut config = Config::new(benchmark.name());
        config.search = named.map_or(Engine::First, |name| Engine::Named(name.to_owned()));
        let spec = chosen(&config, benchmark, Some(tasks), &engines, None).unwrap().spec;
        assert_eq!(spec.search.unwrap().engine, searched);
        assert_eq!(spec.web == Some(WebSpec::Live), searched == "local", "{named:?}");
    }
}

#[test]
fn bots_that_there_are_not_are_refused_with_their_seat() {
    let hiding = registry::find(WORLDS).unwrap();
    let tasks = hiding.samples();
    let refused = |seat: &str, bot: &str| {
        let mut config = Config::new(WORLDS);
        config.seats.insert(seat.into(), bot.parse().unwrap());
        chosen(&config, hiding, Some(&tasks), &[], None).err()
    };
    assert_eq!(refused("player", "bot:random-facts:0.2"), None);
    for (seat, bot) in
        [("player", "bot:nobody"), ("player", "bot:random-facts:7"), ("engine", "bot:per-fact")]
    {
        let bad = refused(seat, bot).expect("there is none");
        assert_eq!(bad.field, format!("seats.{seat}"), "{bot}");
        assert!(bad.problem.contains("there is bot:"), "{bad}");
    }
}

#[test]
fn models_are_counted_at_most() {
    let mut config = Config::new(QUESTIONS);
    config.settings.insert("rounds".into(), 3.into());
    config.repeats = 2;
    config.subset.random = Some(RandomSubset { count: 5, seed: 1 });
    config.seats.insert("player".into(), "model:lab/m".parse().unwrap());
    config.seats.insert("grader".into(), "model:lab/g".parse().unwrap());
    let turned = |knob: knob::Knob, to: &str| (knob, to.to_owned());
    config.sampling.insert("player".into(), [turned(knob::Knob::TopP, "0.5")].into());
    // Bots are not sampled.
    config.sampling.insert("responder".into(), [turned(knob::Knob::TopP, "0.5")].into());
    let tasks = benchmark().samples();
    let spec = spec_of(&config).unwrap();
    let sampling = |seat: &str| &spec.seats[&Seat::new(seat)].sampling;
    assert_eq!(sampling("player").temperature, Some(0.6));
    assert_eq!(sampling("player").top_p, Some(0.5));
    assert_eq!(*sampling("responder"), Sampling::default());
    let estimate = super::estimate(&spec, benchmark(), &tasks).unwrap();
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
fn models_of_engines_and_judges_are_counted_at_most() {
    let hiding = registry::find(WORLDS).unwrap();
    let tasks = hiding.samples();
    let estimate_of = |settings: &[(&str, Value)]| {
        let mut config = Config::new(WORLDS);
        config.subset.first = Some(2);
        for (name, value) in settings {
            config.settings.insert((*name).to_owned(), value.clone());
        }
        for seat in ["player", "engine", "judge"] {
            config.seats.insert(seat.into(), format!("model:lab/{seat}").parse().unwrap());
        }
        let spec = chosen(&config, hiding, Some(&tasks), &[], None).unwrap().spec;
        assert_eq!(spec.search, None, "nobody is searched but the engine");
        let budget = u64::from(spec.budget.calls);
        (estimate(&spec, hiding, &tasks).unwrap().most_calls, budget)
    };
    let calls = |player, engine, judge| {
        BTreeMap::from([
            ("player".to_owned(), player),
            ("engine".to_owned(), engine),
            ("judge".to_owned(), judge),
        ])
    };
    let five = ("turns", Value::from(5));
    let (most, _) = estimate_of(&[five.clone(), ("votes", 3.into())]);
    assert_eq!(most, calls(10, 30, 12));
    let (most, budget) = estimate_of(&[five, ("parallel", true.into())]);
    assert_eq!(most, calls(10, 2 * budget, 4));
    let (mut most, _) = estimate_of(&[("setting", "A".into())]);
    assert_eq!(most.remove("engine"), None, "nothing is searched");
    assert_eq!(most["player"], 2);
    let free = chosen(&Config::new(WORLDS), hiding, Some(&tasks), &[], None);
    let free = estimate(&free.unwrap().spec, hiding, &tasks).unwrap();
    assert!(free.most_calls.is_empty(), "bots cost nothing");
}

#[test]
fn tasks_of_games_follow_from_the_choice() {
    for (name, number) in [(GAME, "hands"), (MATCH, "cap")] {
        let game = registry::find(name).unwrap();
        let mut config = Config::new(name);
        let first = chosen(&config, game, None, &[], None).unwrap();
        let planned = first.planned.as_ref().unwrap();
        assert_eq!(first.spec.tasks.digest, planned.digest, "{name}");
        assert_eq!(first.spec.search, None);
        assert_eq!(first.spec.budget, game.default_budget(&first.spec), "{name}");
        assert_eq!(*planned, game.plan(&first.spec).unwrap(), "{name}");
        let free = estimate(&first.spec, game, planned).unwrap();
        assert!(free.most_calls.is_empty() && free.plays > 0, "{name}");
        config.settings.insert(number.into(), 3.into());
        config.participants = Some(4);
        config.seats.insert("2".into(), "model:lab/m".parse().unwrap());
        let second = chosen(&config, game, None, &[], None).unwrap();
        assert_eq!(second.spec.seats.len(), 4, "{name}");
        assert_ne!(second.spec.tasks.digest, first.spec.tasks.digest, "{name}");
        let planned = second.planned.as_ref().unwrap();
        let paid = estimate(&second.spec, game, planned).unwrap();
        let most = u64::from(second.spec.budget.calls) * paid.plays;
        assert_eq!(paid.most_calls, BTreeMap::from([(MODELS.to_owned(), most)]));
    }
}

#[test]
fn so_many_take_part_as_the_game_allows() {
    let game = registry::find(GAME).unwrap();
    let mut config = Config::new(GAME);
    let usual = places(&config, game);
    assert_eq!(usual.len(), game.seats().len());
    config.participants = Some(99);
    let most = places(&config, game);
    assert_eq!(most.len(), 10);
    assert_eq!(most[0].default, usual[0].default);
    assert_eq!(most[usual.len()].default, usual[0].default, "bots begin again");
    config.participants = Some(0);
    assert_eq!(places(&config, game).len(), 2);
    assert_eq!(places(&Config::new(QUESTIONS), benchmark()).len(), 3);
}

#[test]
fn what_cannot_be_run_is_said_with_its_field() {
    let mut config = Config::new(QUESTIONS);
    config.settings.insert("rounds".into(), 0.into());
    assert_eq!(spec_of(&config).unwrap_err().field, "settings.rounds");
    config.settings.insert("rounds".into(), 10.into());
    config.subset.ids = vec!["no such id".into()];
    assert_eq!(spec_of(&config).unwrap_err().field, "subset.ids");
    config.subset.ids = vec!["7".into(), "2-3".into(), "3".into()];
    let meant = spec_of(&config).expect("a range in an address").subset.ids;
    assert_eq!(meant, ["2", "3", "7"].map(Into::into));
}
