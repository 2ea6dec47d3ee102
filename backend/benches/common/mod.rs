//! What benches of the service begin with.

use std::path::Path;

use turnwise_backend::App;
use turnwise_backend::config::{Config, Environment, Given};

/// A service over SQLite's file in a folder that takes any number of requests.
///
/// # Panics
/// If it does not open.
pub async fn open(folder: &Path) -> App {
    let given = Given { addr: None, data: Some(folder.to_owned()) };
    let mut config = Config::load(given, &Environment::default()).expect("the defaults are sound");
    config.limits.requests_per_second = 1_000_000;
    config.limits.request_burst = 1_000_000;
    App::open(config).await.expect("the service opens")
}
