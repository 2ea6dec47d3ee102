//! Why the episodes of a run are not right, counted a few at a time ([`turnwise_shared::screen::verdict`]).

use std::sync::Arc;

pub use turnwise_shared::screen::verdict::{Cause, Causes};

use super::snapshot::Snapshot;
use crate::survey::Survey;

/// The causes as they are counted.
#[derive(Debug, Default)]
pub struct CountingCauses(Causes);

impl Survey for CountingCauses {
    type Found = Causes;

    fn look(&mut self, all: &Snapshot, place: usize) {
        self.0.add(&all.keys[place], &all.summaries[place]);
    }

    fn found(self, _: &Arc<Snapshot>) -> Causes {
        self.0
    }
}
