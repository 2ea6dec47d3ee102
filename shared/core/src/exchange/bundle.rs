//! All transcripts of a run in one file, byte for byte: JSON lines, a head, then a line a transcript with its file name and its
//! exact text, and a line a picture. What is read back can be measured, replayed and exported as if it had never left.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::json;

use crate::key::EpisodeKey;
use crate::picture::{PictureRef, Pictures, base64};
use crate::spec::Spec;
use crate::transcript;

/// The form of such a file, as its head names it.
const FORM: &str = "turnwise-transcripts/1";

/// Why a file is no bundle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadBundle {
    /// Its first line is no head.
    #[error("it does not begin as all transcripts of a run in one file do")]
    NoHead,
    /// There is nothing behind the head.
    #[error("there are no transcripts in it")]
    Empty,
    /// A line that cannot be read, counted from 1.
    #[error("line {line}: {why}")]
    Line { line: usize, why: String },
}

/// The first line, with its line break: whose transcripts these are, and the canary of an encrypted set.
pub fn head(run: &str, spec: Option<&Spec>, canary: Option<&str>) -> String {
    let mut head = json!({ "bundle": FORM, "run": run, "spec": spec });
    if let Some(canary) = canary {
        head["canary"] = json!(canary);
    }
    format!("{head}\n")
}

/// The line of a transcript, with its line break.
pub fn line(episode: &EpisodeKey, text: &str) -> String {
    let line = json!({ "file": episode.file_name(), "text": text });
    format!("{line}\n")
}

/// The line of a picture that transcripts name, with its line break.
pub fn picture(png: &[u8]) -> String {
    format!("{}\n", json!({ "base64": base64(png) }))
}

/// With what the line of a picture begins.
const PICTURE: &str = r#"{"base64":"#;

#[derive(Deserialize)]
struct Head {
    bundle: String,
}

#[derive(Deserialize)]
struct Line {
    file: String,
    text: String,
}

#[derive(Deserialize)]
struct Png {
    base64: String,
}

/// The pictures of a bundle, each a whole PNG.
///
/// # Errors
/// [`BadBundle`] with the first line that is wrong.
pub fn pictures(text: &str) -> Result<Pictures, BadBundle> {
    let mut all = Pictures::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| line.starts_with(PICTURE)) {
        let bad = |why: String| BadBundle::Line { line: at + 1, why };
        let Png { base64 } = serde_json::from_str(line).map_err(|error| bad(error.to_string()))?;
        let png = STANDARD.decode(base64).map_err(|error| bad(error.to_string()))?;
        let picture = PictureRef::of(&png).map_err(|error| bad(error.to_string()))?;
        all.insert(picture.digest, png);
    }
    Ok(all)
}

/// The transcripts of a bundle, each sound in itself.
///
/// # Errors
/// [`BadBundle`] with the first line that is wrong.
pub fn read(text: &str) -> Result<BTreeMap<EpisodeKey, String>, BadBundle> {
    let mut lines = text.lines().enumerate();
    let head = lines.next().map(|(_, head)| serde_json::from_str(head));
    match head {
        Some(Ok(Head { bundle })) if bundle == FORM => {}
        _ => return Err(BadBundle::NoHead),
    }
    let mut all = BTreeMap::new();
    for (at, line) in
        lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with(PICTURE))
    {
        let bad = |why: String| BadBundle::Line { line: at + 1, why };
        let Line { file, text } =
            serde_json::from_str(line).map_err(|error| bad(error.to_string()))?;
        let episode: EpisodeKey = file
            .strip_suffix(".jsonl")
            .and_then(|name| name.parse().ok())
            .ok_or_else(|| bad(format!("{file:?} names no transcript")))?;
        transcript::read(&text).map_err(|error| bad(format!("{file}: {error}")))?;
        if all.insert(episode, text).is_some() {
            return Err(bad(format!("{file} is there twice")));
        }
    }
    match all.is_empty() {
        true => Err(BadBundle::Empty),
        false => Ok(all),
    }
}
