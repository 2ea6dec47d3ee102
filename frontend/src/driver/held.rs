//! Calls over sealed tasks, held back until the server has every line that stands before them: it finds out by these what is
//! asked, and answers nothing that does not follow from them.

use super::Live;
use super::shelf::Shelf;
use crate::prelude::*;

#[derive(Debug, Default)]
pub struct Held(Vec<(Ticket, Outgoing)>);

impl Held {
    /// A call that needs the lines of its episode. They are to go at once.
    fn add(&mut self, shelf: &mut Shelf, ticket: Ticket, request: Outgoing) {
        shelf.hurry(&ticket.episode);
        shelf.hurry(&ticket.episode.its_play());
        self.0.push((ticket, request));
    }

    /// The calls whose lines have arrived.
    fn free(&mut self, shelf: &Shelf) -> Vec<(Ticket, Outgoing)> {
        let is_free = |(ticket, _): &mut (Ticket, Outgoing)| {
            shelf.is_stored(&ticket.episode) && shelf.is_stored(&ticket.episode.its_play())
        };
        self.0.extract_if(.., is_free).collect()
    }

    /// Whether no call is held back.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// They are not wanted any more.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl Live {
    /// Makes a call, or holds it back until its lines are stored.
    pub(super) fn call(self: &Rc<Self>, ticket: Ticket, request: Outgoing) {
        match request {
            Outgoing::Sealed { .. } => {
                let mut shelf = self.shelf.borrow_mut();
                self.held.borrow_mut().add(&mut shelf, ticket, request);
                drop(shelf);
                self.upload();
                self.call_the_held();
            }
            Outgoing::Model(_) | Outgoing::Search { .. } | Outgoing::Use(_) => {
                self.calls.borrow_mut().call(ticket, request);
            }
        }
    }

    /// Makes the calls that were held back and need not be any longer.
    pub(super) fn call_the_held(&self) {
        let free = self.held.borrow_mut().free(&self.shelf.borrow());
        for (ticket, request) in free {
            self.calls.borrow_mut().call(ticket, request);
        }
    }
}

#[cfg(test)]
mod tests {
    use turnwise_shared::effect::CallId;
    use turnwise_shared::hash::Digest;
    use turnwise_shared::key::EpisodeKey;
    use turnwise_shared::seat::Seat;

    use super::*;

    fn ticket(episode: &EpisodeKey) -> (Ticket, Outgoing) {
        let ticket = Ticket { episode: episode.clone(), call: CallId(1), digest: Digest::of("1") };
        let seat = Seat::new(Seat::RESPONDER);
        (ticket, Outgoing::Sealed { seat })
    }

    #[test]
    fn a_call_waits_for_the_lines_of_its_episode_and_of_its_play() {
        let (mut shelf, mut held) = (Shelf::default(), Held::default());
        let play = EpisodeKey::play(&"7".into(), 1);
        let lines = ["a".to_owned(), "b".to_owned()];
        shelf.add(&play, 0, &lines);
        let (call, request) = ticket(&play);
        held.add(&mut shelf, call, request);
        assert!(held.free(&shelf).is_empty());
        let pieces = shelf.next_pieces();
        assert_eq!(pieces.len(), 1, "its lines go at once");
        shelf.stored(&play, 2);
        assert_eq!(held.free(&shelf), [ticket(&play)]);
        assert!(held.free(&shelf).is_empty(), "it is made once");
        shelf.add(&play, 2, &lines);
        shelf.add(&play.grading(), 0, &lines);
        let (call, request) = ticket(&play.grading());
        held.add(&mut shelf, call, request);
        assert_eq!(shelf.next_pieces().len(), 2);
        shelf.stored(&play.grading(), 2);
        assert!(held.free(&shelf).is_empty(), "the episode is not there yet");
        shelf.stored(&play, 4);
        assert_eq!(held.free(&shelf), [ticket(&play.grading())]);
    }
}
