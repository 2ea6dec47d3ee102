use turnwise_core::benchmark::default_spec;

use super::*;
use crate::Poker;

#[test]
fn the_default_stands_beside_the_printed_table() {
    let beside = (BOARDS.beside)(&default_spec(&Poker));
    assert_eq!(beside.as_deref(), Some("poker-ten-tables"));
}

#[test]
fn printed_numbers_are_told_as_printed() {
    let tables = (BOARDS.published)();
    let rows = &tables[0].rows;
    assert_eq!((tables.len(), rows.len()), (1, 6));
    let gemini = &rows[1];
    assert_eq!(gemini.cells["bb100"].value, gemini.cells["per_hand"].value);
    let (low, _) = gemini.cells["per_hand"].interval.unwrap();
    assert!(low > 0.0, "the one of six that differs from zero");
    let (low, high) = rows[0].cells["per_hand"].interval.unwrap();
    assert!(low < 0.0 && high > 0.0);
}
