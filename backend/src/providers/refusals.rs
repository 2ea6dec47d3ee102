//! What a refusal is about: a closed account, money, a region, the key, a conversation that is too long, one prompt, the account's
//! right to a model, a model that is still being loaded. Services tell it by codes, types, sentences, numbers, nested errors or pages
//! of HTML, under almost any status.
//!
//! Codes are compared without case and punctuation, so `INSUFFICIENT_BALANCE` and `insufficient-balance` are one. Sentences are
//! read by what they say of what ([`reading`]), and only those that stand in the place of an answer, never those of an answer.
//! `sentences.tsv` has what real services say, and what it is.

mod length;
mod lists;
mod page;
mod reading;
mod sentence;
mod told;

use serde_json::Value;

pub use length::{TokenLimit, token_limit};
pub use lists::WORDS;
pub use page::{Page, is_page, page, page_words, plain_page};
use reading::{Noun, Span};
pub use sentence::sentence;
pub use told::{ErrorContents, position};

/// What a refusal is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// The account, its organisation or its access is shut.
    Account,
    /// The request is longer than the context window, or than what is taken at all.
    Context,
    /// A filter or a policy refused this one prompt, or the reply to it.
    Prompt,
    /// No credit is left, or the quota of a day or longer is used up.
    Money,
    /// The key is wrong, has run out, or is shut out.
    Key,
    /// This account may not use this model.
    Model,
    /// The service is not offered where this server is.
    Region,
    /// The model is being loaded.
    Loading,
}

/// What a refusal with this status and this body is about; `None` if neither tells. A status of success is one that should
/// have been another one.
pub fn about(status: u16, body: &Value) -> Option<About> {
    let told = ErrorContents::of(body);
    let is_busy = matches!(status, 408 | 429);
    if is_about_money(status, &told) {
        return Some(About::Money);
    }
    // An account that is shut is no prompt that is refused, whatever it is shut for.
    if told.has_code(&WORDS.shut_codes) {
        return Some(About::Account);
    }
    match reading::shut(&told.said) {
        Some(Noun::Holder) => return Some(About::Account),
        Some(_) => return Some(About::Key),
        None => {}
    }
    if status != 401
        && (told.has_code(&WORDS.prompt_codes) || told.is_numbered(&WORDS.prompt_numbers))
    {
        return Some(About::Prompt);
    }
    if told.has_code(&WORDS.region_codes) {
        return Some(About::Region);
    }
    if status == 401 || told.has_code(&WORDS.key_codes) || told.says(&WORDS.key_phrases) {
        return Some(About::Key);
    }
    if length::is_too_long(status, &told, body) {
        return Some(About::Context);
    }
    let may_be_a_filter = !is_busy && !matches!(status, 404 | 413 | 502..=504);
    // Where a service fails, its filter may be what failed.
    let says_refused = status < 500 || told.says(&WORDS.refusing);
    if may_be_a_filter
        && says_refused
        && (told.says(&WORDS.prompt_phrases)
            || told.together(&["violate", "violates", "violating", "violation"], &WORDS.rules))
    {
        return Some(About::Prompt);
    }
    if !is_busy
        && (told.together(&WORDS.places, &WORDS.not_served)
            || told.together_phrases(&WORDS.place_phrases, &WORDS.not_served))
    {
        // Of a model that is not offered in a data centre, services speak of the model.
        let is_of_the_place = matches!(status, 400 | 403 | 451) || status < 300;
        if is_of_the_place {
            return Some(About::Region);
        }
    }
    if status == 403 {
        let is_of_the_account = told.together(&WORDS.accounts, &WORDS.not_entitled)
            && !told.says(&["key", "token", "credential"]);
        if told.has_code(&WORDS.model_codes)
            || told.together(&WORDS.models, &WORDS.no_right)
            || is_of_the_account
        {
            return Some(About::Model);
        }
        return Some(About::Key);
    }
    if matches!(status, 400 | 404)
        && (told.says(&["must be verified"])
            || (told.has_word(&WORDS.models)
                && told.says(&["not have access", "no access", "access denied", "no permission"])
                && !told.says(&["not exist", "not found"])))
    {
        return Some(About::Model);
    }
    if status == 451 {
        return Some(About::Prompt);
    }
    let may_be_loading = matches!(status, 409 | 425 | 429 | 500 | 502..=504);
    // NVIDIA says this of a model that is away for a while, under 400.
    let is_away = told.says(&["degraded function"]);
    if is_away || (may_be_loading && told.has_word(&WORDS.loading)) {
        return Some(About::Loading);
    }
    None
}

/// Whether money or the quota of a long span is gone. The quota of a minute is none of it: 429 and "quota exceeded" are also
/// said of calls that come too fast.
fn is_about_money(status: u16, told: &ErrorContents) -> bool {
    if status == 402
        || told.is_numbered(&WORDS.money_numbers)
        || told.has_code(&["perday", "permonth", "dailylimit", "monthlylimit"])
    {
        return true;
    }
    let span = reading::span(&told.said);
    let is_of_a_moment =
        told.is_soon || span == Some(Span::Moment) || told.has_code(&["perminute", "persecond"]);
    if is_of_a_moment {
        return false;
    }
    if told.has_code(&WORDS.money_codes) {
        return true;
    }
    if matches!(status, 401 | 404) {
        return false;
    }
    let may_be_limited = matches!(status, 400 | 403 | 429 | 500 | 503) || status < 300;
    // Of too many calls at once some services speak as of a plan that is used up.
    let is_later = status == 429 && told.says(&["try again later"]);
    (may_be_limited && span == Some(Span::Long) && told.says(&WORDS.limits))
        || (!is_later && told.says(&WORDS.money_phrases))
        || reading::lacks_goods(&told.said)
}

#[cfg(test)]
mod tests;
