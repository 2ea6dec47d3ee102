//! What only the outside can answer, from the command line: the operator's endpoints, and search engines.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use tokio::runtime::Runtime;

use turnwise_backend::config::{Config, Documents, Environment, Given};
use turnwise_backend::driver::Outside;
use turnwise_backend::egress::Egress;
use turnwise_backend::search::{Engine as _, Engines, Local};
use turnwise_shared::effect::{Failure, FailureClass, Reply};
use turnwise_shared::seat::{Lineup, Player, Seat};
use turnwise_shared::spec::SearchSpec;
use turnwise_shared::wire::{CallAnswer, Outgoing, Timing};

use super::day;
use super::plan::Corpora;
use super::trouble::Trouble;

/// Connections in the making: only what is asked for is opened, and the configuration is read only if it is needed.
pub struct Connections {
    runtime: Runtime,
    data: Option<PathBuf>,
    config: Option<Config>,
    engines: Engines,
}

impl Connections {
    /// Nothing is open yet. `data` is the folder in which `turnwise.toml` lies.
    ///
    /// # Errors
    /// If the machine has no threads left.
    pub fn new(data: Option<PathBuf>) -> Result<Self, Trouble> {
        Ok(Connections {
            runtime: tokio::runtime::Builder::new_multi_thread()
                .enable_all()
                .build()?,
            data,
            config: None,
            engines: Engines::default(),
        })
    }

    /// The operator's configuration.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn config(&mut self) -> Result<&Config, Trouble> {
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

    /// Opens what the seats need.
    ///
    /// # Errors
    /// If a model sits behind an endpoint that is not configured, or an endpoint cannot be made ready.
    pub fn connect(mut self, seats: &Lineup) -> Result<(Runtime, Arc<Wired>), Trouble> {
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
        let egress = match models.is_empty() {
            true => None,
            false => Some(self.egress()?),
        };
        let wired = Wired {
            engines: self.engines,
            egress,
        };
        Ok((self.runtime, Arc::new(wired)))
    }

    /// Opens the endpoints, and no search engine of the operator's.
    ///
    /// # Errors
    /// If the configuration is wrong, or an endpoint cannot be made ready.
    pub fn egress(&mut self) -> Result<Egress, Trouble> {
        let config = Config {
            engines: Vec::new(),
            ..self.config()?.clone()
        };
        Ok(self.runtime.block_on(Egress::open(&config))?)
    }

    /// Waits for something.
    pub fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// The engines that were opened.
    pub fn engines(&self) -> &Engines {
        &self.engines
    }

    fn knows(&mut self, provider: &str, seat: &Seat) -> Result<(), Trouble> {
        let config = self.config()?;
        let names: Vec<_> = config
            .providers
            .iter()
            .map(|known| known.name.as_str())
            .collect();
        if names.contains(&provider) {
            return Ok(());
        }
        Err(Trouble::new(format!(
            "--seat {seat}=model:{provider}/…: no provider {provider:?} is configured; there is {}. Providers stand in \
             {} or in the environment, see .env.sample",
            names.join(", "),
            config.data.join("turnwise.toml").display()
        )))
    }

    fn open(&mut self, name: &str, documents: Option<&Path>) -> Result<Local, Trouble> {
        let path = match documents {
            Some(path) => Some(path.to_owned()),
            None => {
                let engines = &self.config()?.engines;
                let found = engines.iter().find(|engine| engine.name == name);
                match found.map(|engine| &engine.documents) {
                    Some(Documents::Path(path)) => Some(path.clone()),
                    Some(Documents::Samples) => None,
                    None => {
                        let names: Vec<_> =
                            engines.iter().map(|engine| engine.name.as_str()).collect();
                        return Err(Trouble::new(format!(
                            "--search {name}: there is no such engine; there is {}",
                            names.join(", ")
                        )));
                    }
                }
            }
        };
        Ok(self.runtime.block_on(async {
            match &path {
                Some(path) => Local::open(path).await,
                None => Local::samples().await,
            }
        })?)
    }
}

impl Corpora for Connections {
    fn engine(
        &mut self,
        name: &str,
        documents: Option<&Path>,
        results: u32,
    ) -> Result<SearchSpec, Trouble> {
        let engine = self.open(name, documents)?;
        let info = engine.info();
        self.engines.add(engine);
        Ok(SearchSpec {
            engine: info.name,
            corpus: info.corpus,
            results,
        })
    }
}

/// Endpoints and engines, ready to be asked.
pub struct Wired {
    engines: Engines,
    egress: Option<Egress>,
}

impl Outside for Wired {
    async fn answer(&self, request: Outgoing) -> (Reply, Timing) {
        match (&request, &self.egress) {
            (Outgoing::Search { engine, query }, _) => {
                let began = Instant::now();
                let started = day::now();
                let reply = match self.engines.search(engine, query).await {
                    Ok(hits) => Reply::Found { hits },
                    Err(failure) => Reply::Failed(failure),
                };
                let timing = Timing {
                    started,
                    took: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
                    attempts: 1,
                    ..Timing::default()
                };
                (reply, timing)
            }
            (Outgoing::Model(_), Some(egress)) => {
                let CallAnswer { reply, timing } = egress.send(&request, None).await;
                (reply, timing)
            }
            (Outgoing::Model(call), None) => {
                let failure = Failure::new(
                    FailureClass::Unavailable,
                    format!("the endpoint {:?} was not opened", call.provider),
                );
                (Reply::Failed(failure), Timing::default())
            }
        }
    }
}
