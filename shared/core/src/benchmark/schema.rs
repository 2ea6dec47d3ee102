//! Settings of a benchmark, each declared once: the form of a new run is made of them.

/// A setting that a form can show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// Its name in the settings.
    pub name: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// What it means; may be empty.
    pub note: &'static str,
    /// What it holds.
    pub holds: Holds,
}

/// What a setting holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Holds {
    /// A whole number from the first to the second.
    Number(u64, u64),
    /// A whole number from the first to the second, or none at all; the text says what that means.
    Limit(u64, u64, &'static str),
    /// Yes or no.
    Flag,
    /// One of these: value and name. The empty value leaves the setting away.
    Choice(&'static [(&'static str, &'static str)]),
    /// One of these texts, each of them a card.
    Cards(&'static [Card]),
    /// One of these numbers: number and name.
    Counts(&'static [(u64, &'static str)]),
    /// A text of several lines; an empty one leaves the setting away.
    Lines,
    /// One or several numbers from 0 to 1.
    Shares,
    /// An object of whole numbers: member and name.
    Numbers(&'static [(&'static str, &'static str)]),
    /// Anything else, as JSON.
    Text,
}

/// A value of a setting that decides what a run measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Card {
    /// The value.
    pub value: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it means.
    pub note: &'static str,
    /// An example episode, turn by turn: the class and the letter of each cell of its ribbon.
    pub ribbon: &'static [(&'static str, &'static str)],
    /// What to know once it is chosen; may be empty.
    pub remark: &'static str,
    /// Whether it is always offered; others are shown only where they are chosen.
    pub is_usual: bool,
    /// Whether runs of one player under this value and others of the kind are read together
    /// ([`Benchmark::compare`](super::Benchmark::compare)).
    pub is_compared: bool,
}

/// A card that is always offered, for runs that are read on their own.
pub const fn card(
    value: &'static str,
    title: &'static str,
    note: &'static str,
    ribbon: &'static [(&'static str, &'static str)],
) -> Card {
    Card {
        value,
        title,
        note,
        ribbon,
        remark: "",
        is_usual: true,
        is_compared: false,
    }
}

/// The settings of a benchmark, in the order of its form.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schema {
    /// The title of the form's section.
    pub title: &'static str,
    /// The settings.
    pub settings: &'static [Setting],
}

impl Schema {
    /// Of a benchmark without a form.
    pub const NONE: Schema = Schema {
        title: "Settings",
        settings: &[],
    };

    /// A form without presets.
    pub const fn new(title: &'static str, settings: &'static [Setting]) -> Schema {
        Schema { title, settings }
    }
}

/// A setting in one line.
pub const fn setting(
    name: &'static str,
    label: &'static str,
    note: &'static str,
    holds: Holds,
) -> Setting {
    Setting {
        name,
        label,
        note,
        holds,
    }
}
