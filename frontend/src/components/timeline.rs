//! The transcript as a timeline.
