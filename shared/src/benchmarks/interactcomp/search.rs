//! What a search shows to the player (specification 5).

use crate::effect::{Failure, FailureClass, Hit};
use crate::json::{Json, Object};
use crate::note::Tone;
use crate::python;

/// The most results that are shown; a larger setting of the reference code has no effect.
const SHOWN: usize = 5;

/// What a search shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The observation.
    pub text: String,
    /// A word for the ribbon.
    pub word: String,
    /// How the bar is drawn.
    pub tone: Tone,
}

impl Shown {
    /// The first five hits, one a line, or `No results`.
    pub fn found(hits: &[Hit]) -> Self {
        let lines: Vec<_> = hits
            .iter()
            .take(SHOWN)
            .enumerate()
            .map(|(position, hit)| line(position + 1, hit))
            .collect();
        if lines.is_empty() {
            return Shown {
                text: "No results".to_owned(),
                word: "no results".to_owned(),
                tone: Tone::Negative,
            };
        }
        Shown {
            text: lines.join("\n"),
            word: match lines.len() {
                1 => "1 result".to_owned(),
                count => format!("{count} results"),
            },
            tone: Tone::Neutral,
        }
    }

    /// The reference code was started without a search engine.
    pub fn no_engine() -> Self {
        Shown {
            text: "No search engine configured".to_owned(),
            word: "no engine".to_owned(),
            tone: Tone::Failed,
        }
    }

    /// What the reference code shows when a search fails: one result that is none (S4 to S6), or, where the reply had an
    /// unexpected shape, a sentence (S7).
    pub fn failed_in_reference(failure: &Failure) -> Self {
        let text =
            if failure.class == FailureClass::Undecodable && failure.detail == "not an object" {
                "Search failed".to_owned()
            } else {
                let hit = Hit {
                    title: Some("Search error".to_owned()),
                    snippet: Some(match failure.class {
                        // Python's time-out has no message.
                        FailureClass::Timeout => String::new(),
                        _ => failure.message.clone(),
                    }),
                    url: Some("serper".to_owned()),
                };
                line(1, &hit)
            };
        Shown {
            text,
            word: "search error".to_owned(),
            tone: Tone::Failed,
        }
    }
}

fn line(number: usize, hit: &Hit) -> String {
    format!(
        "{number}. {} — {} (src: {})",
        hit.title.as_deref().unwrap_or("Untitled"),
        hit.snippet.as_deref().unwrap_or_default(),
        hit.url.as_deref().unwrap_or_default()
    )
}

/// The hits in a reply of Serper as the reference code reads them: at most `limit`, a null turned into the text `None`, a
/// missing title left to [`Shown::found`].
///
/// # Errors
/// If the reply is not an object: the reference code raises there.
pub fn serper_in_reference(reply: &Json, limit: usize) -> Result<Vec<Hit>, Failure> {
    let Some(reply) = reply.as_object() else {
        return Err(Failure {
            class: FailureClass::Undecodable,
            message: "the reply is not an object".to_owned(),
            detail: "not an object".into(),
        });
    };
    let items = match reply.get("organic") {
        Some(Json::List(items)) => items.as_slice(),
        _ => &[],
    };
    Ok(items
        .iter()
        .filter_map(Json::as_object)
        .take(limit)
        .map(|item| Hit {
            title: text(item, "title"),
            snippet: text(item, "snippet"),
            url: text(item, "link"),
        })
        .collect())
}

fn text(item: &Object, key: &str) -> Option<String> {
    item.get(key).map(python::text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Dialect, parse};

    fn shown(reply: &str, limit: usize) -> String {
        let reply = parse(reply, Dialect::Python).expect("the fixture is JSON");
        match serper_in_reference(&reply, limit) {
            Ok(hits) => Shown::found(&hits).text,
            Err(failure) => Shown::failed_in_reference(&failure).text,
        }
    }

    #[test]
    fn s1_five_of_eight() {
        let items: Vec<_> = (1..=8)
            .map(|n| format!(r#"{{"title":"T{n}","snippet":"S{n}","link":"L{n}"}}"#))
            .collect();
        let text = shown(&format!(r#"{{"organic":[{}]}}"#, items.join(",")), 7);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[0], "1. T1 — S1 (src: L1)");
        assert_eq!(lines[4], "5. T5 — S5 (src: L5)");
    }

    #[test]
    fn s2_nothing_found() {
        for reply in [r#"{"organic":[]}"#, "{}", r#"{"organic":null}"#] {
            assert_eq!(shown(reply, 5), "No results", "{reply}");
        }
    }

    #[test]
    fn s3_missing_and_null() {
        let reply = r#"{"organic":[{"link":"L"},{"title":null,"snippet":null,"link":null}]}"#;
        assert_eq!(
            shown(reply, 5),
            "1. Untitled —  (src: L)\n2. None — None (src: None)"
        );
    }

    #[test]
    fn s4_to_s6_failures_are_one_result_that_is_none() {
        let failed =
            |class, message: &str| Shown::failed_in_reference(&Failure::new(class, message)).text;
        assert_eq!(
            failed(FailureClass::Unauthorised, "403, message='Forbidden'"),
            "1. Search error — 403, message='Forbidden' (src: serper)"
        );
        assert_eq!(
            failed(
                FailureClass::Undecodable,
                "Expecting value: line 1 column 1 (char 0)"
            ),
            "1. Search error — Expecting value: line 1 column 1 (char 0) (src: serper)"
        );
        assert_eq!(
            failed(FailureClass::Timeout, "no answer in time"),
            "1. Search error —  (src: serper)"
        );
    }

    #[test]
    fn s7_an_unexpected_shape() {
        assert_eq!(shown("[1]", 5), "Search failed");
    }
}
