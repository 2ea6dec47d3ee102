//! Leaderboards: from published runs and the papers' tables to rows with places, in any view. Pure; the server keeps entries
//! and asks here.
//!
//! - `key`: what divides boards, and what a board is called. Which board a run stands on says
//!   [`Benchmark::board`](crate::benchmark::Benchmark); only prompt packs on the server's list get one ([`listed_pack`]).
//! - `column`: which numbers a benchmark's rows have.
//! - [`published`]: what papers printed. Rows of papers are shown beside runs and never ranked with them.
//! - `whole`: all rows of a board, with places and ratings; it is made once and looked at through many a [`View`].
//! - `view`: sorting, filters and the rest of what stands in the address.
//! - `csv`: a view as a table.

pub mod column;
mod csv;
mod key;
mod order;
pub mod published;
mod view;
mod whole;

pub use column::Column;
pub use key::{fixed, listed_pack, title};
pub use view::{BadView, Order, PORTION, View};
pub use whole::{OwnerCounts, Whole, papers};

use crate::metrics::report::{Figure, Report};
use crate::spec::Spec;
use published::{Condition, Paper};

/// The leaderboards of a benchmark.
#[derive(Debug, Clone, Copy)]
pub struct Boards {
    /// The numbers of a row, the main one first.
    pub columns: &'static [Column],
    /// The condition of a board in a few words each, from the settings alone, e.g. `full`, `10 rounds`.
    pub condition: fn(&Spec) -> Vec<String>,
    /// The paper that its published conditions come from; `None` where there is none.
    pub paper: Option<Paper>,
    /// The tables of its paper.
    pub published: fn() -> Vec<Condition>,
    /// The name of the published condition that a spec is nearest to, whose rows are shown beside its runs.
    pub beside: fn(&Spec) -> Option<String>,
    /// Numbers of a report that only boards show, part by part.
    pub by_part: fn(&Report) -> Vec<Figure>,
}

impl Boards {
    fn beside(&self, spec: &Spec) -> Option<Condition> {
        let name = (self.beside)(spec)?;
        (self.published)().into_iter().find(|condition| condition.name == name)
    }
}

/// A setting of a spec in words, e.g. for [`Boards::condition`]; `None` where it is not set.
pub fn setting(spec: &Spec, name: &str) -> Option<String> {
    spec.settings.get(name).map(key::plain)
}

/// No numbers part by part: [`Boards::by_part`] where a report has no such parts.
pub fn no_parts(_report: &Report) -> Vec<Figure> {
    Vec::new()
}
