//! A question to a person, made ready for the screen: what stands large, what the controls are, and the text that each of
//! them sends. Every text is one that a model could have written, and goes through the same parser.

use serde_json::Value;
use turnwise_shared::misfit;
use turnwise_shared::prelude::*;
use turnwise_shared::prompt::ActionForm;

use super::lang_of;
use crate::strings::capitalised;
use crate::strings::person as words;

/// What a question is answered with.
#[derive(Debug)]
pub enum AnswerForm {
    /// One of a few words.
    Words(Vec<Word>),
    /// The forms of what is expected.
    Forms(Expect),
}

/// A word that can be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// What stands on its button.
    pub label: String,
    /// The key that says it, in lower case.
    pub key: String,
    pub text: String,
}

/// A part of what is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionPart {
    pub title: String,
    pub text: String,
    /// The language in which it is set; `None` = that of the page.
    pub lang: Option<&'static str>,
    /// Whether it is what the answer is about, and stands large.
    pub is_point: bool,
    /// Whether it says what was wrong with the last reply.
    pub is_fault: bool,
    /// Whether it is a JSON object or list, and is set as such.
    pub is_code: bool,
    /// What it is called in the request.
    pub name: String,
}

/// The action that ends an episode.
const ANSWER: &str = "answer";

/// The part that says what was wrong with the last reply.
const FAULT: &str = "fault";

/// What a question is answered with, unless its benchmark says otherwise.
pub fn desk(benchmark: &dyn Benchmark, question: &Question) -> AnswerForm {
    let expect = benchmark.expects_of_person(&question.seat, &question.expect, &question.scene);
    let Expect::Choice(choices) = expect else {
        return AnswerForm::Forms(expect);
    };
    let called = benchmark.people().map_or(&[] as &[_], |people| people.choices);
    let said = choices.into_iter().map(|choice| {
        let name = called.iter().find(|(said, _)| *said == choice);
        let label = name.map_or_else(|| words::choice(&choice), |(_, name)| (*name).to_owned());
        (label, choice)
    });
    AnswerForm::Words(with_keys(said))
}

/// The question to a grading seat, in few words, because it is always the same; the parts of all others end
/// with the question itself.
pub fn put(benchmark: &dyn Benchmark, question: &Question) -> Option<&'static str> {
    benchmark
        .grading_seats()
        .contains(&question.seat.as_str())
        .then_some("Does the given answer agree with the correct one?")
}

/// The actions as they are offered: what ends the episode stands last, so that it is never chosen unasked.
pub fn offered(mut forms: Vec<ActionForm>) -> Vec<ActionForm> {
    forms.sort_by_key(|form| form.name == ANSWER);
    forms
}

/// Keys of the page on which questions are answered: the next one first, and the last answer taken back.
const TAKEN: [char; 2] = ['l', 'u'];

/// Words with a key each, from pairs of label and text: the first letter or digit of the label's longest word that no other has,
/// then of the other words, else the number of the word.
pub fn with_keys(said: impl IntoIterator<Item = (String, String)>) -> Vec<Word> {
    let mut taken = TAKEN.to_vec();
    (1..)
        .zip(said)
        .map(|(number, (label, text)): (u32, _)| {
            let mut parts: Vec<String> = label.split_whitespace().map(str::to_lowercase).collect();
            parts.sort_by_key(|part| usize::MAX - part.chars().count());
            let signs = parts.iter().flat_map(|part| part.chars());
            let key = signs.filter(char::is_ascii_alphanumeric).find(|sign| !taken.contains(sign));
            taken.extend(key);
            Word { key: key.map_or_else(|| number.to_string(), String::from), label, text }
        })
        .collect()
}

/// An answer in a few words: what its button says, or which action it is; else that something was written.
pub fn said(desk: &AnswerForm, text: &str) -> String {
    let word = match desk {
        AnswerForm::Words(words) => words.iter().find(|word| word.text == text),
        AnswerForm::Forms(Expect::Actions(forms)) => return action_of(forms, text),
        AnswerForm::Forms(_) => None,
    };
    word.map_or_else(|| words::WRITTEN.to_owned(), |word| word.label.clone())
}

/// The name of the action that a text is, where there is more than one to choose from.
fn action_of(forms: &[ActionForm], text: &str) -> String {
    let said = object_in(text);
    let name = said.as_ref().and_then(|said| said.get("action")?.as_str());
    let known = forms.len() > 1 && forms.iter().any(|form| Some(form.name.as_str()) == name);
    name.filter(|_| known).unwrap_or(words::WRITTEN).to_owned()
}

/// Whether this seat follows the episode: the player does, and every numbered seat. All others are asked one thing at
/// a time.
pub fn follows(seat: &Seat) -> bool {
    seat.as_str() == Seat::PLAYER || seat.as_str().parse::<u32>().is_ok()
}

/// Whether the scene of the seat is drawn.
pub fn draws_scene(question: &Question) -> bool {
    follows(&question.seat) && !question.scene.blocks.is_empty()
}

/// The table at which a bet is asked for.
pub fn card_table(question: &Question) -> Option<&CardTable> {
    question.scene.blocks.iter().find_map(|block| match block {
        Block::CardTable(table) => Some(table),
        _ => None,
    })
}

/// The object of a reply that has one, fenced or bare.
pub fn object_in(reply: &str) -> Option<Value> {
    let object = reply.get(reply.find('{')?..=reply.rfind('}')?)?;
    serde_json::from_str(object).ok()
}

/// What is shown above the controls. What the scene of a player shows already is left out, and what `lists` names among the
/// controls.
pub fn parts(question: &Question, lists: &[&str]) -> Vec<QuestionPart> {
    let in_scene = draws_scene(question);
    let is_shown = |name: &str| name == FAULT || !in_scene && !lists.contains(&name);
    let all: Vec<_> = question
        .parts
        .iter()
        .filter(|(name, text)| is_shown(name) && !text.trim().is_empty())
        .collect();
    let named = ["query", "predicted_answer", "prediction", "question"]
        .into_iter()
        .find(|name| all.iter().any(|(part, _)| part == name));
    // A seat that has to choose is asked about the last part.
    let chooses = matches!(question.expect, Expect::Choice(_));
    let last = all.iter().rev().map(|(name, _)| name.as_str());
    let last = last.filter(|_| chooses).find(|name| *name != FAULT);
    let point = named.or(last);
    all.into_iter()
        .map(|(name, text)| QuestionPart {
            title: words::part(name)
                .map_or_else(|| capitalised(&name.replace('_', " ")), str::to_owned),
            text: match name.as_str() {
                FAULT => misfit::plain(text),
                _ => text.clone(),
            },
            lang: lang_of(text),
            is_point: point == Some(name.as_str()),
            is_fault: name == FAULT,
            is_code: is_code(text),
            name: name.clone(),
        })
        .collect()
}

/// Whether a text is a JSON object or list. A value alone (a number, a name) is read as words.
fn is_code(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

#[cfg(test)]
mod tests;
