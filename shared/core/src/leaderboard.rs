//! Leaderboards: from published runs and the papers' tables to rows with places, in any view. Pure; the server keeps entries
//! and asks here. What a benchmark declares of them is its [`Boards`](crate::board::Boards).
//!
//! - `key`: what divides boards, and what a board is called. Which board a run stands on says
//!   [`Benchmark::board`](crate::benchmark::Benchmark); only prompt packs on the server's list get one ([`listed_pack`]).
//! - `cells`: the numbers of a published run.
//! - `whole`: all rows of a board, with places and ratings; it is made once and looked at through many a [`View`].
//! - `view`: sorting, filters and the rest of what stands in the address.
//! - `csv`: a view as a table.

mod cells;
mod csv;
mod key;
mod order;
mod view;
mod whole;

pub use key::{fixed, listed_pack, title};
pub use view::{BadView, Order, PORTION, View};
pub use whole::{OwnerCounts, Whole, papers};
