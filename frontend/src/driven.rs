//! Which runs are driven in this page, and what pages may ask of their drivers. A page that only shows runs knows drivers by this
//! and does not contain one: a page that drives has brought the code.

use crate::prelude::*;

/// The driver of a run.
pub trait Driver {
    /// Sends nothing new; what is in flight comes back.
    fn pause(&self);

    /// Goes on after a pause.
    fn go_on(&self);

    /// Ends the run; what is under way ends incomplete and can be taken up again.
    fn cancel(&self);

    /// The lines so far of an episode that is under way.
    fn transcript(&self, episode: &EpisodeKey) -> Option<String>;

    /// The episodes that are under way, in a few numbers each, as far as they have come.
    fn under_way(&self) -> Vec<(EpisodeKey, Arc<Summary>)>;

    /// Answers what a person in this page is asked, once; it goes where a model's reply goes.
    fn reply(&self, ticket: &Ticket, text: String);

    /// Takes back the newest answer of a person, if it has not gone out.
    fn take_back(&self);

    /// Shows another question first, if there is one.
    fn postpone(&self);
}

thread_local! {
    static COUNT: ArcRwSignal<usize> = ArcRwSignal::new(0);
    static DRIVEN: RefCell<BTreeMap<RunId, Rc<dyn Driver>>> = const { RefCell::new(BTreeMap::new()) };
}

/// How many runs are driven in this page.
pub fn count() -> ArcReadSignal<usize> {
    COUNT.with(ArcRwSignal::read_only)
}

/// Whether a run is driven in this page.
pub fn has(id: &RunId) -> bool {
    DRIVEN.with_borrow(|driven| driven.contains_key(id))
}

/// The driver of a run, if it is driven in this page.
pub fn find(id: &RunId) -> Option<Rc<dyn Driver>> {
    DRIVEN.with_borrow(|driven| driven.get(id).cloned())
}

/// The driver of a run begins.
pub(crate) fn enter(id: &RunId, driver: Rc<dyn Driver>) {
    DRIVEN.with_borrow_mut(|driven| driven.insert(id.clone(), driver));
    counted();
}

/// The driver of a run lets go.
pub(crate) fn leave(id: &RunId) {
    // Dropped when the map is not borrowed any more: whatever a driver leaves behind may ask who drives.
    let gone = DRIVEN.with_borrow_mut(|driven| driven.remove(id));
    drop(gone);
    counted();
}

fn counted() {
    let now = DRIVEN.with_borrow(BTreeMap::len);
    COUNT.with(|count| count.set(now));
}
