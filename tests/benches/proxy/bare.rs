//! The frameworks alone: axum takes a request, reqwest sends its body on, and what comes back is the answer. What lies between this
//! and nginx the frameworks cost; what lies between the service and this, what the service does with a call.
//!
//! It must be a process of its own, like what it is compared with, so this program starts itself once more.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};

use axum::Router;
use axum::body::Bytes;
use axum::http::{StatusCode, header};
use axum::routing::post;
use turnwise_backend::services::reach::builder;

use super::process::Started;

/// Names the service to which requests go on, in the environment of the second process.
const SERVICE: &str = "TURNWISE_BENCH_BARE";

/// Serves until it is killed, if this is the second process.
pub fn serve_if_asked() {
    let Some(service) = std::env::var_os(SERVICE) else {
        return;
    };
    let url = format!("http://{}/", service.to_string_lossy());
    let client = builder().build().expect("a client");
    let forward = async move |body: Bytes| {
        let sent = client.post(&url).header(header::CONTENT_TYPE, "application/json").body(body);
        let came = async { sent.send().await?.bytes().await };
        came.await.map_err(|_| StatusCode::BAD_GATEWAY)
    };
    let app = Router::new().route("/api/call", post(forward));
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("the runtime starts")
        .block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
                .await
                .expect("loopback has a free port");
            println!("{}", listener.local_addr().expect("it is bound"));
            axum::serve(listener, app).await.expect("it serves");
        });
}

/// The second process; it ends when this is dropped.
pub struct Bare {
    child: Started,
    pub addr: SocketAddr,
}

impl Bare {
    /// Starts it in front of a service, on one core if one is named.
    ///
    /// # Panics
    /// If it does not say where it is.
    pub fn start(folder: &Path, service: SocketAddr, core: Option<&str>) -> Self {
        let own = std::env::current_exe().expect("this program is a file");
        let mut child = Command::new(super::on_core(&own, folder, core))
            .env(SERVICE, service.to_string())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program can be started");
        let said = child.stdout.take().expect("it is piped");
        let mut line = String::new();
        BufReader::new(said).read_line(&mut line).expect("it says where it is");
        let addr = line.trim().parse().expect("an address");
        let child = Started(child);
        Bare { child, addr }
    }

    /// The number of its process.
    pub fn process(&self) -> u32 {
        self.child.0.id()
    }
}
