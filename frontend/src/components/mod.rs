//! Parts that several pages use.

pub mod chart;
pub mod raw;
pub mod report;
pub mod ribbon;
pub mod scrubber;
pub mod table;
pub mod timeline;
pub mod wall;
