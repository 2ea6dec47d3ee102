//! What kind of reply is wanted, and forms that people fill in.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What kind of reply is wanted. A person gets a form for it; a model gets the same words as everybody.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expect {
    Text,
    Choice(Vec<String>),
    /// One of these moves, perhaps with an amount.
    Move(Vec<Move>),
    /// Text that holds one of these actions as JSON.
    Actions(Vec<ActionForm>),
}

impl Expect {
    pub fn choice<W: ToString>(words: impl IntoIterator<Item = W>) -> Self {
        Expect::Choice(words.into_iter().map(|word| word.to_string()).collect())
    }
}

/// A move that may be chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Move {
    pub name: String,
    /// Smallest and largest amount, in whole chips; absent = the move has no amount.
    pub amount: Option<(u64, u64)>,
}

/// An action as a form: what a person fills in, and what a model is asked to write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ActionForm {
    pub name: String,
    /// Its parameters, in the order in which they are shown.
    pub parameters: Vec<Parameter>,
    /// How it is written down once it is filled in.
    #[serde(default, skip_serializing_if = "Written::is_default")]
    pub written: Written,
}

impl ActionForm {
    /// An action by name, with its parameters and what each is in a few words.
    pub fn new(name: &str, written: Written, parameters: &[(&str, &str)]) -> Self {
        let parameters = parameters
            .iter()
            .map(|(name, hint)| Parameter { name: (*name).to_owned(), hint: (*hint).to_owned() });
        ActionForm { name: name.to_owned(), parameters: parameters.collect(), written }
    }

    /// The filled-in form, exactly as a model must write it. White space around values is left out.
    pub fn text(&self, values: &[String]) -> String {
        let values = values.iter().map(|value| value.trim());
        let object = || -> serde_json::Map<String, Value> {
            let names = self.parameters.iter().map(|parameter| parameter.name.clone());
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
            Written::Line { tag } => {
                let value = values.clone().next().unwrap_or_default();
                let words: Vec<&str> = value.split_whitespace().collect();
                format!("{tag} {}", words.join(" "))
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
    Call { tool: String },
    /// As the value of the only parameter, between tags of the action's name.
    Tag,
    /// As the value of the only parameter, on one line behind a tag, e.g. `Q:`.
    Line { tag: String },
}

impl Written {
    fn is_default(&self) -> bool {
        *self == Written::default()
    }
}

/// A parameter of an action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    pub name: String,
    /// What it is, in a few words.
    pub hint: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_written_as_models_write_them() {
        let form = |name: &str, parameters: &[&str], written| {
            let parameters: Vec<_> = parameters.iter().map(|name| (*name, "")).collect();
            ActionForm::new(name, written, &parameters)
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
        let line = form("ask", &["question"], Written::Line { tag: "Q:".into() });
        assert_eq!(line.text(&[" is he\nalive? ".into()]), "Q: is he alive?");
        let tag = form("answer", &["answer"], Written::Tag);
        assert_eq!(tag.text(&[" 42 ".into()]), "<answer>42</answer>");
    }
}
