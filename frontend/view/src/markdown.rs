//! Text of a model as Markdown. Only the elements below are ever written: markup in the text is shown as text, addresses are shown
//! and not linked, and images become their descriptions, so that a reply can neither run anything nor contact another server.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};
use turnwise_shared::markup::Markup;
use turnwise_shared::maths::{self, Piece};

/// Longer texts are shown as they are, in bytes: their layout would not be read.
const LONGEST: usize = 64 * 1024;

/// A text as markup that may be put into a page.
pub fn html(text: &str) -> String {
    let mut out = Markup::default();
    if text.len() > LONGEST {
        out.element("pre", "", text);
        return out.done();
    }
    // Formulas are kept from the parser, which would take their signs for Markdown's.
    let (mut formulas, mut marked) = (Vec::new(), String::new());
    for piece in maths::pieces(&text.replace([OPEN, CLOSE], "\u{fffd}")) {
        match piece {
            Piece::Text(text) => marked.push_str(text),
            Piece::Formula(formula) => {
                marked.push_str(&format!("{OPEN}{}{CLOSE}", formulas.len()));
                formulas.push(formula.to_owned());
            }
        }
    }
    let mut writer =
        Writer { out, formulas, addresses: Vec::new(), is_head: false, is_code: false };
    for event in Parser::new_ext(&marked, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        writer.event(event);
    }
    writer.out.done()
}

/// Private-use characters around the number of a formula that was taken out.
const OPEN: char = '\u{e000}';
const CLOSE: char = '\u{e001}';

struct Writer<'a> {
    out: Markup,
    formulas: Vec<String>,
    /// Where the links and images that are open lead.
    addresses: Vec<CowStr<'a>>,
    /// Whether the cells of a table are those of its head.
    is_head: bool,
    /// Whether a block of code is open.
    is_code: bool,
}

impl<'a> Writer<'a> {
    fn event(&mut self, event: Event<'a>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                self.text(&text, !self.is_code)
            }
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.out.open("code", "");
                self.text(&text, false);
                self.out.end("code");
            }
            Event::SoftBreak => self.out.text("\n"),
            Event::HardBreak => self.out.open("br", ""),
            Event::Rule => self.out.open("hr", ""),
            Event::FootnoteReference(name) => self.out.text(&name),
            Event::TaskListMarker(_) => {}
        }
    }

    /// A text with its formulas in their places: as such, or as they were written.
    fn text(&mut self, text: &str, has_formulas: bool) {
        for part in text.split_inclusive(CLOSE) {
            let (before, number) = part.split_once(OPEN).unwrap_or((part, ""));
            self.out.text(before);
            let number = number.trim_end_matches(CLOSE).parse::<usize>();
            match number.ok().and_then(|number| self.formulas.get(number)) {
                Some(formula) if has_formulas => maths::element(&mut self.out, formula),
                formula => self.out.text(formula.map_or("", String::as_str)),
            }
        }
    }

    fn start(&mut self, tag: Tag<'a>) {
        let (element, class) = match tag {
            Tag::Paragraph | Tag::HtmlBlock => ("p", ""),
            // The headings of a page are its own.
            Tag::Heading { .. } => ("p", "md-head"),
            Tag::BlockQuote(_) => ("blockquote", ""),
            Tag::CodeBlock(_) => {
                self.is_code = true;
                ("pre", "")
            }
            Tag::List(None) => ("ul", ""),
            Tag::List(Some(first)) => {
                self.out.open_with("ol", &[("class", ""), ("start", &first.to_string())]);
                return;
            }
            Tag::Item => ("li", ""),
            Tag::Table(_) => ("table", ""),
            Tag::TableHead => {
                self.is_head = true;
                ("tr", "")
            }
            Tag::TableRow => ("tr", ""),
            Tag::TableCell if self.is_head => ("th", ""),
            Tag::TableCell => ("td", ""),
            Tag::Emphasis => ("em", ""),
            Tag::Strong => ("strong", ""),
            Tag::Strikethrough => ("del", ""),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.addresses.push(dest_url);
                return;
            }
            _ => return,
        };
        self.out.open(element, class);
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock | TagEnd::Heading(_) => self.out.close("p"),
            TagEnd::BlockQuote(_) => self.out.close("blockquote"),
            TagEnd::CodeBlock => {
                self.is_code = false;
                self.out.close("pre");
            }
            TagEnd::List(false) => self.out.close("ul"),
            TagEnd::List(true) => self.out.close("ol"),
            TagEnd::Item => self.out.close("li"),
            TagEnd::Table => self.out.close("table"),
            TagEnd::TableHead => {
                self.is_head = false;
                self.out.close("tr");
            }
            TagEnd::TableRow => self.out.close("tr"),
            TagEnd::TableCell if self.is_head => self.out.end("th"),
            TagEnd::TableCell => self.out.end("td"),
            TagEnd::Emphasis => self.out.end("em"),
            TagEnd::Strong => self.out.end("strong"),
            TagEnd::Strikethrough => self.out.end("del"),
            TagEnd::Link | TagEnd::Image => {
                if let Some(address) = self.addresses.pop() {
                    self.out.open("span", "faint");
                    self.text(&format!(" ({address})"), false);
                    self.out.end("span");
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_laid_out() {
        let shown =
            html("# Plan\n\nFirst **ask**, then `search`:\n\n1. one\n2. two\n\n```\na < b\n```\n");
        for part in [
            "<p class=\"md-head\">Plan</p>",
            "<strong>ask</strong>",
            "<code>search</code>",
            "<ol start=\"1\"><li>one</li>",
            "<pre>a &lt; b\n</pre>",
        ] {
            assert!(shown.contains(part), "{part} is not in {shown}");
        }
        let table = html("| a | b |\n|---|---|\n| 1 | 2 |\n");
        assert!(table.contains("<th>a</th>") && table.contains("<td>2</td>"), "{table}");
    }

    #[test]
    fn formulas_are_kept_and_code_is_code() {
        let shown = html(
            "So **$a_1*b_2*c$** and \\(x_1\\), `$y$`.\n\n```\n$z$\n```\n\n[$l$](https://e.org/$m$) costs $5 and $6",
        );
        for part in [
            "<strong><span class=\"tex\">$a_1*b_2*c$</span></strong>",
            "<span class=\"tex\">\\(x_1\\)</span>",
            "<code>$y$</code>",
            "<pre>$z$\n</pre>",
            "(https://e.org/$m$)",
            "$5 and $6",
        ] {
            assert!(shown.contains(part), "{part} is not in {shown}");
        }
    }

    #[test]
    fn nothing_that_a_model_writes_runs_or_calls_anybody() {
        for bad in [
            "<script>alert(1)</script>",
            "hello <img src=x onerror=alert(1)>",
            "![a picture](https://example.org/track.png)",
            "[click](javascript:alert(1))",
            "<https://example.org/>",
            "[x]: https://example.org/y \"t\"\n[x] <iframe src=\"//example.org\">",
            "<div\nonclick=alert(1)>\n\ntext\n\n</div>",
            "| <b onload=x> | `</code><script>` |\n|---|---|\n| ![i](//e.org/i) | <svg/onload=a> |",
        ] {
            let shown = html(bad);
            let tags = shown.split('<').skip(1).map(|rest| {
                let end = rest.find('>').expect("every tag ends");
                rest[..end].to_owned()
            });
            for tag in tags {
                let name = tag.trim_start_matches('/');
                let known = [
                    "p",
                    "p class=\"md-head\"",
                    "em",
                    "strong",
                    "del",
                    "code",
                    "pre",
                    "ul",
                    "li",
                    "table",
                    "tr",
                    "th",
                    "td",
                    "blockquote",
                    "br",
                    "hr",
                    "span class=\"faint\"",
                    "span",
                ];
                assert!(known.contains(&name) || name.starts_with("ol"), "{tag} in {shown}");
            }
        }
    }

    #[test]
    fn long_and_deep_texts_end() {
        let deep = "> ".repeat(20_000);
        assert!(!html(&deep).is_empty());
        let long = "x ".repeat(LONGEST);
        assert!(html(&long).starts_with("<pre>"));
    }
}
