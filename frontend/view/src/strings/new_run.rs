//! The page on which a run is configured.

use turnwise_shared::seat::Seat;

use crate::cost::{Range, TooSmall};
use crate::number::{count, counted, dollars, rough_dollars};

pub const TITLE: &str = "New run";

/// A player was chosen for a seat that does not exist.
pub fn no_such_seat(seat: &Seat) -> String {
    format!("seat.{seat}: this benchmark has no such seat, or not with so many participants")
}

/// What the settings of a game come to.
pub fn planned(name: &str, episodes: u64) -> String {
    match episodes {
        1 => format!("{name}: 1 episode"),
        more => format!("{name}: {} episodes", count(more)),
    }
}

pub fn samples(count: usize) -> String {
    format!("samples, {} of our own", tasks(count))
}
/// A set on the server.
pub fn server_set(name: &str, count: usize) -> String {
    format!("{name}, {}", tasks(count))
}
/// A sealed set on the server.
pub fn sealed_set(name: &str, count: usize) -> String {
    format!("{name}, {}, sealed", tasks(count))
}
fn tasks(count: usize) -> String {
    counted(count as u64, "task", "tasks")
}
pub const SEALED_SET: &str = "Sealed: what is hidden from the player never leaves the server, neither now nor afterwards. Seats \
     that may see it are a model's or a bot's, and only what their replies come to is told.";
/// The same of a set that its operator has opened.
pub fn opened_set(when: &str) -> String {
    format!(
        "Sealed until {when}, when the operator told everybody what is hidden from the player. A run that begins now gets no place \
         on a board."
    )
}
/// A set that was dropped here.
pub fn dropped_set(name: &str) -> String {
    format!("{name}, dropped here")
}
/// A set of the address that is nowhere.
pub fn missing_set(name: &str) -> String {
    format!("{name} (not here)")
}
/// A set with pictures that the server refused.
pub fn pictures_not_kept(why: &str) -> String {
    format!("The server has to send the pictures of these tasks, but did not keep the file. {why}")
}
/// A set that this page builds.
pub fn built_set(name: &str) -> String {
    format!("{name}, built here")
}
pub fn read(count: usize, encrypted: bool) -> String {
    if encrypted {
        format!("{}, decrypted in this page only", tasks(count))
    } else {
        format!("{}, plain text", tasks(count))
    }
}
/// No benchmark reads it: why, and what is wrong with further rows.
pub fn bad_file(why: &str, others: &[String]) -> String {
    const SHOWN: usize = 9;
    let mut text = format!("This file cannot be used. {why}");
    for other in others.iter().take(SHOWN) {
        text.push_str("; ");
        text.push_str(other);
    }
    match others.len().saturating_sub(SHOWN) {
        0 => {}
        1 => text.push_str("; and 1 row more"),
        more => text.push_str(&format!("; and {more} rows more")),
    }
    text
}
pub const ALL: &str = "all";

/// What a sweep is, by the setting and how many values it has.
pub fn swept(setting: &str, values: usize) -> String {
    format!(
        "{setting}: {values} values in one run. Every task runs once at each value; the run's page plots the results."
    )
}

/// The name of a numbered seat.
pub fn numbered(seat: &str) -> String {
    format!("Seat {seat}")
}
/// How many take part, and how many may.
pub fn participants(now: u32, fewest: u32, most: u32) -> String {
    match most {
        u32::MAX => format!("{now} take part, at least {fewest}"),
        most => format!("{now} take part, {fewest} to {most} can"),
    }
}
/// A first seat that is no player's.
pub fn seat_title(seat: &str) -> String {
    format!("Who is the {seat}")
}
/// The button that tries a model, for screen readers.
pub fn test_of(seat: &str) -> String {
    format!("Test the model of the {seat}")
}
/// When it answered last.
pub fn answered_before(moment: &str) -> String {
    format!("tested {moment}")
}
pub const TO_PLAY: &str = "Play yourself";
/// How many of a set are chosen; `None`: all, or not known yet.
pub fn of_all(chosen: Option<usize>, all: usize) -> String {
    match chosen {
        None => format!("all {}", count(all as u64)),
        Some(chosen) => format!("{} of {}", count(chosen as u64), count(all as u64)),
    }
}
/// The parameter of a built-in rule, for screen readers.
pub fn parameter_of(seat: &str) -> String {
    format!("Parameter of the rule in seat {seat}")
}
/// The kind of the player in a seat, for screen readers.
pub fn kind_of(seat: &str) -> String {
    format!("Kind of {seat}")
}
/// Who exactly, for screen readers.
pub fn who_in(seat: &str) -> String {
    format!("Who is the {seat}")
}
/// The model's name, for screen readers.
pub fn model_in(seat: &str) -> String {
    format!("Model of the {seat}")
}
pub const NO_PROVIDER: &str = "No models are configured on this server.";
pub const NO_KEY: &str = "None of these services can be asked: the server has no key for them.";
pub const ONLY_SCRIPTED: &str = "No service with models is configured here. “scripted” makes answers up, for a trial: its model may have any name.";
pub const MADE_UP: &str = "No model is asked: “scripted” makes answers up, for a trial.";
pub const ITS_KEY: &str = "The server has no key for this service, so it cannot be asked.";
/// A service that cannot be asked.
pub fn without_key(name: &str) -> String {
    format!("{name} (no key)")
}
/// A kind of player was chosen for a seat, and none of that kind.
pub fn unseated(seat: &str) -> String {
    format!("Choose a model or recording for the {seat}.")
}

/// The folded rest: of a game, or of a benchmark with task files.
pub fn more(is_game: bool, searches: bool) -> String {
    let first = match (is_game, searches) {
        (true, _) => "Rules, seed",
        (false, true) => "Rules, search, repeats",
        (false, false) => "Rules, repeats",
    };
    format!("{first}, parallel calls, budget")
}
/// The present values of a game's, in one line.
pub fn more_of_game_now(profile: &str, seed: u64, in_flight: u32) -> String {
    format!("{profile}, seed {seed}, {in_flight} parallel calls")
}
/// The present values of a benchmark's with task files, in one line; `search`: the engine, where one is asked.
pub fn more_now(profile: &str, search: Option<&str>, repeats: u32, in_flight: u32) -> String {
    let search = search.map(|name| format!(", search {name}"));
    format!("{profile}{}, {repeats}×, {in_flight} parallel calls", search.unwrap_or_default())
}

pub fn start(plays: u64) -> String {
    match plays {
        1 => "Start 1 episode".to_owned(),
        more => format!("Start {} episodes", count(more)),
    }
}
/// The button that runs the beginning only.
pub fn try_first(tasks: u32) -> String {
    format!("Try {tasks} tasks")
}
/// The name of such a run.
pub fn try_title(tasks: u32, player: Option<&str>) -> String {
    let tasks = counted(u64::from(tasks), "task", "tasks");
    match player {
        Some(player) => format!("Try of {tasks}, {player}"),
        None => format!("Try of {tasks}"),
    }
}
/// What a run will cost.
pub fn cost(range: &Range) -> String {
    let from = |runs: usize| match runs {
        1 => "from 1 run like it".to_owned(),
        more => format!("from {more} runs like it"),
    };
    match (range.about, range.most) {
        (Some((about, runs)), Some(most)) => {
            format!("About {} ({}) to {} at most", rough_dollars(about), from(runs), dollars(most))
        }
        (Some((about, runs)), None) => format!(
            "About {} ({}); no upper limit without a budget",
            rough_dollars(about),
            from(runs)
        ),
        (None, Some(most)) => format!("{} at most", dollars(most)),
        (None, None) => {
            "No cost estimate yet: no run like it has finished, and no budget is set".to_owned()
        }
    }
}
/// A budget that may not pay for an episode.
pub fn too_small(why: &TooSmall) -> String {
    match why {
        TooSmall::NoReply(one) => format!(
            "This budget does not pay for one reply, which can cost up to {}. The run would pause at once.",
            dollars(*one)
        ),
        TooSmall::NoReplyTokens(tokens) => format!(
            "This budget does not cover one reply of up to {} tokens. The run would pause at once.",
            count(*tokens)
        ),
        TooSmall::Episode(mean, runs) => format!(
            "This budget does not pay for one episode: in {} like it an episode cost about {}.",
            counted(*runs as u64, "run", "runs"),
            rough_dollars(*mean)
        ),
        TooSmall::Replies(all) => format!(
            "This budget may not pay for one episode: its replies alone can cost up to {}.",
            dollars(*all)
        ),
        TooSmall::Calls(calls) => format!(
            "This budget may not cover one episode, which can take up to {} calls.",
            count(*calls)
        ),
    }
}
/// The button that fills in a usual length.
pub fn use_length(tokens: u32) -> String {
    format!("Use {} tokens", count(u64::from(tokens)))
}
/// The most calls of a seat.
pub fn at_most(calls: &str, who: &str) -> String {
    match who {
        "search" => format!("{calls} searches"),
        "models" => format!("{calls} calls of models"),
        seat => format!("{calls} calls of the {seat}'s model"),
    }
}
/// It costs at most so much.
pub fn costs_at_most(cost: &str) -> String {
    format!("at most {cost}")
}
/// What a model asks by the million tokens, and what its replies cost at most.
pub fn rates(input: &str, output: &str, writing: Option<&str>) -> String {
    let rates = format!("{input} per million tokens read, {output} written");
    match writing {
        Some(cost) => format!("{rates}; its replies at most {cost} in all"),
        None => rates,
    }
}
pub fn charged(role: &str, who: &str) -> String {
    format!("{role}, {who}")
}
/// An engine in the list of engines that cannot be relied on.
pub fn best_effort(name: &str) -> String {
    format!("{name} (best effort)")
}
/// A run in the list of recordings.
pub fn recording(tasks: &str, player: &str, finished: u32, age: &str) -> String {
    let episodes = counted(u64::from(finished), "episode", "episodes");
    format!("{player} on {tasks}, {episodes}, {age} ago")
}
