//! Pages of HTML in the place of an answer.

use super::lists::WORDS;
use crate::services::markup::{Piece, pieces};

/// What a page of HTML in the place of an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// Something before the service refused this one request.
    Refused,
    /// It wants to see a person, or shuts this address out.
    Machine,
    Other,
}

/// Whether a body is a page, and not JSON with another type.
pub fn is_page(content_type: &str, body: &[u8]) -> bool {
    let begins = body.trim_ascii_start();
    let has_tag =
        |tag: &[u8]| begins.get(..tag.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(tag));
    content_type.to_lowercase().contains("html") || has_tag(b"<!doctype html") || has_tag(b"<html")
}

/// What a page with this status is. Firewalls that refuse one text say so under 403 and its like, but also under 200.
pub fn page(status: u16, body: &[u8]) -> Page {
    let text = String::from_utf8_lossy(body).to_lowercase();
    let says = |phrases: &[String]| phrases.iter().any(|phrase| text.contains(phrase));
    let of_words = says(&WORDS.firewall_rules);
    let is_plausible = matches!(status, 200..=299 | 403 | 429 | 503);
    match status {
        _ if of_words => Page::Refused,
        _ if is_plausible && says(&WORDS.machines) => Page::Machine,
        403 | 406 | 418 | 451 => Page::Refused,
        200..=299 | 400 | 405 | 409 | 422 | 501 if says(&WORDS.firewalls) => Page::Refused,
        _ => Page::Other,
    }
}

/// What a plain text with this status is that something before the service may have written.
pub fn plain_page(status: u16, text: &str) -> Page {
    let text = text.to_lowercase();
    let says = |phrases: &[String]| phrases.iter().any(|phrase| text.contains(phrase));
    match status {
        403 | 405 | 406 | 418 | 429 | 451 | 503 if says(&WORDS.machines) => Page::Machine,
        403 | 405 | 406 | 418 | 451 | 501
            if says(&WORDS.firewall_rules)
                || says(&WORDS.firewalls)
                || says(&WORDS.plain_firewalls) =>
        {
            Page::Refused
        }
        _ => Page::Other,
    }
}

/// The title of a page, or how it begins, in one line.
pub fn page_words(body: &[u8]) -> String {
    let (mut title, mut heading, mut all) = (String::new(), String::new(), String::new());
    let mut within: Option<&str> = None;
    for piece in pieces(&String::from_utf8_lossy(body)) {
        let text = match piece {
            Piece::Open(tag) => {
                within = match tag.name().as_str() {
                    "title" if title.is_empty() => Some("title"),
                    "h1" if heading.is_empty() => Some("h1"),
                    _ => within,
                };
                " ".to_owned()
            }
            Piece::Close(name) => {
                within = within.filter(|open| *open != name);
                " ".to_owned()
            }
            Piece::Text(text) => text,
        };
        match within {
            Some("title") => title.push_str(&text),
            Some(_) => heading.push_str(&text),
            None => {}
        }
        all.push_str(&text);
    }
    let [title, heading, all] =
        [title, heading, all].map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    match (title.is_empty(), heading.is_empty()) {
        (false, false) if title != heading => format!("{title}. {heading}"),
        (false, _) => title,
        (true, false) => heading,
        (true, true) => all,
    }
}
