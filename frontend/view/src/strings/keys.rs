//! The list of keys.

pub const OPEN: &str = "Keys";

/// A key, or several that belong together, and what they do.
pub struct Key {
    pub signs: &'static [&'static str],
    pub meaning: &'static str,
}

/// A page, or a part of one, and its keys.
pub struct Place {
    pub name: &'static str,
    pub keys: &'static [Key],
}

const fn key(signs: &'static [&'static str], meaning: &'static str) -> Key {
    Key { signs, meaning }
}

pub const ALL: &[Place] = &[
    Place {
        name: "Everywhere",
        keys: &[
            key(&["?"], "this list"),
            key(&["n"], "configure a new run"),
            key(&["h"], "all runs"),
            key(&["Esc"], "close what is open"),
        ],
    },
    Place {
        name: "On the page of a run",
        keys: &[
            key(&["j", "k"], "next episode, previous episode"),
            key(&["←", "→"], "turn before, turn after"),
            key(&["Enter"], "open the episode"),
            key(&["/"], "find an episode"),
            key(&["w"], "to the wall"),
            key(&["p"], "pause, or go on"),
        ],
    },
    Place {
        name: "On the page of an episode",
        keys: &[
            key(&["←", "→"], "turn before, turn after"),
            key(&["Home", "End"], "first turn, last turn"),
            key(&["Space"], "play, or stop"),
            key(&["[", "]"], "episode before, episode after"),
            key(&["/"], "find words; Enter and Shift+Enter go through them"),
        ],
    },
    Place {
        name: "While you are asked on the page of a run",
        keys: &[
            key(&["y", "n", "d"], "yes, no, I don't know"),
            key(&["c", "i"], "correct, incorrect"),
            key(&["l"], "later: the next question first"),
            key(&["u"], "undo, while the answer has not gone out"),
        ],
    },
    Place {
        name: "On a leaderboard",
        keys: &[
            key(&["j", "k"], "next row, row before"),
            key(&["Enter"], "open its run"),
            key(&["/"], "find a row"),
        ],
    },
    Place {
        name: "On the page of a task of two runs",
        keys: &[key(&["j", "k"], "next flip, flip before")],
    },
    Place {
        name: "At a table",
        keys: &[
            key(&["f"], "fold"),
            key(&["c"], "check or call; in a match: cooperate"),
            key(&["r"], "to the amount: arrows or digits, then Enter raises"),
            key(&["a"], "all-in, asked twice"),
            key(&["d"], "in a match: defect"),
            key(&["Enter"], "next hand"),
        ],
    },
];
