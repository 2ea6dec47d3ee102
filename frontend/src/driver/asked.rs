//! What pages ask of the driver of a run.

use leptos::prelude::Update as _;

use super::Live;
use crate::clock;
use crate::driven::Driver;
use crate::keep::Wish;
use crate::live::Driving;
use crate::prelude::*;

impl Driver for Rc<Live> {
    fn pause(&self) {
        self.run.borrow_mut().pause();
        self.turn_to(Driving::Paused, Wish::Rest);
    }

    fn go_on(&self) {
        self.run.borrow_mut().resume();
        self.turn_to(Driving::Running, Wish::Run);
    }

    fn cancel(&self) {
        self.cancelled.set(true);
        self.held.borrow_mut().clear();
        self.calls.borrow_mut().cancel_all();
        self.run.borrow_mut().cancel();
        self.turn_to(Driving::Cancelling, Wish::Rest);
    }

    fn transcript(&self, episode: &EpisodeKey) -> Option<String> {
        self.pages.borrow().get(episode).cloned()
    }

    fn under_way(&self) -> Vec<(EpisodeKey, Arc<Summary>)> {
        let mut run = self.run.borrow_mut();
        let pages = self.pages.borrow();
        pages
            .keys()
            .filter(|episode| episode.part() == PartKey::Play)
            .filter_map(|episode| Some((episode.clone(), run.so_far(episode)?)))
            .collect()
    }

    fn reply(&self, ticket: &Ticket, text: String) {
        self.person_said(ticket, text);
    }

    fn take_back(&self) {
        let now = clock::now();
        self.view.people.update(|people| people.take_back(now));
    }

    fn postpone(&self) {
        let now = clock::now();
        self.view.people.update(|people| people.postpone(now));
    }
}
