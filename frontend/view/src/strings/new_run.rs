//! The page on which a run is configured.

use crate::cost::{Range, TooSmall};
use crate::number::{count, counted, dollars, rough_dollars};

pub const TITLE: &str = "New run";

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
    counted(count, "task", "tasks")
}
pub const SEALED_SET: &str = "Sealed: what is hidden from the player never leaves the server, neither now nor afterwards. Seats \
     that may see it are a model's or a bot's, and only what their replies come to is told.";
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

/// How many take part, and how many may.
pub fn participants(now: u32, fewest: u32, most: u32) -> String {
    match most {
        u32::MAX => format!("{now} take part, at least {fewest}"),
        most => format!("{now} take part, {fewest} to {most} can"),
    }
}
pub const TO_PLAY: &str = "Play yourself";
/// How many of a set are chosen; `None`: all, or not known yet.
pub fn of_all(chosen: Option<usize>, all: usize) -> String {
    match chosen {
        None => format!("all {}", count(all)),
        Some(chosen) => format!("{} of {}", count(chosen), count(all)),
    }
}
/// Who exactly, for screen readers.
pub fn who_in(seat: &str) -> String {
    format!("Who is the {seat}")
}
pub const NO_PROVIDER: &str = "No models are configured on this server.";
pub const NO_KEY: &str = "None of these services can be asked: the server has no key for them.";
pub const ONLY_SCRIPTED: &str = "No service with models is configured here. “scripted” makes answers up, for a trial: its model may have any name.";
pub const MADE_UP: &str = "No model is asked: “scripted” makes answers up, for a trial.";
pub const ITS_KEY: &str = "The server has no key for this service, so it cannot be asked.";

/// The folded rest: of a game, or of a benchmark with task files.
pub fn more(is_game: bool, searches: bool) -> String {
    let first = match (is_game, searches) {
        (true, _) => "Rules, seed",
        (false, true) => "Rules, search, repeats",
        (false, false) => "Rules, repeats",
    };
    format!("{first}, parallel calls, budget")
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
    let tasks = counted(tasks, "task", "tasks");
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
            counted(*runs, "run", "runs"),
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
/// The most calls of a seat.
pub fn at_most(calls: &str, who: &str) -> String {
    match who {
        "search" => format!("{calls} searches"),
        "models" => format!("{calls} calls of models"),
        seat => format!("{calls} calls of the {seat}'s model"),
    }
}
/// What a model asks by the million tokens, and what its replies cost at most.
pub fn rates(input: &str, output: &str, writing: Option<&str>) -> String {
    let rates = format!("{input} per million tokens read, {output} written");
    match writing {
        Some(cost) => format!("{rates}; its replies at most {cost} in all"),
        None => rates,
    }
}
/// A run in the list of recordings.
pub fn recording(tasks: &str, player: &str, finished: u32, age: &str) -> String {
    let episodes = counted(finished, "episode", "episodes");
    format!("{player} on {tasks}, {episodes}, {age} ago")
}
