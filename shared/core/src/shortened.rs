//! Texts that are cut where they are longer than their place.

/// The first `most` characters of a text; an ellipsis says that there are more.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
