//! What pages show and say, computed without a browser: from summaries and transcripts to rows, cells, windows and words; from an
//! address to a run and its plan; texts that several places use. Nothing here touches the page, so the tests run natively in seconds.

pub mod address;
pub mod asked;
pub mod axis;
pub mod board;
pub mod branching;
pub mod causes;
pub mod compared;
pub mod cost;
pub mod curves;
pub mod direction;
pub mod face;
pub mod felt;
pub mod figures;
pub mod heat;
pub mod json;
pub mod lanes;
pub mod listed;
pub mod markdown;
pub mod parts;
pub mod plain;
pub mod plan;
pub mod plot;
pub mod query;
pub mod replayed;
pub mod room_setup;
pub mod snapshot;
pub mod spec;
pub mod stage;
pub mod strings;
pub mod survey;
pub mod tabs;
pub mod talk;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod timeline;
#[cfg(test)]
#[path = "../../../backend/tests/toy/benchmark.rs"]
mod toy;
pub mod wall;

pub use turnwise_shared::metrics::{episode_status, number};
pub use turnwise_shared::screen::turn;

/// The language of a text that is not set in that of the page: Chinese, by its script.
pub fn lang_of(text: &str) -> Option<&'static str> {
    text.contains(|sign| matches!(sign, '\u{4e00}'..='\u{9fff}')).then_some("zh")
}
