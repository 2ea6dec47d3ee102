//! What a screen shows first: of a run its numbers, and its episodes as rows of a wall; of an episode how it ended, and turn by
//! turn what was done. The server writes it into the page, so that it can be read before the app is there, and the app draws the
//! same from the same functions, an episode's turns with more in them.
//!
//! Everything here is text or markup from what was counted; nothing knows a browser. Where markup is made,
//! [`Markup`](crate::markup::Markup) escapes what models and people said.

pub mod columns;
pub mod event;
pub mod figures;
pub mod look;
pub mod natural;
pub mod play;
pub mod row;
pub mod run_tabs;
pub mod sample;
pub mod turn;
pub mod verdict;
pub mod words;
