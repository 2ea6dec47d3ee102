//! Live tables: opening one, looking at one, and the line of a seat.

use futures::StreamExt as _;
use futures::channel::mpsc;
use futures::stream::LocalBoxStream;
use turnwise_shared::wire::live::{LiveOpened, OpenLive, SeatFrame, SeatHears};
use turnwise_shared::wire::others::OthersOnTask;

use super::request::{self, get};
use super::{Arrival, connect, json};
use crate::prelude::*;

/// Opens a table.
///
/// # Errors
/// See [`ApiError`]; nothing was opened then.
pub async fn open(wanted: &OpenLive) -> Result<LiveOpened, ApiError> {
    request::open("/api/live", wanted).await
}

/// What everybody may know of a table, now or after its end.
///
/// # Errors
/// See [`ApiError`]; `not_found` if there never was such a table.
pub async fn info(run: &RunId) -> Result<LiveInfo, ApiError> {
    get(&format!("/api/live/{run}")).await
}

/// How others did on the tasks of a table that is over.
///
/// # Errors
/// See [`ApiError`]; `sealed` before the end.
pub async fn others(run: &RunId) -> Result<Vec<OthersOnTask>, ApiError> {
    get(&format!("/api/live/{run}/others")).await
}

/// The line of a seat, open or being opened.
pub struct SeatSocket {
    /// What is put in here goes out; once both ends are dropped the connection is closed.
    pub outgoing: mpsc::UnboundedSender<SeatFrame>,
    /// What comes in; it ends when the connection does.
    pub incoming: LocalBoxStream<'static, SeatHeard>,
}

/// What came in over the line of a seat.
pub enum SeatHeard {
    Said(Box<SeatHears>),
    /// The connection was ended; see the close codes of the route.
    Closed {
        code: u16,
        reason: String,
    },
}

/// Opens the line of a seat. The first frame that goes out must be the hello.
///
/// # Errors
/// If the browser cannot even try. A server that does not answer ends [`SeatSocket::incoming`].
pub fn seat(run: &RunId) -> Result<SeatSocket, ApiError> {
    let (outgoing, arrivals) =
        connect(&format!("/api/live/{run}/socket"), |frame: SeatFrame| json(&frame))?;
    let incoming = arrivals
        .filter_map(async |arrival| match arrival {
            // Frames of a newer server that cannot be read are passed over.
            Arrival::Text(text) => {
                serde_json::from_str(&text).ok().map(|hears| SeatHeard::Said(Box::new(hears)))
            }
            Arrival::Closed { code, reason } => Some(SeatHeard::Closed { code, reason }),
        })
        .boxed_local();
    Ok(SeatSocket { outgoing, incoming })
}
