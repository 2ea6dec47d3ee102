//! Pictures by reference (ARCHITECTURE.md, rule 42): messages, tasks and replies name a PNG, whose bytes are kept by digest elsewhere.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::hash::Digest;

/// A PNG by its digest and sizes, written `png 1280x1326 115999 DIGEST`: width and height in pixels, then bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PictureRef {
    /// SHA-256 of the bytes.
    pub digest: Digest,
    /// Pixels, from 1 to [`PictureRef::MOST_PIXELS`].
    pub width: u32,
    /// Pixels, likewise.
    pub height: u32,
    /// At most [`PictureRef::MOST_BYTES`].
    pub bytes: u32,
}

as_text!(PictureRef);

/// Why something is no picture that can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPicture {
    #[error("expected a picture as `png WIDTHxHEIGHT BYTES DIGEST`, got {0:?}")]
    Reference(String),
    #[error("it is not a whole PNG file")]
    NotPng,
    #[error(
        "a picture has at most {} pixels a side and {} bytes, got {width} x {height} and {bytes}",
        PictureRef::MOST_PIXELS,
        PictureRef::MOST_BYTES
    )]
    TooLarge { width: u32, height: u32, bytes: usize },
    #[error("expected the picture {wanted}, got {got}")]
    Other { wanted: PictureRef, got: PictureRef },
}

/// Bytes of pictures by digest.
pub type Pictures = BTreeMap<Digest, Vec<u8>>;

pub static NONE: Pictures = BTreeMap::new();

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

impl PictureRef {
    pub const MEDIA: &str = "image/png";

    /// The most pixels of a side: models take no more.
    pub const MOST_PIXELS: u32 = 8_000;

    /// The most bytes: in base64 a picture has to stay below the 5 MB that services take.
    pub const MOST_BYTES: usize = 3_700_000;

    /// The reference of a PNG. Its chunks are walked; what they hold is not decoded.
    ///
    /// # Errors
    /// If it is no PNG, cut off, or too large.
    pub fn of(png: &[u8]) -> Result<Self, BadPicture> {
        let (width, height) = size(png).ok_or(BadPicture::NotPng)?;
        let picture = PictureRef { digest: Digest::of(png), width, height, bytes: 0 };
        picture.bounded(png.len())
    }

    /// Checks that bytes are those of this picture.
    ///
    /// # Errors
    /// What they are instead.
    pub fn check(&self, png: &[u8]) -> Result<(), BadPicture> {
        match PictureRef::of(png)? {
            got if got == *self => Ok(()),
            got => Err(BadPicture::Other { wanted: *self, got }),
        }
    }

    /// The most tokens that a model may count for it.
    pub fn most_tokens(&self) -> u64 {
        (u64::from(self.width) * u64::from(self.height)).div_ceil(256) + 1_000
    }

    /// The name of its file in a folder or an archive.
    pub fn file_name(&self) -> String {
        format!("{}.png", self.digest)
    }

    fn bounded(mut self, bytes: usize) -> Result<Self, BadPicture> {
        let PictureRef { width, height, .. } = self;
        let sides = 1..=PictureRef::MOST_PIXELS;
        if bytes > PictureRef::MOST_BYTES || !sides.contains(&width) || !sides.contains(&height) {
            return Err(BadPicture::TooLarge { width, height, bytes });
        }
        self.bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        Ok(self)
    }
}

/// The bytes of a picture as services, pages and logs take them in a text.
pub fn base64(png: &[u8]) -> String {
    STANDARD.encode(png)
}

/// An address that holds a picture, whose bytes are given in [`base64`].
pub fn data_url(base64: &str) -> String {
    format!("data:{};base64,{base64}", PictureRef::MEDIA)
}

/// Width and height of a PNG whose chunks are whole, from `IHDR` to `IEND` at its end.
fn size(png: &[u8]) -> Option<(u32, u32)> {
    let mut rest = png.strip_prefix(SIGNATURE)?;
    let mut size = None;
    loop {
        let length = u32::from_be_bytes(*rest.first_chunk()?);
        let name = rest.get(4..8)?;
        let data = rest.get(8..)?.get(..usize::try_from(length).ok()?)?;
        // A checksum of four bytes follows.
        rest = rest.get(12 + data.len()..)?;
        let (width, height) = match size {
            Some(size) => size,
            None if name == b"IHDR" && length == 13 => {
                let side = |at| data.get(at..)?.first_chunk().copied().map(u32::from_be_bytes);
                (side(0)?, side(4)?)
            }
            None => return None,
        };
        if name == b"IEND" {
            return rest.is_empty().then_some((width, height));
        }
        size = Some((width, height));
    }
}

impl fmt::Display for PictureRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PictureRef { digest, width, height, bytes } = self;
        write!(f, "png {width}x{height} {bytes} {digest}")
    }
}

impl FromStr for PictureRef {
    type Err = BadPicture;

    fn from_str(text: &str) -> Result<Self, BadPicture> {
        let parts = || {
            let (size, rest) = text.strip_prefix("png ")?.split_once(' ')?;
            let ((width, height), (bytes, digest)) = (size.split_once('x')?, rest.split_once(' ')?);
            let (width, height) = (width.parse().ok()?, height.parse().ok()?);
            let picture = PictureRef { digest: digest.parse().ok()?, width, height, bytes: 0 };
            Some((picture, bytes.parse().ok()?))
        };
        let bad = || BadPicture::Reference(text.chars().take(120).collect());
        let (picture, bytes) = parts().ok_or_else(bad)?;
        // One picture is written in one way: its text is hashed.
        picture.bounded(bytes).and_then(|picture| match picture.to_string() == text {
            true => Ok(picture),
            false => Err(bad()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The head and the end of a PNG of this size, without its pixels.
    fn blank_png(width: u32, height: u32) -> Vec<u8> {
        let mut png = SIGNATURE.to_vec();
        let mut chunk = |name: &[u8], data: &[u8]| {
            png.extend(u32::try_from(data.len()).unwrap_or(0).to_be_bytes());
            png.extend([name, data, &[0; 4]].concat());
        };
        let sides = [width.to_be_bytes(), height.to_be_bytes()].concat();
        chunk(b"IHDR", &[&sides[..], &[8, 2, 0, 0, 0]].concat());
        chunk(b"IEND", &[]);
        png
    }

    #[test]
    fn a_picture_is_written_in_one_way() {
        let png = blank_png(1280, 1326);
        let picture = PictureRef::of(&png).expect("it is a PNG");
        let text = picture.to_string();
        assert_eq!(text, format!("png 1280x1326 {} {}", png.len(), Digest::of(&png)));
        assert_eq!(text.parse(), Ok(picture));
        assert_eq!(picture.most_tokens(), 6_630 + 1_000);
        let digest = picture.digest.to_string();
        for bad in [
            String::new(),
            text.replace("png", "gif"),
            text.replace("1280", "+1280"),
            text.replace("1280", "01280"),
            text.replace("1280", "0"),
            text.replace("1326", "100000"),
            text.replace(&digest, &digest[1..]),
            text.replace(&digest, &digest.to_uppercase()),
            format!("{text} "),
            format!("png 1x1 {} {digest}", PictureRef::MOST_BYTES + 1),
        ] {
            assert!(bad.parse::<PictureRef>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn bytes_are_a_picture_only_if_they_are_a_whole_png() {
        let png = blank_png(3, 2);
        let picture = PictureRef::of(&png).expect("it is a PNG");
        assert_eq!(picture.check(&png), Ok(()));
        for end in 0..png.len() {
            assert_eq!(PictureRef::of(&png[..end]), Err(BadPicture::NotPng), "{end} bytes");
        }
        let longer = [&png[..], b"<html>"].concat();
        assert_eq!(PictureRef::of(&longer), Err(BadPicture::NotPng));
        assert_eq!(PictureRef::of(b"GIF89a"), Err(BadPicture::NotPng));
        let huge = PictureRef::of(&blank_png(10_000, 10_000));
        assert!(matches!(huge, Err(BadPicture::TooLarge { .. })), "100 megapixels: {huge:?}");
        let other = picture.check(&blank_png(2, 3));
        assert!(matches!(other, Err(BadPicture::Other { .. })), "{other:?}");
    }
}
