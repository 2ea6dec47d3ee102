use super::{count, counted};
use crate::direction::Direction;

pub use turnwise_shared::screen::words::{confidence, label, row_label};

texts!("run/wall");

pub fn shown(shown: usize, of: usize) -> String {
    if shown == of {
        counted(of, "episode", "episodes")
    } else {
        format!("{} of {}", count(shown), count(of))
    }
}
/// Which of them are in sight: the first and the last, `None` for all.
pub fn in_sight(sight: Option<(usize, usize)>, (found, of): (usize, usize)) -> String {
    let Some((first, last)) = sight else {
        return shown(found, of);
    };
    let [first, last, found_in_words, all] = [first, last, found, of].map(count);
    match found == of {
        true => format!("{first}–{last} of {all}"),
        false => format!("{first}–{last} of {found_in_words}, {all} in all"),
    }
}
