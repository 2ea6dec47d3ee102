//! Traditional characters and the simplified ones that stand for them: pairs of everyday words and of names, one for one.

use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The simplified form of a character, or the character.
pub(super) fn simplified(character: char) -> char {
    static READ: OnceLock<BTreeMap<char, char>> = OnceLock::new();
    if !('\u{4e00}'..='\u{9fff}').contains(&character) {
        return character;
    }
    let read = READ.get_or_init(|| {
        let pairs = include_str!("../../data/traditional.txt").split_whitespace();
        pairs
            .filter_map(|pair| {
                let mut pair = pair.chars();
                Some((pair.next()?, pair.next()?))
            })
            .collect()
    });
    read.get(&character).copied().unwrap_or(character)
}
