//! How close a run comes to the shortest time that its calls allow.
//!
//! 1,608 synthetic episodes of 4 to 12 calls, each call with a latency of 0.12 s on average (log-normal, sigma 0.5), 64 in
//! flight at once. No schedule can be shorter than the larger of two numbers: all latencies by 64, and the longest chain of
//! one episode. The ratio to that bound is printed twice: in simulated time, where only the order of calls counts (seeds 1
//! to 10), and through the native driver in real time, where the program's own work counts as well (seeds 1 to 3, or as many
//! as `TURNWISE_BENCH_SEEDS` says).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use turnwise_backend::driver::{Outside, Recorder, Stop, drive};
use turnwise_made_up::made_up_tasks;
use turnwise_shared::dice;
use turnwise_shared::examples::{QUESTIONS, example};
use turnwise_shared::prelude::*;
use turnwise_shared::run::{Action, Ingredients};
use turnwise_shared::scheduler::Limits;
use turnwise_shared::spec::Subset;

const EPISODES: u32 = 1608;
const IN_FLIGHT: usize = 64;
/// Mean latency in milliseconds.
const MEAN: f64 = 120.0;
const SIGMA: f64 = 0.5;
/// What the project aims at.
const AIM: f64 = 1.05;

fn main() {
    let simulated: Vec<f64> = (1..=10).map(simulate).collect();
    print("makespan, order of calls only", &simulated, "lower bound of the same calls");
    let seeds =
        std::env::var("TURNWISE_BENCH_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let runtime = tokio::runtime::Runtime::new().expect("the runtime starts");
    let real: Vec<f64> = (1..=seeds).map(|seed| runtime.block_on(real(seed))).collect();
    print("makespan, native driver", &real, "lower bound of the same calls");
}

fn print(name: &str, ratios: &[f64], against: &str) {
    let mean = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
    println!(
        "{name}  {EPISODES} episodes, {IN_FLIGHT} in flight, {} seeds  {mean:.4}  {against}",
        ratios.len()
    );
    println!("{name}  ratio {mean:.4}  {:.3}  the aim of {AIM}", mean / AIM);
}

fn run(seed: u64) -> Run {
    let benchmark = example(QUESTIONS);
    let lines = made_up_tasks(EPISODES, seed);
    let tasks =
        benchmark.read_tasks("synthetic", lines.as_bytes()).expect("generated tasks can be read");
    let pack = benchmark.pack();
    let model = Player::Model { provider: "bench".into(), model: "bench".into() };
    let sitting = |player: Player| Sitting { player, sampling: Default::default() };
    let spec = Spec {
        benchmark: benchmark.name().into(),
        protocol: benchmark.protocol(),
        profile: Profile::Strict,
        settings: serde_json::json!({ "mode": "ask_only", "rounds": 10 }),
        tasks: Named::from(&tasks),
        subset: Subset::default(),
        pack: Named::from(&pack),
        seats: BTreeMap::from([
            (Seat::new(Seat::PLAYER), sitting(model.clone())),
            (Seat::new(Seat::RESPONDER), sitting(model)),
            (Seat::new(Seat::GRADER), sitting(Player::Bot("exact".into()))),
        ]),
        search: None,
        web: None,
        budget: Budget::default(),
        seed,
        repeats: 1,
    };
    Run::new(Ingredients {
        benchmark,
        spec,
        tasks,
        pack,
        recordings: BTreeMap::new(),
        limits: Limits::new(IN_FLIGHT),
    })
    .expect("the spec can be run")
}

/// What a call is answered, and after how many milliseconds.
fn world(seed: u64, request: &Outgoing) -> (Reply, u64) {
    let Outgoing::Model(call) = request else {
        unreachable!("nothing is searched");
    };
    let text: String = call.messages.iter().map(|message| message.text.as_str()).collect();
    let digest = Digest::of(&text).to_string();
    let latency = latency(seed, &digest);
    let said = match call.seat.as_str() {
        Seat::RESPONDER => "no".to_owned(),
        _ => player(&text),
    };
    (Reply::Said(Said::text(said)), latency)
}

/// A player that makes 4 to 12 calls, its responder's included: perhaps one invalid reply, some asks, an answer.
fn player(text: &str) -> String {
    let question = text
        .rsplit("## Question\n")
        .next()
        .and_then(|rest| rest.split("\n\n").next())
        .unwrap_or_default();
    let calls = 4 + dice::draw(1, question, 9, 1)[0];
    let (asks, invalid) = ((calls - 1) / 2, (calls - 1) % 2 == 1);
    let round: u32 = text
        .rsplit("Round ")
        .next()
        .and_then(|rest| rest.split('/').next())
        .and_then(|round| round.trim().parse().ok())
        .unwrap_or(1);
    let was_refused = text.contains("held no valid action");
    if round == 1 && invalid && !was_refused {
        String::new()
    } else if round <= asks {
        format!(r#"{{"action":"ask","params":{{"question":"Is it number {round}?"}}}}"#)
    } else {
        r#"{"action":"answer","params":{"answer":"it","confidence":"50"}}"#.to_owned()
    }
}

/// Log-normal with the wanted mean, from uniform numbers by Box and Muller.
fn latency(seed: u64, stream: &str) -> u64 {
    const STEPS: u32 = 1 << 30;
    let numbers = dice::draw(seed, stream, STEPS, 2);
    let uniform = |number: u32| (f64::from(number) + 0.5) / f64::from(STEPS);
    let normal = (-2.0 * uniform(numbers[0]).ln()).sqrt()
        * (std::f64::consts::TAU * uniform(numbers[1])).cos();
    let scale = MEAN.ln() - SIGMA * SIGMA / 2.0;
    (scale + SIGMA * normal).exp().round() as u64
}

/// What no schedule can beat.
#[derive(Default)]
struct Bound {
    all: u64,
    chains: BTreeMap<String, u64>,
}

impl Bound {
    fn add(&mut self, episode: &EpisodeKey, latency: u64) {
        self.all += latency;
        *self.chains.entry(episode.its_play().to_string()).or_default() += latency;
    }

    fn milliseconds(&self) -> f64 {
        let longest = self.chains.values().copied().max().unwrap_or(0);
        (self.all as f64 / IN_FLIGHT as f64).max(longest as f64)
    }
}

/// Runs in simulated time: a queue of answers in the place of a clock.
fn simulate(seed: u64) -> f64 {
    let mut run = run(seed);
    let (mut now, mut sent) = (0_u64, 0_u64);
    let mut bound = Bound::default();
    let mut queue: BinaryHeap<Reverse<(u64, u64)>> = BinaryHeap::new();
    let mut flying: BTreeMap<u64, (Ticket, Reply)> = BTreeMap::new();
    loop {
        match run.poll() {
            Action::Call { ticket, request } => {
                let (reply, latency) = world(seed, &request);
                bound.add(&ticket.episode, latency);
                sent += 1;
                queue.push(Reverse((now + latency, sent)));
                flying.insert(sent, (ticket, reply));
            }
            Action::Wait => {
                let Reverse((time, number)) =
                    queue.pop().expect("a run that waits has calls in flight");
                now = time;
                let (ticket, reply) = flying.remove(&number).expect("every call is answered once");
                run.tell(&ticket, reply).expect("the reply fits");
            }
            Action::Over => return now as f64 / bound.milliseconds(),
            _ => {}
        }
    }
}

struct Latent {
    seed: u64,
}

impl Outside for Latent {
    async fn answer(&self, _: Ticket, request: Outgoing) -> (Reply, Timing) {
        let (reply, latency) = world(self.seed, &request);
        tokio::time::sleep(Duration::from_millis(latency)).await;
        let timing = Timing { took: latency, attempts: 1, ..Timing::default() };
        (reply, timing)
    }
}

/// Keeps nothing but the latencies.
#[derive(Default)]
struct Ledger {
    bound: Bound,
}

impl Recorder for Ledger {
    type Error = Infallible;

    fn keep(&mut self, _: &EpisodeKey, _: u64, _: &[String]) -> Result<(), Infallible> {
        Ok(())
    }

    fn timed(&mut self, ticket: &Ticket, timing: &Timing) -> Result<(), Infallible> {
        self.bound.add(&ticket.episode, timing.took);
        Ok(())
    }

    fn ended(&mut self, _: &EpisodeKey, _: &Outcome, _: Summary) {}

    fn unfit(&mut self, episode: &EpisodeKey, problem: &BadSpec) {
        unreachable!("every task fits, but {episode}: {problem}");
    }

    fn progress(&mut self, _: &Progress) {}
}

/// Runs through the native driver, in real time.
async fn real(seed: u64) -> f64 {
    let mut run = run(seed);
    let mut ledger = Ledger::default();
    let (_keep, stop) = tokio::sync::watch::channel(Stop::No);
    let start = Instant::now();
    match drive(&mut run, &Arc::new(Latent { seed }), &mut ledger, stop).await {
        Ok(_) => {}
        Err(never) => match never {},
    }
    start.elapsed().as_secs_f64() * 1000.0 / ledger.bound.milliseconds()
}
