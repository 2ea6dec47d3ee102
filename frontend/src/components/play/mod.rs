//! Parts of the pages on which a person plays.

pub mod bet;
pub mod bets;
pub mod clock;
pub mod forms;
pub mod hand;
pub mod log;
pub mod messages;
pub mod scene;
pub mod talk;
