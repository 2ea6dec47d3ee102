//! What stands on tables, lanes and the numbers of games.

texts!("game");

/// The open cards in words.
pub fn board(cards: &[String]) -> String {
    format!("board: {}", cards.join(", "))
}
pub fn cards(cards: &[String]) -> String {
    cards.join(" and ")
}
/// A pot's name, by its index and the number of pots.
pub fn pot(at: usize, of: usize) -> String {
    match (at, of) {
        (0, 0 | 1) => "pot".to_owned(),
        (0, _) => "main pot".to_owned(),
        (at, 2) => {
            debug_assert_eq!(at, 1, "the second of two");
            "side pot".to_owned()
        }
        (at, _) => format!("side pot {at}"),
    }
}
