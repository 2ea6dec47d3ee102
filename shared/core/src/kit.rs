//! What stands in nearly every benchmark, done once.

pub mod cipher;
pub mod dialogue;
pub mod judge;
pub mod records;
pub mod rows;
pub mod settings;
pub mod swept;
pub mod turns;
pub mod words;
pub mod zipped;
