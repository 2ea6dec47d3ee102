//! What a refusal is about: one prompt, money, the key, the account's right to a model, a region, a model that is still being
//! loaded. Services tell it by codes, types, sentences, numbers, nested errors or pages of HTML, under almost any status.
//!
//! Codes are compared without case and punctuation, so `INSUFFICIENT_BALANCE` and `insufficient-balance` are one. Sentences are
//! read only where no code tells, and only of what stands in the place of an answer, never of an answer.

mod lists;
mod page;
mod sentence;
mod told;

use serde_json::Value;

use lists::WORDS;

pub use page::{Page, is_page, page, page_words};
pub use sentence::sentence;
pub use told::{ErrorContents, position};

/// What a refusal is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
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
    // An account that is shut is no prompt that is refused, whatever it is shut for.
    let is_shut = told.together(
        &["account", "organization", "organisation", "key"],
        &WORDS.shut,
    );
    if status != 401
        && (told.has_code(&WORDS.prompt_codes) || told.is_numbered(&WORDS.prompt_numbers))
        && !is_shut
    {
        return Some(About::Prompt);
    }
    if is_about_money(status, &told) {
        return Some(About::Money);
    }
    if told.has_code(&WORDS.region_codes) {
        return Some(About::Region);
    }
    if status == 401 || told.has_code(&WORDS.key_codes) {
        return Some(About::Key);
    }
    let may_be_a_filter = !is_busy && !matches!(status, 404 | 413 | 502..=504);
    if may_be_a_filter
        && !is_shut
        && (told.says(&WORDS.prompt_phrases)
            || told.together(
                &["violate", "violates", "violating", "violation"],
                &WORDS.rules,
            ))
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
                && told.says(&[
                    "not have access",
                    "no access",
                    "access denied",
                    "no permission",
                ])
                && !told.says(&["not exist", "not found"])))
    {
        return Some(About::Model);
    }
    if status == 451 {
        return Some(About::Region);
    }
    let may_be_loading = matches!(status, 409 | 425 | 429 | 500 | 502..=504);
    if may_be_loading && told.has_word(&WORDS.loading) {
        return Some(About::Loading);
    }
    None
}

/// Whether money or the quota of a long span is gone. The quota of a minute is none of it: 429 and "quota exceeded" are also
/// said of calls that come too fast.
fn is_about_money(status: u16, told: &ErrorContents) -> bool {
    if status == 402 || told.is_numbered(&WORDS.money_numbers) {
        return true;
    }
    let is_of_a_moment =
        told.is_soon || told.says(&WORDS.short_spans) || told.has_code(&["perminute", "persecond"]);
    let is_of_long = told.has_code(&["perday", "permonth", "dailylimit", "monthlylimit"]);
    if is_of_long || (told.has_code(&WORDS.money_codes) && !is_of_a_moment) {
        return true;
    }
    if matches!(status, 401 | 404) {
        return false;
    }
    let may_be_limited = matches!(status, 400 | 403 | 429 | 500 | 503) || status < 300;
    let of_a_day = told.has_word(&WORDS.long_spans) && told.says(&WORDS.limits);
    if may_be_limited && of_a_day {
        return true;
    }
    !is_of_a_moment && (told.says(&WORDS.money_phrases) || told.together(&WORDS.goods, &WORDS.gone))
}

#[cfg(test)]
mod tests;
