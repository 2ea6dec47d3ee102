//! Marked-up text: what services give as HTML, in whole pages or in single fields, and the plain text in it.

use html5gum::{DefaultEmitter, HtmlString, StartTag, Token, Tokenizer};

/// A piece of a page; names of tags are in small letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    Open(Tag),
    /// A tag that closes, by its name.
    Close(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag(StartTag<()>);

impl Tag {
    pub fn name(&self) -> String {
        text(&self.0.name)
    }

    /// An attribute's value, by its name in small letters.
    pub fn value(&self, name: &str) -> Option<String> {
        let value = self.0.attributes.get(name.as_bytes())?;
        Some(text(value))
    }

    /// Whether it is of this class.
    pub fn has_class(&self, class: &str) -> bool {
        self.value("class")
            .is_some_and(|classes| classes.split_ascii_whitespace().any(|one| one == class))
    }
}

fn text(bytes: &HtmlString) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A page's pieces in order. Comments, and what is in scripts and style sheets, are passed over.
pub fn pieces(page: &str) -> impl Iterator<Item = Piece> {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let mut is_hidden = false;
    Tokenizer::new_with_emitter(page, emitter).filter_map(move |token| {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                is_hidden = [&b"script"[..], b"style"].contains(&tag.name.as_slice());
                Some(Piece::Open(Tag(tag)))
            }
            Token::EndTag(tag) => {
                is_hidden = false;
                Some(Piece::Close(text(&tag.name)))
            }
            Token::String(string) if !is_hidden => Some(Piece::Text(text(&string))),
            _ => None,
        }
    })
}

/// The plain text in a field that may hold markup: tags away, references resolved, white space as single blanks, at most
/// `longest` signs. `None` if nothing is left.
pub fn plain(text: &str, longest: usize) -> Option<String> {
    let mut resolved = String::with_capacity(text.len());
    for piece in pieces(text) {
        let tag = match piece {
            Piece::Text(text) => {
                resolved.push_str(&text);
                continue;
            }
            Piece::Open(tag) => tag.name(),
            Piece::Close(name) => name,
        };
        // Emphasis is within words, in Chinese above all; everything else parts them.
        if !["b", "i", "em", "strong", "mark", "span", "wbr"].contains(&tag.as_str()) {
            resolved.push(' ');
        }
    }
    let mut out = String::with_capacity(resolved.len());
    for word in
        resolved.split(|character: char| character.is_whitespace() || character.is_control())
    {
        let mut word = word.chars().filter(|character| !is_invisible(*character)).peekable();
        if word.peek().is_some() {
            if !out.is_empty() {
                out.push(' ');
            }
            out.extend(word);
        }
    }
    if out.chars().count() > longest {
        out = out.chars().take(longest.saturating_sub(1)).collect();
        out.truncate(out.trim_end().len());
        out.push('…');
    }
    (!out.is_empty()).then_some(out)
}

/// Whether a character is invisible.
pub fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' | '\u{ad}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lose_their_markup() {
        for (text, wanted) in [
            ("The <strong>mill</strong> &amp; the&nbsp;river", Some("The mill & the river")),
            ("<b>渡禾</b>节是<em>冬</em>日", Some("渡禾节是冬日")),
            ("one<br/>two<br>three", Some("one two three")),
            ("3 &lt; 4 and 5 < 6 <3", Some("3 < 4 and 5 < 6 <3")),
            ("&#39;q&#x27; &quot;w&quot;", Some("'q' \"w\"")),
            ("a<script>alert('<b>')</script>b", Some("a b")),
            ("<a title=\"x > y\">link</a>", Some("link")),
            ("soft\u{ad}hy\u{200b}phen\u{0}s", Some("softhyphen s")),
            ("<!-- hidden --> ", None),
            ("  \n\t ", None),
            ("", None),
            ("broken <b", Some("broken")),
        ] {
            assert_eq!(plain(text, 100).as_deref(), wanted, "{text}");
        }
        assert_eq!(plain("alpha beta gamma", 12).as_deref(), Some("alpha beta…"));
    }

    #[test]
    fn tags_have_attributes() {
        let page = "<!DOCTYPE html><A class='one  two' href=\"/l/?a=1&amp;b=2\" hidden data-x=7>T</A><br/>";
        let found: Vec<Piece> = pieces(page).collect();
        let Piece::Open(tag) = &found[0] else {
            panic!("{found:?}");
        };
        assert_eq!(tag.name(), "a");
        assert!(tag.has_class("two") && !tag.has_class("tw"));
        assert_eq!(tag.value("href").as_deref(), Some("/l/?a=1&b=2"));
        assert_eq!(tag.value("hidden").as_deref(), Some(""));
        assert_eq!(tag.value("data-x").as_deref(), Some("7"));
        assert_eq!(&found[1..3], [Piece::Text("T".to_owned()), Piece::Close("a".to_owned())]);
    }

    #[test]
    fn nothing_makes_it_stand_still() {
        for page in
            ["<", "</", "<a =", "<a = = \"", "<!--", "<script>", "<style></styl", "<a b='", "=<>="]
        {
            assert!(pieces(page).count() < 10, "{page}");
            let _ = plain(page, 5);
        }
    }
}
