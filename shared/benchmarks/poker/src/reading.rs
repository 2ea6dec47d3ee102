//! Reading a decision: what a player asked for (4.b.6). What the rules make of it is the engine's business.

use serde::Serialize;

use super::action::{Action, Kind};
use super::chips::Unit;
use turnwise_core::json;
use turnwise_core::parse::{self, Candidate};
use turnwise_core::prelude::*;

/// A decision as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    pub action: Action,
    /// The part of the text that was read.
    pub extracted: String,
    /// What had to be let through, each in a few words.
    pub eased: Vec<String>,
}

/// Reads a reply.
///
/// `reference`: the whole text is one JSON object as JavaScript reads it (of equal keys the last value holds, halves of surrogate
/// pairs and numbers of any size are let through), `action` one of the five names in capitals, `amount` a finite number. `strict`:
/// the last JSON object outside of reasoning that names an action, in a fence or not; names in any case, `BET` is `RAISE`; the
/// amount may be missing except for a raise; fractions of a chip are cut off. Objects that ask for different moves, and objects
/// in an array, are no decision: it is unclear which one is meant.
///
/// # Errors
/// Why it is no decision: classes `empty`, `no_object`, `not_json`, `no_action`, `unknown_action`, `no_amount`, `bad_amount`,
/// `two_actions`, `array`.
pub fn read(text: Option<&str>, profile: Profile) -> Result<Decision, Fault> {
    let text = text.unwrap_or_default();
    if text.trim().is_empty() {
        return Err(fault("empty", "there is no text"));
    }
    match profile {
        Profile::Reference => reference(text),
        Profile::Strict => strict(text),
    }
}

fn fault(class: &str, detail: impl Into<String>) -> Fault {
    Fault { class: class.to_owned(), detail: detail.into() }
}

fn reference(text: &str) -> Result<Decision, Fault> {
    // Python's dialect is JavaScript's but for the names of two numbers.
    let object = match json::parse(text.trim(), Dialect::Python) {
        Ok(_) if names_a_number(text) => {
            return Err(fault("not_json", "NaN and Infinity are no JSON"));
        }
        Ok(Json::Object(object)) => object,
        Ok(other) => {
            return Err(fault(
                "no_object",
                format!("the reply is {}, not an object", other.kind()),
            ));
        }
        Err(error) => return Err(fault("not_json", error.to_string())),
    };
    let name = text_of(&object, "action")?;
    let kind = Kind::named(name)
        .ok_or_else(|| fault("unknown_action", format!("{name:?} is not one of {}", names())))?;
    let amount = match object.get("amount") {
        Some(Json::Int(whole)) if whole.digits().parse::<f64>().is_ok_and(f64::is_infinite) => {
            return Err(fault("bad_amount", "the amount is not finite"));
        }
        Some(number @ (Json::Int(_) | Json::Float(_))) => amount(number, Unit::Millionth)?,
        Some(other) => {
            return Err(fault(
                "bad_amount",
                format!("the amount is {}, not a number", other.kind()),
            ));
        }
        None => {
            return Err(fault("no_amount", "an amount is required, also where it means nothing"));
        }
    };
    Ok(Decision {
        action: Action { kind, amount: Some(amount) },
        extracted: text.trim().to_owned(),
        eased: Vec::new(),
    })
}

/// Whether `NaN` or `Infinity` stands outside of strings, which is JSON for Python alone.
fn names_a_number(text: &str) -> bool {
    let (mut inside, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if inside => escaped = true,
            b'"' => inside = !inside,
            b'N' | b'I' if !inside => return true,
            _ => {}
        }
    }
    false
}

fn strict(text: &str) -> Result<Decision, Fault> {
    let mut best: Result<Decision, Fault> =
        Err(fault("no_object", "there is no JSON object in the reply"));
    let mut named: Option<Kind> = None;
    for part in parse::spoken(text) {
        for candidate in parse::objects(text, part, Dialect::Strict) {
            let (kind, read) = match candidate {
                Candidate::Object { span, object, .. } => {
                    if is_in_array(text, &span) {
                        return Err(fault("array", "the reply is an array; send one object"));
                    }
                    let read = of_object(&object).map(|(action, mut eased)| {
                        if text.trim() != text[span.clone()].trim() {
                            eased.push("text around the object was left out".to_owned());
                        }
                        Decision { action, extracted: text[span].to_owned(), eased }
                    });
                    let name = object.get("action").and_then(Json::as_text);
                    (name.and_then(|name| kind_of(name).ok()), read)
                }
                Candidate::Broken { span, error } => {
                    let inside = text[span.start + 1..span.end - 1].trim();
                    let kind = kind_of(inside.trim_matches('"')).ok();
                    (kind, Err(fault("not_json", error.to_string())))
                }
                Candidate::Unclosed { error, .. } => {
                    (None, Err(fault("not_json", error.to_string())))
                }
            };
            if let (Some(before), Some(now)) = (named, kind)
                && before != now
            {
                return Err(two_actions(before.name(), now.name()));
            }
            if let (Ok(before), Ok(now)) = (&best, &read)
                && before.action != now.action
            {
                return Err(two_actions("one amount", "another"));
            }
            named = named.or(kind);
            // An object that fits is only replaced by a later one that fits.
            if read.is_ok() || best.is_err() {
                best = read;
            }
        }
    }
    best
}

fn two_actions(one: &str, other: &str) -> Fault {
    let detail = format!("the reply asks for {one} and for {other}; send one object");
    fault("two_actions", detail)
}

/// Whether an object is an item of an array: a bracket stands right before or after it.
fn is_in_array(text: &str, span: &std::ops::Range<usize>) -> bool {
    text[..span.start].trim_end().ends_with('[') || text[span.end..].trim_start().starts_with(']')
}

fn of_object(object: &Object) -> Result<(Action, Vec<String>), Fault> {
    let name = text_of(object, "action")?;
    let mut eased = Vec::new();
    let kind = kind_of(name)?;
    if kind.name() != name {
        eased.push(format!("{name:?} was read as {}", kind.name()));
    }
    let amount = match (object.get("amount"), kind) {
        (Some(number @ (Json::Int(_) | Json::Float(_))), _) => {
            let whole = amount(number, Unit::Chip)?;
            if matches!(number, Json::Float(value) if value.fract() != 0.0) {
                eased.push("the fraction of a chip was cut off".to_owned());
            }
            Some(whole)
        }
        (None | Some(Json::Null), Kind::Raise) => {
            return Err(fault("no_amount", "a raise needs the amount to which it raises"));
        }
        (None | Some(Json::Null), _) => None,
        (Some(other), Kind::Raise) => {
            return Err(fault(
                "bad_amount",
                format!("the amount is {}, not a number", other.kind()),
            ));
        }
        (Some(_), _) => None,
    };
    // Only a raise has an amount; what else stands there is kept in the text and means nothing.
    let amount = amount.filter(|_| kind == Kind::Raise);
    Ok((Action { kind, amount }, eased))
}

/// The action of a name as players write it.
fn kind_of(name: &str) -> Result<Kind, Fault> {
    let plain = name.trim().to_ascii_uppercase().replace([' ', '-'], "_");
    let known = match plain.as_str() {
        "BET" => "RAISE",
        "ALLIN" => "ALL_IN",
        other => other,
    };
    Kind::named(known)
        .ok_or_else(|| fault("unknown_action", format!("{name:?} is not one of {}", names())))
}

fn text_of<'a>(object: &'a Object, name: &str) -> Result<&'a str, Fault> {
    match object.get(name) {
        Some(Json::Text(text)) => Ok(text),
        Some(other) => Err(fault("no_action", format!("{name} is {}, not text", other.kind()))),
        None => Err(fault("no_action", format!("the object has no {name}"))),
    }
}

fn amount(number: &Json, unit: Unit) -> Result<super::chips::Chips, Fault> {
    let text = match number {
        Json::Int(whole) => whole.digits().to_owned(),
        Json::Float(value) if value.is_finite() => value.to_string(),
        _ => return Err(fault("bad_amount", "the amount is not finite")),
    };
    unit.read(&text).ok_or_else(|| fault("bad_amount", format!("{text} is no amount")))
}

fn names() -> String {
    Kind::ALL.map(Kind::name).join(", ")
}

/// How a decision stands in a note: what was asked, before the rules looked at it.
#[derive(Debug, Serialize)]
pub struct Asked {
    pub action: &'static str,
    /// The amount in chips, where one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
}

impl Asked {
    /// An action in the words of a note.
    pub fn of(action: Action, unit: Unit) -> Self {
        Asked { action: action.kind.name(), amount: action.amount.map(|amount| unit.write(amount)) }
    }
}
