//! A text that comes in pieces. Some services send all of it so far each time, or all of it once more at the end.

/// This many bytes do not repeat by chance at the beginning of the next piece.
const LONG: usize = 8;

/// A text as far as it has come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pieces {
    text: String,
    /// Where the pieces end; empty ones are left out.
    ends: Vec<usize>,
    /// Whether any piece has come: no text is not the same as an empty one.
    has_begun: bool,
}

impl Pieces {
    /// Adds a piece; returns it if it says anything.
    pub fn add(&mut self, piece: Option<String>) -> Option<String> {
        let piece = piece?;
        self.has_begun = true;
        if piece.is_empty() {
            return None;
        }
        self.text.push_str(&piece);
        self.ends.push(self.text.len());
        Some(piece)
    }

    /// Takes all of the text so far, beside pieces of it or in place of them; returns what is new in it.
    pub fn add_so_far(&mut self, whole: Option<String>) -> Option<String> {
        let rest = whole?.strip_prefix(&self.text)?.to_owned();
        self.add(Some(rest))
    }

    /// Whether a text begins as this does, so that it is probably all of it so far.
    pub fn begins(&self, whole: &str) -> bool {
        whole.starts_with(&self.text)
    }

    /// Bytes that have come.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// The text, each part of it once; `None` if none has come.
    pub fn whole(self) -> Option<String> {
        if !self.has_begun {
            return None;
        }
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let pieces: Vec<&str> =
            starts.zip(&self.ends).map(|(start, end)| &self.text[start..*end]).collect();
        let once = match pieces.as_slice() {
            pieces if are_each_all_so_far(pieces) => pieces[pieces.len() - 1].len(),
            [_, .., last] if is_all_again(&self.text, last) => last.len(),
            _ => return Some(self.text),
        };
        // Both times it is how the text ends.
        Some(self.text[self.text.len() - once..].to_owned())
    }
}

/// Whether the last piece of a text says all of it once more.
fn is_all_again(text: &str, last: &str) -> bool {
    let says_something = last.len() >= LONG && last.contains(char::is_alphanumeric);
    says_something && text.strip_suffix(last) == Some(last)
}

/// Whether every piece begins with the one before it. Two pieces may do so by chance, if they are short.
fn are_each_all_so_far(pieces: &[&str]) -> bool {
    let (mut longer, mut again) = (0, 0);
    for pair in pieces.windows(2) {
        // A text that was cut inside of a character ends in a sign for that.
        let before = pair[0].trim_end_matches('\u{fffd}');
        if !pair[1].starts_with(before) {
            return false;
        }
        longer += usize::from(pair[1].len() > before.len());
        again += before.trim().len();
    }
    longer > 0 && again > 0 && (longer > 1 || again >= LONG)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(pieces: &[&str]) -> String {
        let mut text = Pieces::default();
        for piece in pieces {
            text.add(Some((*piece).to_owned()));
        }
        text.whole().unwrap_or_default()
    }

    #[test]
    fn what_is_said_so_far_is_not_said_again() {
        for pieces in [
            &["Paris", "Paris is", "Paris is it."][..],
            &["Paris", "Paris", "Paris is", "", "Paris is it."],
            &["Paris is", "Paris is it."],
            &["P", "Pa", "Paris is it."],
            &["Paris \u{fffd}", "Paris is", "Paris is it."],
            &["Paris ", "is it.", "Paris is it."],
            &["Paris is it.", "Paris is it."],
            &["Par", "is ", "is", " it.", "Paris is it."],
        ] {
            assert_eq!(whole(pieces), "Paris is it.", "{pieces:?}");
        }
        assert_eq!(whole(&["巴", "巴黎", "巴黎是"]), "巴黎是");
    }

    #[test]
    fn what_is_said_twice_stays() {
        for pieces in [
            &["ha", "ha", "ha", "ha"][..],
            &["1", "10"],
            &["no", " no", " no no"],
            &["\n", "\n\n", "\n\n\n"],
            &["ha", "ha", "haha"],
            &["The answer", " is", "The answer"],
            &["--------", "--------"],
            &["", "a"],
        ] {
            assert_eq!(whole(pieces), pieces.concat(), "{pieces:?}");
        }
        assert_eq!(Pieces::default().whole(), None);
        let mut empty = Pieces::default();
        empty.add(Some(String::new()));
        assert_eq!(empty.whole().as_deref(), Some(""));
    }

    #[test]
    fn all_of_it_beside_its_pieces_adds_what_is_new() {
        let mut text = Pieces::default();
        let so_far = |text: &mut Pieces, whole: &str| text.add_so_far(Some(whole.to_owned()));
        assert_eq!(so_far(&mut text, "Par").as_deref(), Some("Par"));
        assert_eq!(so_far(&mut text, "Paris is").as_deref(), Some("is is"));
        assert_eq!(so_far(&mut text, "Paris is"), None);
        assert_eq!(so_far(&mut text, "Paris"), None, "an older one");
        assert_eq!(so_far(&mut text, "London"), None, "another one");
        assert_eq!(text.whole().as_deref(), Some("Paris is"));
    }
}
