//! Connections: they are accepted, and each is served until it is closed, keeps silent too long, reads nothing for too long, or
//! the server ends. How many are open at once is limited, in all and of one client.
//!
//! `axum::serve` would do the same without limits of time (ARCHITECTURE.md, rules 9 and 10).

mod room;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tower::{Service as _, ServiceExt as _};

use crate::{App, build_app};
use room::Room;

/// How long the head of a request may be on its way, counted from the beginning of the connection or from the answer before it.
/// Browsers open connections ahead; who finds one closed opens another.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a client may read nothing of what waits for it, an answer or the frames of a socket. However slow it reads, it keeps
/// the connection.
const UNREAD: Duration = Duration::from_secs(60);

/// The most bytes of a head, and of what is read ahead of a body: the memory of a connection before its client is known.
const HEAD: usize = 64 * 1024;

/// Serves the clients that connect, as far as the operator has room for them, until `end` comes; then waits for requests under
/// way.
pub async fn serve(listener: TcpListener, app: App, end: impl Future<Output = ()>) {
    let room = Room::of(app.config(), app.bytes());
    serve_in(room, listener, build_app(app), end).await;
}

async fn serve_in(
    room: Room,
    mut listener: TcpListener,
    app: Router,
    end: impl Future<Output = ()>,
) {
    let mut app = app.into_make_service_with_connect_info::<SocketAddr>();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(room.patience).max_buf_size(HEAD);
    // Every connection hears when it is time to end, and is gone when it hears no longer.
    let (is_over, over) = watch::channel(());
    let mut end = std::pin::pin!(end);
    loop {
        let accepted = async {
            let place = room.place().await;
            // What goes wrong with a connection before it is one is the listener's to get over.
            (place, Listener::accept(&mut listener).await)
        };
        let (place, (stream, peer)) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut end => break,
        };
        // Frames of a socket are small and many: none waits until the other side has confirmed the one before.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection was gone before it was served");
            continue;
        }
        let Some(stream) = place.and_then(|place| room.hold(stream, place, peer.ip())) else {
            tracing::debug!(%peer, "a connection was refused: its client has too many");
            continue;
        };
        let Ok::<_, Infallible>(service) = app.call(peer).await;
        let intake = stream.intake();
        let service = service.map_request(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(intake.clone());
            request
        });
        let connection = http
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service))
            .with_upgrades();
        let mut over = over.clone();
        tokio::spawn(async move {
            let mut connection = std::pin::pin!(connection);
            let ended = tokio::select! {
                ended = &mut connection => ended,
                _ = over.changed() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection ended");
            }
        });
    }
    drop((listener, over));
    // There may be no connection left to hear it.
    let _ = is_over.send(());
    is_over.closed().await;
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use axum::extract::WebSocketUpgrade;
    use axum::response::Response;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpStream;
    use tokio::sync::oneshot;

    use super::*;
    use crate::config::{Config, Environment, Given};
    use crate::limits::ByteBudget;

    const PATIENCE: Duration = Duration::from_millis(200);

    struct Served {
        address: SocketAddr,
        end: oneshot::Sender<()>,
        task: tokio::task::JoinHandle<()>,
    }

    /// Room as it is by default, with less patience, and for `connections` connections.
    fn room(connections: usize) -> Room {
        let mut config =
            Config::load(Given::default(), &Environment::default()).expect("it is sound");
        config.limits.connections = connections;
        let mut room = Room::of(&config, &ByteBudget::new(config.limits.client_bytes));
        room.patience = PATIENCE;
        room.unread = PATIENCE;
        room
    }

    async fn served() -> Served {
        served_in(room(100)).await
    }

    async fn served_in(room: Room) -> Served {
        let slow = async || {
            tokio::time::sleep(4 * PATIENCE).await;
            "slow"
        };
        let app = Router::new()
            .route("/", get(async || "here"))
            .route("/large", get(async || "x".repeat(LARGE)))
            .route("/slow", get(slow))
            .route("/socket", get(socket));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback");
        let address = listener.local_addr().expect("it is bound");
        let (end, ended) = oneshot::channel();
        let ended = async move {
            // Only this, or the end of the test, ends it.
            let _ = ended.await;
        };
        let task = tokio::spawn(serve_in(room, listener, app, ended));
        Served { address, end, task }
    }

    /// A socket that is open until its client closes it.
    async fn socket(upgrade: WebSocketUpgrade) -> Response {
        upgrade.on_upgrade(async |mut socket| while let Some(Ok(_)) = socket.recv().await {})
    }

    async fn said(stream: &mut TcpStream, text: &str) -> String {
        stream.write_all(text.as_bytes()).await.expect("it is open");
        let mut came = String::new();
        stream.read_to_string(&mut came).await.expect("it is closed in the end");
        came
    }

    /// More than the system buffers for a client that does not read.
    const LARGE: usize = 32 * 1024 * 1024;

    const ASKS: &str = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";

    #[tokio::test]
    async fn whoever_does_not_finish_a_head_is_not_waited_for() {
        let served = served().await;
        for (said_first, answer) in [("", ""), ("GET / HTTP/1.1\r\nho", ""), (ASKS, "here")] {
            let began = Instant::now();
            let mut stream = TcpStream::connect(served.address).await.expect("it listens");
            let came = said(&mut stream, said_first).await;
            assert!(came.ends_with(answer), "{came}");
            assert!(began.elapsed() >= PATIENCE, "{said_first:?}");
        }
        // An answer may take longer than its head.
        let mut stream = TcpStream::connect(served.address).await.expect("it listens");
        let came = said(&mut stream, &ASKS.replace("/ ", "/slow ")).await;
        assert!(came.ends_with("slow"), "{came}");
    }

    #[tokio::test]
    async fn a_head_has_so_many_lines_and_bytes() {
        let served = served().await;
        let name = |length| format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "x".repeat(length));
        let lines = |count| {
            ASKS.replace("host: x\r\n", &format!("host: x\r\n{}", "a: b\r\n".repeat(count)))
        };
        for (head, status) in [(lines(90), "200"), (lines(200), "431"), (name(50_000), "404")] {
            let mut stream = TcpStream::connect(served.address).await.expect("it listens");
            let came = said(&mut stream, &head).await;
            assert!(came.starts_with(&format!("HTTP/1.1 {status}")), "{came:.80}");
        }
        // What is too long is not read to its end, so that the answer to it may be lost.
        let mut stream = TcpStream::connect(served.address).await.expect("it listens");
        let mut came = String::new();
        // The server may have let go before all is written, or before its answer is read.
        let long = ASKS.replace("host: x", &format!("host: x\r\na: {}", "x".repeat(300_000)));
        let _ = stream.write_all(long.as_bytes()).await;
        let _ = stream.read_to_string(&mut came).await;
        assert!(came.is_empty() || came.starts_with("HTTP/1.1 4"), "{came:.80}");
    }

    #[tokio::test]
    async fn whoever_reads_nothing_is_not_waited_for_and_whoever_reads_slowly_is() {
        const PARTS: usize = 16;
        let mut room = room(1);
        room.unread = 5 * PATIENCE;
        let served = served_in(room).await;
        let asks = ASKS.replace("/ ", "/large ");
        let asked = async || {
            let mut stream = TcpStream::connect(served.address).await.expect("it listens");
            let asks = asks.as_bytes();
            stream.write_all(asks).await.expect("it is open");
            stream
        };
        let _silent = asked().await;
        // There is room for one: this is served once the other is let go.
        let mut slow = asked().await;
        let mut part = vec![0; LARGE / PARTS];
        for _ in 0..PARTS {
            let read = tokio::time::timeout(Duration::from_secs(20), slow.read_exact(&mut part));
            read.await.expect("there is room").expect("it is all there");
            tokio::time::sleep(PATIENCE / 2).await;
        }
    }

    #[tokio::test]
    async fn whoever_finds_no_room_waits_until_a_socket_is_closed() {
        const OPENS: &str = "GET /socket HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
                             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        let served = served_in(room(1)).await;
        let mut socket = TcpStream::connect(served.address).await.expect("it listens");
        socket.write_all(OPENS.as_bytes()).await.expect("it is open");
        let mut answer = [0; 12];
        socket.read_exact(&mut answer).await.expect("it answers");
        assert_eq!(&answer, b"HTTP/1.1 101");
        let address = served.address;
        let mut asked = tokio::spawn(async move {
            let mut stream = TcpStream::connect(address).await.expect("it listens");
            said(&mut stream, ASKS).await
        });
        // A socket may be silent for longer than a head; its place is not free meanwhile.
        let waited = tokio::time::timeout(3 * PATIENCE, &mut asked).await;
        assert!(waited.is_err(), "{waited:?}");
        drop(socket);
        assert!(asked.await.expect("it came").ends_with("here"));
    }

    #[tokio::test]
    async fn requests_under_way_are_answered_before_the_end() {
        let served = served().await;
        let mut stream = TcpStream::connect(served.address).await.expect("it listens");
        let asks = ASKS.replace("/ ", "/slow ");
        let asked = tokio::spawn(async move { said(&mut stream, &asks).await });
        tokio::time::sleep(PATIENCE).await;
        served.end.send(()).expect("it serves");
        served.task.await.expect("it ends");
        assert!(asked.await.expect("it came").ends_with("slow"));
        assert!(TcpStream::connect(served.address).await.is_err());
    }
}
