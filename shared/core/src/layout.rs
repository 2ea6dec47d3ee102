//! What stands where on a rendered page, as text: the first line has the size of the page, each further line a block.
//!
//! ```text
//! 1280x1326
//! 24 80 400 32 16 #1a1a1a #ffffff Sign in
//! ```
//!
//! A block is a run of text, or a control, picture or rule without text: left, top, width and height in whole pixels, the size
//! of its font in pixels, its colour, its background as seen, and its text on one line.

use std::fmt;
use std::str::FromStr;

/// The most blocks of a layout. What renders a page keeps the largest.
pub const MOST_BLOCKS: usize = 1_000;

/// The blocks of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// In pixels.
    pub width: u32,
    pub height: u32,
    /// At most [`MOST_BLOCKS`].
    pub blocks: Vec<Block>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// May lie outside the page.
    pub left: i32,
    pub top: i32,
    pub width: u32,
    pub height: u32,
    /// In pixels; 0 where there is no text.
    pub font: u32,
    pub colour: Colour,
    /// The most frequent colour of its rectangle in the picture.
    pub background: Colour,
    /// Empty for a control, picture or rule.
    pub text: String,
}

/// Red, green and blue, as in sRGB.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Colour(pub [u8; 3]);

/// A layout that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the layout: expected {expected}")]
pub struct BadLayout {
    /// From 1.
    pub line: usize,
    pub expected: &'static str,
}

impl Block {
    /// In square pixels.
    pub fn area(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)?;
        for block in &self.blocks {
            let Block { left, top, width, height, font, colour, background, text } = block;
            write!(f, "\n{left} {top} {width} {height} {font} {colour} {background}")?;
            for word in text.split_whitespace() {
                write!(f, " {word}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for Layout {
    type Err = BadLayout;

    fn from_str(text: &str) -> Result<Self, BadLayout> {
        let mut lines = text.lines();
        let (width, height) = lines
            .next()
            .and_then(|size| size.split_once('x'))
            .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)))
            .ok_or(BadLayout { line: 1, expected: "the size of the page, e.g. 1280x1326" })?;
        let blocks = lines.zip(2..).map(|(line, at)| {
            block(line).ok_or(BadLayout {
                line: at,
                expected: "left, top, width, height, font size, colour, background and text",
            })
        });
        let blocks: Vec<_> = blocks.collect::<Result<_, _>>()?;
        match blocks.len() <= MOST_BLOCKS {
            true => Ok(Layout { width, height, blocks }),
            false => Err(BadLayout { line: MOST_BLOCKS + 2, expected: "at most 1,000 blocks" }),
        }
    }
}

fn block(line: &str) -> Option<Block> {
    let mut words = line.splitn(8, ' ');
    let mut next = || words.next();
    Some(Block {
        left: next()?.parse().ok()?,
        top: next()?.parse().ok()?,
        width: next()?.parse().ok()?,
        height: next()?.parse().ok()?,
        font: next()?.parse().ok()?,
        colour: colour(next()?)?,
        background: colour(next()?)?,
        text: next().unwrap_or_default().to_owned(),
    })
}

fn colour(word: &str) -> Option<Colour> {
    let digits = word.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    // `from_str_radix` takes a sign.
    let digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(digits)?;
    let value = u32::from_str_radix(digits, 16).ok()?;
    let [_, red, green, blue] = value.to_be_bytes();
    Some(Colour([red, green, blue]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "640x480\n-4 80 400 32 16 #1a1a1a #ffffff Sign in now\n0 0 1 1 0 #000000 #0000ff";

    #[test]
    fn a_layout_is_written_as_it_was_read() {
        let layout: Layout = TEXT.parse().expect("two blocks");
        assert_eq!(layout.to_string(), TEXT);
        assert_eq!(layout.blocks[0].left, -4);
        assert_eq!(layout.blocks[0].text, "Sign in now");
        assert_eq!(layout.blocks[1].background, Colour([0, 0, 255]));
    }

    #[test]
    fn a_text_on_several_lines_stays_one_block() {
        let mut layout: Layout = TEXT.parse().expect("two blocks");
        layout.blocks[0].text = "one\n0 0 9 9 9 #000000 #000000 two".to_owned();
        let again: Layout = layout.to_string().parse().expect("two blocks");
        assert_eq!(again.blocks.len(), 2);
    }

    #[test]
    fn what_is_no_layout_is_refused_by_line() {
        for (text, line) in [
            ("", 1),
            ("640", 1),
            ("640x-1", 1),
            ("640x480\n1 2 3", 2),
            ("640x480\n1 2 3 4 5 #12345 #000000 x", 2),
            ("640x480\n1 2 3 4 5 #+12345 #000000 x", 2),
            ("640x480\n1 2 3 4 5 #000000 #000000 x\n", 0),
        ] {
            let error = text.parse::<Layout>().err().map_or(0, |error| error.line);
            assert_eq!(error, line, "{text:?}");
        }
        let many = format!("640x480{}", "\n1 2 3 4 5 #000000 #000000 x".repeat(1_001));
        assert_eq!(many.parse::<Layout>().map_err(|error| error.line), Err(1_002));
    }
}
