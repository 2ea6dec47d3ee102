//! A network between a browser and a server on loopback, which can be cut.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// What becomes of requests for an upgrade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Upgrades {
    Pass,
    /// They pass without the header that makes them upgrades.
    Stripped,
    /// They are held back, and never answered.
    Held,
}

pub struct Proxy {
    addr: SocketAddr,
    is_cut: watch::Sender<bool>,
    upgrades: watch::Sender<Upgrades>,
    task: JoinHandle<()>,
}

impl Proxy {
    /// Leads to this address, e.g. `127.0.0.1:41234`, from a port of its own.
    ///
    /// # Panics
    /// If loopback has no free port.
    pub async fn start(to: &str) -> Self {
        Proxy::passing(to, Upgrades::Pass).await
    }

    /// The same, and what becomes of upgrades.
    ///
    /// # Panics
    /// If loopback has no free port.
    pub async fn passing(to: &str, upgrades: Upgrades) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let addr = listener.local_addr().expect("it is bound");
        let (is_cut, seen) = watch::channel(false);
        let (upgrades, passes) = watch::channel(upgrades);
        let to = to.to_owned();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(carry(stream, to.clone(), seen.clone(), passes.clone()));
            }
        });
        Proxy { addr, is_cut, upgrades, task }
    }

    /// The address of a page or a route, from its path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    /// Upgrades pass from now on.
    pub fn pass_upgrades(&self) {
        self.upgrades.send_replace(Upgrades::Pass);
    }

    /// Nothing passes for the given time: connections end, and new ones are refused.
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
async fn carry(
    stream: TcpStream,
    to: String,
    mut is_cut: watch::Receiver<bool>,
    upgrades: watch::Receiver<Upgrades>,
) {
    if *is_cut.borrow() {
        return;
    }
    let Ok(server) = TcpStream::connect(to).await else {
        return;
    };
    let (mut from_page, mut to_page) = stream.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let asked = async {
        let mut piece = vec![0; 64 * 1024];
        while let Ok(length @ 1..) = from_page.read(&mut piece).await {
            let piece = &mut piece[..length];
            let upgrades = *upgrades.borrow();
            if upgrades != Upgrades::Pass && without_upgrade(piece) && upgrades == Upgrades::Held {
                std::future::pending::<()>().await;
            }
            if to_server.write_all(piece).await.is_err() {
                return;
            }
        }
        // What could not be ended is gone.
        let _ = to_server.shutdown().await;
    };
    let answered = async {
        // The same.
        let _ = copy(&mut from_server, &mut to_page).await;
        let _ = to_page.shutdown().await;
    };
    tokio::select! {
        _ = futures::future::join(asked, answered) => {}
        _ = is_cut.wait_for(|is_cut| *is_cut) => {}
    }
}

/// Takes the header of an upgrade out of a request, if it has one; a header of the same length stands in its place.
fn without_upgrade(piece: &mut [u8]) -> bool {
    const HEADER: &[u8] = b"\r\nupgrade:";
    let found = piece.windows(HEADER.len()).position(|window| window.eq_ignore_ascii_case(HEADER));
    if let Some(at) = found {
        piece[at + 2..at + 4].copy_from_slice(b"x-");
    }
    found.is_some()
}
