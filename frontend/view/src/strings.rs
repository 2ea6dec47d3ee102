//! Texts of the interface that several places or tests use, and sentences that depend on counts or cases. A text with one use
//! is written where it is shown; benchmarks and errors bring their own.

/// The items that the catalogue of this name beside the module declares (`build.rs`).
#[macro_export]
macro_rules! texts {
    ($catalogue:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $catalogue, ".rs"));
    };
}

/// Modules that are catalogues alone.
macro_rules! catalogues {
    ($($name:ident),*) => {
        $(pub mod $name {
            include!(concat!(env!("OUT_DIR"), "/", stringify!($name), ".rs"));
        })*
    };
}
catalogues!(access, evidence, home, keys, missing, reading, settings, spec);

pub mod boards;
pub mod budgets;
pub mod compare;
pub mod connections;
pub mod driving;
pub mod episode;
pub mod game;
pub mod inspect_logs;
pub mod new_run;
pub mod person;
pub mod play;
pub mod providers;
pub mod publishing;
pub mod run;
pub mod sampling;
pub mod sharing;
pub mod wall;

pub use turnwise_shared::screen::words::capitalised;

use crate::number::count;

texts!("app");

/// Under a field in which something else stands than a whole number from `least` to `most`.
pub fn whole_number(least: u64, most: u64) -> String {
    // Larger ones are only what a number has room for.
    let range = match (least, most < u64::from(u32::MAX)) {
        (least, true) => format!(" from {} to {}", count(least), count(most)),
        (0, false) => String::new(),
        (least, false) => format!(" of {} or more", count(least)),
    };
    format!("Write a whole number{range} in digits alone.")
}
