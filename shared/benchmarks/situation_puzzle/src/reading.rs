//! Reading what a player and a judge say (specification 1.b). `strict` has rules of its own; `reference` repeats those of the
//! authors' program, faults included.

use serde::{Deserialize, Serialize};
use turnwise_core::parse::verdict::{self, NO, Word, YES};
use turnwise_core::prelude::*;
use turnwise_core::{parse, python};

use crate::settings::JUDGE;

/// What a player submits to the judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Question,
    /// The hidden story as the player tells it.
    Final,
    /// The same after the last turn.
    ForcedFinal,
}

impl Kind {
    /// A question or a final answer, forced or not.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Question => "question",
            Kind::Final | Kind::ForcedFinal => "final",
        }
    }

    /// What a judge may answer, in the order in which `reference` looks for it.
    pub fn vocabulary(self) -> &'static [Token] {
        match self {
            Kind::Question => &[Token::Yes, Token::No, Token::Both, Token::Irrelevant],
            Kind::Final | Kind::ForcedFinal => &[Token::Correct, Token::Incorrect],
        }
    }
}

choices! {
    pub enum Token {
        Yes = "YES",
        No = "NO",
        /// Parts of the question differ in truth.
        Both = "BOTH",
        /// The hidden story does not depend on it.
        Irrelevant = "IRRELEVANT",
        Correct = "CORRECT",
        Incorrect = "INCORRECT",
    }
}

/// Why a player's message is not a move (`strict`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    #[error("the message has no text outside its reasoning")]
    NoText,
    #[error("no line begins with Q: or FINAL:")]
    NoTag,
    #[error("nothing follows the tag")]
    Empty,
    #[error("more than one line begins with Q:")]
    TwoQuestions,
    #[error("the message has both Q: and FINAL:")]
    Both,
    #[error("only a FINAL: line is accepted here")]
    NotFinal,
    #[error("a question has at most {QUESTION_LIMIT} characters, a final answer {FINAL_LIMIT}")]
    TooLong,
}

impl FormatError {
    /// The fault class in notes; rates are published by class.
    pub fn class(self) -> &'static str {
        match self {
            FormatError::NoText => "no_text",
            FormatError::NoTag => "no_tag",
            FormatError::Empty => "empty",
            FormatError::TwoQuestions => "two_questions",
            FormatError::Both => "both",
            FormatError::NotFinal => "not_final",
            FormatError::TooLong => "too_long",
        }
    }
}

/// The most characters of a question (`strict`).
pub const QUESTION_LIMIT: usize = 2_000;
/// The most characters of a final answer (`strict`).
pub const FINAL_LIMIT: usize = 10_000;

/// How a player's message was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// What is submitted, and the text that the judge sees.
    pub result: Result<(Kind, String), FormatError>,
    /// What was removed around it, each in a few words.
    pub repairs: Vec<String>,
    /// Whether a line of the message is an answer that only the judge may give.
    pub answers_for_judge: bool,
}

/// Reads a message strictly: reasoning blocks are dropped; exactly one `Q:` line is a question, and without one everything
/// from the first `FINAL:` on is a final answer.
pub fn strict(text: &str) -> Reading {
    let said = parse::said(text);
    let (mut questions, mut finals) = (Vec::new(), Vec::new());
    let (mut at, mut answers_for_judge) = (0, false);
    for line in said.split_inclusive(['\n', '\r']) {
        at += line.len();
        match tagged(line) {
            Some((Kind::Question, content)) => questions.push((line, content)),
            Some((_, content)) => finals.push((line, &said[at - content.len()..])),
            None => answers_for_judge |= is_judges_part(line),
        }
    }
    let found = match (questions.as_slice(), finals.first()) {
        _ if said.trim().is_empty() => Err(FormatError::NoText),
        ([], None) => Err(FormatError::NoTag),
        ([question], None) => Ok((Kind::Question, *question, QUESTION_LIMIT)),
        ([], Some(answer)) => Ok((Kind::Final, *answer, FINAL_LIMIT)),
        ([_, ..], Some(_)) => Err(FormatError::Both),
        ([_, _, ..], None) => Err(FormatError::TwoQuestions),
    };
    let mut repairs = Vec::new();
    if said.trim() != text.trim() {
        repairs.push("reasoning removed".to_owned());
    }
    let result = found.and_then(|(kind, (line, raw), limit)| {
        let content = raw.trim_matches(is_emphasis);
        if content.is_empty() {
            return Err(FormatError::Empty);
        }
        if content.chars().nth(limit).is_some() {
            return Err(FormatError::TooLong);
        }
        if content != raw.trim() || line.trim().starts_with(is_markup) {
            repairs.push("Markdown removed".to_owned());
        }
        Ok((kind, content.to_owned()))
    });
    Reading { result, repairs, answers_for_judge }
}

fn is_markup(character: char) -> bool {
    matches!(character, '#' | '>' | '-') || is_emphasis(character)
}

fn is_emphasis(character: char) -> bool {
    matches!(character, '*' | '_' | '`') || character.is_whitespace()
}

/// The kind that a line is tagged with, and the text behind the colon.
fn tagged(line: &str) -> Option<(Kind, &str)> {
    const TAGS: [(&str, Kind); 3] =
        [("QUESTION", Kind::Question), ("Q", Kind::Question), ("FINAL", Kind::Final)];
    let bare = line.trim_start_matches(is_markup);
    TAGS.into_iter().find_map(|(tag, kind)| {
        let (start, rest) = bare.split_at_checked(tag.len())?;
        let rest = rest.trim_start_matches(is_markup);
        let is_tag = start.eq_ignore_ascii_case(tag);
        Some((kind, rest.strip_prefix([':', '：']).filter(|_| is_tag)?))
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Whether a line is nothing but a judge's token, perhaps behind the name of a speaker.
fn is_judges_part(line: &str) -> bool {
    const SPEAKERS: [&str; 5] = ["JUDGE", "ANSWER", "A", "裁判", "主持人"];
    let upper: Vec<String> = words(line).take(3).map(str::to_uppercase).collect();
    match upper.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [token] => Token::named(token).is_some(),
        [speaker, token] => SPEAKERS.contains(speaker) && Token::named(token).is_some(),
        _ => false,
    }
}

/// Reads a judge's reply: one token of the vocabulary. `None` if it cannot be read (`strict`).
pub fn token(text: &str, kind: Kind, profile: Profile) -> Option<Token> {
    const QUESTION: [Word<Token>; 4] = [
        Word::of(Token::Yes, YES),
        Word::of(Token::No, NO),
        Word::of(Token::Both, &["both"]),
        Word::of(Token::Irrelevant, &["irrelevant"]),
    ];
    const FINAL: [Word<Token>; 2] =
        [Word::of(Token::Correct, &["correct"]), Word::of(Token::Incorrect, &["incorrect"])];
    match (profile, kind) {
        (Profile::Reference, _) => Some(reference_token(text, kind)),
        (Profile::Strict, Kind::Question) => verdict::read(text, &QUESTION),
        (Profile::Strict, Kind::Final | Kind::ForcedFinal) => verdict::read(text, &FINAL),
    }
}

/// What the judge says to a request, whose form has the words that it may say.
pub fn verdict(profile: Profile, ask: &Ask, reply: &str) -> Option<String> {
    let kinds = [Kind::Question, Kind::Final].into_iter();
    let mut asked = kinds.filter(|kind| ask.expect == Expect::choice(kind.vocabulary()));
    let kind = asked.next().filter(|_| ask.seat.as_str() == JUDGE)?;
    token(reply, kind, profile).map(|token| token.name().to_owned())
}

/// Reads a message as the authors' program does: the first line decides, and everything is a question or a final answer.
pub fn reference(text: &str) -> (Kind, String) {
    // After stripping, the first line is the first that is not blank.
    let line = python::first_line(python::strip(text)).unwrap_or_default();
    let line = python::strip(line);
    let behind = |letters: usize| {
        let rest = line.char_indices().nth(letters).map_or("", |(at, _)| &line[at..]);
        python::strip(line.split_once(':').map_or(rest, |(_, content)| content))
    };
    let upper = line.to_uppercase();
    if upper.starts_with("FINAL") {
        return (Kind::Final, behind(5).to_owned());
    }
    let is_tagged = upper.starts_with('Q');
    let content = if is_tagged { behind(1) } else { line };
    let is_nothing = content.is_empty() && (is_tagged || text.is_empty());
    (Kind::Question, if is_nothing { "?" } else { content }.to_owned())
}

/// Reads the forced final as the authors' program does: whatever is not tagged as final is the answer as a whole.
pub fn reference_final(text: &str) -> String {
    match reference(text) {
        (Kind::Final, content) => content,
        _ => python::strip(text).to_owned(),
    }
}

/// Reads a judge's reply as the authors' program does: the first token of the vocabulary that is a word of it, punctuation not
/// removed; without one IRRELEVANT or INCORRECT.
fn reference_token(text: &str, kind: Kind) -> Token {
    let upper = text.to_uppercase();
    let words: Vec<&str> = upper.split(python::is_space).collect();
    let mut vocabulary = kind.vocabulary().iter();
    let found = vocabulary.find(|token| words.contains(&token.name()));
    found.copied().unwrap_or(match kind {
        Kind::Question => Token::Irrelevant,
        Kind::Final | Kind::ForcedFinal => Token::Incorrect,
    })
}
