//! Bodies of answers, from bytes to text, the same for models and for search engines: compression and character sets.
//!
//! It is lenient in what does not change the meaning, so that an answer that was paid for is not thrown away for its wrapping.
//! What is unpacked is bounded like what arrives.

use std::borrow::Cow;
use std::io::Read;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};

/// How many times compressed data may be compressed again.
const LAYERS: usize = 3;

/// Why a body could not be unpacked to its end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadBody {
    /// It is compressed in a way that is not known here.
    #[error("is compressed ({0}), which cannot be read; gzip, deflate, br and zstd can")]
    UnknownEncoding(String),
    /// It is damaged, or cut off.
    #[error("is compressed ({0}) and damaged")]
    Damaged(Encoded),
    /// It has more bytes than are allowed.
    #[error("has more than {0} bytes when it is unpacked")]
    TooLarge(usize),
}

/// How bytes are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoded {
    Gzip,
    Zlib,
    /// What some services send under the name `deflate`, without a frame.
    Deflate,
    Brotli,
    Zstd,
}

impl std::fmt::Display for Encoded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Encoded::Gzip => "gzip",
            Encoded::Zlib | Encoded::Deflate => "deflate",
            Encoded::Brotli => "br",
            Encoded::Zstd => "zstd",
        })
    }
}

impl Encoded {
    /// By the first bytes. Brotli and bare deflate have no mark.
    fn by_mark(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x1f, 0x8b, 8, ..] => Some(Encoded::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Encoded::Zstd),
            [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..] => Some(Encoded::Zlib),
            _ => None,
        }
    }

    /// By the name in `content-encoding`, if the bytes can be that: a service that names a compression and sends plain text is
    /// understood, too.
    fn by_name(name: &str, bytes: &[u8]) -> Result<Option<Self>, BadBody> {
        let by_mark = Encoded::by_mark(bytes);
        let is_text = || std::str::from_utf8(bytes).is_ok();
        Ok(match name {
            "" | "identity" | "none" | "utf-8" => None,
            "gzip" | "x-gzip" | "zstd" => by_mark,
            "deflate" => by_mark.or_else(|| (!is_text()).then_some(Encoded::Deflate)),
            "br" => by_mark.or_else(|| (!is_text()).then_some(Encoded::Brotli)),
            _ if by_mark.is_some() => by_mark,
            _ if is_text() => None,
            other => return Err(BadBody::UnknownEncoding(other.chars().take(20).collect())),
        })
    }

    /// What could be unpacked of it, and why that is not all.
    fn unpacked(self, bytes: &[u8], most: usize) -> (Vec<u8>, Option<BadBody>) {
        let mut out = Vec::new();
        let read = match self {
            Encoded::Gzip => gunzip(bytes, most, &mut out),
            Encoded::Zlib => take(ZlibDecoder::new(bytes), most, &mut out),
            Encoded::Deflate => take(DeflateDecoder::new(bytes), most, &mut out),
            Encoded::Brotli => {
                let decoder = brotli_decompressor::Decompressor::new(bytes, 4096);
                take(decoder, most, &mut out)
            }
            Encoded::Zstd => match ruzstd::decoding::StreamingDecoder::new(bytes) {
                Ok(decoder) => take(decoder, most, &mut out),
                Err(_) => Err(std::io::ErrorKind::InvalidData.into()),
            },
        };
        if out.len() > most {
            out.truncate(most);
            return (out, Some(BadBody::TooLarge(most)));
        }
        (out, read.err().map(|_| BadBody::Damaged(self)))
    }
}

/// Reads one byte more than allowed, so that too much is noticed.
fn take(from: impl Read, most: usize, to: &mut Vec<u8>) -> std::io::Result<()> {
    let left = most.saturating_add(1).saturating_sub(to.len());
    let left = u64::try_from(left).unwrap_or(u64::MAX);
    from.take(left).read_to_end(to).map(drop)
}

/// Several members may follow each other; other bytes behind them are passed over.
fn gunzip(mut bytes: &[u8], most: usize, to: &mut Vec<u8>) -> std::io::Result<()> {
    while Encoded::by_mark(bytes) == Some(Encoded::Gzip) && to.len() <= most {
        let mut member = GzDecoder::new(bytes);
        take(&mut member, most, to)?;
        bytes = member.into_inner();
    }
    Ok(())
}

/// Whether a body may be a stream of events, by its headers and its first bytes: it is not when it is compressed, JSON or HTML.
/// `None` if more bytes have to come before that is known.
pub fn may_be_events(headers: &HeaderMap, bytes: &[u8]) -> Option<bool> {
    if encodings(headers).next().is_some_and(|name| !matches!(name.as_str(), "" | "identity")) {
        return Some(false);
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    match bytes {
        [] | [_] | [_, _] => None,
        [b'{' | b'[' | b'<', ..] => Some(false),
        _ => Some(Encoded::by_mark(bytes).is_none()),
    }
}

/// The names in `content-encoding`, the last one that was applied first.
fn encodings(headers: &HeaderMap) -> impl Iterator<Item = String> {
    let all = headers.get_all(CONTENT_ENCODING).iter();
    let names = all.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    let names: Vec<String> = names.map(|name| name.trim().to_ascii_lowercase()).collect();
    names.into_iter().rev()
}

/// The bytes of a body without compression, as its headers or its first bytes show: at most `most`, as far as that goes, and
/// why it is not all.
pub fn unpacked(headers: &HeaderMap, bytes: Vec<u8>, most: usize) -> (Vec<u8>, Option<BadBody>) {
    let mut bytes = bytes;
    let mut names = encodings(headers);
    for _ in 0..LAYERS {
        let encoded = match names.next() {
            Some(name) => match Encoded::by_name(&name, &bytes) {
                Ok(encoded) => encoded,
                Err(bad) => return (bytes, Some(bad)),
            },
            None => Encoded::by_mark(&bytes),
        };
        if let Some(encoded) = encoded {
            let (inner, bad) = encoded.unpacked(&bytes, most);
            if bad.is_some() {
                return (inner, bad);
            }
            bytes = inner;
        }
    }
    (bytes, None)
}

/// The text of a body: its byte-order mark tells the character set, else it is UTF-8 if it can be, else what its header names.
/// What cannot be read becomes U+FFFD.
pub fn text<'a>(headers: &HeaderMap, bytes: &'a [u8]) -> Cow<'a, str> {
    text_or(headers, bytes, UTF_8)
}

/// The same, with the character set of bytes that are no UTF-8 where no header names one.
pub fn text_or<'a>(
    headers: &HeaderMap,
    bytes: &'a [u8],
    unnamed: &'static Encoding,
) -> Cow<'a, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0;
    }
    let encoding = match bytes {
        // JSON and HTML begin with ASCII.
        [0, ascii, ..] if *ascii > 0 => UTF_16BE,
        [ascii, 0, ..] if *ascii > 0 => UTF_16LE,
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => return Cow::Borrowed(text),
            Err(_) => charset(headers).unwrap_or(unnamed),
        },
    };
    encoding.decode_without_bom_handling(bytes).0
}

fn charset(headers: &HeaderMap) -> Option<&'static Encoding> {
    let kind = headers.get(CONTENT_TYPE)?.to_str().ok()?.to_ascii_lowercase();
    let (_, label) = kind.split_once("charset=")?;
    let end = label.find(';').unwrap_or(label.len());
    Encoding::for_label(label[..end].trim().trim_matches(['"', '\'']).as_bytes())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use reqwest::header::HeaderValue;

    use super::*;

    const TEXT: &str = "{\"a\": \"one two one two one two\"}";

    fn headers(name: &'static str, value: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if !value.is_empty() {
            headers.insert(name, HeaderValue::from_static(value));
        }
        headers
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut to = GzEncoder::new(Vec::new(), Compression::fast());
        to.write_all(bytes).expect("memory");
        to.finish().expect("memory")
    }

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut to = ZlibEncoder::new(Vec::new(), Compression::fast());
        to.write_all(bytes).expect("memory");
        to.finish().expect("memory")
    }

    fn deflate(bytes: &[u8]) -> Vec<u8> {
        let mut to = DeflateEncoder::new(Vec::new(), Compression::fast());
        to.write_all(bytes).expect("memory");
        to.finish().expect("memory")
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
    }

    /// A stored block of Brotli: a window of 16 bits, one block of `bytes` as they are, and the end.
    fn brotli(bytes: &[u8]) -> Vec<u8> {
        let length = u32::try_from(bytes.len() - 1).expect("short");
        // Bits from the lowest: window 0; not last 0; 4 nibbles 00; the length in 16 bits; stored 1.
        let head = (length << 4) | (1 << 20);
        let mut out = head.to_le_bytes()[..3].to_vec();
        out.extend_from_slice(bytes);
        out.push(3);
        out
    }

    #[test]
    fn every_compression_is_undone_named_or_not() {
        let text = TEXT.as_bytes();
        for (name, packed, is_marked) in [
            ("gzip", gzip(text), true),
            ("x-gzip", gzip(text), true),
            ("GZIP", gzip(text), true),
            ("deflate", zlib(text), true),
            ("deflate", deflate(text), false),
            ("zstd", zstd(text), true),
            ("br", brotli(text), false),
            ("deflate, gzip", gzip(&zlib(text)), true),
            ("gzip", gzip(&gzip(text)), true),
            ("gzip", [gzip(&text[..9]), gzip(&text[9..])].concat(), true),
            ("gzip", [gzip(text), b"\0\0junk".to_vec()].concat(), true),
            ("br", gzip(text), true),
            ("gzip", text.to_vec(), true),
            ("br", text.to_vec(), true),
            ("something-new", text.to_vec(), true),
        ] {
            let named = headers("content-encoding", name);
            let got = unpacked(&named, packed.clone(), 1000);
            assert_eq!(got, (text.to_vec(), None), "{name}");
            if is_marked {
                let got = unpacked(&HeaderMap::new(), packed, 1000);
                assert_eq!(got, (text.to_vec(), None), "{name}, not named");
            }
        }
    }

    #[test]
    fn what_cannot_be_unpacked_is_named_and_bounded() {
        let none = HeaderMap::new();
        let bomb = vec![b' '; 1_000_000];
        for packed in [gzip(&bomb), zlib(&bomb), zstd(&bomb), gzip(&gzip(&bomb))] {
            let (some, bad) = unpacked(&none, packed, 5000);
            assert_eq!((some.len(), bad), (5000, Some(BadBody::TooLarge(5000))));
        }
        let whole = gzip(TEXT.as_bytes());
        let (_, bad) = unpacked(&none, whole[..whole.len() - 9].to_vec(), 5000);
        assert_eq!(bad, Some(BadBody::Damaged(Encoded::Gzip)));
        let (_, bad) = unpacked(&headers("content-encoding", "br"), vec![0xff; 50], 5000);
        assert_eq!(bad, Some(BadBody::Damaged(Encoded::Brotli)));
        let (_, bad) = unpacked(&headers("content-encoding", "lzma"), vec![0xff; 50], 5000);
        let said = bad.expect("it is not known").to_string();
        assert!(said.contains("(lzma)"), "{said}");
    }

    #[test]
    fn marks_and_character_sets_are_read() {
        let utf_16 = |big: bool| -> Vec<u8> {
            let units = "{\"é\": \"问\"}".encode_utf16();
            units
                .flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
                .collect()
        };
        let plain = "{\"é\": \"问\"}";
        for (kind, bytes, wanted) in [
            ("", plain.as_bytes().to_vec(), plain),
            ("application/json; charset=latin1", plain.as_bytes().to_vec(), plain),
            ("", [b"\xef\xbb\xbf", plain.as_bytes()].concat(), plain),
            ("", [&b"\xff\xfe"[..], &utf_16(false)].concat(), plain),
            ("", [&b"\xfe\xff"[..], &utf_16(true)].concat(), plain),
            ("", utf_16(false), plain),
            ("", utf_16(true), plain),
            ("text/html; charset=ISO-8859-1", b"caf\xe9".to_vec(), "café"),
            ("text/html; charset=\"gbk\"; x=1", b"\xce\xca".to_vec(), "问"),
            ("application/json", b"caf\xe9".to_vec(), "caf\u{fffd}"),
            ("", Vec::new(), ""),
        ] {
            assert_eq!(text(&headers("content-type", kind), &bytes), wanted, "{kind} {bytes:?}");
        }
    }

    #[test]
    fn events_are_known_by_their_beginning() {
        let plain = HeaderMap::new();
        for (bytes, wanted) in [
            (&b""[..], None),
            (b"\xef\xbb\xbf \n", None),
            (b"data: {}", Some(true)),
            (b"\xef\xbb\xbfdata:", Some(true)),
            (b": waiting\n\n", Some(true)),
            (b"  {\"a\"", Some(false)),
            (b"<html>", Some(false)),
            (b"\x1f\x8b\x08\0", Some(false)),
        ] {
            assert_eq!(may_be_events(&plain, bytes), wanted, "{bytes:?}");
        }
        assert_eq!(may_be_events(&headers("content-encoding", "br"), b"data"), Some(false));
    }
}
