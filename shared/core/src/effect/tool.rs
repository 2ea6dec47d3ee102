//! What is made or fetched for an episode: renders and pages. Payloads are closed, so that a forged or half-written one is refused.

use serde::{Deserialize, Serialize};

use crate::hash::Digest;
use crate::layout::Layout;
use crate::picture::PictureRef;

/// The name under which renders are counted and wait for a permit.
pub const RENDER: &str = "render";
pub const PAGE: &str = "page";

/// A tool, with what it is used on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "tool", rename_all = "snake_case")]
pub enum Tool {
    /// A page of the web is to be read.
    Page(Visit),
    /// HTML is to be made a picture.
    Render(Job),
}

/// A page to be read.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visit {
    /// Its address as the player wrote it.
    pub url: String,
    /// The language to prefer, e.g. `en`; absent = the site's own choice.
    pub locale: Option<String>,
}

/// HTML to be made a picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The document, at most [`Job::MOST_BYTES`].
    pub html: String,
    /// The width of window and picture, in pixels, from 1 to [`Job::MOST_PIXELS`].
    pub width: u32,
    /// The height of the window, likewise. The picture is as high as the page: this at least, [`Job::MOST_PIXELS`] at most.
    pub height: u32,
    pub profile: RenderProfile,
}

/// Switches, fonts and rules of a render: with another one the same HTML becomes another picture (ARCHITECTURE.md, rule 44).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RenderProfile {
    /// No JavaScript, no network, fixed fonts, one pixel a CSS pixel, animations at their end.
    #[serde(rename = "render-1")]
    Render1,
}

impl Job {
    /// The most bytes of a document.
    pub const MOST_BYTES: usize = 256_000;

    /// The most pixels of a side.
    pub const MOST_PIXELS: u32 = 4_000;
}

impl Tool {
    /// [`RENDER`] or [`PAGE`].
    pub fn name(&self) -> &'static str {
        match self {
            Tool::Page(_) => PAGE,
            Tool::Render(_) => RENDER,
        }
    }

    /// Checks what the tool is used on. Which addresses of pages are read, the web says that a run reads: a refusal is a reply.
    ///
    /// # Errors
    /// What is beyond its bounds.
    pub fn check(&self) -> Result<(), String> {
        let sides = 1..=Job::MOST_PIXELS;
        match self {
            Tool::Render(job) if job.html.len() > Job::MOST_BYTES => Err(format!(
                "a page that is rendered has at most {} bytes, got {}",
                Job::MOST_BYTES,
                job.html.len()
            )),
            Tool::Render(Job { width, height, .. })
                if !sides.contains(width) || !sides.contains(height) =>
            {
                let most = Job::MOST_PIXELS;
                Err(format!("a window has 1 to {most} pixels a side, got {width} x {height}"))
            }
            _ => Ok(()),
        }
    }
}

/// What came of a [`Tool`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "made", rename_all = "snake_case")]
pub enum Made {
    /// Fits [`Tool::Page`].
    Page(Box<Page>),
    /// Fits [`Tool::Render`].
    Picture(Box<Pictured>),
}

#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// The address after all redirects.
    pub url: String,
    pub status: u16,
    pub title: Option<String>,
    /// As the page declares it, e.g. `en`.
    pub language: Option<String>,
    /// At most [`Page::MOST_CHARACTERS`].
    pub text: String,
    /// At most [`Page::MOST_LINKS`], in the order of the page.
    pub links: Vec<Link>,
    /// Whether text or links were cut.
    pub cut: bool,
    /// Of the bytes as they came.
    pub source: Digest,
}

/// A link of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    pub text: String,
    pub url: String,
}

/// A picture of HTML, and where its blocks are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pictured {
    pub picture: PictureRef,
    /// A [`Layout`] of the same size.
    pub layout: String,
    /// Addresses that the page asked for; all were refused.
    pub refused: Vec<String>,
    /// The build of the browser and its fonts.
    pub browser: String,
}

impl Page {
    pub const MOST_CHARACTERS: usize = 200_000;
    pub const MOST_LINKS: usize = 200;
}

impl Pictured {
    /// The most characters of a layout.
    const MOST_CHARACTERS: usize = 200_000;

    /// The most refused addresses that are named.
    pub const MOST_REFUSED: usize = 200;
}

impl Made {
    /// How many bytes of text it has.
    pub fn bytes(&self) -> usize {
        match self {
            Made::Page(page) => {
                let links = page.links.iter().map(|link| link.text.len() + link.url.len());
                page.text.len() + links.sum::<usize>()
            }
            Made::Picture(made) => {
                made.layout.len() + made.refused.iter().map(String::len).sum::<usize>()
            }
        }
    }

    /// Whether this is what `tool` can make.
    pub fn fits(&self, tool: &Tool) -> bool {
        match (tool, self) {
            (Tool::Page(_), Made::Page(page)) => {
                is_address(&page.url)
                    && (100..600).contains(&page.status)
                    && page.text.chars().nth(Page::MOST_CHARACTERS).is_none()
                    && page.links.len() <= Page::MOST_LINKS
            }
            (Tool::Render(job), Made::Picture(made)) => {
                made.picture.width == job.width
                    && (job.height..=Job::MOST_PIXELS).contains(&made.picture.height)
                    && made.layout.parse::<Layout>().is_ok_and(|layout| {
                        (layout.width, layout.height) == (made.picture.width, made.picture.height)
                    })
                    && made.layout.chars().nth(Pictured::MOST_CHARACTERS).is_none()
                    && made.refused.len() <= Pictured::MOST_REFUSED
            }
            _ => false,
        }
    }
}

fn is_address(url: &str) -> bool {
    let after = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    after.is_some_and(|host| !host.is_empty() && !url.contains(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(html: &str, width: u32, height: u32) -> Tool {
        let profile = RenderProfile::Render1;
        Tool::Render(Job { html: html.to_owned(), width, height, profile })
    }

    fn visit(url: &str) -> Tool {
        Tool::Page(Visit { url: url.to_owned(), locale: None })
    }

    fn pictured(change: impl FnOnce(&mut Pictured)) -> Made {
        let picture = PictureRef { digest: Digest::of(""), width: 40, height: 30, bytes: 9 };
        let mut made = Pictured {
            picture,
            layout: "40x30\n0 0 1 1 16 #000000 #ffffff a".to_owned(),
            refused: Vec::new(),
            browser: "made up".to_owned(),
        };
        change(&mut made);
        Made::Picture(Box::new(made))
    }

    fn page(change: impl FnOnce(&mut Page)) -> Made {
        let mut made = Page {
            url: "https://example.org/b".to_owned(),
            status: 200,
            title: None,
            language: None,
            text: "a".to_owned(),
            links: Vec::new(),
            cut: false,
            source: Digest::of(""),
        };
        change(&mut made);
        Made::Page(Box::new(made))
    }

    #[test]
    fn what_is_forged_or_half_written_does_not_fit() {
        let (render, visit) = (job("a", 40, 20), visit("https://example.org/a"));
        assert!(pictured(|_| {}).fits(&render) && page(|_| {}).fits(&visit));
        assert!(!pictured(|_| {}).fits(&visit) && !page(|_| {}).fits(&render));
        for (change, what) in [
            ((|made| made.picture.width = 41) as fn(&mut Pictured), "another width"),
            (|made| made.picture.height = 19, "lower than the window"),
            (|made| made.picture.height = 4_001, "too high"),
            (|made| made.layout.clear(), "no layout"),
            (|made| made.layout = "40x31".to_owned(), "a layout of another size"),
            (|made| made.layout.push_str("\n0 0 1"), "half a block"),
            (|made| made.refused = vec![String::new(); Pictured::MOST_REFUSED + 1], "a flood"),
        ] {
            assert!(!pictured(change).fits(&render), "{what}");
        }
        for (change, what) in [
            ((|made| made.url = "file:///etc/passwd".to_owned()) as fn(&mut Page), "a file"),
            (|made| made.status = 0, "no status"),
            (|made| made.text = "ä".repeat(Page::MOST_CHARACTERS + 1), "too long"),
        ] {
            assert!(!page(change).fits(&visit), "{what}");
        }
    }

    #[test]
    fn what_a_tool_is_used_on_has_bounds() {
        assert_eq!(job(&"a".repeat(Job::MOST_BYTES), 4_000, 1).check(), Ok(()));
        for (tool, why) in [
            (job(&"a".repeat(10_000_000), 9, 9), "at most 256000 bytes, got 10000000"),
            (job("", 0, 9), "1 to 4000 pixels a side, got 0 x 9"),
            (job("", 9, 4_001), "got 9 x 4001"),
        ] {
            let said = tool.check().expect_err("it is beyond its bounds");
            assert!(said.contains(why), "{said}");
        }
    }
}
