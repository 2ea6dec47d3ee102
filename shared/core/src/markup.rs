//! Markup in the making. Texts and values of attributes are escaped here and nowhere else.

/// A page in the making.
#[derive(Debug, Default)]
pub struct Markup(String);

impl Markup {
    pub fn done(self) -> String {
        self.0
    }

    /// How many bytes it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is nothing yet.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Markup of ours, as it is. Never anything that came from outside.
    pub fn raw(&mut self, markup: &str) {
        self.0.push_str(markup);
    }

    /// Opens an element; an empty class is left out.
    pub fn open(&mut self, tag: &'static str, class: &str) {
        self.open_with(tag, &[("class", class)]);
    }

    /// Opens an element with attributes; empty ones are left out.
    pub fn open_with(&mut self, tag: &'static str, attributes: &[(&'static str, &str)]) {
        self.0.push('<');
        self.0.push_str(tag);
        for (name, value) in attributes.iter().filter(|(_, value)| !value.is_empty()) {
            self.0.push(' ');
            self.0.push_str(name);
            self.0.push_str("=\"");
            self.text(value);
            self.0.push('"');
        }
        self.0.push('>');
    }

    /// Closes an element, and its line.
    pub fn close(&mut self, tag: &'static str) {
        self.end(tag);
        self.0.push('\n');
    }

    /// Closes an element within a line.
    pub fn end(&mut self, tag: &'static str) {
        self.0.push_str("</");
        self.0.push_str(tag);
        self.0.push('>');
    }

    /// An element with attributes and a text, with no line break behind it.
    pub fn inline(&mut self, tag: &'static str, attributes: &[(&'static str, &str)], text: &str) {
        self.open_with(tag, attributes);
        self.text(text);
        self.end(tag);
    }

    /// The same, with a line break behind it.
    pub fn element_with(
        &mut self,
        tag: &'static str,
        attributes: &[(&'static str, &str)],
        text: &str,
    ) {
        self.inline(tag, attributes, text);
        self.0.push('\n');
    }

    /// An element with nothing but text.
    pub fn element(&mut self, tag: &'static str, class: &str, text: &str) {
        self.open(tag, class);
        // A line break right after the tag is no part of a `pre`.
        if tag == "pre" && text.starts_with('\n') {
            self.0.push('\n');
        }
        self.text(text);
        self.close(tag);
    }

    /// Text. What could be taken for markup is not, and signs that cannot be shown stand as `�`.
    pub fn text(&mut self, text: &str) {
        for sign in text.chars() {
            match sign {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(sign),
                '\r' => {}
                sign if sign.is_control() || is_unseen(sign) => self.0.push('\u{fffd}'),
                sign => self.0.push(sign),
            }
        }
    }
}

/// Signs that turn the order of what is read around.
fn is_unseen(sign: char) -> bool {
    matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
