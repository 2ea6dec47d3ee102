//! What is found out by looking at every episode of a run.

use std::sync::Arc;

use crate::snapshot::Snapshot;

/// Something that is found out by looking at every episode of a run.
pub trait Survey {
    type Found;

    /// Looks at an episode, by its place in the snapshot; they come in order.
    fn look(&mut self, all: &Snapshot, place: usize);

    fn found(self, all: &Arc<Snapshot>) -> Self::Found;
}
