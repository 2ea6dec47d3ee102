//! Transcript lines to the server: a few pieces at a time, tried again while the server cannot be reached.

use std::rc::Rc;

use leptos::prelude::Set as _;
use leptos::task::spawn_local;
use turnwise_shared::wire::ApiError;

use super::drive::Live;
use super::shelf::Piece;
use crate::{api, clock, strings};

/// Pieces on their way at once. A browser opens about six connections to one host, and the page needs some too. Fewer than
/// these fall behind a run that ends twenty episodes a second, and what waits fills the memory.
const AT_ONCE: u32 = 4;
/// The first wait after a failure, in milliseconds.
const FIRST: u32 = 1000;
/// The longest wait between two attempts, in milliseconds.
const LONGEST: u32 = 30_000;

impl Live {
    /// Sends what should go, unless enough is on its way.
    pub(super) fn upload(self: &Rc<Self>) {
        while self.uploads.get() < AT_ONCE {
            let Some(piece) = self.shelf.borrow_mut().next_piece() else {
                return;
            };
            self.uploads.set(self.uploads.get() + 1);
            spawn_local(Rc::clone(self).upload_from(piece));
        }
    }

    /// Sends a piece, and others after it until nothing is left.
    async fn upload_from(self: Rc<Self>, first: Piece) {
        let mut next = Some(first);
        let mut wait = FIRST;
        while let Some(piece) = next {
            let token = self.kept.borrow().token.clone();
            let stored =
                api::store(&self.id, &token, &piece.episode, piece.from, &piece.text).await;
            match stored {
                Ok(stored) => {
                    self.shelf.borrow_mut().stored(&piece.episode, stored.lines);
                    if wait > FIRST {
                        self.view.problem.set(None);
                    }
                    wait = FIRST;
                }
                Err(problem) if can_succeed_later(&problem) => {
                    self.shelf.borrow_mut().failed(&piece.episode);
                    self.view.problem.set(Some(ApiError {
                        mend: Some(strings::LINES_WAIT.to_owned()),
                        ..problem
                    }));
                    clock::sleep(wait).await;
                    wait = (wait * 2).min(LONGEST);
                }
                Err(problem) => {
                    self.shelf.borrow_mut().give_up(&piece.episode);
                    self.refused.set(self.refused.get() + 1);
                    self.view.problem.set(Some(problem));
                }
            }
            next = self.shelf.borrow_mut().next_piece();
        }
        self.uploads.set(self.uploads.get() - 1);
        self.look();
    }
}

fn can_succeed_later(problem: &ApiError) -> bool {
    matches!(
        problem.code.as_str(),
        api::UNREACHABLE | "too_many_requests" | "internal" | "unexpected"
    )
}
