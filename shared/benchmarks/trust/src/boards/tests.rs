use turnwise_core::benchmark::default_spec;

use super::*;
use crate::Trust;

#[test]
fn the_default_stands_beside_the_printed_table() {
    let beside = (BOARDS.beside)(&default_spec(&Trust));
    assert_eq!(beside.as_deref(), Some("trust-tournament"));
    let tables = (BOARDS.published)();
    assert_eq!((tables.len(), tables[0].rows.len()), (1, 8));
}
