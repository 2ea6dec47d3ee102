//! What stands in an error, read once.

use serde_json::Value;

use super::lists::WORDS;

/// So deep an error is looked into.
pub(super) const DEEPEST: u32 = 12;

/// What stands in an error: its codes without case and punctuation, and all of its texts in lower case.
#[derive(Debug, Default)]
pub struct ErrorContents {
    codes: Vec<String>,
    /// All texts, a line each, in lower case.
    pub said: String,
    /// Whether the service says in a field of its own that it can be asked again within moments.
    pub(super) is_soon: bool,
}

impl ErrorContents {
    pub fn of(body: &Value) -> Self {
        let mut told = ErrorContents::default();
        told.take("", body, 0);
        told.said = told.said.to_lowercase();
        told
    }

    fn take(&mut self, field: &str, value: &Value, depth: u32) {
        if depth > DEEPEST {
            return;
        }
        let plain: String = field.to_lowercase();
        match value {
            Value::String(text) => {
                // A service in front of another one repeats its error as a text.
                if let Some(inner) = as_object(text) {
                    self.take(field, &inner, depth + 1);
                    return;
                }
                if plain == "blockreason" || plain == "block_reason" {
                    self.codes.push("promptblocked".to_owned());
                }
                if WORDS.codes.contains(&plain) && text.len() <= 80 {
                    self.codes.push(bare(text));
                }
                self.said.push_str(text);
                self.said.push('\n');
            }
            Value::Number(number) if WORDS.codes.contains(&plain) => {
                self.codes.push(number.to_string());
            }
            Value::Bool(true)
                if matches!(plain.as_str(), "flagged" | "filtered" | "blocked" | "moderated") =>
            {
                self.codes.push("flagged".to_owned());
            }
            Value::Array(items) => items.iter().for_each(|item| self.take(field, item, depth + 1)),
            Value::Object(fields) => {
                for (name, item) in fields {
                    let is_flag = name.starts_with("flagged_")
                        || (name == "reasons"
                            && item.as_array().is_some_and(|all| !all.is_empty()));
                    if is_flag {
                        self.codes.push("flagged".to_owned());
                    }
                    self.is_soon |= name == "retryDelay" || name == "retry_delay";
                    if !WORDS.echoes.contains(name) {
                        self.take(name, item, depth + 1);
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Whether a code has one of these parts.
    pub fn has_code(&self, parts: &[impl AsRef<str>]) -> bool {
        self.codes.iter().any(|code| parts.iter().any(|part| code.contains(part.as_ref())))
    }

    pub(super) fn is_numbered(&self, numbers: &[impl AsRef<str>]) -> bool {
        self.codes.iter().any(|code| numbers.iter().any(|number| number.as_ref() == code))
    }

    /// Whether a text has one of these phrases.
    pub fn says(&self, phrases: &[impl AsRef<str>]) -> bool {
        phrases.iter().any(|phrase| self.said.contains(phrase.as_ref()))
    }

    /// Whether it says that there is no such model.
    pub fn is_about_no_model(&self) -> bool {
        self.together(&WORDS.models, &WORDS.no_such)
    }

    /// Whether one of these words stands in a text with nothing of a word around it.
    pub fn has_word(&self, words: &[impl AsRef<str>]) -> bool {
        words.iter().any(|word| has_word(&self.said, word.as_ref()))
    }

    /// Whether one of these words stands in the same sentence as one of these phrases.
    pub(super) fn together(&self, words: &[impl AsRef<str>], phrases: &[impl AsRef<str>]) -> bool {
        sentences(&self.said).any(|sentence| {
            words.iter().any(|word| has_word(sentence, word.as_ref()))
                && phrases.iter().any(|phrase| sentence.contains(phrase.as_ref()))
        })
    }

    pub(super) fn together_phrases(
        &self,
        phrases: &[impl AsRef<str>],
        others: &[impl AsRef<str>],
    ) -> bool {
        self.says(phrases) && self.says(others)
    }
}

/// A text that is itself a JSON object.
pub(super) fn as_object(text: &str) -> Option<Value> {
    let text = text.trim();
    if !text.starts_with('{') {
        return None;
    }
    serde_json::from_str(text).ok().filter(Value::is_object)
}

/// A code without case and punctuation.
fn bare(code: &str) -> String {
    code.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether a word stands in a text with nothing of a word around it.
pub fn has_word(text: &str, word: &str) -> bool {
    position(text, word).is_some()
}

/// Where a word stands first with nothing of a word around it.
pub fn position(text: &str, word: &str) -> Option<usize> {
    positions(text, word).next()
}

/// Where a word stands with nothing of a word around it; scripts that put nothing between words need nothing.
pub(super) fn positions<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> {
    let goes_on = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(word).map(|(at, _)| at).filter(move |at| {
        !word.is_ascii()
            || (!text[..*at].ends_with(goes_on) && !text[at + word.len()..].starts_with(goes_on))
    })
}

/// The sentences of a text. A point within a number or a name ends none.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let ends = |character: char| matches!(character, '!' | '?' | ';' | '\n' | '。' | '！' | '；');
    text.split(ends)
        .flat_map(|part| part.split(". "))
        .map(str::trim)
        .filter(|sentence| !sentence.is_empty())
}
