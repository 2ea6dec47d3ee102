//! Transcript lines into this browser's store: in batches, one transaction after the other.

use std::rc::Rc;

use leptos::prelude::Set as _;
use leptos::task::spawn_local;
use turnwise_shared::run::EpisodeKey;

use super::drive::Live;
use crate::keep;

impl Live {
    /// Lines that the run wrote: for the server, for this browser's store, and for whoever reads the episode meanwhile.
    pub(super) fn record(&self, episode: &EpisodeKey, from: u64, lines: &[String]) {
        self.shelf.borrow_mut().add(episode, from, lines);
        let mut text = lines.join("\n");
        text.push('\n');
        self.pages
            .borrow_mut()
            .entry(episode.clone())
            .or_default()
            .push_str(&text);
        self.unkept.borrow_mut().push(keep::Lines {
            episode: episode.clone(),
            from,
            text,
        });
    }

    /// Writes what was recorded into the browser's store, one transaction after the other.
    pub(super) fn keep_lines(self: &Rc<Self>) {
        if self.keeping.get() || self.unkept.borrow().is_empty() {
            return;
        }
        self.keeping.set(true);
        let live = Rc::clone(self);
        spawn_local(async move {
            loop {
                let lines = live.unkept.take();
                if lines.is_empty() {
                    break;
                }
                if let Err(problem) = keep::append(&live.id, &lines).await {
                    live.view.problem.set(Some(problem));
                    continue;
                }
                live.forget_pages(&lines);
            }
            live.keeping.set(false);
            live.look();
        });
    }

    /// Transcripts of episodes that are over need not stay in memory once they are kept.
    fn forget_pages(&self, kept: &[keep::Lines]) {
        let run = self.run.borrow();
        let unkept = self.unkept.borrow();
        self.pages.borrow_mut().retain(|episode, _| {
            let was_kept = kept.iter().any(|lines| lines.episode == *episode);
            let more = unkept.iter().any(|lines| lines.episode == *episode);
            !was_kept || more || run.session(episode).is_some()
        });
    }
}
