//! Serper: Google's results as JSON. `POST /search` with `q`, `gl` (country), `hl` (language), `num`, `page`; ten results to
//! the credit.

use serde_json::{Map, Value};
use turnwise_shared::prelude::*;

use super::locale::Locale;
use super::web::{Web, WebAnswer, list, text};
use super::{WebEngine, from_day};
use crate::services::ProviderError;

/// Results of a page: more of them cost two credits.
const PAGE: usize = 10;
/// The most pages that one search asks for.
const PAGES: usize = 5;

pub struct Serper {
    pub web: Web,
}

impl Serper {
    fn refusal(&self, came: &WebAnswer) -> ProviderError {
        let body = came.object();
        let words = body.as_ref().and_then(|body| text(body, "message"));
        let no_credit = came.status == 400
            && words.is_some_and(|words| words.to_ascii_lowercase().contains("not enough credits"));
        self.web.refusal(came, no_credit.then_some(FailureClass::Quota), words)
    }
}

fn body(query: &Query, page: usize) -> Value {
    let mut body = Map::new();
    body.insert("q".into(), query.text.as_str().into());
    if let Some(locale) = query.locale.as_deref().and_then(Locale::read) {
        if let Some(region) = locale.usual_region() {
            body.insert("gl".into(), region.to_ascii_lowercase().into());
        }
        body.insert("hl".into(), locale.of_google().into());
    }
    if let Some(since) = &query.since {
        body.insert("tbs".into(), from_day(since).into());
    }
    body.insert("num".into(), PAGE.into());
    body.insert("page".into(), page.into());
    body.into()
}

impl WebEngine for Serper {
    fn web(&self) -> &Web {
        &self.web
    }

    async fn hits(&self, query: &Query, wanted: usize) -> Result<Vec<Hit>, ProviderError> {
        let mut hits = Vec::new();
        for page in 1..=PAGES {
            let request = self.web.post_json(&body(query, page));
            let request = self.web.with_key(request, "X-API-KEY", "");
            let found = self.web.ask_for_object(query, request, |came| self.refusal(came)).await?;
            let organic = list(&found, "organic")?;
            let any = self.web.add(&mut hits, organic, ["title", "snippet", "link"]);
            // A page that is not full is the last one.
            if hits.len() >= wanted || organic.len() < PAGE || !any {
                break;
            }
        }
        Ok(hits)
    }
}
