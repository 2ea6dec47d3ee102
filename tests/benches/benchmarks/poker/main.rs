//! The bare poker engine: hands a second against PokerKit (Python) with the same actions, natively and in WebAssembly, what a
//! transcript costs, and rankings of seven cards a second against the fastest crate that was found. Then a million random hands
//! are checked: no chip comes or goes.

mod pokerkit;
mod transcript;
mod wasm;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use aya_poker::base::{Card as AyaCard, Hand as AyaHand};
use turnwise_made_up::benchmarks::poker::{Samples, at_random, broken, shuffled};
use turnwise_shared::benchmarks::poker::card::Card;
use turnwise_shared::benchmarks::poker::chance::Chance;
use turnwise_shared::benchmarks::poker::phh;
use turnwise_shared::benchmarks::poker::rank::CardSet;
use turnwise_shared::spec::Profile;

const CHECKED: u32 = 1_000_000;
const RANKED: usize = 100_000;
/// Each measurement is repeated, and the best one is printed: what disturbs a machine only makes it slower.
const ROUNDS: usize = 9;

fn main() -> ExitCode {
    rankings();
    engine();
    for profile in [Profile::Strict, Profile::Reference] {
        if let Some(wrong) = check(profile) {
            eprintln!("a random hand is wrong under {}: {wrong}", profile.name());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// The best rate of some rounds, in units a second.
fn rate(units: usize, mut round: impl FnMut()) -> f64 {
    (0..ROUNDS)
        .map(|_| {
            let started = Instant::now();
            round();
            units as f64 / started.elapsed().as_secs_f64()
        })
        .fold(0.0, f64::max)
}

fn rankings() {
    let mut chance = Chance::new(7);
    let sevens: Vec<Vec<Card>> =
        (0..RANKED).map(|_| shuffled(&mut chance).cards()[..7].to_vec()).collect();
    let ours: Vec<CardSet> = sevens.iter().map(|seven| seven.iter().copied().collect()).collect();
    let theirs: Vec<AyaHand> = sevens
        .iter()
        .map(|seven| {
            let cards = seven.iter().map(|card| card.short().parse::<AyaCard>());
            cards.map(|card| card.expect("both write cards alike")).collect()
        })
        .collect();
    for (pair, their_pair) in ours.windows(2).zip(theirs.windows(2)) {
        let order = pair[0].strength().cmp(&pair[1].strength());
        let their_order =
            aya_poker::poker_rank(&their_pair[0]).cmp(&aya_poker::poker_rank(&their_pair[1]));
        assert_eq!(order, their_order, "both rank {pair:?} alike");
    }
    let our_rate = rate(RANKED, || {
        for cards in &ours {
            black_box(black_box(cards).strength());
        }
    });
    let their_rate = rate(RANKED, || {
        for cards in &theirs {
            black_box(aya_poker::poker_rank(black_box(cards)));
        }
    });
    println!(
        "rankings of seven cards  {:.1} M/s  {:.2}  aya_poker 0.1, {:.1} M/s",
        our_rate / 1e6,
        our_rate / their_rate,
        their_rate / 1e6
    );
}

fn engine() {
    let played = turnwise_bare_poker::made_up();
    let native = rate(played.len(), || {
        for hand in &played {
            assert_eq!(hand.again().stacks, hand.record.stacks);
        }
    });
    let files: Vec<String> = played.iter().map(|hand| phh::write(&hand.record)).collect();
    let theirs = pokerkit::rate(&files.join("---\n"));
    match &theirs {
        Ok(theirs) => println!(
            "poker hands, bare engine  {native:.0} /s  {:.0}  PokerKit with the same actions, {theirs:.0} /s",
            native / theirs
        ),
        Err(why) => {
            println!("poker hands, bare engine  {native:.0} /s  -  PokerKit skipped: {why}")
        }
    }
    let wasm = wasm::rate().map(|rounds| rounds * turnwise_bare_poker::HANDS as f64);
    match (wasm, theirs) {
        (Ok(wasm), Ok(theirs)) => println!(
            "poker hands, bare engine in the browser  {wasm:.0} /s  {:.0}  PokerKit with the same actions, {theirs:.0} /s",
            wasm / theirs
        ),
        (Ok(wasm), Err(_)) => println!(
            "poker hands, bare engine in the browser  {wasm:.0} /s  {:.2}  the same natively, {native:.0} /s",
            wasm / native
        ),
        (Err(why), _) => println!("poker hands, bare engine in the browser  skipped  -  {why}"),
    }
    let mut bytes = 0;
    let whole = rate(transcript::HANDS, || bytes = transcript::play());
    println!(
        "poker hands, whole episodes with transcript  {whole:.0} /s, {} bytes each  {:.4}  the bare engine, {native:.0} /s",
        bytes / transcript::HANDS,
        whole / native
    );
}

/// What is wrong with a million random hands, if anything.
fn check(profile: Profile) -> Option<&'static str> {
    let mut samples = Samples::new(profile, 10, 1);
    let started = Instant::now();
    for _ in 0..CHECKED {
        if let Some(wrong) = broken(&samples.play(at_random)) {
            return Some(wrong);
        }
    }
    println!(
        "{CHECKED} random hands checked, {}  {:.0} /s  -  chips conserved in each",
        profile.name(),
        f64::from(CHECKED) / started.elapsed().as_secs_f64()
    );
    None
}
