//! What the authors' app writes, read: per-hand statistics (`stats-log-N.ndjson`) of the schema of specification 4.g.
//!
//! Such files hold no cards of hands, so that winners can be checked and never recomputed. Everything that is said about them
//! names its file, line and field.

mod amount;
pub mod stats_log;

pub use amount::Amount;
