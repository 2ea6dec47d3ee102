use super::*;
use turnwise_shared::benchmark::schema::Holds;
use turnwise_shared::examples::{GAME, MATCH, WORLDS};
use turnwise_shared::hash::Digest;
use turnwise_shared::registry;
use turnwise_shared::wire::Promise;

fn engines() -> Vec<EngineInfo> {
    let engine = |name: &str, format: &str| EngineInfo {
        name: name.into(),
        format: format.to_owned(),
        promise: Promise::Stable,
        documents: Some(1),
        corpus: Some(Digest::of(name)),
    };
    vec![engine("local", "local"), engine("frozen:sample", EngineInfo::ARCHIVE)]
}

fn setup(name: &str) -> Setup {
    Setup::new(Game::named(name).expect("people play it"))
}

fn opened(setup: &Setup, chance: impl Fn(usize) -> usize) -> OpenLive {
    let opened = setup.table(&engines(), chance);
    opened.unwrap_or_else(|bad| panic!("{}: {bad}", setup.game.name()))
}

/// The seats of people under a spec.
fn people(table: &OpenLive) -> Vec<Seat> {
    let seats = table.spec.seats.iter();
    let seats = seats.filter(|(_, sitting)| sitting.player == Player::Person);
    seats.map(|(seat, _)| seat.clone()).collect()
}

#[test]
fn one_button_suffices_for_every_game_and_every_seat() {
    for game in Game::all() {
        for seat in game.people.seats {
            let mut setup = Setup::new(game);
            setup.sit(Seat::new(*seat));
            let table = opened(&setup, |below| below - 1);
            assert_eq!(table.spec.seed, 0, "{}: it is mixed later", game.name());
            assert_eq!(people(&table), [setup.seat], "{}", game.name());
        }
    }
}

#[test]
fn every_game_says_what_it_is_and_offers_what_its_form_can_show() {
    for Game { benchmark, people } in Game::all() {
        let name = benchmark.name();
        for text in [people.about, people.practice, people.late, people.absent] {
            assert!(!text.is_empty(), "{name}");
        }
        let begins: Result<Map<String, Value>, _> = serde_json::from_str(people.begins);
        assert!(begins.is_ok(), "{name}: {}", people.begins);
        for setting in people.settings.settings {
            let is_shown = matches!(
                setting.holds,
                Holds::Number(..) | Holds::Choice(_) | Holds::Cards(_) | Holds::Flag
            );
            assert!(is_shown, "{name}: {}", setting.name);
        }
        assert_eq!(people.tasks.is_some(), benchmark.reads_tasks(), "{name}");
        // What is revealed is a field of its tasks, and nothing that is shown in the list of tasks.
        let (_, tasks) = tasks_of(Game { benchmark, people });
        for (field, _) in people.reveals {
            let has = tasks.iter().any(|task| task.field(field).is_some());
            assert!(has, "{name}: no task has {field:?}");
        }
    }
}

#[test]
fn every_choice_of_every_setting_can_be_played() {
    for game in Game::all() {
        for setting in settings(game) {
            let values: Vec<Value> = match setting.holds {
                Holds::Number(least, most) => vec![least.into(), most.into()],
                Holds::Choice(choices) => choices.iter().map(|(it, _)| value_of(it)).collect(),
                Holds::Cards(cards) => cards.iter().map(|card| card.value.into()).collect(),
                _ => vec![true.into(), false.into()],
            };
            for value in values {
                let mut setup = Setup::new(game);
                setup.settings.insert(setting.name.to_owned(), value.clone());
                let table = opened(&setup, |_| 0);
                assert_eq!(table.spec.settings[setting.name], value, "{}", game.name());
            }
        }
    }
}

#[test]
fn calls_of_models_are_limited_where_a_model_sits() {
    for game in Game::all() {
        let mut setup = Setup::new(game);
        setup.calls = Some(7);
        assert_eq!(opened(&setup, |_| 0).caps.calls, None, "{}", game.name());
        let Some(seat) = setup.other_seats().pop() else {
            continue;
        };
        let model = "model:up/m".parse().ok();
        setup.choose(seat.clone(), model);
        assert_eq!(opened(&setup, |_| 0).caps.calls, Some(7));
        setup.choose(seat, None);
        assert_eq!(opened(&setup, |_| 0).caps.calls, None);
    }
}

#[test]
fn everybody_else_can_be_a_friend() {
    for game in Game::all() {
        let mut setup = Setup::new(game);
        let others = setup.other_seats();
        for seat in &others {
            setup.choose(seat.clone(), Some(Player::Person));
        }
        assert_eq!(people(&opened(&setup, |_| 0)).len(), others.len() + 1);
    }
}

#[test]
fn a_hidden_opponent_is_drawn_and_not_told() {
    let setup = setup(MATCH);
    let Others::Hidden(among) = setup.game.people.others else {
        panic!("it is hidden");
    };
    for (at, name) in among.iter().enumerate() {
        let table = opened(&setup, |_| at);
        assert_eq!(table.spec.seats.len(), 2);
        let opponent = &table.spec.seats[&Seat::new("2")].player;
        assert_eq!(*opponent, Player::Bot((*name).to_owned()));
    }
    assert_eq!(setup.names(), BTreeMap::new(), "it is a surprise");
}

#[test]
fn tasks_are_narrowed_or_chosen() {
    for game in Game::all() {
        let (values, samples) = tasks_of(game);
        let Some(tasks) = game.people.tasks else {
            assert!(samples.is_empty());
            continue;
        };
        let mut setup = Setup::new(game);
        setup.episodes = 3;
        let all = game.benchmark.samples();
        let mut played = |which: Which| {
            setup.which = which;
            let spec = opened(&setup, |_| 5).spec;
            turnwise_shared::sweep::choose(&all, &spec.subset).expect("some fit")
        };
        for value in &values {
            let chosen = played(Which::Any(Some(value.clone())));
            let label = tasks.by.expect("there are values of it");
            let has = |task: &Task| label_values(&task.labels[label]).any(|one| one == value);
            let fits = chosen.iter().all(has);
            assert!(!chosen.is_empty() && fits, "{}: {value}", game.name());
        }
        let last = samples.last().expect("there are samples");
        let chosen = played(Which::One(last.id.clone()));
        assert_eq!(chosen.len(), 1);
        assert_eq!(chosen[0].id, last.id);
    }
    assert!(!tasks_of(setup(WORLDS).game).0.is_empty());
}

#[test]
fn a_table_has_as_many_as_were_chosen() {
    let mut setup = setup(GAME);
    for participants in [2, 10, 5] {
        setup.participants = participants;
        let table = opened(&setup, |_| 0);
        assert_eq!(table.spec.seats.len() as u32, participants);
    }
    assert_eq!(setup.names()[&Seat::new("3")], "equity");
    assert_eq!(setup.length(), 10);
}

#[test]
fn a_number_among_choices_is_set_as_one() {
    assert_eq!(value_of("0.8"), Value::from(0.8));
    assert_eq!(value_of("A"), Value::from("A"));
    assert_eq!(value_of("freezeout"), Value::from("freezeout"));
    for text in ["0.8", "0.95", "A"] {
        assert_eq!(value_of(text), serde_json::from_str(text).unwrap_or(Value::from(text)));
    }
    assert_eq!(clock_of(60).bank_seconds, BANK);
}

#[test]
fn a_benchmark_that_only_a_test_knows_is_offered() {
    registry::add(&crate::toy::Toy);
    let setup = setup("toy");
    let table = opened(&setup, |_| 0);
    assert_eq!(people(&table), [Seat::new(Seat::PLAYER)]);
    assert_eq!(setup.summary(), "1 question");
    let benchmark = setup.game.benchmark;
    let config = Config::new("toy");
    let chosen = plan::chosen(&config, benchmark, Some(&benchmark.samples()), &[], None);
    assert_eq!(chosen.expect("it can be run").spec.benchmark, "toy");
    assert_eq!(registry::title("toy"), Some("Toy sums"));
    assert!(registry::has_boards("toy") && registry::is_played("toy"));
}
