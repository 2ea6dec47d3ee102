//! From command line, environment and file to a checked [`Config`]: every mistake is collected, none stops the search.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::Url;

use super::file::{self, File, FileEngine, FileLimits, FileProvider};
use super::{
    BadConfig, Config, DEFAULT_ADDR, DEFAULT_DATA, Documents, EngineConfig, Environment, Given,
    Limits, ProviderConfig, ProviderFormat, Script,
};
use crate::secret::Secret;

/// The shortest access token that is taken.
const SHORTEST_TOKEN: usize = 16;

/// The models that the built-in scripted provider offers.
const SCRIPTED_MODEL: &str = "trial";

/// Calls that a provider gets at once when nobody said otherwise.
const IN_FLIGHT: u32 = 256;

pub fn config(given: Given, environment: &Environment) -> Result<Config, BadConfig> {
    let mut mistakes = Vec::new();
    let data = given
        .data
        .or_else(|| environment.var("TURNWISE_DATA_DIR").map(PathBuf::from))
        .unwrap_or_else(|| PathBuf::from(DEFAULT_DATA));
    let file = the_file(&data, environment, &mut mistakes);
    let addr = addr(given.addr, environment, &file, &mut mistakes);
    let access = access(&file, environment, &mut mistakes);
    if !addr.ip().is_loopback() && access.is_none() && mistakes.is_empty() {
        mistakes.push(format!(
            "{addr} can be reached from other machines: set TURNWISE_ACCESS_TOKEN to a long random text (for example \
             from `openssl rand -hex 24`), or listen on {DEFAULT_ADDR}"
        ));
    }
    let providers = providers(&file, environment, &mut mistakes);
    let engines = engines(&file.search, environment, &mut mistakes);
    let hosts = hosts(&file.hosts, environment, &mut mistakes);
    let origins = origins(&file.origins, environment, &mut mistakes);
    let limits = limits(&file.limits, &mut mistakes);
    let mut task_folders = file.task_folders;
    task_folders.extend(environment.var("TURNWISE_DATA").map(PathBuf::from));
    let web = environment
        .var("TURNWISE_WEB_DIR")
        .map(PathBuf::from)
        .or(file.web_folder);
    if !mistakes.is_empty() {
        return Err(BadConfig(mistakes));
    }
    Ok(Config {
        addr,
        data,
        task_folders,
        web,
        access,
        hosts,
        origins,
        providers,
        engines,
        limits,
    })
}

fn the_file(data: &Path, environment: &Environment, mistakes: &mut Vec<String>) -> File {
    let named = environment.var("TURNWISE_CONFIG").map(PathBuf::from);
    let path = named.clone().unwrap_or_else(|| data.join("turnwise.toml"));
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && named.is_none() => {
            return File::default();
        }
        Err(error) => {
            mistakes.push(format!("{}: {error}", path.display()));
            return File::default();
        }
    };
    file::read(&text).unwrap_or_else(|why| {
        mistakes.push(format!("{}, {why}", path.display()));
        File::default()
    })
}

fn addr(
    given: Option<SocketAddr>,
    environment: &Environment,
    file: &File,
    mistakes: &mut Vec<String>,
) -> SocketAddr {
    let default = SocketAddr::from(([127, 0, 0, 1], 8080));
    let (place, text) = match (environment.var("TURNWISE_ADDR"), &file.addr) {
        _ if given.is_some() => return given.unwrap_or(default),
        (Some(text), _) => ("TURNWISE_ADDR", text),
        (None, Some(text)) => ("addr", text.as_str()),
        (None, None) => return default,
    };
    text.parse().unwrap_or_else(|_| {
        mistakes.push(format!(
            "{place}: {text:?} is no address; write one like {DEFAULT_ADDR}"
        ));
        default
    })
}

fn access(file: &File, environment: &Environment, mistakes: &mut Vec<String>) -> Option<Secret> {
    let (place, token) = match (environment.var("TURNWISE_ACCESS_TOKEN"), &file.access_token) {
        (Some(token), _) => ("TURNWISE_ACCESS_TOKEN", Secret::new(token)),
        (None, Some(token)) => ("access_token", token.clone()),
        (None, None) => return None,
    };
    if token.open().len() < SHORTEST_TOKEN || !token.open().bytes().all(|b| b.is_ascii_graphic()) {
        mistakes.push(format!(
            "{place}: a token has at least {SHORTEST_TOKEN} signs, all of them plain letters, digits or punctuation"
        ));
    }
    Some(token)
}

fn hosts(file: &[String], environment: &Environment, mistakes: &mut Vec<String>) -> Vec<String> {
    let listed = environment.var("TURNWISE_HOSTS").unwrap_or_default();
    let mut hosts = Vec::new();
    for host in file.iter().map(String::as_str).chain(words(listed)) {
        let plain = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-');
        if host.is_empty() || !host.chars().all(plain) {
            mistakes.push(format!(
                "hosts: {host:?} is no host name; write one like turnwise.example.org, without scheme and port"
            ));
        } else {
            hosts.push(host.to_ascii_lowercase());
        }
    }
    hosts
}

fn origins(file: &[String], environment: &Environment, mistakes: &mut Vec<String>) -> Vec<String> {
    let listed = environment.var("TURNWISE_ORIGINS").unwrap_or_default();
    let origins = file.iter().map(String::as_str).chain(words(listed));
    origins
        .filter_map(|origin| match Url::parse(origin) {
            Ok(url) if url.origin().is_tuple() && url.path() == "/" && url.query().is_none() => {
                Some(url.origin().ascii_serialization())
            }
            _ => {
                mistakes.push(format!(
                    "origins: {origin:?} is no origin; write one like http://127.0.0.1:8081"
                ));
                None
            }
        })
        .collect()
}

fn limits(file: &FileLimits, mistakes: &mut Vec<String>) -> Limits {
    let default = Limits::default();
    let mut at_least_one = |field: &str, value: Option<u32>| {
        if value == Some(0) {
            mistakes.push(format!("limits.{field}: at least 1"));
        }
        value
    };
    let mut seconds = |field: &str, value, default| {
        at_least_one(field, value).map_or(default, |value| Duration::from_secs(value.into()))
    };
    Limits {
        connect: seconds("connect_seconds", file.connect_seconds, default.connect),
        idle: seconds("idle_seconds", file.idle_seconds, default.idle),
        total: seconds("total_seconds", file.total_seconds, default.total),
        longest_wait: seconds(
            "longest_wait_seconds",
            file.longest_wait_seconds,
            default.longest_wait,
        ),
        backoff: file
            .backoff_ms
            .map_or(default.backoff, |value| Duration::from_millis(value.into())),
        attempts: at_least_one("attempts", file.attempts).unwrap_or(default.attempts),
        response_bytes: at_least_one("response_megabytes", file.response_megabytes)
            .and_then(|megabytes| usize::try_from(megabytes).ok()?.checked_mul(1_000_000))
            .unwrap_or(default.response_bytes),
        requests_per_second: at_least_one("requests_per_second", file.requests_per_second)
            .unwrap_or(default.requests_per_second),
        request_burst: at_least_one("request_burst", file.request_burst)
            .unwrap_or(default.request_burst),
    }
}

fn providers(
    file: &File,
    environment: &Environment,
    mistakes: &mut Vec<String>,
) -> Vec<ProviderConfig> {
    // Always there, so that a run over a model can be tried without a key; an operator's provider of that name goes before.
    let scripted = FileProvider {
        format: Some("scripted".into()),
        ..FileProvider::default()
    };
    let mut named = BTreeMap::from([("scripted".to_owned(), scripted)]);
    let mut written = std::collections::BTreeSet::new();
    for provider in &file.provider {
        if !written.insert(&provider.name) {
            mistakes.push(format!(
                "provider {:?} stands twice in the file",
                provider.name
            ));
        }
        named.insert(provider.name.clone(), provider.clone());
    }
    let key = environment.var("OPENAI_API_KEY");
    let base_url = environment.var("OPENAI_BASE_URL");
    if key.is_some() || base_url.is_some() {
        let openai = named.entry("openai".into()).or_default();
        openai.key = key.map(Secret::new).or(openai.key.take());
        openai.base_url = base_url.map(str::to_owned).or(openai.base_url.take());
    }
    for (rest, value) in environment.beginning("TURNWISE_PROVIDER_") {
        if let Err(mistake) = set(&mut named, rest, value) {
            mistakes.push(format!("TURNWISE_PROVIDER_{rest}: {mistake}"));
        }
    }
    named
        .into_iter()
        .filter_map(|(name, provider)| {
            let field = |field: &str, why: String| format!("provider {name:?}, {field}: {why}");
            provider_config(&name, provider, environment)
                .map_err(|wrong| {
                    mistakes.extend(wrong.into_iter().map(|(at, why)| field(at, why)));
                })
                .ok()
        })
        .collect()
}

/// `TURNWISE_PROVIDER_<NAME>_<FIELD>`: `MY_SERVER_BASE_URL` is the `base_url` of `my-server`.
fn set(named: &mut BTreeMap<String, FileProvider>, rest: &str, value: &str) -> Result<(), String> {
    const FIELDS: [&str; 5] = ["_BASE_URL", "_API_KEY", "_MODELS", "_FORMAT", "_IN_FLIGHT"];
    let (name, field) = FIELDS
        .iter()
        .find_map(|field| Some((rest.strip_suffix(field)?, *field)))
        .filter(|(name, _)| !name.is_empty())
        .ok_or_else(|| format!("the name ends in none of {}", FIELDS.join(", ")))?;
    let name = name.to_ascii_lowercase().replace('_', "-");
    let provider = named.entry(name).or_default();
    match field {
        "_BASE_URL" => provider.base_url = Some(value.to_owned()),
        "_API_KEY" => provider.key = Some(Secret::new(value)),
        "_MODELS" => provider.models = Some(words(value).map(str::to_owned).collect()),
        "_FORMAT" => provider.format = Some(value.to_owned()),
        _ => {
            let number = value.parse().map_err(|_| "this is no whole number")?;
            provider.in_flight = Some(number);
        }
    }
    Ok(())
}

fn provider_config(
    name: &str,
    file: FileProvider,
    environment: &Environment,
) -> Result<ProviderConfig, Vec<(&'static str, String)>> {
    let mut wrong = Vec::new();
    if let Err(why) = check_name(name) {
        wrong.push(("name", why));
    }
    let in_flight = file.in_flight.unwrap_or(IN_FLIGHT);
    if in_flight == 0 {
        wrong.push(("in_flight", "at least 1".into()));
    }
    let mut models = file.models.clone().unwrap_or_default();
    let format = match file.format.as_deref().unwrap_or("openai") {
        "openai" => open_ai(name, &file, environment, &mut wrong),
        "scripted" => {
            if models.is_empty() {
                models.push(SCRIPTED_MODEL.to_owned());
            }
            scripted(&file, &mut wrong)
        }
        other => {
            wrong.push((
                "format",
                format!("{other:?} is not known; write openai or scripted"),
            ));
            None
        }
    };
    match format {
        Some(format) if wrong.is_empty() => Ok(ProviderConfig {
            name: name.to_owned(),
            models,
            in_flight: usize::try_from(in_flight).unwrap_or(usize::MAX),
            format,
        }),
        _ => Err(wrong),
    }
}

fn open_ai(
    name: &str,
    file: &FileProvider,
    environment: &Environment,
    wrong: &mut Vec<(&'static str, String)>,
) -> Option<ProviderFormat> {
    let only_scripted = [
        ("seed", file.seed.is_some()),
        ("latency_ms", file.latency_ms.is_some()),
        ("faults", file.faults.is_some()),
    ];
    for (field, given) in only_scripted {
        if given {
            wrong.push((field, "this belongs to the format scripted".into()));
        }
    }
    let key = match (&file.key, &file.key_env) {
        (Some(_), Some(_)) => {
            wrong.push(("key_env", "give either key or key_env, not both".into()));
            None
        }
        (Some(key), None) => Some(key.clone()),
        (None, Some(variable)) => {
            let key = environment.var(variable).map(Secret::new);
            if key.is_none() {
                wrong.push(("key_env", format!("the variable {variable} is not set")));
            }
            key
        }
        (None, None) => None,
    };
    if key
        .as_ref()
        .is_some_and(|key| !key.open().bytes().all(|byte| byte.is_ascii_graphic()))
    {
        wrong.push(("key", "it has blanks or signs that no key has".into()));
    }
    let base_url = match (&file.base_url, name) {
        (Some(url), _) => url.as_str(),
        (None, "openai") => "https://api.openai.com/v1",
        (None, _) => {
            wrong.push(("base_url", "it is missing".into()));
            return None;
        }
    };
    let base_url = check_url(base_url)
        .map_err(|why| wrong.push(("base_url", why)))
        .ok()?;
    let max_tokens_field = match file.max_tokens_field.as_deref() {
        Some(field @ ("max_tokens" | "max_completion_tokens")) => field,
        Some(_) => {
            wrong.push((
                "max_tokens_field",
                "write max_tokens or max_completion_tokens".into(),
            ));
            return None;
        }
        None if base_url.host_str() == Some("api.openai.com") => "max_completion_tokens",
        None => "max_tokens",
    };
    Some(ProviderFormat::OpenAi {
        base_url: base_url.clone(),
        key,
        max_tokens_field: max_tokens_field.to_owned(),
    })
}

fn scripted(
    file: &FileProvider,
    wrong: &mut Vec<(&'static str, String)>,
) -> Option<ProviderFormat> {
    let only_remote = [
        ("base_url", file.base_url.is_some()),
        ("key", file.key.is_some()),
        ("key_env", file.key_env.is_some()),
        ("max_tokens_field", file.max_tokens_field.is_some()),
    ];
    for (field, given) in only_remote {
        if given {
            wrong.push((
                field,
                "a scripted provider answers inside this program".into(),
            ));
        }
    }
    let faults = file.faults.unwrap_or(0.0);
    if !(0.0..=1.0).contains(&faults) {
        wrong.push(("faults", "a share from 0 to 1".into()));
    }
    Some(ProviderFormat::Scripted(Script {
        seed: file.seed.unwrap_or(1),
        latency: Duration::from_millis(file.latency_ms.unwrap_or(0)),
        faults,
    }))
}

/// An address to which paths can be added. It is not repeated in the error, because it may hold a password.
fn check_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text.trim_end_matches('/'))
        .map_err(|error| format!("this is no address ({error}); write one like https://host/v1"))?;
    let sound = matches!(url.scheme(), "http" | "https")
        && url.has_host()
        && url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    if sound {
        Ok(url)
    } else {
        Err("write an http or https address without user, query and fragment; the key goes into `key`".into())
    }
}

fn check_name(name: &str) -> Result<(), String> {
    let plain = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_' | '.');
    if (1..=40).contains(&name.len()) && name.chars().all(plain) {
        Ok(())
    } else {
        Err("a name has 1 to 40 letters, digits, `-`, `_` or `.`".into())
    }
}

fn engines(
    file: &[FileEngine],
    environment: &Environment,
    mistakes: &mut Vec<String>,
) -> Vec<EngineConfig> {
    let mut named = BTreeMap::from([("local".to_owned(), Documents::Samples)]);
    let mut written = std::collections::BTreeSet::new();
    for engine in file {
        let mut mistake = |field: &str, why: &str| {
            mistakes.push(format!("search {:?}, {field}: {why}", engine.name));
        };
        if !written.insert(&engine.name) {
            mistake("name", "it stands twice in the file");
        }
        if let Err(why) = check_name(&engine.name) {
            mistake("name", &why);
        }
        if engine.format.as_deref().unwrap_or("local") != "local" {
            mistake("format", "write local");
        }
        let documents = engine
            .path
            .clone()
            .map_or(Documents::Samples, Documents::Path);
        named.insert(engine.name.clone(), documents);
    }
    for (rest, value) in environment.beginning("TURNWISE_SEARCH_") {
        let name = rest.to_ascii_lowercase().replace('_', "-");
        named.insert(name, Documents::Path(PathBuf::from(value)));
    }
    named
        .into_iter()
        .map(|(name, documents)| {
            if let Documents::Path(path) = &documents
                && !path.exists()
            {
                mistakes.push(format!(
                    "search {name:?}, path: there is no {}",
                    path.display()
                ));
            }
            EngineConfig { name, documents }
        })
        .collect()
}

/// The parts of a list that is separated by commas.
fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests;
