//! Search engines: one interface, one file each.
//!
//! An engine is asked with what the player wrote and nothing else; what it answers holds neither key nor address of the
//! service behind it.

mod brave;
mod documents;
mod duckduckgo;
pub mod local;
mod locale;
mod searxng;
mod serpapi;
mod serper;
mod tavily;
mod web;

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::future::BoxFuture;
use turnwise_shared::prelude::*;

use crate::config::{Documents, EngineConfig, EngineService, Limits};
use crate::services::reach::Reach;
use crate::services::throttle::Throttle;
use crate::services::{ProviderError, SearchFormat};
use brave::Brave;
pub use documents::BadDocuments;
use duckduckgo::DuckDuckGo;
pub use local::Local;
use searxng::Searxng;
use serpapi::SerpApi;
use serper::Serper;
use tavily::Tavily;
use web::Web;

pub trait Engine: Send + Sync {
    /// Its name, and what is known about it.
    fn info(&self) -> EngineInfo;

    /// How many requests it gets at once, where it is on the network.
    fn throttle(&self) -> Option<&Throttle> {
        None
    }

    /// Which engine stands behind its service, where that is not clear from its format.
    fn by(&self) -> Option<&'static str> {
        None
    }

    /// Whether it takes [`Query::since`].
    fn takes_since(&self) -> bool {
        false
    }

    /// One attempt: the best hits, best first, `wanted` of them (at least 1). More may come, they are cut off; fewer only
    /// where the service has no more. The text that is looked for is not blank.
    fn search<'a>(
        &'a self,
        query: &'a Query,
        wanted: usize,
    ) -> BoxFuture<'a, Result<Vec<Hit>, ProviderError>>;
}

/// An engine on the network.
trait WebEngine: Send + Sync {
    /// The way to its service.
    fn web(&self) -> &Web;

    /// As [`Engine::by`].
    fn by(&self) -> Option<&'static str> {
        None
    }

    /// As [`Engine::takes_since`].
    fn takes_since(&self) -> bool {
        true
    }

    /// As [`Engine::search`].
    fn hits(
        &self,
        query: &Query,
        wanted: usize,
    ) -> impl Future<Output = Result<Vec<Hit>, ProviderError>> + Send;
}

impl<T: WebEngine> Engine for T {
    fn info(&self) -> EngineInfo {
        self.web().info()
    }

    fn throttle(&self) -> Option<&Throttle> {
        Some(self.web().throttle())
    }

    fn by(&self) -> Option<&'static str> {
        WebEngine::by(self)
    }

    fn takes_since(&self) -> bool {
        WebEngine::takes_since(self)
    }

    fn search<'a>(
        &'a self,
        query: &'a Query,
        wanted: usize,
    ) -> BoxFuture<'a, Result<Vec<Hit>, ProviderError>> {
        Box::pin(self.hits(query, wanted))
    }
}

/// The beginning of a query, for services that refuse longer ones: whole words where that is possible.
fn shortened(text: &str, (characters, words): (usize, usize)) -> &str {
    let text = text.trim();
    let mut end = 0;
    let mut word = 0;
    let mut inside = false;
    for (count, (at, character)) in text.char_indices().enumerate() {
        if character.is_whitespace() {
            if inside {
                end = at;
            }
            inside = false;
        } else if !inside {
            word += 1;
            inside = true;
        }
        if word > words {
            return &text[..end];
        }
        if count == characters {
            return &text[..if end == 0 { at } else { end }];
        }
    }
    text
}

/// Pages from a day on, as Google has it.
fn from_day(day: &Day) -> String {
    let (year, month, day) = day.parts();
    format!("cdr:1,cd_min:{month}/{day}/{year}")
}

/// The engines of a server, by name.
#[derive(Clone, Default)]
pub struct Engines {
    by_name: BTreeMap<String, Arc<dyn Engine>>,
}

impl Engines {
    /// How many requests each gets at once that is on the network.
    pub fn throttles(&self) -> impl Iterator<Item = &Throttle> {
        self.by_name.values().filter_map(|engine| engine.throttle())
    }

    /// What limits requests to this engine; absent if it is on this machine, or there is none of that name.
    pub fn throttle(&self, engine: &str) -> Option<&Throttle> {
        self.by_name.get(engine).and_then(|engine| engine.throttle())
    }

    /// Makes an engine of the configuration ready and adds it.
    ///
    /// # Errors
    /// Why it cannot be made ready. No address and no key is in it.
    pub async fn open(
        &mut self,
        config: &EngineConfig,
        limits: &Limits,
        reach: &Reach,
    ) -> Result<(), String> {
        let name = config.name.as_str();
        match &config.service {
            EngineService::Local(documents) => {
                let engine = match documents {
                    Documents::Samples => Local::samples().await,
                    Documents::Path(path) => Local::open(path).await,
                };
                self.add(engine.map_err(|error| error.to_string())?.named(name));
            }
            EngineService::Remote(format, remote) => {
                let web = Web::new(name, remote, format.service(), limits, reach);
                let web = web.map_err(|_: reqwest::Error| {
                    "this machine's certificates or network cannot be used".to_owned()
                })?;
                match format {
                    SearchFormat::Serper => self.add(Serper { web }),
                    SearchFormat::Brave => self.add(Brave { web }),
                    SearchFormat::Tavily => self.add(Tavily { web }),
                    SearchFormat::Searxng => self.add(Searxng { web }),
                    SearchFormat::DuckDuckGo => self.add(DuckDuckGo { web }),
                    SearchFormat::SerpApi(engine) => self.add(SerpApi { web, engine: *engine }),
                }
            }
        }
        Ok(())
    }

    /// Adds an engine; one of the same name is replaced.
    pub fn add(&mut self, engine: impl Engine + 'static) {
        self.by_name.insert(engine.info().name, Arc::new(engine));
    }

    pub fn infos(&self) -> Vec<EngineInfo> {
        self.by_name.values().map(|engine| engine.info()).collect()
    }

    /// Asks the engine of that name once. Every engine gives as many hits as the query asks for, or all that it has; a
    /// blank query has none.
    ///
    /// # Errors
    /// [`FailureClass::Unavailable`] if there is none, [`FailureClass::Rejected`] if it takes no range of days and the query has one,
    /// else what the engine failed with.
    pub async fn search(&self, engine: &str, query: &Query) -> Result<Reply, ProviderError> {
        let Some(found) = self.by_name.get(engine) else {
            let names: Vec<_> = self.by_name.keys().map(String::as_str).collect();
            return Err(ProviderError::new(
                FailureClass::Unavailable,
                format!("there is no search engine {engine:?} here; there is {}", names.join(", ")),
            ));
        };
        let wanted = usize::try_from(query.results).unwrap_or(usize::MAX);
        if query.since.is_some() && !found.takes_since() {
            let what = format!(
                "the search engine {engine} finds pages of any day only; ask without a first day"
            );
            return Err(ProviderError::new(FailureClass::Rejected, what));
        }
        if wanted == 0 || query.text.trim().is_empty() {
            return Ok(Reply::found(Vec::new()));
        }
        let mut hits = found.search(query, wanted).await?;
        hits.truncate(wanted);
        Ok(Reply::Found { hits, by: found.by().map(str::to_owned) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_queries_lose_whole_words_at_their_end() {
        for (text, limits, wanted) in [
            (" one two ", (400, 50), "one two"),
            ("one two three", (400, 2), "one two"),
            ("one two three", (9, 50), "one two"),
            ("渡禾节在河东岸", (4, 50), "渡禾节在"),
            ("", (4, 50), ""),
        ] {
            assert_eq!(shortened(text, limits), wanted, "{text}");
        }
    }
}
