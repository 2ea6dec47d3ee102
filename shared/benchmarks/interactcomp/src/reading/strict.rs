//! The strict reader (README.md, "The two profiles"; specification 10.7).

use super::{Action, ActionName, Fault, Reading, Repair, cut, ignored};
use turnwise_core::json::{self, Eased, JsonError, Problem};
use turnwise_core::parse::{self, Candidate};
use turnwise_core::prelude::*;

/// Reads a text strictly: the last JSON object outside of reasoning that fits the schema of the allowed actions.
///
/// If none fits, the fault is that of the last object that names an action, else of the last thing in braces.
///
/// A text that is one object from end to end is taken as it is, even if a string in it looks like a reasoning tag.
pub fn strict(text: Option<&str>, allowed: &[ActionName]) -> Reading {
    let text = text.unwrap_or_default();
    let mut best = Reading {
        span: None,
        extracted: None,
        repairs: Vec::new(),
        result: Err(if is_blank(text) { Fault::Empty } else { Fault::NoObject }),
    };
    let mut best_weight = Weight::Nothing;
    let parts = if is_one_object(text) {
        std::iter::once(0..text.len()).collect()
    } else {
        parse::spoken(text)
    };
    for part in parts {
        for candidate in parse::objects(text, part, Dialect::Strict) {
            let (reading, weight) = read(candidate, allowed);
            if weight >= best_weight {
                (best, best_weight) = (reading, weight);
            }
        }
    }
    best
}

/// Which of several candidates a reading is about; of equal ones, the last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Nothing,
    /// An object that names no action.
    OtherObject,
    /// Something in braces that is not JSON.
    Broken,
    /// An object that names an action but does not fit.
    Misfit,
    Fits,
}

fn is_blank(text: &str) -> bool {
    text.chars().all(|character| character.is_whitespace() || character == '\u{feff}')
}

fn is_one_object(text: &str) -> bool {
    let text =
        text.trim_matches(|character: char| character.is_whitespace() || character == '\u{feff}');
    matches!(json::parse(text, Dialect::Strict), Ok(Json::Object(_)))
}

fn read(candidate: Candidate, allowed: &[ActionName]) -> (Reading, Weight) {
    let broken = |span, error: JsonError| {
        let fault = match error.problem {
            Problem::SameKey => Fault::SameKey,
            _ => Fault::NotJson { why: error.to_string() },
        };
        let reading =
            Reading { span: Some(span), extracted: None, repairs: Vec::new(), result: Err(fault) };
        (reading, Weight::Broken)
    };
    match candidate {
        Candidate::Broken { span, error } => broken(span, error),
        Candidate::Unclosed { at, error } => broken(at..error.at.max(at), error),
        Candidate::Object { span, object, eased } => {
            let (result, repairs) = match fit(&object, eased, allowed) {
                Ok((action, repairs)) => (Ok(action), repairs),
                Err(fault) => (Err(fault), Vec::new()),
            };
            let weight = match (&result, object.get("action")) {
                (Ok(_), _) => Weight::Fits,
                (Err(_), Some(_)) => Weight::Misfit,
                (Err(_), None) => Weight::OtherObject,
            };
            let reading = Reading { span: Some(span), extracted: Some(object), repairs, result };
            (reading, weight)
        }
    }
}

/// The action that an object is, if it fits the schema.
fn fit(
    object: &Object,
    eased: Eased,
    allowed: &[ActionName],
) -> Result<(Action, Vec<Repair>), Fault> {
    let mut repairs = Vec::new();
    if eased.raw_breaks {
        repairs.push(Repair::RawBreaks);
    }
    let written = match object.get("action") {
        None => return Err(Fault::NoAction),
        Some(Json::Text(name)) => name,
        Some(other) => {
            return Err(Fault::ActionNotText { found: other.kind().to_owned() });
        }
    };
    let name = written.trim();
    if name != written {
        repairs.push(Repair::NameTrimmed);
    }
    let action = match ActionName::named(name) {
        Some(action) if allowed.contains(&action) => action,
        Some(action) => {
            return Err(Fault::NotAllowed { action, allowed: allowed.to_vec() });
        }
        None if name.is_empty() => return Err(Fault::NoAction),
        None => return Err(Fault::UnknownAction { name: cut(name) }),
    };
    let params = match object.get("params") {
        None => return Err(Fault::NoParams),
        Some(Json::Object(params)) => params,
        Some(other) => {
            return Err(Fault::ParamsNotObject { found: other.kind().to_owned() });
        }
    };
    if let Some(other) = params.keys().find(|key| !action.arguments().contains(key)) {
        return Err(Fault::UnknownArgument { argument: cut(other) });
    }
    repairs.extend(ignored(object.keys().filter(|key| !["action", "params"].contains(key))));
    let action = match action {
        ActionName::Search => Action::Search { query: wanted(params, "query")? },
        ActionName::Ask => Action::Ask { question: wanted(params, "question")? },
        ActionName::Answer => {
            let written = text(params, "answer")?;
            let answer = written.trim();
            if answer != written {
                repairs.push(Repair::AnswerTrimmed);
            }
            let confidence = match argument(params, "confidence")? {
                number @ (Json::Int(_) | Json::Float(_)) => {
                    repairs.push(Repair::TurnedIntoText { argument: "confidence".to_owned() });
                    turnwise_core::python::text(number)
                }
                _ => text(params, "confidence")?.to_owned(),
            };
            Action::Answer { answer: answer.to_owned(), confidence }
        }
    };
    Ok((action, repairs))
}

fn argument<'a>(params: &'a Object, name: &str) -> Result<&'a Json, Fault> {
    params.get(name).ok_or_else(|| Fault::MissingArgument { argument: name.to_owned() })
}

fn text<'a>(params: &'a Object, name: &str) -> Result<&'a str, Fault> {
    let value = argument(params, name)?;
    value.as_text().ok_or_else(|| Fault::WrongType {
        argument: name.to_owned(),
        found: value.kind().to_owned(),
    })
}

/// An argument that must not be blank.
fn wanted(params: &Object, name: &str) -> Result<String, Fault> {
    match text(params, name)? {
        blank if blank.trim().is_empty() => Err(Fault::BlankArgument { argument: name.to_owned() }),
        text => Ok(text.to_owned()),
    }
}
