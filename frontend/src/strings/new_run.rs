//! The page on which a run is configured.

use turnwise_shared::seat::Seat;

use crate::view::number::count;

/// The heading.
pub const TITLE: &str = "New run";
/// What this is.
pub const LEAD: &str = "Everything here has a default: the button at the bottom is enough. The address of this page carries the whole choice.";
/// The link to the form as it was before anything was chosen.
pub const RESET: &str = "Start over";
/// Copies the address.
pub const COPY: &str = "Copy address";
/// It was copied.
pub const COPIED: &str = "The address is copied: whoever opens it finds the same choice.";
/// What the address said and nobody understood.
pub const ODD: &str = "Parts of the address could not be used";

/// Somebody was chosen for a seat that there is not.
pub fn no_such_seat(seat: &Seat) -> String {
    format!("seat.{seat}: this benchmark has no such seat, or not with so many participants")
}

/// The choice of a benchmark.
pub const BENCHMARK: &str = "Benchmark";
/// What the settings of a game come to.
pub fn planned(name: &str, episodes: u64) -> String {
    match episodes {
        1 => format!("{name}: 1 episode"),
        more => format!("{name}: {} episodes", crate::view::number::count(more)),
    }
}

/// The section of tasks.
pub const TASKS: &str = "Tasks";
/// The choice of a set.
pub const SET: &str = "Task set";
/// The built-in ones.
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
    crate::view::number::counted(count as u64, "task", "tasks")
}
/// What that means for a run.
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
/// The place for a file.
pub const DROP: &str = "Drop a task file here, or choose one";
/// A set that this page builds.
pub fn built_set(name: &str) -> String {
    format!("{name}, built here")
}
/// It is being read.
pub const READING: &str = "Reading the file…";
/// It is good.
pub fn read(count: usize, encrypted: bool) -> String {
    if encrypted {
        format!("{}, decrypted in this page only", tasks(count))
    } else {
        format!("{}, plain text", tasks(count))
    }
}
/// It is the authors' file.
pub const OFFICIAL: &str = "the authors' official file, byte for byte";
/// The server has it now.
pub const STORED: &str = "stored on this server as it is";
/// The server did not take it.
pub const NOT_STORED: &str = "The server did not keep the file. The run works in this browser, but the server cannot check its numbers.";
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
/// More than one file.
pub const ONE_FILE: &str = "Drop one file at a time.";
/// The breakdown, and which of them are played.
pub const ONLY: &str = "Tick values to play only these; none ticked means all.";
/// Folded choices of tasks.
pub const SUBSET: &str = "Fewer tasks: by id, or at random";
/// The field of ids.
pub const IDS: &str = "Only these ids";
/// How to write them.
pub const IDS_NOTE: &str = "with commas or blanks between them; 1-50 for a range";
/// Under a field of shares in which something else stands.
pub const SHARES: &str = "Write numbers from 0 to 1, such as 0.8, with commas between several.";
/// Under payoffs of which one is no number.
pub const PAYOFF: &str = "Write whole numbers, such as 3 or -1.";
/// Under a field of numbers in which something else stands.
pub fn counts(least: u64, most: u64) -> String {
    format!(
        "Write whole numbers from {least} to {}, with commas between several.",
        count(most)
    )
}
/// How many at random.
pub const RANDOM: &str = "At random, so many";
/// All of them.
pub const ALL: &str = "all";
/// From which seed.
pub const RANDOM_SEED: &str = "Seed of the draw";
/// The first so many.
pub const FIRST: &str = "Only the first";

/// The fold with settings that are rarely changed.
pub const ADVANCED: &str = "Advanced";
/// Nothing in it was changed.
pub const AS_USUAL: &str = "as usual";
/// A flag that is set.
pub const YES: &str = "yes";
/// A flag that is not.
pub const NO: &str = "no";
/// A text was written for it.
pub const ITS_OWN: &str = "one of your own";
/// Leaves the study.
pub const NO_STUDY: &str = "No study";
/// What a sweep is, by the setting and how many values it has.
pub fn swept(setting: &str, values: usize) -> String {
    format!(
        "{setting}: {values} values in one run. Every task is played once at each, and the run's page draws its numbers against them."
    )
}

/// The section of seats.
pub const SEATS: &str = "Who sits in each seat";
/// A built-in rule.
pub const BOT: &str = "Built-in";
/// A model.
pub const MODEL: &str = "Model";
/// A recorded run.
pub const TAPE: &str = "Recording";
/// A person.
pub const PERSON: &str = "Person";
/// What a person's transcripts are evidence of.
pub const UNATTENDED: &str = "human (unattended)";
/// What it means that a person sits there.
pub const PERSON_NOTE: &str = "You, on the page of the run: asked what a model would be asked, without a clock, until you have answered.";
/// Where a person plays without the tasks in the page.
pub const PERSON_PLAYS: &str =
    "The tasks of this run lie in your browser; at a table the server keeps what you must not see.";
/// The name of a numbered seat.
pub fn numbered(seat: &str) -> String {
    format!("Seat {seat}")
}
/// One more takes part.
pub const ADD_SEAT: &str = "Add a seat";
/// The last one leaves.
pub const DROP_SEAT: &str = "Remove the last seat";
/// How many take part, and how many may.
pub fn participants(now: u32, fewest: u32, most: u32) -> String {
    match most {
        u32::MAX => format!("{now} take part, at least {fewest}"),
        most => format!("{now} take part, {fewest} to {most} can"),
    }
}
/// Where a person can sit down.
pub const NO_PERSON: &str = "A person cannot be seated here: people play on the page “Play”.";
/// The way there.
pub const TO_PLAY: &str = "To play yourself";
/// The parameter of a built-in rule, for screen readers.
pub fn parameter_of(seat: &str) -> String {
    format!("Parameter of the rule in seat {seat}")
}
/// The kind of somebody, for screen readers.
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
/// The field of a model's name.
pub const MODEL_NAME: &str = "model name";
/// Nobody configured a model.
pub const NO_PROVIDER: &str = "No models are configured on this server.";
/// None of those that are listed can be asked.
pub const NO_KEY: &str = "None of these services can be asked: the server has no key for them.";
/// Only answers that are made up can be had.
pub const ONLY_SCRIPTED: &str = "No service with models is configured here. “scripted” makes answers up, for a trial: its model may have any name.";
/// The chosen service makes answers up.
pub const MADE_UP: &str = "No model is asked: “scripted” makes answers up, for a trial.";
/// The chosen service cannot be asked.
pub const ITS_KEY: &str = "The server has no key for this service, so it cannot be asked.";
/// A service that cannot be asked.
pub fn without_key(name: &str) -> String {
    format!("{name} (no key)")
}
/// No service is chosen.
pub const NO_SERVICE: &str = "choose a service";
/// A kind of player was chosen for a seat, and nobody of that kind.
pub fn unseated(seat: &str) -> String {
    format!("Nobody is named for the seat “{seat}” yet.")
}
/// The way to do so.
pub const TO_CONNECTIONS: &str = "How to add one";
/// Nothing was recorded.
pub const NO_RECORDING: &str = "No earlier run on this server.";
/// A folder of transcripts.
pub const FOLDER: &str = "Choose a folder of transcripts…";
/// A folder that was chosen.
pub fn folder(name: &str, count: usize) -> String {
    match count {
        1 => format!("{name}, 1 transcript"),
        more => format!("{name}, {more} transcripts"),
    }
}
/// A tape that is not loaded yet.
pub const TAPE_LOADING: &str = "Reading the recording…";
/// A bot's seal.
pub const BASELINE: &str = "baseline";
/// A tape's seal.
pub const REPLAYED: &str = "recorded";

/// The folded rest: of a game, or of a benchmark with task files.
pub fn more(is_game: bool, searches: bool) -> String {
    let first = match (is_game, searches) {
        (true, _) => "Profile, seed",
        (false, true) => "Profile, search, repeats",
        (false, false) => "Profile, repeats",
    };
    format!("{first}, calls in flight, budget")
}
/// The present values of a game's, in one line.
pub fn more_of_game_now(profile: &str, seed: u64, in_flight: u32) -> String {
    format!("{profile}, seed {seed}, {in_flight} in flight")
}
/// The present values of a benchmark's with task files, in one line; `search`: the engine, where one is asked.
pub fn more_now(profile: &str, search: Option<&str>, repeats: u32, in_flight: u32) -> String {
    let search = search.map(|name| format!(", search {name}"));
    format!(
        "{profile}{}, {repeats}×, {in_flight} in flight",
        search.unwrap_or_default()
    )
}
/// The profile.
pub const PROFILE: &str = "Reading of the benchmark";
/// The strict one.
pub const STRICT: &str = "strict";
/// What it means.
pub const STRICT_NOTE: &str = "What the paper says, with the holes closed.";
/// The other one.
pub const REFERENCE: &str = "reference";
/// What it means.
pub const REFERENCE_NOTE: &str =
    "What the authors' code does, bug for bug; to compare with published runs.";
/// The search engine.
pub const SEARCH: &str = "Search engine";
/// The server's first, or the recording's.
pub const SEARCH_FIRST: &str = "as usual";
/// None.
pub const SEARCH_NONE: &str = "none";
/// No engine is there.
pub const SEARCH_NONE_HERE: &str = "this server has none";
/// Repeats.
pub const REPEATS: &str = "Times each task is played";
/// In flight.
pub const IN_FLIGHT: &str = "Calls in flight at once";
/// The seed.
pub const SEED: &str = "Seed";
/// How it is counted.
pub const SEED_NOTE: &str = "chance within episodes is drawn from it";

/// The button, while there is nothing to start.
pub const START: &str = "Start";
/// The button.
pub fn start(plays: u64) -> String {
    match plays {
        1 => "Start 1 episode".to_owned(),
        more => format!("Start {} episodes", crate::view::number::count(more)),
    }
}
/// While it starts.
pub const STARTING: &str = "Starting…";
/// While the tasks are read.
pub const WAIT: &str = "Waiting for the tasks…";
/// The tasks cannot be read; what is wrong stands beside them.
pub const NO_TASKS: &str = "These tasks cannot be used: choose others.";
/// Nothing costs anything.
pub const COSTS_NOTHING: &str = "no model is asked, nothing to pay";
/// At most so many calls of a seat.
pub fn at_most(calls: &str, who: &str) -> String {
    match who {
        "search" => format!("{calls} searches"),
        "models" => format!("{calls} calls of models"),
        seat => format!("{calls} calls of the {seat}'s model"),
    }
}
/// Before the list of them.
pub const AT_MOST: &str = "at most";
/// An endpoint that asks nothing.
pub const FREE: &str = "nothing to pay";
/// There is no price for it.
pub const NO_PRICE: &str = "no price is known here";
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
/// Who is charged for.
pub fn charged(role: &str, who: &str) -> String {
    format!("{role}, {who}")
}
/// Why there is no sum.
pub const NO_TOTAL: &str = "How much is read depends on the play, so there is no total. The run's page counts what was used.";
/// An engine in the list of engines that cannot be relied on.
pub fn best_effort(name: &str) -> String {
    format!("{name} (best effort)")
}
/// It cannot be started so.
pub const NOT_STARTED: &str = "The run was not started";
/// A run in the list of recordings.
pub fn recording(tasks: &str, player: &str, finished: u32, age: &str) -> String {
    format!("{player} on {tasks}, {finished} plays, {age} ago")
}
/// What transcripts are called that were dropped without their folder.
pub const DROPPED_FILES: &str = "dropped files";
