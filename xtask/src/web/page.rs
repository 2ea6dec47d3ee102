//! `index.html`: finding the links that are marked `data-trunk`, and putting the built files in their place.
//!
//! The marks are Trunk's, so that `trunk serve` reads the same page. Understood are `<link data-trunk rel="…" href="…">`
//! with the kinds of [`Kind`], and `<script data-trunk src="…"></script>`.

use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::{Context, Result, bail, ensure};
use html5gum::{DefaultEmitter, HtmlString, Token, Tokenizer};

/// A marked element of the page.
#[derive(Debug, PartialEq)]
pub struct Asset {
    /// What is to be done with it.
    pub kind: Kind,
    /// The file or folder that it names, relative to the page.
    pub href: String,
    /// Its other attributes, for the element that takes its place.
    pub others: Attributes,
    place: Range<usize>,
}

/// Values by name; that of a name alone is empty.
pub type Attributes = BTreeMap<String, String>;

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
    let mut marked = elements(html)?;
    marked.retain(|element| element.attributes.contains_key("data-trunk"));
    let assets = marked.into_iter().map(Asset::read).collect::<Result<Vec<_>>>()?;
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
            if let ("href" | "src", Some(path)) = (name.as_str(), value.strip_prefix('/'))
                && !paths.iter().any(|known| known == path)
            {
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
pub fn write_attributes(attributes: &Attributes) -> String {
    attributes
        .iter()
        .map(|(name, value)| match value.as_str() {
            "" => format!(" {name}"),
            value => format!(" {name}=\"{}\"", value.replace('"', "&quot;")),
        })
        .collect()
}

impl Asset {
    fn read(element: Element) -> Result<Asset> {
        let Element { name, attributes: mut others, place } = element;
        let rel = others.remove("rel");
        let href = others.remove(if name == "script" { "src" } else { "href" });
        others.retain(|name, _| !name.starts_with("data-"));
        let kind = match (name.as_str(), rel.as_deref()) {
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
        let of_app = || (kind == Kind::App).then(|| "Cargo.toml".to_owned());
        let href = href.or_else(of_app).context("a data-trunk element names no file")?;
        Ok(Asset { kind, href, others, place })
    }
}

/// A `<link …>` or `<script …></script>` of the page.
struct Element {
    name: String,
    attributes: Attributes,
    place: Range<usize>,
}

fn elements(html: &str) -> Result<Vec<Element>> {
    let text = |text: HtmlString| String::from_utf8_lossy(&text).into_owned();
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    // What is inside a script is no markup.
    emitter.naively_switch_states(true);
    let mut elements: Vec<Element> = Vec::new();
    for token in Tokenizer::new_with_emitter(html, emitter) {
        match token? {
            Token::StartTag(tag) if matches!(&tag.name[..], b"link" | b"script") => {
                let attributes = tag.attributes.into_iter();
                elements.push(Element {
                    name: text(tag.name),
                    attributes: attributes.map(|(name, it)| (text(name), text(it.value))).collect(),
                    place: tag.span.start..tag.span.end,
                });
            }
            Token::EndTag(tag) if &tag.name[..] == b"script" => {
                let script = elements.last_mut().context("a </script> of the page ends nothing")?;
                script.place.end = tag.span.end;
            }
            Token::Error(error) => bail!("the page is no HTML: {}", *error),
            _ => {}
        }
    }
    let ends = |element: &Element| html[element.place.clone()].ends_with("</script>");
    ensure!(
        elements.iter().all(|element| element.name != "script" || ends(element)),
        "a <script> of the page has no </script>"
    );
    Ok(elements)
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
        let of_one =
            |name: &str, value: &str| Attributes::from([(name.to_owned(), value.to_owned())]);
        assert_eq!(found[1].others, of_one("media", "print"));
        assert_eq!(found[2].others, of_one("defer", ""));
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
