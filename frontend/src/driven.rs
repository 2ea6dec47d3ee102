//! Which runs are driven in this page: known everywhere, without knowing how.

use std::cell::RefCell;
use std::collections::BTreeSet;

use turnwise_shared::wire::RunId;

thread_local! {
    static DRIVEN: RefCell<BTreeSet<RunId>> = const { RefCell::new(BTreeSet::new()) };
}

/// Whether a run is driven in this page.
pub fn has(id: &RunId) -> bool {
    DRIVEN.with_borrow(|driven| driven.contains(id))
}

/// The driver of a run begins.
pub(crate) fn enter(id: &RunId) {
    DRIVEN.with_borrow_mut(|driven| driven.insert(id.clone()));
}

/// The driver of a run lets go.
pub(crate) fn leave(id: &RunId) {
    DRIVEN.with_borrow_mut(|driven| driven.remove(id));
}
