//! `GET /api/live/{run}/socket`: a seat's own line to its table.
//!
//! The page says hello with its ticket; then it gets the current state, now and at every change. A page that connects again gets
//! the same; of several pages of one seat the newest holds it.
//!
//! | close code | why |
//! | --- | --- |
//! | 1000 | the table is over, and the last view was sent |
//! | 1001 | the server stops |
//! | 1008 | pings and pongs come too often |
//! | 1009 | a frame was too large; that of the hello has at most 4 kB |
//! | 1013 | the server holds too many unfinished messages of others |
//! | 4400 | a frame cannot be understood |
//! | 4401 | the ticket is none of this table |
//! | 4404 | there is no such table |
//! | 4408 | no hello came, or nothing for too long |
//! | 4409 | another page has taken the seat |
//! | 4410 | the table was over before; its run can be read |
//! | 4411 | a player has sat down in the seat, and the hello does not take it from them |

use std::sync::Arc;

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Extension, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};
use turnwise_shared::seat::Seat;
use turnwise_shared::wire::VERSION;
use turnwise_shared::wire::live::{SeatFrame, SeatHears, SeatSays};

use super::super::frames::{
    self, HELLO, HELLO_BYTES, PING, PINGS, Pulse, SILENCE, TOO_LARGE, TOO_OFTEN, is_too_large,
};
use crate::App;
use crate::access::Client;
use crate::error::Problem;
use crate::extract::PathParam;
use crate::limits::{Intake, Refused, read_json};
use crate::rooms::Room;

/// The most bytes of a frame from a page.
const LARGEST_FRAME: usize = 200_000;

pub async fn socket(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    Client(client): Client,
    intake: Option<Extension<Intake>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let intake = intake.map_or_else(|| Intake::new(app.bytes()), |Extension(intake)| intake);
    match upgrade {
        Ok(upgrade) => {
            // Any visitor may have a ticket, and frames here are small.
            intake.take_out_of(&app.bytes().of_stranger(client));
            frames::bounded(upgrade, LARGEST_FRAME, &intake).on_upgrade(async move |mut socket| {
                let end = converse(&app, &run, &mut socket, &intake).await;
                close(socket, end).await;
            })
        }
        Err(_) => frames::not_upgraded(&headers).into_response(),
    }
}

enum End {
    Gone,
    Code(u16, String),
}

impl End {
    fn code(code: u16, reason: impl Into<String>) -> Self {
        End::Code(code, reason.into())
    }

    fn refused(refused: Refused, most: usize) -> Self {
        let (code, reason) = frames::refusal(refused, most);
        End::Code(code, reason)
    }
}

/// A frame as it goes out.
#[derive(Serialize)]
struct Outgoing<'a> {
    v: u32,
    #[serde(flatten)]
    hears: &'a SeatHears,
}

async fn converse(app: &App, run: &str, socket: &mut WebSocket, intake: &Intake) -> End {
    let table = match super::table(app, run, None).await {
        Ok(table) => table,
        Err(problem) => {
            let code = match problem.status.as_u16() {
                404 => 4404,
                _ => 4410,
            };
            return End::code(code, problem.error.message);
        }
    };
    let mut pulse = Pulse::new();
    let seat = match timeout(HELLO, hello(&table, socket, intake, &mut pulse)).await {
        Ok(Ok(seat)) => seat,
        Ok(Err(end)) => return end,
        Err(_) => return End::code(4408, "no hello came"),
    };
    let end = hold(app, &table, &seat, socket, intake, &mut pulse).await;
    table.look(&seat).await;
    end
}

/// The first frame names the seat by its ticket.
async fn hello(
    table: &Room,
    socket: &mut WebSocket,
    intake: &Intake,
    pulse: &mut Pulse,
) -> Result<Seat, End> {
    loop {
        let message = frames::before_hello(socket, intake)
            .await
            .map_err(|refused| End::refused(refused, HELLO_BYTES))?;
        match understand(message, pulse)? {
            Incoming::Nothing => {}
            Incoming::Said(SeatSays::Hello { ticket, takes }) => {
                let seat = table
                    .seat(Some(&ticket))
                    .map_err(|problem| End::code(4401, problem.error.message))?;
                if !takes && table.is_taken(&seat) {
                    return Err(End::code(4411, "somebody has sat down in this seat"));
                }
                return Ok(seat);
            }
            Incoming::Said(_) | Incoming::Unreadable(_) => {
                return Err(End::code(4400, "the first frame is a hello with a ticket"));
            }
        }
    }
}

/// Shows and listens until one side has enough.
async fn hold(
    app: &App,
    table: &Arc<Room>,
    seat: &Seat,
    socket: &mut WebSocket,
    intake: &Intake,
    pulse: &mut Pulse,
) -> End {
    let Some(mut views) = table.views(seat) else {
        return End::code(4404, "there is no such seat");
    };
    // Held in this frame, so that the host sees at once when the connection goes.
    let mut newer = table.come(seat).await;
    let mut closing = app.closing();
    let mut ping = interval(PING);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut heard = Instant::now();
    views.mark_changed();
    intake.allow(usize::MAX);
    loop {
        let hears = tokio::select! {
            // The last view goes first: a host that is done lets go of the socket, too.
            biased;
            changed = views.changed() => {
                let (view, is_over) = {
                    let seen = views.borrow_and_update();
                    (seen.now(), seen.is_over())
                };
                if let Err(end) = send(socket, &SeatHears::View(Box::new(view))).await {
                    return end;
                }
                if is_over || changed.is_err() {
                    return End::code(1000, "the table is over");
                }
                continue;
            }
            _ = &mut newer => return End::code(4409, "another page has taken the seat"),
            message = frames::next(socket, intake) => {
                heard = Instant::now();
                intake.done();
                let message = match message {
                    Ok(message) => message,
                    Err(refused) => return End::refused(refused, LARGEST_FRAME),
                };
                match understand(message, pulse) {
                    Err(end) => return end,
                    Ok(Incoming::Nothing) => continue,
                    Ok(Incoming::Unreadable(problem)) => SeatHears::Refused { error: problem.error },
                    // What came of it is shown as a view.
                    Ok(Incoming::Said(says)) => match table.say(seat, says).await {
                        Ok(()) => continue,
                        Err(problem) => SeatHears::Refused { error: problem.error },
                    },
                }
            }
            _ = ping.tick() => {
                if heard.elapsed() > SILENCE || frames::is_too_slow(intake) {
                    return End::code(4408, "nothing was heard for too long");
                }
                match timeout(HELLO, socket.send(Message::Ping(Vec::new().into()))).await {
                    Ok(Ok(())) => continue,
                    _ => return End::Gone,
                }
            }
            () = closing.wait(), if table.is_over() => return End::code(1001, "the server stops"),
        };
        if let Err(end) = send(socket, &hears).await {
            return end;
        }
    }
}

async fn send(socket: &mut WebSocket, hears: &SeatHears) -> Result<(), End> {
    let frame = Outgoing { v: VERSION, hears };
    let text = serde_json::to_string(&frame).expect("frames are plain data");
    match timeout(HELLO, socket.send(Message::Text(text.into()))).await {
        Ok(Ok(())) => Ok(()),
        _ => Err(End::Gone),
    }
}

async fn close(mut socket: WebSocket, end: End) {
    if let End::Code(code, reason) = end {
        // If the page has gone meanwhile, no client is there to receive this.
        let _ = timeout(HELLO, socket.send(frames::close(code, &reason))).await;
        // The page answers with a close of its own; what it says until then is not heard any more.
        let _ = timeout(HELLO, async { while let Some(Ok(_)) = socket.recv().await {} }).await;
    }
}

enum Incoming {
    Nothing,
    Said(SeatSays),
    /// A frame that cannot be read; the connection goes on.
    Unreadable(Problem),
}

/// Reads what came in; or it is the end.
fn understand(
    message: Option<Result<Message, axum::Error>>,
    pulse: &mut Pulse,
) -> Result<Incoming, End> {
    let text = match message {
        Some(Ok(Message::Text(text))) => text,
        Some(Ok(Message::Ping(_) | Message::Pong(_))) => {
            return match pulse.is_too_often() {
                true => Err(End::code(TOO_OFTEN, PINGS)),
                false => Ok(Incoming::Nothing),
            };
        }
        Some(Ok(Message::Binary(_))) => return Err(End::code(4400, "frames are text")),
        Some(Ok(Message::Close(_))) | None => return Err(End::Gone),
        Some(Err(error)) => {
            return Err(match is_too_large(&error) {
                true => End::code(TOO_LARGE, format!("a frame has at most {LARGEST_FRAME} bytes")),
                false => End::Gone,
            });
        }
    };
    let frame: SeatFrame = match read_json(text.as_bytes()) {
        Ok(frame) => frame,
        Err(problem) => return Ok(Incoming::Unreadable(problem)),
    };
    match frame.v {
        VERSION => Ok(Incoming::Said(frame.says)),
        other => Err(End::code(4400, format!("this server speaks version {VERSION}, not {other}"))),
    }
}
