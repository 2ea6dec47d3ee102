//! The first page.

/// The heading, which stands in the page before the app does.
pub const HEADLINE: &str = "Does it ask, or does it guess?";
/// What this is.
pub const LEAD: &str = "Turnwise runs interactive benchmarks: a language model searches, asks a user who knows more than it \
     says, and answers. Episodes run in this page; keys stay on the server. Every turn is written down, and every number is \
     computed from what was written.";
/// The button that starts the samples.
pub fn run_samples(tasks: Option<usize>) -> String {
    match tasks {
        Some(tasks) => format!("Run the {tasks} sample tasks"),
        None => "Run the sample tasks".to_owned(),
    }
}

/// What can be done without one.
pub const VISITORS: &str = "The samples, practice with built-in players, reading, and going on from a turn of a shared episode need no \
     token. Models and other tasks need this server's access token.";

/// One episode that explains the ribbon: classes, letter, head, text.
pub const ANATOMY: &[(&str, &str, &str, &str)] = &[
    ("k-search r-full", "S", "Search", "One cell is one turn. Here the model looked something up."),
    (
        "k-ask r-yes",
        "A",
        "Ask, and hear yes",
        "It asked the user. The bar below says what came back: a whole bar for yes.",
    ),
    ("k-ask r-no", "A", "Ask, and hear no", "Half a bar for no, a dotted one for “i don't know”."),
    ("k-invalid r-fault", "?", "Not understood", "An invalid reply. It is kept as it was written."),
    (
        "k-search r-full",
        "S",
        "Search again",
        "Colour and letter say the same, for those who do not see colour.",
    ),
    (
        "k-answer r-correct",
        "✓",
        "Answer",
        "The end: right here. A wrong one is vermilion and carries a cross.",
    ),
];

/// The way to runs side by side, with so many ticked.
pub fn compare(ticked: usize) -> String {
    match ticked {
        0 => "Compare runs".to_owned(),
        1 => "Compare the ticked run with…".to_owned(),
        several => format!("Compare the {several} ticked runs"),
    }
}
/// The heads of its table.
pub const RUN: &str = "Run";
/// Column: how it stands.
pub const STATE: &str = "State";
/// Column: the headline number.
pub const ACCURACY: &str = "Accuracy";
/// The unit of it.
pub const PERCENT: &str = "%";
/// Column: finished of planned.
pub const EPISODES: &str = "Episodes";
/// Column: who played.
pub const PLAYER: &str = "Player";
/// What to do about it.
pub const NO_RUNS_WHY: &str = "A run is a set of tasks, played by the players in its seats. The samples need no key and end in \
     a few seconds; every screen can be tried on them.";

/// The section of task sets.
pub const TASKS: &str = "Tasks on this server";
/// Column: which benchmark.
pub const BENCHMARK: &str = "Benchmark";
/// Column: how many.
pub const COUNT: &str = "Tasks";
/// Column: languages.
pub const LANGUAGES: &str = "Languages";
/// Column: how it is kept.
pub const KEPT: &str = "Kept";
/// Configures a run of that set.
pub const USE: &str = "Use";

/// How it goes.
pub const STEPS: &[(&str, &str)] = &[
    (
        "Choose tasks",
        "The samples, a set on this server, or a file of yours. Encrypted files are decrypted in the page only.",
    ),
    (
        "Fill the seats",
        "A model behind an endpoint of this server, a built-in rule, or a recorded run that answers again.",
    ),
    (
        "Read every turn",
        "Numbers with intervals, all episodes on one wall, and behind every cell the raw text.",
    ),
];

/// How long ago.
pub fn ago(duration: &str) -> String {
    format!("{duration} ago")
}
/// How many episodes of a run have ended.
pub fn finished(finished: &str, episodes: &str) -> String {
    format!("{finished} of {episodes}")
}
