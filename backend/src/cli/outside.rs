//! What only the outside can answer, from the command line: the operator's endpoints, and search engines.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow};
use tokio::runtime::Runtime;

use turnwise_backend::config::{
    Config, Documents, EngineConfig, EngineService, Environment, Given,
};
use turnwise_backend::driver::Outside;
use turnwise_backend::outbound::budget::Account;
use turnwise_backend::outbound::{self, Egress, cache};
use turnwise_backend::pictures::Pictures;
use turnwise_backend::store::Store;
use turnwise_shared::benchmark::Attempts;
use turnwise_shared::effect::{PAGE, RENDER};
use turnwise_shared::prelude::*;

use super::out::say_err;
use super::searched::Corpora;
use super::trouble::with_path;

/// Connections in the making: only what is asked for is opened, and the configuration is read only if it is needed.
pub struct Connections {
    runtime: Runtime,
    data: Option<PathBuf>,
    config: Option<Config>,
    egress: Option<Egress>,
}

impl Connections {
    /// Nothing is open yet. `data` is the folder in which `turnwise.toml` lies.
    ///
    /// # Errors
    /// If the machine has no threads left.
    pub fn new(data: Option<PathBuf>) -> Result<Self> {
        Ok(Connections {
            runtime: tokio::runtime::Builder::new_multi_thread().enable_all().build()?,
            data,
            config: None,
            egress: None,
        })
    }

    /// Opens what the seats and the benchmark's tools need besides, and the database where replies of a run of this spec stand for all
    /// runs; the account pays for their calls. Pictures are kept in the run's folder.
    ///
    /// # Errors
    /// If a model sits behind an endpoint that is not configured, an endpoint or the database cannot be made ready, or the
    /// price of a call is unknown for which the account has a cap.
    pub fn connect(
        mut self,
        spec: &Spec,
        seats: &Lineup,
        account: Account,
        (folder, tasks): (&Path, &TaskSet),
    ) -> Result<(Runtime, Arc<Wired>)> {
        let models: Vec<_> = seats
            .iter()
            .filter_map(|(seat, sitting)| match &sitting.player {
                Player::Model { provider, .. } => Some((seat, provider)),
                _ => None,
            })
            .collect();
        for (seat, provider) in &models {
            self.knows(provider, seat)?;
        }
        let benchmark = registry::find(&spec.benchmark)?;
        let uses = |tool| tasks.tasks.iter().any(|task| benchmark.uses(spec, task, tool));
        let visits = spec.web == Some(WebSpec::Live) && uses(PAGE);
        if visits && !self.config()?.manners.robots {
            say_err!("robots.txt of sites is not read (TURNWISE_ROBOTS, or [fetching] robots)");
        }
        let goes_out = uses(RENDER) || visits;
        if (goes_out || !models.is_empty()) && self.egress.is_none() {
            self.open(Vec::new())?;
        }
        if let Some(egress) = &self.egress {
            account.check(seats, None, egress.prices()).map_err(|unbounded| {
                let problem = format!("the run has a budget, but {}", unbounded.why);
                anyhow::Error::msg(match unbounded.mend() {
                    Some(mend) => format!("{problem}. {mend}"),
                    None => problem,
                })
            })?;
        }
        let standing = match cache::is_needed(spec, seats) {
            true => {
                let place = self.config()?.database();
                let store = self.runtime.block_on(Store::beside(&place));
                let store = store.map_err(|why| anyhow!("{place}: {why}"))?;
                Some((store, spec.clone()))
            }
            false => None,
        };
        let pictures = Pictures::of_run(folder);
        let egress = self.egress.map(|egress| egress.keeping(pictures.clone()));
        for png in tasks.pictures.values() {
            self.runtime.block_on(pictures.keep(png)).map_err(|why| with_path(folder, why))?;
        }
        let wired = Wired { egress, account, attempts: outbound::attempts(spec), standing };
        Ok((self.runtime, Arc::new(wired)))
    }

    /// The endpoints of models.
    ///
    /// # Errors
    /// If the configuration is wrong, or an endpoint cannot be made ready.
    pub fn endpoints(&mut self) -> Result<&Egress> {
        self.open(Vec::new())
    }

    /// What is known about the search engines of the configuration.
    ///
    /// # Errors
    /// If the configuration is wrong, or an engine cannot be made ready.
    pub fn engines(&mut self) -> Result<Vec<EngineInfo>> {
        let engines = self.config()?.engines.clone();
        Ok(self.open(engines)?.engines())
    }

    /// Makes a call once, outside of any run.
    pub fn probe(&self, request: &Outgoing) -> CallAnswer {
        match &self.egress {
            Some(egress) => self.runtime.block_on(egress.probe(request, &Account::open())),
            None => CallAnswer { reply: Reply::Failed(nothing_open()), timing: Timing::default() },
        }
    }

    fn config(&mut self) -> Result<&Config> {
        let config = match self.config.take() {
            Some(config) => config,
            None => {
                let given = Given {
                    // Nothing is served here, so the operator's address is not looked at.
                    addr: Some(([127, 0, 0, 1], 0).into()),
                    data: self.data.clone(),
                };
                Config::load(given, &Environment::of_process())?
            }
        };
        Ok(self.config.insert(config))
    }

    /// Opens the endpoints and these engines.
    fn open(&mut self, engines: Vec<EngineConfig>) -> Result<&Egress> {
        let config = Config { engines, ..self.config()?.clone() };
        let egress = self.runtime.block_on(Egress::open(&config))?;
        Ok(self.egress.insert(egress))
    }

    fn knows(&mut self, provider: &str, seat: &Seat) -> Result<()> {
        let config = self.config()?;
        let names: Vec<_> = config.providers.iter().map(|known| known.name.as_str()).collect();
        if names.contains(&provider) {
            return Ok(());
        }
        Err(anyhow!(
            "--seat {seat}=model:{provider}/…: no provider {provider:?} is configured; there is {}. Providers stand in \
             {} or in the environment, see .env.sample",
            names.join(", "),
            config.data.join("turnwise.toml").display()
        ))
    }
}

impl Corpora for Connections {
    fn engine(&mut self, name: &str, documents: Option<&Path>, results: u32) -> Result<SearchSpec> {
        let engine = match documents {
            Some(path) => EngineConfig {
                name: name.to_owned(),
                service: EngineService::Local(Documents::Path(path.to_owned())),
            },
            None => {
                let engines = &self.config()?.engines;
                let found = engines.iter().find(|engine| engine.name == name);
                found.cloned().ok_or_else(|| {
                    let names: Vec<_> = engines.iter().map(|engine| engine.name.as_str()).collect();
                    anyhow!(
                        "--search {name}: there is no such engine; there is {}",
                        names.join(", ")
                    )
                })?
            }
        };
        let infos = self.open(vec![engine])?.engines();
        let info = infos
            .into_iter()
            .find(|info| info.name == name)
            .ok_or_else(|| anyhow!("the search engine {name} was not opened"))?;
        Ok(SearchSpec { engine: info.name, corpus: info.corpus, results })
    }
}

/// Endpoints and engines, ready to be asked, and what pays for that.
pub struct Wired {
    /// Absent where a run needs neither.
    egress: Option<Egress>,
    account: Account,
    /// How often a call is sent at most, unless the operator has set a number.
    attempts: Attempts,
    /// Where replies stand for all runs, and for which calls of this one.
    standing: Option<(Store, Spec)>,
}

impl Outside for Wired {
    async fn answer(&self, _: Ticket, request: Outgoing) -> (Reply, Timing) {
        let Some(egress) = &self.egress else {
            return (Reply::Failed(nothing_open()), Timing::default());
        };
        let sent = egress.send(&request, None, &self.account, self.attempts);
        let CallAnswer { reply, timing } = match &self.standing {
            Some((store, spec)) => {
                let key = cache::key(egress, spec, &request);
                cache::answer(store, key.as_ref(), sent).await
            }
            None => sent.await,
        };
        (reply, timing)
    }
}

fn nothing_open() -> Failure {
    Failure::new(FailureClass::Unavailable, "no endpoint and no search engine was opened")
}
