//! Plays the made-up hands once each time it is started. Built for WebAssembly, its `main` can be called many times: the first
//! call makes the hands, which then stay in its memory, and what the others take is what the engine takes.

use std::sync::OnceLock;

use turnwise_bare_poker::{Played, made_up};

static HANDS: OnceLock<Vec<Played>> = OnceLock::new();

fn main() {
    for hand in HANDS.get_or_init(made_up) {
        assert_eq!(hand.again().stacks, hand.record.stacks);
    }
}
