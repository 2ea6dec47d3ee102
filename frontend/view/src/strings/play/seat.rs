//! What stands around every game: how the line stands, the lobby, and leaving.

use turnwise_shared::prelude::*;

texts!("play/seat");

/// How far a table is.
pub fn how_far(info: &LiveInfo) -> String {
    match info.stage {
        LiveStage::Lobby => "It begins when everybody sits.".to_owned(),
        LiveStage::Playing if info.episodes == 1 => "Under way.".to_owned(),
        LiveStage::Playing => format!("{} of {} played.", info.played, info.episodes),
        LiveStage::Over => match &info.end {
            Some(end) => end.why.clone(),
            None => "It is over.".to_owned(),
        },
    }
}
/// Whether a person is at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    Here,
    /// Their page is gone; they may come back.
    Away,
    Left,
}
