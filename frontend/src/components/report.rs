//! The numbers of a run.
