//! Search engines: one interface, one file each.
//!
//! An engine is asked with what the player wrote and nothing else; what it answers holds neither key nor address of the
//! service behind it.

mod documents;
pub mod local;
mod segment;
mod snippet;

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::future::BoxFuture;
use turnwise_shared::effect::{Failure, FailureClass, Hit, Query};
use turnwise_shared::wire::EngineInfo;

pub use documents::BadDocuments;
pub use local::Local;

/// A search engine.
pub trait Engine: Send + Sync {
    /// Its name, and what is known about it.
    fn info(&self) -> EngineInfo;

    /// The best hits, best first, at most as many as the query asks for.
    fn search<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Result<Vec<Hit>, Failure>>;
}

/// The engines of a server, by name.
#[derive(Clone, Default)]
pub struct Engines {
    by_name: BTreeMap<String, Arc<dyn Engine>>,
}

impl Engines {
    /// Adds an engine; one of the same name is replaced.
    pub fn add(&mut self, engine: impl Engine + 'static) {
        self.by_name.insert(engine.info().name, Arc::new(engine));
    }

    /// What can be asked.
    pub fn infos(&self) -> Vec<EngineInfo> {
        self.by_name.values().map(|engine| engine.info()).collect()
    }

    /// Asks the engine of that name.
    ///
    /// # Errors
    /// [`FailureClass::Unavailable`] if there is none, else what the engine failed with.
    pub async fn search(&self, engine: &str, query: &Query) -> Result<Vec<Hit>, Failure> {
        let Some(found) = self.by_name.get(engine) else {
            let names: Vec<_> = self.by_name.keys().map(String::as_str).collect();
            return Err(Failure::new(
                FailureClass::Unavailable,
                format!(
                    "there is no search engine {engine:?} here; there is {}",
                    names.join(", ")
                ),
            ));
        };
        let mut hits = found.search(query).await?;
        hits.truncate(usize::try_from(query.results).unwrap_or(usize::MAX));
        Ok(hits)
    }
}
