//! Does the service behave? The real program over a real network, with a scripted service behind it.
//!
//! The router's own rules (guard, limits, errors, sockets, append-only transcripts) are tested beside it, in
//! `backend/tests`. Here is what only the whole program can show: each way in which a service fails is distinguished at
//! every door, a killed server loses nothing that was answered, and a key leaves the program towards its service alone.

mod driving;
mod failures;
mod guard;
mod key;
mod killed;
mod live;
mod start;
mod verified;

use serde_json::Value;
use tempfile::TempDir;
use turnwise_tests::upstream::{Fault, Faults, Script, Upstream};

fn to_value(plain: &impl serde::Serialize) -> Value {
    serde_json::to_value(plain).expect("plain data")
}

/// One scripted service for each way to fail, and a program that has them all as providers.
struct Failing {
    services: Vec<(Fault, Upstream)>,
    folder: TempDir,
    variables: Vec<(String, String)>,
}

impl Failing {
    async fn start(key: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let limits = "[limits]\nbackoff_ms = 5\nidle_seconds = 1\n";
        std::fs::write(folder.path().join("turnwise.toml"), limits).expect("it writes");
        let mut failing = Failing { services: Vec::new(), folder, variables: Vec::new() };
        for fault in Fault::ALL {
            let script = Script {
                faults: Faults::Always(*fault),
                key: Some(key.to_owned()),
                ..Script::default()
            };
            let upstream = Upstream::start(script).await;
            let name = format!("TURNWISE_PROVIDER_{}", format!("{fault:?}").to_uppercase());
            failing.variables.push((format!("{name}_BASE_URL"), upstream.base_url()));
            failing.variables.push((format!("{name}_API_KEY"), key.to_owned()));
            failing.services.push((*fault, upstream));
        }
        failing
    }

    fn variables(&self) -> Vec<(&str, &str)> {
        self.variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }
}

fn provider(fault: Fault) -> String {
    format!("{fault:?}").to_lowercase()
}
