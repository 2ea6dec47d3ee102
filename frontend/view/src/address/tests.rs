use turnwise_shared::examples::{MATCH, QUESTIONS, WORLDS};

use super::*;

fn round_trip(config: &Config) {
    let query = config.query();
    assert_eq!(Config::read(&query), (config.clone(), Vec::new()), "{query}");
    assert_eq!(Config::read(&format!("?{query}")).0, *config, "with a question mark");
}

#[test]
fn the_default_run_has_an_empty_address() {
    let config = Config::new(QUESTIONS);
    assert_eq!(config.query(), "");
    round_trip(&config);
    assert_eq!(Config::new("other").query(), "benchmark=other");
}

#[test]
fn everything_chosen_comes_back() {
    let mut config = Config::new(QUESTIONS);
    config.tasks = "my tasks & more.jsonl".into();
    config.profile = Profile::Reference;
    config.settings.insert("mode".into(), "forced_ask".into());
    config.settings.insert("rounds".into(), 12.into());
    config.subset = Subset {
        ids: vec!["1".into(), "a,b".into(), "50%2C".into(), "题".into()],
        labels: BTreeMap::from([
            ("domain".to_owned(), vec!["Law & Politics".to_owned(), "Sports".to_owned()]),
            ("language".to_owned(), vec!["zh".to_owned()]),
        ]),
        random: Some(RandomSubset { count: 50, seed: u64::MAX }),
        first: Some(10),
    };
    config.repeats = 3;
    config.in_flight = 64;
    config.pause_after = 0;
    config.seats = BTreeMap::from([
        ("player".into(), "model:lab/org/name:free+1".parse().unwrap()),
        ("responder".into(), "bot:lexical".parse().unwrap()),
        ("grader".into(), "tape:runs/a b".parse().unwrap()),
    ]);
    config.sampling = BTreeMap::from([(
        "player".into(),
        Turned::from([(Knob::Temperature, "0.3".to_owned()), (Knob::Stop, "END\n\\n".to_owned())]),
    )]);
    config.search = Engine::Named("local".into());
    config.seed = 7;
    round_trip(&config);
    assert_eq!(
        config.query(),
        format!(
            "benchmark={QUESTIONS}&tasks=my%20tasks%20%26%20more.jsonl&profile=reference&mode=forced_ask&rounds=12\
         &only.domain=Law%20%26%20Politics,Sports&only.language=zh&ids=1,a%252Cb,50%25252C,%E9%A2%98&random=50\
         &random-seed=18446744073709551615&first=10&repeats=3&in-flight=64&pause-after=0&seat.grader=tape:runs/a%20b\
         &seat.player=model:lab/org/name:free%2B1&seat.responder=bot:lexical\
         &temperature.player=0.3&stop.player=END%0A%5Cn&search=local&seed=7"
        )
    );
    config.search = Engine::Nobody;
    round_trip(&config);
}

#[test]
fn settings_of_games_come_back() {
    let mut config = Config::new(MATCH);
    let settings = [
        ("delta", serde_json::json!(0.8)),
        ("payoffs", serde_json::json!({ "cc": 2, "cd": -1 })),
        ("repeats", serde_json::json!(3)),
        ("swap", serde_json::json!(false)),
        ("fallback", serde_json::json!("defect")),
    ];
    for (name, value) in settings {
        config.settings.insert(name.into(), value);
    }
    config.participants = Some(5);
    config.seats.insert("4".into(), "bot:random:0.5".parse().unwrap());
    round_trip(&config);
    assert!(config.query().contains("&set.repeats=3&"), "{}", config.query());
    assert_eq!(config.repeats, 1);
    config.settings.insert("delta".into(), serde_json::json!([0.5, 0.9]));
    round_trip(&config);
}

#[test]
fn settings_that_are_nothing_and_words_that_look_like_data_come_back() {
    let mut config = Config::new(WORLDS);
    let settings = [
        ("context", serde_json::json!(null)),
        ("format_errors", serde_json::json!(2)),
        ("system", serde_json::json!("null")),
    ];
    for (name, value) in settings {
        config.settings.insert(name.into(), value);
    }
    round_trip(&config);
    for prompt in ["{\"a\": 1}", "7", "true", "\"so\"", "[1", "Search.\nThen answer."] {
        config.settings.insert("system".into(), prompt.into());
        round_trip(&config);
    }
}

#[test]
fn what_cannot_be_used_is_named_and_the_default_stands() {
    let (config, odd) = Config::read("repeats=0&seat.player=gpt&profile=lax&in-flight=16&random=x");
    assert_eq!(config.repeats, 1);
    assert!(config.seats.is_empty());
    assert_eq!(config.profile, Profile::Strict);
    assert_eq!(
        odd,
        [
            "repeats=0: Write a whole number from 1 to 100 in digits alone.",
            "seat.player=gpt: \"gpt\" names nobody: write bot:NAME, model:PROVIDER/MODEL, tape:FOLDER or person",
            "profile=lax: \"lax\" is not a profile; write strict or reference",
            "random=x: Write a whole number of 1 or more in digits alone.",
        ]
    );
}

#[test]
fn a_benchmark_that_is_not_there_is_said() {
    let (_, odd) = Config::read("benchmark=nosuch");
    assert_eq!(odd, ["benchmark=nosuch: there is no such benchmark"]);
}

#[test]
fn a_sampling_that_cannot_be_is_said() {
    let (config, odd) = Config::read("temperature.player=3&effort.grader=low&top-p.player=x");
    assert_eq!(
        odd,
        [
            "temperature.player=3: a temperature is from 0 to 2",
            "top-p.player=x: it is above 0 and at most 1",
        ]
    );
    assert_eq!(config.sampling.len(), 1);
    assert_eq!(config.sampling[&Seat::new("grader")][&Knob::Effort], "low");
}

#[test]
fn a_run_like_another_has_its_address() {
    use turnwise_shared::benchmark::default_spec;
    use turnwise_shared::registry::BENCHMARKS;

    for benchmark in BENCHMARKS {
        let mut spec = default_spec(*benchmark);
        spec.tasks.name = "mine.jsonl".to_owned();
        spec.subset.ids = vec![TaskId("7".to_owned())];
        spec.repeats = 3;
        let first = spec.seats.values_mut().next().expect("a seat");
        first.player = "model:lab/m".parse().expect("a player");
        first.sampling.temperature = Some(0.25);
        first.sampling.max_tokens = Some(900);
        let config = Config::like(&spec);
        round_trip(&config);
        assert_eq!(config.seats.len(), spec.seats.len());
        let [(_, turned)] = &config.sampling.iter().collect::<Vec<_>>()[..] else {
            panic!("one seat is sampled: {:?}", config.sampling);
        };
        assert_eq!(turned[&Knob::Temperature], "0.25");
        assert_eq!(turned[&Knob::MaxTokens], "900");
    }
}

#[test]
fn a_cap_that_cannot_be_read_lets_nothing_be_spent() {
    let (config, odd) = Config::read("cap-usd=-3&cap-calls=many&cap-tokens=70");
    assert_eq!((config.caps.money, config.caps.calls), (Some(0), Some(0)));
    assert_eq!(config.caps.tokens, Some(70));
    assert_eq!(odd.len(), 2, "{odd:?}");
}

#[test]
fn a_seed_without_a_random_subset_draws_none() {
    let (config, odd) = Config::read("random-seed=5");
    assert_eq!(config, Config::new(QUESTIONS));
    let [why] = &odd[..] else {
        panic!("it is not dropped in silence: {odd:?}");
    };
    assert!(why.starts_with("random-seed=5: "), "{why}");
    // The order of an address means nothing.
    let (config, odd) = Config::read("random-seed=5&random=3");
    let drawn = RandomSubset { count: 3, seed: 5 };
    assert_eq!((config.subset.random, odd.len()), (Some(drawn), 0));
}
