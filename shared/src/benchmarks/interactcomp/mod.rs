//! InteractComp: does a search agent notice that a question is ambiguous, and ask before it answers?

pub mod mode;
pub mod reading;
pub mod responder;
pub mod verdict;
