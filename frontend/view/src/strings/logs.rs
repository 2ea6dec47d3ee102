//! The page of published logs.

pub mod inspect;

/// The heading, and the link in the foot of every page.
pub const TITLE: &str = "Published logs";
/// What the page does.
pub const LEAD: &str = "Files that other systems wrote, read and checked in this page.";
/// A log of Inspect was dropped into another field.
pub fn passed_on(file: &str) -> String {
    format!("{file} is a log of Inspect: it is read further down.")
}
