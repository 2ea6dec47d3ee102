//! Made-up tasks in the shape of the authors' file.

use std::sync::LazyLock;

use serde::Deserialize;
use turnwise_shared::benchmarks::interactcomp::dataset::{
    Language, Task, encrypted_lines, plain_lines,
};
use turnwise_shared::dice::draw;
use turnwise_shared::task::TaskId;

/// How many English and Chinese tasks the authors' file has of each domain.
const SHAPE: [(&str, u32, u32); 9] = [
    ("Humanities", 28, 24),
    ("Entertainment", 34, 8),
    ("Science & Engineering", 29, 5),
    ("Business & Economics", 6, 17),
    ("Sports", 17, 1),
    ("Law & Politics", 4, 11),
    ("Medicine & Life Sciences", 10, 1),
    ("Academic & Research", 8, 0),
    ("General Knowledge & Misc.", 4, 3),
];

/// A task file of [`QUESTIONS`](turnwise_shared::examples::QUESTIONS) with as many made-up tasks as wanted.
pub fn made_up_tasks(count: u32, seed: u64) -> String {
    plain_lines(&generate(count, seed))
}

/// The same, encrypted as published files are.
pub fn encrypted_tasks(count: u32, seed: u64, canary: &str) -> String {
    encrypted_lines(&generate(count, seed), canary)
}

/// Makes up tasks with the ids 1 to `count`: the same for the same seed. Every 210 of them have the domains and
/// languages of the authors' file. All names and facts are invented.
///
/// A question states what a target shares with others; the context states what only the target has. Answers differ up
/// to 8,000 tasks. Some questions have braces, most contexts have several lines, some mix scripts.
fn generate(count: u32, seed: u64) -> Vec<Task> {
    let kinds: Vec<(&str, bool)> = SHAPE
        .iter()
        .flat_map(|(domain, english, chinese)| {
            let english = (0..*english).map(|_| (*domain, false));
            english.chain((0..*chinese).map(|_| (*domain, true)))
        })
        .collect();
    let kinds_in_all = u32::try_from(kinds.len()).expect("the shape has 210 tasks");
    let order = draw(seed, "interactcomp tasks: order", kinds_in_all, kinds_in_all);
    let names = draw(seed, "interactcomp tasks: names", NAMES, count.min(NAMES));
    (0..count)
        .map(|index| {
            let (domain, chinese) = kinds[order[(index % kinds_in_all) as usize] as usize];
            let name = names[(index % NAMES) as usize];
            let pick = Pick { seed, index };
            if chinese {
                chinese_task(&pick, domain, name)
            } else {
                english_task(&pick, domain, name)
            }
        })
        .collect()
}

/// Chance for one task: the same label always picks the same.
struct Pick {
    seed: u64,
    index: u32,
}

impl Pick {
    fn number(&self, label: &str, below: u32) -> u32 {
        let stream = format!("interactcomp task {}: {label}", self.index + 1);
        draw(self.seed, &stream, below, 1)[0]
    }

    fn one<'a>(&self, label: &str, of: &[&'a str]) -> &'a str {
        of[self.number(label, of.len() as u32) as usize]
    }

    /// Several different ones, in an order of chance.
    fn some<'a>(&self, label: &str, of: &[&'a str], count: u32) -> Vec<&'a str> {
        let stream = format!("interactcomp task {}: {label}", self.index + 1);
        let picked = draw(self.seed, &stream, of.len() as u32, count);
        picked.into_iter().map(|index| of[index as usize]).collect()
    }

    fn task(&self, domain: &str, question: String, context: String, answer: String) -> Task {
        Task {
            id: TaskId((self.index + 1).to_string()),
            domain: domain.to_owned(),
            language: Language::of(&question),
            question,
            context,
            answer,
            aliases: Vec::new(),
        }
    }
}

/// How many names there are: twenty syllables in three places.
const NAMES: u32 = 20 * 20 * 20;

fn name(number: u32, words: &Words) -> String {
    let digits = [number / 400 % 20, number / 20 % 20, number % 20].map(|digit| digit as usize);
    [words.heads[digits[0]], words.middles[digits[1]], words.tails[digits[2]]].concat()
}

/// Of what the tasks of a language are made.
#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
struct Words {
    things: Vec<&'static str>,
    heads: Vec<&'static str>,
    middles: Vec<&'static str>,
    tails: Vec<&'static str>,
    shared: Vec<&'static str>,
    secrets: Vec<&'static str>,
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
struct MadeUp {
    en: Words,
    zh: Words,
}

static MADE_UP: LazyLock<MadeUp> =
    LazyLock::new(|| toml::from_str(include_str!("made_up.toml")).expect("every test reads it"));

fn english_task(pick: &Pick, domain: &str, number: u32) -> Task {
    let words = &MADE_UP.en;
    let thing = pick.one("thing", &words.things);
    let decade = 1810 + 10 * pick.number("decade", 18);
    let shared = pick.some("shared", &words.shared, 4);
    let note = if pick.index % 70 == 41 { " Its listing reads {name} {place}." } else { "" };
    let question = format!(
        "This {thing} goes back to the {decade}s. It {}, it {}, and it {}. People who look for it often find a better-known one \
         first, because that one also {}.{note} What is the {thing} called?",
        shared[0], shared[1], shared[2], shared[3],
    );
    let mut secrets: Vec<String> = pick
        .some("secrets", &words.secrets, 2 + pick.number("length", 7))
        .into_iter()
        .map(str::to_owned)
        .collect();
    secrets.push(format!("It was founded in {}.", decade + pick.number("year", 10)));
    if pick.index % 13 == 5 {
        secrets.push("其招牌上写着“河畔小馆”。".to_owned());
    }
    let answer = name(number, words);
    pick.task(domain, question, join(pick, secrets, " "), answer)
}

fn chinese_task(pick: &Pick, domain: &str, number: u32) -> Task {
    let words = &MADE_UP.zh;
    let decade = 1880 + 10 * pick.number("decade", 12);
    let shared = pick.some("shared", &words.shared, 4);
    let question = format!(
        "这个机构可以追溯到{decade}年代。它{}，{}，并且{}。人们查找它的时候，往往先找到另一家更有名的机构，因为那一家同样{}。请问这个机构叫什么名字？",
        shared[0], shared[1], shared[2], shared[3],
    );
    let mut secrets: Vec<String> = pick
        .some("secrets", &words.secrets, 3 + pick.number("length", 7))
        .into_iter()
        .map(str::to_owned)
        .collect();
    secrets.push(format!("它创办于{}年。", decade + pick.number("year", 10)));
    let answer = name(number, if pick.index % 37 == 9 { &MADE_UP.en } else { words });
    pick.task(domain, question, join(pick, secrets, ""), answer)
}

/// Three contexts in four have a line for each fact, as in the authors' file.
fn join(pick: &Pick, facts: Vec<String>, space: &str) -> String {
    facts.join(if pick.number("lines", 4) > 0 { "\n" } else { space })
}

#[cfg(test)]
mod tests;
