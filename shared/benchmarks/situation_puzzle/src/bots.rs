//! Built-in players: rules without keys or network. They read the variables of their request and nothing else, except
//! `follows-bank`, which knows the puzzles that come with the product.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use turnwise_core::prelude::*;

use crate::prompts::variable;
use crate::reading::{Kind, Token};
use crate::settings::JUDGE;
use crate::tasks::{self, Entry, field, is_han};

pub const BOTS: &[BotInfo] = &[
    BotInfo::new(
        "asks-by-rule",
        Seat::PLAYER,
        "asks a fixed list of questions and about the words of the story, then submits what was confirmed",
        asks_by_rule,
    ),
    BotInfo::new(
        "answer-only",
        Seat::PLAYER,
        "asks nothing and submits that nothing strange happened: the floor of the scale",
        answer_only,
    ),
    BotInfo::new(
        "follows-bank",
        Seat::PLAYER,
        "knows the sample puzzles: asks their banks' questions, then submits the right answer; elsewhere it is asks-by-rule",
        follows_bank,
    ),
    BotInfo::new(
        "bank",
        JUDGE,
        "answers as the most similar entry of the puzzle's bank; without one it compares words with the hidden story",
        |asked| judge(asked).name().to_owned(),
    ),
];

/// The most characters of the story that a bot repeats.
const REPEATED: usize = 1_000;

const QUESTIONS: [&str; 12] = [
    "Did somebody die?",
    "Is more than one person important to the story?",
    "Was it an accident?",
    "Did somebody mean to do harm?",
    "Did somebody lie or pretend?",
    "Is an animal important?",
    "Does it matter where it happened?",
    "Does it matter when it happened?",
    "Is money important?",
    "Is somebody's job important?",
    "Was something mistaken for something else?",
    "Could somebody not see, hear or remember something?",
];

const QUESTIONS_ZH: [&str; 12] = [
    "有人死了吗？",
    "故事里重要的人不止一个吗？",
    "这是意外吗？",
    "有人想伤害别人吗？",
    "有人说谎或者假装吗？",
    "动物重要吗？",
    "发生的地点重要吗？",
    "发生的时间重要吗？",
    "钱重要吗？",
    "某人的职业重要吗？",
    "有东西被当成了别的东西吗？",
    "有人看不见、听不见或者忘了什么吗？",
];

/// The fixed strategy: the list, then the story's words.
fn questions(setup: &str) -> Vec<String> {
    let is_zh = setup.contains(is_han);
    let list = if is_zh { QUESTIONS_ZH } else { QUESTIONS };
    let words = setup.split(|character: char| !character.is_alphanumeric());
    let mut seen = BTreeSet::new();
    let words = words.filter(|word| !features(word).is_empty() && seen.insert(word.to_lowercase()));
    let about = words.map(|word| match is_zh {
        true => format!("“{word}”是关键吗？"),
        false => format!("Is “{word}” the key to the story?"),
    });
    list.iter().map(|question| (*question).to_owned()).chain(about).collect()
}

fn asks_by_rule(asked: &Asked<'_>) -> String {
    let setup = asked.variable(variable::SETUP);
    let questions = questions(setup);
    match next(asked, questions.len()) {
        Some(turn) => format!("Q: {}", questions[turn]),
        None => {
            let tokens = asked.variable(variable::TOKENS).lines();
            let confirmed =
                questions.iter().zip(tokens).filter(|(_, token)| *token == Token::Yes.name());
            let confirmed: String = confirmed.map(|(question, _)| format!(" {question}")).collect();
            format!("FINAL: {} {confirmed}", start_of(setup))
        }
    }
}

/// Which of `count` questions is asked next; `None` if a final answer is due, in the last turn at the latest.
fn next(asked: &Asked<'_>, count: usize) -> Option<usize> {
    let number = |name: &str| asked.variable(name).parse::<usize>().unwrap_or(0);
    let (turn, rounds) = (number(variable::TURN), number(variable::ROUNDS));
    let is_due = asked.variable(variable::DUE) == "final" || turn >= rounds;
    (!is_due && (1..=count).contains(&turn)).then(|| turn - 1)
}

fn answer_only(asked: &Asked<'_>) -> String {
    format!("FINAL: Nothing strange happened. {}", start_of(asked.variable(variable::SETUP)))
}

fn start_of(setup: &str) -> String {
    let line = setup.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(REPEATED).collect()
}

fn follows_bank(asked: &Asked<'_>) -> String {
    static SAMPLES: LazyLock<TaskSet> = LazyLock::new(|| crate::SituationPuzzle.samples());
    let setup = asked.variable(variable::SETUP);
    let mut samples = SAMPLES.tasks.iter();
    let known = samples.find(|task| task.field(field::SETUP) == Some(setup));
    let bank = known.map(tasks::bank).unwrap_or_default();
    let questions: Vec<&Entry> = bank.iter().filter(|entry| entry.kind == Kind::Question).collect();
    let answer = bank.iter().find(|entry| entry.token == Token::Correct);
    match (answer, next(asked, questions.len())) {
        (None, _) => asks_by_rule(asked),
        (Some(_), Some(turn)) => format!("Q: {}", questions[turn].text),
        (Some(answer), None) => format!("FINAL: {}", answer.text),
    }
}

/// How similar an entry of the bank must be to decide, 0 to 1.
const SIMILAR: f64 = 0.5;
/// What part of the hidden story's words a final answer without a similar entry must have.
const COVERED: f64 = 0.6;

fn judge(asked: &Asked<'_>) -> Token {
    let kind = match asked.variable(variable::KIND) {
        "final" => Kind::Final,
        _ => Kind::Question,
    };
    let text = asked.variable(variable::TEXT);
    let bank = tasks::read_bank(asked.variable(field::BANK));
    let given = features(text);
    let entries = bank
        .iter()
        .filter(|entry| entry.kind == kind)
        .map(|entry| (similarity(&given, text, &entry.text), entry.token));
    // Of equally similar entries the first decides.
    let best = entries.fold(None, |best: Option<(f64, Token)>, entry| match best {
        Some((similarity, _)) if similarity >= entry.0 => best,
        _ => Some(entry),
    });
    match best {
        Some((similarity, token)) if similarity >= SIMILAR => token,
        _ => by_words(kind, &given, asked),
    }
}

fn by_words(kind: Kind, given: &BTreeSet<String>, asked: &Asked<'_>) -> Token {
    let setup = features(asked.variable(variable::SETUP));
    let solution = features(asked.variable(field::SOLUTION));
    let of = |part: &BTreeSet<String>, whole: &BTreeSet<String>| {
        let shared = part.intersection(whole).count();
        !part.is_empty() && shared as f64 >= COVERED * part.len() as f64
    };
    let hidden: BTreeSet<String> = solution.difference(&setup).cloned().collect();
    let fresh: BTreeSet<String> = given.difference(&setup).cloned().collect();
    match kind {
        Kind::Question if of(&fresh, &solution) => Token::Yes,
        Kind::Question => Token::Irrelevant,
        _ if of(&hidden, given) => Token::Correct,
        _ => Token::Incorrect,
    }
}

/// Dice's coefficient of the words of two texts; 1 for the same text, letter case, punctuation and spacing aside.
fn similarity(given: &BTreeSet<String>, text: &str, entry: &str) -> f64 {
    let bare = |text: &str| {
        text.to_lowercase().replace(|character: char| !character.is_alphanumeric(), "")
    };
    if bare(text) == bare(entry) {
        return 1.0;
    }
    let entry = features(entry);
    match given.len() + entry.len() {
        0 => 0.0,
        // Below the same text.
        all => 1.99 * given.intersection(&entry).count() as f64 / all as f64,
    }
}

/// What a text is compared by: the stems of its words without common ones, and pairs of neighbouring Chinese characters.
fn features(text: &str) -> BTreeSet<String> {
    const COMMON: &str = " a an and are as at be been by did do does for from had has have he her him his if in is it its \
                          not of on or she so somebody than that the their them there they this to was were what who why \
                          with you ";
    let lower = text.to_lowercase();
    let mut found = BTreeSet::new();
    for word in lower.split(|character: char| !character.is_alphanumeric() || is_han(character)) {
        if word.is_empty() || COMMON.contains(&format!(" {word} ")) {
            continue;
        }
        let stem = ["ing", "ed", "es", "s"]
            .iter()
            .find_map(|ending| word.strip_suffix(ending).filter(|stem| stem.len() >= 3));
        found.insert(stem.unwrap_or(word).trim_end_matches('e').to_owned());
    }
    let mut before = None;
    for character in lower.chars() {
        if let (Some(first), true) = (before, is_han(character)) {
            found.insert(String::from_iter([first, character]));
        }
        before = is_han(character).then_some(character);
    }
    found
}
