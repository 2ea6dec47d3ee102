//! The service within the test's own process, on a port of its own: what [`crate::server::Server`] is as a program of its own.
//! For what only code can decide, and no operator.

use std::future::pending;
use std::net::SocketAddr;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use turnwise_backend::config::Config;
use turnwise_backend::{App, listening};

use crate::server::{At, Log};

pub struct Within {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl Within {
    /// Starts it.
    ///
    /// # Panics
    /// If the configuration cannot be used, or loopback has no free port.
    pub async fn start(config: Config) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let address = listener.local_addr().expect("it is bound");
        let app = App::open(config).await.expect("the service starts");
        let task = tokio::spawn(listening::serve(listener, app, pending()));
        Within { address, task }
    }

    /// Where it is, e.g. `127.0.0.1:41234`.
    pub fn address(&self) -> String {
        self.address.to_string()
    }
}

impl At for Within {
    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    fn shared_log(&self) -> Log {
        Log::new("the service is a part of the test and keeps no log".to_owned().into())
    }
}

impl Drop for Within {
    fn drop(&mut self) {
        self.task.abort();
    }
}
