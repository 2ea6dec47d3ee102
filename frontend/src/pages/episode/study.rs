//! What is known of an episode once its benchmark's code is there: the replay in this page, the task, what an episode found. It is
//! made after the page is drawn, and by nothing that a page needs to be read.

use turnwise_shared::evidence::Evidence;

use crate::prelude::*;

/// An episode played again, and what comes of it.
pub struct Study {
    pub play: Arc<Replayed>,
    /// The grading, if there is one.
    pub grading: Option<Arc<Replayed>>,
    /// The benchmark that was played, where this program has it.
    pub benchmark: Option<&'static dyn Benchmark>,
    /// The task with its hidden fields, where it is at hand.
    pub task: Option<Task>,
    /// How its set of tasks is kept, where it is at hand.
    pub origin: Option<TaskSetOrigin>,
    /// What the episode found of what there was to be found.
    pub evidence: Option<Arc<Evidence>>,
    /// How the episode stands by its transcripts.
    pub status: EpisodeStatus,
    /// Whether there can be a grading: the episode is over and, as far as that is known here, needs one.
    pub is_gradable: bool,
    /// Whether the episode can be gone on with here: it was recorded, it replays, and its benchmark allows it.
    pub can_branch: bool,
}

impl Study {
    pub fn replayed(&self, part: PartKey) -> Option<&Arc<Replayed>> {
        match part {
            PartKey::Play => Some(&self.play),
            PartKey::Grading => self.grading.as_ref(),
        }
    }

    /// Whether what its task hides is on the server alone.
    pub fn is_sealed(&self) -> bool {
        self.origin == Some(TaskSetOrigin::Sealed)
    }

    /// The canary of an encrypted task set.
    pub fn canary(&self) -> Option<&str> {
        match self.origin.as_ref()? {
            TaskSetOrigin::Encrypted { canary } => Some(canary),
            TaskSetOrigin::Plain | TaskSetOrigin::Sealed => None,
        }
    }
}
