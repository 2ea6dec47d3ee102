//! The service: it holds the keys, forwards calls, keeps runs, and hands out the web app.
//!
//! [`build_app`] makes the router of an [`App`]; the program and the tests use the same one. Every address stands in
//! [`routes`]; every call passes through one door; every error has one shape ([`error`]).

pub mod access;
pub mod append_rules;
pub mod boards;
pub mod clock;
pub mod config;
pub mod database;
pub mod demo;
pub mod driver;
pub mod driving;
pub mod error;
mod extract;
pub mod fetching;
pub mod limits;
pub mod listening;
pub mod log;
mod long_texts;
mod measures;
pub mod outbound;
pub mod packs;
pub mod pictures;
pub mod preview;
pub mod prices;
mod private_file;
pub mod providers;
pub mod proxies;
pub mod publishing;
mod random;
pub mod receipts;
pub mod rendering;
pub mod rooms;
pub mod routes;
pub mod run_folder;
pub mod sample_web;
pub mod sealed;
pub mod search;
pub mod secret;
pub mod services;
pub mod store;
pub mod submission;
mod task_files;
pub mod task_library;
mod task_texts;
pub mod web;

use std::sync::Arc;

use axum::Router;
use tokio::sync::watch;
use turnwise_shared::prelude::*;
use turnwise_shared::sealed::Seal;
use turnwise_shared::wire::TaskSetInfo;

use access::anonymous::AnonymousBranches;
use boards::{Boards, Names};
use config::Config;
use driving::Drives;
use error::{Answer, Problem};
use limits::{ByteBudget, RateLimit};
use long_texts::Replies;
use outbound::{CallLimits, Calls, CannotOpen, Egress};
use pictures::Pictures;
use publishing::underway::Underway;
use receipts::{CannotSign, Receipts};
use rooms::Rooms;
use sealed::{CannotSeal, Sealed, Sets};
use store::{Store, StoreError};
use task_library::{LibrarySet, TaskLibrary};
use web::WebApp;

/// Everything that handlers share.
#[derive(Clone)]
pub struct App(Arc<Parts>);

struct Parts {
    config: Config,
    store: Store,
    egress: Arc<Egress>,
    boards: Boards,
    calls: Calls,
    call_limits: Arc<CallLimits>,
    rooms: Rooms,
    drives: Drives,
    task_library: Arc<TaskLibrary>,
    sealed: Arc<Sealed>,
    receipts: Receipts,
    underway: Underway,
    rate: RateLimit,
    bytes: ByteBudget,
    anonymous: AnonymousBranches,
    web: WebApp,
    closing: watch::Sender<bool>,
}

/// Why the service cannot start.
#[derive(Debug, thiserror::Error)]
pub enum CannotStart {
    /// The data folder cannot be made.
    #[error("the data folder {folder} cannot be used: {error}")]
    Folder { folder: String, error: std::io::Error },
    /// The database cannot be opened.
    #[error("the database {place} cannot be used: {error}")]
    Store {
        /// Its file, or where it is without user and password.
        place: String,
        error: StoreError,
    },
    /// A task file that the operator wants sealed cannot be.
    #[error(transparent)]
    Sealed(#[from] CannotSeal),
    /// Receipts cannot be signed.
    #[error(transparent)]
    Receipts(#[from] CannotSign),
    /// A provider or a search engine cannot be made ready.
    #[error(transparent)]
    Egress(#[from] CannotOpen),
}

fn make_folder(config: &Config) -> Result<(), CannotStart> {
    private_file::create_folder(&config.data)
        .map_err(|error| CannotStart::Folder { folder: config.data.display().to_string(), error })
}

impl App {
    /// Opens everything that the configuration names. The data folder is made if it is not there.
    pub async fn open(config: Config) -> Result<App, CannotStart> {
        make_folder(&config)?;
        let store = Store::open(&config.database()).await;
        let app = App::over(config, store).await?;
        rooms::tidy(app.store()).await.map_err(|error| CannotStart::Store {
            place: app.config().database().to_string(),
            error,
        })?;
        app.call_limits().begin(app.egress().prices()).await.map_err(|error| {
            CannotStart::Store { place: app.config().database().to_string(), error }
        })?;
        tokio::spawn(driving::look_after(Arc::downgrade(&app.0)));
        tokio::spawn(rooms::look_after(app.store().clone(), app.closing()));
        Ok(app)
    }

    /// Opens everything beside a server that may be running over the same database: its rooms and runs are left alone.
    pub async fn beside(config: Config) -> Result<App, CannotStart> {
        make_folder(&config)?;
        let store = Store::beside(&config.database()).await;
        App::over(config, store).await
    }

    /// Opens everything over a store.
    async fn over(config: Config, store: Result<Store, StoreError>) -> Result<App, CannotStart> {
        let database = config.database();
        let store =
            store.map_err(|error| CannotStart::Store { place: database.to_string(), error })?;
        let egress = Egress::open(&config).await?;
        let egress = Arc::new(egress.keeping(Pictures::Database(store.clone())));
        let receipts =
            Receipts::open(&config, &store, egress.providers(), egress.engines()).await?;
        let fresh = hex(&random::bytes::<32>()).parse();
        let secret = store
            .seal(&fresh.expect("32 bytes are 64 hexadecimal digits"))
            .await
            .map_err(|error| CannotStart::Store { place: database.to_string(), error })?;
        let seal = Seal::new(*secret.bytes());
        let sets = Arc::new(Sets::read(&config, &seal)?);
        let most = config.limits.sealed_answers;
        let sealed = Arc::new(Sealed::new(store.clone(), Arc::clone(&sets), seal, most));
        let call_limits = Arc::new(CallLimits::new(&config, store.clone()));
        let task_library = Arc::new(TaskLibrary::new(&config, sets));
        let names = Names::of(Arc::clone(&task_library), config.packs.clone());
        Ok(App(Arc::new(Parts {
            boards: Boards::new(names),
            calls: Calls::new(
                store.clone(),
                Arc::clone(&egress),
                Arc::clone(&sealed),
                receipts.clone(),
                Arc::clone(&call_limits),
                Replies::new(config.limits.client_bytes),
                Arc::clone(&task_library),
            ),
            call_limits,
            rooms: Rooms::default(),
            drives: Drives::default(),
            store,
            egress,
            task_library,
            sealed,
            receipts,
            underway: Underway::default(),
            rate: RateLimit::new(config.limits.requests_per_second, config.limits.request_burst),
            bytes: ByteBudget::new(config.limits.client_bytes),
            anonymous: AnonymousBranches::new(&config.limits),
            web: WebApp::find(&config),
            closing: watch::Sender::new(false),
            config,
        })))
    }

    pub fn config(&self) -> &Config {
        &self.0.config
    }

    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// Whether the database can be used.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn works(&self) -> Answer<()> {
        match self.store().outage() {
            Some(why) => Err(Problem::outage(why)),
            None => Ok(()),
        }
    }

    /// Leaderboards, as long as nothing changes that they show.
    pub fn boards(&self) -> &Boards {
        &self.0.boards
    }

    /// What goes out without a run: probes. Everything else goes through [`App::calls`].
    pub fn egress(&self) -> &Egress {
        &self.0.egress
    }

    pub fn calls(&self) -> &Calls {
        &self.0.calls
    }

    pub fn call_limits(&self) -> &CallLimits {
        &self.0.call_limits
    }

    /// The checks of runs that go on.
    pub fn underway(&self) -> &Underway {
        &self.0.underway
    }

    pub fn receipts(&self) -> &Receipts {
        &self.0.receipts
    }

    pub fn rooms(&self) -> &Rooms {
        &self.0.rooms
    }

    /// The runs that this server drives, and the pages that drive others.
    pub fn drives(&self) -> &Drives {
        &self.0.drives
    }

    /// The task files. Looking at them takes time, so it belongs on a thread that may wait.
    pub fn task_library(&self) -> Arc<TaskLibrary> {
        Arc::clone(&self.0.task_library)
    }

    pub fn sealed(&self) -> &Sealed {
        &self.0.sealed
    }

    /// The tasks that a spec names, as they may be played and read: nothing that is sealed is in them.
    ///
    /// # Errors
    /// If the server has no such set.
    pub async fn tasks(
        &self,
        benchmark: &'static dyn Benchmark,
        wanted: &Named,
    ) -> Answer<TaskSet> {
        let (task_library, wanted) = (self.task_library(), wanted.clone());
        tokio::task::spawn_blocking(move || task_library.tasks(benchmark, &wanted))
            .await
            .map_err(Problem::internal)?
    }

    /// The task sets and where they lie.
    ///
    /// # Errors
    /// If looking for them broke off.
    pub async fn look_for_tasks(&self) -> Answer<Vec<LibrarySet>> {
        let task_library = self.task_library();
        tokio::task::spawn_blocking(move || task_library.look()).await.map_err(Problem::internal)
    }

    /// What may be shown of the task sets.
    ///
    /// # Errors
    /// If looking for them broke off, or the store fails.
    pub async fn task_sets(&self) -> Answer<Vec<TaskSetInfo>> {
        let found = self.look_for_tasks().await?;
        let mut all: Vec<_> = found.into_iter().map(|found| found.info).collect();
        for set in all.iter_mut().filter(|set| set.sealed) {
            let opened = self.store().opened_tasks(&set.digest).await?;
            set.opened = opened.map(|(since, _)| since);
        }
        Ok(all)
    }

    /// How many requests a client may make.
    pub fn rate(&self) -> &RateLimit {
        &self.0.rate
    }

    /// What clients may make the server hold.
    pub fn bytes(&self) -> &ByteBudget {
        &self.0.bytes
    }

    /// How many branches are opened without an access token.
    pub fn anonymous_branches(&self) -> &AnonymousBranches {
        &self.0.anonymous
    }

    pub fn web(&self) -> &WebApp {
        &self.0.web
    }

    /// Says that the server stops: sockets end, so that nothing waits for them.
    pub fn stop(&self) {
        self.0.closing.send_replace(true);
        self.drives().stop_all();
    }

    fn is_closing(&self) -> bool {
        *self.0.closing.borrow()
    }

    /// Hears when the server stops.
    pub fn closing(&self) -> Closing {
        Closing(self.0.closing.subscribe())
    }

    /// Ends live rooms, waits for calls in the air, then closes the store. Calls that are still in the air when this is dropped count as
    /// lost.
    pub async fn close(&self) {
        self.stop();
        self.rooms().close().await;
        self.drives().ended().await;
        while self.calls().flying() > 0 {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        self.receipts().flush().await;
        self.store().close().await;
    }
}

/// An ear for the end of the server.
pub struct Closing(watch::Receiver<bool>);

impl Closing {
    /// Returns when the server stops.
    pub async fn wait(&mut self) {
        if self.0.wait_for(|closing| *closing).await.is_err() {
            // The sender is gone, so the end cannot be signalled any more.
            std::future::pending().await
        }
    }
}

/// The whole service as a router.
pub fn build_app(app: App) -> Router {
    routes::router(app)
}
