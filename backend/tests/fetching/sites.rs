//! Sites on loopback that say exactly what a test wants, and count who comes; and names that lead to them.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use flate2::Compression;
use flate2::write::GzEncoder;
use futures::future::BoxFuture;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use turnwise_backend::fetching::Surroundings;

/// What a site does after its bytes.
#[derive(Debug, Clone, Copy)]
pub enum After {
    Close,
    Hang,
    /// Bytes without end.
    Endless,
    EndlessChunks,
}

pub struct Site {
    pub addr: SocketAddr,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    connections: AtomicUsize,
    written: AtomicUsize,
    seen: Mutex<Vec<String>>,
}

impl Site {
    /// It answers a path with these bytes.
    pub async fn start(answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Self {
        Site::answering(move |path| (answer(path), After::Close)).await
    }

    pub async fn answering(
        answer: impl Fn(&str) -> (Vec<u8>, After) + Send + Sync + 'static,
    ) -> Self {
        Site::at([127, 0, 0, 1].into(), answer).await
    }

    async fn at(
        ip: IpAddr,
        answer: impl Fn(&str) -> (Vec<u8>, After) + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind((ip, 0)).await.expect("a port");
        let addr = listener.local_addr().expect("an address");
        let state = Arc::new(State::default());
        let (to, answer) = (Arc::clone(&state), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                to.connections.fetch_add(1, Ordering::Relaxed);
                let (to, answer) = (Arc::clone(&to), Arc::clone(&answer));
                tokio::spawn(async move { converse(stream, &to, &*answer).await });
            }
        });
        Site { addr, state }
    }

    pub fn connections(&self) -> usize {
        self.state.connections.load(Ordering::Relaxed)
    }

    /// Bytes that went out after the answers.
    pub fn written(&self) -> usize {
        self.state.written.load(Ordering::Relaxed)
    }

    /// The heads of all requests.
    pub fn seen(&self) -> Vec<String> {
        self.state.seen.lock().expect("no test panics here").clone()
    }
}

/// A site at an address that is not public.
pub async fn inner() -> Site {
    Site::at([127, 0, 0, 2].into(), |_| (html("<p>secret</p>"), After::Close)).await
}

async fn converse(
    mut stream: TcpStream,
    state: &State,
    answer: &(dyn Fn(&str) -> (Vec<u8>, After) + Send + Sync),
) -> Option<()> {
    let mut head = vec![stream.read_u8().await.ok()?];
    if head == [0x16] {
        // The beginning of TLS, of which nothing is known here.
        return stream.write_all(b"HTTP/1.1 400 X\r\n\r\n").await.ok();
    }
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1)?.to_owned();
    state.seen.lock().expect("no test panics here").push(head);
    let (bytes, after) = answer(&path);
    stream.write_all(&bytes).await.ok()?;
    let piece = "a".repeat(65_536);
    let piece = match after {
        After::Close => {
            stream.shutdown().await.ok()?;
            // Closed at once, what was not read would be lost on its way.
            let _ = stream.read_u8().await;
            return Some(());
        }
        After::Hang => std::future::pending().await,
        After::Endless => piece,
        After::EndlessChunks => format!("10000\r\n{piece}\r\n"),
    };
    loop {
        stream.write_all(piece.as_bytes()).await.ok()?;
        state.written.fetch_add(piece.len(), Ordering::Relaxed);
    }
}

pub fn html(body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {length}\r\n\r\n{body}")
        .into_bytes()
}

pub fn redirect(status: u16, to: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status} X\r\nlocation: {to}\r\nset-cookie: a=b\r\ncontent-length: 0\r\n\r\n")
        .into_bytes()
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut to = GzEncoder::new(Vec::new(), Compression::fast());
    to.write_all(bytes).expect("memory");
    to.finish().expect("memory")
}

/// Names whose addresses change from lookup to lookup; the last ones stay.
pub struct Made(Mutex<BTreeMap<String, Vec<Vec<SocketAddr>>>>);

impl Made {
    pub fn new<const N: usize>(names: [(&str, Vec<Vec<SocketAddr>>); N]) -> Arc<Self> {
        let names = names.into_iter().map(|(name, found)| (name.to_owned(), found));
        Arc::new(Made(Mutex::new(names.collect())))
    }

    pub fn add(&self, name: &str, addr: SocketAddr) {
        self.0.lock().expect("no test panics here").insert(name.to_owned(), vec![vec![addr]]);
    }
}

impl Surroundings for Made {
    fn resolve(&self, name: String) -> BoxFuture<'static, std::io::Result<Vec<SocketAddr>>> {
        let mut names = self.0.lock().expect("no test panics here");
        let found = names.get_mut(&name).map(|found| match found.len() {
            1 => found[0].clone(),
            _ => found.remove(0),
        });
        let found = found.ok_or_else(|| std::io::Error::other("no such name"));
        Box::pin(std::future::ready(found))
    }

    fn is_public(&self, address: IpAddr) -> bool {
        address == IpAddr::from([127, 0, 0, 1])
    }
}
