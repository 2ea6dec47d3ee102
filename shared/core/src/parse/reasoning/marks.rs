//! The marks that templates of models leave in replies, as data.

/// What stands around the name of a mark.
pub(super) const DELIMITERS: [(&str, &str); 9] = [
    ("<|", "|>"),
    ("<｜", "｜>"),
    ("<", ">"),
    ("＜", "＞"),
    ("[", "]"),
    ("【", "】"),
    ("◁", "▷"),
    ("⟨", "⟩"),
    ("«", "»"),
];

/// A name with one of these parts is a mark of reasoning, e.g. `think`, `seed:think`, `START_THINKING`, `begin_of_thought`.
pub(super) const REASONING: [&str; 14] = [
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reasoning",
    "reflection",
    "scratchpad",
    "monologue",
    "deliberation",
    "cot",
    "antthinking",
    "思考",
    "推理",
    "思维",
];

/// A name with one of these parts stands before or after the reply proper, e.g. `response`, `START_RESPONSE`, `begin_of_box`.
pub(super) const REPLY: [&str; 5] = ["response", "solution", "box", "output", "conclusion"];

/// Parts of a name that make a mark of reasoning or reply a closing one, as `/` before it does.
pub(super) const CLOSING: [&str; 3] = ["end", "stop", "close"];

/// What a mark with another name does.
pub(super) fn named(name: &str) -> Option<Does> {
    let mut rows = include_str!("named.tsv").lines().filter_map(|row| row.split_once('\t'));
    rows.find(|(known, _)| *known == name).and_then(|(_, does)| Does::named(does))
}

/// Who speaks, as it stands behind a mark that starts a turn, and whether it is the model.
pub(super) const ROLES: [(&str, bool); 9] = [
    ("assistant", true),
    ("model", true),
    ("chatbot", true),
    ("ai", true),
    ("user", false),
    ("human", false),
    ("system", false),
    ("tool", false),
    ("ipython", false),
];

/// Sentences in place of marks, in lower case: one that begins a reply opens reasoning, the last of the others closes it. Where the
/// third is true, the first alone is an ordinary beginning.
pub(super) const SENTENCES: [(&[&str], &[&str], bool); 4] = [
    (
        &[
            "here is my thought process:",
            "here's my thought process:",
            "here’s my thought process:",
        ],
        &[
            "here is my response:",
            "here's my response:",
            "here’s my response:",
            "here is my answer:",
            "here's my answer:",
            "here’s my answer:",
        ],
        false,
    ),
    (&["thinking..."], &["...done thinking."], true),
    (&["analysis", "commentary"], &["assistantfinal"], true),
    (
        &["thinking process:", "thought process:", "reasoning process:"],
        &["final response:", "final answer:"],
        true,
    ),
];

/// The name of the mark before the channel that a reply belongs to, and of the channel that is meant for the reader.
pub(super) const CHANNEL: (&str, &str) = ("channel", "final");

crate::choices! {
    pub(super) enum Does {
        Open = "open",
        /// Reasoning ends; without an opening mark it began with the text, because many templates write that mark themselves.
        Close = "close",
        /// A turn, or the reply within it, begins or ends: nothing but the mark is left out.
        Start = "start",
        /// The turn ends: what follows is no reply. Reasoning in a channel ends with it, and the turn goes on.
        End = "end",
        /// A turn of another speaker begins: what follows is not the model's.
        Another = "another",
    }
}
