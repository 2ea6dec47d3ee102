//! A service of models at its own host, a server that knows it, and a run over them that is published: everything that it takes
//! for a row that is *verified*.

use std::collections::BTreeMap;
use std::path::Path;

use reqwest::Method;
use serde_json::Value;
use tempfile::TempDir;
use turnwise_backend::config::{Config, Environment, Given};
use turnwise_backend::services::reach::Reach;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::Opened;

use crate::asking::Asking;
use crate::own_host::OwnHost;
use crate::played::{drive, planned, spec};
use crate::server::web_folder;
use crate::upstream::{Script, Upstream};
use crate::within::Within;

/// The key that the service wants.
const KEY: &str = "a-key-of-the-service";

pub struct House {
    pub upstream: Upstream,
    pub server: Within,
    _host: OwnHost,
    _folder: TempDir,
}

/// At which address the server looks for the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Address {
    OwnHost,
    /// Where it really is, as an operator's own endpoint would be.
    Loopback,
    /// At its own host, but the server that answers there cannot prove to be it.
    Unproved,
}

impl House {
    /// Starts service and server.
    ///
    /// # Panics
    /// If loopback has no free port.
    pub async fn start(address: Address) -> Self {
        let script = Script { key: Some(KEY.to_owned()), ..Script::default() };
        let upstream = Upstream::start(script).await;
        let host = OwnHost::start("api.openai.com", upstream.addr()).await;
        let own = "https://api.openai.com/v1".to_owned();
        let (base_url, reach) = match address {
            Address::OwnHost => (own, host.reach()),
            Address::Loopback => (upstream.base_url(), Reach::default()),
            Address::Unproved => {
                let other = OwnHost::start("api.openai.com", upstream.addr()).await;
                (own, other.reach_by(&host))
            }
        };
        let folder = tempfile::tempdir().expect("a temporary folder");
        let server = Within::start(configured(folder.path(), &base_url, reach)).await;
        House { upstream, server, _host: host, _folder: folder }
    }

    /// Plays this many samples and publishes the run.
    ///
    /// # Panics
    /// If the server refuses anything.
    pub async fn published(&self, tasks: u32) -> (Opened, Admission) {
        let asking = Asking::new(&self.server);
        let spec = spec("openai", tasks);
        let opened = asking.open(&spec, tasks).await;
        let mut run = planned(&spec);
        drive(&asking, &opened, &mut run, &mut BTreeMap::new(), u32::MAX).await;
        let closed = serde_json::json!({ "state": "closed" });
        let ask = async |rest: &str, body: &Value| {
            let path = format!("/api/runs/{}{rest}", opened.run);
            let token = Some(opened.token.as_str());
            asking.ask(Method::POST, &path, token, body).await
        };
        ask("/state", &closed).await.json::<Value>();
        let admission = ask("/publish", &Value::Null).await.json();
        (opened, admission)
    }
}

fn configured(folder: &Path, base_url: &str, reach: Reach) -> Config {
    let environment: Environment =
        [("OPENAI_API_KEY", KEY), ("OPENAI_BASE_URL", base_url)].into_iter().collect();
    let given = Given { addr: None, data: Some(folder.to_owned()) };
    let config = Config::load(given, &environment).expect("it is sound");
    Config { reach, web: web_folder(), ..config }
}
