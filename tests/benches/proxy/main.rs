//! Calls through the service, beside the same bytes through nginx with `proxy_pass` to the same service on loopback.
//!
//! A call is `POST /api/call` with the run's token, each another one, so that an intent and an answer are written into the
//! ledger for each, and a receipt; a second server makes no receipts. The same calls go over the socket, too, as from a page.
//! nginx forwards the same bytes and keeps nothing; so does a program of axum and reqwest with nothing in between. The callers
//! and the service that answers are threads of this program on the second core; what is measured has the first one to itself
//! (`taskset`). Best of [`ROUNDS`], taken in turn.
//!
//! A ratio of throughputs counts only if both used at least [`FULL`] of their core (ARCHITECTURE.md, rule 26). Otherwise, because
//! the callers were the slower ones or the machine was not idle, CPU time for a call is compared, and the line says so.

mod bare;
mod nginx;
mod process;
mod socket;
mod wire;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bare::Bare;
use nginx::Nginx;
use serde_json::json;
use turnwise_shared::examples::{QUESTIONS, example};
use turnwise_shared::prelude::*;
use turnwise_shared::prompt::Rendered;
use turnwise_shared::wire::{CallRequest, Frame, FrameBody};
use turnwise_tests::asking::Asking;
use turnwise_tests::server::{self, Server};

/// Calls at the same time.
const AT_ONCE: usize = 32;
/// Characters of a prompt.
const PROMPT: usize = 4000;
/// Characters of a reply.
const REPLY: usize = 1000;
const ROUNDS: usize = 3;
const WARM_UP: Duration = Duration::from_millis(500);
const ROUND: Duration = Duration::from_secs(3);
/// The share of a core from which on it is the core that limits.
const FULL: f64 = 0.95;
/// The share of the peer's throughput that is aimed at, with receipts and without.
const AIM: f64 = 0.4;
const AIM_SILENT: f64 = 0.5;

fn main() {
    bare::serve_if_asked();
    let Some(program) = server::program() else {
        println!("skipped: `cargo xtask bench` names the program");
        return;
    };
    let core = process::apart();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let completion = json!({
        "id": "made-up", "object": "chat.completion", "created": 1, "model": "player",
        "choices": [{ "index": 0, "finish_reason": "stop", "message": { "role": "assistant", "content": "r".repeat(REPLY) } }],
        "usage": { "prompt_tokens": 1000, "completion_tokens": 250, "total_tokens": 1250 },
    });
    let service = wire::service(&completion.to_string()).expect("loopback has a free port");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("the runtime starts");
    let (server, calls) = ours(&program, folder.path(), service, core, &runtime, "on");
    let addr = server.address().parse().ok();
    let ours = Measured::new(addr, server.process(), calls.over_http());
    let paged = Measured::new(addr, server.process(), calls.over_the_socket());
    let second = tempfile::tempdir().expect("a temporary folder");
    let (without, silent_calls) =
        self::ours(&program, second.path(), service, core, &runtime, "off");
    let silent =
        Measured::new(without.address().parse().ok(), without.process(), silent_calls.over_http());
    let third = tempfile::tempdir().expect("a temporary folder");
    let alone = Bare::start(third.path(), service, core);
    let frameworks = Measured::new(Some(alone.addr), alone.process(), calls.over_http());
    let peer = Nginx::start(folder.path(), service, core);
    let theirs = match &peer {
        Ok(peer) => Measured::new(Some(peer.addr), peer.process(), calls.over_http()),
        Err(_) => None,
    };
    let (Some(mut ours), Some(mut paged), Some(mut silent), Some(mut frameworks), mut theirs) =
        (ours, paged, silent, frameworks, theirs)
    else {
        println!(
            "calls through the service  skipped  -  CPU time of processes is read on Linux only"
        );
        return;
    };
    for _ in 0..ROUNDS {
        ours.round();
        paged.round();
        silent.round();
        frameworks.round();
        if let Some(theirs) = &mut theirs {
            theirs.round();
        }
    }
    let why = peer.as_ref().err().map(String::as_str);
    tell(&ours, theirs.as_ref(), why, core);
    if let Some(theirs) = &theirs {
        beside("calls through the service", &ours, theirs, AIM);
        beside("calls without receipts", &silent, theirs, AIM_SILENT);
    }
    let alone = "axum and reqwest alone, no ledger";
    by_cost("calls through the service", &ours, alone, &frameworks);
    if let Some(theirs) = &theirs {
        by_cost("calls through axum and reqwest alone", &frameworks, "nginx", theirs);
    }
    by_cost("calls over the socket", &paged, "POST /api/call", &ours);
    by_cost("calls with receipts", &ours, "without receipts", &silent);
    if let (Some(with), Some(without)) = (ours.best, silent.best) {
        println!(
            "calls with receipts, by throughput  {:.0} calls/s  {:.3}  without receipts: {:.0} calls/s",
            with.rate,
            with.rate / without.rate,
            without.rate
        );
    }
}

/// Starts the service on a core, with receipts `on` or `off`, and opens a run; gives it with the text of a call.
fn ours(
    program: &Path,
    folder: &Path,
    service: SocketAddr,
    core: Option<&str>,
    runtime: &tokio::runtime::Runtime,
    receipts: &str,
) -> (Server, Calls) {
    let configuration = folder.join("turnwise.toml");
    // There are no other callers; the limits are for strangers.
    std::fs::write(
        &configuration,
        "[limits]\nrequests_per_second = 1000000\nrequest_burst = 1000000\n",
    )
    .expect("a file");
    let url = format!("http://{service}/v1");
    let server = Server::start(
        &on_core(program, folder, core),
        folder,
        &[
            ("TURNWISE_CONFIG", &configuration.to_string_lossy()),
            ("TURNWISE_PROVIDER_UP_BASE_URL", &url),
            ("TURNWISE_PROVIDER_UP_MODELS", "player"),
            ("TURNWISE_PROVIDER_UP_IN_FLIGHT", "1024"),
            ("TURNWISE_RECEIPTS", receipts),
        ],
    );
    let benchmark = example(QUESTIONS);
    let mut spec =
        turnwise_tests::spec(benchmark, Profile::Strict, json!({ "mode": "answer_only" }));
    let seat = Seat::new("player");
    let player = "model:up/player".parse().expect("a player");
    spec.seats.entry(seat.clone()).and_modify(|sitting| sitting.player = player);
    let opened = runtime.block_on(Asking::new(&server).open(&spec, 1));
    let prompt = format!("{} {}", wire::NUMBER, "p".repeat(PROMPT));
    let call = CallRequest {
        key: CallKey {
            run: opened.run.clone(),
            episode: "1.r1.play".parse().expect("an episode"),
            call: CallId(wire::NUMBER.parse().expect("a number")),
            digest: Digest::of("one call of many"),
        },
        token: opened.token.clone(),
        epoch: Default::default(),
        request: Outgoing::Model(ModelCall {
            provider: "up".to_owned(),
            model: "player".to_owned(),
            seat,
            messages: vec![Rendered::text(Role::User, prompt)],
            sampling: Sampling::default(),
        }),
    };
    let hello = FrameBody::Hello {
        run: Some(opened.run),
        token: Some(opened.token),
        epoch: Default::default(),
        acknowledged: 0,
    };
    let posted = written(&call);
    let sent = FrameBody::Call { key: call.key, request: call.request, stream: Stream::Whole };
    let number = wire::NUMBER.parse().expect("a number");
    let calls = Calls {
        posted,
        hello: written(&Frame::new(0, hello)),
        sent: written(&Frame::new(number, sent)),
    };
    (server, calls)
}

fn written(plain: &impl serde::Serialize) -> String {
    serde_json::to_string(plain).expect("plain data")
}

/// The same call, as it goes either way.
struct Calls {
    posted: String,
    hello: String,
    sent: String,
}

/// Makes calls for the given time.
type Caller = Box<dyn Fn(SocketAddr, Duration) -> std::io::Result<wire::Called>>;

impl Calls {
    fn over_http(&self) -> Caller {
        let call = self.posted.clone();
        Box::new(move |addr, during| wire::call(addr, "/api/call", &call, AT_ONCE, during))
    }

    fn over_the_socket(&self) -> Caller {
        let (hello, call) = (self.hello.clone(), self.sent.clone());
        Box::new(move |addr, during| socket::call(addr, &hello, &call, AT_ONCE, during))
    }
}

/// A program that starts another one on a core and becomes it.
fn on_core(program: &Path, folder: &Path, core: Option<&str>) -> PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let Some(core) = core else {
        return program.to_owned();
    };
    let file = folder.join("on-core");
    let script = format!("#!/bin/sh\nexec taskset -c {core} '{}' \"$@\"\n", program.display());
    std::fs::write(&file, script).expect("a file");
    let may_start = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&file, may_start).expect("our own file");
    file
}

/// A process that takes calls, and its best round.
struct Measured {
    addr: SocketAddr,
    process: u32,
    caller: Caller,
    best: Option<Round>,
    /// Memory at the end, in bytes.
    memory: u64,
}

#[derive(Debug, Clone, Copy)]
struct Round {
    /// Calls a second.
    rate: f64,
    /// CPU time of a call in seconds.
    each: f64,
    /// The share of a core that it used.
    share: f64,
    called: wire::Called,
}

impl Measured {
    fn new(addr: Option<SocketAddr>, process: u32, caller: Caller) -> Option<Self> {
        process::busy(process)?;
        Some(Measured { addr: addr?, process, caller, best: None, memory: 0 })
    }

    fn round(&mut self) {
        let during = |time| {
            (self.caller)(self.addr, time).unwrap_or_else(|error| panic!("a call failed: {error}"))
        };
        during(WARM_UP);
        let busy = || process::busy(self.process).expect("it still runs");
        let (began, before) = (Instant::now(), busy());
        let called = during(ROUND);
        let (wall, busy) = (began.elapsed().as_secs_f64(), busy() - before);
        let calls = called.calls as f64;
        let round = Round { rate: calls / wall, each: busy / calls, share: busy / wall, called };
        if self.best.is_none_or(|best| round.each < best.each) {
            self.best = Some(round);
        }
        self.memory = process::resident(self.process).unwrap_or_default();
    }

    fn words(&self) -> String {
        let Some(round) = self.best else {
            return String::new();
        };
        format!(
            "{:.0} calls/s, {:.0} % of a core, {:.0} µs of it a call",
            round.rate,
            100.0 * round.share,
            1e6 * round.each,
        )
    }
}

fn tell(ours: &Measured, theirs: Option<&Measured>, why: Option<&str>, core: Option<&str>) {
    let Some(our) = ours.best else {
        return;
    };
    let pinned = match core {
        Some(_) => "on a core of its own",
        None => "on any core",
    };
    let store = match std::env::var_os("DATABASE_URL") {
        Some(_) => "PostgreSQL",
        None => "a file of SQLite's",
    };
    println!(
        "a call through the service  request {} bytes, answer {} bytes, {AT_ONCE} at once, {pinned}  -  each is written into the ledger, \
         in {store}",
        our.called.request, our.called.answer
    );
    let Some(theirs) = theirs else {
        let why = why.unwrap_or("it measured nothing");
        println!("calls through the service  {}  -  nginx skipped: {why}", ours.words());
        return;
    };
    println!(
        "memory under calls  {:.1} MB  {:.2}  nginx, {:.1} MB",
        ours.memory as f64 / 1e6,
        ours.memory as f64 / theirs.memory as f64,
        theirs.memory as f64 / 1e6
    );
}

/// One beside another, by what a call costs.
fn by_cost(name: &str, one: &Measured, what: &str, other: &Measured) {
    let (Some(ones), Some(others)) = (one.best, other.best) else {
        return;
    };
    println!(
        "{name}, by CPU time of a call  {}  {:.3}  {what}: {}",
        one.words(),
        others.each / ones.each,
        other.words()
    );
}

/// One of ours beside nginx, and beside what is aimed at.
fn beside(name: &str, ours: &Measured, theirs: &Measured, aim: f64) {
    let (Some(our), Some(their)) = (ours.best, theirs.best) else {
        return;
    };
    let is_full = our.share >= FULL && their.share >= FULL;
    let (ratio, by) = match is_full {
        true => (our.rate / their.rate, "throughput"),
        false => (their.each / our.each, "CPU time of a call"),
    };
    println!(
        "{name}, by {by}  {}  {ratio:.3}  nginx proxy_pass to the same service, no ledger: {}, answer {} bytes",
        ours.words(),
        theirs.words(),
        their.called.answer,
    );
    println!("{name}, by {by}  ratio {ratio:.3}  {:.3}  the aim of {aim} of nginx", ratio / aim);
}
