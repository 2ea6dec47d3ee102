//! Texas Hold'em, no limit, 2 to 10 seats. Numbers in brackets are sections of the specification.
//!
//! The engine (`rules`, with `card`, `chips`, `action`, `rank`, `pots` and `record`) knows nothing of models, prompts and
//! episodes: cards and decisions come in as arguments.

pub mod action;
pub mod card;
pub mod chips;
pub mod imported;
pub mod rank;
pub mod record;
pub mod stats;
