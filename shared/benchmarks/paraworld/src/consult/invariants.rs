//! The invariants of content, I6 to I10 (specification 4.6): what a page may tell, whatever the engine wrote. Where the
//! specification says "best effort", the words are compared as `tokens` reads them; sense is not.

use std::collections::BTreeSet;

use super::super::engine::SearchResult;
use super::super::reading::engine::{Checked, Rule, Sign, Violation};
use super::super::task::World;
use super::super::tokens::{Token, Tokens, is_han, plain, within};
use super::values::{Anchors, Value, stemmed};

/// The most characters of a title and of a text. What is longer is no search result but a way to push everything else out of
/// the player's window.
const LONGEST: (usize, usize) = (300, 6_000);
/// The least length of a text for a compound query: 50 tokens, taken as this many words or this many Chinese characters.
const SHORTEST: (usize, usize) = (25, 60);
/// What belongs to the dialogue and not into a page: it could end the observation early and speak in another speaker's name.
const DIALOGUE: [&str; 7] =
    ["<|", "|>", "tool_call>", "tool_response>", "answer>", "think>", "<function"];

/// What the pages of one world are held to.
pub(super) struct Rules {
    facts: Vec<Held>,
    /// The reference answer, the quantities in it, and the long answer.
    answers: Vec<Value>,
    /// All entities of the world: a short number of the answer counts as revealed beside one of them.
    anchors: Anchors,
    question: Vec<Tokens>,
    /// From when to when dates may lie, by years; only where the question names a time from 2026 on.
    years: Option<(u32, u32)>,
}

/// A fact as pages are held to it.
struct Held {
    key: String,
    key_tokens: Tokens,
    value: Value,
    anchors: Anchors,
    /// Whether the question or a key holds the value, so that it is no secret.
    known: bool,
}

/// A page as it is read.
struct Read {
    /// Title and text, each in sentences of its own. The numbers of a date say nothing, because nothing stands beside them.
    whole: Tokens,
    content: Tokens,
}

impl Rules {
    pub fn new(world: &World) -> Self {
        let question: BTreeSet<&str> = [world.question(), world.engine_question()].into();
        let question: Vec<Tokens> = question.into_iter().map(stemmed).collect();
        let keys: Vec<Tokens> = world.facts.iter().map(|fact| stemmed(&fact.key)).collect();
        let known = |value: &Value| {
            let mut texts = question.iter().chain(&keys);
            texts.any(|text| value.stands_in(text))
        };
        let facts: Vec<Held> = world
            .facts
            .iter()
            .zip(&keys)
            .map(|(fact, key_tokens)| {
                let value = Value::of(&fact.value);
                Held {
                    key: fact.key.clone(),
                    key_tokens: key_tokens.clone(),
                    anchors: Anchors::of_fact(world, &fact.key),
                    known: known(&value),
                    value,
                }
            })
            .collect();
        let long = world.final_answer.as_deref().map(Value::of);
        let answer = Value::of(&world.answer);
        let answers: Vec<Value> = answer
            .quantities()
            .into_iter()
            .chain([answer])
            .chain(long)
            .filter(|value| !known(value))
            .collect();
        Rules {
            answers,
            anchors: Anchors::all(facts.iter().map(|fact| &fact.anchors)),
            years: years(&question),
            question,
            facts,
        }
    }

    /// The rules that a page breaks which was written for a query.
    pub fn broken_by(&self, query: &str, checked: &Checked) -> Vec<Violation> {
        let mut broken = self.form(&checked.pages);
        if !broken.is_empty() {
            // Pages that break the form may be of any length, so their content is not checked.
            return broken;
        }
        let query = stemmed(query);
        let pages: Vec<Read> = checked.pages.iter().map(Read::of).collect();
        let hit = match &checked.sign {
            Sign::Hit { key } => self.facts.iter().find(|fact| fact.key == *key),
            Sign::Miss | Sign::Compound => None,
        };
        if let Some(fact) = hit {
            if !pages.iter().any(|page| fact.is_told_by(&page.content)) {
                broken.push(violation(
                    Rule::I6,
                    "no content holds the value of the matched fact, word for word",
                ));
            }
            for (page, number) in pages.iter().zip(1..) {
                if self.gives_another_number(fact, page, &query) {
                    let how = format!("result {number} gives another figure for the matched fact");
                    broken.push(violation(Rule::I9, how));
                }
            }
        }
        let rule = match hit {
            Some(_) => Rule::I8,
            None => Rule::I7,
        };
        for (page, number) in pages.iter().zip(1..) {
            for what in self.leaks(hit, &page.whole, &query) {
                broken.push(violation(rule, format!("result {number} tells {what}")));
            }
        }
        if checked.sign == Sign::Compound {
            for (page, number) in checked.pages.iter().zip(1..) {
                if !is_long(&page.content) {
                    let how = format!("the content of result {number} has fewer than 50 words");
                    broken.push(violation(Rule::I10, how));
                }
            }
        }
        broken
    }

    /// I2 beyond what can be seen without the world.
    fn form(&self, pages: &[SearchResult]) -> Vec<Violation> {
        let mut broken = Vec::new();
        let mut wrong = |how: String| broken.push(violation(Rule::I2, how));
        for (page, number) in pages.iter().zip(1..) {
            let too_long = |text: &str, most: usize| text.chars().nth(most).is_some();
            if too_long(&page.title, LONGEST.0) || too_long(&page.content, LONGEST.1) {
                wrong(format!("result {number} is too long"));
                continue;
            }
            let year = page.date.get(..4).and_then(|year| year.parse().ok());
            if let (Some((from, to)), Some(year)) = (self.years, year)
                && !(from..=to).contains(&year)
            {
                wrong(format!("the date of result {number} does not lie from {from} to {to}"));
            }
            let text =
                |text: &str| -> String { plain(text).filter(|c| !c.is_whitespace()).collect() };
            let (title, content) = (text(&page.title), text(&page.content));
            if DIALOGUE.iter().any(|mark| title.contains(mark) || content.contains(mark)) {
                wrong(format!("result {number} holds tags of the dialogue"));
            }
        }
        broken
    }

    /// What a page gives away beside the value that it may tell.
    fn leaks(&self, hit: Option<&Held>, page: &Tokens, query: &Tokens) -> Vec<String> {
        let free = |value: &Value| {
            let told = hit.is_some_and(|fact| fact.value.includes(value));
            told || value.stands_in(query)
        };
        let mut told = Vec::new();
        for (fact, number) in self.facts.iter().zip(1_u32..) {
            let own = hit.is_some_and(|hit| hit.key == fact.key);
            if !own && !fact.known && !free(&fact.value) && fact.leaks(page) {
                told.push(format!("the value of fact {number}"));
            }
        }
        let may_be_told = |part: &[Token]| {
            let keys = self.facts.iter().map(|fact| &fact.key_tokens);
            let mut texts = self.question.iter().chain([query]).chain(keys);
            hit.is_some_and(|fact| fact.value.holds(part)) || texts.any(|text| text.holds(part))
        };
        let mut answers = self.answers.iter().filter(|answer| !free(answer));
        if answers.any(|answer| answer.leaks_beyond(page, &self.anchors, may_be_told)) {
            told.push("the answer or a part of it".to_owned());
        }
        told
    }

    /// I9: in one sentence an entity of the fact and a number with the unit of its value, which is another number and stands
    /// neither in the key nor in what was asked.
    fn gives_another_number(&self, fact: &Held, page: &Read, query: &Tokens) -> bool {
        let Some(quantity) = fact.value.quantity().filter(|quantity| quantity.has_unit()) else {
            return false;
        };
        let known = |written: &[Token]| {
            let texts = [query, &fact.key_tokens].into_iter().chain(&self.question);
            texts.into_iter().any(|text| text.holds(written))
        };
        page.whole.sentences().filter(|sentence| fact.anchors.stand_in(sentence)).any(|sentence| {
            let others = quantity.others(sentence);
            others.into_iter().any(|written| !known(written))
        })
    }
}

impl Held {
    fn is_told_by(&self, content: &Tokens) -> bool {
        match &self.value {
            Value::YesNo(side) => content
                .sentences()
                .any(|sentence| self.anchors.stand_in(sentence) && side.is_in(sentence)),
            value => value.stands_in(content),
        }
    }

    fn leaks(&self, page: &Tokens) -> bool {
        match &self.value {
            // Every second text holds a yes or a no: only beside the whole key it tells something.
            Value::YesNo(side) => page
                .sentences()
                .any(|sentence| within(sentence, &self.key_tokens.items) && side.is_in(sentence)),
            value => value.leaks(page, &self.anchors),
        }
    }
}

impl Read {
    fn of(page: &SearchResult) -> Self {
        let SearchResult { title, content, .. } = page;
        Read { whole: stemmed(&format!("{title}\n{content}")), content: stemmed(content) }
    }
}

/// The years from 2026 on that a question names, and two more at either end.
fn years(question: &[Tokens]) -> Option<(u32, u32)> {
    let named: BTreeSet<u32> = question
        .iter()
        .flat_map(|text| &text.items)
        .filter_map(|token| match token {
            Token::Number(number) => number.parse().ok(),
            _ => None,
        })
        .filter(|year| (2026..2200).contains(year))
        .collect();
    Some((named.first()?.saturating_sub(2), named.last()? + 2))
}

fn is_long(content: &str) -> bool {
    // What is written without blanks between words, with its punctuation.
    let unspaced =
        |c: char| is_han(c) || matches!(c, '\u{3000}'..='\u{30ff}' | '\u{ff00}'..='\u{ffef}');
    let han = content.chars().filter(|c| unspaced(*c)).count();
    let words = content.split_whitespace().count();
    words >= SHORTEST.0 || han >= SHORTEST.1
}

fn violation(rule: Rule, how: impl Into<String>) -> Violation {
    Violation { rule, how: how.into() }
}

/// A query as it is compared with others (I11; `norm` of specification 4.6): width, case, group commas, quotes and the amount of
/// white space do not matter.
pub fn normalised(query: &str) -> String {
    let letters: Vec<char> = plain(query).collect();
    let digit = |place: Option<usize>| {
        let letter = place.and_then(|place| letters.get(place));
        letter.is_some_and(char::is_ascii_digit)
    };
    let kept = letters.iter().enumerate().filter(|(place, letter)| match letter {
        ',' => !(digit(place.checked_sub(1)) && digit(Some(place + 1))),
        '"' | '\'' | '“' | '”' | '「' | '」' | '『' | '』' | '«' | '»' => false,
        _ => true,
    });
    let kept: String = kept.map(|(_, letter)| *letter).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}
