//! Connections: they are accepted, and each is served until it is closed, keeps silent too long, or the server ends.
//!
//! `axum::serve` would do the same without a limit of time for the head of a request (ARCHITECTURE.md, rules 9 and 10).

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

/// So long the head of a request may be on its way, counted from the beginning of the connection or from the answer before it.
/// Browsers open connections ahead; who finds one closed opens another.
const PATIENCE: Duration = Duration::from_secs(60);

/// Serves whoever connects until `end` comes; then waits for requests under way.
pub async fn serve(listener: TcpListener, app: Router, end: impl Future<Output = ()>) {
    serve_patiently(listener, app, end, PATIENCE).await;
}

async fn serve_patiently(
    mut listener: TcpListener,
    app: Router,
    end: impl Future<Output = ()>,
    patience: Duration,
) {
    let mut app = app.into_make_service_with_connect_info::<SocketAddr>();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience);
    // Every connection hears when it is time to end, and is gone when it hears no longer.
    let (is_over, over) = watch::channel(());
    let mut end = std::pin::pin!(end);
    loop {
        let (stream, peer) = tokio::select! {
            // What goes wrong with a connection before it is one is the listener's to get over.
            accepted = Listener::accept(&mut listener) => accepted,
            () = &mut end => break,
        };
        // Frames of a socket are small and many: none waits until the other side has confirmed the one before.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection was gone before it was served");
            continue;
        }
        let Ok::<_, Infallible>(service) = app.call(peer).await;
        let service = service.map_request(|request: Request<Incoming>| request.map(Body::new));
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
    // Nobody may be left to hear it.
    let _ = is_over.send(());
    is_over.closed().await;
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpStream;
    use tokio::sync::oneshot;

    use super::*;

    const PATIENCE: Duration = Duration::from_millis(200);

    struct Served {
        address: SocketAddr,
        end: oneshot::Sender<()>,
        task: tokio::task::JoinHandle<()>,
    }

    async fn served() -> Served {
        let slow = async || {
            tokio::time::sleep(4 * PATIENCE).await;
            "slow"
        };
        let app = Router::new()
            .route("/", get(async || "here"))
            .route("/slow", get(slow));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback");
        let address = listener.local_addr().expect("it is bound");
        let (end, ended) = oneshot::channel();
        let ended = async move {
            // Nobody ends it but this, or the end of the test.
            let _ = ended.await;
        };
        let task = tokio::spawn(serve_patiently(listener, app, ended, PATIENCE));
        Served { address, end, task }
    }

    async fn said(stream: &mut TcpStream, text: &str) -> String {
        stream.write_all(text.as_bytes()).await.expect("it is open");
        let mut came = String::new();
        stream
            .read_to_string(&mut came)
            .await
            .expect("it is closed in the end");
        came
    }

    const ASKS: &str = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";

    #[tokio::test]
    async fn whoever_does_not_finish_a_head_is_not_waited_for() {
        let served = served().await;
        for (said_first, answer) in [("", ""), ("GET / HTTP/1.1\r\nho", ""), (ASKS, "here")] {
            let began = Instant::now();
            let mut stream = TcpStream::connect(served.address)
                .await
                .expect("it listens");
            let came = said(&mut stream, said_first).await;
            assert!(came.ends_with(answer), "{came}");
            assert!(began.elapsed() >= PATIENCE, "{said_first:?}");
        }
        // An answer may take longer than its head.
        let mut stream = TcpStream::connect(served.address)
            .await
            .expect("it listens");
        let came = said(&mut stream, &ASKS.replace("/ ", "/slow ")).await;
        assert!(came.ends_with("slow"), "{came}");
    }

    #[tokio::test]
    async fn requests_under_way_are_answered_before_the_end() {
        let served = served().await;
        let mut stream = TcpStream::connect(served.address)
            .await
            .expect("it listens");
        let asks = ASKS.replace("/ ", "/slow ");
        let asked = tokio::spawn(async move { said(&mut stream, &asks).await });
        tokio::time::sleep(PATIENCE).await;
        served.end.send(()).expect("it serves");
        served.task.await.expect("it ends");
        assert!(asked.await.expect("it came").ends_with("slow"));
        assert!(TcpStream::connect(served.address).await.is_err());
    }
}
