//! Marked-up text: what services give as HTML, in whole pages or in single fields, and the plain text in it.

/// A piece of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Text between tags; references such as `&amp;` are not resolved.
    Text(&'a str),
    /// A tag that opens, by its name, with what stands between name and `>`.
    Open(&'a str, Attributes<'a>),
    /// A tag that closes, by its name.
    Close(&'a str),
}

/// The attributes of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attributes<'a>(&'a str);

impl<'a> Attributes<'a> {
    /// An attribute's value, references resolved.
    pub fn value(&self, name: &str) -> Option<String> {
        self.pairs()
            .find(|(found, _)| found.eq_ignore_ascii_case(name))
            .map(|(_, value)| html_escape::decode_html_entities(value).into_owned())
    }

    /// Whether it is of this class.
    pub fn has_class(&self, class: &str) -> bool {
        self.value("class")
            .is_some_and(|classes| classes.split_ascii_whitespace().any(|one| one == class))
    }

    fn pairs(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            rest = rest.trim_start_matches(|character: char| {
                character.is_ascii_whitespace() || character == '/'
            });
            if rest.is_empty() {
                return None;
            }
            let end = rest
                .find(|character: char| character == '=' || character.is_ascii_whitespace())
                .unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            let Some(value) = after.trim_start().strip_prefix('=') else {
                rest = after;
                // A stray `=` has no name before it and would not be passed otherwise.
                return Some((name, ""));
            };
            let value = value.trim_start();
            let (value, after) = match value.chars().next() {
                Some(quote @ ('"' | '\'')) => {
                    let value = &value[1..];
                    value.split_once(quote).unwrap_or((value, ""))
                }
                _ => value.split_at(
                    value
                        .find(|character: char| character.is_ascii_whitespace())
                        .unwrap_or(value.len()),
                ),
            };
            rest = after;
            Some((name, value))
        })
    }
}

/// A page's pieces in order. Comments, scripts and style sheets are passed over; whatever is broken is text.
pub fn pieces(page: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = page;
    std::iter::from_fn(move || {
        loop {
            if rest.is_empty() {
                return None;
            }
            let Some(tag) = rest.strip_prefix('<') else {
                let end = rest.find('<').unwrap_or(rest.len());
                let (text, after) = rest.split_at(end);
                rest = after;
                return Some(Piece::Text(text));
            };
            if let Some(comment) = tag.strip_prefix("!--") {
                rest = comment.split_once("-->").map_or("", |(_, after)| after);
                continue;
            }
            let begins = tag.trim_start_matches('/');
            if !begins.starts_with(|character: char| {
                character.is_ascii_alphabetic() || matches!(character, '!' | '?')
            }) {
                // A sign that means less than, not a tag.
                let end = tag.find('<').map_or(rest.len(), |at| at + 1);
                let (text, after) = rest.split_at(end);
                rest = after;
                return Some(Piece::Text(text));
            }
            let (inside, after) = split_tag(tag);
            rest = after;
            if let Some(name) = inside.strip_prefix('/') {
                return Some(Piece::Close(name.trim()));
            }
            let end = inside
                .find(|character: char| character.is_ascii_whitespace() || character == '/')
                .unwrap_or(inside.len());
            let (name, attributes) = inside.split_at(end);
            for raw in ["script", "style"] {
                if name.eq_ignore_ascii_case(raw) {
                    rest = after_closing(rest, raw);
                }
            }
            return Some(Piece::Open(name, Attributes(attributes)));
        }
    })
}

/// A tag's inside, and what follows its `>`; a `>` between quotes does not end it.
fn split_tag(tag: &str) -> (&str, &str) {
    let mut quote = None;
    for (at, byte) in tag.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return (&tag[..at], &tag[at + 1..]),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if byte == open => quote = None,
            _ => {}
        }
    }
    (tag, "")
}

fn after_closing<'a>(rest: &'a str, name: &str) -> &'a str {
    let mut from = 0;
    while let Some(at) = rest[from..].find("</") {
        let inside = &rest[from + at + 2..];
        if inside
            .get(..name.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(name))
        {
            return &rest[from + at..];
        }
        from += at + 2;
    }
    ""
}

/// The plain text in a field that may hold markup: tags away, references resolved, white space as single blanks, at most
/// `longest` signs. `None` if nothing is left.
pub fn plain(text: &str, longest: usize) -> Option<String> {
    let mut marked = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            Piece::Text(text) => marked.push_str(text),
            Piece::Open(name, _) | Piece::Close(name) => {
                // Emphasis stands within words, in Chinese above all; everything else parts them.
                let within = ["b", "i", "em", "strong", "mark", "span", "wbr"];
                if !within.iter().any(|one| name.eq_ignore_ascii_case(one)) {
                    marked.push(' ');
                }
            }
        }
    }
    let resolved = html_escape::decode_html_entities(&marked);
    let mut out = String::with_capacity(resolved.len());
    let invisible = |character: char| {
        character.is_control()
            || matches!(
                character,
                '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' | '\u{ad}'
            )
    };
    for word in
        resolved.split(|character: char| character.is_whitespace() || character.is_control())
    {
        let mut word = word
            .chars()
            .filter(|character| !invisible(*character))
            .peekable();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lose_their_markup() {
        for (text, wanted) in [
            (
                "The <strong>mill</strong> &amp; the&nbsp;river",
                Some("The mill & the river"),
            ),
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
        assert_eq!(
            plain("alpha beta gamma", 12).as_deref(),
            Some("alpha beta…")
        );
    }

    #[test]
    fn tags_have_attributes() {
        let page = "<!DOCTYPE html><A class='one  two' href=\"/l/?a=1&amp;b=2\" hidden data-x=7>T</A><br/>";
        let found: Vec<Piece> = pieces(page).collect();
        let Piece::Open(name, attributes) = found[1] else {
            panic!("{found:?}");
        };
        assert_eq!(name, "A");
        assert!(attributes.has_class("two") && !attributes.has_class("tw"));
        assert_eq!(attributes.value("href").as_deref(), Some("/l/?a=1&b=2"));
        assert_eq!(attributes.value("hidden").as_deref(), Some(""));
        assert_eq!(attributes.value("data-x").as_deref(), Some("7"));
        assert_eq!(&found[2..4], [Piece::Text("T"), Piece::Close("A")]);
    }

    #[test]
    fn nothing_makes_it_stand_still() {
        for page in [
            "<",
            "</",
            "<a =",
            "<a = = \"",
            "<!--",
            "<script>",
            "<style></styl",
            "<a b='",
            "=<>=",
        ] {
            assert!(pieces(page).count() < 10, "{page}");
            if let Some(Piece::Open(_, attributes)) = pieces(page).next() {
                assert!(attributes.pairs().count() < 10, "{page}");
            }
            let _ = plain(page, 5);
        }
    }
}
