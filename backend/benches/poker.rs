//! The bare poker engine: hands a second against PokerKit (Python) with the same actions, and rankings of seven cards a second
//! against the fastest crate that was found. Then a million random hands are checked: no chip comes or goes.
//!
//! PokerKit is compared with if `TURNWISE_PYTHON` (or `python3`) has it; `--peers` puts it into `target/peers`.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use aya_poker::base::{Card as AyaCard, Hand as AyaHand};
use turnwise_shared::benchmarks::poker::card::{Card, Deck};
use turnwise_shared::benchmarks::poker::hand::{Hand, Setup};
use turnwise_shared::benchmarks::poker::phh;
use turnwise_shared::benchmarks::poker::rank::CardSet;
use turnwise_shared::benchmarks::poker::record::HandRecord;
use turnwise_shared::benchmarks::poker::sample::{Chance, Samples, at_random, broken};
use turnwise_shared::spec::Profile;

const CHECKED: u32 = 1_000_000;
const AGAINST_POKERKIT: usize = 300;
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
    let sevens: Vec<Vec<Card>> = (0..RANKED)
        .map(|_| chance.deck().cards()[..7].to_vec())
        .collect();
    let ours: Vec<CardSet> = sevens
        .iter()
        .map(|seven| seven.iter().copied().collect())
        .collect();
    let theirs: Vec<AyaHand> = sevens
        .iter()
        .map(|seven| {
            let cards = seven.iter().map(|card| card.short().parse::<AyaCard>());
            cards
                .map(|card| card.expect("both write cards alike"))
                .collect()
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

/// A hand that can be played again.
struct Played {
    setup: Setup,
    deck: Deck,
    record: HandRecord,
}

fn engine() {
    let mut samples = Samples::new(Profile::Strict, 9, 20_261_121);
    let played: Vec<Played> = (0..AGAINST_POKERKIT)
        .map(|_| {
            let mut deck = None;
            let record = samples.play(|hand, chance| {
                deck = Some(hand.deck().clone());
                at_random(hand, chance);
            });
            let deck = deck.expect("a hand was played");
            let setup = setup(&record);
            Played {
                setup,
                deck,
                record,
            }
        })
        .collect();
    let our_rate = rate(played.len(), || {
        for hand in &played {
            assert_eq!(again(hand).stacks, hand.record.stacks);
        }
    });
    let files: Vec<String> = played.iter().map(|hand| phh::write(&hand.record)).collect();
    match pokerkit(&files.join("---\n")) {
        Ok(their_rate) => println!(
            "poker hands, bare engine  {our_rate:.0} /s  {:.0}  PokerKit with the same actions, {their_rate:.0} /s",
            our_rate / their_rate
        ),
        Err(why) => {
            println!("poker hands, bare engine  {our_rate:.0} /s  -  PokerKit skipped: {why}")
        }
    }
}

fn setup(record: &HandRecord) -> Setup {
    Setup {
        hand: record.hand,
        profile: record.profile,
        button: record.button,
        blinds: record.blinds,
        seated: record
            .places
            .iter()
            .map(|place| (place.seat.clone(), place.opening))
            .collect(),
    }
}

fn again(played: &Played) -> HandRecord {
    let mut hand = Hand::deal(played.setup.clone(), &played.deck).expect("it was dealt before");
    for action in &played.record.actions {
        hand.act(action.place, action.asked)
            .expect("it was played before");
    }
    hand.into_record()
}

/// Hands a second that PokerKit replays, or why it does not.
fn pokerkit(hands: &str) -> Result<f64, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let python = python(&root)?;
    let file = std::env::temp_dir().join(format!("turnwise-bench-{}.phh", std::process::id()));
    std::fs::write(&file, hands).map_err(|error| error.to_string())?;
    let output = Command::new(python)
        .arg(root.join("tests/peers/replay_phh.py"))
        .arg(&file)
        .output();
    std::fs::remove_file(&file).map_err(|error| error.to_string())?;
    let output = output.map_err(|error| error.to_string())?;
    let said: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| String::from_utf8_lossy(&output.stderr).trim().to_owned())?;
    match (said["hands"].as_f64(), said["seconds"].as_f64()) {
        (Some(hands), Some(seconds)) if seconds > 0.0 => Ok(hands / seconds),
        _ => Err("it measured nothing".to_owned()),
    }
}

/// A Python that has PokerKit.
fn python(root: &Path) -> Result<PathBuf, String> {
    let own = root.join("target/peers/bin/python");
    let install = std::env::args().any(|word| word == "--peers");
    if install && !own.exists() {
        let run = |program: &Path, words: &[&str]| {
            let done = Command::new(program).args(words).output();
            match done {
                Ok(output) if output.status.success() => Ok(()),
                Ok(output) => Err(String::from_utf8_lossy(&output.stderr)
                    .trim()
                    .replace('\n', " ")),
                Err(error) => Err(error.to_string()),
            }
        };
        let folder = root.join("target/peers");
        run(
            Path::new("python3"),
            &["-m", "venv", &folder.to_string_lossy()],
        )?;
        run(
            &own,
            &["-m", "pip", "install", "--quiet", "pokerkit~=0.7.0"],
        )?;
    }
    let named = std::env::var_os("TURNWISE_PYTHON").map(PathBuf::from);
    let candidates = named.into_iter().chain([own, PathBuf::from("python3")]);
    candidates
        .into_iter()
        .find(|python| {
            let asked = Command::new(python)
                .args(["-c", "import pokerkit"])
                .output();
            asked.is_ok_and(|output| output.status.success())
        })
        .ok_or_else(|| "not installed".to_owned())
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
