//! What the tests of the service share.
#![allow(dead_code, reason = "every test program uses a part of it")]

pub mod upstream;

use turnwise_backend::config::{Config, Environment, Given};

/// A key that must never turn up anywhere but at the service.
pub const MARKED_KEY: &str = "marked-key-5d41402abc4b2a76";

/// A configuration with a folder of its own, the provider `up` at `base_url`, and short waits.
pub fn config(folder: &std::path::Path, base_url: &str, more: &str) -> Config {
    let text = format!(
        "[limits]\nbackoff_ms = 20\nlongest_wait_seconds = 2\nidle_seconds = 1\n{more}\n\
         [[provider]]\nname = \"up\"\nbase_url = \"{base_url}\"\nkey_env = \"UP_KEY\"\nmodels = [\"m\"]\n"
    );
    std::fs::write(folder.join("turnwise.toml"), text).expect("the folder can be written");
    let given = Given {
        addr: None,
        data: Some(folder.to_path_buf()),
    };
    Config::load(given, &Environment::from_iter([("UP_KEY", MARKED_KEY)]))
        .expect("the configuration is sound")
}
