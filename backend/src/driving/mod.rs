//! Who drives a run (ARCHITECTURE.md, rule 11): leases are taken, lived on and handed over ([`lease`]), and the server drives
//! runs itself, where its owner asked for that ([`drive`]).
//!
//! The states, the moves between them and the lengths of leases are those of [`turnwise_shared::wire::driving`].

mod drive;
mod hands;
pub mod lease;
mod left;
mod plan;
mod record;

pub use drive::begin;
pub use hands::{Connected, Drives};
pub(crate) use left::look_after;
pub use plan::tasks;
