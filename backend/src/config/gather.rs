//! From command line, environment and file to a checked [`Config`]: every mistake is collected, none stops the search.

mod caps;
mod engines;
mod fields;
mod providers;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use reqwest::Url;
use turnwise_shared::prelude::*;

use self::fields::Wrong;
use super::file::{self, File, FileLimits};
use super::{
    BadConfig, Config, DEFAULT_ADDR, DEFAULT_DATA, Environment, Given, Limits, Manners, Receipting,
    Signing,
};
use crate::database::Database;
use crate::packs;
use crate::proxies;
use crate::secret::Secret;
use crate::services::reach::{Outward, Reach};

/// The shortest access token that is taken.
const SHORTEST_TOKEN: usize = 16;

pub fn config(given: Given, environment: &Environment) -> Result<Config, BadConfig> {
    let mut gathering = Gathering { environment, mistakes: Vec::new() };
    let data = given.data.or_else(|| gathering.path("TURNWISE_DATA_DIR"));
    let data = data.unwrap_or_else(|| PathBuf::from(DEFAULT_DATA));
    let file = gathering.file(data.join("turnwise.toml"));
    let addr = gathering.addr(given.addr, &file);
    let database = gathering.database(&file);
    let access = gathering.access(&file);
    let caps = caps::server(&file, &mut gathering);
    let tokens = caps::tokens(&file.token, &mut gathering);
    let is_open = access.is_none() && tokens.is_empty();
    if !addr.ip().is_loopback() && is_open && gathering.mistakes.is_empty() {
        gathering.mistake(format!(
            "{addr} can be reached from other machines: set TURNWISE_ACCESS_TOKEN to a long random text (for example \
             from `openssl rand -hex 24`), or listen on {DEFAULT_ADDR}"
        ));
    }
    let providers = providers::providers(&file, &mut gathering);
    let engines = engines::engines(&file.search, &mut gathering);
    let prices = gathering.prices(&file);
    let packs = gathering.packs(&file);
    let hosts = gathering.each("hosts", &file.hosts, "TURNWISE_HOSTS", HOST, host);
    let origins = gathering.each("origins", &file.origins, "TURNWISE_ORIGINS", ORIGIN, origin);
    let proxies = &file.proxies;
    let proxies = gathering.each("proxies", proxies, "TURNWISE_PROXIES", PROXY, proxies::network);
    let limits = gathering.limits(&file.limits);
    let outward = Outward::of(|name| environment.var(name), &mut gathering.mistakes);
    let signing = gathering.signing(&file);
    let demo = gathering.switch("TURNWISE_DEMO", file.demo);
    let manners = gathering.manners(&file, hosts.clone());
    let mut task_folders = file.task_folders;
    task_folders.extend(gathering.path("TURNWISE_DATA"));
    let mut sealed = file.sealed;
    // What is sealed anywhere is sealed.
    sealed.extend(gathering.words("TURNWISE_SEALED").map(PathBuf::from));
    let web = gathering.path("TURNWISE_WEB_DIR").or(file.web_folder);
    if !gathering.mistakes.is_empty() {
        return Err(BadConfig(gathering.mistakes));
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
        proxies: proxies.into_iter().collect(),
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

/// What a name of a host must be, and how one is written.
const HOST: &str = "host name; write one like turnwise.example.org, without scheme and port";
const ORIGIN: &str = "origin; write one like http://127.0.0.1:8081";
const PROXY: &str = "address; write one like 10.0.0.7, or a network like 10.0.0.0/8";

fn host(text: &str) -> Option<String> {
    let is_plain =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '.' | '-');
    (!text.is_empty() && text.chars().all(is_plain)).then(|| text.to_ascii_lowercase())
}

fn origin(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let is_origin = url.origin().is_tuple() && url.path() == "/" && url.query().is_none();
    is_origin.then(|| url.origin().ascii_serialization())
}

/// Reads what goes before the file, and collects what is wrong with either.
struct Gathering<'a> {
    environment: &'a Environment,
    mistakes: Vec<String>,
}

impl<'a> Gathering<'a> {
    fn mistake(&mut self, why: impl Into<String>) {
        self.mistakes.push(why.into());
    }

    /// What was read, or else a mistake at `place`.
    fn sound<T>(&mut self, place: &str, read: Result<T, impl std::fmt::Display>) -> Option<T> {
        read.map_err(|why| self.mistake(format!("{place}: {why}"))).ok()
    }

    /// What was read of an endpoint or an engine, if nothing of it is wrong.
    fn whole<T>(&mut self, named: &str, read: Option<T>, wrong: Wrong) -> Option<T> {
        let is_sound = wrong.0.is_empty();
        for (field, why) in wrong.0 {
            self.mistake(format!("{named}, {field}: {why}"));
        }
        read.filter(|_| is_sound)
    }

    fn path(&self, variable: &str) -> Option<PathBuf> {
        self.environment.var(variable).map(PathBuf::from)
    }

    /// The parts of a list in a variable.
    fn words(&self, variable: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        words(self.environment.var(variable).unwrap_or_default())
    }

    /// The text of a variable, else that of a field of the file, with the name of either.
    fn first<'b>(
        &self,
        variable: &'static str,
        field: &'static str,
        written: Option<&'b str>,
    ) -> Option<(&'static str, &'b str)>
    where
        'a: 'b,
    {
        let of_variable = self.environment.var(variable).map(|text| (variable, text));
        of_variable.or_else(|| written.map(|text| (field, text)))
    }

    /// Each of a list, in the file and in a variable; `expected` says what one must be.
    fn each<T>(
        &mut self,
        field: &str,
        written: &[String],
        variable: &str,
        expected: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Vec<T> {
        let mut all = Vec::new();
        for text in written.iter().map(String::as_str).chain(self.words(variable)) {
            match read(text) {
                Some(one) => all.push(one),
                None => self.mistake(format!("{field}: {text:?} is no {expected}")),
            }
        }
        all
    }

    /// What a variable or else the file switches off.
    fn switch(&mut self, variable: &str, written: Option<bool>) -> bool {
        match (self.environment.var(variable), written) {
            (Some("on"), _) => true,
            (Some("off"), _) => false,
            (Some(_), _) => {
                self.mistake(format!("{variable}: write on or off"));
                false
            }
            (None, wanted) => wanted.unwrap_or(true),
        }
    }

    /// The file that the environment names, or the usual one if that is there.
    fn file(&mut self, usual: PathBuf) -> File {
        let named = self.path("TURNWISE_CONFIG");
        let path = named.clone().unwrap_or(usual);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && named.is_none() => {
                return File::default();
            }
            Err(error) => {
                self.mistake(format!("{}: {error}", path.display()));
                return File::default();
            }
        };
        file::read(&text).unwrap_or_else(|why| {
            self.mistake(format!("{}, {why}", path.display()));
            File::default()
        })
    }

    fn addr(&mut self, given: Option<SocketAddr>, file: &File) -> SocketAddr {
        let default = SocketAddr::from(([127, 0, 0, 1], 8080));
        if let Some(given) = given {
            return given;
        }
        let Some((place, text)) = self.first("TURNWISE_ADDR", "addr", file.addr.as_deref()) else {
            return default;
        };
        text.parse().unwrap_or_else(|_| {
            self.mistake(format!("{place}: {text:?} is no address; write one like {DEFAULT_ADDR}"));
            default
        })
    }

    /// How calls are receipted. The key itself is read when it is first used.
    fn signing(&mut self, file: &File) -> Signing {
        let key = self.environment.var("TURNWISE_SIGNING_KEY").map(Secret::new);
        let word = self.first("TURNWISE_RECEIPTS", "receipts", file.receipts.as_deref());
        let receipts = match word {
            None | Some((_, "on")) => Receipting::On,
            Some((_, "off")) => Receipting::Off,
            Some((place, _)) => {
                self.mistake(format!("{place}: write on or off"));
                Receipting::On
            }
        };
        Signing { key: key.or_else(|| file.signing_key.clone()), receipts }
    }

    /// How pages of the web are fetched.
    fn manners(&mut self, file: &File, own_names: Vec<String>) -> Manners {
        let written = file.fetching.contact.as_deref();
        let contact = self.environment.var("TURNWISE_CONTACT").or(written).map(str::to_owned);
        let is_contact = |text: &String| {
            let is_plain = text.len() <= 200 && text.bytes().all(|byte| byte.is_ascii_graphic());
            is_plain && (text.contains('@') || text.contains("://"))
        };
        if contact.as_ref().is_some_and(|contact| !is_contact(contact)) {
            self.mistake(
                "fetching.contact: write an address of the web or of mail, like https://lab.example/bot, of at most 200 \
                 plain characters",
            );
        }
        let robots = self.switch("TURNWISE_ROBOTS", file.fetching.robots);
        Manners { contact, robots, own_names }
    }

    /// The database that several servers share. What is wrong is said without its address, for that holds a password.
    fn database(&mut self, file: &File) -> Option<Database> {
        let written = file.database_url.as_ref().map(Secret::open);
        let (place, address) = self.first("DATABASE_URL", "database_url", written)?;
        let database = Database::server(Secret::new(address)).map_err(|why| {
            format!("{why}; write it like postgres://user:password@host:5432/turnwise")
        });
        self.sound(place, database)
    }

    fn access(&mut self, file: &File) -> Option<Secret> {
        let written = file.access_token.as_ref().map(Secret::open);
        let (place, token) = self.first("TURNWISE_ACCESS_TOKEN", "access_token", written)?;
        if token.len() < SHORTEST_TOKEN || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            self.mistake(format!(
                "{place}: a token has at least {SHORTEST_TOKEN} characters, all of them plain letters, digits or punctuation"
            ));
        }
        Some(Secret::new(token))
    }

    fn limits(&mut self, file: &FileLimits) -> Limits {
        let usual = Limits::default();
        Limits {
            connect: self.seconds("connect_seconds", file.connect_seconds, usual.connect),
            idle: self.seconds("idle_seconds", file.idle_seconds, usual.idle),
            total: self.seconds("total_seconds", file.total_seconds, usual.total),
            longest_wait: self.seconds(
                "longest_wait_seconds",
                file.longest_wait_seconds,
                usual.longest_wait,
            ),
            live_idle: self.seconds("live_idle_seconds", file.live_idle_seconds, usual.live_idle),
            backoff: file
                .backoff_ms
                .map_or(usual.backoff, |value| Duration::from_millis(value.into())),
            attempts: file.attempts.map(|attempts| self.count("attempts", Some(attempts), 1)),
            response_bytes: self.megabytes(
                "response_megabytes",
                file.response_megabytes,
                usual.response_bytes,
            ),
            requests_per_second: self.count(
                "requests_per_second",
                file.requests_per_second,
                usual.requests_per_second,
            ),
            request_burst: self.count("request_burst", file.request_burst, usual.request_burst),
            connections: self.count("connections", file.connections, usual.connections),
            connections_of_client: self.count(
                "connections_of_client",
                file.connections_of_client,
                usual.connections_of_client,
            ),
            client_bytes: self.megabytes(
                "client_megabytes",
                file.client_megabytes,
                usual.client_bytes,
            ),
            sealed_answers: self.count(
                "sealed_answers_per_day",
                file.sealed_answers_per_day,
                usual.sealed_answers,
            ),
            visitor_branches: file.visitor_branches.unwrap_or(usual.visitor_branches),
            visitor_branches_of_client: self.count(
                "visitor_branches_of_client",
                file.visitor_branches_of_client,
                usual.visitor_branches_of_client,
            ),
            live_tables: self.count("live_tables", file.live_tables, usual.live_tables),
        }
    }

    /// A limit that is at least 1.
    fn count<T: TryFrom<u32>>(&mut self, field: &str, written: Option<u32>, usual: T) -> T {
        if written == Some(0) {
            self.mistake(format!("limits.{field}: at least 1"));
        }
        written.and_then(|count| T::try_from(count).ok()).unwrap_or(usual)
    }

    fn seconds(&mut self, field: &str, written: Option<u32>, usual: Duration) -> Duration {
        Duration::from_secs(self.count(field, written, usual.as_secs()))
    }

    fn megabytes(&mut self, field: &str, written: Option<u32>, usual: usize) -> usize {
        self.count(field, written, usual / 1_000_000).checked_mul(1_000_000).unwrap_or(usual)
    }

    /// The prompt packs that the operator lists: those of the file and those of `TURNWISE_PACKS`.
    fn packs(&mut self, file: &File) -> Vec<Pack> {
        let named = self.words("TURNWISE_PACKS").map(PathBuf::from);
        let paths = file.packs.iter().cloned().chain(named);
        let listed: Vec<Pack> =
            paths.filter_map(|path| self.sound("packs", packs::read_file(&path))).collect();
        if let Some(name) = packs::ambiguous(&listed) {
            self.mistake(format!(
                "packs: two packs that differ are called {name}; give one of them another name"
            ));
        }
        listed
    }

    /// Prices of the file, and those of the list that it or `TURNWISE_PRICES` names.
    fn prices(&mut self, file: &File) -> PriceBook {
        let own = PriceBook {
            models: file.price.clone(),
            searches: file.search_price.clone(),
            free: Vec::new(),
        };
        if let Err(wrong) = own.check() {
            self.mistakes.extend(wrong.into_iter().map(|why| format!("price {why}")));
        }
        let named = self.path("TURNWISE_PRICES").or_else(|| file.prices.clone());
        let list = named.and_then(|path| self.sound("prices", super::prices::read_file(&path)));
        match list {
            None => own,
            Some(list) => own.over(list),
        }
    }
}

/// The parts of a list that is separated by commas.
fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests;
