//! UI2Html: a player writes a page that it has never seen, from a description that leaves things out and from answers to its
//! questions.

pub mod likeness;
pub mod reading;
pub mod settings;
