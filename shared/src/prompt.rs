//! What a seat is asked and what it says.
//!
//! A message is a template's name and its variables, not a rendered text: the pack renders it at the last moment. So a
//! transcript need not repeat prompts, bots read variables instead of prose, and hidden fields of a task (a context, an
//! answer) are named here and filled in only where they may be seen.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::hash::Digest;
use crate::seat::Seat;
use crate::task::Task;

/// Which conversation a request belongs to. Stateless protocols open a new thread for every call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ThreadId(pub u32);

/// A request to a seat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    /// Who is asked.
    pub seat: Seat,
    /// In which conversation.
    pub thread: ThreadId,
    /// Everything that the seat sees for this reply, oldest first.
    pub messages: Vec<Message>,
    /// What kind of reply is wanted.
    pub expect: Expect,
}

impl Ask {
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
    /// The protocol.
    User,
    /// The seat itself, earlier.
    Assistant,
}

/// One message of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: Content,
}

impl Message {
    /// A message from a template.
    pub fn template<const N: usize>(
        role: Role,
        name: &str,
        variables: [(&str, Variable); N],
    ) -> Self {
        Message {
            role,
            content: Content::Template {
                name: name.to_owned(),
                variables: variables
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value))
                    .collect(),
            },
        }
    }
}

/// What a message says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// A template of the prompt pack and its variables.
    Template {
        /// The template's name in the pack.
        name: String,
        /// Its variables.
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
    /// A text.
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
}

/// What kind of reply is wanted. A person gets a form for it; a model gets the same words as everybody.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expect {
    /// Free text.
    Text,
    /// One of these.
    Choice(Vec<String>),
    /// One of these moves, perhaps with an amount.
    Move(Vec<Move>),
    /// Text that holds one of these actions as JSON.
    Actions(Vec<ActionForm>),
}

/// A move that may be chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Move {
    /// Its name.
    pub name: String,
    /// Smallest and largest amount, in whole chips; absent = the move has no amount.
    pub amount: Option<(u64, u64)>,
}

/// An action as a form: what a person fills in, and what a model is told to write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ActionForm {
    /// Its name.
    pub name: String,
    /// Its parameters, in the order in which they are shown.
    pub parameters: Vec<Parameter>,
    /// How it is written down once it is filled in.
    #[serde(default, skip_serializing_if = "Written::is_default")]
    pub written: Written,
}

impl ActionForm {
    /// The filled-in form, exactly as a model must write it. White space around values is left out.
    pub fn text(&self, values: &[String]) -> String {
        let values = values.iter().map(|value| value.trim());
        let object = || -> serde_json::Map<String, Value> {
            let names = self
                .parameters
                .iter()
                .map(|parameter| parameter.name.clone());
            names.zip(values.clone().map(Value::from)).collect()
        };
        match &self.written {
            Written::Action => {
                let action = serde_json::json!({ "action": self.name, "params": object() });
                format!("```json\n{action}\n```")
            }
            Written::Call { tool } => {
                let call = serde_json::json!({ "name": tool, "arguments": object() });
                // What is typed cannot close the tag.
                let call = call.to_string().replace('<', "\\u003c");
                format!("<tool_call>\n{call}\n</tool_call>")
            }
            Written::Tag => {
                let value = values.clone().next().unwrap_or_default();
                format!("<{0}>{value}</{0}>", self.name)
            }
        }
    }
}

/// How a filled-in form is written down.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Written {
    /// As a fenced JSON object with `action` and `params`.
    #[default]
    Action,
    /// As a JSON object with `name` and `arguments` between `<tool_call>` and `</tool_call>`.
    Call {
        /// The tool's name.
        tool: String,
    },
    /// As the value of the only parameter, between tags of the action's name.
    Tag,
}

impl Written {
    fn is_default(&self) -> bool {
        *self == Written::default()
    }
}

/// A parameter of an action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What it is, in a few words.
    pub hint: String,
}

/// What somebody in a seat said.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Said {
    /// The text; `None` where the service returned no content, which is not the same as empty text for every protocol.
    pub text: Option<String>,
    /// Reasoning that the service returned apart from the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// What the service said in place of an answer: the model's words of refusal, or the reason for which the reply was
    /// refused or filtered. [`Said::stop`] tells which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// Why the reply ended where it ended.
    #[serde(default)]
    pub stop: Stop,
    /// What it used, as the service counted.
    #[serde(default, skip_serializing_if = "Usage::is_empty")]
    pub usage: Usage,
    /// The model as the service named it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How the request that was sent differs from what the run had chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub departures: Vec<Departure>,
    /// The commitment to what was really said, where only what it came to may be told, because the task is sealed
    /// ([`sealed`](crate::sealed)). Reasoning and usage are withheld with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withheld: Option<Box<Digest>>,
}

/// One difference between a request as it was sent and what the run had chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Departure {
    /// What it is about: a field of [`Sampling`](crate::seat::Sampling), or `system`.
    pub parameter: String,
    /// What became of it.
    pub how: Departed,
}

/// What became of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Departed {
    /// Left out: the wire format or the model's family is known not to take it.
    NotTaken,
    /// Left out: the service refused it, at this call or an earlier one.
    Refused,
    /// Sent although nobody had chosen it, because the service must have it.
    Supplied(u64),
    /// Sent in another place: text of the system inside the first message.
    Moved,
}

impl Said {
    /// A plain text from somebody who uses no tokens: a bot or a person.
    pub fn text(text: impl Into<String>) -> Self {
        Said {
            text: Some(text.into()),
            ..Said::default()
        }
    }
}

/// Why a reply ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// It was finished.
    #[default]
    End,
    /// The limit of tokens cut it off.
    Length,
    /// The service filtered it.
    Filtered,
    /// The model refused.
    Refused,
    /// The service gave another reason, or none.
    Other,
}

/// Tokens of one reply, as the service counted them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read, cached ones included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// Of these, tokens read from a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<u64>,
    /// Of these, tokens written to a cache, where that is priced apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_written: Option<u64>,
    /// Tokens written, reasoning included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
    /// Of these, tokens of reasoning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<u64>,
    /// The service's own record, untouched.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub raw: Value,
}

impl Usage {
    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        *self == Usage::default()
    }

    /// Tokens read and written; what was not counted adds nothing.
    pub fn tokens(&self) -> u64 {
        self.input
            .unwrap_or(0)
            .saturating_add(self.output.unwrap_or(0))
    }
}

/// A named set of prompt templates, hashed into the spec.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pack {
    /// Its name, e.g. `turnwise-interactcomp-1`.
    pub name: String,
    /// Templates by name.
    pub templates: BTreeMap<String, String>,
}

/// A message as it is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rendered {
    /// Who speaks.
    pub role: Role,
    /// The whole text.
    pub text: String,
    /// Pictures that follow the text. They travel with a call and never stand in a transcript.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
}

impl Rendered {
    /// A message of nothing but text.
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Rendered {
            role,
            text: text.into(),
            pictures: Vec::new(),
        }
    }
}

/// A picture as it is sent to a model. One request has at most 1 MB (`decisions.md` 10), so pictures are small.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// How it is coded.
    pub media: Media,
    /// Its bytes in base64, with padding.
    pub base64: String,
}

/// How a picture is coded: what every service reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Media {
    /// PNG
    #[serde(rename = "image/png")]
    Png,
    /// JPEG
    #[serde(rename = "image/jpeg")]
    Jpeg,
    /// WebP
    #[serde(rename = "image/webp")]
    Webp,
}

impl Media {
    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Media::Png => "image/png",
            Media::Jpeg => "image/jpeg",
            Media::Webp => "image/webp",
        }
    }
}

/// A prompt that cannot be rendered with this pack and this task.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPrompt {
    /// The pack lacks a template.
    #[error("the prompt pack {pack:?} has no template {template:?}")]
    NoTemplate {
        /// The pack's name.
        pack: String,
        /// The missing template.
        template: String,
    },
    /// The task lacks a field, or it is withheld here.
    #[error("the task has no field {field:?} (it may be sealed here)")]
    NoField {
        /// The missing field.
        field: String,
    },
}

impl Pack {
    /// The digest over name and templates.
    pub fn digest(&self) -> Digest {
        Digest::of_value(self)
    }

    /// A template's text.
    ///
    /// # Errors
    /// If the pack has no such template.
    pub fn template(&self, name: &str) -> Result<&str, BadPrompt> {
        self.templates
            .get(name)
            .map(String::as_str)
            .ok_or_else(|| BadPrompt::NoTemplate {
                pack: self.name.clone(),
                template: name.to_owned(),
            })
    }

    /// Every message of a request as text.
    ///
    /// # Errors
    /// If a template or a field of the task is missing.
    pub fn render(&self, ask: &Ask, task: &Task) -> Result<Vec<Rendered>, BadPrompt> {
        ask.messages
            .iter()
            .map(|message| {
                let text = match &message.content {
                    Content::Text(text) => text.clone(),
                    Content::Template { name, variables } => {
                        let mut filled = BTreeMap::new();
                        for (variable, value) in variables {
                            let value = value.fill(task).ok_or_else(|| BadPrompt::NoField {
                                field: match value {
                                    Variable::Field(field) => field.clone(),
                                    Variable::Text(_) => variable.clone(),
                                },
                            })?;
                            filled.insert(variable.as_str(), value);
                        }
                        substitute(self.template(name)?, &filled)
                    }
                };
                Ok(Rendered::text(message.role, text))
            })
            .collect()
    }
}

/// Puts values in the place of `{name}`, in a single pass: what a value contains is never expanded again, and braces
/// around anything else stay as they are (spec InteractComp 2.1 and 4).
pub fn substitute(template: &str, variables: &BTreeMap<&str, &str>) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..open]);
        let after = &rest[open + 1..];
        let named = after
            .find('}')
            .and_then(|close| Some((close, *variables.get(&after[..close])?)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn substitution_is_a_single_pass() {
        let variables = BTreeMap::from([("a", "{b}"), ("b", "B")]);
        assert_eq!(
            substitute("{a} {b} {c} {\"a\": {}} {{a}}", &variables),
            "{b} B {c} {\"a\": {}} {{b}}"
        );
    }

    #[test]
    fn forms_are_written_as_models_write_them() {
        let form = |name: &str, parameters: &[&str], written| ActionForm {
            name: name.to_owned(),
            parameters: parameters
                .iter()
                .map(|name| Parameter {
                    name: (*name).to_owned(),
                    hint: String::new(),
                })
                .collect(),
            written,
        };
        let action = form("answer", &["answer", "confidence"], Written::Action);
        assert_eq!(
            action.text(&[" Canberra ".into(), "80".into()]),
            "```json\n{\"action\":\"answer\",\"params\":{\"answer\":\"Canberra\",\"confidence\":\"80\"}}\n```"
        );
        let tool = "web_search".to_owned();
        let call = form("search", &["query"], Written::Call { tool });
        assert_eq!(
            call.text(&["a </tool_call> b".into()]),
            "<tool_call>\n{\"arguments\":{\"query\":\"a \\u003c/tool_call> b\"},\"name\":\"web_search\"}\n</tool_call>"
        );
        let tag = form("answer", &["answer"], Written::Tag);
        assert_eq!(tag.text(&[" 42 ".into()]), "<answer>42</answer>");
    }
}
