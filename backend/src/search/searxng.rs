//! SearXNG: the operator's own instance, which asks other engines. `POST /search` with `q`, `format=json`, `language`,
//! `pageno`; JSON has to be switched on in its `search.formats`, else it answers 403. It takes no number of results.

use serde_json::Value;
use turnwise_shared::prelude::*;

use super::WebEngine;
use super::locale::Locale;
use super::web::{Web, WebAnswer, list};
use crate::services::ProviderError;

/// The most pages that one search asks for.
const PAGES: usize = 3;

pub struct Searxng {
    pub web: Web,
}

impl Searxng {
    fn refusal(&self, came: &WebAnswer) -> ProviderError {
        // Its limiter answers so for ever, where it takes a client for a bot; one that only wants fewer calls says when.
        let is_limiter = came.status == 429 && came.is_page() && !came.says_when();
        let known = is_limiter.then_some(FailureClass::Blocked);
        let mut miss = self.web.refusal(came, known, None);
        if is_limiter {
            miss.failure.message =
                "the limiter of the search service takes this server for a bot (status 429): the operator of the instance \
                 lets it through by pass_ip in limiter.toml"
                    .to_owned();
        } else if came.status == 403 && miss.failure.class == FailureClass::Unauthorised {
            miss.failure.message =
                "the search service refused the request (status 403): its operator has to allow JSON in search.formats"
                    .to_owned();
        }
        miss
    }
}

/// Whether the engines behind the instance answered.
///
/// # Errors
/// If some did not: pairs of an engine's name and why, in words that vary with the engine.
fn unanswered(found: &Value) -> Result<(), ProviderError> {
    let silent = found.get("unresponsive_engines").and_then(Value::as_array);
    let reasons: Vec<String> = silent
        .into_iter()
        .flatten()
        .map(|one| one.get(1).and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase())
        .collect();
    if reasons.is_empty() {
        return Ok(());
    }
    let all = |words: &[&str]| {
        reasons.iter().all(|reason| words.iter().any(|word| reason.contains(word)))
    };
    Err(if all(&["captcha", "access denied"]) {
        ProviderError::new(
            FailureClass::Blocked,
            "the engines behind the search service want a captcha",
        )
    } else if all(&["captcha", "access denied", "too many requests", "suspended"]) {
        ProviderError::new(
            FailureClass::RateLimited,
            "the engines behind the search service asked for fewer calls",
        )
    } else {
        ProviderError::new(
            FailureClass::Server,
            "the engines behind the search service did not answer",
        )
    })
}

impl WebEngine for Searxng {
    fn web(&self) -> &Web {
        &self.web
    }

    fn takes_since(&self) -> bool {
        false
    }

    async fn hits(&self, query: &Query, wanted: usize) -> Result<Vec<Hit>, ProviderError> {
        let locale = query.locale.as_deref().and_then(Locale::read);
        let language = locale.map_or_else(|| "all".to_owned(), |locale| locale.tag());
        let mut hits = Vec::new();
        for page in 1..=PAGES {
            let page = page.to_string();
            let request = self.web.post_form(&[
                ("q", query.text.as_str()),
                ("format", "json"),
                ("language", &language),
                ("pageno", &page),
            ]);
            let request = self.web.with_key(request, "Authorization", "Bearer ");
            let found = self.web.ask_for_object(query, request, |came| self.refusal(came)).await?;
            let results = list(&found, "results")?;
            let any = self.web.add(&mut hits, results, ["title", "content", "url"]);
            if hits.is_empty() {
                // Nothing found, or no engine there to find it: the two must not look alike.
                unanswered(&found)?;
            }
            if hits.len() >= wanted || !any {
                break;
            }
        }
        Ok(hits)
    }
}
