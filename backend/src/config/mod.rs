//! What the operator decides: addresses, folders, endpoints, keys, limits.
//!
//! It comes from the command line, the environment and an optional TOML file, in this order of precedence; never from a
//! visitor. [`Config::load`] fails at start and names every mistake at once.

mod environment;
mod file;
mod gather;
pub mod prices;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use reqwest::Url;
use turnwise_shared::prelude::*;

pub use environment::Environment;

use crate::database::Database;
use crate::proxies::Proxies;
use crate::secret::Secret;
use crate::services::reach::{ProxyChoice, Reach};
use crate::services::{ModelFormat, ModelService, SearchFormat, SearchService};

/// Where the server listens by default.
pub const DEFAULT_ADDR: &str = "127.0.0.1:8080";

/// Where it keeps its data by default: a folder in the directory in which it was started.
pub const DEFAULT_DATA: &str = "turnwise-data";

/// What the command line said; it goes before everything else.
#[derive(Debug, Clone, Default)]
pub struct Given {
    pub addr: Option<SocketAddr>,
    pub data: Option<PathBuf>,
}

/// Everything that the operator decided, checked.
#[derive(Debug, Clone)]
pub struct Config {
    pub addr: SocketAddr,
    /// The folder of the database, unless that is elsewhere, and of uploaded tasks.
    pub data: PathBuf,
    /// The database that several servers share, where the operator named one; else it lies in the data folder.
    pub database: Option<Database>,
    /// Further folders in which task files are looked for; nothing is written there.
    pub task_folders: Vec<PathBuf>,
    /// Files of tasks whose hidden fields never leave the server: paths, or names of files in the task folders.
    pub sealed: Vec<PathBuf>,
    /// The built web app, where the operator named its folder.
    pub web: Option<PathBuf>,
    /// The operator's token; without one only loopback addresses are bound.
    pub access: Option<Secret>,
    /// Further tokens that do the same, each within its own caps.
    pub tokens: Vec<AccessToken>,
    /// What all runs together may spend in a day (UTC).
    pub caps: Caps,
    /// Prompt packs whose runs get boards of their own, besides those that come with the benchmarks.
    pub packs: Vec<Pack>,
    /// Names under which the server may be asked, besides those of loopback.
    pub hosts: Vec<String>,
    /// Further origins whose pages may use the API, e.g. `http://127.0.0.1:8081` of a development server.
    pub origins: Vec<String>,
    /// Proxies in front of the server, which say who asks.
    pub proxies: Proxies,
    pub providers: Vec<ProviderConfig>,
    pub engines: Vec<EngineConfig>,
    /// What the operator knows of prices; it goes before the list that comes with the program.
    pub prices: PriceBook,
    pub signing: Signing,
    /// Whether a new server plays a run of samples by itself, to have something to show.
    pub demo: bool,
    pub limits: Limits,
    /// How pages of the web are fetched.
    pub manners: Manners,
    /// How services on the network are found; nothing that is configured says so.
    pub reach: Reach,
}

#[derive(Debug, Clone, Default)]
pub struct Signing {
    /// The secret part of the signing key, as 64 hexadecimal digits, where the operator gave it; else the server makes one.
    pub key: Option<Secret>,
    /// Whether it makes receipts at all.
    pub receipts: Receipting,
}

/// How the operator wants pages of the web to be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manners {
    /// Where owners of sites complain: an address of the web or of mail. Part of the user agent.
    pub contact: Option<String>,
    pub robots: bool,
    /// Names of this server, in small letters, which are not fetched.
    pub own_names: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Receipting {
    /// Every call that comes back.
    #[default]
    On,
    /// None: no run can be verified then. For measuring what receipts cost.
    Off,
}

/// A token with which runs are opened and calls are made, at the operator's cost.
#[derive(Debug, Clone)]
pub struct AccessToken {
    /// What the operator calls it.
    pub name: String,
    /// The token.
    pub secret: Secret,
    /// What may be spent with it in a day (UTC).
    pub caps: Caps,
}

#[derive(Debug, Clone)]
pub struct ProviderConfig {
    /// What seats call it: letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// Models that are offered on the screen; others may be typed.
    pub models: Vec<String>,
    /// The most calls that it gets at once.
    pub in_flight: usize,
    pub format: ProviderFormat,
    /// Which proxy it is asked through.
    pub proxy: ProxyChoice,
}

/// The wire format of an endpoint, and what it needs.
#[derive(Debug, Clone)]
pub enum ProviderFormat {
    /// Chat completions as OpenAI defined them.
    OpenAi {
        /// Without a slash at its end; `/chat/completions` follows.
        base_url: Url,
        /// Absent where the endpoint wants none.
        key: Option<Secret>,
        /// The field that limits the length of a reply: `max_tokens`, or `max_completion_tokens` at OpenAI itself.
        max_tokens_field: String,
    },
    /// Messages as Anthropic defined them.
    Anthropic {
        /// With or without `/v1` at its end; `/messages` follows.
        base_url: Url,
        /// Absent where the endpoint wants none.
        key: Option<Secret>,
    },
    /// `generateContent` as Google defined it for Gemini.
    Gemini {
        /// With or without a version such as `/v1` or `/v1beta` at its end; `/models/NAME:generateContent` follows.
        base_url: Url,
        /// Absent where the endpoint wants none.
        key: Option<Secret>,
    },
    /// Answers made up in this process, for trials and tests.
    Scripted(Script),
}

impl ProviderFormat {
    /// Format, address and key of an endpoint on the network.
    pub fn remote(&self) -> Option<(ModelFormat, &Url, Option<&Secret>)> {
        let (format, base_url, key) = match self {
            ProviderFormat::OpenAi { base_url, key, .. } => (ModelFormat::OpenAi, base_url, key),
            ProviderFormat::Anthropic { base_url, key } => (ModelFormat::Anthropic, base_url, key),
            ProviderFormat::Gemini { base_url, key } => (ModelFormat::Gemini, base_url, key),
            ProviderFormat::Scripted(_) => return None,
        };
        Some((format, base_url, key.as_ref()))
    }

    /// The service at whose own host it is, so that what it says can be *verified*. Its address decides, not its format.
    pub fn own_service(&self) -> Option<&'static ModelService> {
        let (_, base_url, _) = self.remote()?;
        ModelService::at(base_url)
    }
}

impl EngineService {
    /// The search service at whose own address it is; an instance of SearXNG is always the operator's.
    pub fn own_service(&self) -> Option<&'static SearchService> {
        let EngineService::Remote(format, remote) = self else {
            return None;
        };
        let service = format.service();
        (service.base_url.is_none() || service.is_at(&remote.base_url)).then_some(service)
    }

    /// Whether it is a service at its own host, or an index in this process.
    pub fn is_at_its_own_address(&self) -> bool {
        match self {
            EngineService::Local(_) => true,
            EngineService::Remote(format, remote) => format.service().is_at(&remote.base_url),
        }
    }
}

/// How the scripted provider behaves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Script {
    /// From which answers, latencies and faults are drawn.
    pub seed: u64,
    /// The mean time until an answer.
    pub latency: Duration,
    /// The share of attempts that fail, 0 to 1.
    pub faults: f64,
}

#[derive(Debug, Clone)]
pub struct EngineConfig {
    pub name: String,
    pub service: EngineService,
}

/// What a search engine is, and what it needs.
#[derive(Debug, Clone)]
pub enum EngineService {
    /// An index over documents, in this process.
    Local(Documents),
    /// A service on the network.
    Remote(SearchFormat, Remote),
}

/// A search service on the network.
#[derive(Debug, Clone)]
pub struct Remote {
    /// Without a slash at its end.
    pub base_url: Url,
    /// Absent where the service wants none.
    pub key: Option<Secret>,
    /// The most requests that it gets at once.
    pub in_flight: usize,
    /// Which proxy it is asked through.
    pub proxy: ProxyChoice,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Documents {
    /// The small corpus that belongs to the sample tasks.
    Samples,
    /// A JSON Lines file, or a folder of text files.
    Path(PathBuf),
}

/// Times and sizes of calls and requests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Until a connection must stand.
    pub connect: Duration,
    /// The longest silence within a call.
    pub idle: Duration,
    /// The longest that one attempt may take.
    pub total: Duration,
    /// Attempts per call, from 1; `None` = as many as the benchmark of a run declares.
    pub attempts: Option<u32>,
    /// The mean wait before the second attempt; it doubles with each further one.
    pub backoff: Duration,
    /// The longest wait that a service may ask for before the next attempt; beyond it the call fails at once.
    pub longest_wait: Duration,
    /// The most bytes of one answer on the wire.
    pub response_bytes: usize,
    /// Requests a second per client, in the long run.
    pub requests_per_second: u32,
    /// Requests at once per client.
    pub request_burst: u32,
    /// Connections at once; a further client waits until one is closed.
    pub connections: usize,
    /// Connections at once per client, unless it is this machine or a proxy of the operator's.
    pub connections_of_client: usize,
    /// Bytes of unfinished messages, request bodies and unread replies of all clients together.
    pub client_bytes: usize,
    /// The most live tables at once.
    pub live_tables: usize,
    /// A room in which no player has been for this long is ended.
    pub live_idle: Duration,
    /// The most requests of seats over one sealed task that are answered within a day, in all runs together: each tells a
    /// little of it.
    pub sealed_answers: u64,
    /// The most branches opened without an access token that are kept; with 0, visitors may open none.
    pub visitor_branches: u32,
    /// The most of them that one client may open in a day.
    pub visitor_branches_of_client: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(300),
            total: Duration::from_secs(900),
            attempts: None,
            backoff: Duration::from_secs(1),
            longest_wait: Duration::from_secs(60),
            response_bytes: 32_000_000,
            requests_per_second: 200,
            request_burst: 2000,
            connections: 4000,
            connections_of_client: 500,
            client_bytes: 256_000_000,
            live_tables: 32,
            live_idle: Duration::from_secs(600),
            sealed_answers: 10_000,
            visitor_branches: 1000,
            visitor_branches_of_client: 20,
        }
    }
}

/// Everything that is wrong with the configuration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the configuration has {} mistake{}:\n{}", .0.len(), if .0.len() == 1 { "" } else { "s" }, list(.0))]
pub struct BadConfig(pub Vec<String>);

fn list(mistakes: &[String]) -> String {
    mistakes.iter().map(|mistake| format!("  - {mistake}")).collect::<Vec<_>>().join("\n")
}

impl Config {
    /// Gathers and checks everything.
    ///
    /// # Errors
    /// [`BadConfig`] with every mistake, each with its place and the way to mend it. No value of a secret is in it.
    pub fn load(given: Given, environment: &Environment) -> Result<Config, BadConfig> {
        gather::config(given, environment)
    }

    /// Whether only this machine can reach the server.
    pub fn is_loopback(&self) -> bool {
        self.addr.ip().is_loopback()
    }

    /// Where the database is: where the operator said, else in a file of the data folder.
    pub fn database(&self) -> Database {
        self.database.clone().unwrap_or_else(|| Database::File(self.data.join("turnwise.db")))
    }

    /// Whether calls are made for everybody who can reach the server.
    pub fn is_open(&self) -> bool {
        self.access.is_none() && self.tokens.is_empty()
    }

    /// The folder of task files that the server may write.
    pub fn tasks(&self) -> PathBuf {
        self.data.join("tasks")
    }
}
