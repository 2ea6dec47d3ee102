//! Transcript lines into this browser's store: in batches, one transaction after the other.
//!
//! Lines that are not kept yet when the page goes are made anew when the run is taken up: every reply in them lies in the
//! server's ledger, and the same call gets the same reply.

use leptos::prelude::Set as _;

use super::Live;
use crate::prelude::*;
use crate::{clock, keep};

impl Live {
    /// Lines that the run wrote: for the server, for this browser's store, and for pages that show the episode meanwhile.
    pub(super) fn record(&self, episode: &EpisodeKey, from: u64, lines: &[String]) {
        self.shelf.borrow_mut().add(episode, from, lines);
        let mut pages = self.pages.borrow_mut();
        let page = match pages.get_mut(episode) {
            Some(page) => page,
            None => pages.entry(episode.clone()).or_default(),
        };
        let before = page.len();
        for line in lines {
            page.push_str(line);
            page.push('\n');
        }
        // What follows on lines that wait already goes with them.
        let mut unkept = self.unkept.borrow_mut();
        match unkept.get_mut(episode) {
            Some(waiting) => waiting.text.push_str(&page[before..]),
            None => {
                let lines =
                    keep::Lines { episode: episode.clone(), from, text: page[before..].to_owned() };
                unkept.insert(episode.clone(), lines);
            }
        }
    }

    /// Writes what was recorded into the browser's store, one transaction after the other.
    pub(super) fn keep_lines(self: &Rc<Self>) {
        if self.keeping.get() || self.unkept.borrow().is_empty() {
            return;
        }
        self.keeping.set(true);
        let live = Rc::clone(self);
        spawn_local(async move {
            // The lines of a second are many: they have a task of their own.
            clock::breathe().await;
            let lines = live.unkept.take();
            match keep::append(&live.id, lines.values()).await {
                Ok(()) => {
                    if live.unkeepable.replace(false) {
                        live.view.forget(keep::REFUSED);
                    }
                    live.forget_pages(&lines);
                }
                Err(problem) => {
                    live.unkeepable.set(true);
                    put_back(&mut live.unkept.borrow_mut(), lines);
                    live.view.problem.set(Some(problem));
                }
            }
            let mut watch = live.watch.get();
            watch.kept = clock::now();
            live.watch.set(watch);
            live.keeping.set(false);
            live.look();
        });
    }

    /// Transcripts of episodes that are over need not stay in memory once they are kept.
    fn forget_pages(&self, kept: &BTreeMap<EpisodeKey, keep::Lines>) {
        let run = self.run.borrow();
        let unkept = self.unkept.borrow();
        self.pages.borrow_mut().retain(|episode, _| {
            !kept.contains_key(episode)
                || unkept.contains_key(episode)
                || run.session(episode).is_some()
        });
    }
}

/// Lines that were not kept wait again, before those that came in meanwhile: the store must not have later lines of an episode
/// without these.
fn put_back(
    waiting: &mut BTreeMap<EpisodeKey, keep::Lines>,
    refused: BTreeMap<EpisodeKey, keep::Lines>,
) {
    for (episode, mut lines) in refused {
        if let Some(newer) = waiting.remove(&episode) {
            lines.text.push_str(&newer.text);
        }
        waiting.insert(episode, lines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_were_not_kept_wait_before_newer_ones() {
        let lines = |task: &str, from, text: &str| {
            let episode = EpisodeKey::play(&task.into(), 1);
            let lines = keep::Lines { episode: episode.clone(), from, text: text.to_owned() };
            (episode, lines)
        };
        let mut waiting = BTreeMap::from([lines("1", 5, "c\n"), lines("2", 0, "x\n")]);
        let refused = BTreeMap::from([lines("1", 3, "a\nb\n"), lines("3", 7, "y\n")]);
        put_back(&mut waiting, refused);
        let wanted = [lines("1", 3, "a\nb\nc\n"), lines("2", 0, "x\n"), lines("3", 7, "y\n")];
        assert_eq!(waiting, BTreeMap::from(wanted));
    }
}
