//! The authors' reader, fault by fault (specification 3.4, and the argument checks of 3.3).

use std::ops::Range;

use super::{Action, ActionName, Fault, Reading, Repair, cut, ignored};
use turnwise_core::json;
use turnwise_core::prelude::*;
use turnwise_core::python;

/// What the reference parser makes of a text: a name, which may be anything, and arguments, which are not checked yet.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Call {
    /// Which part of the text was taken, in bytes.
    pub span: Option<Range<usize>>,
    /// The object that stood there.
    pub object: Option<Object>,
    /// The action's name, blanks included; empty if there is none.
    pub name: String,
    /// The arguments; empty if there are none.
    pub params: Object,
    /// Whether there was any text.
    spoken: bool,
}

/// Picks the part of a text that may be the object.
type Attempt = fn(&str) -> Option<Range<usize>>;

/// Reads a text as the reference code does: the whole of it, else its first fenced block, else everything from the first
/// to the last brace. A missing text counts as empty.
///
/// Objects nested more than 64 deep are not read ([`json::DEPTH`]); Python's own limit lies near a thousand.
pub fn reference(text: Option<&str>) -> Call {
    let text = text.unwrap_or_default();
    let attempts: [Attempt; 3] = [|text| Some(0..text.len()), fenced, greedy];
    let found = attempts.into_iter().find_map(|attempt| {
        let span = attempt(text)?;
        match json::parse(&text[span.clone()], Dialect::Python) {
            Ok(Json::Object(object)) => Some((span, object)),
            _ => None,
        }
    });
    let Some((span, object)) = found else {
        return Call { spoken: !python::strip(text).is_empty(), ..Call::default() };
    };
    let named = ["action", "name"]
        .iter()
        .find_map(|key| object.get(key).filter(|value| python::truthy(value)));
    Call {
        span: Some(span),
        name: named.map(python::text).unwrap_or_default(),
        params: object.get("params").and_then(Json::as_object).cloned().unwrap_or_default(),
        object: Some(object),
        spoken: true,
    }
}

impl Call {
    /// The name without blanks around it, as the reference code looks it up before the final round.
    pub fn trimmed_name(&self) -> &str {
        python::strip(&self.name)
    }

    /// The final round's fallback: the `answer` argument whatever the action is called, else `No Answer`.
    pub fn fallback_answer(&self) -> String {
        match self.params.get("answer") {
            Some(answer) if python::truthy(answer) => python::text(answer),
            _ => "No Answer".to_owned(),
        }
    }

    /// Checks the arguments as the reference code does when it runs the action. An error here restarts its episode.
    pub fn arguments(&self, action: ActionName) -> Result<(Action, Vec<Repair>), Fault> {
        if let Some(argument) =
            action.arguments().iter().find(|argument| self.params.get(argument).is_none())
        {
            return Err(Fault::MissingArgument { argument: (*argument).to_owned() });
        }
        let mut others = self.params.keys().filter(|key| !action.arguments().contains(key));
        let mut repairs = Vec::new();
        let mut as_text = |argument: &str| {
            let value = self.params.get(argument).unwrap_or(&Json::Null);
            if value.as_text().is_none() {
                repairs.push(Repair::TurnedIntoText { argument: argument.to_owned() });
            }
            python::text(value)
        };
        let read = match action {
            ActionName::Search | ActionName::Ask => {
                if let Some(other) = others.next() {
                    return Err(Fault::UnknownArgument { argument: cut(other) });
                }
                match action {
                    ActionName::Search => Action::Search { query: as_text("query") },
                    _ => Action::Ask { question: as_text("question") },
                }
            }
            ActionName::Answer => {
                let answer = self.params.get("answer").unwrap_or(&Json::Null);
                let Some(answer) = answer.as_text() else {
                    return Err(Fault::WrongType {
                        argument: "answer".to_owned(),
                        found: answer.kind().to_owned(),
                    });
                };
                let mut confidence = as_text("confidence");
                if confidence.is_empty() {
                    confidence.push('0');
                    repairs.push(Repair::EmptyConfidence);
                }
                let trimmed = python::strip(answer);
                if trimmed != answer {
                    repairs.push(Repair::AnswerTrimmed);
                }
                repairs.extend(ignored(others));
                Action::Answer { answer: trimmed.to_owned(), confidence }
            }
        };
        Ok((read, repairs))
    }

    /// The whole reading under these allowed actions, with the name looked up without blanks around it.
    pub fn reading(&self, allowed: &[ActionName]) -> Reading {
        let mut repairs = Vec::new();
        let result = self.allowed(allowed).and_then(|action| {
            if self.name != action.name() {
                repairs.push(Repair::NameTrimmed);
            }
            let (action, more) = self.arguments(action)?;
            repairs.extend(more);
            Ok(action)
        });
        Reading { span: self.span.clone(), extracted: self.object.clone(), repairs, result }
    }

    /// The action that the name means, if it is one of these.
    pub fn allowed(&self, allowed: &[ActionName]) -> Result<ActionName, Fault> {
        let name = self.trimmed_name();
        match ActionName::named(name) {
            Some(action) if allowed.contains(&action) => Ok(action),
            Some(action) => Err(Fault::NotAllowed { action, allowed: allowed.to_vec() }),
            None if !name.is_empty() => Err(Fault::UnknownAction { name: cut(name) }),
            None if self.object.is_some() => Err(Fault::NoAction),
            None if self.spoken => Err(Fault::NoObject),
            None => Err(Fault::Empty),
        }
    }
}

/// The inside of the first fenced block that begins with a brace and ends with one: the first match of
/// `` ```(?:json)?\s*(\{[\s\S]*?\})\s*``` ``, case-insensitive. The shortest run reaches over inner braces up to one
/// that stands before a closing fence.
fn fenced(text: &str) -> Option<Range<usize>> {
    const FENCE: &str = "```";
    let opens = |at: usize| {
        let after = &text[at + FENCE.len()..];
        let inside = after_json(after).trim_start_matches(python::is_space);
        inside.starts_with('{').then(|| text.len() - inside.len())
    };
    let start = (0..text.len())
        .filter(|at| text.as_bytes()[*at..].starts_with(FENCE.as_bytes()))
        .find_map(opens)?;
    let closes = |(at, _): (usize, &str)| {
        let after = text[at + 1..].trim_start_matches(python::is_space);
        after.starts_with(FENCE).then_some(at + 1)
    };
    let end =
        text[start..].match_indices('}').map(|(at, brace)| (start + at, brace)).find_map(closes)?;
    Some(start..end)
}

/// What follows after `json`; a case-insensitive `s` also matches U+017F in Python.
fn after_json(text: &str) -> &str {
    let mut rest = text.chars();
    let is_json = "json".chars().all(|wanted| {
        rest.next().is_some_and(|found| {
            found.eq_ignore_ascii_case(&wanted) || (wanted == 's' && found == 'ſ')
        })
    });
    if is_json { rest.as_str() } else { text }
}

/// From the first opening brace to the last closing one.
fn greedy(text: &str) -> Option<Range<usize>> {
    let start = text.find('{')?;
    let end = text.rfind('}')? + 1;
    (start < end).then_some(start..end)
}
