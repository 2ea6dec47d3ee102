//! From command line, environment and file to a checked [`Config`]: every mistake is collected, none stops the search.

mod caps;
mod engines;
mod providers;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::Url;
use turnwise_shared::prelude::*;

use super::file::{self, File, FileLimits};
use super::{
    BadConfig, Config, DEFAULT_ADDR, DEFAULT_DATA, Environment, Given, Limits, Manners, Receipting,
    Signing,
};
use crate::database::Database;
use crate::packs;
use crate::proxies::{self, Proxies};
use crate::secret::Secret;
use crate::services::reach::{Outward, Reach};

/// The shortest access token that is taken.
const SHORTEST_TOKEN: usize = 16;

pub fn config(given: Given, environment: &Environment) -> Result<Config, BadConfig> {
    let mut mistakes = Vec::new();
    let data = given
        .data
        .or_else(|| environment.var("TURNWISE_DATA_DIR").map(PathBuf::from))
        .unwrap_or_else(|| PathBuf::from(DEFAULT_DATA));
    let file = the_file(&data, environment, &mut mistakes);
    let addr = addr(given.addr, environment, &file, &mut mistakes);
    let database = database(&file, environment, &mut mistakes);
    let access = access(&file, environment, &mut mistakes);
    let caps = caps::server(&file, environment, &mut mistakes);
    let tokens = caps::tokens(&file.token, environment, &mut mistakes);
    let is_open = access.is_none() && tokens.is_empty();
    if !addr.ip().is_loopback() && is_open && mistakes.is_empty() {
        mistakes.push(format!(
            "{addr} can be reached from other machines: set TURNWISE_ACCESS_TOKEN to a long random text (for example \
             from `openssl rand -hex 24`), or listen on {DEFAULT_ADDR}"
        ));
    }
    let providers = providers::providers(&file, environment, &mut mistakes);
    let engines = engines::engines(&file.search, environment, &mut mistakes);
    let prices = prices(&file, environment, &mut mistakes);
    let packs = packs(&file, environment, &mut mistakes);
    let hosts = hosts(&file.hosts, environment, &mut mistakes);
    let origins = origins(&file.origins, environment, &mut mistakes);
    let proxies = proxies(&file.proxies, environment, &mut mistakes);
    let limits = limits(&file.limits, &mut mistakes);
    let outward = Outward::of(|name| environment.var(name), &mut mistakes);
    let signing = signing(&file, environment, &mut mistakes);
    let demo = switch("TURNWISE_DEMO", file.demo, environment, &mut mistakes);
    let manners = manners(&file, hosts.clone(), environment, &mut mistakes);
    let mut task_folders = file.task_folders;
    task_folders.extend(environment.var("TURNWISE_DATA").map(PathBuf::from));
    let mut sealed = file.sealed;
    // What is sealed anywhere is sealed.
    sealed.extend(words(environment.var("TURNWISE_SEALED").unwrap_or_default()).map(PathBuf::from));
    let web = environment.var("TURNWISE_WEB_DIR").map(PathBuf::from).or(file.web_folder);
    if !mistakes.is_empty() {
        return Err(BadConfig(mistakes));
    }
    Ok(Config {
        addr,
        data,
        database,
        task_folders,
        sealed,
        web,
        access,
        tokens,
        caps,
        hosts,
        origins,
        proxies,
        providers,
        engines,
        prices,
        packs,
        signing,
        demo,
        limits,
        manners,
        reach: Reach::default().through(outward),
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
        mistakes.push(format!("{place}: {text:?} is no address; write one like {DEFAULT_ADDR}"));
        default
    })
}

/// How calls are receipted. The key itself is read when it is first used.
fn signing(file: &File, environment: &Environment, mistakes: &mut Vec<String>) -> Signing {
    let key = match environment.var("TURNWISE_SIGNING_KEY") {
        Some(key) => Some(Secret::new(key)),
        None => file.signing_key.clone(),
    };
    let (place, word) = match (environment.var("TURNWISE_RECEIPTS"), &file.receipts) {
        (Some(word), _) => ("TURNWISE_RECEIPTS", word),
        (None, Some(word)) => ("receipts", word.as_str()),
        (None, None) => ("receipts", "on"),
    };
    let receipts = match word {
        "on" => Receipting::On,
        "off" => Receipting::Off,
        _ => {
            mistakes.push(format!("{place}: write on or off"));
            Receipting::On
        }
    };
    Signing { key, receipts }
}

/// What a variable or else the file switches off.
fn switch(
    variable: &str,
    file: Option<bool>,
    environment: &Environment,
    mistakes: &mut Vec<String>,
) -> bool {
    match (environment.var(variable), file) {
        (Some("on"), _) => true,
        (Some("off"), _) => false,
        (Some(_), _) => {
            mistakes.push(format!("{variable}: write on or off"));
            false
        }
        (None, wanted) => wanted.unwrap_or(true),
    }
}

/// How pages of the web are fetched.
fn manners(
    file: &File,
    own_names: Vec<String>,
    environment: &Environment,
    mistakes: &mut Vec<String>,
) -> Manners {
    let contact = environment.var("TURNWISE_CONTACT").map(str::to_owned);
    let contact = contact.or_else(|| file.fetching.contact.clone());
    let is_contact = |text: &String| {
        let is_plain = text.len() <= 200 && text.bytes().all(|byte| byte.is_ascii_graphic());
        is_plain && (text.contains('@') || text.contains("://"))
    };
    if contact.as_ref().is_some_and(|contact| !is_contact(contact)) {
        mistakes.push(
            "fetching.contact: write an address of the web or of mail, like https://lab.example/bot, of at most 200 \
             plain characters"
                .to_owned(),
        );
    }
    let robots = switch("TURNWISE_ROBOTS", file.fetching.robots, environment, mistakes);
    Manners { contact, robots, own_names }
}

/// The database that several servers share. What is wrong is said without its address, for that holds a password.
fn database(
    file: &File,
    environment: &Environment,
    mistakes: &mut Vec<String>,
) -> Option<Database> {
    let (place, address) = match (environment.var("DATABASE_URL"), &file.database_url) {
        (Some(address), _) => ("DATABASE_URL", Secret::new(address)),
        (None, Some(address)) => ("database_url", address.clone()),
        (None, None) => return None,
    };
    Database::server(address)
        .map_err(|why| {
            mistakes.push(format!(
                "{place}: {why}; write it like postgres://user:password@host:5432/turnwise"
            ));
        })
        .ok()
}

fn access(file: &File, environment: &Environment, mistakes: &mut Vec<String>) -> Option<Secret> {
    let (place, token) = match (environment.var("TURNWISE_ACCESS_TOKEN"), &file.access_token) {
        (Some(token), _) => ("TURNWISE_ACCESS_TOKEN", Secret::new(token)),
        (None, Some(token)) => ("access_token", token.clone()),
        (None, None) => return None,
    };
    if token.open().len() < SHORTEST_TOKEN || !token.open().bytes().all(|b| b.is_ascii_graphic()) {
        mistakes.push(format!(
            "{place}: a token has at least {SHORTEST_TOKEN} characters, all of them plain letters, digits or punctuation"
        ));
    }
    Some(token)
}

fn hosts(file: &[String], environment: &Environment, mistakes: &mut Vec<String>) -> Vec<String> {
    let listed = environment.var("TURNWISE_HOSTS").unwrap_or_default();
    let mut hosts = Vec::new();
    for host in file.iter().map(String::as_str).chain(words(listed)) {
        let plain =
            |character: char| character.is_ascii_alphanumeric() || matches!(character, '.' | '-');
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

fn proxies(file: &[String], environment: &Environment, mistakes: &mut Vec<String>) -> Proxies {
    let listed = environment.var("TURNWISE_PROXIES").unwrap_or_default();
    let networks = file.iter().map(String::as_str).chain(words(listed));
    networks
        .filter_map(|text| {
            let network = proxies::network(text);
            if network.is_none() {
                mistakes.push(format!(
                    "proxies: {text:?} is no address; write one like 10.0.0.7, or a network like 10.0.0.0/8"
                ));
            }
            network
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
    let size = |value: Option<u32>, default| {
        let value = value.and_then(|value| usize::try_from(value).ok());
        value.unwrap_or(default)
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
        live_idle: seconds("live_idle_seconds", file.live_idle_seconds, default.live_idle),
        backoff: file
            .backoff_ms
            .map_or(default.backoff, |value| Duration::from_millis(value.into())),
        attempts: at_least_one("attempts", file.attempts).or(default.attempts),
        response_bytes: at_least_one("response_megabytes", file.response_megabytes)
            .and_then(|megabytes| usize::try_from(megabytes).ok()?.checked_mul(1_000_000))
            .unwrap_or(default.response_bytes),
        requests_per_second: at_least_one("requests_per_second", file.requests_per_second)
            .unwrap_or(default.requests_per_second),
        request_burst: at_least_one("request_burst", file.request_burst)
            .unwrap_or(default.request_burst),
        connections: size(at_least_one("connections", file.connections), default.connections),
        connections_of_client: size(
            at_least_one("connections_of_client", file.connections_of_client),
            default.connections_of_client,
        ),
        client_bytes: at_least_one("client_megabytes", file.client_megabytes)
            .and_then(|megabytes| usize::try_from(megabytes).ok()?.checked_mul(1_000_000))
            .unwrap_or(default.client_bytes),
        sealed_answers: at_least_one("sealed_answers_per_day", file.sealed_answers_per_day)
            .map_or(default.sealed_answers, u64::from),
        visitor_branches: file.visitor_branches.unwrap_or(default.visitor_branches),
        visitor_branches_of_client: at_least_one(
            "visitor_branches_of_client",
            file.visitor_branches_of_client,
        )
        .unwrap_or(default.visitor_branches_of_client),
        live_tables: size(at_least_one("live_tables", file.live_tables), default.live_tables),
    }
}

/// The prompt packs that the operator lists: those of the file and those of `TURNWISE_PACKS`.
fn packs(file: &File, environment: &Environment, mistakes: &mut Vec<String>) -> Vec<Pack> {
    let named = words(environment.var("TURNWISE_PACKS").unwrap_or_default()).map(PathBuf::from);
    let paths = file.packs.iter().cloned().chain(named);
    let listed: Vec<Pack> = paths
        .filter_map(|path| {
            let read = packs::read_file(&path);
            read.map_err(|why| mistakes.push(format!("packs: {why}"))).ok()
        })
        .collect();
    if let Some(name) = packs::ambiguous(&listed) {
        mistakes.push(format!(
            "packs: two packs that differ are called {name}; give one of them another name"
        ));
    }
    listed
}

/// Prices of the file, and those of the list that it or `TURNWISE_PRICES` names.
fn prices(file: &File, environment: &Environment, mistakes: &mut Vec<String>) -> PriceBook {
    let own = PriceBook {
        models: file.price.clone(),
        searches: file.search_price.clone(),
        free: Vec::new(),
    };
    if let Err(wrong) = own.check() {
        mistakes.extend(wrong.into_iter().map(|why| format!("price {why}")));
    }
    let named = environment.var("TURNWISE_PRICES").map(PathBuf::from);
    match named.or_else(|| file.prices.clone()) {
        None => own,
        Some(path) => match super::prices::read_file(&path) {
            Ok(list) => own.over(list),
            Err(why) => {
                mistakes.push(format!("prices: {why}"));
                own
            }
        },
    }
}

/// The key of a service: as the file has it, or in the variable that the file names.
fn key(
    written: Option<&Secret>,
    variable: Option<&str>,
    environment: &Environment,
    wrong: &mut Vec<(&'static str, String)>,
) -> Option<Secret> {
    let key = match (written, variable) {
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
    let is_plain = |key: &Secret| key.open().bytes().all(|byte| byte.is_ascii_graphic());
    if key.as_ref().is_some_and(|key| !is_plain(key)) {
        wrong.push(("key", "it has spaces or characters that no key has".into()));
    }
    key
}

fn check_name(name: &str) -> Result<(), String> {
    let plain =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.');
    if (1..=40).contains(&name.len()) && name.chars().all(plain) {
        Ok(())
    } else {
        Err("a name has 1 to 40 letters, digits, `-`, `_` or `.`".into())
    }
}

/// The parts of a list that is separated by commas.
fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests;
