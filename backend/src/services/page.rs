//! From what a server sent to what a player reads: one pass over the page, linear in it, whatever it nests or leaves open.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use reqwest::Url;
use turnwise_shared::effect::{Link, Page};
use turnwise_shared::hash::Digest;

use super::markup::{self, Piece, Tag};

#[derive(Debug, Clone)]
pub struct Source<'a> {
    /// The address after all redirects; links are relative to it.
    pub url: &'a str,
    pub status: u16,
    /// The media type, in small letters and without parameters; what is not HTML is read as plain text.
    pub media: &'a str,
    pub text: &'a str,
    /// Of the bytes.
    pub digest: Digest,
}

/// Elements whose text is not seen.
const UNSEEN: &str = "script style template noscript svg iframe object audio video canvas select \
    math"; // The element of MathML.

/// Elements that are never closed, so nothing is inside.
const VOID: &str = "area base br col embed hr img input link meta source track wbr";

/// Elements that begin and end lines.
const BLOCKS: &str = "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption \
    figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre search section summary table tbody \
    tfoot thead title tr ul";

fn is_one(names: &str, name: &str) -> bool {
    names.split_ascii_whitespace().any(|one| one == name)
}

/// The most bytes of a title, and of a link's text.
const LONGEST_NAME: usize = 300;

/// The most bytes of a line: more than a page has room for.
const LONGEST_LINE: usize = 4 * Page::MOST_CHARACTERS + 4;

/// The most bytes of an address: also of the one to which others are relative, so that many links cost no more than their length.
const LONGEST_ADDRESS: usize = 2_000;

/// The deepest list whose items are numbered.
const DEEPEST_LIST: usize = 32;

pub fn read(source: &Source<'_>) -> Page {
    let mut reader = Reader::over(source.url);
    match source.media {
        "text/html" | "application/xhtml+xml" => {
            let mut pieces = markup::pieces(source.text);
            while !reader.is_full()
                && let Some(piece) = pieces.next()
            {
                match piece {
                    Piece::Text(text) => reader.text(&text),
                    Piece::Open(tag) => reader.open(&tag),
                    Piece::Close(name) => reader.close(&name),
                }
            }
            reader.end_link();
        }
        _ => {
            reader.preformatted = 1;
            reader.text(source.text);
        }
    }
    reader.end_line();
    let title = reader.title.trim();
    Page {
        url: source.url.to_owned(),
        status: source.status,
        title: (!title.is_empty()).then(|| title.to_owned()),
        language: reader.language,
        text: reader.out,
        links: reader.links,
        cut: reader.cut,
        source: source.digest,
    }
}

/// What is read so far.
#[derive(Default)]
struct Reader {
    base: Option<Url>,
    title: String,
    language: Option<String>,
    out: String,
    /// Characters of `out`.
    length: usize,
    /// The line that is being read, and what it begins with if anything is in it.
    line: String,
    begins: String,
    links: Vec<Link>,
    linked: BTreeSet<String>,
    cut: bool,
    /// The link whose text is being read: its address and the text so far.
    link: Option<(String, String)>,
    /// The element whose text is not seen, and how many of that name are open in it.
    unseen: Option<(String, usize)>,
    in_title: bool,
    /// Of each open list the number of its last item; `None` where items have none.
    lists: Vec<Option<u32>>,
    /// Open tables and cells, and whether the outermost table is an infobox.
    tables: usize,
    is_infobox: bool,
    in_row: bool,
    was_header: bool,
    preformatted: usize,
}

impl Reader {
    fn over(url: &str) -> Self {
        Reader { base: Url::parse(url).ok(), ..Reader::default() }
    }

    fn is_full(&self) -> bool {
        self.cut && self.length >= Page::MOST_CHARACTERS
    }

    fn open(&mut self, tag: &Tag) {
        let name = tag.name();
        if let Some((unseen, open)) = &mut self.unseen {
            *open += usize::from(*unseen == name);
            return;
        }
        if is_hidden(&name, tag) {
            if !is_one(VOID, &name) {
                self.unseen = Some((name, 1));
            }
            return;
        }
        match name.as_str() {
            "html" => self.language = self.language.take().or_else(|| language(tag)),
            "title" => self.in_title = self.title.is_empty(),
            "base" => {
                let base = self.address(tag).and_then(|url| Url::parse(&url).ok());
                self.base = base.or(self.base.take());
            }
            "a" => {
                self.end_link();
                self.link = self.address(tag).map(|url| (url, String::new()));
            }
            "td" | "th" if self.tables > 0 => self.cell(name == "th"),
            _ => {}
        }
        if !is_one(BLOCKS, &name) {
            return;
        }
        self.block();
        match name.as_str() {
            "table" => {
                self.tables += 1;
                if self.tables == 1 {
                    self.is_infobox =
                        tag.value("class").is_some_and(|class| class.contains("infobox"));
                }
            }
            "tr" if self.tables > 0 => {
                self.in_row = false;
                self.end_line();
                self.in_row = true;
                self.was_header = false;
            }
            "ul" | "ol" | "menu" | "dir" if self.lists.len() < DEEPEST_LIST => {
                self.lists.push((name == "ol").then_some(0));
            }
            "li" => {
                let number = self.lists.last_mut().and_then(Option::as_mut);
                self.begins = match number {
                    Some(number) => {
                        *number = number.saturating_add(1);
                        format!("{number}. ")
                    }
                    None => "- ".to_owned(),
                };
            }
            "pre" => self.preformatted += 1,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.begins = "#".repeat(name[1..].parse().unwrap_or(1)) + " ";
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        if let Some((unseen, open)) = &mut self.unseen {
            *open -= usize::from(unseen == name);
            if *open == 0 {
                self.unseen = None;
            }
            return;
        }
        match name {
            "title" => self.in_title = false,
            "a" => self.end_link(),
            "ul" | "ol" | "menu" | "dir" => {
                self.lists.pop();
            }
            "pre" => self.preformatted = self.preformatted.saturating_sub(1),
            "table" => self.tables = self.tables.saturating_sub(1),
            _ => {}
        }
        if self.tables == 0 || name == "tr" {
            self.in_row = false;
        }
        if is_one(BLOCKS, name) {
            self.block();
        }
    }

    /// A line ends; in a row of a table blocks are set apart by blanks alone.
    fn block(&mut self) {
        match self.in_row {
            true => self.push(" "),
            false => self.end_line(),
        }
    }

    /// A cell begins: after a header of an infobox as its value.
    fn cell(&mut self, is_header: bool) {
        let trimmed = self.line.trim_end().len();
        self.line.truncate(trimmed);
        if !self.line.is_empty() {
            self.line.push_str(if self.is_infobox && self.was_header { ": " } else { " | " });
        }
        self.was_header = is_header;
    }

    fn text(&mut self, text: &str) {
        if self.unseen.is_some() {
            return;
        }
        if self.in_title {
            return spaced(&mut self.title, text, LONGEST_NAME);
        }
        if let Some((_, words)) = &mut self.link {
            spaced(words, text, LONGEST_NAME);
        }
        if self.preformatted == 0 || self.in_row {
            return self.push(text);
        }
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                self.end_line();
            }
            self.push(line);
        }
    }

    fn push(&mut self, text: &str) {
        spaced(&mut self.line, text, LONGEST_LINE);
    }

    fn end_line(&mut self) {
        let line = self.line.trim();
        if line.is_empty() {
            self.line.clear();
            return;
        }
        let line = format!("{}{}{line}", if self.out.is_empty() { "" } else { "\n" }, self.begins);
        let room = Page::MOST_CHARACTERS - self.length;
        let whole = line.chars().count();
        self.cut |= whole > room;
        self.length += whole.min(room);
        self.out.extend(line.chars().take(room));
        self.line.clear();
        self.begins.clear();
    }

    fn end_link(&mut self) {
        let Some((url, text)) = self.link.take() else { return };
        let text = text.trim();
        if text.is_empty() || self.linked.contains(&url) {
            return;
        }
        if self.links.len() == Page::MOST_LINKS {
            self.cut = true;
            return;
        }
        self.linked.insert(url.clone());
        self.links.push(Link { text: text.to_owned(), url });
    }

    /// Where a link leads: to another page of the web.
    fn address(&self, tag: &Tag) -> Option<String> {
        let mut url = self.base.as_ref()?.join(&tag.value("href")?).ok()?;
        url.set_fragment(None);
        let is_web = matches!(url.scheme(), "http" | "https");
        (is_web && url.as_str().len() <= LONGEST_ADDRESS).then(|| url.into())
    }
}

fn is_hidden(name: &str, tag: &Tag) -> bool {
    let hides = |style: String| {
        let style = style.replace(char::is_whitespace, "").to_lowercase();
        style.contains("display:none") || style.contains("visibility:hidden")
    };
    is_one(UNSEEN, name) || tag.value("hidden").is_some() || tag.value("style").is_some_and(hides)
}

fn language(tag: &Tag) -> Option<String> {
    let declared = tag.value("lang").or_else(|| tag.value("xml:lang"))?;
    let is_plain = declared.chars().all(|one| one.is_ascii_alphanumeric() || one == '-');
    ((1..=35).contains(&declared.len()) && is_plain).then_some(declared)
}

/// Adds text with white space as single spaces and without invisible characters, until there are `most` bytes.
fn spaced(line: &mut String, text: &str, most: usize) {
    for character in text.chars().filter(|one| !markup::is_invisible(*one) || one.is_whitespace()) {
        if line.len() >= most {
            return;
        }
        match character.is_whitespace() {
            true if line.is_empty() || line.ends_with(' ') => {}
            true => line.push(' '),
            false => line.push(character),
        }
    }
}
