//! What a sentence says, and of what. A predicate counts for the noun before it: "your account has been blocked" and "your prompt
//! has been blocked by the rules of this account" have the same words and say two things.

use std::time::Duration;

use super::lists::WORDS;
use super::told::{has_word, positions, sentences};

/// What a predicate was said of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Noun {
    Holder,
    Key,
    Other,
}

/// For how long a limit holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Span {
    Moment,
    Long,
}

/// A wait that is shorter than this is one of a moment.
const MOMENT: Duration = Duration::from_secs(120);

/// One that is no shorter than this is of a quota.
const LONG_WAIT: Duration = Duration::from_secs(3600);

fn nouns() -> [(&'static [String], Noun); 5] {
    [
        (&WORDS.holders, Noun::Holder),
        (&WORDS.keys, Noun::Key),
        (&WORDS.texts, Noun::Other),
        (&WORDS.others, Noun::Other),
        (&WORDS.goods, Noun::Other),
    ]
}

/// Whose account, or which key, is shut according to a text; `None` if that is said of neither.
pub(super) fn shut(text: &str) -> Option<Noun> {
    sentences(text).find_map(|sentence| {
        let said_of = WORDS.shut.iter().flat_map(|predicate| {
            let starts = sentence.match_indices(predicate.as_str());
            starts.filter_map(|(at, _)| subject(sentence, at, predicate))
        });
        said_of.into_iter().find(|noun| *noun != Noun::Other)
    })
}

/// The noun of which a predicate at this place is said: the last one before it, or the object behind it ("we have blocked your
/// account").
fn subject(sentence: &str, at: usize, predicate: &str) -> Option<Noun> {
    let before = &sentence[..at];
    if predicate.is_ascii() && before.ends_with(|character: char| character.is_alphanumeric()) {
        return None;
    }
    // What may happen has not happened.
    if ["if", "unless", "whether", "may", "could", "might"]
        .iter()
        .any(|word| has_word(before, word))
    {
        return None;
    }
    let mut all: Vec<(usize, usize, Noun)> = nouns()
        .into_iter()
        .flat_map(|(words, noun)| {
            let places = move |word: &'static String| {
                positions(before, word).map(move |from| (from, from + word.len(), noun))
            };
            words.iter().flat_map(places)
        })
        .collect();
    all.sort_by_key(|(_, end, _)| *end);
    // Of "the request of this account" the request is what something is said of.
    while let [.., (_, head, _), (from, _, _)] = all[..]
        && head <= from
        && matches!(before[head..from].trim(), "of" | "of this" | "of your" | "of the" | "of an")
    {
        let end = all.pop().map(|(_, end, _)| end);
        if let (Some(end), Some(last)) = (end, all.last_mut()) {
            last.1 = end;
        }
    }
    let last = all.last().map(|(_, end, noun)| (*end, *noun));
    let mut nearest = before.split_whitespace().rev().take(4);
    let is_passive = !predicate.is_ascii()
        || nearest.any(|word| WORDS.auxiliaries.iter().any(|known| known == word));
    if let Some((end, noun)) = last
        && (is_passive
            || before[end..].trim_matches([' ', ':', '-', '_', '\'', '"', '`']).is_empty())
    {
        return Some(noun);
    }
    if is_passive {
        return None;
    }
    let rest = sentence[at..].split(|character: char| !character.is_alphanumeric());
    let mut rest = rest.filter(|word| !word.is_empty()).skip(1);
    let object =
        rest.find(|word| !["your", "this", "the", "api", "an", "a", "its"].contains(word))?;
    let of_object = nouns().into_iter().find(|(words, _)| words.iter().any(|word| word == object));
    of_object.map(|(_, noun)| noun)
}

/// Whether a text says that too little money, credit or quota is left.
pub(super) fn lacks_goods(text: &str) -> bool {
    sentences(text).any(|sentence| {
        WORDS.goods.iter().any(|good| {
            positions(sentence, good).any(|at| {
                let (before, after) = (&sentence[..at], &sentence[at + good.len()..]);
                // "No credits were charged" says nothing of what is left.
                if after.contains("charged") {
                    return false;
                }
                let is_gone = WORDS.gone.iter().any(|phrase| after.contains(phrase.as_str()));
                is_gone || is_short_of(before, good)
            })
        })
    })
}

fn is_short_of(before: &str, good: &str) -> bool {
    let before = before.trim_end_matches(|character: char| !character.is_alphanumeric());
    let mut start = before;
    // Up to two words stand between: "not enough prepaid credits".
    for _ in 0..3 {
        let is_short = WORDS.short_of.iter().any(|phrase| {
            // Roles and trees are out of balance.
            let is_idiom = good == "balance" && (phrase == "out of" || phrase == "more");
            let front = start.strip_suffix(phrase.as_str());
            front.is_some_and(|front| {
                !is_idiom
                    && (phrase.starts_with("n't")
                        || !front.ends_with(|c: char| c.is_alphanumeric()))
            })
        });
        if is_short {
            return true;
        }
        match start.trim_end().rsplit_once(' ') {
            Some((front, _)) => start = front.trim_end(),
            None => return false,
        }
    }
    false
}

/// For how long the limit holds of which a text speaks. What stands in brackets is a remark; of two spans the first counts.
pub(super) fn span(text: &str) -> Option<Span> {
    match wait(text) {
        Some(wait) if wait < MOMENT => return Some(Span::Moment),
        Some(wait) if wait >= LONG_WAIT => return Some(Span::Long),
        _ => {}
    }
    let plain = without_brackets(text);
    earliest_span(&plain).or_else(|| earliest_span(text))
}

fn earliest_span(text: &str) -> Option<Span> {
    let first = |phrases: &[String]| {
        let places = phrases.iter().filter_map(|phrase| {
            match phrase.starts_with('/') || phrase.contains(' ') || phrase == "concurren" {
                true => text.find(phrase.as_str()),
                false => positions(text, phrase).next(),
            }
        });
        places.min()
    };
    match (first(&WORDS.short_spans), first(&WORDS.long_spans)) {
        (Some(short), Some(long)) if short < long => Some(Span::Moment),
        (_, Some(_)) => Some(Span::Long),
        (Some(_), None) => Some(Span::Moment),
        (None, None) => None,
    }
}

fn without_brackets(text: &str) -> String {
    let mut depth = 0_u32;
    let outside = |character: &char| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    };
    text.chars().filter(outside).collect()
}

/// After which time a text says that one may try again.
pub(super) fn wait(text: &str) -> Option<Duration> {
    let ends = WORDS.waits.iter().filter_map(|cue| Some(text.find(cue.as_str())? + cue.len()));
    let cue = ends.min()?;
    let rest = &text[cue..];
    let digits = rest.find(|character: char| character.is_ascii_digit())?;
    if digits > 16 {
        return None;
    }
    let rest = &rest[digits..];
    let end = rest
        .find(|character: char| !character.is_ascii_digit() && character != '.')
        .unwrap_or(rest.len());
    let number: f64 = rest[..end].trim_end_matches('.').parse().ok()?;
    let unit = rest[end..].trim_start();
    let unit_end = unit.find(|character: char| !character.is_alphabetic()).unwrap_or(unit.len());
    let seconds = match &unit[..unit_end] {
        "ms" | "milliseconds" | "millisecond" => 0.001,
        "s" | "sec" | "secs" | "second" | "seconds" | "秒" => 1.0,
        "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
        "h" | "hr" | "hrs" | "hour" | "hours" => 3600.0,
        "d" | "day" | "days" => 86_400.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(number * seconds).ok()
}
