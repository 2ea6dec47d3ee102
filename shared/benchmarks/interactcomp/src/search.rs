//! What a search shows to the player (specification 5).

use turnwise_core::effect::{Hit, NOT_AN_OBJECT};
use turnwise_core::evidence::ShownResult;
use turnwise_core::prelude::*;

/// How many results a search asks for, and the most that are shown.
pub const RESULTS: u32 = 5;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
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
            .take(RESULTS as usize)
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
        let text = if failure.class == FailureClass::Undecodable && failure.detail == NOT_AN_OBJECT
        {
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
        Shown { text, word: "search error".to_owned(), tone: Tone::Failed }
    }
}

/// The results of what a search showed, one by one, for readers; `None` if it showed something else. A title ends at its first dash between
/// spaces, so one that has such a dash is cut there.
pub fn results(text: &str) -> Option<Vec<ShownResult>> {
    let mut whole: Vec<String> = Vec::new();
    for line in text.split('\n') {
        let next = format!("{}. ", whole.len() + 1);
        match (line.strip_prefix(&next), whole.last_mut()) {
            (Some(rest), _) => whole.push(rest.to_owned()),
            // A passage may have several lines.
            (None, Some(last)) => {
                last.push('\n');
                last.push_str(line);
            }
            (None, None) => return None,
        }
    }
    let all = whole.iter().map(|one| {
        let (title, rest) = one.split_once(" — ")?;
        let (text, address) = rest.strip_suffix(')')?.rsplit_once(" (src: ")?;
        let address = address.trim();
        Some(ShownResult {
            title: title.to_owned(),
            text: text.to_owned(),
            date: None,
            address: (!address.is_empty()).then(|| address.to_owned()),
        })
    });
    all.collect()
}

fn line(number: usize, hit: &Hit) -> String {
    format!(
        "{number}. {} — {} (src: {})",
        hit.title.as_deref().unwrap_or("Untitled"),
        hit.snippet.as_deref().unwrap_or_default(),
        hit.url.as_deref().unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(title: Option<&str>, snippet: Option<&str>, url: Option<&str>) -> Hit {
        Hit {
            title: title.map(str::to_owned),
            snippet: snippet.map(str::to_owned),
            url: url.map(str::to_owned),
        }
    }

    #[test]
    fn s1_five_of_eight() {
        let of = |n: u32| {
            let text = |letter: &str| format!("{letter}{n}");
            hit(Some(&text("T")), Some(&text("S")), Some(&text("L")))
        };
        let shown = Shown::found(&(1..=8).map(of).collect::<Vec<_>>());
        let lines: Vec<_> = shown.text.lines().collect();
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[0], "1. T1 — S1 (src: L1)");
        assert_eq!(lines[4], "5. T5 — S5 (src: L5)");
        assert_eq!(shown.word, "5 results");
    }

    #[test]
    fn what_was_shown_is_read_back_result_by_result() {
        let hits = [
            hit(Some("A"), Some("one — two\nthree (src: x)"), Some("https://a.example/")),
            hit(Some("B"), None, None),
        ];
        let read = results(&Shown::found(&hits).text).expect("results");
        let told: Vec<_> = read
            .iter()
            .map(|one| (one.title.as_str(), one.text.as_str(), one.address.as_deref()))
            .collect();
        let first = ("A", "one — two\nthree (src: x)", Some("https://a.example/"));
        assert_eq!(told, [first, ("B", "", None)]);
        for other in ["No results", "", "Search failed", "1. no more than a title"] {
            assert_eq!(results(other), None, "{other}");
        }
    }

    #[test]
    fn s2_nothing_found() {
        assert_eq!(Shown::found(&[]).text, "No results");
    }

    /// What engines never bring is shown all the same as the reference code does; nulls never come from an engine here.
    #[test]
    fn s3_missing() {
        assert_eq!(Shown::found(&[hit(None, None, Some("L"))]).text, "1. Untitled —  (src: L)");
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
            failed(FailureClass::Undecodable, "Expecting value: line 1 column 1 (char 0)"),
            "1. Search error — Expecting value: line 1 column 1 (char 0) (src: serper)"
        );
        assert_eq!(
            failed(FailureClass::Timeout, "no answer in time"),
            "1. Search error —  (src: serper)"
        );
    }

    #[test]
    fn s7_an_unexpected_shape() {
        let failure = Failure {
            class: FailureClass::Undecodable,
            message: "the search service's answer cannot be read".to_owned(),
            detail: NOT_AN_OBJECT.into(),
        };
        assert_eq!(Shown::failed_in_reference(&failure).text, "Search failed");
    }
}
