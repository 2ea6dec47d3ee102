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
