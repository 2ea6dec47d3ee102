//! Parts of a text, for readers that go on from where they were, and nothing for those that have it already (RFC 9110). Of a text no
//! more is read than what is sent.

use std::ops::Range;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// What is known of a text before any of it is read.
#[derive(Debug)]
pub struct About<'a> {
    pub kind: &'a str,
    /// Names it as it is now.
    pub tag: &'a str,
    pub bytes: u64,
}

/// What of a text is to be sent.
#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    Whole,
    /// These bytes.
    Part(Range<u64>),
    /// Bytes that it does not have.
    Beyond,
}

/// Answers with a text, or the part of it that the request names; `body` makes what these bytes are sent from. `HEAD` knows no parts
/// and gets the headers that `GET` would send with the whole.
pub fn answer(
    method: &Method,
    asked: &HeaderMap,
    about: &About<'_>,
    body: impl FnOnce(Range<u64>) -> Body,
) -> Response {
    let tag = format!("\"{}\"", about.tag);
    let said = |name: HeaderName| asked.get(name).and_then(|value| value.to_str().ok());
    let whole = about.bytes;
    let headers = [
        (header::CONTENT_TYPE, about.kind.to_owned()),
        (header::ETAG, tag.clone()),
        (header::ACCEPT_RANGES, "bytes".to_owned()),
    ];
    if is_known(asked, &tag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    // A part of what the text was then is no part of what it is now.
    let range = match said(header::IF_RANGE) {
        _ if method == Method::HEAD => None,
        Some(known) if known.trim() != tag => None,
        _ => said(header::RANGE),
    };
    let length = |bytes: u64| (header::CONTENT_LENGTH, bytes.to_string());
    match wanted(range, whole) {
        Wanted::Whole if method == Method::HEAD => {
            (headers, [length(whole)], Body::empty()).into_response()
        }
        Wanted::Whole => (headers, [length(whole)], body(0..whole)).into_response(),
        Wanted::Part(part) => {
            let place = format!("bytes {}-{}/{whole}", part.start, part.end - 1);
            let more = [(header::CONTENT_RANGE, place), length(part.end - part.start)];
            let status = StatusCode::PARTIAL_CONTENT;
            (status, headers, more, body(part)).into_response()
        }
        Wanted::Beyond => {
            let place = format!("bytes */{whole}");
            let status = StatusCode::RANGE_NOT_SATISFIABLE;
            (status, [(header::CONTENT_RANGE, place)]).into_response()
        }
    }
}

/// Whether a reader has what a tag names (its quotation marks are part of it), so that it need not be sent. What a proxy packed
/// on the way is known by a weak tag; here the content counts, whatever its bytes.
pub(super) fn is_known(asked: &HeaderMap, tag: &str) -> bool {
    let is_tag = |known: &str| {
        let known = known.trim();
        known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag
    };
    asked
        .get(header::IF_NONE_MATCH)
        .and_then(|known| known.to_str().ok())
        .is_some_and(|known| known.split(',').any(is_tag))
}

/// Reads a `Range`. One that is not understood, or names several parts, may be left unheard.
fn wanted(range: Option<&str>, whole: u64) -> Wanted {
    let read = |range: &str| {
        let (first, last) = range.trim().strip_prefix("bytes=")?.split_once('-')?;
        let number = |text: &str| text.trim().parse::<u64>().ok();
        let (start, end) = match (first.trim(), last.trim()) {
            ("", "") => return None,
            ("", last) => (whole.saturating_sub(number(last)?), whole),
            (first, "") => (number(first)?, whole),
            (first, last) => {
                let (first, last) = (number(first)?, number(last)?);
                if last < first {
                    return None;
                }
                (first, last.saturating_add(1).min(whole))
            }
        };
        Some(start..end)
    };
    match range.and_then(read) {
        None => Wanted::Whole,
        Some(part) if part.is_empty() => Wanted::Beyond,
        Some(part) => Wanted::Part(part),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn a_tag_is_known_among_others_and_where_it_was_weakened() {
        let known = |list: &'static str| {
            let asked = (header::IF_NONE_MATCH, HeaderValue::from_static(list));
            is_known(&HeaderMap::from_iter([asked]), "\"1\"")
        };
        for list in ["\"1\"", "W/\"1\"", "\"0\", \"1\"", "*"] {
            assert!(known(list), "{list}");
        }
        assert!(!known("\"2\"") && !known("1"));
        assert!(!is_known(&HeaderMap::new(), "\"1\""));
    }

    #[test]
    fn a_range_is_read_as_the_standard_says() {
        for (range, expected) in [
            ("bytes=0-3", Wanted::Part(0..4)),
            ("bytes=4-", Wanted::Part(4..10)),
            ("bytes=-3", Wanted::Part(7..10)),
            ("bytes=-30", Wanted::Part(0..10)),
            ("bytes=8-99", Wanted::Part(8..10)),
            ("bytes=10-", Wanted::Beyond),
            ("bytes=12-14", Wanted::Beyond),
            ("bytes=-0", Wanted::Beyond),
            ("bytes=3-1", Wanted::Whole),
            ("bytes=0-1,4-5", Wanted::Whole),
            ("bytes=-", Wanted::Whole),
            ("lines=1-2", Wanted::Whole),
        ] {
            assert_eq!(wanted(Some(range), 10), expected, "{range}");
        }
        assert_eq!(wanted(None, 10), Wanted::Whole);
    }
}
