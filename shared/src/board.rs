//! Leaderboards: from published runs and the papers' tables to rows with places, in any view. Pure; the server keeps entries
//! and asks here.
//!
//! - `key`: what divides boards, and what a board is called. Which board a run stands on says
//!   [`Spec::board`]; only prompt packs on the server's list get one ([`listed_pack`]).
//! - `column`: which numbers a benchmark's rows have.
//! - [`published`]: what papers printed. Rows of papers are shown beside runs and never ranked with them.
//! - `whole`: all rows of a board, with places and ratings; it is made once and looked at through many a [`View`].
//! - `view`: sorting, filters and the rest of what stands in the address.
//! - `csv`: a view as a table.

mod column;
mod csv;
mod key;
mod order;
pub mod published;
#[cfg(test)]
mod tests;
mod view;
mod whole;

pub use column::by_part;
pub use key::{fixed, listed_pack, title};
pub use view::{BadView, Order, PORTION, View};
pub use whole::{OwnerCounts, Whole, papers};

#[cfg(doc)]
use crate::spec::Spec;

/// Whether a benchmark has boards.
pub fn has_boards(benchmark: &str) -> bool {
    column::columns(benchmark).is_some()
}
