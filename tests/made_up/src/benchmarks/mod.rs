//! What is made up of each benchmark.

pub mod interactcomp;
mod paraworld;
pub mod poker;

pub use interactcomp::{encrypted_tasks, made_up_tasks};
pub use paraworld::built_tasks;
