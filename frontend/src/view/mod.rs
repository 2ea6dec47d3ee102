//! What the reading pages show, computed without a browser: pure functions from summaries and transcripts to rows, cells,
//! windows and words. Nothing here touches the page; every file has its tests beside it.

pub mod address;
pub mod asked;
pub mod axis;
pub mod board;
pub mod branching;
pub mod causes;
pub mod compared;
pub mod curves;
pub mod felt;
pub mod figures;
pub mod heat;
pub mod json;
pub mod lanes;
pub mod listed;
pub mod markdown;
pub mod parts;
pub mod plain;
pub mod plot;
pub mod replayed;
pub mod snapshot;
pub mod spec;
pub mod stage;
pub mod tabs;
pub mod talk;
pub mod timeline;
pub mod wall;

pub use turnwise_shared::screen::{episode_status, number, turn};

/// The language of a text that is not set in that of the page: Chinese, by its script.
pub fn lang_of(text: &str) -> Option<&'static str> {
    text.contains(|sign| matches!(sign, '\u{4e00}'..='\u{9fff}')).then_some("zh")
}
