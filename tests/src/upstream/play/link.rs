//! Which requests wait for which: the chains of episodes, as far as requests show them.

use turnwise_shared::hash::Digest;

use super::{Part, Request, paraworld};

/// Where a request stands in the chain of an episode.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    /// The question of the episode. Two episodes at the same time that ask alike are taken for one.
    pub question: Digest,
    /// What it waits for.
    pub place: Place,
}

/// See [`Link`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// It begins.
    First,
    /// It follows on everything before it.
    After,
    /// It follows on the last that is not aside; others may go beside it.
    Aside,
}

impl Request {
    /// Where it stands in its episode; `None` where it does not tell.
    pub fn link(&self) -> Option<Link> {
        let (question, place) = match self.part {
            Part::Searcher => {
                let place = match paraworld::turn(&self.messages) {
                    1 => Place::First,
                    _ => Place::After,
                };
                (paraworld::question(&self.messages), place)
            }
            Part::Engine => (paraworld::question_of_engine(&self.messages)?, Place::Aside),
            _ => return None,
        };
        Some(Link {
            question: Digest::of(question),
            place,
        })
    }
}
