//! Tavily: `POST /search` with `query`, `max_results` (to 20) and `country` (by its English name; it knows no language). It
//! refuses queries above 400 signs. It has no further pages.

use serde_json::{Map, Value};
use turnwise_shared::prelude::*;

use super::locale::Locale;
use super::web::{AT_LEAST, Web, WebAnswer, add, no_list, text};
use super::{WebEngine, shortened};
use crate::services::ProviderError;

const MOST: usize = 20;
/// The longest query, in signs and in words.
const LONGEST: (usize, usize) = (400, usize::MAX);

/// Countries as it calls them.
const COUNTRIES: [(&str, &str); 40] = [
    ("AR", "argentina"),
    ("AT", "austria"),
    ("AU", "australia"),
    ("BE", "belgium"),
    ("BR", "brazil"),
    ("CA", "canada"),
    ("CH", "switzerland"),
    ("CL", "chile"),
    ("CN", "china"),
    ("CZ", "czech republic"),
    ("DE", "germany"),
    ("DK", "denmark"),
    ("ES", "spain"),
    ("FI", "finland"),
    ("FR", "france"),
    ("GB", "united kingdom"),
    ("GR", "greece"),
    ("HU", "hungary"),
    ("ID", "indonesia"),
    ("IE", "ireland"),
    ("IL", "israel"),
    ("IN", "india"),
    ("IT", "italy"),
    ("JP", "japan"),
    ("KR", "south korea"),
    ("MX", "mexico"),
    ("MY", "malaysia"),
    ("NL", "netherlands"),
    ("NO", "norway"),
    ("NZ", "new zealand"),
    ("PL", "poland"),
    ("PT", "portugal"),
    ("RU", "russia"),
    ("SA", "saudi arabia"),
    ("SE", "sweden"),
    ("SG", "singapore"),
    ("TR", "turkey"),
    ("TW", "taiwan"),
    ("US", "united states"),
    ("VN", "vietnam"),
];

pub struct Tavily {
    web: Web,
}

impl Tavily {
    /// Over the way to its service.
    pub fn new(web: Web) -> Self {
        Tavily { web }
    }

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
        COUNTRIES.iter().find(|(code, _)| *code == region)
    });
    if let Some((_, country)) = country {
        body.insert("country".into(), (*country).into());
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
        let came = self.web.ask(query, request).await?;
        if !came.is_success() {
            return Err(self.refusal(&came));
        }
        let found = came.expect_object()?;
        let results = found.get("results").and_then(Value::as_array).ok_or_else(no_list)?;
        let mut hits = Vec::new();
        add(
            &mut hits,
            results.iter().filter_map(|one| {
                self.web.hit(text(one, "title"), text(one, "content"), text(one, "url"))
            }),
        );
        Ok(hits)
    }
}
