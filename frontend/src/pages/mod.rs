//! One file per page. A page reads signals and draws; it holds no rules.

pub mod board;
pub mod boards;
pub mod compare;
pub mod connections;
pub mod episode;
pub mod home;
pub mod log;
pub mod new_run;
pub mod not_found;
pub mod play;
pub mod run;
pub mod runs;
pub mod shared;
pub mod table;
