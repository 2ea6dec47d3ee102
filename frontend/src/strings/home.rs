//! The first page.

/// The heading.
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
/// What that button does.
pub const RUN_SAMPLES_NOTE: &str =
    "Built-in players and a small search index; no key, no cost, a few seconds.";
/// The link to the form.
pub const CONFIGURE: &str = "Configure a run";
/// The link to the tables.
pub const PLAY: &str = "Play yourself";

/// The link to the boards, where no run can be started.
pub const TO_BOARDS: &str = "Read the boards";
/// The link to where an access token is entered.
pub const TO_CONNECTIONS: &str = "Enter an access token";
/// What can be done without one.
pub const VISITORS: &str = "Whoever has this server's access token starts runs here and opens tables. Reading needs none, and neither \
     does going on from a turn of a shared episode, by yourself or with built-in players.";
/// The list of runs is not for everybody.
pub const NOT_LISTED: &str = "The list of all runs is for whoever has this server's access token. What was published stands on the";
/// The link within.
pub const NOT_LISTED_BOARDS: &str = "boards";
/// After it.
pub const NOT_LISTED_END: &str = ", every run and episode in it to be read; what somebody shared opens from its link, and what you take over is listed here.";
/// Over the runs of this browser.
pub const OWN_RUNS: &str = "Those that were opened in this browser; the list of all is for whoever has the server's access token.";

/// One episode that explains the ribbon: classes, letter, head, text.
pub const ANATOMY: &[(&str, &str, &str, &str)] = &[
    (
        "k-search r-full",
        "S",
        "Search",
        "One cell is one turn. Here the model looked something up.",
    ),
    (
        "k-ask r-yes",
        "A",
        "Ask, and hear yes",
        "It asked the user. The bar below says what came back: a whole bar for yes.",
    ),
    (
        "k-ask r-no",
        "A",
        "Ask, and hear no",
        "Half a bar for no, a dotted one for “i don't know”.",
    ),
    (
        "k-invalid r-fault",
        "?",
        "Not understood",
        "A reply that broke the rules. It is kept as it was written.",
    ),
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
/// What the row of cells is, for screen readers.
pub const ANATOMY_LABEL: &str = "One episode as a ribbon, turn by turn";

/// The way to runs side by side, with so many ticked.
pub fn compare(ticked: usize) -> String {
    match ticked {
        0 => "Compare runs".to_owned(),
        1 => "Compare the ticked run with…".to_owned(),
        several => format!("Compare the {several} ticked runs"),
    }
}
/// The section of runs.
pub const RUNS: &str = "Recent runs";
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
/// Column: the other seats.
pub const OTHERS: &str = "Other seats";
/// Column: when.
pub const OPENED: &str = "Opened";
/// No runs yet.
pub const NO_RUNS: &str = "No runs yet";
/// What to do about it.
pub const NO_RUNS_WHY: &str = "A run is a set of tasks, played by whoever sits in the seats. The samples need no key and end in \
     a few seconds; every screen can be tried on them.";
/// Shows more of them.
pub const MORE_RUNS: &str = "Show older runs";

/// The section of task sets.
pub const TASKS: &str = "Tasks on this server";
/// Column: name.
pub const TASK_SET: &str = "Set";
/// Column: which benchmark.
pub const BENCHMARK: &str = "Benchmark";
/// Column: how many.
pub const COUNT: &str = "Tasks";
/// Column: languages.
pub const LANGUAGES: &str = "Languages";
/// Column: how it is kept.
pub const KEPT: &str = "Kept";
/// It lies encrypted.
pub const ENCRYPTED: &str = "encrypted";
/// How a set is kept whose hidden fields never leave the server.
pub const SEALED: &str = "sealed";
/// It lies in plain text.
pub const PLAIN: &str = "plain";
/// Configures a run of that set.
pub const USE: &str = "Use";
/// Where others come from.
pub const TASKS_NOTE: &str =
    "Drop your own file on the page of a new run: the official encrypted one, or plain JSON Lines.";

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
