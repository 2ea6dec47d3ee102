//! Search engines: from the file, and from `TURNWISE_SEARCH_…`.
//!
//! | variable | what it adds |
//! | --- | --- |
//! | `TURNWISE_SEARCH_SERPER_API_KEY`, `…_BRAVE_API_KEY`, `…_TAVILY_API_KEY` | the service of that name |
//! | `TURNWISE_SEARCH_SEARXNG_BASE_URL` | an instance of SearXNG |
//! | `TURNWISE_SEARCH_DUCKDUCKGO=on` | DuckDuckGo, best effort |
//! | `TURNWISE_SEARCH_MY_DOCS=PATH` | an index `my-docs` over documents |

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::providers::check_url;
use super::{check_name, key};
use crate::config::file::FileEngine;
use crate::config::{Documents, EngineConfig, EngineService, Environment, Remote};
use crate::secret::Secret;
use crate::services::reach::ProxyChoice;
use crate::services::{KeyRule, SEARCHES, SearchFormat, SearchService};

/// Requests that a service gets at once by default.
const IN_FLIGHT: u32 = 16;

/// Every engine that is configured soundly; the others are mistakes. The local index over the samples is always there.
pub fn engines(
    file: &[FileEngine],
    environment: &Environment,
    mistakes: &mut Vec<String>,
) -> Vec<EngineConfig> {
    let engine = |name: &str| FileEngine { name: name.to_owned(), ..FileEngine::default() };
    let mut named = BTreeMap::from([("local".to_owned(), engine("local"))]);
    let mut written = BTreeSet::new();
    for one in file {
        if !written.insert(&one.name) {
            mistakes.push(format!("search {:?}, name: it stands twice in the file", one.name));
        }
        named.insert(one.name.clone(), one.clone());
    }
    for (rest, value) in environment.beginning("TURNWISE_SEARCH_") {
        if let Err(why) = set(&mut named, rest, value) {
            mistakes.push(format!("TURNWISE_SEARCH_{rest}: {why}"));
        }
    }
    named
        .into_iter()
        .filter_map(|(name, engine)| {
            let found = engine_service(&engine, environment);
            let checked = check_name(&name).map_err(|why| vec![("name", why)]);
            match (checked, found) {
                (Ok(()), Ok(service)) => Some(EngineConfig { name, service }),
                (checked, found) => {
                    let wrong = [checked.err(), found.err()].into_iter().flatten().flatten();
                    mistakes.extend(
                        wrong.map(|(field, why)| format!("search {name:?}, {field}: {why}")),
                    );
                    None
                }
            }
        })
        .collect()
}

/// One variable. No value of a service's is in the error: it may be a key.
fn set(named: &mut BTreeMap<String, FileEngine>, rest: &str, value: &str) -> Result<(), String> {
    let duckduckgo = SearchFormat::DuckDuckGo.service().name;
    if let Some(rest) = rest.strip_suffix("_API_KEY") {
        entry(named, rest)?.key = Some(Secret::new(value));
    } else if let Some(rest) = rest.strip_suffix("_BASE_URL") {
        entry(named, rest)?.base_url = Some(value.to_owned());
    } else if rest.eq_ignore_ascii_case(duckduckgo) {
        match value.to_ascii_lowercase().as_str() {
            "on" | "1" | "true" | "yes" => {
                entry(named, rest)?;
            }
            "off" | "0" | "false" | "no" => {
                named.remove(duckduckgo);
            }
            _ => return Err("write on or off".into()),
        }
    } else if SearchService::named(&name_of(rest)).is_some() {
        return Err(format!(
            "write TURNWISE_SEARCH_{rest}_API_KEY or TURNWISE_SEARCH_{rest}_BASE_URL"
        ));
    } else {
        let engine = FileEngine {
            name: name_of(rest),
            path: Some(PathBuf::from(value)),
            ..FileEngine::default()
        };
        named.insert(engine.name.clone(), engine);
    }
    Ok(())
}

/// `MY_DOCS` names the engine `my-docs`.
fn name_of(rest: &str) -> String {
    rest.to_ascii_lowercase().replace('_', "-")
}

/// The engine that a variable speaks of: one of the file, or a service by its own name.
fn entry<'a>(
    named: &'a mut BTreeMap<String, FileEngine>,
    rest: &str,
) -> Result<&'a mut FileEngine, String> {
    let name = name_of(rest);
    if !named.contains_key(&name) && SearchService::named(&name).is_none() {
        return Err(format!(
            "it is no engine of the file, and no service: write one of {}",
            services()
        ));
    }
    let engine = named.entry(name.clone()).or_default();
    engine.name = name;
    Ok(engine)
}

fn services() -> String {
    let names: Vec<_> = SEARCHES.iter().map(|service| service.name).collect();
    names.join(", ")
}

type Wrong = Vec<(&'static str, String)>;

fn engine_service(engine: &FileEngine, environment: &Environment) -> Result<EngineService, Wrong> {
    // An engine with the name of a service is that service, unless the file says otherwise.
    let format = match &engine.format {
        Some(format) => format.as_str(),
        None if engine.path.is_some() => "local",
        None => SearchService::named(&engine.name).map_or("local", |service| service.name),
    };
    match (format, SearchService::named(format)) {
        ("local", _) => local(engine),
        (_, Some(service)) => remote(engine, service, environment)
            .map(|remote| EngineService::Remote(service.format, remote)),
        (_, None) => Err(vec![("format", format!("write local or one of {}", services()))]),
    }
}

fn local(engine: &FileEngine) -> Result<EngineService, Wrong> {
    let only_remote = [
        ("base_url", engine.base_url.is_some()),
        ("key", engine.key.is_some()),
        ("key_env", engine.key_env.is_some()),
        ("in_flight", engine.in_flight.is_some()),
        ("proxy", engine.proxy.is_some()),
    ];
    let mut wrong: Wrong = only_remote
        .into_iter()
        .filter(|(_, given)| *given)
        .map(|(field, _)| (field, "a local index asks no service".to_owned()))
        .collect();
    let documents = match &engine.path {
        None => Documents::Samples,
        Some(path) => {
            if !path.exists() {
                wrong.push(("path", format!("there is no {}", path.display())));
            }
            Documents::Path(path.clone())
        }
    };
    if wrong.is_empty() { Ok(EngineService::Local(documents)) } else { Err(wrong) }
}

fn remote(
    engine: &FileEngine,
    service: &SearchService,
    environment: &Environment,
) -> Result<Remote, Wrong> {
    let mut wrong = Wrong::new();
    if engine.path.is_some() {
        wrong.push(("path", "only a local index has documents".into()));
    }
    let proxy = ProxyChoice::read(engine.proxy.as_deref()).unwrap_or_else(|why| {
        wrong.push(("proxy", why));
        ProxyChoice::default()
    });
    let in_flight = engine.in_flight.unwrap_or(IN_FLIGHT);
    if in_flight == 0 {
        wrong.push(("in_flight", "at least 1".into()));
    }
    let key = key(engine.key.as_ref(), engine.key_env.as_deref(), environment, &mut wrong);
    match (&key, service.key) {
        (Some(_), KeyRule::Never) => wrong.push(("key", "this service takes none".into())),
        (None, KeyRule::Needed) if engine.key_env.is_none() => {
            wrong.push(("key", "this service wants a key".into()));
        }
        _ => {}
    }
    let base_url = match (engine.base_url.as_deref(), service.base_url) {
        (Some(url), _) | (None, Some(url)) => {
            check_url(url).map_err(|why| wrong.push(("base_url", why))).ok()
        }
        (None, None) => {
            wrong.push(("base_url", "it is missing".into()));
            None
        }
    };
    match base_url {
        Some(base_url) if wrong.is_empty() => Ok(Remote {
            base_url,
            key,
            in_flight: usize::try_from(in_flight).unwrap_or(usize::MAX),
            proxy,
        }),
        _ => Err(wrong),
    }
}
