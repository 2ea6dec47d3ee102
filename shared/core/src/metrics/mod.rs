//! Numbers: transcript in, number with interval out. Nothing here can see a protocol.

pub mod agreement;
pub mod bootstrap;
pub mod calibration;
pub mod cost;
pub mod episode_status;
pub mod estimate;
pub mod figures;
pub mod format;
pub mod heard;
pub mod metric;
pub mod number;
pub mod options;
pub mod paired;
pub mod places;
pub mod prices;
pub mod proportion;
pub mod rank;
pub mod rating;
pub mod replies;
pub mod report;
pub mod scored;
pub mod spending;
pub mod spread;
pub mod student;
pub mod summary;
pub mod times;
pub mod unread;

/// Half the width of a 95 % interval in standard errors: the 97.5 % point of the normal distribution.
pub const HALF_95: f64 = 1.959_963_984_540_054;
