//! Tavily: `POST /search` with `query`, `max_results` (to 20) and `country` (by its English name; it knows no language). It
//! refuses queries above 400 signs. It has no further pages.

use serde_json::{Map, Value};
use turnwise_shared::prelude::*;

use super::locale::Locale;
use super::web::{AT_LEAST, Web, WebAnswer, list, text};
use super::{WebEngine, shortened};
use crate::services::ProviderError;

const MOST: usize = 20;
/// The longest query, in signs and in words.
const LONGEST: (usize, usize) = (400, usize::MAX);

/// Countries as it calls them, each after its code and a tab.
const COUNTRIES: &str = include_str!("tavily_countries.tsv");

pub struct Tavily {
    pub web: Web,
}

impl Tavily {
    fn refusal(&self, came: &WebAnswer) -> ProviderError {
        let known = match came.status {
            // The plan's limit, and the limit of what may be paid beyond it.
            432 | 433 => Some(FailureClass::Quota),
            _ => None,
        };
        let body = came.object();
        let detail = body.as_ref().and_then(|body| body.get("detail"));
        let words = detail.and_then(|detail| detail.as_str().or_else(|| text(detail, "error")));
        self.web.refusal(came, known, words)
    }
}

fn body(query: &Query, wanted: usize) -> Value {
    let mut body = Map::new();
    body.insert("query".into(), shortened(&query.text, LONGEST).into());
    body.insert("topic".into(), "general".into());
    body.insert("search_depth".into(), "basic".into());
    body.insert("max_results".into(), wanted.clamp(AT_LEAST, MOST).into());
    let locale = query.locale.as_deref().and_then(Locale::read);
    let country = locale.as_ref().and_then(|locale| {
        let region = locale.usual_region()?;
        COUNTRIES.lines().find_map(|line| line.strip_prefix(region)?.strip_prefix('\t'))
    });
    if let Some(country) = country {
        body.insert("country".into(), country.into());
    }
    if let Some(since) = &query.since {
        body.insert("start_date".into(), since.to_string().into());
    }
    body.into()
}

impl WebEngine for Tavily {
    fn web(&self) -> &Web {
        &self.web
    }

    async fn hits(&self, query: &Query, wanted: usize) -> Result<Vec<Hit>, ProviderError> {
        let request = self.web.post_json(&body(query, wanted));
        let request = self.web.with_key(request, "Authorization", "Bearer ");
        let found = self.web.ask_for_object(query, request, |came| self.refusal(came)).await?;
        let mut hits = Vec::new();
        self.web.add(&mut hits, list(&found, "results")?, ["title", "content", "url"]);
        Ok(hits)
    }
}
