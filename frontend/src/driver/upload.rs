//! Transcript lines to the server: pieces of several episodes in one request, tried again while the server cannot be reached.

use leptos::prelude::Set as _;
use turnwise_shared::wire::PieceStored;
use turnwise_shared::wire::driving::DRIVEN_ELSEWHERE;

use super::Live;
use crate::api::Piece;
use crate::prelude::*;
use crate::{api, clock};

/// Requests on their way at once. A browser opens about six connections to one host, and the page needs some too.
const AT_ONCE: u32 = 2;
/// Milliseconds between two looks at whether something should go; what came in between goes in one request.
const TOGETHER: f64 = 250.0;
/// The first wait after a failure, in milliseconds.
const FIRST: u32 = 1000;
/// The longest wait between two attempts, in milliseconds.
const LONGEST: u32 = 30_000;

impl Live {
    /// Sends what should go, unless enough is on its way or it was done a moment ago.
    pub(super) fn upload_now_and_then(self: &Rc<Self>) {
        let mut watch = self.watch.get();
        let now = clock::now();
        if now - watch.uploaded > TOGETHER {
            watch.uploaded = now;
            self.watch.set(watch);
            self.upload();
        }
    }

    /// Sends what should go, unless enough is on its way.
    pub(super) fn upload(self: &Rc<Self>) {
        while self.uploads.get() < AT_ONCE {
            let pieces = self.shelf.borrow_mut().next_pieces();
            if pieces.is_empty() {
                return;
            }
            self.uploads.set(self.uploads.get() + 1);
            spawn_local(Rc::clone(self).send(pieces));
        }
    }

    /// Sends pieces until they have arrived or were refused.
    async fn send(self: Rc<Self>, pieces: Vec<Piece>) {
        // Writing a request of them takes some milliseconds.
        clock::breathe().await;
        let mut wait = FIRST;
        loop {
            let (token, epoch) = self.lease();
            let trouble = match api::store(&self.id, &token, epoch, &pieces).await {
                Ok(answers) => self.settle(&pieces, answers),
                Err(problem) if problem.code == DRIVEN_ELSEWHERE => {
                    self.give_way();
                    None
                }
                Err(_) if self.gives_way() => None,
                Err(problem) if can_go_again(&problem) => Some(problem),
                Err(problem) => {
                    let refused = PieceStored::Refused { error: problem };
                    self.settle(&pieces, vec![refused; pieces.len()])
                }
            };
            let Some(problem) = trouble else {
                if wait > FIRST {
                    self.view.problem.set(None);
                }
                break;
            };
            self.view.problem.set(Some(ApiError {
                mend: Some(
                    "Nothing is lost: the lines wait in this browser and are sent \
                    again."
                        .to_owned(),
                ),
                ..problem
            }));
            clock::sleep(wait).await;
            wait = (wait * 2).min(LONGEST);
        }
        self.uploads.set(self.uploads.get() - 1);
        if !self.held.borrow().is_empty() {
            // A call waits for lines that could not go while enough was on its way.
            self.upload();
        }
        self.call_the_held();
        self.look();
    }

    /// What became of pieces. Returns why some should be sent again; those that have arrived are nothing new then.
    fn settle(&self, pieces: &[Piece], answers: Vec<PieceStored>) -> Option<ApiError> {
        let mut trouble = None;
        let mut shelf = self.shelf.borrow_mut();
        let mut done = Vec::new();
        for (piece, answer) in pieces.iter().zip(answers) {
            match answer {
                PieceStored::Stored(stored) => done.push((piece, stored.lines)),
                PieceStored::Refused { error } if error.code == DRIVEN_ELSEWHERE => {
                    self.give_way();
                }
                PieceStored::Refused { error } if api::passes(&error) => {
                    trouble = Some(error);
                }
                PieceStored::Refused { error } => {
                    shelf.give_up(&piece.episode);
                    self.refused.set(self.refused.get() + 1);
                    self.view.problem.set(Some(error));
                }
            }
        }
        if trouble.is_none() {
            for (piece, lines) in done {
                shelf.stored(&piece.episode, lines);
            }
        }
        trouble
    }
}

/// Whether lines of which the server said nothing that could be read are sent again. Those that have arrived are nothing new to it.
fn can_go_again(problem: &ApiError) -> bool {
    api::passes(problem) || problem.code == api::UNREADABLE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_again_unless_the_server_refuses_them() {
        for code in [api::UNREADABLE, api::UNREACHABLE, "busy", "unexpected"] {
            assert!(can_go_again(&api::error(code, "")), "{code}");
        }
        for code in ["bad_lines", "forbidden", "too_large"] {
            assert!(!can_go_again(&api::error(code, "")), "{code}");
        }
    }
}
