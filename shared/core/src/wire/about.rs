//! What a server offers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::hash::Digest;
use crate::spec::SearchSpec;

/// `GET /api/about`: what this server offers. No key and no address of an endpoint is in it.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct About {
    pub version: String,
    /// The benchmarks that it knows, in its order.
    #[serde(default)]
    pub benchmarks: Vec<BenchmarkInfo>,
    /// The endpoints that the operator configured.
    pub providers: Vec<ProviderInfo>,
    /// The search engines that can be asked.
    pub engines: Vec<EngineInfo>,
    /// The task sets that lie on the server.
    pub task_sets: Vec<TaskSetInfo>,
    /// Whether calls need the operator's access token.
    pub access: Access,
    /// Whether a visitor without the access token may go on from what is shared, where that costs nothing ([`crate::visitors`]).
    #[serde(default)]
    pub visitors: bool,
    /// Whether everybody can read the demo run here ([`crate::key::demo`]).
    #[serde(default)]
    pub demo: bool,
    /// Why pages are not rendered here, as a clause after "because"; absent where they are, and until a browser was tried.
    pub rendering_off: Option<String>,
    /// The archive of the built-in web ([`crate::archive`]), if the program has one.
    pub sample_web: Option<Digest>,
}

impl About {
    /// The engines, and the built-in web, which answers for itself.
    pub fn engines_and_web(&self) -> Vec<EngineInfo> {
        let web = self.sample_web.map(|archive| EngineInfo {
            name: format!("{}sample", SearchSpec::FROZEN),
            format: EngineInfo::ARCHIVE.to_owned(),
            promise: Promise::Stable,
            documents: None,
            corpus: Some(archive),
        });
        self.engines.iter().cloned().chain(web).collect()
    }

    /// The endpoints that can be asked as they are: services first, then what makes answers up.
    pub fn ready_providers(&self) -> impl Iterator<Item = &ProviderInfo> {
        let is_scripted = |one: &&ProviderInfo| one.format == ProviderInfo::SCRIPTED;
        let ready = self.providers.iter().filter(|one| one.is_ready);
        let services = ready.clone().filter(move |one| !is_scripted(one));
        services.chain(ready.filter(is_scripted))
    }
}

/// A benchmark, for pages that show its name and nothing of what it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchmarkInfo {
    /// Its name in a spec.
    pub name: String,
    pub title: String,
}

/// Who may make calls here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Everybody who can reach the server (it is bound to loopback).
    Open,
    /// Clients that send `Authorization: Bearer TOKEN` with the operator's access token.
    Token,
}

/// An endpoint that can be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderInfo {
    /// The operator's name for it.
    pub name: String,
    /// Its wire format, e.g. `openai`, `scripted`.
    pub format: String,
    /// Models that the operator named; others may be typed.
    pub models: Vec<String>,
    /// Whether it can be asked as it is: a service at its own address needs a key, and has one.
    #[serde(default = "ready")]
    pub is_ready: bool,
}

impl ProviderInfo {
    /// The format of the one that makes answers up.
    pub const SCRIPTED: &'static str = "scripted";
}

fn ready() -> bool {
    true
}

/// A search engine that can be asked.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineInfo {
    pub name: String,
    /// What it is: `local`, `serper`, `brave`, `tavily`, `searxng`, `duckduckgo`, `serpapi-bing` and its like.
    #[serde(default = "local")]
    pub format: String,
    /// What can be relied on.
    #[serde(default)]
    pub promise: Promise,
    /// How many documents it holds, where that is known.
    pub documents: Option<u64>,
    /// The hash over its documents, where they are known.
    pub corpus: Option<Digest>,
}

impl EngineInfo {
    /// The format of an index over documents that lies on the server: it costs nothing and calls no service.
    pub const LOCAL: &'static str = "local";
    /// The format of an archive ([`crate::archive`]): the run answers from it itself.
    pub const ARCHIVE: &'static str = "archive";
}

fn local() -> String {
    EngineInfo::LOCAL.to_owned()
}

/// What can be relied on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Promise {
    /// An interface that was made for programs.
    #[default]
    Stable,
    /// A page that was made for people: it can change or be shut at any time.
    BestEffort,
}

/// A set of tasks on the server.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskSetInfo {
    /// What it is called: a file name, or `samples`.
    pub name: String,
    pub benchmark: String,
    pub digest: Digest,
    pub count: usize,
    /// Tasks by label and value, e.g. `domain` → `Sports` → 18.
    pub labels: BTreeMap<String, BTreeMap<String, usize>>,
    /// Whether the file is encrypted at rest.
    pub encrypted: bool,
    /// Whether its hidden fields never leave the server; digests and tasks are then as they are handed out.
    #[serde(default)]
    pub sealed: bool,
    /// When the operator made public what a sealed set hides, in milliseconds since 1970; `None` where that was not done.
    pub opened: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_can_be_asked_comes_before_what_makes_answers_up() {
        let one = |name: &str, format: &str, is_ready| ProviderInfo {
            name: name.to_owned(),
            format: format.to_owned(),
            models: vec!["m".to_owned()],
            is_ready,
        };
        let about = About {
            version: String::new(),
            benchmarks: Vec::new(),
            providers: vec![
                one("a-lab", "openai", false),
                one("scripted", ProviderInfo::SCRIPTED, true),
                one("z-lab", "openai", true),
            ],
            engines: Vec::new(),
            task_sets: Vec::new(),
            access: Access::Open,
            visitors: false,
            demo: false,
            rendering_off: None,
            sample_web: None,
        };
        let names: Vec<_> = about.ready_providers().map(|one| &one.name).collect();
        assert_eq!(names, ["z-lab", "scripted"]);
        // One of another version of the program, which did not say it.
        let older = r#"{"name": "lab", "format": "openai", "models": []}"#;
        assert!(serde_json::from_str::<ProviderInfo>(older).is_ok_and(|one| one.is_ready));
    }
}
