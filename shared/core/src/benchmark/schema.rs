//! Settings of a benchmark, each declared once: the form of a new run, the flags of the command line and the range errors are
//! made of them.

use serde_json::{Map, Number, Value};

use crate::day::Day;
use crate::spec::BadSpec;

/// A setting that a form can show.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Its name in the settings.
    pub name: &'static str,
    pub label: &'static str,
    /// What it means; may be empty.
    pub note: &'static str,
    pub holds: Holds,
    /// Whether it is rarely changed, and so folded away.
    pub is_folded: bool,
    /// The name of its flag; empty: as the setting is called.
    pub flag: &'static str,
    /// What stands for it in the ids of tasks that are played at several of its values.
    pub mark: char,
    /// Whether it has an effect beside the settings that are chosen; `None`: always. Where it has none, a form leaves it out,
    /// and it divides no boards.
    pub binds: Option<fn(&Value) -> bool>,
}

/// No form has two settings of one name.
impl PartialEq for Setting {
    fn eq(&self, other: &Self) -> bool {
        (self.name, self.label, self.holds) == (other.name, other.label, other.holds)
    }
}

impl Setting {
    pub const fn folded(self) -> Setting {
        Setting { is_folded: true, ..self }
    }

    /// Its flag on the command line, without dashes in front.
    pub fn flag(&self) -> String {
        match self.flag {
            "" => self.name.replace('_', "-"),
            flag => flag.to_owned(),
        }
    }

    /// With the letter that stands for it in the ids of a sweep.
    pub const fn marked(self, mark: char) -> Setting {
        Setting { mark, ..self }
    }

    /// With effect only where this says so of all settings.
    pub const fn binds(self, binds: fn(&Value) -> bool) -> Setting {
        Setting { binds: Some(binds), ..self }
    }

    /// With a flag of another name, because `turnwise run` has one of its own name for all benchmarks.
    pub const fn flagged(self, flag: &'static str) -> Setting {
        Setting { flag, ..self }
    }
}

/// A flag of the command line that is not one setting of the schema: it stands for several, or for one without a form field.
#[derive(Debug, Clone, Copy)]
pub struct Flag {
    /// Its name, without dashes in front.
    pub name: &'static str,
    /// What stands for its value in the help.
    pub value: &'static str,
    /// What it does and accepts.
    pub help: &'static str,
    /// The settings that a value stands for, or what is accepted.
    pub read: fn(&str) -> Result<Map<String, Value>, String>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Holds {
    /// A whole number from the first to the second.
    Number(u64, u64),
    /// A whole number from the first to the second, or none at all; the text says what that means.
    Limit(u64, u64, &'static str),
    Flag,
    /// One of these: value and name. The empty value leaves the setting away.
    Choice(&'static [(&'static str, &'static str)]),
    /// One of these texts, each of them a card.
    Cards(&'static [Card]),
    /// One of these numbers: number and name.
    Counts(&'static [(u64, &'static str)]),
    /// A text of several lines; an empty one leaves the setting away.
    Lines,
    /// A whole number from the first to the second, or several of them, over which a run sweeps.
    Sweep(u64, u64),
    /// One or several numbers from 0 to 1.
    Shares,
    /// An object of whole numbers: member and name.
    Numbers(&'static [(&'static str, &'static str)]),
    /// Anything else, as JSON.
    Text,
}

/// Which whole number is accepted, in words.
fn whole(least: u64, most: u64) -> String {
    format!("a whole number from {least} to {most}")
}

fn joined<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// The parts of a list that is joined by commas.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim)
}

/// One value by itself; several as a list.
fn one_or_many(values: Option<Vec<Value>>) -> Option<Value> {
    let mut values = values?;
    match values.len() {
        0 => None,
        1 => values.pop(),
        _ => Some(Value::Array(values)),
    }
}

fn share(text: &str) -> Option<Value> {
    let number = text.parse().ok().and_then(Number::from_f64);
    number.map(Value::Number)
}

/// A whole number or a list of them, as a flag has it: one by itself, several as a list.
///
/// # Errors
/// What is accepted.
pub fn read_sweep(text: &str) -> Result<Value, String> {
    let values = parts(text).map(|part| part.parse::<u64>().map(Value::from));
    one_or_many(values.collect::<Result<_, _>>().ok())
        .ok_or_else(|| "expected whole numbers, joined by commas".to_owned())
}

impl Holds {
    /// What is accepted, in words; empty for any text.
    pub fn accepts(&self) -> String {
        match *self {
            Holds::Number(least, most) => whole(least, most),
            Holds::Limit(least, most, none) => {
                format!("{}, or none: {none}", whole(least, most))
            }
            Holds::Flag => "true or false".to_owned(),
            Holds::Choice(choices) => {
                let values = choices.iter().map(|(value, _)| *value);
                format!("one of {}", joined(values.filter(|value| !value.is_empty())))
            }
            Holds::Cards(cards) => {
                format!("one of {}", joined(cards.iter().map(|card| card.value)))
            }
            Holds::Counts(counts) => {
                let counts: Vec<_> = counts.iter().map(|(count, _)| count.to_string()).collect();
                format!("one of {}", counts.join(", "))
            }
            Holds::Shares => "numbers from 0 to 1, joined by commas".to_owned(),
            Holds::Sweep(least, most) => {
                format!("{}, or several, joined by commas", whole(least, most))
            }
            Holds::Numbers(members) => {
                let members = members.iter().map(|(name, _)| *name);
                format!("NAME=WHOLE_NUMBER,… of {}", joined(members))
            }
            Holds::Lines | Holds::Text => String::new(),
        }
    }

    /// What stands for a value in help texts.
    pub fn placeholder(&self) -> &'static str {
        match self {
            Holds::Number(..) | Holds::Limit(..) | Holds::Counts(_) | Holds::Sweep(..) => "N",
            Holds::Flag => "BOOL",
            Holds::Choice(_) | Holds::Cards(_) => "CHOICE",
            Holds::Lines => "FILE",
            Holds::Shares => "P",
            Holds::Numbers(_) => "NAME=N",
            Holds::Text => "VALUE",
        }
    }

    /// Reads a value as the command line has it. Whether it is in range is for [`Schema::check`] to say.
    ///
    /// # Errors
    /// What is accepted, where the text is not of that kind.
    pub fn read(&self, text: &str) -> Result<Value, String> {
        let number = |text: &str| text.parse::<u64>().ok().map(Value::from);
        let read = match self {
            Holds::Number(..) | Holds::Counts(_) => number(text),
            Holds::Limit(..) if text == "none" => Some(Value::Null),
            Holds::Limit(..) => number(text),
            Holds::Flag => text.parse::<bool>().ok().map(Value::from),
            Holds::Choice(_) | Holds::Cards(_) | Holds::Lines => Some(text.into()),
            Holds::Shares => one_or_many(parts(text).map(share).collect()),
            Holds::Sweep(..) => read_sweep(text).ok(),
            Holds::Numbers(_) => parts(text)
                .map(|part| {
                    let (name, value) = part.split_once('=')?;
                    Some((name.trim().to_owned(), value.trim().parse::<i64>().ok()?.into()))
                })
                .collect::<Option<Map<_, _>>>()
                .map(Value::Object),
            Holds::Text => Some(serde_json::from_str(text).unwrap_or_else(|_| text.into())),
        };
        read.ok_or_else(|| format!("expected {}", self.accepts()))
    }

    fn takes(&self, value: &Value) -> bool {
        let whole = |value: &Value, least, most| {
            value.as_u64().is_some_and(|number| (least..=most).contains(&number))
        };
        let one_or_many = |accepted: &dyn Fn(&Value) -> bool| match value {
            Value::Array(values) => values.iter().all(accepted),
            value => accepted(value),
        };
        match *self {
            Holds::Number(least, most) | Holds::Limit(least, most, _) => whole(value, least, most),
            Holds::Flag => value.is_boolean(),
            Holds::Choice(choices) => choices.iter().any(|(choice, _)| value == *choice),
            Holds::Cards(cards) => cards.iter().any(|card| value == card.value),
            Holds::Counts(counts) => counts.iter().any(|(count, _)| value == *count),
            Holds::Shares => one_or_many(&|value| {
                let number = value.as_f64();
                number.is_some_and(|number| (0.0..=1.0).contains(&number))
            }),
            Holds::Sweep(least, most) => one_or_many(&|value| whole(value, least, most)),
            Holds::Numbers(members) => value.as_object().is_some_and(|values| {
                values.iter().all(|(name, value)| {
                    value.is_i64() && members.iter().any(|(member, _)| member == name)
                })
            }),
            Holds::Lines => value.is_string(),
            Holds::Text => true,
        }
    }
}

/// A value of a setting that decides what a run measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Card {
    pub value: &'static str,
    pub title: &'static str,
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
    Card { value, title, note, ribbon, remark: "", is_usual: true, is_compared: false }
}

/// Settings that one click chooses together, e.g. a study of the paper.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    pub id: &'static str,
    pub label: &'static str,
    /// The setting over which it sweeps.
    pub sweeps: &'static str,
    pub settings: fn() -> Value,
    /// How many tasks it takes at random where a set has more.
    pub tasks: u32,
}

/// The settings of a benchmark, in the order of its form.
#[derive(Debug, Clone, Copy)]
pub struct Schema {
    /// The title of the form's section.
    pub title: &'static str,
    pub settings: &'static [Setting],
    /// Settings that are chosen together.
    pub presets: &'static [Preset],
    /// The setting that holds the day on which a run is opened, unless another day was chosen; may be empty.
    pub today: &'static str,
    /// The default settings of a run, an object.
    pub defaults: fn() -> Value,
}

impl Schema {
    /// Of a benchmark without a form.
    pub const NONE: Schema = Schema::new("Settings", &[]);

    pub const fn new(title: &'static str, settings: &'static [Setting]) -> Schema {
        Schema { title, settings, presets: &[], today: "", defaults: || Value::Object(Map::new()) }
    }

    /// The settings of a run that is opened on a day: that day is filled in unless another was chosen.
    pub fn opened(&self, mut settings: Value, today: Option<Day>) -> Value {
        if let Some(date) = settings.get_mut(self.today).filter(|date| **date == "") {
            *date = today.map(|day| day.to_string()).unwrap_or_default().into();
        }
        settings
    }

    /// The cards of a setting of which runs under several values are read together, if there are any.
    pub fn compared(&self) -> Option<(&'static Setting, Vec<&'static Card>)> {
        self.settings.iter().find_map(|setting| {
            let Holds::Cards(cards) = setting.holds else {
                return None;
            };
            let cards: Vec<_> = cards.iter().filter(|card| card.is_compared).collect();
            (!cards.is_empty()).then_some((setting, cards))
        })
    }

    /// Checks that every setting that is given holds what it accepts.
    ///
    /// # Errors
    /// The first that does not, with what it accepts.
    pub fn check(&self, settings: &Value) -> Result<(), BadSpec> {
        let mut sweep = None;
        for setting in self.settings {
            let Some(value) = settings.get(setting.name).filter(|value| !value.is_null()) else {
                continue;
            };
            if !setting.holds.takes(value) {
                return Err(BadSpec::new(
                    format!("settings.{}", setting.name),
                    format!("expected {}, got {value}", setting.holds.accepts()),
                ));
            }
            let (Holds::Sweep(..) | Holds::Shares, Value::Array(values)) = (setting.holds, value)
            else {
                continue;
            };
            self.check_values(setting, values, settings)?;
            if values.len() > 1
                && let Some(other) = sweep.replace(setting.name)
            {
                return Err(BadSpec::new(
                    format!("settings.{}", setting.name),
                    format!(
                        "a run sweeps over one setting, and {other} has several values; give one number"
                    ),
                ));
            }
        }
        Ok(())
    }
}

/// A setting of a [`settings!`](crate::settings), which gives it its name.
pub const fn entry(label: &'static str, note: &'static str, holds: Holds) -> Setting {
    setting("", label, note, holds)
}

/// A setting in one line.
pub const fn setting(
    name: &'static str,
    label: &'static str,
    note: &'static str,
    holds: Holds,
) -> Setting {
    Setting { name, label, note, holds, is_folded: false, flag: "", mark: 'v', binds: None }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_read_as_the_command_line_has_them() {
        for (holds, text, value) in [
            (Holds::Number(1, 9), "7", json!(7)),
            // Out of range, but a number: for `check` to say.
            (Holds::Number(1, 9), "70", json!(70)),
            (Holds::Limit(1, 9, "no limit"), "none", Value::Null),
            (Holds::Flag, "false", json!(false)),
            (Holds::Choice(&[("a", "A")]), "b", json!("b")),
            (Holds::Shares, "0.5, 0.9", json!([0.5, 0.9])),
            (Holds::Shares, "1", json!(1.0)),
            (Holds::Sweep(1, 9), "5", json!(5)),
            (Holds::Sweep(1, 9), "5, 7", json!([5, 7])),
            (Holds::Numbers(&[]), "cc=3, cd=-1", json!({ "cc": 3, "cd": -1 })),
            (Holds::Text, "[1]", json!([1])),
            (Holds::Text, "one", json!("one")),
        ] {
            assert_eq!(holds.read(text), Ok(value), "{holds:?} {text}");
        }
        for (holds, text, accepted) in [
            (Holds::Number(1, 9), "-7", "a whole number from 1 to 9"),
            (Holds::Limit(1, 9, "never"), "x", "or none: never"),
            (Holds::Flag, "yes", "true or false"),
            (Holds::Shares, "0.5,", "from 0 to 1"),
            (Holds::Shares, "NaN", "from 0 to 1"),
            (Holds::Sweep(1, 9), "five", "joined by commas"),
            (Holds::Numbers(&[("cc", "")]), "cc", "of cc"),
        ] {
            let error = holds.read(text).expect_err(text);
            assert!(error.contains(accepted), "{holds:?} {text}: {error}");
        }
    }

    #[test]
    fn a_setting_out_of_range_is_named_with_what_is_accepted() {
        const SCHEMA: Schema = Schema::new(
            "Settings",
            &[
                setting("size", "", "", Holds::Number(1, 9)),
                setting("kind", "", "", Holds::Choice(&[("", "usual"), ("a", "A"), ("b", "B")])),
                setting("votes", "", "", Holds::Counts(&[(1, "one"), (3, "three")])),
                setting("rounds", "", "", Holds::Sweep(1, 9)),
                setting("share", "", "", Holds::Shares),
            ],
        );
        let sound = json!({ "size": 9, "kind": "a", "votes": 3, "rounds": [1, 9], "share": 0.5, "other": [] });
        assert_eq!(SCHEMA.check(&sound), Ok(()));
        assert_eq!(SCHEMA.check(&json!({ "size": null })), Ok(()));
        for (settings, said) in [
            (json!({ "size": 0 }), "settings.size: expected a whole number from 1 to 9, got 0"),
            (json!({ "size": 1.5 }), "from 1 to 9, got 1.5"),
            (json!({ "kind": "c" }), "settings.kind: expected one of a, b, got \"c\""),
            (json!({ "votes": 2 }), "one of 1, 3, got 2"),
            (json!({ "rounds": [1, 10] }), "settings.rounds"),
            (json!({ "share": [0.5, 2] }), "numbers from 0 to 1"),
        ] {
            let bad = SCHEMA.check(&settings).expect_err(said).to_string();
            assert!(bad.contains(said), "{bad}");
        }
    }
}
