//! The service: it holds the keys, forwards calls, keeps runs, and hands out the web app.
//!
//! [`build_app`] makes the router of an [`App`]; the program and the tests use the same one. Every address stands in
//! [`routes`]; every call passes through one door; every error has one shape ([`error`]).

pub mod calls;
pub mod config;
pub mod driver;
pub mod egress;
pub mod error;
mod extract;
pub mod guard;
pub mod keeping;
pub mod limits;
pub mod live;
pub mod log;
mod measures;
pub mod prices;
pub mod providers;
mod random;
pub mod routes;
pub mod run_folder;
pub mod search;
pub mod secret;
pub mod shelf;
pub mod store;
pub mod web;

use std::sync::Arc;

use axum::Router;
use tokio::sync::watch;
use turnwise_shared::wire::TaskSetInfo;

use calls::Calls;
use config::Config;
use egress::{CannotOpen, Egress};
use error::{Answer, Problem};
use limits::RateLimit;
use live::Tables;
use shelf::{Found, Shelf};
use store::{Store, StoreError};
use web::WebApp;

/// Everything that handlers share.
#[derive(Clone)]
pub struct App(Arc<Parts>);

struct Parts {
    config: Config,
    store: Store,
    egress: Arc<Egress>,
    calls: Calls,
    tables: Tables,
    shelf: Arc<Shelf>,
    rate: RateLimit,
    web: WebApp,
    closing: watch::Sender<bool>,
}

/// Why the service cannot start.
#[derive(Debug, thiserror::Error)]
pub enum CannotStart {
    /// The data folder cannot be made.
    #[error("the data folder {folder} cannot be used: {error}")]
    Folder {
        /// Which.
        folder: String,
        /// Why.
        error: std::io::Error,
    },
    /// The database cannot be opened.
    #[error("the database {place} cannot be used: {error}")]
    Store {
        /// Its file, or where it is without user and password.
        place: String,
        /// Why.
        error: StoreError,
    },
    /// A provider or a search engine cannot be made ready.
    #[error(transparent)]
    Egress(#[from] CannotOpen),
}

impl App {
    /// Opens everything that the configuration names. The data folder is made if it is not there.
    ///
    /// # Errors
    /// [`CannotStart`]
    pub async fn open(config: Config) -> Result<App, CannotStart> {
        std::fs::create_dir_all(&config.data).map_err(|error| CannotStart::Folder {
            folder: config.data.display().to_string(),
            error,
        })?;
        let database = config.database();
        let store = Store::open(&database)
            .await
            .map_err(|error| CannotStart::Store {
                place: database.to_string(),
                error,
            })?;
        live::tidy(&store)
            .await
            .map_err(|error| CannotStart::Store {
                place: database.to_string(),
                error,
            })?;
        let egress = Arc::new(Egress::open(&config).await?);
        Ok(App(Arc::new(Parts {
            calls: Calls::new(store.clone(), Arc::clone(&egress)),
            tables: Tables::default(),
            store,
            egress,
            shelf: Arc::new(Shelf::new(&config)),
            rate: RateLimit::new(
                config.limits.requests_per_second,
                config.limits.request_burst,
            ),
            web: WebApp::find(&config),
            closing: watch::Sender::new(false),
            config,
        })))
    }

    /// What the operator decided.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// What survives a restart.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// What goes out without a run: probes. Everything else goes through [`App::calls`].
    pub fn egress(&self) -> &Egress {
        &self.0.egress
    }

    /// The one door out.
    pub fn calls(&self) -> &Calls {
        &self.0.calls
    }

    /// The live tables.
    pub fn tables(&self) -> &Tables {
        &self.0.tables
    }

    /// The task files. Looking at them takes time, so it belongs on a thread that may wait.
    pub fn shelf(&self) -> Arc<Shelf> {
        Arc::clone(&self.0.shelf)
    }

    /// The task sets and where they lie.
    ///
    /// # Errors
    /// If looking for them broke off.
    pub async fn look_at_shelf(&self) -> Answer<Vec<Found>> {
        let shelf = self.shelf();
        tokio::task::spawn_blocking(move || shelf.look())
            .await
            .map_err(Problem::internal)
    }

    /// What may be told about the task sets.
    ///
    /// # Errors
    /// If looking for them broke off.
    pub async fn task_sets(&self) -> Answer<Vec<TaskSetInfo>> {
        let found = self.look_at_shelf().await?;
        Ok(found.into_iter().map(|found| found.info).collect())
    }

    /// How many requests a client may make.
    pub fn rate(&self) -> &RateLimit {
        &self.0.rate
    }

    /// The web app's files.
    pub fn web(&self) -> &WebApp {
        &self.0.web
    }

    /// Says that the server stops: sockets end, so that nothing waits for them.
    pub fn stop(&self) {
        self.0.closing.send_replace(true);
    }

    /// Hears when the server stops.
    pub fn closing(&self) -> Closing {
        Closing(self.0.closing.subscribe())
    }

    /// Ends live tables, waits for calls in the air, then closes the store. Calls that are still in the air when this is dropped count as
    /// lost.
    pub async fn close(&self) {
        self.stop();
        self.tables().close().await;
        while self.calls().flying() > 0 {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        self.store().close().await;
    }
}

/// An ear for the end of the server.
pub struct Closing(watch::Receiver<bool>);

impl Closing {
    /// Returns when the server stops.
    pub async fn wait(&mut self) {
        if self.0.wait_for(|closing| *closing).await.is_err() {
            // Nobody is left who could say it.
            std::future::pending().await
        }
    }
}

/// The whole service as a router.
pub fn build_app(app: App) -> Router {
    routes::router(app)
}
