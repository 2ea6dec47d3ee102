//! Reading what a player and a judge say (specification 1.b). `strict` has rules of its own; `reference` repeats those of the
//! authors' program, faults included.

use std::fmt;

use serde::{Deserialize, Serialize};
use turnwise_shared::{parse, python};

/// What a player submits to the judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A question about the hidden story.
    Question,
    /// The hidden story as the player tells it.
    Final,
}

impl Kind {
    /// Its name in notes, prompts and files.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Question => "question",
            Kind::Final => "final",
        }
    }

    /// What a judge may answer, in the order in which `reference` looks for it; the last is its fallback.
    pub fn vocabulary(self) -> &'static [Token] {
        match self {
            Kind::Question => &[Token::Yes, Token::No, Token::Both, Token::Irrelevant],
            Kind::Final => &[Token::Correct, Token::Incorrect],
        }
    }
}

/// A judge's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Token {
    /// The hidden story says so.
    Yes,
    /// The hidden story says otherwise.
    No,
    /// Parts of the question differ in truth.
    Both,
    /// The hidden story does not depend on it.
    Irrelevant,
    /// The final answer tells the hidden story.
    Correct,
    /// It does not.
    Incorrect,
}

impl Token {
    /// The word on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Token::Yes => "YES",
            Token::No => "NO",
            Token::Both => "BOTH",
            Token::Irrelevant => "IRRELEVANT",
            Token::Correct => "CORRECT",
            Token::Incorrect => "INCORRECT",
        }
    }

    /// The token of exactly this word.
    pub fn named(name: &str) -> Option<Token> {
        let all = Kind::Question
            .vocabulary()
            .iter()
            .chain(Kind::Final.vocabulary());
        all.copied().find(|token| token.name() == name)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A readable message of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// What it submits.
    pub kind: Kind,
    /// The text that the judge sees.
    pub content: String,
}

/// Why a player's message is not a move (`strict`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FormatError {
    /// Nothing but white space or reasoning.
    NoText,
    /// No line begins with a tag.
    NoTag,
    /// Nothing follows the tag.
    Empty,
    /// More than one question.
    TwoQuestions,
    /// A question and a final answer.
    Both,
    /// A question where only a final answer is due.
    NotFinal,
    /// More text than a judge is asked to read.
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

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::NoText => f.write_str("the message has no text outside its reasoning"),
            FormatError::NoTag => f.write_str("no line begins with Q: or FINAL:"),
            FormatError::Empty => f.write_str("nothing follows the tag"),
            FormatError::TwoQuestions => f.write_str("more than one line begins with Q:"),
            FormatError::Both => f.write_str("the message has both Q: and FINAL:"),
            FormatError::NotFinal => f.write_str("only a FINAL: line is accepted here"),
            FormatError::TooLong => write!(
                f,
                "a question has at most {QUESTION_LIMIT} characters, a final answer {FINAL_LIMIT}"
            ),
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
    /// The move, or why there is none.
    pub result: Result<Move, FormatError>,
    /// What was removed around the move, each in a few words.
    pub repairs: Vec<String>,
    /// Whether a line of the message is an answer that only the judge may give.
    pub answers_for_judge: bool,
}

/// Reads a message strictly: reasoning blocks are dropped; exactly one `Q:` line is a question, and without one everything
/// from the first `FINAL:` on is a final answer.
pub fn strict(text: &str) -> Reading {
    let said = parse::said(text);
    let mut repairs = Vec::new();
    if said.trim() != text.trim() {
        repairs.push("reasoning removed".to_owned());
    }
    let (mut questions, mut finals) = (Vec::new(), Vec::new());
    let mut answers_for_judge = false;
    let mut at = 0;
    for line in said.split_inclusive(['\n', '\r']) {
        match tagged(line) {
            Some((Kind::Question, content)) => questions.push((line.trim(), content.trim())),
            Some((Kind::Final, content)) => {
                let start = at + line.len() - content.len();
                finals.push((line.trim(), said[start..].trim()));
            }
            None => answers_for_judge |= is_judges_part(line),
        }
        at += line.len();
    }
    let found = match (questions.as_slice(), finals.first()) {
        _ if said.trim().is_empty() => Err(FormatError::NoText),
        ([], None) => Err(FormatError::NoTag),
        ([question], None) => Ok((Kind::Question, *question, QUESTION_LIMIT)),
        ([], Some(answer)) => Ok((Kind::Final, *answer, FINAL_LIMIT)),
        ([_, ..], Some(_)) => Err(FormatError::Both),
        ([_, _, ..], None) => Err(FormatError::TwoQuestions),
    };
    let result = found.and_then(|(kind, (line, raw), limit)| {
        let content = raw.trim_matches(is_emphasis);
        if content.is_empty() {
            return Err(FormatError::Empty);
        }
        if content.chars().nth(limit).is_some() {
            return Err(FormatError::TooLong);
        }
        if content != raw || line.starts_with(is_markup) {
            repairs.push("Markdown removed".to_owned());
        }
        Ok(Move {
            kind,
            content: content.to_owned(),
        })
    });
    Reading {
        result,
        repairs,
        answers_for_judge,
    }
}

fn is_markup(character: char) -> bool {
    matches!(character, '*' | '_' | '#' | '>' | '-' | '`') || character.is_whitespace()
}

fn is_emphasis(character: char) -> bool {
    matches!(character, '*' | '_' | '`') || character.is_whitespace()
}

/// The kind that a line is tagged with, and the text behind the colon.
fn tagged(line: &str) -> Option<(Kind, &str)> {
    const TAGS: [(&str, Kind); 3] = [
        ("QUESTION", Kind::Question),
        ("Q", Kind::Question),
        ("FINAL", Kind::Final),
    ];
    let bare = line.trim_start_matches(is_markup);
    TAGS.into_iter().find_map(|(tag, kind)| {
        let (start, rest) = bare.split_at_checked(tag.len())?;
        let rest = start
            .eq_ignore_ascii_case(tag)
            .then(|| rest.trim_start_matches(is_markup))?;
        Some((kind, rest.strip_prefix([':', '：'])?))
    })
}

/// Whether a line is nothing but a judge's token, perhaps behind the name of a speaker.
fn is_judges_part(line: &str) -> bool {
    const SPEAKERS: [&str; 5] = ["JUDGE", "ANSWER", "A", "裁判", "主持人"];
    let mut words = line
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_uppercase);
    let first = words
        .next()
        .filter(|word| !SPEAKERS.contains(&word.as_str()));
    let token = first.or_else(|| words.next());
    token.is_some_and(|word| Token::named(&word).is_some()) && words.next().is_none()
}

/// Reads a judge's reply strictly: one token of the vocabulary, alone or first with none of the others behind it. `None` if it
/// cannot be read.
pub fn strict_token(text: &str, kind: Kind) -> Option<Token> {
    let said = parse::said(text).to_uppercase();
    let mut words = said
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let first = words.next()?;
    let of = |word: &str| {
        kind.vocabulary()
            .iter()
            .copied()
            .find(|one| one.name() == word)
    };
    let token = of(first)?;
    words
        .all(|word| of(word).is_none_or(|other| other == token))
        .then_some(token)
}

/// Reads a message as the authors' program does: the first line decides, and everything is a question or a final answer.
pub fn reference(text: &str) -> Move {
    let question = |content: &str| Move {
        kind: Kind::Question,
        content: content.to_owned(),
    };
    if text.is_empty() {
        return question("?");
    }
    // After stripping, the first line is the first that is not blank.
    let rest = python::strip(python::first_line(python::strip(text)).unwrap_or_default());
    let behind = |letters: usize| {
        let content = match rest.split_once(':') {
            Some((_, content)) => content,
            None => rest
                .char_indices()
                .nth(letters)
                .map_or("", |(at, _)| &rest[at..]),
        };
        python::strip(content)
    };
    let upper = rest.to_uppercase();
    if upper.starts_with("FINAL") {
        Move {
            kind: Kind::Final,
            content: behind(5).to_owned(),
        }
    } else if upper.starts_with('Q') {
        match behind(1) {
            "" => question("?"),
            content => question(content),
        }
    } else {
        question(rest)
    }
}

/// Reads the forced final as the authors' program does: whatever is not tagged as final is the answer as a whole.
pub fn reference_final(text: &str) -> String {
    match reference(text) {
        Move {
            kind: Kind::Final,
            content,
        } => content,
        _ => python::strip(text).to_owned(),
    }
}

/// Reads a judge's reply as the authors' program does: the first token of the vocabulary that is a word of it, punctuation not
/// removed; without one the last of the vocabulary.
pub fn reference_token(text: &str, kind: Kind) -> Token {
    let upper = text.to_uppercase();
    let words: Vec<&str> = upper
        .split(python::is_space)
        .filter(|word| !word.is_empty())
        .collect();
    let found = kind
        .vocabulary()
        .iter()
        .find(|token| words.contains(&token.name()));
    match (found, kind) {
        (Some(token), _) => *token,
        (None, Kind::Question) => Token::Irrelevant,
        (None, Kind::Final) => Token::Incorrect,
    }
}
