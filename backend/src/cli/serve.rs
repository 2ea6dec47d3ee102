//! `turnwise serve`: the service and the web app, on one address.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tokio::net::TcpListener;

use turnwise_backend::config::{Config, Environment, Given};
use turnwise_backend::{App, build_app, listening, log};

use super::trouble::Trouble;
use super::{Status, signals};

/// After a signal to end, so long is waited for requests under way.
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

/// Serves until a signal to end comes.
///
/// # Errors
/// If the configuration is wrong, or the address cannot be listened on.
pub fn serve(arguments: Arguments) -> Result<Status, Trouble> {
    let wanted = std::env::var("TURNWISE_LOG").ok();
    tracing_subscriber::fmt()
        .with_env_filter(log::filter(wanted.as_deref()))
        .with_writer(std::io::stderr)
        .init();
    let given = Given {
        addr: arguments.addr,
        data: arguments.data,
    };
    let mut config = Config::load(given, &Environment::of_process())?;
    config
        .sealed
        .extend(arguments.sealed.into_iter().map(PathBuf::from));
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(listen(config))?;
    Ok(Status::Done)
}

async fn listen(config: Config) -> Result<(), Trouble> {
    let addr = config.addr;
    let listener = TcpListener::bind(addr)
        .await
        .map_err(|error| Trouble::new(format!("{addr} cannot be listened on: {error}")))?;
    let bound = listener.local_addr()?;
    let app = App::open(config).await?;
    println!("Turnwise is at http://{bound}");
    // Somebody may wait for this very line.
    std::io::stdout().flush()?;
    let server = listening::serve(listener, build_app(app.clone()), {
        let app = app.clone();
        async move {
            signals::end().await;
            app.stop();
        }
    });
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
