//! Which word of a closed vocabulary a reply says: the one reader of judges, graders and responders.
//!
//! A reply says a word if it begins with it, ends with it as a sentence of its own, or names it behind words that only announce a
//! reply (`Answer: yes`). Case, width, Markdown, quotes and punctuation do not count. What says two different words says none, and
//! so does `not` before one.

#[cfg(test)]
mod tests;

use super::{Candidate, objects, said};
use crate::json::{Dialect, Json, Object};

/// A word of a vocabulary, and how it is said: in lower case, longer phrases first.
#[derive(Debug, Clone, Copy)]
pub struct Word<T: 'static> {
    pub value: T,
    /// Words, and phrases, which count wherever they stand in the first or last line.
    pub said: &'static [&'static str],
    /// Words that also begin ordinary sentences, and so count only alone in their line.
    pub alone: &'static [&'static str],
}

impl<T> Word<T> {
    /// A word that is said in these ways.
    pub const fn of(value: T, said: &'static [&'static str]) -> Self {
        let alone = &[];
        Word { value, said, alone }
    }
}

pub const YES: &[&str] = &["yes", "yep", "yeah", "是的", "是"];
pub const NO: &[&str] = &["no", "nope", "nah", "不是的", "不是", "否"];

/// What announces a reply and says nothing itself. Of a JSON object, the member that is the reply has such a name.
const LEAD_INS: &str = include_str!("verdict/lead_ins.txt");
/// The same in a script without blanks.
const UNSPACED: &str = include_str!("verdict/unspaced.txt");
/// Behind one of these words `no` is a reply; before any other it belongs to a noun, as in `no mention`.
const AFTER_NO: &str = include_str!("verdict/after_no.txt");

/// The word that a reply says outside of its reasoning; `None` if it says none, or several.
pub fn read<T: Copy + PartialEq>(text: &str, vocabulary: &[Word<T>]) -> Option<T> {
    let spoken = said(text);
    match only_object(&spoken) {
        Some(object) => of_object(&object, vocabulary),
        None => of_text(&spoken, vocabulary),
    }
}

/// The word that is a text as a whole; `None` if anything else stands there.
pub fn alone<T: Copy + PartialEq>(text: &str, vocabulary: &[Word<T>]) -> Option<T> {
    let text = fold(text);
    let around = |sign: char| sign.is_whitespace() || "'\".!()[]{}_".contains(sign);
    let text = text.trim_matches(around);
    let is = |word: &&Word<T>| word.said.contains(&text) || word.alone.contains(&text);
    vocabulary.iter().find(is).map(|word| word.value)
}

/// The object that is the whole text, but for a fence around it.
fn only_object(text: &str) -> Option<Object> {
    let mut outside = String::new();
    let (mut at, mut only) = (0, None);
    for candidate in objects(text, 0..text.len(), Dialect::Strict) {
        if let Candidate::Object { span, object, .. } = candidate {
            outside.push_str(&text[at..span.start]);
            at = span.end;
            only = Some(object);
        }
    }
    outside.push_str(&text[at..]);
    let outside = outside.replace("json", "");
    only.filter(|_| !outside.contains(char::is_alphanumeric))
}

fn of_object<T: Copy + PartialEq>(object: &Object, vocabulary: &[Word<T>]) -> Option<T> {
    let is_only = object.iter().count() == 1;
    let replies = object.iter().filter(|(key, _)| {
        let key = fold(key).replace(['_', '-'], " ");
        is_only || without_lead_in(key.trim()).is_empty()
    });
    let mut heard = replies.map(|(_, value)| match value {
        Json::Text(text) => of_text(text, vocabulary),
        Json::Bool(value) => alone(if *value { "true" } else { "false" }, vocabulary),
        Json::Int(number) => alone(number.digits(), vocabulary),
        _ => None,
    });
    let first = heard.next()??;
    heard.all(|other| other == Some(first)).then_some(first)
}

fn of_text<T: Copy + PartialEq>(text: &str, vocabulary: &[Word<T>]) -> Option<T> {
    let folded = fold(text);
    let lines: Vec<Vec<Sentence>> =
        folded.lines().map(sentences).filter(|line| !line.is_empty()).collect();
    let (first, last) = (lines.first()?, lines.last()?);
    let vocabulary = Vocabulary(vocabulary);
    let opening = first.first()?;
    if let Some(value) = vocabulary.begins(&opening.text, true) {
        let behind = lines.iter().flatten();
        let contradicts = behind.flat_map(|sentence| vocabulary.mentioned(&sentence.text));
        return contradicts.into_iter().all(|other| other == value).then_some(value);
    }
    let mut heard = Vec::new();
    for line in [first, last] {
        if let [only] = &line[..] {
            heard.extend(vocabulary.alone(&only.text));
        }
        for sentence in [line.first(), line.last()].into_iter().flatten() {
            heard.extend(vocabulary.is(&sentence.text));
            if sentence.is_announced {
                heard.extend(vocabulary.begins(&sentence.text, true));
            }
        }
        heard.extend(line.iter().flat_map(|sentence| vocabulary.phrases(&sentence.text)));
    }
    if let Some(sentence) = last.first() {
        heard.extend(vocabulary.begins(&sentence.text, false));
    }
    let value = *heard.first()?;
    heard.iter().all(|other| *other == value).then_some(value)
}

/// A sentence without the words that announce it, in words with one blank between them; a comma may end a word.
struct Sentence {
    text: String,
    is_announced: bool,
}

struct Vocabulary<'a, T: 'static>(&'a [Word<T>]);

impl<T: Copy + PartialEq> Vocabulary<'_, T> {
    fn all(&self) -> impl Iterator<Item = (&'static str, T)> + '_ {
        let words = self.0.iter();
        words.flat_map(|word| word.said.iter().map(|said| (*said, word.value)))
    }

    /// The sentence is this word and nothing else.
    fn is(&self, sentence: &str) -> Option<T> {
        let plain = sentence.trim_end_matches(',');
        self.all().find_map(|(said, value)| (said == plain).then_some(value))
    }

    fn alone(&self, sentence: &str) -> Option<T> {
        let plain = sentence.trim_end_matches(',');
        let is = |word: &&Word<T>| word.alone.contains(&plain);
        self.0.iter().find(is).map(|word| word.value)
    }

    /// The sentence begins with this word: before a comma, or, if `freely`, before words that go on from it.
    fn begins(&self, sentence: &str, freely: bool) -> Option<T> {
        let begins = |said: &str| {
            let rest = sentence.strip_prefix(said)?;
            let goes_on = freely && rest.starts_with(' ') && !is_of_noun(said, rest);
            (rest.is_empty() || rest.starts_with(',') || goes_on).then_some(said.len())
        };
        let found = self.all().filter_map(|(said, value)| Some((begins(said)?, value)));
        let longest = found.reduce(|best, other| if other.0 > best.0 { other } else { best });
        longest.map(|(_, value)| value)
    }

    /// Every word and phrase that the sentence has anywhere; longer phrases hide what is within them.
    fn mentioned(&self, sentence: &str) -> Vec<T> {
        let mut rest = format!(" {} ", sentence.replace(',', " ,"));
        let mut found = Vec::new();
        for (said, value) in self.all().filter(|(said, _)| is_phrase(said)) {
            let padded = format!(" {} ", said.replace(',', " ,"));
            let wanted = if said.is_ascii() { padded.as_str() } else { said };
            if rest.contains(wanted) {
                found.push(value);
                rest = rest.replace(wanted, " \u{0} ");
            }
        }
        let mut words = rest.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let next = words.peek().copied().unwrap_or_default();
            let value = self.all().find_map(|(said, value)| (said == word).then_some(value));
            let is_new = value.filter(|value| !found.contains(value) && !is_of_noun(word, next));
            found.extend(is_new);
        }
        found
    }

    fn phrases(&self, sentence: &str) -> Vec<T> {
        let padded = format!(" {} ", sentence.replace(',', ""));
        let found = self.all().filter(|(said, _)| match said.is_ascii() {
            _ if !is_phrase(said) => false,
            true => padded.contains(&format!(" {said} ")),
            false => padded.contains(said),
        });
        found.map(|(_, value)| value).collect()
    }
}

/// Whether it is long enough to mean the same wherever it stands.
fn is_phrase(said: &str) -> bool {
    said.contains(' ') || !said.is_ascii() && said.chars().count() > 2 && said != "不是的"
}

/// Whether a `no` is one of a noun: `no mention`. Nothing but a comma or an end behind it makes it a reply, or a word that begins
/// a sentence.
fn is_of_noun(said: &str, rest: &str) -> bool {
    let next = rest.trim_start().split(' ').next().unwrap_or_default();
    let plain = next.trim_end_matches(',');
    said == "no"
        && plain.starts_with(char::is_alphanumeric)
        && !AFTER_NO.lines().any(|word| word == plain)
}

/// Lower case, ASCII punctuation, one kind of apostrophe, no Markdown, no quotes.
fn fold(text: &str) -> String {
    let fold = |sign| match sign {
        // It parts sentences where a comma of another script parts words.
        '，' | '。' | '｡' => '.',
        '、' => ',',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(sign) - 0xfee0).unwrap_or(sign),
        '’' | '‘' | 'ʼ' | '`' | '´' | '′' => '\'',
        '\u{3000}' | '\u{a0}' | '\t' => ' ',
        '"' | '“' | '”' | '„' | '«' | '»' | '「' | '」' | '『' | '』' | '《' | '》' | '【'
        | '】' | '*' | '#' | '~' | '$' => ' ',
        other => other,
    };
    let is_seen = |sign: &char| !matches!(sign, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    let folded: String = text.chars().filter(is_seen).map(fold).collect();
    folded.to_lowercase()
}

fn sentences(line: &str) -> Vec<Sentence> {
    let line = without_numero(line).replace(',', ", ");
    let parts = line.split([
        '.', ';', ':', '?', '!', '|', '/', '\\', '(', ')', '[', ']', '{', '}', '<', '>', '—', '–',
        '=',
    ]);
    parts
        .flat_map(|part| part.split(" - "))
        .map(words)
        .filter(|part| !part.is_empty())
        .map(|part| {
            let text = without_lead_in(&part).to_owned();
            let is_announced = text != part;
            Sentence { text, is_announced }
        })
        .filter(|sentence| !sentence.text.is_empty())
        .collect()
}

/// The line, where `no. 12` is called a number: it is no reply.
fn without_numero(line: &str) -> String {
    let mut parts = line.split("no.");
    let mut named = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_word = !named.ends_with(char::is_alphanumeric);
        let is_numbered = part.trim_start().starts_with(|sign: char| sign.is_ascii_digit());
        named.push_str(if is_word && is_numbered { "number " } else { "no." });
        named.push_str(part);
    }
    named
}

/// Words with one blank between them, without signs around them; a comma stays behind its word.
fn words(part: &str) -> String {
    let mut words = String::new();
    for word in part.split_whitespace() {
        let plain = word.trim_matches(|sign: char| !sign.is_alphanumeric());
        if plain.is_empty() {
            continue;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(plain);
        if word.ends_with(',') {
            words.push(',');
        }
    }
    words
}

/// The sentence without words that only announce a reply.
fn without_lead_in(sentence: &str) -> &str {
    for lead_in in LEAD_INS.lines() {
        match sentence.strip_prefix(lead_in) {
            Some("" | ",") => return "",
            Some(rest) if rest.starts_with([' ', ',']) => {
                return without_lead_in(rest.trim_start_matches([' ', ',']));
            }
            _ => {}
        }
    }
    for lead_in in UNSPACED.lines() {
        // 答案是 ("the answer is") also ends in 是 ("yes"): there has to be something behind it.
        match sentence.strip_prefix(lead_in) {
            Some("") => return "",
            Some(rest) => return rest.trim_start(),
            None => {}
        }
    }
    sentence
}
