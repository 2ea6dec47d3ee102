//! The TOML file, as it is written. What it means is decided in `gather`.

use std::path::PathBuf;

use serde::Deserialize;
use turnwise_shared::metrics::prices::{ModelPrice, SearchPrice};

use crate::secret::Secret;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    pub addr: Option<String>,
    pub access_token: Option<Secret>,
    pub database_url: Option<Secret>,
    pub signing_key: Option<Secret>,
    pub receipts: Option<String>,
    pub demo: Option<bool>,
    #[serde(default)]
    pub token: Vec<FileToken>,
    #[serde(default)]
    pub caps: FileCaps,
    #[serde(default)]
    pub hosts: Vec<String>,
    #[serde(default)]
    pub origins: Vec<String>,
    #[serde(default)]
    pub proxies: Vec<String>,
    #[serde(default)]
    pub task_folders: Vec<PathBuf>,
    #[serde(default)]
    pub sealed: Vec<PathBuf>,
    pub web_folder: Option<PathBuf>,
    #[serde(default)]
    pub fetching: FileFetching,
    #[serde(default)]
    pub limits: FileLimits,
    #[serde(default)]
    pub provider: Vec<FileProvider>,
    #[serde(default)]
    pub search: Vec<FileEngine>,
    #[serde(default)]
    pub price: Vec<ModelPrice>,
    #[serde(default)]
    pub search_price: Vec<SearchPrice>,
    pub prices: Option<PathBuf>,
    #[serde(default)]
    pub packs: Vec<PathBuf>,
}

/// `[[token]]`: further access tokens.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileToken {
    #[serde(default)]
    pub name: String,
    pub token: Option<Secret>,
    pub token_env: Option<String>,
    #[serde(default)]
    pub caps: FileCaps,
}

/// `[caps]` and the caps of a token: for a day.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileCaps {
    pub usd: Option<f64>,
    pub tokens: Option<u64>,
    pub calls: Option<u64>,
    pub seconds: Option<u64>,
    #[serde(default)]
    pub unpriced: Vec<String>,
}

/// `[[provider]]`; the environment can set these fields too.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileProvider {
    #[serde(default)]
    pub name: String,
    pub format: Option<String>,
    pub base_url: Option<String>,
    pub key: Option<Secret>,
    pub key_env: Option<String>,
    pub models: Option<Vec<String>>,
    pub in_flight: Option<u32>,
    pub max_tokens_field: Option<String>,
    pub proxy: Option<String>,
    pub seed: Option<u64>,
    pub latency_ms: Option<u64>,
    pub faults: Option<f64>,
}

/// `[[search]]`; the environment can set these fields too.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEngine {
    pub name: String,
    pub format: Option<String>,
    pub path: Option<PathBuf>,
    pub base_url: Option<String>,
    pub key: Option<Secret>,
    pub key_env: Option<String>,
    pub in_flight: Option<u32>,
    pub proxy: Option<String>,
}

/// `[fetching]`: pages of the web.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileFetching {
    pub contact: Option<String>,
    pub robots: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileLimits {
    pub connect_seconds: Option<u32>,
    pub idle_seconds: Option<u32>,
    pub total_seconds: Option<u32>,
    pub attempts: Option<u32>,
    pub backoff_ms: Option<u32>,
    pub longest_wait_seconds: Option<u32>,
    pub response_megabytes: Option<u32>,
    pub requests_per_second: Option<u32>,
    pub request_burst: Option<u32>,
    pub connections: Option<u32>,
    pub connections_of_client: Option<u32>,
    pub client_megabytes: Option<u32>,
    pub live_tables: Option<u32>,
    pub live_idle_seconds: Option<u32>,
    pub sealed_answers_per_day: Option<u32>,
    pub visitor_branches: Option<u32>,
    pub visitor_branches_of_client: Option<u32>,
}

/// Reads the file's text.
///
/// # Errors
/// The line and what is wrong with it. The line itself is not repeated, nor any value: it may be a key.
pub fn read(text: &str) -> Result<File, String> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let message = without_values(error.message());
        match error.span() {
            Some(span) => {
                let before = &text.as_bytes()[..span.start.min(text.len())];
                let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
                format!("line {line}: {message}")
            }
            None => message,
        }
    })
}

/// Puts an ellipsis in the place of everything between double quotes.
fn without_values(message: &str) -> String {
    message
        .split('"')
        .enumerate()
        .map(|(at, part)| if at % 2 == 1 { "\"…\"" } else { part })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_line_and_no_value() {
        let errors = [
            "addr = \"127.0.0.1:1\"\n[[provider]]\nname = \"a\"\nkey = \"marked-key\n",
            "\n\nhosts = \"marked-key\"\n",
            "[limits]\nattempts = \"marked-key\"\n",
        ]
        .map(|text| read(text).map(|_| ()).expect_err(text));
        assert!(errors[0].starts_with("line 4: "), "{errors:?}");
        assert!(errors[1].starts_with("line 3: "), "{errors:?}");
        assert!(errors[2].starts_with("line 2: "), "{errors:?}");
        assert!(!format!("{errors:?}").contains("marked"), "{errors:?}");
    }

    #[test]
    fn an_unknown_field_is_an_error_at_every_level() {
        for text in [
            "adress = 1",
            "[[provider]]\nname = \"a\"\nbase_uri = \"b\"",
            "[[search]]\nname = \"a\"\nfolder = \"b\"",
            "[limits]\ntries = 3",
        ] {
            let error = read(text).map(|_| ()).expect_err(text);
            assert!(error.contains("unknown field"), "{error}");
        }
    }
}
