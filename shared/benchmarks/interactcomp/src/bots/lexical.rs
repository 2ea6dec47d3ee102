//! `bot:lexical`: a responder that compares words.

use turnwise_core::kit::words::{self, Word};
use turnwise_core::saturated;

use crate::responder::UserReply;

/// How much of a question a sentence of the context has to cover before the bot commits itself.
const COVERAGE: f64 = 0.6;

/// Yes if one sentence of the context covers the question's words and agrees with it, no if it denies it or gives another
/// number, else unknown.
pub fn reply(context: &str, question: &str) -> UserReply {
    let asked = words::words(question);
    if asked.is_empty() {
        return UserReply::Unknown;
    }
    words::sentences(context)
        .filter_map(|sentence| compare(&asked, &words::words(sentence)))
        .max_by(|one, other| one.coverage.total_cmp(&other.coverage))
        .map_or(UserReply::Unknown, |best| best.verdict)
}

struct Match {
    coverage: f64,
    verdict: UserReply,
}

fn compare(asked: &[Word], told: &[Word]) -> Option<Match> {
    let count = |words: usize| f64::from(saturated(words));
    let (numbers, plain): (Vec<&Word>, Vec<&Word>) =
        asked.iter().partition(|word| words::is_number(&word.stem));
    let told_numbers: Vec<&Word> =
        told.iter().filter(|word| words::is_number(&word.stem)).collect();
    let met: Vec<(&Word, &Word)> = plain
        .iter()
        .filter_map(|word| Some((*word, told.iter().find(|other| other.stem == word.stem)?)))
        .collect();
    let same_number = numbers
        .iter()
        .filter(|word| told_numbers.iter().any(|other| other.stem == word.stem))
        .count();
    let other_number = !numbers.is_empty() && same_number == 0 && !told_numbers.is_empty();
    // A number that differs is an answer, so it counts as met.
    let reached = met.len() + same_number + usize::from(other_number) * numbers.len();
    let coverage = count(reached) / count(asked.len());
    if coverage < COVERAGE || met.is_empty() {
        return None;
    }
    let denied =
        met.iter().filter(|(question, context)| question.negated != context.negated).count();
    let verdict = if other_number || denied * 2 > met.len() {
        UserReply::No
    } else if denied > 0 {
        // One part is stated and another denied: "on sand, never on grass" asked for sand and grass.
        UserReply::No
    } else {
        UserReply::Yes
    };
    Some(Match { coverage, verdict })
}
