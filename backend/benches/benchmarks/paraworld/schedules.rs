//! How our order of calls does against the orders that the field runs in, on the same episodes and the same latencies.
//!
//! 1,608 episodes of Mind-ParaWorld in simulated time: 2 to 32 turns each (skewed to few), every turn but the last a call of
//! the player and one of the engine, log-normal latencies of 1.0 s and 0.8 s on average (sigma 0.5), seeds 1 to 5. Compared
//! are, each with 64 permits:
//!
//! - **ours**: the scheduler of `shared`, with 64 permits for the player and 64 for the engine;
//! - **ours, one pool**: the same with 64 permits for both together;
//! - **reference**: a permit is held for a whole turn, the engine's call included; turns are queued first in, first out, so
//!   that every episode gets its first turn before any gets its second (specification of Mind-ParaWorld, 6);
//! - **sample pool**: 64 workers, each with one episode from its first call to its last;
//! - **sample batches**: 64 episodes at a time, the next 64 when the last of them has ended.
//!
//! Shown are the makespan against what its permits allow at least, the makespan against ours, how long the mean episode takes from the start of
//! the run until its record is on disk, and which share of the calls made is lost when the run is killed halfway: nothing
//! where transcripts grow line by line (ours), what unfinished episodes have where each writes its record, everything where
//! records are written at the very end (the reference).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use turnwise_shared::dice;
use turnwise_shared::effect::CallId;
use turnwise_shared::scheduler::{Decision, Limits, Scheduler};

#[path = "../../../../shared/benchmarks/paraworld/src/tests/pacing.rs"]
#[expect(dead_code, reason = "tests alone hold the releases to the specification")]
mod pacing;

const EPISODES: usize = 1608;
const PERMITS: usize = 64;
const SEEDS: u64 = 5;
const MOST_TURNS: u32 = 32;
/// Mean latencies in milliseconds.
const PLAYER: f64 = 1000.0;
const ENGINE: f64 = 800.0;
const SIGMA: f64 = 0.5;
/// What the project aims at.
const AIM: f64 = 1.05;

/// The latencies of an episode in milliseconds: player, engine, player, …, player.
type Calls = Vec<u64>;

/// What became of a run.
struct Ran {
    /// When each episode ended, in milliseconds.
    ended: Vec<u64>,
    /// Every call that was made: its episode, and when it came back.
    calls: Vec<(usize, u64)>,
    /// When it is written down.
    writes: Writes,
}

/// When what has come back is on disk.
#[derive(PartialEq)]
enum Writes {
    /// As soon as it has come back: a transcript grows line by line.
    EachCall,
    /// When its episode has ended.
    EachEpisode,
    /// When all episodes have ended.
    AtTheEnd,
}

fn main() {
    let worlds: Vec<Vec<Calls>> = (1..=SEEDS).map(episodes).collect();
    let ours: Vec<Ran> = worlds.iter().map(|world| by_turns(world, each())).collect();
    let makespans: Vec<f64> = ours.iter().map(Ran::makespan).collect();
    let show = |name: &str, bound: fn(&[Calls]) -> f64, runs: &[Ran]| {
        let over = |value: &dyn Fn(usize) -> f64| {
            (0..runs.len()).map(value).sum::<f64>() / runs.len() as f64
        };
        println!(
            "schedule {name}  makespan {:.0} s  {:.3}  the lower bound of its permits",
            over(&|seed| runs[seed].makespan()) / 1000.0,
            over(&|seed| runs[seed].makespan() / bound(&worlds[seed])),
        );
        println!(
            "schedule {name}  makespan  {:.3}  ours",
            over(&|seed| runs[seed].makespan() / makespans[seed]),
        );
        println!(
            "schedule {name}  mean episode on disk after {:.0} s  {:.3}  ours",
            over(&|seed| runs[seed].mean_end()) / 1000.0,
            over(&|seed| runs[seed].mean_end() / ours[seed].mean_end()),
        );
        println!(
            "schedule {name}  calls lost when killed halfway  {:.3}  all calls made until then",
            over(&|seed| runs[seed].lost_halfway()),
        );
    };
    let run =
        |how: &dyn Fn(&[Calls]) -> Ran| worlds.iter().map(|world| how(world)).collect::<Vec<_>>();
    show("ours", bound_of_two_pools, &ours);
    show("ours, one pool", bound_of_one_pool, &run(&|world| by_turns(world, Limits::new(PERMITS))));
    show("reference", bound_of_one_pool, &run(&reference));
    show("sample pool", bound_of_one_pool, &run(&sample_pool));
    show("sample batches", bound_of_one_pool, &run(&sample_batches));
    let ratio = (0..worlds.len())
        .map(|seed| makespans[seed] / bound_of_two_pools(&worlds[seed]))
        .sum::<f64>()
        / worlds.len() as f64;
    println!("schedule ours  ratio {ratio:.4}  {:.3}  the aim of {AIM}", ratio / AIM);
}

fn each() -> Limits {
    Limits::each(PERMITS, ["player", "engine"])
}

impl Ran {
    fn makespan(&self) -> f64 {
        self.ended.iter().copied().max().unwrap_or(0) as f64
    }

    /// When the mean record is on disk.
    fn mean_end(&self) -> f64 {
        if self.writes == Writes::AtTheEnd {
            return self.makespan();
        }
        self.ended.iter().map(|end| *end as f64).sum::<f64>() / self.ended.len() as f64
    }

    /// Of the calls that had come back at half of the makespan, the share that was not written down yet.
    fn lost_halfway(&self) -> f64 {
        let half = self.makespan() / 2.0;
        let (mut made, mut lost) = (0_u64, 0_u64);
        for (episode, at) in &self.calls {
            if *at as f64 <= half {
                made += 1;
                let is_safe = match self.writes {
                    Writes::EachCall => true,
                    Writes::EachEpisode => self.ended[*episode] as f64 <= half,
                    Writes::AtTheEnd => false,
                };
                lost += u64::from(!is_safe);
            }
        }
        lost as f64 / made.max(1) as f64
    }
}

/// The larger of both pools' work by permits and the longest chain.
fn bound_of_two_pools(world: &[Calls]) -> f64 {
    let of = |remainder| -> u64 {
        world.iter().flat_map(|calls| calls.iter().skip(remainder).step_by(2)).sum()
    };
    let longest = longest_chain(world);
    (of(0).max(of(1)) as f64 / PERMITS as f64).max(longest)
}

fn bound_of_one_pool(world: &[Calls]) -> f64 {
    let all: u64 = world.iter().flatten().sum();
    (all as f64 / PERMITS as f64).max(longest_chain(world))
}

fn longest_chain(world: &[Calls]) -> f64 {
    let chains = world.iter().map(|calls| calls.iter().sum::<u64>());
    chains.max().unwrap_or(0) as f64
}

fn episodes(seed: u64) -> Vec<Calls> {
    (0..EPISODES)
        .map(|episode| {
            let below = MOST_TURNS - 1;
            // The product of two even throws is skewed to small numbers.
            let throws = dice::draw(seed, &format!("turns:{episode}"), below * below, 1)[0];
            let turns = 2 + (throws % below) * (throws / below) / below;
            (0..2 * turns - 1)
                .map(|call| {
                    let mean = if call % 2 == 0 { PLAYER } else { ENGINE };
                    latency(seed, &format!("{episode}:{call}"), mean)
                })
                .collect()
        })
        .collect()
}

/// Log-normal with the wanted mean, from uniform numbers by Box and Muller.
fn latency(seed: u64, stream: &str, mean: f64) -> u64 {
    const STEPS: u32 = 1 << 30;
    let numbers = dice::draw(seed, stream, STEPS, 2);
    let uniform = |number: u32| (f64::from(number) + 0.5) / f64::from(STEPS);
    let normal = (-2.0 * uniform(numbers[0]).ln()).sqrt()
        * (std::f64::consts::TAU * uniform(numbers[1])).cos();
    let scale = mean.ln() - SIGMA * SIGMA / 2.0;
    (scale + SIGMA * normal).exp().round() as u64
}

/// The scheduler of `shared`.
fn by_turns(world: &[Calls], limits: Limits) -> Ran {
    let lane = |call: usize| {
        if call.is_multiple_of(2) { "player" } else { "engine" }
    };
    let id = |call: usize| CallId(u32::try_from(call + 1).expect("few calls"));
    let mut scheduler = Scheduler::new(limits);
    (0..world.len()).for_each(|episode| scheduler.add(episode));
    let mut ran = Ran { ended: vec![0; world.len()], calls: Vec::new(), writes: Writes::EachCall };
    let mut flying: BinaryHeap<Reverse<(u64, usize, usize)>> = BinaryHeap::new();
    let mut now = 0;
    loop {
        match scheduler.decide() {
            Decision::Start(episode) => scheduler.offer(episode, id(0), lane(0)),
            Decision::Send(episode, call) => {
                let call = call.0 as usize - 1;
                flying.push(Reverse((now + world[episode][call], episode, call)));
            }
            Decision::Idle => {
                let Some(Reverse((at, episode, call))) = flying.pop() else {
                    return ran;
                };
                now = at;
                ran.calls.push((episode, at));
                scheduler.answered(episode, id(call));
                if call + 1 == world[episode].len() {
                    ran.ended[episode] = at;
                    scheduler.finished(episode);
                } else {
                    scheduler.offer(episode, id(call + 1), lane(call + 1));
                }
            }
        }
    }
}

/// The authors' engine: a permit for a whole turn, turns first in, first out, records at the very end.
fn reference(world: &[Calls]) -> Ran {
    let of_turn = |calls: &[u64]| calls.iter().sum();
    let durations: Vec<Vec<u64>> =
        world.iter().map(|calls| calls.chunks(2).map(of_turn).collect()).collect();
    let mut ran = Ran { ended: vec![0; world.len()], calls: Vec::new(), writes: Writes::AtTheEnd };
    for turn in pacing::turns(&durations, PERMITS) {
        let mut at = turn.begins;
        for latency in world[turn.episode].iter().skip(2 * turn.turn).take(2) {
            at += latency;
            ran.calls.push((turn.episode, at));
        }
        ran.ended[turn.episode] = turn.ends;
    }
    ran
}

/// Workers, each with one episode from its first call to its last.
fn sample_pool(world: &[Calls]) -> Ran {
    let mut free: BinaryHeap<Reverse<u64>> = (0..PERMITS).map(|_| Reverse(0)).collect();
    let mut ran = Ran { ended: Vec::new(), calls: Vec::new(), writes: Writes::EachEpisode };
    for (episode, calls) in world.iter().enumerate() {
        let Reverse(mut at) = free.pop().expect("as many workers as permits");
        for latency in calls {
            at += latency;
            ran.calls.push((episode, at));
        }
        ran.ended.push(at);
        free.push(Reverse(at));
    }
    ran
}

/// Batches: the next begins when the last of a batch has ended.
fn sample_batches(world: &[Calls]) -> Ran {
    let mut ran = Ran { ended: Vec::new(), calls: Vec::new(), writes: Writes::EachEpisode };
    let mut start = 0;
    for (batch, episodes) in world.chunks(PERMITS).enumerate() {
        for (place, calls) in episodes.iter().enumerate() {
            let mut at = start;
            for latency in calls {
                at += latency;
                ran.calls.push((batch * PERMITS + place, at));
            }
            ran.ended.push(at);
        }
        start = ran.ended.iter().copied().max().unwrap_or(start);
    }
    ran
}
