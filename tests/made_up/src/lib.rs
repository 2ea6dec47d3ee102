//! Made-up tasks and games for tests and measurements. They follow from a seed: the same seed makes the same.

pub mod benchmarks;

pub use benchmarks::{built_tasks, encrypted_tasks, made_up_tasks};
