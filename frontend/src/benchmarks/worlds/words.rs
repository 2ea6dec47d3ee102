//! A draft, as its editor reads and changes it.

use crate::prelude::*;

texts!("worlds/words");

/// What a member or a field of a draft is called; else its name with blanks.
pub fn called(name: &str) -> String {
    field(name).map_or_else(|| name.replace('_', " "), str::to_owned)
}
/// The head of a column; shorter than that of a field.
pub fn column(name: &str) -> String {
    short(name).map_or_else(|| called(name), str::to_owned)
}
/// A row of a list.
pub fn row(member: &str, number: usize) -> String {
    format!("{}, {number}", called(member))
}
pub fn years(from: &str, to: &str) -> String {
    match from == to {
        true => from.to_owned(),
        false => format!("{from} to {to}"),
    }
}
