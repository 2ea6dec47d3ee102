//! Questions that the web answers: steps and pages of an episode, what the ranked pages are worth, what judges said, and the forms of a
//! person who plays. Everything that was found is shown as text.

mod found;
mod stage;
mod words;

use turnwise_shared::benchmarks::infodeepseek::prompts::ADDRESS;

use super::{Screen, Staged};
use crate::components::play::forms::Begins;
use crate::prelude::*;

pub struct Search;

impl Screen for Search {
    fn stage(&self, episode: &Staged) -> Option<AnyView> {
        stage::view(episode)
    }

    fn begins(&self, question: &Question) -> Begins {
        match question.expect {
            Expect::Actions(_) => Begins {
                optional: &["question", "part", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"],
                offers: Some((ADDRESS, addresses(&question.scene.blocks))),
                ..Begins::default()
            },
            _ => Begins::default(),
        }
    }
}

/// The addresses that were found, each once.
fn addresses(blocks: &[Block]) -> Vec<String> {
    let mut found = Vec::new();
    for block in blocks {
        let Block::Results { results, .. } = block else { continue };
        for address in results.iter().filter_map(|result| result.address.as_ref()) {
            if !found.contains(address) {
                found.push(address.clone());
            }
        }
    }
    found
}
