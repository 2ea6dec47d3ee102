//! What poker draws itself.

pub mod logs;
