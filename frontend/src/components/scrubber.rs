//! The ribbon on top of an episode, as the slider of its replay.
