//! Search engines: from the file, and from `TURNWISE_SEARCH_…`.
//!
//! | variable | what it adds |
//! | --- | --- |
//! | `TURNWISE_SEARCH_SERPER_API_KEY`, `…_BRAVE_API_KEY`, `…_TAVILY_API_KEY` | the service of that name |
//! | `TURNWISE_SEARCH_SEARXNG_BASE_URL` | an instance of SearXNG |
//! | `TURNWISE_SEARCH_DUCKDUCKGO=on` | DuckDuckGo, best effort |
//! | `TURNWISE_SEARCH_MY_DOCS=PATH` | an index `my-docs` over documents |

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Gathering;
use super::fields::{Wrong, check_name, key};
use crate::config::file::FileEngine;
use crate::config::{Documents, EngineConfig, EngineService, Environment, Remote};
use crate::secret::Secret;
use crate::services::{KeyRule, SEARCHES, SearchFormat, SearchService};

/// Requests that a service gets at once by default.
const IN_FLIGHT: u32 = 16;

/// Every engine that is configured soundly; the others are mistakes. The local index over the samples is always there.
pub fn engines(file: &[FileEngine], gathering: &mut Gathering) -> Vec<EngineConfig> {
    let mut named = BTreeMap::new();
    for one in file {
        if named.insert(one.name.clone(), one.clone()).is_some() {
            gathering.mistake(format!("search {:?}, name: it stands twice in the file", one.name));
        }
    }
    let local = || FileEngine { name: "local".to_owned(), ..FileEngine::default() };
    named.entry("local".to_owned()).or_insert_with(local);
    for (rest, value) in gathering.environment.beginning("TURNWISE_SEARCH_") {
        gathering.sound(&format!("TURNWISE_SEARCH_{rest}"), set(&mut named, rest, value));
    }
    named
        .into_iter()
        .filter_map(|(name, engine)| {
            let mut wrong = Wrong::default();
            wrong.sound("name", check_name(&name));
            let service = engine_service(&engine, gathering.environment, &mut wrong);
            let service = gathering.whole(&format!("search {name:?}"), service, wrong)?;
            Some(EngineConfig { name, service })
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

fn engine_service(
    engine: &FileEngine,
    environment: &Environment,
    wrong: &mut Wrong,
) -> Option<EngineService> {
    // An engine with the name of a service is that service, unless the file says otherwise.
    let format = match &engine.format {
        Some(format) => format.as_str(),
        None if engine.path.is_some() => "local",
        None => SearchService::named(&engine.name).map_or("local", |service| service.name),
    };
    match (format, SearchService::named(format)) {
        ("local", _) => Some(EngineService::Local(local(engine, wrong))),
        (_, Some(service)) => {
            let remote = remote(engine, service, environment, wrong)?;
            Some(EngineService::Remote(service.format, remote))
        }
        (_, None) => {
            wrong.add("format", format!("write local or one of {}", services()));
            None
        }
    }
}

fn local(engine: &FileEngine, wrong: &mut Wrong) -> Documents {
    let only_remote = [
        ("base_url", engine.base_url.is_some()),
        ("key", engine.key.is_some()),
        ("key_env", engine.key_env.is_some()),
        ("in_flight", engine.in_flight.is_some()),
        ("proxy", engine.proxy.is_some()),
    ];
    wrong.refuse("a local index asks no service", &only_remote);
    let Some(path) = &engine.path else {
        return Documents::Samples;
    };
    if !path.exists() {
        wrong.add("path", format!("there is no {}", path.display()));
    }
    Documents::Path(path.clone())
}

fn remote(
    engine: &FileEngine,
    service: &SearchService,
    environment: &Environment,
    wrong: &mut Wrong,
) -> Option<Remote> {
    wrong.refuse("only a local index has documents", &[("path", engine.path.is_some())]);
    let proxy = wrong.proxy(engine.proxy.as_deref());
    let in_flight = wrong.in_flight(engine.in_flight, IN_FLIGHT);
    let key = key(engine.key.as_ref(), engine.key_env.as_deref(), environment, wrong);
    match (&key, service.key) {
        (Some(_), KeyRule::Never) => wrong.add("key", "this service takes none"),
        (None, KeyRule::Needed) if engine.key_env.is_none() => {
            wrong.add("key", "this service wants a key");
        }
        _ => {}
    }
    let base_url = wrong.base_url(engine.base_url.as_deref().or(service.base_url))?;
    Some(Remote { base_url, key, in_flight, proxy })
}
