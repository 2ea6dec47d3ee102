//! `turnwise serve`: the service and the web app, on one address.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, anyhow};
use clap::Args;
use tokio::net::TcpListener;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use turnwise_backend::config::{Config, Environment, Given};
use turnwise_backend::{App, demo, listening, log};

use super::out;

use super::{Status, signals};

/// How long the server waits for requests under way after a signal to end.
const PATIENCE: Duration = Duration::from_secs(5);

/// Start the server with the web app
#[derive(Debug, Args)]
#[command(after_help = "\
Configuration: turnwise.toml in the data folder (or TURNWISE_CONFIG=FILE) and environment variables; see .env.sample. \
TURNWISE_LOG says what is logged on stderr, e.g. debug. Ctrl-C stops the server; runs go on where they were when it \
starts again.")]
pub struct Arguments {
    /// The address to listen on. One that other machines can reach needs an access token (TURNWISE_ACCESS_TOKEN).
    /// Default: 127.0.0.1:8080
    #[arg(long, value_name = "ADDR:PORT")]
    addr: Option<SocketAddr>,

    /// The folder of the database and of task files; it is made. Default: turnwise-data
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// A task file whose hidden fields never leave the server: a path, or the name of a file in the task folders. May be given
    /// several times
    #[arg(long, value_name = "FILE")]
    sealed: Vec<String>,
}

/// How many files are open besides those of visitors: the database, and calls that go out.
const OTHER_FILES: u64 = 1000;

/// Serves until a signal to end comes.
///
/// # Errors
/// If the configuration is wrong, or the address cannot be listened on.
pub fn serve(arguments: Arguments) -> Result<Status> {
    let wanted = std::env::var("TURNWISE_LOG").ok();
    let filter = log::filter(wanted.as_deref()).map_err(|error| {
        anyhow!("TURNWISE_LOG: {error}; give error, warn, info, debug or trace, for a module as MODULE=LEVEL, parted by commas")
    })?;
    tracing_subscriber::fmt()
        .with_max_level(LevelFilter::TRACE)
        .with_ansi(false)
        .with_writer(|| out::Log)
        // It would be written to stderr, which panics where that is what cannot be written: on a full disk.
        .log_internal_errors(false)
        .finish()
        .with(filter)
        .init();
    let given = Given { addr: arguments.addr, data: arguments.data };
    let mut config = Config::load(given, &Environment::of_process())?;
    config.sealed.extend(arguments.sealed.into_iter().map(PathBuf::from));
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(listen(config))?;
    Ok(Status::Done)
}

/// Asks the system to let this process open as many files as `connections` connections need: often it lets it open 1024 at first,
/// and more if it asks. Returns for how many connections there is room: where it lets it open too few, half of them are kept for
/// the rest.
fn room_for_files(connections: usize) -> usize {
    let wanted = u64::try_from(connections).unwrap_or(u64::MAX).saturating_add(OTHER_FILES);
    match rlimit::increase_nofile_limit(wanted) {
        Ok(most) if most < wanted => {
            let room = most - OTHER_FILES.min(most.div_ceil(2));
            let room = usize::try_from(room).unwrap_or(usize::MAX).max(1);
            tracing::warn!(
                "this process may open {most} files, which is too few for {connections} connections, so {room} are served at \
                 once: raise the limit (ulimit -n), or lower limits.connections"
            );
            room
        }
        Ok(_) => connections,
        Err(error) => {
            tracing::warn!(%error, "how many files may be opened is not known");
            connections
        }
    }
}

/// A limit on the size of files (ulimit -f) ends a process that does not listen to the signal; this one hears of it as of a full disk.
#[cfg(unix)]
fn outlive_file_limit() -> std::io::Result<tokio::signal::unix::Signal> {
    // SIGXFSZ, on every system that this program is built for.
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::from_raw(25))
}

async fn listen(mut config: Config) -> Result<()> {
    let addr = config.addr;
    #[cfg(unix)]
    let _listens = outlive_file_limit()?;
    config.limits.connections = room_for_files(config.limits.connections);
    let listener = TcpListener::bind(addr)
        .await
        .map_err(|error| anyhow!("{addr} cannot be listened on: {error}"))?;
    let bound = listener.local_addr()?;
    let app = App::open(config).await?;
    if let Err(error) = out::try_text(format_args!("Turnwise is at http://{bound}\n")) {
        // It serves all the same.
        tracing::warn!(%error, "stdout cannot be written; the server is at http://{bound}");
    }
    let shows = app.clone();
    tokio::spawn(async move {
        // No visitor waits until every task file was read for the first time.
        let (shown, looked) = tokio::join!(demo::show(&shows), shows.look_for_tasks());
        if let Err(problem) = shown {
            tracing::warn!(?problem, "the demo run was not played");
        }
        if let Err(problem) = looked {
            tracing::warn!(?problem, "the task files were not read");
        }
        shows.egress().renderer().check().await;
    });
    let end = {
        let app = app.clone();
        async move {
            signals::end().await;
            app.stop();
        }
    };
    let server = listening::serve(listener, app.clone(), end);
    let impatience = async {
        signals::end().await;
        tokio::time::sleep(PATIENCE).await;
    };
    let ending = async {
        server.await;
        app.close().await;
    };
    tokio::select! {
        () = ending => {}
        () = impatience => {}
    }
    Ok(())
}
