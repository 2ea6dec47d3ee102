//! The 169 kinds of hole cards: pairs on the diagonal, suited above it, others below, aces first.

use crate::card::{Card, Rank};

/// What two hole cards are called: `AA`, `AKs` (of one suit), `AKo`.
pub fn name(first: Card, second: Card) -> String {
    let (high, low) = (first.rank().max(second.rank()), first.rank().min(second.rank()));
    spelt(high, low, first.suit() == second.suit())
}

fn spelt(high: Rank, low: Rank, is_suited: bool) -> String {
    let mut name = String::from_iter([high.letter(), low.letter()]);
    if high != low {
        name.push(if is_suited { 's' } else { 'o' });
    }
    name
}

/// The ranks in the order of rows and columns.
pub fn ranks() -> impl Iterator<Item = Rank> {
    Rank::all().rev()
}

/// What stands in a row and a column.
pub fn cell(row: Rank, column: Rank) -> String {
    // Above the diagonal the row has the higher rank.
    spelt(row.max(column), row.min(column), row > column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_169_kinds() {
        let mut names: Vec<String> =
            ranks().flat_map(|row| ranks().map(move |column| cell(row, column))).collect();
        assert_eq!(
            (names[0].as_str(), names[1].as_str(), names[13].as_str()),
            ("AA", "AKs", "AKo")
        );
        assert_eq!(names[168], "22");
        let mut dealt: Vec<String> = Card::all()
            .flat_map(|one| {
                Card::all().filter(move |two| *two != one).map(move |two| name(one, two))
            })
            .collect();
        assert_eq!(dealt.len(), 52 * 51);
        dealt.sort();
        dealt.dedup();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 169);
        assert_eq!(dealt, names);
    }
}
