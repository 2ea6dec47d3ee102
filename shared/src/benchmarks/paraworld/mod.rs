//! Mind-ParaWorld (arXiv 2603.04751): questions about an invented future, and a search engine made of their facts.

pub mod cache;
pub mod consult;
pub mod engine;
pub mod measure;
pub mod metrics;
pub mod noted;
pub mod reading;
pub mod results;
pub mod task;
pub mod window;
pub mod worlds;
