//! `index.html`: finding the links that are marked `data-trunk`, and putting the built files in their place.
//!
//! The marks are Trunk's, so that `trunk serve` reads the same page. Understood are `<link data-trunk rel="…" href="…">`
//! with the kinds of [`Kind`], and `<script data-trunk src="…"></script>`.

use std::ops::Range;

use anyhow::{Context, Result, bail};

/// A marked element of the page.
#[derive(Debug, PartialEq)]
pub struct Asset {
    /// What is to be done with it.
    pub kind: Kind,
    /// The file or folder that it names, relative to the page.
    pub href: String,
    /// Its other attributes, for the element that takes its place.
    pub others: Vec<Attribute>,
    place: Range<usize>,
}

pub type Attribute = (String, Option<String>);

/// What a marked element asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    App,
    /// `rel="css"`: a style sheet; hashed.
    Style,
    /// `rel="icon"`: the picture in the tab; hashed.
    Icon,
    /// `rel="copy-file"`: a file under its own name, at the top.
    File,
    /// `rel="copy-dir"`: a folder under its own name, at the top.
    Folder,
    /// `<script data-trunk src>`: a script; hashed.
    Script,
}

/// The marked elements of `html`, in their order.
pub fn assets(html: &str) -> Result<Vec<Asset>> {
    let mut assets = Vec::new();
    for element in elements(html)? {
        if element.attributes.iter().any(|(name, _)| name == "data-trunk") {
            assets.push(Asset::read(element)?);
        }
    }
    if assets.iter().filter(|asset| asset.kind == Kind::App).count() != 1 {
        bail!(
            "the page must name the app exactly once: <link data-trunk rel=\"rust\" href=\"Cargo.toml\">"
        );
    }
    Ok(assets)
}

/// `html` with each of its `assets` replaced by what `replace` makes of it.
pub fn rewrite(
    html: &str,
    assets: &[Asset],
    mut replace: impl FnMut(&Asset) -> Result<String>,
) -> Result<String> {
    let mut page = String::with_capacity(html.len());
    let mut end = 0;
    for asset in assets {
        page.push_str(&html[end..asset.place.start]);
        page.push_str(&replace(asset)?);
        end = asset.place.end;
    }
    page.push_str(&html[end..]);
    Ok(page)
}

/// The files of its own site that a finished page names, as paths without the leading slash.
pub fn local_references(html: &str) -> Result<Vec<String>> {
    let mut paths = Vec::new();
    for element in elements(html)? {
        for (name, value) in element.attributes {
            let Some(path) = value.as_deref().and_then(|value| value.strip_prefix('/')) else {
                continue;
            };
            if (name == "href" || name == "src") && !paths.iter().any(|known| known == path) {
                paths.push(path.to_owned());
            }
        }
    }
    Ok(paths)
}

/// The page without what stands between `<!--mark-->` and `<!--/mark-->`; as it is if nothing does.
///
/// # Errors
/// If what begins does not end.
pub fn without(html: &str, mark: &str) -> Result<String> {
    let (open, close) = (format!("<!--{mark}-->"), format!("<!--/{mark}-->"));
    let Some((before, rest)) = html.split_once(&open) else {
        return Ok(html.to_owned());
    };
    match rest.split_once(&close) {
        Some((_, after)) => Ok(format!("{before}{after}")),
        None => bail!("the page has {open} and no {close}"),
    }
}

/// The `url(…)` of a style sheet that lie on its own site and are fetched by a page of plain English: a browser leaves out a face
/// of a font of which it shows no sign.
pub fn local_urls(css: &str) -> Vec<String> {
    css.split("url(")
        .skip(1)
        .filter(|rest| has_letters(rest.split('}').next().unwrap_or_default()))
        .filter_map(|rest| rest.split(')').next())
        .map(|url| url.trim().trim_matches(['"', '\'']))
        .filter(|url| !url.contains(':') && !url.starts_with('#') && !url.starts_with("//"))
        .map(|url| {
            url.trim_start_matches('/').split(['?', '#']).next().unwrap_or_default().to_owned()
        })
        .collect()
}

/// Whether a face with this `unicode-range`, if it has one, has the letter a.
fn has_letters(face: &str) -> bool {
    let Some((_, ranges)) = face.split_once("unicode-range:") else {
        return true;
    };
    let ranges = ranges.split(';').next().unwrap_or_default().split(',');
    ranges.filter_map(|range| range.trim().strip_prefix("U+")).any(|range| {
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        let sign = |text| u32::from_str_radix(text, 16).unwrap_or_default();
        (sign(from)..=sign(to)).contains(&u32::from('a'))
    })
}

/// A style sheet without its comments: those who read it have the source.
pub fn without_comments(css: &str) -> String {
    let mut parts = css.split("/*");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(part.split_once("*/").map_or("", |(_, rest)| rest));
    }
    out
}

/// Writes attributes as they stand in an element, each with a space before it.
pub fn write_attributes(attributes: &[Attribute]) -> String {
    attributes
        .iter()
        .map(|(name, value)| match value {
            Some(value) => format!(" {name}=\"{}\"", value.replace('"', "&quot;")),
            None => format!(" {name}"),
        })
        .collect()
}

impl Asset {
    fn read(element: Element) -> Result<Asset> {
        let mut others = Vec::new();
        let (mut rel, mut href) = (None, None);
        for (name, value) in element.attributes {
            match (name.as_str(), element.name) {
                ("rel", _) => rel = value,
                ("href", "link") | ("src", "script") => href = value,
                (name, _) if name.starts_with("data-") => {}
                _ => others.push((name, value)),
            }
        }
        let kind = match (element.name, rel.as_deref()) {
            ("script", _) => Kind::Script,
            (_, Some("rust")) => Kind::App,
            (_, Some("css")) => Kind::Style,
            (_, Some("icon")) => Kind::Icon,
            (_, Some("copy-file")) => Kind::File,
            (_, Some("copy-dir")) => Kind::Folder,
            (_, other) => bail!(
                "xtask does not know <link data-trunk rel=\"{}\">; it knows rust, css, icon, copy-file, copy-dir and <script data-trunk>",
                other.unwrap_or_default()
            ),
        };
        let href = match href {
            Some(href) => href,
            None if kind == Kind::App => "Cargo.toml".to_owned(),
            None => bail!("a data-trunk element names no file"),
        };
        Ok(Asset { kind, href, others, place: element.place })
    }
}

/// A `<link …>` or `<script …></script>` of the page.
struct Element {
    name: &'static str,
    attributes: Vec<Attribute>,
    place: Range<usize>,
}

fn elements(html: &str) -> Result<Vec<Element>> {
    let mut elements = Vec::new();
    let mut at = 0;
    while let Some(found) = html[at..].find('<') {
        let start = at + found;
        let rest = &html[start..];
        if rest.starts_with("<!--") {
            at = start
                + rest.find("-->").context("a comment of the page does not end")?
                + "-->".len();
            continue;
        }
        let Some(name) = ["link", "script"].into_iter().find(|name| opens(rest, name)) else {
            at = start + 1;
            continue;
        };
        let (attributes, length) = attributes(&rest[1 + name.len()..])
            .with_context(|| format!("a <{name}> of the page does not end"))?;
        let mut end = start + 1 + name.len() + length;
        if name == "script" {
            let close =
                html[end..].find("</script>").context("a <script> of the page has no </script>")?;
            end += close + "</script>".len();
        }
        elements.push(Element { name, attributes, place: start..end });
        at = end;
    }
    Ok(elements)
}

fn opens(rest: &str, name: &str) -> bool {
    rest[1..]
        .strip_prefix(name)
        .and_then(|rest| rest.chars().next())
        .is_some_and(|next| next.is_whitespace() || next == '>' || next == '/')
}

/// Reads attributes up to the `>` of the element; also how many bytes that took, the `>` included.
fn attributes(text: &str) -> Option<(Vec<Attribute>, usize)> {
    let mut attributes = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        if let Some(after) = rest.strip_prefix('>') {
            return Some((attributes, text.len() - after.len()));
        }
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/'))?;
        let name = rest[..end].to_ascii_lowercase();
        rest = rest[end..].trim_start();
        let Some(after) = rest.strip_prefix('=') else {
            attributes.push((name, None));
            continue;
        };
        rest = after.trim_start();
        let value;
        match rest.chars().next()? {
            quote @ ('"' | '\'') => {
                let end = rest[1..].find(quote)?;
                value = &rest[1..1 + end];
                rest = &rest[end + 2..];
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || c == '>')?;
                value = &rest[..end];
                rest = &rest[end..];
            }
        }
        attributes.push((name, Some(value.to_owned())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r#"<!doctype html>
<head>
  <!-- <link data-trunk rel="css" href="not-this.css"> -->
  <link data-trunk rel="rust" href="Cargo.toml" data-bin="turnwise-frontend" />
  <link data-trunk rel="css" href="../public/app.css" media='print'>
  <link rel="preload" href="/fonts/text.woff2" as="font" crossorigin>
  <script data-trunk src="../public/theme.js" defer></script>
</head>"#;

    #[test]
    fn marked_elements_are_found_with_what_they_ask_for() {
        let found = assets(PAGE).expect("the page is sound");
        let kinds: Vec<(Kind, &str)> =
            found.iter().map(|asset| (asset.kind, asset.href.as_str())).collect();
        assert_eq!(
            kinds,
            [
                (Kind::App, "Cargo.toml"),
                (Kind::Style, "../public/app.css"),
                (Kind::Script, "../public/theme.js")
            ]
        );
        assert_eq!(found[1].others, [("media".to_owned(), Some("print".to_owned()))]);
        assert_eq!(found[2].others, [("defer".to_owned(), None)]);
    }

    #[test]
    fn what_is_between_two_marks_can_be_left_out() {
        assert_eq!(without("a<!--x-->b<!--/x-->c", "x").expect("both marks are there"), "ac");
        assert_eq!(without("abc", "x").expect("no mark is none too many"), "abc");
        assert!(without("a<!--x-->b", "x").is_err());
    }

    #[test]
    fn only_marked_elements_are_replaced() {
        let found = assets(PAGE).expect("the page is sound");
        let page = rewrite(PAGE, &found, |asset| {
            Ok(format!("[{:?}{}]", asset.kind, write_attributes(&asset.others)))
        })
        .expect("every asset is replaced");
        assert!(page.contains("not-this.css"), "a comment stays as it is");
        assert!(
            page.contains("  [App]\n  [Style media=\"print\"]\n  <link rel=\"preload\""),
            "{page}"
        );
        assert!(page.contains("[Script defer]\n</head>"), "{page}");
        assert!(!page.contains("data-trunk rel=\"rust\""), "{page}");
    }

    #[test]
    fn a_page_without_its_app_or_with_an_unknown_link_is_refused() {
        assert!(assets("<head></head>").unwrap_err().to_string().contains("exactly once"));
        let unknown =
            assets(r#"<link data-trunk rel="sass" href="x.scss">"#).unwrap_err().to_string();
        assert!(unknown.contains("rel=\"sass\""), "{unknown}");
        assert!(assets("<link data-trunk rel=\"css\" href=\"x").is_err());
    }

    #[test]
    fn what_a_page_and_its_style_load_is_listed_once() {
        let html = r#"<link href="/a.css" rel="stylesheet"><script src="/b.js"></script><link href="/a.css"><link href="https://x.org/c">"#;
        assert_eq!(local_references(html).expect("the page is sound"), ["a.css", "b.js"]);
        let css = r#"src: url("/fonts/x.woff2?v=1") format("woff2"), url(fonts/y.woff2); background: url(data:image/png;base64,AA==)"#;
        assert_eq!(local_urls(css), ["fonts/x.woff2", "fonts/y.woff2"]);
        let faces = "@font-face { src: url(a.woff2); unicode-range: U+20-7E, U+131; } @font-face { src: url(e.woff2); unicode-range: U+100-130; }";
        assert_eq!(local_urls(faces), ["a.woff2"]);
    }

    #[test]
    fn a_style_sheet_loses_its_comments() {
        let css = "/* one */\na { b: c; } /* two\n * lines */\nd { e: f; } /* open";
        assert_eq!(without_comments(css), "\na { b: c; } \nd { e: f; } ");
    }
}
