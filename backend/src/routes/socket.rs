//! `GET /api/socket`: many calls over one connection (ARCHITECTURE.md, rule 8).
//!
//! A message carries one frame, or several, each on a line of its own.
//!
//! 1. The page says hello with its run and the run's token; the server says hello and grants credit.
//!    The page may say how many calls of the run are to be made at once; those beyond wait here, so that a permit which becomes
//!    free is used at once.
//! 2. Each call costs one credit and ends in exactly one `reply` or `failed` frame, after which the credit comes back.
//!    It comes back in lots, and at once when nothing is open. A cancelled call ends in a `failed` frame of the class `cancelled`;
//!    one of which a piece was sent goes on to its end, and ends in its reply.
//! 3. `piece` frames carry text as it comes, for the eye only; a slow reader misses some and has the reply anyway.
//! 4. When the connection goes, calls in the air go on. The page connects again, sends again what has no answer, and gets
//!    from the ledger what was answered meanwhile.
//! 5. While a page does not read, the server reads no further, either, and leaves replies in the ledger. It hears what the server says otherwise, and does what its
//!    time asks for; the connection of a page that reads nothing at all breaks (`listening`).
//!
//! | close code | why |
//! | --- | --- |
//! | 1001 | the server stops |
//! | 1008 | pings and pongs come too often |
//! | 1009 | a frame was too large; that of the hello has at most 4 kB |
//! | 1013 | the server holds too many messages of others; connect again |
//! | 4400 | a frame cannot be understood, or says what a page cannot say |
//! | 4401 | the hello names no run of this server, or has not its token |
//! | 4408 | no hello came, or nothing for too long |
//! | 4409 | another driver drives the run: the epoch of the hello is not the newest any more |
//! | 4429 | a call was sent without credit |

mod end;
mod followed;
mod held_lease;
mod out;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Extension, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use futures::{Stream, StreamExt as _};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};
use turnwise_shared::prelude::*;
use turnwise_shared::wire::driving::Epoch;
use turnwise_shared::wire::{Frame, FrameBody, MAX_REQUEST_BYTES, VERSION};

use super::frames::{
    self, HELLO, HELLO_BYTES, NO_ROOM, PING, PINGS, Pulse, SILENCE, TOO_LARGE, TOO_OFTEN,
    is_too_large,
};
use super::recent::again_lately;
use crate::App;
use crate::access::{Client, owned};
use crate::driving::lease;
use crate::error::Problem;
use crate::limits::{Allowance, Holding, Intake, Refused, read_json};
use crate::long_texts::beside;
use crate::outbound::Canceller;
use crate::outbound::permits::Permits;
use crate::store::MayBeOutage as _;
use crate::store::RunHead;
use end::End;
use followed::Followed;
use held_lease::HeldLease;
use out::{Out, Outgoing};

/// Calls that a connection may have open at once.
const CREDIT: u32 = 512;

/// Credit comes back in lots of this many calls, or when nothing is open: a frame for each would be every second frame.
const LOT: u32 = CREDIT / 4;

/// Bytes of requests that a connection may have open before the server reads no further: calls end by themselves.
const ASKED: usize = 64_000_000;

/// How long a page has to read why the server ends, where it cannot be heard out.
const LINGER: Duration = Duration::from_secs(1);

pub async fn socket(
    State(app): State<App>,
    Client(client): Client,
    intake: Option<Extension<Intake>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let intake = intake.map_or_else(|| Intake::new(app.bytes()), |Extension(intake)| intake);
    match upgrade {
        Ok(upgrade) => frames::bounded(upgrade, MAX_REQUEST_BYTES, &intake)
            .on_upgrade(move |socket| converse(app, client, socket, intake)),
        Err(_) => frames::not_upgraded(&headers).into_response(),
    }
}

async fn converse(app: App, client: IpAddr, socket: WebSocket, intake: Intake) {
    let (sink, mut stream) = socket.split();
    let allowance = app.bytes().of_stranger(client);
    let (out, writer) = out::open(sink, allowance.outbox());
    let asked = allowance.holding();
    let mut conversation = Conversation {
        app,
        out,
        intake,
        allowance,
        asked,
        pulse: Pulse::new(),
        open: BTreeMap::new(),
        calls: JoinSet::new(),
        unreturned: 0,
        permits: None,
    };
    let mut unread = false;
    let end = conversation.hold(&mut stream).await;
    let out = conversation.let_go();
    // `None` if the page has gone.
    if let Some(end) = end {
        unread = matches!(end.code, TOO_LARGE | TOO_OFTEN | NO_ROOM);
        tracing::debug!(code = end.code, "a socket ends");
        out.end(frames::close(end.code, &end.reason)).await;
    } else {
        drop(out);
    }
    writer.end().await;
    // A connection that is let go while something on it was not read is reset, and what was said last may be lost with it.
    if unread {
        tokio::time::sleep(LINGER).await;
    }
}

/// Lines of a message that are not looked at yet.
struct Lines {
    text: Utf8Bytes,
    at: Option<usize>,
}

impl Lines {
    fn of(text: Utf8Bytes) -> Self {
        Lines { text, at: Some(0) }
    }

    fn none() -> Self {
        Lines { text: Utf8Bytes::default(), at: None }
    }

    fn next(&mut self) -> Option<&str> {
        let at = self.at?;
        let rest = &self.text.as_str()[at..];
        let end = rest.find('\n');
        self.at = end.map(|end| at + end + 1);
        Some(&rest[..end.unwrap_or(rest.len())])
    }
}

/// A call that has not ended.
struct OpenCall {
    canceller: Canceller,
    bytes: usize,
}

/// One connection. What it drops when it ends are its hands on calls, not the calls.
struct Conversation {
    app: App,
    out: Outgoing,
    /// The message that is on its way in.
    intake: Intake,
    /// Out of which the page holds bytes here.
    allowance: Allowance,
    /// Lines that are not looked at yet, and requests of calls that have not ended.
    asked: Holding,
    pulse: Pulse,
    /// Calls that have not ended.
    open: BTreeMap<u64, OpenCall>,
    /// One task per open call; each gives back its number.
    calls: JoinSet<u64>,
    /// Credit of calls that have ended, not said yet.
    unreturned: u32,
    /// How many of them are made at once, if the page has said it.
    permits: Option<Arc<Permits>>,
}

impl Conversation {
    /// Listens until one side has enough; `None` if it was the page.
    async fn hold(
        &mut self,
        stream: &mut (impl Stream<Item = Result<Message, axum::Error>> + Unpin),
    ) -> Option<End> {
        let mut news = self.app.drives().listen();
        let (run, epoch) = match timeout(HELLO, self.hello(stream)).await {
            Ok(Ok(said)) => said,
            Ok(Err(end)) => return end,
            Err(_) => return Some(End::new(4408, "no hello came")),
        };
        let mut closing = self.app.closing();
        let mut ping = interval(PING);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard = Instant::now();
        let mut lease = HeldLease::new(&self.app, &run.run, epoch);
        self.intake.allow(usize::MAX);
        let closed = self.out.closed();
        let mut closed = std::pin::pin!(closed);
        let mut lines = Lines::none();
        loop {
            while !self.out.is_full()
                && let Some(line) = lines.next()
            {
                // With the end of the line.
                let bytes = line.len() + 1;
                let open = self.open.len();
                let taken = match beside(bytes, || understand(line)).await {
                    Ok(frame) => self.take(&run, epoch, frame, bytes).await,
                    Err(end) => Err(end),
                };
                if let Err(end) = taken {
                    return Some(end);
                }
                if self.open.len() == open {
                    self.asked.shrink(bytes);
                }
            }
            tokio::select! {
                message = frames::next(stream, &self.intake), if lines.at.is_none() && !self.out.is_full() && self.asked.bytes() < ASKED => {
                    heard = Instant::now();
                    // A pong is a sign of life, too; a page in the background sends little else.
                    if let Err(end) = lease.sign(heard).await {
                        return Some(end);
                    }
                    let message = match message {
                        Ok(message) => message,
                        Err(refused) => return Some(End::refused(refused, MAX_REQUEST_BYTES)),
                    };
                    self.intake.done();
                    match self.text_of(message) {
                        Ok(Some(text)) if self.asked.grow(text.len() + 1) => lines = Lines::of(text),
                        Ok(Some(_)) => return Some(End::refused(Refused::NoRoom, MAX_REQUEST_BYTES)),
                        Ok(None) => {}
                        Err(end) => return end,
                    }
                }
                said = self.out.go_on(), if self.out.has_unsaid() => said.ok()?,
                // The writer has ended, because nothing can be written.
                () = &mut closed => return None,
                Some(ended) = self.calls.join_next() => {
                    if let Ok(id) = ended {
                        let ended = self.open.remove(&id);
                        self.asked.shrink(ended.map_or(0, |call| call.bytes));
                    }
                    self.give_back();
                }
                _ = ping.tick() => {
                    if self.out.is_behind() {
                        // Its pong stands behind what it has not read. Whether it reads, its connection knows.
                        heard = Instant::now();
                        continue;
                    }
                    if heard.elapsed() > SILENCE || frames::is_too_slow(&self.intake) {
                        return Some(End::new(4408, "nothing was heard for too long"));
                    }
                    self.out.say(Out::Other(Message::Ping(Vec::new().into())));
                }
                newer = news.recv() => if lease.is_overtaken(newer).await {
                    return Some(End::overtaken());
                },
                () = closing.wait() => return Some(End::new(1001, "the server stops")),
            }
        }
    }

    /// Lets go of its calls. What was said goes out.
    fn let_go(self) -> Outgoing {
        self.out
    }

    /// The first frame of either side.
    async fn hello(
        &mut self,
        stream: &mut (impl Stream<Item = Result<Message, axum::Error>> + Unpin),
    ) -> Result<(RunHead, Epoch), Option<End>> {
        let frame = loop {
            let message = frames::before_hello(stream, &self.intake)
                .await
                .map_err(|refused| Some(End::refused(refused, HELLO_BYTES)))?;
            if let Some(text) = self.text_of(message)? {
                break understand(text.as_str()).map_err(Some)?;
            }
        };
        let FrameBody::Hello { run: Some(run), token, epoch, .. } = frame.body else {
            return Err(Some(End::not_understood("the first frame is a hello that names a run")));
        };
        let run = owned(&self.app, run.as_str(), token.as_deref())
            .await
            .map_err(|problem| Some(End::new(4401, problem.error.message)))?;
        lease::named(&run, epoch).map_err(|_| Some(End::overtaken()))?;
        if !run.is_visitors {
            let allowance = self.app.bytes().of_known();
            self.out.outbox = allowance.outbox();
            self.asked = allowance.holding();
            self.allowance = allowance;
        }
        self.intake.take_out_of(&self.allowance);
        let hello =
            FrameBody::Hello { run: None, token: None, epoch: Epoch::default(), acknowledged: 0 };
        self.say(0, hello);
        self.say(0, FrameBody::Credit { calls: CREDIT });
        Ok((run, epoch))
    }

    /// Handles a frame of `bytes` bytes.
    async fn take(
        &mut self,
        run: &RunHead,
        epoch: Epoch,
        frame: Frame,
        bytes: usize,
    ) -> Result<(), End> {
        let id = frame.id;
        match frame.body {
            FrameBody::Call { key, request, stream } => {
                if id == 0 || self.open.contains_key(&id) {
                    return Err(End::not_understood(format!("{id} is no number for a new call")));
                }
                if self.open.len() >= usize::try_from(CREDIT).unwrap_or(usize::MAX) {
                    return Err(End::new(4429, "a call was sent without credit"));
                }
                // Over HTTP every call is asked whether it may be made; so is every one here.
                let now = match again_lately(&self.app, run, epoch).await {
                    Ok(now) => now,
                    Err(problem) => {
                        self.refuse(id, problem);
                        return Ok(());
                    }
                };
                lease::named(&now, epoch).map_err(|_| End::overtaken())?;
                let permits = self.permits.clone();
                let calls = self.app.calls();
                let make = || calls.make(&now, key.clone(), request, stream, permits);
                match beside(bytes, make).await {
                    Ok(waiting) => {
                        let canceller = waiting.canceller();
                        self.open.insert(id, OpenCall { canceller, bytes });
                        let followed = Followed {
                            id,
                            key,
                            stream,
                            store: self.app.store().clone(),
                            out: self.out.calls(),
                        };
                        self.calls.spawn(followed.run_to_its_end(waiting));
                    }
                    Err(problem) => self.refuse(id, problem),
                }
            }
            FrameBody::Cancel => {
                // A cancel and an answer can pass each other on the way.
                if let Some(call) = self.open.get_mut(&id) {
                    call.canceller.cancel();
                }
            }
            FrameBody::Permits { calls } => {
                self.permits =
                    Some(self.app.call_limits().permits().of(&run.run, &run.spec, calls));
            }
            // What was acknowledged need not be remembered: the ledger keeps every reply as long as the run.
            FrameBody::Ack | FrameBody::Credit { .. } => {}
            FrameBody::Hello { .. } => {
                return Err(End::not_understood("a hello is said once"));
            }
            FrameBody::Piece { .. } | FrameBody::Reply { .. } | FrameBody::Failed { .. } => {
                return Err(End::not_understood("only the server answers"));
            }
        }
        Ok(())
    }

    /// A call that is not made ends like one that failed.
    fn refuse(&mut self, id: u64, problem: Problem) {
        let class = match problem.is_outage() {
            true => FailureClass::Server,
            false => FailureClass::Rejected,
        };
        let failure = Failure::new(class, problem.error.message);
        let timing = Timing { started: crate::clock::now(), ..Timing::default() };
        self.say(id, FrameBody::Failed { failure, timing });
        self.give_back();
    }

    /// A call has ended, and its credit is the page's again.
    fn give_back(&mut self) {
        self.unreturned += 1;
        if self.unreturned < LOT && !self.open.is_empty() {
            return;
        }
        let calls = std::mem::take(&mut self.unreturned);
        self.say(0, FrameBody::Credit { calls });
    }

    fn say(&mut self, id: u64, body: FrameBody) {
        self.out.say(Out::frame(id, body));
    }

    /// What came in: text, nothing that matters (`None`), or the end; the end is silent if the page has gone.
    fn text_of(
        &mut self,
        message: Option<Result<Message, axum::Error>>,
    ) -> Result<Option<Utf8Bytes>, Option<End>> {
        match message {
            Some(Ok(Message::Text(text))) => Ok(Some(text)),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => match self.pulse.is_too_often() {
                true => Err(Some(End::new(TOO_OFTEN, PINGS))),
                false => Ok(None),
            },
            Some(Ok(Message::Binary(_))) => Err(Some(End::not_understood("frames are text"))),
            Some(Err(error)) => Err(broken(&error)),
            Some(Ok(Message::Close(_))) | None => Err(None),
        }
    }
}

/// A frame that came in on a line.
fn understand(line: &str) -> Result<Frame, End> {
    let frame: Frame =
        read_json(line.as_bytes()).map_err(|problem| End::not_understood(problem.error.message))?;
    if frame.v != VERSION {
        let why = format!("this server speaks version {VERSION}, not {}", frame.v);
        return Err(End::not_understood(why));
    }
    Ok(frame)
}

/// A message that cannot be read, or a connection that was lost.
fn broken(error: &axum::Error) -> Option<End> {
    is_too_large(error)
        .then(|| End::new(TOO_LARGE, format!("a frame has at most {MAX_REQUEST_BYTES} bytes")))
}
