//! Transcripts as recipes: long texts within the lines are cut out, the rest is the frame, and both are kept as blobs.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use turnwise_shared::hash::Digest;

use super::StoreError;

/// The most bytes of a blob before it is compressed (ARCHITECTURE.md, rule 14).
pub const LARGEST: usize = 1_000_000;

/// Texts from this size on are cut out: pages that were found, documents, long replies. Below it, saying where one was costs more
/// than storing it twice.
const LONG: usize = 1024;

/// Of which blobs a text is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// What remains when the long texts are cut out, in order.
    frame: Vec<Digest>,
    /// Where in the frame, in bytes, which of them belong; in order.
    holes: Vec<(usize, Digest)>,
}

/// A text as a recipe, and what it is made of.
#[derive(Debug)]
pub struct Packed<'a> {
    pub recipe: Recipe,
    pub blobs: BTreeMap<Digest, Cow<'a, [u8]>>,
}

/// Packs the lines of a transcript.
pub fn pack(text: &str) -> Packed<'_> {
    let bytes = text.as_bytes();
    let mut blobs = BTreeMap::new();
    let mut frame = Vec::with_capacity(bytes.len());
    let mut holes = Vec::new();
    let mut done = 0;
    for (start, end) in strings(bytes) {
        if end - start < LONG {
            continue;
        }
        frame.extend_from_slice(&bytes[done..start]);
        for part in bytes[start..end].chunks(LARGEST) {
            let hash = Digest::of(part);
            holes.push((frame.len(), hash));
            blobs.insert(hash, part.into());
        }
        done = end;
    }
    frame.extend_from_slice(&bytes[done..]);
    let frame = frame
        .chunks(LARGEST)
        .map(|part| {
            let hash = Digest::of(part);
            blobs.insert(hash, part.to_vec().into());
            hash
        })
        .collect();
    Packed { recipe: Recipe { frame, holes }, blobs }
}

/// Where the strings of JSON lines begin and end, without their quotation marks.
fn strings(bytes: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + bytes.get(at..)?.iter().position(|byte| *byte == b'"')? + 1;
        let mut end = start;
        loop {
            match bytes.get(end)? {
                b'"' => break,
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
        at = end + 1;
        Some((start, end))
    })
}

impl Recipe {
    /// The blobs that are needed.
    pub fn needs(&self) -> BTreeSet<Digest> {
        let holes = self.holes.iter().map(|(_, hash)| *hash);
        self.frame.iter().copied().chain(holes).collect()
    }

    /// The text, in bytes.
    ///
    /// # Errors
    /// If a blob is missing.
    pub fn text(&self, blobs: &BTreeMap<Digest, Vec<u8>>) -> Result<Vec<u8>, StoreError> {
        let broken = || StoreError::Unreadable("a packed transcript");
        let find = |hash: &Digest| blobs.get(hash).ok_or_else(broken);
        let mut frame = Vec::new();
        for hash in &self.frame {
            frame.extend_from_slice(find(hash)?);
        }
        let mut text = Vec::with_capacity(frame.len());
        let mut done = 0;
        for (at, hash) in &self.holes {
            text.extend_from_slice(frame.get(done..*at).ok_or_else(broken)?);
            text.extend_from_slice(find(hash)?);
            done = *at;
        }
        text.extend_from_slice(frame.get(done..).ok_or_else(broken)?);
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(text: &str) -> (Packed<'_>, String) {
        let packed = pack(text);
        let kept = packed.blobs.iter().map(|(hash, bytes)| (*hash, bytes.to_vec())).collect();
        let again = packed.recipe.text(&kept).expect("nothing is missing");
        (packed, String::from_utf8(again).expect("it was a text"))
    }

    #[test]
    fn every_text_comes_back_as_it_was() {
        let long = "é\\\"\\\\".repeat(400);
        let huge = "x".repeat(LARGEST + 7);
        for text in [
            String::new(),
            "{\"a\":\"b\"}\n".to_owned(),
            format!("{{\"a\":\"{long}\",\"b\":[\"{long}\",\"{huge}\"]}}\n{{}}\n"),
            // No lines of JSON at all.
            format!("\"{long}"),
            format!("\\\"{long}\" \"\\"),
        ] {
            let (packed, again) = unpacked(&text);
            assert!(again == text, "a text of {} bytes", text.len());
            assert!(packed.blobs.values().all(|blob| blob.len() <= LARGEST));
        }
    }

    #[test]
    fn a_text_that_comes_twice_is_one_blob() {
        let page = "page ".repeat(LONG);
        let text = format!("{{\"found\":[\"{page}\",\"{page}\",\"short\"]}}\n");
        let (packed, _) = unpacked(&text);
        assert_eq!(packed.recipe.holes.len(), 2);
        assert_eq!(packed.blobs.len(), 2, "the page and the frame");
        assert_eq!(packed.recipe.needs().len(), 2);
    }

    #[test]
    fn a_recipe_without_its_blobs_is_an_error() {
        let recipe = pack("{}\n").recipe;
        assert!(recipe.text(&BTreeMap::new()).is_err());
    }
}
