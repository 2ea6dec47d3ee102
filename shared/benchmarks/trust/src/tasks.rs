//! The matches of a run as tasks: who meets whom, how often, from which side, and, hidden, for how long.

use super::lengths;
use super::lineup::Participant;
use super::seeds::{self, PairSeed, Twister};
use super::settings::{Form, Lengths, Settings};
use turnwise_core::prelude::*;
use turnwise_core::python::float;
use turnwise_core::task::texts;

/// Names of a task's fields. Only [`field::DELTA`] is known to players.
pub mod field {
    /// The probability that the match goes on after a round.
    pub const DELTA: &str = "delta";
    pub const ROUNDS: &str = "rounds";
    /// Why it ends after them: a word of [`stop`](super::stop).
    pub const STOP: &str = "stop";
    /// The seed of each place's own chance, first place first (`reference` only).
    pub const CHANCE: [&str; 2] = ["chance_1", "chance_2"];
}

/// Names of a task's labels.
pub mod label {
    pub const DELTA: &str = "delta";
    /// The seats of the pair in the order of the lineup, e.g. `1v4`.
    pub const PAIR: &str = "pair";
    /// Which repeat of the pair, from 1.
    pub const REPEAT: &str = "repeat";
    /// `ab`: the earlier seat has the first place; `ba`: the later one.
    pub const DIRECTION: &str = "direction";
    /// What meets what, e.g. `model+tft`.
    pub use turnwise_core::task::LINEUP_LABEL as CLASS;
    /// Which seat has each place.
    pub const PLACES: [&str; 2] = ["first", "second"];
}

/// Why a match ends, in the words of the reference code.
pub mod stop {
    /// The length was drawn before the match began (a tournament of the reference code).
    pub const FIXED: &str = "fixed_rounds_reached";
    pub const DELTA: &str = "stopped_by_delta";
    pub const CAP: &str = "max_rounds_cap";
}

/// The matches of a spec: for every δ every pair, repeat and direction, in this order. Those of a branch are its parent's, planned for
/// the parent's players ([`Settings::planned_for`]).
///
/// # Errors
/// The first part of the spec that cannot be played.
pub fn plan(spec: &Spec) -> Result<TaskSet, BadSpec> {
    let (settings, _) = Settings::of(spec)?;
    let players = settings.planned(spec)?;
    let tasks = match settings.form {
        Form::Single => vec![single(spec, &settings, &players)],
        Form::Tournament => tournament(spec, &settings, &players),
    };
    Ok(TaskSet::new("matches", tasks, TaskSetOrigin::Plain))
}

fn tournament(spec: &Spec, settings: &Settings, players: &[Participant]) -> Vec<Task> {
    let mut tasks = Vec::new();
    for delta in &settings.delta.0 {
        for (a, first) in players.iter().enumerate() {
            for second in &players[a + 1..] {
                for repeat in 1..=settings.repeats {
                    let pair = PairSeed {
                        seed: spec.seed,
                        names: [&first.name, &second.name],
                        repeat,
                        delta: *delta,
                        cap: settings.cap,
                    };
                    let rounds = match settings.lengths(spec.profile) {
                        Lengths::Shared => lengths::shared(spec.seed, repeat, *delta, settings.cap),
                        Lengths::Reference => lengths::reference(&pair),
                    };
                    let directions: &[(u32, &str)] = match settings.swap {
                        true => &[(0, "ab"), (1, "ba")],
                        false => &[(0, "ab")],
                    };
                    for (direction, name) in directions {
                        let places = match direction {
                            0 => [first, second],
                            _ => [second, first],
                        };
                        tasks.push(task(Meeting {
                            profile: spec.profile,
                            pair: [first, second],
                            places,
                            delta: *delta,
                            repeat,
                            direction: name,
                            rounds,
                            stop: match spec.profile {
                                Profile::Reference => stop::FIXED,
                                Profile::Strict if rounds < settings.cap => stop::DELTA,
                                Profile::Strict => stop::CAP,
                            },
                            chance: places.map(|who| pair.of_player(*direction, &who.name)),
                        }));
                    }
                }
            }
        }
    }
    tasks
}

fn single(spec: &Spec, settings: &Settings, players: &[Participant]) -> Task {
    // `Settings::of` has let pass two players and one delta.
    let (first, second) = (&players[0], &players[1]);
    let delta = settings.delta.0[0];
    let names = [first.name.as_str(), second.name.as_str()];
    let mut twister = Twister::seeded(seeds::single_game(spec.seed, names, delta));
    let rounds = lengths::geometric(delta, settings.cap, || twister.unit());
    task(Meeting {
        profile: spec.profile,
        pair: [first, second],
        places: [first, second],
        delta,
        repeat: 1,
        direction: "ab",
        rounds,
        stop: if rounds < settings.cap { stop::DELTA } else { stop::CAP },
        chance: [
            seeds::single_player(spec.seed, 0, names[0]),
            seeds::single_player(spec.seed, 1, names[1]),
        ],
    })
}

struct Meeting<'a> {
    profile: Profile,
    pair: [&'a Participant; 2],
    places: [&'a Participant; 2],
    delta: f64,
    repeat: u32,
    direction: &'a str,
    rounds: u32,
    stop: &'a str,
    chance: [u64; 2],
}

fn task(meeting: Meeting<'_>) -> Task {
    let [first, second] = meeting.pair;
    let delta = float(meeting.delta);
    let pair = format!("{}v{}", first.seat, second.seat);
    let id =
        format!("d{}-p{pair}-r{}-{}", delta.replace('.', "_"), meeting.repeat, meeting.direction);
    let mut classes = [first.class.as_str(), second.class.as_str()];
    classes.sort_unstable();
    let mut labels = texts([
        (label::DELTA, delta.clone()),
        (label::PAIR, pair),
        (label::REPEAT, meeting.repeat.to_string()),
        (label::DIRECTION, meeting.direction.to_owned()),
        (label::CLASS, classes.join("+")),
    ]);
    let mut fields = texts([
        (field::DELTA, delta),
        (field::ROUNDS, meeting.rounds.to_string()),
        (field::STOP, meeting.stop.to_owned()),
    ]);
    for place in 0..2 {
        labels.insert(
            label::PLACES[place].to_owned(),
            meeting.places[place].seat.as_str().to_owned(),
        );
        if meeting.profile == Profile::Reference {
            fields.insert(field::CHANCE[place].to_owned(), meeting.chance[place].to_string());
        }
    }
    Task { digest: Digest::of_value(&(&id, &labels, &fields)), id: TaskId(id), labels, fields }
}
