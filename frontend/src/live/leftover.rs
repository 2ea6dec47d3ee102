//! Lines of runs that nothing is left to do with: this browser need not keep what the server has whole.

use std::collections::BTreeMap;

use turnwise_shared::key::EpisodeKey;

use crate::keep::{KeptRun, Wish};
use crate::{api, keep};

/// Drops the lines of a run that is closed or withdrawn, and notes that it is done. Those of a closed one stay as long as the server has
/// fewer of them. What cannot be done now is done at the next look at the run.
pub async fn drop_lines(kept: &KeptRun, is_withdrawn: bool) {
    let Ok(here) = keep::line_counts(&kept.run).await else {
        return;
    };
    if !here.is_empty() {
        let can_go = is_withdrawn || is_whole_there(kept, &here).await;
        if !can_go || keep::drop_lines(&kept.run).await.is_err() {
            return;
        }
    }
    if kept.wish != Wish::Done {
        let done = KeptRun { wish: Wish::Done, ..kept.clone() };
        // It is noted at the next look.
        let _ = keep::put_run(&done).await;
    }
}

async fn is_whole_there(kept: &KeptRun, here: &BTreeMap<EpisodeKey, u64>) -> bool {
    let Ok(there) = api::episodes(&kept.run).await else {
        return false;
    };
    let there: BTreeMap<_, _> = there.into_iter().map(|head| (head.episode, head.lines)).collect();
    has_all(&there, here)
}

/// Whether one side has as many lines of each episode as the other.
fn has_all(there: &BTreeMap<EpisodeKey, u64>, here: &BTreeMap<EpisodeKey, u64>) -> bool {
    here.iter().all(|(episode, lines)| there.get(episode).is_some_and(|there| there >= lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_server_lacks_is_not_dropped() {
        let lines = |all: &[(&str, u64)]| -> BTreeMap<EpisodeKey, u64> {
            let all = all.iter();
            all.map(|(task, lines)| (EpisodeKey::play(&(*task).into(), 1), *lines)).collect()
        };
        let there = lines(&[("1", 9), ("2", 4)]);
        assert!(has_all(&there, &lines(&[("1", 9)])));
        assert!(has_all(&there, &lines(&[("1", 8), ("2", 4)])));
        assert!(!has_all(&there, &lines(&[("2", 5)])), "it has fewer");
        assert!(!has_all(&there, &lines(&[("3", 1)])), "it has none");
    }
}
