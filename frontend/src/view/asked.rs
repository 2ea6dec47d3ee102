//! A question to a person, made ready for the screen: what stands large, what the controls are, and the text that each of
//! them sends. Every text is one that a model could have written, and goes through the same parser.

use std::collections::BTreeMap;

use serde_json::Value;
use turnwise_shared::benchmarks::interactcomp::reading::ActionName;
use turnwise_shared::benchmarks::paraworld::consult::Sheet;
use turnwise_shared::benchmarks::paraworld::settings::seat as world_seat;
use turnwise_shared::benchmarks::paraworld::task::Language;
use turnwise_shared::benchmarks::studio::prompts::variable;
use turnwise_shared::benchmarks::studio::work::{BadEdit, action, check_edit, seat as studio_seat};
use turnwise_shared::misfit;
use turnwise_shared::prompt::{ActionForm, Expect, Role, Written};
use turnwise_shared::run::Question;
use turnwise_shared::scene::{Block, CardTable};
use turnwise_shared::seat::Seat;

use crate::strings::person as words;

/// What a question is answered with.
#[derive(Debug)]
pub enum Desk {
    /// One of a few words.
    Words(Vec<Word>),
    /// The page of a search engine that is made of facts.
    Engine(Box<Sheet>),
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
    /// What is said.
    pub text: String,
}

/// A part of what is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub title: String,
    /// The text.
    pub text: String,
    /// The language in which it is set; `None` = that of the page.
    pub lang: Option<&'static str>,
    /// Whether it is what the answer is about, and stands large.
    pub is_point: bool,
    /// Whether it says what was wrong with the last reply.
    pub is_fault: bool,
    /// Whether it is a JSON object or list, and is set as such.
    pub is_code: bool,
    /// Whether it is a draft of the world studio.
    pub is_draft: bool,
}

/// The part that says what was wrong with the last reply.
const FAULT: &str = "fault";

/// What a question is answered with.
pub fn desk(question: &Question) -> Desk {
    match &question.expect {
        Expect::Choice(choices) => {
            let said = choices.iter().map(|choice| {
                let key = match choice.as_str() {
                    "yes" => "y",
                    "no" => "n",
                    "i don't know" => "d",
                    _ => "",
                };
                (words::choice(choice), key.to_owned(), choice.clone())
            });
            Desk::Words(with_keys(said))
        }
        Expect::Actions(forms) => match verdicts(question, forms) {
            Some(verdicts) => Desk::Words(verdicts),
            None => Desk::Forms(question.expect.clone()),
        },
        Expect::Text if question.seat.as_str() == world_seat::ENGINE => {
            match Sheet::of(|name| question.part(name)) {
                Some(sheet) => Desk::Engine(Box::new(sheet)),
                None => Desk::Forms(Expect::Text),
            }
        }
        expect => Desk::Forms(expect.clone()),
    }
}

/// The one question to whoever judges, in few words; the parts of all others end with the question itself.
pub fn put(question: &Question) -> Option<&'static str> {
    match question.seat.as_str() {
        Seat::GRADER => Some(words::SAME),
        world_seat::JUDGE => Some(words::AGREES),
        _ => None,
    }
}

/// The actions as they are offered: what ends the play stands last, so that it is never chosen unasked.
pub fn offered(mut forms: Vec<ActionForm>) -> Vec<ActionForm> {
    forms.sort_by_key(|form| form.name == ActionName::Answer.name());
    forms
}

/// The verdicts of a judge, whose form has one field for one of two words.
fn verdicts(question: &Question, forms: &[ActionForm]) -> Option<Vec<Word>> {
    let [form] = forms else { return None };
    if question.seat.as_str() != world_seat::JUDGE || form.written != Written::Tag {
        return None;
    }
    let said = ["Correct", "Incorrect"].map(|verdict| {
        let key = verdict[..1].to_lowercase();
        (verdict.to_owned(), key, form.text(&[verdict.to_owned()]))
    });
    Some(with_keys(said))
}

/// Words with a key each: their own, else their number.
fn with_keys(said: impl IntoIterator<Item = (String, String, String)>) -> Vec<Word> {
    (1..)
        .zip(said)
        .map(|(number, (label, key, text)): (u32, _)| Word {
            label,
            key: if key.is_empty() {
                number.to_string()
            } else {
                key
            },
            text,
        })
        .collect()
}

/// An answer in a few words: what its button says, or which action it is; else that something was written.
pub fn said(question: &Question, text: &str) -> String {
    let word = match desk(question) {
        Desk::Words(words) => words.into_iter().find(|word| word.text == text),
        Desk::Forms(Expect::Actions(forms)) => return action_of(&forms, text),
        Desk::Engine(_) | Desk::Forms(_) => None,
    };
    word.map_or_else(|| words::WRITTEN.to_owned(), |word| word.label)
}

/// The name of the action that a text is, where there is more than one to choose from.
fn action_of(forms: &[ActionForm], text: &str) -> String {
    let said = object_in(text);
    let name = said.as_ref().and_then(|said| said.get("action")?.as_str());
    let known = forms.len() > 1 && forms.iter().any(|form| Some(form.name.as_str()) == name);
    name.filter(|_| known).unwrap_or(words::WRITTEN).to_owned()
}

/// Whether the scene of the seat is drawn: a player, or whoever sits in a numbered seat of a game, follows the episode; everybody
/// else is asked one thing at a time.
pub fn draws_scene(question: &Question) -> bool {
    let seat = question.seat.as_str();
    let follows = seat == Seat::PLAYER || seat.parse::<u32>().is_ok();
    follows && !question.scene.blocks.is_empty()
}

/// The table at which a bet is asked for.
pub fn card_table(question: &Question) -> Option<&CardTable> {
    question.scene.blocks.iter().find_map(|block| match block {
        Block::CardTable(table) => Some(table),
        _ => None,
    })
}

/// With what the controls of a question begin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Begins {
    /// The action that is chosen; `None` for the first.
    pub action: Option<String>,
    /// What stands in fields, by the parameter's name.
    pub fields: BTreeMap<&'static str, String>,
    /// The draft that is to be changed, as it stands.
    pub draft: Option<String>,
}

/// Whoever changes a draft begins with the draft, and after a fault with what they had written.
pub fn begins(question: &Question) -> Begins {
    if question.seat.as_str() != studio_seat::EDITOR {
        return Begins::default();
    }
    let mine = question.messages.iter().rev();
    let mine = mine
        .filter(|message| message.role == Role::Assistant)
        .find_map(|message| edited(&message.text));
    let draft = question.part(variable::DRAFT).map(str::to_owned);
    let of = |action, text| Begins {
        action,
        fields: BTreeMap::from([(action::JSON, text)]),
        draft: draft.clone(),
    };
    match (mine, &draft) {
        (Some(text), _) => of(Some(action::EDIT.to_owned()), text),
        (None, Some(draft)) => of(None, draft.clone()),
        (None, None) => Begins::default(),
    }
}

/// What is wrong with a change to a draft, before it is sent; the benchmark reads it with the same eyes.
pub fn unfit(draft: &str, written: &str) -> Option<String> {
    match check_edit(draft, written).err()? {
        BadEdit::NotJson(why) => Some(words::not_json(&why)),
        BadEdit::NoMembers => Some(words::NO_MEMBERS.to_owned()),
        BadEdit::Unknown { name, known } => Some(words::no_such_member(&name, known)),
        BadEdit::Misfit(why) => Some(words::misfit(&misfit::plain(&why))),
    }
}

/// The object of a reply that has one, fenced or bare.
fn object_in(reply: &str) -> Option<Value> {
    let object = reply.get(reply.find('{')?..=reply.rfind('}')?)?;
    serde_json::from_str(object).ok()
}

/// What somebody wrote as the changed draft, if that is what a reply says.
fn edited(reply: &str) -> Option<String> {
    let said = object_in(reply)?;
    let is_edit = said["action"].as_str() == Some(action::EDIT);
    let text = said["params"][action::JSON].as_str();
    text.filter(|_| is_edit).map(str::to_owned)
}

/// What is shown above the controls. What the scene of a player shows already is left out, and facts that the controls list.
pub fn parts(question: &Question) -> Vec<Part> {
    let (in_scene, lists_facts) = (
        draws_scene(question),
        matches!(desk(question), Desk::Engine(_)),
    );
    let is_shown = |name: &str| match name {
        FAULT => true,
        "facts" => !in_scene && !lists_facts,
        _ => !in_scene,
    };
    let all: Vec<_> = question
        .parts
        .iter()
        .filter(|(name, text)| is_shown(name) && !text.trim().is_empty())
        .collect();
    let point = ["query", "predicted_answer", "prediction", "question"]
        .into_iter()
        .find(|name| all.iter().any(|(part, _)| part == name));
    all.into_iter()
        .map(|(name, text)| Part {
            title: words::part(name).map_or_else(|| name.replace('_', " "), str::to_owned),
            text: match name.as_str() {
                FAULT => misfit::plain(text),
                _ => text.clone(),
            },
            lang: (Language::of(text) == Language::Zh).then_some(Language::Zh.code()),
            is_point: point == Some(name.as_str()),
            is_fault: name == FAULT,
            is_code: is_code(text),
            is_draft: name == variable::DRAFT,
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
