//! One file per page. A page reads signals and draws; it holds no rules.

pub mod compare;
pub mod connections;
pub mod episode;
pub mod home;
pub mod logs;
pub mod new_run;
pub mod not_found;
pub mod play;
pub mod run;
pub mod table;
