//! Values of facts as pages are searched for them (`contains` and `leaks` of specification 4.6), and what a fact is about.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::super::task::World;
use super::super::tokens::{Token, Tokens, within};

/// Values of more characters are recognised by their numbers, names and quoted parts.
const LONG: usize = 40;
/// How many words may stand between a number and its unit, as in `48 sold-out concerts`.
const GAP: usize = 2;

pub(super) enum Value {
    /// Yes or no: never recognised by the word alone.
    YesNo(Side),
    /// One number, perhaps with a unit.
    Quantity(Quantity),
    /// A long text, and what cannot be said in other words.
    Long { words: Vec<Token>, parts: Vec<Vec<Token>> },
    /// Anything else: word for word.
    Words(Vec<Token>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Yes,
    No,
}

/// A number with what stands before and after it.
pub(super) struct Quantity {
    before: Vec<Token>,
    number: Token,
    unit: Vec<Token>,
}

const YES: [&str; 8] = ["yes", "true", "是", "是的", "有", "对", "会", "正确"];
const NO: [&str; 12] =
    ["no", "not", "false", "否", "不是", "没有", "无", "不", "不会", "没", "未", "错误"];

impl Side {
    /// Its words as texts are searched for them.
    fn words(self) -> &'static [Vec<Token>] {
        fn read(words: &[&str]) -> Vec<Vec<Token>> {
            words.iter().map(|word| stemmed(word).items).collect()
        }
        static WORDS: LazyLock<[Vec<Vec<Token>>; 2]> = LazyLock::new(|| [read(&YES), read(&NO)]);
        let [yes, no] = &*WORDS;
        match self {
            Side::Yes => yes,
            Side::No => no,
        }
    }

    fn of(words: &[Token]) -> Option<Self> {
        let sides = [Side::Yes, Side::No].into_iter();
        let mut said = sides.filter(|side| side.words().iter().any(|word| word == words));
        said.next()
    }

    /// Whether a sentence holds a word of this side.
    pub fn is_in(self, sentence: &[Token]) -> bool {
        self.words().iter().any(|word| within(sentence, word))
    }
}

impl Value {
    pub fn of(text: &str) -> Self {
        let words = stemmed(text).items;
        if let Some(side) = Side::of(&words) {
            return Value::YesNo(side);
        }
        if let Some(quantity) = Quantity::of(&words) {
            return Value::Quantity(quantity);
        }
        if text.chars().nth(LONG).is_some() {
            let parts = parts(text);
            return Value::Long { words, parts };
        }
        Value::Words(words)
    }

    pub fn quantity(&self) -> Option<&Quantity> {
        match self {
            Value::Quantity(quantity) => Some(quantity),
            _ => None,
        }
    }

    fn words(&self) -> Cow<'_, [Token]> {
        match self {
            Value::YesNo(_) => Cow::default(),
            Value::Quantity(quantity) => Cow::Owned(quantity.written()),
            Value::Long { words, .. } | Value::Words(words) => Cow::Borrowed(words),
        }
    }

    /// Whether a text holds it. Of yes and no only the fact can say.
    pub fn stands_in(&self, text: &Tokens) -> bool {
        match self {
            Value::YesNo(_) => false,
            Value::Quantity(quantity) => quantity.places(text).next().is_some(),
            Value::Long { words, parts } => {
                // One name or number alone is not the whole of it.
                let all = parts.len() > 1 && parts.iter().all(|part| text.holds(part));
                all || text.holds(words)
            }
            // A value of punctuation alone cannot be looked for.
            Value::Words(words) => words.is_empty() || text.holds(words),
        }
    }

    /// Whether a text that reveals this value reveals the other one, too.
    pub fn includes(&self, other: &Value) -> bool {
        self.holds(&other.words())
    }

    /// Whether a text gives it away: a value of four letters or two Chinese characters wherever it stands, another number only
    /// in a sentence with what it is about.
    pub fn leaks(&self, text: &Tokens, anchors: &Anchors) -> bool {
        let words = self.words();
        let letters: usize = words
            .iter()
            .map(|token| match token {
                Token::Word(word) => word.chars().count(),
                // Two Chinese characters weigh as much as four letters.
                Token::Han(_) => 2,
                _ => 0,
            })
            .sum();
        if letters >= 4 {
            return self.stands_in(text);
        }
        if !words.iter().any(|token| matches!(token, Token::Number(_))) {
            return false;
        }
        let beside = |place: usize| anchors.stand_in(text.sentence(place));
        match self {
            Value::Quantity(quantity) => quantity.places(text).any(beside),
            _ => text.places(&words).any(beside),
        }
    }

    /// As [`leaks`](Value::leaks), but parts of a long text that may be revealed anyway do not reveal it, even all together:
    /// it has nothing else to reveal.
    pub fn leaks_beyond(
        &self,
        text: &Tokens,
        anchors: &Anchors,
        may_be_told: impl Fn(&[Token]) -> bool,
    ) -> bool {
        match self {
            Value::Long { words, parts } if parts.iter().all(|part| may_be_told(part)) => {
                text.holds(words)
            }
            _ => self.leaks(text, anchors),
        }
    }

    /// Whether its words hold these.
    pub fn holds(&self, words: &[Token]) -> bool {
        within(&self.words(), words)
    }

    /// The numbers of a longer text, each with the word after it.
    pub fn quantities(&self) -> Vec<Value> {
        match self {
            Value::Words(words) => numbers_of(words).into_iter().map(Value::Quantity).collect(),
            _ => Vec::new(),
        }
    }
}

impl Quantity {
    /// One number, signs before it, and nothing but words after it.
    fn of(words: &[Token]) -> Option<Self> {
        let place = words.iter().position(|token| matches!(token, Token::Number(_)))?;
        let (before, rest) = words.split_at(place);
        let (number, unit) = rest.split_first()?;
        let plain = before.iter().all(|token| matches!(token, Token::Sign(_) | Token::Minus));
        (plain && unit.len() <= 6 && unit.iter().all(is_unit)).then(|| Quantity {
            before: before.to_vec(),
            number: number.clone(),
            unit: unit.to_vec(),
        })
    }

    fn written(&self) -> Vec<Token> {
        let number = [self.number.clone()];
        [&self.before[..], &number, &self.unit].concat()
    }

    /// Whether it is counted in something that another number could be counted in. Years and days are no amounts.
    pub fn has_unit(&self) -> bool {
        let date = matches!(self.unit[..], [Token::Han('年' | '月' | '日' | '号'), ..]);
        let bare = self.unit.is_empty() && self.before.is_empty();
        !date && !bare
    }

    /// Where it stands: the number with what belongs before it, and after it its unit, perhaps with a word or two between.
    fn places<'a>(&'a self, text: &'a Tokens) -> impl Iterator<Item = usize> + 'a {
        let numbers = text.items.iter().enumerate();
        numbers.filter(|(_, token)| **token == self.number).map(|(place, _)| place).filter(
            |place| {
                let before = text.items[..*place].ends_with(&self.before);
                let after = &text.items[place + 1..];
                let gap = match self.unit.is_empty() {
                    true => 0,
                    false => GAP,
                };
                let unit = (0..=gap).any(|skipped| {
                    let between = after.get(..skipped);
                    let here = after.get(skipped..);
                    between.is_some_and(|words| words.iter().all(is_unit))
                        && here.is_some_and(|rest| rest.starts_with(&self.unit))
                });
                before && unit
            },
        )
    }

    /// Other numbers of the same unit in a sentence, as they are written there.
    pub fn others<'a>(&self, sentence: &'a [Token]) -> Vec<&'a [Token]> {
        let (before, after) = (self.before.len(), self.unit.len());
        let numbers = sentence.iter().enumerate();
        numbers
            .filter(|(_, token)| matches!(token, Token::Number(_)) && **token != self.number)
            .filter_map(|(place, _)| {
                let from = place.checked_sub(before)?;
                let written = sentence.get(from..=place + after)?;
                let same = written.starts_with(&self.before) && written.ends_with(&self.unit);
                same.then_some(written)
            })
            .collect()
    }
}

/// Every number, with the word after it.
fn numbers_of(words: &[Token]) -> Vec<Quantity> {
    let numbers = words.iter().enumerate();
    numbers
        .filter(|(_, token)| matches!(token, Token::Number(_)))
        .map(|(place, number)| {
            let unit = words.get(place + 1).filter(|next| is_unit(next));
            Quantity {
                before: Vec::new(),
                number: number.clone(),
                unit: unit.into_iter().cloned().collect(),
            }
        })
        .collect()
}

fn is_unit(token: &Token) -> bool {
    matches!(token, Token::Word(_) | Token::Han(_) | Token::Sign(_))
}

/// What a fact is about: a text speaks of it if it holds one of these.
#[derive(Clone, Default)]
pub(super) struct Anchors(Vec<Vec<Token>>);

impl Anchors {
    /// The names of the fact's entity, where the world says which it is; else the names in its key.
    pub fn of_fact(world: &World, key: &str) -> Self {
        let noted = || {
            let extra = world.extra.as_ref()?;
            let entity = extra.fact(key)?.entity.as_deref()?;
            let terms = extra.entities.iter().filter(|term| term.name == entity);
            let names = terms.flat_map(|term| term.names()).chain([entity]);
            Some(names.map(|name| stemmed(name).items).collect())
        };
        let names: Vec<Vec<Token>> = noted().unwrap_or_else(|| names_in(key));
        Anchors(names.into_iter().filter(|name| !name.is_empty()).collect())
    }

    pub fn all<'a>(facts: impl Iterator<Item = &'a Anchors>) -> Self {
        let mut names: Vec<Vec<Token>> = facts.flat_map(|anchors| anchors.0.clone()).collect();
        names.sort();
        names.dedup();
        Anchors(names)
    }

    /// Whether a sentence holds one of them.
    pub fn stand_in(&self, sentence: &[Token]) -> bool {
        self.0.iter().any(|name| within(sentence, name))
    }
}

/// How many Chinese characters side by side are taken for a name.
const NAME: usize = 3;

/// Names in a key without notes: words with a capital letter, and every three Chinese characters side by side (all of them, if
/// there are fewer).
fn names_in(key: &str) -> Vec<Vec<Token>> {
    let mut names: Vec<Vec<Token>> = capitals(key);
    let all = stemmed(key).items;
    let runs = all.chunk_by(|one, other| is_chinese(one) && is_chinese(other));
    for run in runs.filter(|run| is_chinese(&run[0])) {
        names.extend(run.windows(NAME.min(run.len())).map(<[Token]>::to_vec));
    }
    if names.is_empty() {
        names.push(all);
    }
    names
}

fn is_chinese(token: &Token) -> bool {
    matches!(token, Token::Han(_))
}

/// Words with a capital letter, those side by side together. A first word alone says nothing, because sentences begin so.
fn capitals(text: &str) -> Vec<Vec<Token>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_capital = |word: &&str| {
        let mut letters = word.chars().skip_while(|letter| !letter.is_alphanumeric());
        letters.next().is_some_and(char::is_uppercase)
    };
    let mut names = Vec::new();
    let mut place = 0;
    for run in words.chunk_by(|one, other| is_capital(one) == is_capital(other)) {
        let first_alone = place == 0 && run.len() == 1;
        place += run.len();
        if run.iter().all(is_capital) && !first_alone {
            names.push(stemmed(&run.join(" ")).items);
        }
    }
    names
}

/// What of a long text cannot be said in other words: numbers, what stands in quotes, names.
fn parts(text: &str) -> Vec<Vec<Token>> {
    let mut parts: Vec<Vec<Token>> = capitals(text);
    let numbers = numbers_of(&stemmed(text).items);
    parts.extend(numbers.iter().map(Quantity::written));
    for (open, close) in [('“', '”'), ('「', '」'), ('《', '》'), ('"', '"')] {
        let mut rest = text;
        while let Some((_, after)) = rest.split_once(open) {
            let Some((inside, behind)) = after.split_once(close) else {
                break;
            };
            parts.push(stemmed(inside).items);
            rest = behind;
        }
    }
    parts.retain(|part| !part.is_empty());
    parts.sort();
    parts.dedup();
    parts
}

/// A text with English plurals as singulars.
pub(super) fn stemmed(text: &str) -> Tokens {
    let mut tokens = Tokens::of(text);
    for token in &mut tokens.items {
        if let Token::Word(word) = token {
            singular(word);
        }
    }
    tokens
}

fn singular(word: &mut String) {
    let plain = word.is_ascii() && word.len() > 3;
    let not = ["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    if !plain || not || !word.ends_with('s') {
        return;
    }
    word.pop();
    if word.len() > 3 && word.ends_with("ie") {
        word.truncate(word.len() - 2);
        word.push('y');
    }
}
