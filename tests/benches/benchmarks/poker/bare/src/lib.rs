//! Made-up hands that the bare poker engine plays again and again, so that its speed can be measured: natively, and, as a
//! program of its own, in WebAssembly.

use turnwise_made_up::benchmarks::poker::{Samples, at_random};
use turnwise_shared::benchmarks::poker::card::Deck;
use turnwise_shared::benchmarks::poker::hand::{Hand, Setup};
use turnwise_shared::benchmarks::poker::record::HandRecord;
use turnwise_shared::spec::Profile;

/// How many hands [`made_up`] makes.
pub const HANDS: usize = 300;

/// From which they are made.
const SEED: u64 = 20_261_121;

/// A hand that can be played again.
#[derive(Debug)]
pub struct Played {
    setup: Setup,
    deck: Deck,
    pub record: HandRecord,
}

impl Played {
    /// Plays it again, action by action.
    pub fn again(&self) -> HandRecord {
        let mut hand = Hand::deal(self.setup.clone(), &self.deck).expect("it was dealt before");
        for action in &self.record.actions {
            hand.act(action.place, action.asked).expect("it was played before");
        }
        hand.into_record()
    }
}

/// Random hands of 2 to 9 players under all policies.
pub fn made_up() -> Vec<Played> {
    let mut samples = Samples::new(Profile::Strict, 9, SEED);
    (0..HANDS)
        .map(|_| {
            let mut deck = None;
            let record = samples.play(|hand, chance| {
                deck = Some(hand.deck().clone());
                at_random(hand, chance);
            });
            Played { setup: setup(&record), deck: deck.expect("a hand was played"), record }
        })
        .collect()
}

fn setup(record: &HandRecord) -> Setup {
    Setup {
        hand: record.hand,
        profile: record.profile,
        button: record.button,
        blinds: record.blinds,
        seated: record.places.iter().map(|place| (place.seat.clone(), place.opening)).collect(),
    }
}
