//! The first page.

pub const HEADLINE: &str = "Does it ask, or does it guess?";
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

/// The link to the comparison of runs, with the number of ticked runs.
pub fn compare(ticked: usize) -> String {
    match ticked {
        0 => "Compare runs".to_owned(),
        1 => "Compare the ticked run with…".to_owned(),
        several => format!("Compare the {several} ticked runs"),
    }
}
pub const RUN: &str = "Run";
pub const ACCURACY: &str = "Accuracy";
pub const EPISODES: &str = "Episodes";
pub const PLAYER: &str = "Player";
pub const NO_RUNS_WHY: &str = "A run is a set of tasks, played by the players in its seats. The samples need no key and end in \
     a few seconds; every screen can be tried on them.";

pub const TASKS: &str = "Tasks on this server";
pub const BENCHMARK: &str = "Benchmark";
pub const COUNT: &str = "Tasks";
pub const LANGUAGES: &str = "Languages";
pub const KEPT: &str = "Kept";
pub const USE: &str = "Use";

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

/// How many episodes of a run have ended.
pub fn finished(finished: &str, episodes: &str) -> String {
    format!("{finished} of {episodes}")
}
