//! Pages in pieces that a reader can be given.

use turnwise_core::effect::Page;

/// The most tokens of a piece (4.2), and the most pieces of a part: a page has as many parts as it needs.
pub const PIECE: usize = 4096;
pub const PIECES: usize = 4;

/// About how many tokens a text has: one for four ASCII characters, one for any other.
pub fn tokens(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    ascii.div_ceil(4) + text.chars().filter(|character| !character.is_ascii()).count()
}

/// The pieces of a text, each of at most `most` by `size`, where a line break is one more. Lines stay whole where they fit; no piece is
/// blank.
pub fn pieces(text: &str, most: usize, size: impl Fn(&str) -> usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut full = 0;
    for part in text.split('\n').flat_map(|line| fitting(line, most, &size)) {
        let more = size(part) + 1;
        match pieces.last_mut() {
            Some(piece) if full + more <= most + 1 => {
                piece.push_str(part);
                piece.push('\n');
                full += more;
            }
            _ => {
                pieces.push(format!("{part}\n"));
                full = more;
            }
        }
    }
    let pieces = pieces.iter().map(|piece| piece.trim_matches('\n'));
    pieces.filter(|piece| !piece.trim().is_empty()).map(str::to_owned).collect()
}

/// A line in parts of at most `most`, cut behind a space or a full stop where one stands in the second half.
fn fitting(line: &str, most: usize, size: impl Fn(&str) -> usize) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), line);
    while size(rest) > most {
        let ends = rest.char_indices().map(|(at, character)| at + character.len_utf8());
        // Nothing is smaller than four bytes for one.
        let ends: Vec<usize> = ends.take_while(|end| *end <= 4 * most).collect();
        let fits = ends.partition_point(|end| size(&rest[..*end]) <= most);
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let end = fits.checked_sub(1).map_or(first, |last| ends[last]);
        let behind = rest[..end].char_indices().filter(|(_, sign)| " 。．".contains(*sign));
        let stop = behind.map(|(at, sign)| at + sign.len_utf8()).next_back();
        let (part, after) = rest.split_at(stop.filter(|stop| *stop > end / 2).unwrap_or(end));
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    parts
}

/// The pieces of a part of a page, from 1, and how many parts there are; none of a page without text.
pub fn part(page: &Page, part: usize) -> (Vec<String>, usize) {
    let pieces = pieces(&page.text, PIECE, tokens);
    let parts = pieces.len().div_ceil(PIECES);
    let part = pieces.chunks(PIECES).nth(part.saturating_sub(1)).unwrap_or_default();
    (part.to_vec(), parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors of 4.2 with characters for tokens; `strict` cuts long lines and leaves out what is blank.
    #[test]
    fn texts_are_cut_where_a_piece_is_full() {
        let characters = |text: &str| text.chars().count();
        for (text, most, wanted) in [
            ("", 5, &[][..]),
            ("abcd\nef", 5, &["abcd", "ef"]),
            ("abcd\nef", 8, &["abcd\nef"]),
            ("abcdefgh", 5, &["abcde", "fgh"]),
            ("ab\ncd\nef\ngh", 6, &["ab\ncd", "ef\ngh"]),
            ("a\n\nb", 3, &["a", "b"]),
            ("\n \n", 3, &[]),
            ("long words", 7, &["long ", "words"]),
            ("帕劳独立。年", 4, &["帕劳独立", "。年"]),
        ] {
            assert_eq!(pieces(text, most, characters), wanted, "{text:?}");
        }
        assert_eq!((tokens(""), tokens("abcde"), tokens("帕劳 ok")), (0, 2, 3));
        let (long, lines) = ("x".repeat(200_000), "a\n".repeat(100_000));
        for text in [long, lines, "文".repeat(200_000)] {
            let pieces = pieces(&text, PIECE, tokens);
            assert!(pieces.iter().all(|piece| tokens(piece) <= PIECE), "{}", pieces.len());
            assert!((6..60).contains(&pieces.len()), "{}", pieces.len());
        }
    }
}
