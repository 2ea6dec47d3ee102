//! The app's page with what is said of a run or an episode in it. Words that are put in are escaped here; what comes first is markup
//! that [`first`](super::first) has escaped.

use html_escape::{encode_double_quoted_attribute, encode_safe};

use super::{Preview, Shell};

/// Where the page has room for what is said (`frontend/index.html`).
const TOLD: &str = "<!--told-->";

/// What says that the app is still to come (`frontend/index.html`).
const BOOT: (&str, &str) = ("<!--boot-->", "<!--/boot-->");

/// What everything stands in (`frontend/index.html`), and the same on a run's own page (`frontend/src/lib.rs`).
const MAIN: &str = "<main class=\"page\"";
const MAIN_OF_RUN: &str = "<main class=\"page is-run\"";

/// The app's page for an address under `base` (scheme and host), with title, description, picture and summary, and with what it
/// shows `first` where that is known; the page as it is where it has no place for them.
pub fn into_page(page: &str, told: &Preview, first: Option<&Shell>, base: &str) -> String {
    let text = told.words();
    let title = format!("{} · Turnwise", told.title);
    let mut head = format!("<title>{}</title>", encode_safe(&title));
    let mut meta = |kind: &str, name: &str, content: &str| {
        head.push_str(&format!(
            "<meta {kind}=\"{name}\" content=\"{}\">",
            // Some of those who show links read addresses without decoding what need not be encoded, as `/`.
            encode_double_quoted_attribute(content)
        ));
    };
    let picture = format!("{base}{}", told.picture);
    meta("name", "robots", "noindex, nofollow");
    meta("name", "description", &text);
    meta("property", "og:site_name", "Turnwise");
    meta("property", "og:type", "article");
    meta("property", "og:title", &told.title);
    meta("property", "og:description", &text);
    meta("property", "og:image", &picture);
    meta("property", "og:image:width", "1200");
    meta("property", "og:image:height", "630");
    meta("name", "twitter:card", "summary_large_image");
    if let Some(canary) = &told.canary {
        meta("name", "canary", canary);
    }
    if first.is_some_and(|first| first.stays) {
        // On a phone the app waits for its reader then (`xtask/src/web/early.rs`).
        meta("name", "turnwise", "stays");
    }
    let title = encode_safe(&told.title);
    let seen = match first {
        Some(_) => told.sentences.join(" "),
        None => text,
    };
    let body = format!("<p class=\"soft told-about\">{}</p>", encode_safe(&seen));
    let canary = told
        .canary
        .as_ref()
        .map_or_else(String::new, |canary| format!("<p>{}</p>", encode_safe(canary)));
    let question = told.question.as_ref().map_or_else(String::new, |question| {
        let language = question.language.as_deref().unwrap_or_default();
        format!(
            "<p class=\"told-question\" lang=\"{}\">{}</p>",
            encode_double_quoted_attribute(language),
            encode_safe(&question.text)
        )
    });
    let page = without_description(page);
    let page = put(&page, "<title>Turnwise</title>", &head);
    let summary = format!("<h1>{title}</h1>{body}{question}");
    if page.contains(TOLD) {
        // It is what everybody sees first, in the place where the app will say the same.
        let mut seen = match first.and_then(|first| first.heading.as_ref()) {
            Some(heading) => heading.clone(),
            None => format!("<div class=\"page-head\"><div>{summary}</div></div>"),
        };
        let page = match first {
            Some(first) => {
                seen.push_str(&first.markup);
                let page = match first.heading.is_some() {
                    true => put(&page, MAIN, MAIN_OF_RUN),
                    false => page,
                };
                without(&page, BOOT)
            }
            None => page,
        };
        let page = put(&page, TOLD, &seen);
        if first.is_some_and(|first| first.is_whole) {
            return without_words(&page, &canary);
        }
        return put(&page, "<noscript>", &format!("<noscript>{canary}"));
    }
    put(&page, "<noscript>", &format!("<noscript>{summary}{canary}"))
}

/// The page's own description gives way.
fn without_description(page: &str) -> String {
    let Some(start) = page.find("<meta name=\"description\"") else {
        return page.to_owned();
    };
    match page[start..].find('>') {
        Some(end) => format!("{}{}", &page[..start], &page[start + end + 1..]),
        None => page.to_owned(),
    }
}

/// The page that says to readers without scripts no more than this: nothing is missing for them.
fn without_words(page: &str, canary: &str) -> String {
    let Some((before, rest)) = page.split_once("<noscript>") else {
        return page.to_owned();
    };
    let after = rest.split_once("</noscript>").map_or("", |(_, after)| after);
    match canary.is_empty() {
        true => format!("{before}{after}"),
        false => format!("{before}<noscript>{canary}</noscript>{after}"),
    }
}

/// The page without what stands between two marks; as it is without them.
fn without(page: &str, (open, close): (&str, &str)) -> String {
    let parts = page.split_once(open).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(close)?;
        Some(format!("{before}{after}"))
    });
    parts.unwrap_or_else(|| page.to_owned())
}

fn put(page: &str, place: &str, text: &str) -> String {
    page.replacen(place, text, 1)
}
