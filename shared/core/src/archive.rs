//! The web as earlier runs saw it, so that others play on the same one: pages by address and locale, found results by engine and
//! query (rule 50). It answers by content, for any player and in any order; nothing of it is ever fetched.

mod index;
pub mod segment;
pub mod snippet;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::effect::{CallId, Failure, FailureClass, Made, Page, Query, Reply, Visit};
use crate::hash::{Digest, canonical};
use crate::spec::SearchSpec;
use crate::transcript::{Event, Request, Transcript, Used};
use index::Index;

/// [`Reply::Found`] by the index over the archive's pages, because no archived run had asked that.
pub const BY_INDEX: &str = "index";

/// The archives that a run may read, by digest.
pub type Archives = BTreeMap<Digest, Arc<Archive>>;

/// What is in an archive.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Content {
    /// A web that was written and not visited: its pages are the same for every locale, and the index is its only engine.
    is_written: bool,
    /// The engines that were searched.
    engines: BTreeSet<String>,
    /// By the canonical form of the visit.
    pages: BTreeMap<String, Reply>,
    /// By the canonical form of engine and query.
    searches: BTreeMap<String, Reply>,
}

/// An archive, ready to answer.
#[derive(Debug)]
pub struct Archive {
    content: Content,
    digest: Digest,
    /// Last addresses of redirects that were not visited themselves, and where in `content.pages` they are.
    last: BTreeMap<String, String>,
    index: Index,
}

impl Content {
    /// Of a web that was written and not visited, with the name under which its index is searched.
    pub fn written(engine: &str) -> Self {
        Content { is_written: true, engines: [engine.to_owned()].into(), ..Content::default() }
    }

    /// Adds what an episode read and found. What was found by an index over an archive is no answer of an engine, and what failed
    /// for the moment, or because of the run, says nothing about the web.
    pub fn add(&mut self, transcript: &Transcript) {
        let search = transcript.header.spec.search.as_ref();
        let engine = search.map(|search| search.frozen_engine().unwrap_or(&search.engine));
        self.engines.extend(engine.map(str::to_owned));
        for (request, reply) in exchanges(transcript) {
            match (request, reply) {
                (Request::Use(Used::Page(visit)), _) => self.put(visit, reply.clone()),
                (Request::Search(query), Reply::Found { by, .. })
                    if by.as_deref() != Some(BY_INDEX) =>
                {
                    let key = canonical(&(engine, query));
                    keep(&mut self.searches, key, reply.clone());
                }
                _ => {}
            }
        }
    }

    /// Adds what came of a visit.
    pub fn put(&mut self, visit: &Visit, reply: Reply) {
        let lasts = match &reply {
            Reply::Made(Made::Page(_)) => true,
            Reply::Failed(failure) => {
                !failure.class.can_succeed_later() && !failure.class.is_of_the_run()
            }
            _ => false,
        };
        if lasts {
            keep(&mut self.pages, key(&visit.url, visit.locale.as_deref()), reply);
        }
    }
}

impl Archive {
    pub fn new(content: Content) -> Self {
        let mut last = BTreeMap::new();
        let mut pages: BTreeMap<&str, &Page> = BTreeMap::new();
        for (asked, reply) in &content.pages {
            let Reply::Made(Made::Page(page)) = reply else { continue };
            let locale = serde_json::from_str::<Visit>(asked).ok().and_then(|visit| visit.locale);
            last.entry(key(&page.url, locale.as_deref())).or_insert_with(|| asked.clone());
            if page.status < 400 {
                pages.entry(&page.url).or_insert(page);
            }
        }
        let index = Index::over(pages.into_values());
        Archive { digest: Digest::of_value(&content), content, last, index }
    }

    /// Of its content: the same pages and results give the same digest, in whatever order they were added.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    pub fn content(&self) -> &Content {
        &self.content
    }

    /// What came of this visit then, or [`FailureClass::OffRecording`].
    pub fn page(&self, visit: &Visit) -> Reply {
        let locale = visit.locale.as_deref().filter(|_| !self.content.is_written);
        let asked = key(&visit.url, locale);
        let found = self.content.pages.get(&asked);
        let found = found.or_else(|| self.content.pages.get(self.last.get(&asked)?));
        found.cloned().unwrap_or_else(|| {
            let missing = "the archive of this run has no such page";
            Reply::Failed(Failure::new(FailureClass::OffRecording, missing))
        })
    }

    /// A locale in which an address was visited; `None` if it was visited without one, or not at all.
    pub fn locale_of(&self, url: &str) -> Option<String> {
        let url = plain(url);
        let asked = self.content.pages.keys().chain(self.last.keys());
        let visits = asked.filter_map(|key| serde_json::from_str::<Visit>(key).ok());
        visits.filter(|visit| visit.url == url).map(|visit| visit.locale).min().flatten()
    }

    /// What the engine found for this query then; else what the index finds, which says so.
    pub fn search(&self, engine: &str, query: &Query) -> Reply {
        let recorded = self.content.searches.get(&canonical(&(engine, query)));
        recorded.cloned().unwrap_or_else(|| Reply::Found {
            hits: self.index.find(query),
            by: (!self.content.is_written).then(|| BY_INDEX.to_owned()),
        })
    }

    /// How a spec names a search of it.
    ///
    /// # Errors
    /// If not exactly one engine was searched.
    pub fn search_spec(&self, results: u32) -> Result<SearchSpec, String> {
        let engines: Vec<&str> = self.content.engines.iter().map(String::as_str).collect();
        match engines[..] {
            [engine] => Ok(SearchSpec::frozen(engine, self.digest, results)),
            [] => Err("nothing was searched in these runs".to_owned()),
            _ => Err(format!(
                "these runs searched with {}; name runs of one engine",
                engines.join(" and ")
            )),
        }
    }
}

/// What an episode asked of an archive that was not there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Missed {
    /// Visits of pages that it does not have.
    pub pages: u32,
    /// Searches that the index answered.
    pub searches: u32,
}

/// Counts what an episode missed.
pub fn missed(transcript: &Transcript) -> Missed {
    let mut missed = Missed::default();
    for (request, reply) in exchanges(transcript) {
        match (request, reply) {
            (Request::Use(Used::Page(_)), Reply::Failed(failure)) => {
                missed.pages += u32::from(failure.class == FailureClass::OffRecording);
            }
            (Request::Search(_), Reply::Found { by, .. }) => {
                missed.searches += u32::from(by.as_deref() == Some(BY_INDEX));
            }
            _ => {}
        }
    }
    missed
}

fn exchanges(transcript: &Transcript) -> impl Iterator<Item = (&Request, &Reply)> {
    let mut asked: BTreeMap<CallId, &Request> = BTreeMap::new();
    transcript.events.iter().flatten().filter_map(move |event| match event {
        Event::Asked { call, request } => {
            asked.insert(*call, request);
            None
        }
        Event::Told { call, reply } => asked.remove(call).map(|request| (request, reply)),
        _ => None,
    })
}

/// Of two answers to the same the one that is a page, else the one with the smaller digest, so that no order matters.
fn keep(all: &mut BTreeMap<String, Reply>, key: String, reply: Reply) {
    let rank = |reply: &Reply| (matches!(reply, Reply::Failed(_)), Digest::of_value(reply));
    match all.get_mut(&key) {
        Some(before) if rank(before) <= rank(&reply) => {}
        Some(before) => *before = reply,
        None => {
            all.insert(key, reply);
        }
    }
}

fn key(url: &str, locale: Option<&str>) -> String {
    canonical(&Visit { url: plain(url), locale: locale.map(str::to_owned) })
}

/// An address without its fragment, the host in small letters.
fn plain(url: &str) -> String {
    let whole = url.split('#').next().unwrap_or_default();
    let (scheme, rest) = whole.split_once("://").unwrap_or(("", whole));
    let (host, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let root = if path.starts_with('/') { "" } else { "/" };
    format!("{}://{}{root}{path}", scheme.to_lowercase(), host.to_lowercase())
}
