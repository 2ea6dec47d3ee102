//! The blocks of a page, from the browser's snapshot of it and its picture.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;
use tiny_skia::Pixmap;
use turnwise_shared::layout::{Block, Colour, Layout, MOST_BLOCKS};

use super::RenderError;

/// The styles that are asked for, in this order.
pub const STYLES: [&str; 5] =
    ["color", "font-size", "visibility", "background-color", "background-image"];

/// Elements that show something although they have no text.
const DRAWN: [&str; 12] = [
    "IMG", "INPUT", "SELECT", "TEXTAREA", "BUTTON", "HR", "PROGRESS", "METER", "CANVAS", "VIDEO",
    "svg", "IFRAME",
];
/// The most pixels of a block that are counted.
const MOST_COUNTED: u64 = 65_536;
/// The longest text of a block, in characters.
const LONGEST_TEXT: usize = 1_000;

#[derive(Deserialize)]
struct Snapshot {
    documents: Vec<Document>,
    strings: Vec<String>,
}

#[derive(Deserialize)]
struct Document {
    nodes: Nodes,
    layout: Placed,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Nodes {
    parent_index: Vec<i64>,
    node_name: Vec<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Placed {
    node_index: Vec<usize>,
    styles: Vec<Vec<i64>>,
    bounds: Vec<Vec<f64>>,
    text: Vec<i64>,
}

/// The layout of a page as its snapshot and its picture, a PNG file, have it.
pub fn layout(snapshot: &Value, png: &[u8]) -> Result<Layout, RenderError> {
    let snapshot = Snapshot::deserialize(snapshot)
        .map_err(|error| RenderError::Broken(format!("the snapshot of the page: {error}")))?;
    let picture = Pixmap::decode_png(png)
        .map_err(|error| RenderError::Broken(format!("the picture of the page: {error}")))?;
    let mut blocks = Vec::new();
    // The first document is the page; what is in frames lies in coordinates of its own and is part of the frame's block.
    if let Some(document) = snapshot.documents.first() {
        let with_text = with_text(document);
        for at in 0..document.layout.node_index.len() {
            blocks.extend(block(&snapshot.strings, document, at, &with_text, &picture));
        }
    }
    if blocks.len() > MOST_BLOCKS {
        let mut areas: Vec<u64> = blocks.iter().map(Block::area).collect();
        areas.sort_unstable_by(|one, other| other.cmp(one));
        let least = areas[MOST_BLOCKS - 1];
        blocks.retain(|block| block.area() >= least);
        blocks.truncate(MOST_BLOCKS);
    }
    Ok(Layout { width: picture.width(), height: picture.height(), blocks })
}

/// Elements with a text somewhere inside.
fn with_text(document: &Document) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let placed = &document.layout;
    for (node, _) in placed.node_index.iter().zip(&placed.text).filter(|(_, text)| **text >= 0) {
        let parent = |at: &usize| usize::try_from(*document.nodes.parent_index.get(*at)?).ok();
        let mut at = parent(node);
        while let Some(above) = at.filter(|above| found.insert(*above)) {
            at = parent(&above);
        }
    }
    found
}

fn block(
    strings: &[String],
    document: &Document,
    at: usize,
    with_text: &BTreeSet<usize>,
    picture: &Pixmap,
) -> Option<Block> {
    let string = |index: i64| strings.get(usize::try_from(index).ok()?).map(String::as_str);
    let placed = &document.layout;
    let style = |which: usize| string(*placed.styles.get(at)?.get(which)?);
    let node = *placed.node_index.get(at)?;
    let text = placed.text.get(at).copied().and_then(string).unwrap_or_default();
    let text: Vec<&str> = text.split_whitespace().collect();
    let text: String = text.join(" ").chars().take(LONGEST_TEXT).collect();
    // Computed styles are those of elements; a text has those of its parent and says none where it has none.
    let is_text = placed.text.get(at).is_some_and(|text| *text >= 0);
    let name = document.nodes.node_name.get(node).copied().and_then(string).unwrap_or_default();
    let is_filled = style(3).is_some_and(|colour| !is_clear(colour))
        || style(4).is_some_and(|image| image != "none" && !image.is_empty());
    let is_drawn = !is_text
        && (DRAWN.contains(&name) || is_filled && !with_text.contains(&node))
        && !matches!(name, "HTML" | "BODY");
    if style(2) == Some("hidden") || !(is_drawn || is_text && !text.is_empty()) {
        return None;
    }
    let [left, top, width, height] =
        <[f64; 4]>::try_from(placed.bounds.get(at)?.as_slice()).ok()?;
    let mut block = Block {
        left: left.round() as i32,
        top: top.round() as i32,
        width: width.round() as u32,
        height: height.round() as u32,
        font: match is_text {
            true => style(1).and_then(|size| size.trim_end_matches("px").parse::<f64>().ok()),
            false => None,
        }
        .map_or(0, |size| size.round() as u32),
        colour: Colour::default(),
        background: Colour::default(),
        text,
    };
    let seen = Seen::of(&block, picture)?;
    block.background = seen.most_frequent;
    block.colour = match (is_text, style(0).and_then(written)) {
        (true, Some(colour)) => colour,
        (true, None) => seen.farthest(),
        (false, _) => seen.most_frequent,
    };
    Some(block)
}

/// A colour as the browser writes most of them: `rgb(1, 2, 3)` or `rgba(1, 2, 3, 0.5)`.
fn written(colour: &str) -> Option<Colour> {
    let (name, rest) = colour.split_once('(')?;
    let parts = rest.trim_end_matches(')').split(',').map(|part| part.trim().parse::<f64>().ok());
    let parts: Vec<f64> = parts.collect::<Option<_>>()?;
    match (name, parts.as_slice()) {
        ("rgb" | "rgba", [red, green, blue, ..]) => {
            Some(Colour([*red, *green, *blue].map(|part| part.round() as u8)))
        }
        _ => None,
    }
}

fn is_clear(colour: &str) -> bool {
    colour.is_empty()
        || colour == "transparent"
        || colour.starts_with("rgba") && colour.ends_with(", 0)")
}

/// The pixels of a block.
struct Seen {
    counts: BTreeMap<[u8; 3], u32>,
    most_frequent: Colour,
}

impl Seen {
    /// `None` where no pixel of the picture is the block's.
    fn of(block: &Block, picture: &Pixmap) -> Option<Self> {
        let span = |from: i32, length: u32, most: u32| {
            let to = i64::from(from) + i64::from(length.max(1));
            let cut = |at: i64| at.clamp(0, i64::from(most)) as u32;
            cut(i64::from(from))..cut(to)
        };
        let columns = span(block.left, block.width, picture.width());
        let rows = span(block.top, block.height, picture.height());
        let pixels = columns.len() as u64 * rows.len() as u64;
        let step = (pixels as f64 / MOST_COUNTED as f64).sqrt().ceil().max(1.0) as usize;
        let mut counts = BTreeMap::new();
        for row in rows.step_by(step) {
            for pixel in
                columns.clone().step_by(step).filter_map(|column| picture.pixel(column, row))
            {
                *counts.entry([pixel.red(), pixel.green(), pixel.blue()]).or_insert(0) += 1;
            }
        }
        let most =
            counts.iter().max_by_key(|(_, count)| **count).map(|(colour, _)| Colour(*colour));
        most.map(|most_frequent| Seen { counts, most_frequent })
    }

    /// The colour that differs most from the most frequent one.
    fn farthest(&self) -> Colour {
        let apart = |colour: &[u8; 3]| -> u32 {
            let pairs = colour.iter().zip(self.most_frequent.0);
            pairs.map(|(one, other)| u32::from(one.abs_diff(other))).sum()
        };
        self.counts
            .keys()
            .max_by_key(|colour| apart(colour))
            .copied()
            .map_or(self.most_frequent, Colour)
    }
}
