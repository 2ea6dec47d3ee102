//! A network between a browser and a server on loopback, which can be cut.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// See the module's head. It ends when it is dropped.
pub struct Proxy {
    addr: SocketAddr,
    is_cut: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Proxy {
    /// Leads to this address, e.g. `127.0.0.1:41234`, from a port of its own.
    ///
    /// # Panics
    /// If loopback has no free port.
    pub async fn start(to: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .expect("loopback has a free port");
        let addr = listener.local_addr().expect("it is bound");
        let (is_cut, seen) = watch::channel(false);
        let to = to.to_owned();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(carry(stream, to.clone(), seen.clone()));
            }
        });
        Proxy { addr, is_cut, task }
    }

    /// The address of a page or a route, from its path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    /// Nothing passes for so long: connections end, and new ones are refused.
    pub async fn cut(&self, time: Duration) {
        self.is_cut.send_replace(true);
        tokio::time::sleep(time).await;
        self.is_cut.send_replace(false);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Carries one connection until it ends, or is cut. What cannot be carried on is just gone, as it is in a network.
async fn carry(mut stream: TcpStream, to: String, mut is_cut: watch::Receiver<bool>) {
    if *is_cut.borrow() {
        return;
    }
    let Ok(mut server) = TcpStream::connect(to).await else {
        return;
    };
    tokio::select! {
        _ = copy_bidirectional(&mut stream, &mut server) => {}
        _ = is_cut.wait_for(|is_cut| *is_cut) => {}
    }
}
