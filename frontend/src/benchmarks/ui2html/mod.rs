//! Pages that are rebuilt unseen: the rounds of an episode, the field of a person who plays, and the end. What models write is shown
//! as pictures only.

mod end;
mod form;
mod rounds;
mod stage;
mod words {
    turnwise_view::texts!("ui2html/words");
}

use super::{OwnForm, Screen, Staged};
use crate::at_table::ends::{End, Over};
use crate::prelude::*;

pub struct Pages;

impl Screen for Pages {
    fn stage(&self, episode: &Staged) -> Option<AnyView> {
        stage::view(episode)
    }

    fn end(&self, over: &Over<'_>) -> Option<End> {
        Some(end::view(over))
    }

    fn answer_form(&self, question: &Question) -> Option<OwnForm> {
        let writes = question.seat.as_str() == Seat::PLAYER && question.expect == Expect::Text;
        writes.then(|| form::of(question))
    }

    fn pictures(&self) -> &'static [&'static str] {
        &[words::TARGET, words::ATTEMPT]
    }
}
