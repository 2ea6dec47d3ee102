//! The list of keys.

/// The dialog's heading.
pub const TITLE: &str = "Keys";
/// The button that opens it.
pub const OPEN: &str = "Keys";

/// Where, which keys, what they do.
pub const ALL: &[(&str, &[(&[&str], &str)])] = &[
    (
        "Everywhere",
        &[
            (&["?"], "this list"),
            (&["n"], "configure a new run"),
            (&["h"], "all runs"),
            (&["Esc"], "close, or back"),
        ],
    ),
    (
        "In a list",
        &[
            (&["j", "k"], "next, previous"),
            (&["Enter"], "open"),
            (&["/"], "search"),
        ],
    ),
    (
        "In a run",
        &[(&["p"], "pause, or go on"), (&["w"], "to the wall")],
    ),
    (
        "In an episode",
        &[
            (&["←", "→"], "turn before, turn after"),
            (&["Home", "End"], "first turn, last turn"),
            (&["Space"], "play, or stop"),
            (&["[", "]"], "episode before, episode after"),
        ],
    ),
];
