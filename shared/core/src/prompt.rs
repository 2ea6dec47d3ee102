//! What a seat is asked and what it says.
//!
//! A message is a template's name and its variables, not a rendered text: the pack renders it at the last moment. So a
//! transcript need not repeat prompts, bots read variables instead of prose, and hidden fields of a task (a context, an
//! answer) are named here and filled in only where they may be seen.

mod form;
mod said;
mod sent;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use form::{ActionForm, Expect, Move, Parameter, Written};
pub use said::{Departed, Departure, Said, Stop, Usage};
pub use sent::Rendered;

use crate::hash::Digest;
use crate::picture::BadPicture;
use crate::seat::Seat;
use crate::task::Task;

/// Which conversation a request belongs to. Stateless protocols open a new thread for every call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ThreadId(pub u32);

/// A request to a seat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    pub seat: Seat,
    pub thread: ThreadId,
    /// Everything that the seat sees for this reply, oldest first.
    pub messages: Vec<Message>,
    /// What kind of reply is wanted.
    pub expect: Expect,
}

impl Ask {
    /// A request to a seat.
    pub fn new(
        seat: impl Into<Seat>,
        thread: ThreadId,
        messages: Vec<Message>,
        expect: Expect,
    ) -> Self {
        Ask { seat: seat.into(), thread, messages, expect }
    }

    /// A variable of the last message that has it, with hidden fields filled in: what bots read.
    pub fn variable<'a>(&'a self, name: &str, task: &'a Task) -> Option<&'a str> {
        self.messages
            .iter()
            .rev()
            .find_map(|message| match &message.content {
                Content::Template { variables, .. } => variables.get(name),
                Content::Text(_) => None,
            })
            .and_then(|variable| variable.fill(task))
    }

    /// The variables of all messages, pictures included, oldest first.
    pub fn variables(&self) -> impl Iterator<Item = &Variable> {
        self.messages.iter().flat_map(|message| {
            let in_text = match &message.content {
                Content::Template { variables, .. } => Some(variables.values()),
                Content::Text(_) => None,
            };
            in_text.into_iter().flatten().chain(&message.pictures)
        })
    }

    /// The names of the templates used, oldest first; texts of a conversation are left out.
    pub fn templates(&self) -> Vec<&str> {
        self.messages
            .iter()
            .filter_map(|message| match &message.content {
                Content::Template { name, .. } => Some(name.as_str()),
                Content::Text(_) => None,
            })
            .collect()
    }
}

/// Who speaks in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The rules of the conversation.
    System,
    User,
    Assistant,
}

/// One message of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    pub role: Role,
    pub content: Content,
    /// Pictures that follow the text, each a [`PictureRef`] as text; the template has a caption for each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Variable>,
}

impl Message {
    /// A message from a template.
    pub fn template<'a>(
        role: Role,
        name: &str,
        variables: impl IntoIterator<Item = (&'a str, Variable)>,
    ) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (name.to_owned(), value));
        let content = Content::Template { name: name.to_owned(), variables: variables.collect() };
        Message { role, content, pictures: Vec::new() }
    }

    /// What the seat itself said before.
    pub fn said(text: impl Into<String>) -> Self {
        Message::text(Role::Assistant, text)
    }

    /// A text as it is.
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Message { role, content: Content::Text(text.into()), pictures: Vec::new() }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// A template of the prompt pack and its variables.
    Template {
        /// The template's name in the pack.
        name: String,
        variables: BTreeMap<String, Variable>,
    },
    /// A text as it is: what a seat said before.
    Text(String),
}

/// The value of a template's variable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variable {
    /// A text that everybody in the episode may know.
    Text(String),
    /// A field of the task, filled in when the prompt is rendered; it may be hidden from the episode itself.
    Field(String),
}

impl Variable {
    pub fn text(text: impl Into<String>) -> Self {
        Variable::Text(text.into())
    }

    /// A field of the task.
    pub fn field(name: impl Into<String>) -> Self {
        Variable::Field(name.into())
    }

    /// The value; `None` if the task has no such field.
    pub fn fill<'a>(&'a self, task: &'a Task) -> Option<&'a str> {
        match self {
            Variable::Text(text) => Some(text),
            Variable::Field(name) => task.field(name),
        }
    }

    fn filled<'a>(&'a self, task: &'a Task) -> Result<&'a str, BadPrompt> {
        let (Variable::Text(name) | Variable::Field(name)) = self;
        self.fill(task).ok_or_else(|| BadPrompt::NoField { field: name.clone() })
    }
}

/// How the field of a task begins that has a template's text, where the pack has no template of the name that follows.
pub const TEMPLATE_FIELD: &str = "template:";

/// A named set of prompt templates, hashed into the spec.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pack {
    /// Its name, e.g. `my-prompts-1`.
    pub name: String,
    pub templates: BTreeMap<String, String>,
}

/// The texts of files as pairs of name and text, for [`Pack::of`]: `templates!["../prompts/": "player", "judge"]`.
#[macro_export]
macro_rules! templates {
    ($folder:literal: $($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!($folder, $name, ".txt")))),*]
    };
}

/// A prompt that cannot be rendered with this pack and this task.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPrompt {
    /// The pack lacks a template.
    #[error("the prompt pack {pack:?} has no template {template:?}")]
    NoTemplate { pack: String, template: String },
    /// The task lacks a field, or it is withheld here.
    #[error("the task has no field {field:?} (it may be sealed here)")]
    NoField { field: String },
    /// What is to be shown is no reference of a picture.
    #[error("picture {number} of a message: {problem}")]
    NoPicture {
        /// From 1, within the message.
        number: usize,
        problem: BadPicture,
    },
}

impl Pack {
    /// A pack of texts by name, without the white space that files end with.
    pub fn of<'a>(name: &str, texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let texts = texts.into_iter();
        let templates = texts.map(|(name, text)| (name.to_owned(), text.trim_end().to_owned()));
        Pack { name: name.to_owned(), templates: templates.collect() }
    }

    /// Checks that it has these templates.
    ///
    /// # Errors
    /// The first that is missing.
    pub fn check<N: AsRef<str>>(
        &self,
        names: impl IntoIterator<Item = N>,
    ) -> Result<(), BadPrompt> {
        names.into_iter().try_for_each(|name| self.template(name.as_ref()).map(|_| ()))
    }

    /// The digest over name and templates.
    pub fn digest(&self) -> Digest {
        Digest::of_value(self)
    }

    /// A template's text.
    ///
    /// # Errors
    /// If the pack has no such template.
    pub fn template(&self, name: &str) -> Result<&str, BadPrompt> {
        self.templates.get(name).map(String::as_str).ok_or_else(|| BadPrompt::NoTemplate {
            pack: self.name.clone(),
            template: name.to_owned(),
        })
    }

    /// The same where a task may bring templates of its own.
    pub(crate) fn template_for<'a>(
        &'a self,
        name: &str,
        task: &'a Task,
    ) -> Result<&'a str, BadPrompt> {
        let own = || task.field(&format!("{TEMPLATE_FIELD}{name}"));
        self.template(name).or_else(|missing| own().ok_or(missing))
    }

    /// Every message of a request as text, with its pictures.
    ///
    /// # Errors
    /// If a template or a field of the task is missing, or a picture is none.
    pub fn render(&self, ask: &Ask, task: &Task) -> Result<Vec<Rendered>, BadPrompt> {
        self.messages(ask, task, true)
    }

    /// The same for a reader from whom fields of the task may be covered: pictures that these name are left out.
    ///
    /// # Errors
    /// If a template or a field of the task is missing.
    pub fn shown(&self, ask: &Ask, task: &Task) -> Result<Vec<Rendered>, BadPrompt> {
        self.messages(ask, task, false)
    }

    fn messages(
        &self,
        ask: &Ask,
        task: &Task,
        has_all_pictures: bool,
    ) -> Result<Vec<Rendered>, BadPrompt> {
        ask.messages
            .iter()
            .map(|message| {
                let text = match &message.content {
                    Content::Text(text) => text.clone(),
                    Content::Template { name, variables } => {
                        let mut filled = BTreeMap::new();
                        for (variable, value) in variables {
                            filled.insert(variable.as_str(), value.filled(task)?);
                        }
                        substitute(self.template_for(name, task)?, &filled)
                    }
                };
                let mut pictures = Vec::new();
                for (at, picture) in message.pictures.iter().enumerate() {
                    match picture.filled(task)?.parse() {
                        Ok(picture) => pictures.push(picture),
                        Err(_) if !has_all_pictures => {}
                        Err(problem) => {
                            return Err(BadPrompt::NoPicture { number: at + 1, problem });
                        }
                    }
                }
                Ok(Rendered { pictures, ..Rendered::text(message.role, text) })
            })
            .collect()
    }
}

/// Puts values in the place of `{name}`, in a single pass: what a value contains is never expanded again, and braces
/// around anything else stay as they are. What stands between `{?name}` and `{/name}` is left out where the value is empty.
pub fn substitute(template: &str, variables: &BTreeMap<&str, &str>) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..open]);
        let after = &rest[open + 1..];
        if let Some((value, inner, behind)) = section(after, variables) {
            if !value.is_empty() {
                out.push_str(&substitute(inner, variables));
            }
            rest = behind;
            continue;
        }
        let named =
            after.find('}').and_then(|close| Some((close, *variables.get(&after[..close])?)));
        match named {
            Some((close, value)) => {
                out.push_str(value);
                rest = &after[close + 1..];
            }
            None => {
                out.push('{');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The section that begins behind an opening brace: the value of its variable, what is in it, and what follows it.
fn section<'a>(
    after: &'a str,
    variables: &BTreeMap<&str, &'a str>,
) -> Option<(&'a str, &'a str, &'a str)> {
    let (name, rest) = after.strip_prefix('?')?.split_once('}')?;
    let value = variables.get(name)?;
    let (inner, behind) = rest.split_once(&format!("{{/{name}}}"))?;
    Some((value, inner, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_left_out_where_its_variable_is_empty() {
        let told = |notes: &str| {
            let variables = BTreeMap::from([("notes", notes), ("x", "{?notes}")]);
            let template = "a{?notes}\n\nN: {notes} {x}{/notes}{?other}b{/other}{?notes}c";
            substitute(template, &variables)
        };
        assert_eq!(told(""), "a{?other}b{/other}{?notes}c");
        assert_eq!(told("n"), "a\n\nN: n {?notes}{?other}b{/other}{?notes}c");
    }

    #[test]
    fn substitution_is_a_single_pass() {
        let variables = BTreeMap::from([("a", "{b}"), ("b", "B")]);
        assert_eq!(
            substitute("{a} {b} {c} {\"a\": {}} {{a}}", &variables),
            "{b} B {c} {\"a\": {}} {{b}}"
        );
    }
}
