//! SerpApi: results of Bing, DuckDuckGo, Google or Yahoo as JSON. `GET /search.json` with `engine`, `api_key` and what the engine itself calls
//! its parameters; one search to the credit and page.

use reqwest::Url;
use serde_json::Value;
use turnwise_shared::prelude::*;

use super::locale::Locale;
use super::web::{Web, WebAnswer, no_list, text};
use super::{WebEngine, duckduckgo, from_day};
use crate::clock::now;
use crate::services::{ProviderError, SerpEngine};

/// The most pages that one search asks for.
const PAGES: usize = 5;

pub struct SerpApi {
    pub web: Web,
    pub engine: SerpEngine,
}

impl SerpEngine {
    /// As the service calls it.
    fn name(self) -> &'static str {
        match self {
            SerpEngine::Bing => "bing",
            SerpEngine::DuckDuckGo => "duckduckgo",
            SerpEngine::Google => "google",
            SerpEngine::Yahoo => "yahoo",
        }
    }

    /// The parameters with what is looked for, and with where a page begins.
    fn parameters(self) -> (&'static str, &'static str) {
        match self {
            SerpEngine::Bing => ("q", "first"),
            SerpEngine::DuckDuckGo | SerpEngine::Google => ("q", "start"),
            SerpEngine::Yahoo => ("p", "b"),
        }
    }

    fn of_locale(self, locale: &Locale) -> Vec<(&'static str, String)> {
        let region = locale.usual_region().map(str::to_ascii_lowercase);
        let (language, country) = match self {
            SerpEngine::Bing => {
                let region = locale.usual_region();
                let market = region.map(|region| format!("{}-{region}", locale.language));
                return market.map(|market| ("mkt", market)).into_iter().collect();
            }
            SerpEngine::DuckDuckGo => {
                return duckduckgo::region(locale).map(|code| ("kl", code)).into_iter().collect();
            }
            SerpEngine::Google => (("hl", locale.of_google().to_owned()), "gl"),
            SerpEngine::Yahoo => (("vl", format!("lang_{}", locale.language)), "vc"),
        };
        [Some(language), region.map(|region| (country, region))].into_iter().flatten().collect()
    }

    /// The range from a day to today.
    fn range(self, since: &Day) -> Option<(&'static str, String)> {
        let today = Day::of(now())?;
        match self {
            SerpEngine::Bing => {
                Some(("filters", format!("ex1:\"ez5_{}_{}\"", since.number()?, today.number()?)))
            }
            SerpEngine::DuckDuckGo => Some(("df", format!("{since}..{today}"))),
            SerpEngine::Google => Some(("tbs", from_day(since))),
            SerpEngine::Yahoo => None,
        }
    }
}

impl SerpApi {
    fn refusal(&self, came: &WebAnswer) -> ProviderError {
        let body = came.object();
        let words = body.as_ref().and_then(|body| text(body, "error"));
        let no_credit = words.is_some_and(|words| words.contains("run out of searches"));
        self.web.refusal(came, no_credit.then_some(FailureClass::Quota), words)
    }

    /// Which engine answered, by the answer's own word.
    fn is_of_engine(&self, found: &Value) -> Result<(), ProviderError> {
        match found.pointer("/search_parameters/engine").and_then(Value::as_str) {
            Some(engine) if engine == self.engine.name() => Ok(()),
            _ => Err(ProviderError::new(
                FailureClass::Undecodable,
                "the search service's answer does not say that it is of the engine that was asked",
            )),
        }
    }
}

impl WebEngine for SerpApi {
    fn web(&self) -> &Web {
        &self.web
    }

    fn by(&self) -> Option<&'static str> {
        Some(self.engine.name())
    }

    fn takes_since(&self) -> bool {
        self.engine != SerpEngine::Yahoo
    }

    async fn hits(&self, query: &Query, wanted: usize) -> Result<Vec<Hit>, ProviderError> {
        let (looked_for, offset) = self.engine.parameters();
        let mut parameters = vec![("engine", self.engine.name().to_owned())];
        parameters.push((looked_for, query.text.clone()));
        let locale = query.locale.as_deref().and_then(Locale::read);
        parameters.extend(locale.iter().flat_map(|locale| self.engine.of_locale(locale)));
        parameters.extend(query.since.iter().flat_map(|since| self.engine.range(since)));
        let mut hits = Vec::new();
        let mut page: Option<String> = None;
        for _ in 0..PAGES {
            let begins = page.as_deref().map(|begins| (offset, begins));
            let all = parameters.iter().map(|(name, value)| (*name, value.as_str())).chain(begins);
            let request = self.web.get_with_key("api_key", &all.collect::<Vec<_>>());
            let found = self.web.ask_for_object(query, request, |came| self.refusal(came)).await?;
            let results = match (found.get("organic_results"), text(&found, "error")) {
                (Some(Value::Array(results)), _) => results.as_slice(),
                (None, Some(words)) if words.contains("hasn't returned any results") => &[],
                _ => return Err(no_list()),
            };
            self.is_of_engine(&found)?;
            let any = self.web.add(&mut hits, results, ["title", "snippet", "link"]);
            page = found.pointer("/serpapi_pagination/next").and_then(|next| {
                let next = Url::parse(next.as_str()?).ok()?;
                next.query_pairs().find(|(name, _)| name == offset).map(|(_, at)| at.into_owned())
            });
            if hits.len() >= wanted || page.is_none() || !any {
                break;
            }
        }
        Ok(hits)
    }
}
