//! The service: it holds the keys, forwards calls, keeps runs, and hands out the web app.
//!
//! [`build_app`] makes the router of an [`App`]; the program and the tests use the same one. Every address stands in
//! [`routes`]; every call passes through one door; every error has one shape ([`error`]).

pub mod config;
pub mod driver;
pub mod egress;
pub mod error;
pub mod guard;
pub mod keeping;
pub mod limits;
mod log;
pub mod providers;
mod random;
pub mod routes;
pub mod run_folder;
pub mod search;
pub mod secret;
pub mod store;
pub mod web;

use std::sync::Arc;

use axum::Router;

use config::Config;
use limits::RateLimit;
use web::WebApp;

/// Everything that handlers share.
#[derive(Clone)]
pub struct App(Arc<Parts>);

struct Parts {
    config: Config,
    rate: RateLimit,
    web: WebApp,
}

impl App {
    /// Opens everything that the configuration names.
    pub fn open(config: Config) -> App {
        App(Arc::new(Parts {
            rate: RateLimit::new(
                config.limits.requests_per_second,
                config.limits.request_burst,
            ),
            web: WebApp::find(&config),
            config,
        }))
    }

    /// What the operator decided.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// How many requests a client may make.
    pub fn rate(&self) -> &RateLimit {
        &self.0.rate
    }

    /// The web app's files.
    pub fn web(&self) -> &WebApp {
        &self.0.web
    }
}

/// The whole service as a router.
pub fn build_app(app: App) -> Router {
    routes::router(app)
}
