//! Parts that several pages use.

pub mod bars;
pub mod chart;
pub mod clipboard;
pub mod curves;
pub mod dialog;
pub mod felt;
pub mod file_drop;
pub mod form;
pub mod head;
pub mod icons;
pub mod keys;
pub mod lanes;
pub mod message;
pub mod play;
pub mod raw;
pub mod report;
pub mod ribbon;
pub mod scrubber;
pub mod size;
pub mod stage;
pub mod standings;
pub mod table;
pub mod theme;
pub mod timeline;
pub mod toast;
pub mod wall;
