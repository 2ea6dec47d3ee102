//! Does the service behave? The real program over a real network, with a scripted service behind it.
//!
//! The router's own rules (guard, limits, errors, sockets, append-only transcripts) are tested beside it, in
//! `backend/tests`. Here is what only the whole program can show: each way in which a service fails is told apart at
//! every door, a killed server loses nothing that was answered, and a key leaves the program towards its service alone.

mod driving;
mod failures;
mod key;
mod killed;
mod live;
mod start;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tempfile::TempDir;
use turnwise_shared::benchmark::Benchmark as _;
use turnwise_shared::benchmarks::interactcomp::InteractComp;
use turnwise_shared::effect::Reply;
use turnwise_shared::episode::CallId;
use turnwise_shared::run::{Doing, EpisodeKey, Ingredients, Run, Ticket};
use turnwise_shared::scheduler::Limits;
use turnwise_shared::spec::{Profile, SearchSpec, Spec};
use turnwise_shared::wire::{CallAnswer, CallKey, CallRequest, Opened, Outgoing};
use turnwise_tests::asking::Asking;
use turnwise_tests::upstream::{Fault, Faults, Script, Upstream};

const NO_PROGRAM: &str = "TURNWISE_BIN names no program; `cargo xtask test` builds it";

fn to_value(plain: &impl serde::Serialize) -> Value {
    serde_json::to_value(plain).expect("plain data")
}

/// A run over the first samples, with models of this provider in all seats.
fn spec(provider: &str, tasks: u32) -> Spec {
    let mut spec = turnwise_tests::spec(
        &InteractComp,
        Profile::Strict,
        json!({ "mode": "full", "rounds": 6 }),
    );
    for (seat, sitting) in &mut spec.seats {
        sitting.player = format!("model:{provider}/{seat}")
            .parse()
            .expect("a player");
    }
    spec.search = Some(SearchSpec {
        engine: "local".into(),
        corpus: None,
        results: 5,
    });
    spec.subset.first = Some(tasks);
    spec
}

fn planned(spec: &Spec) -> Run {
    Run::new(Ingredients {
        spec: spec.clone(),
        tasks: InteractComp.samples(),
        pack: InteractComp.pack(),
        tapes: BTreeMap::new(),
        limits: Limits::new(8),
    })
    .expect("it can be planned")
}

fn call_of(opened: &Opened, ticket: &Ticket, request: Outgoing) -> CallRequest {
    CallRequest {
        key: CallKey {
            run: opened.run.clone(),
            episode: ticket.episode.clone(),
            call: ticket.call,
            digest: ticket.digest,
        },
        token: opened.token.clone(),
        request,
    }
}

/// One scripted service for each way to fail, and a program that has them all as providers.
struct Failing {
    services: Vec<(Fault, Upstream)>,
    folder: TempDir,
    variables: Vec<(String, String)>,
}

impl Failing {
    async fn start(key: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let limits = "[limits]\nbackoff_ms = 5\nidle_seconds = 1\n";
        std::fs::write(folder.path().join("turnwise.toml"), limits).expect("it writes");
        let mut failing = Failing {
            services: Vec::new(),
            folder,
            variables: Vec::new(),
        };
        for fault in Fault::ALL {
            let script = Script {
                faults: Faults::Always(*fault),
                key: Some(key.to_owned()),
                ..Script::default()
            };
            let upstream = Upstream::start(script).await;
            let name = format!("TURNWISE_PROVIDER_{}", format!("{fault:?}").to_uppercase());
            failing
                .variables
                .push((format!("{name}_BASE_URL"), upstream.base_url()));
            failing
                .variables
                .push((format!("{name}_API_KEY"), key.to_owned()));
            failing.services.push((*fault, upstream));
        }
        failing
    }

    fn variables(&self) -> Vec<(&str, &str)> {
        self.variables
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect()
    }
}

fn provider(fault: Fault) -> String {
    format!("{fault:?}").to_lowercase()
}

/// What was answered to which call, with the call as it was sent.
type Answered = BTreeMap<(EpisodeKey, CallId), (Value, Reply)>;

/// Drives a run through `POST /api/call`, and stops after so many calls.
async fn drive(
    asking: &Asking<'_>,
    opened: &Opened,
    run: &mut Run,
    answered: &mut Answered,
    calls: u32,
) {
    let mut made = 0;
    while made < calls {
        match run.poll() {
            Doing::Call { ticket, request } => {
                let call = to_value(&call_of(opened, &ticket, request));
                let answer: CallAnswer = asking.post("/api/call", &call).await.json();
                run.tell(&ticket, answer.reply.clone())
                    .expect("the reply fits");
                answered.insert((ticket.episode, ticket.call), (call, answer.reply));
                made += 1;
            }
            Doing::Lines {
                episode,
                from,
                lines,
            } => asking.keep(opened, &episode, from, &lines).await,
            Doing::Ended { .. } => {}
            Doing::Over => return,
            other => panic!("not expected here: {other:?}"),
        }
    }
}
