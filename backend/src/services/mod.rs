//! Services on the network, models and search engines alike: how they are reached, what their bodies and errors look like, and how many
//! calls they get at once.

pub mod body;
mod error;
pub mod gate;
pub mod reach;
pub mod throttle;

pub use error::{Again, Miss};
