//! Services on the network, models and search engines alike: how they are reached, what their bodies and errors look like, and how many
//! calls they get at once. Those that are known by name are in one [`table`].

pub mod body;
mod error;
pub mod gate;
pub mod json;
pub mod markup;
pub mod page;
pub mod reach;
mod table;
pub mod throttle;

pub use error::{Again, ProviderError, can_open_files};
pub use table::{
    KeyRule, MODELS, ModelFormat, ModelService, SEARCHES, SearchFormat, SearchService, SerpEngine,
};
