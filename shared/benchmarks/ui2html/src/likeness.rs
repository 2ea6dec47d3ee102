//! How like two pages are, from their layouts alone, without a judge.
//!
//! Each block of the target is matched with at most one of the attempt so that the sum of what they have in common is largest:
//!
//! ```text
//! likeness = Σ (area_t + area_a) · text · exp(−d / 0.25) · colour · background · √(smaller area / larger area)  /  Σ all areas
//! ```
//!
//! *text* is Dice's coefficient of letter pairs, *d* the larger of the distances of the centres in shares of the page's width
//! and height, *colour* and *background* are 1 − ΔE00 / 100. As a maximum over matchings it falls only where the blocks become less
//! alike. Beside it stand four measures named after Design2Code (arXiv 2403.03163, without its neural CLIP): means over matched blocks.

mod text;

use palette::color_difference::Ciede2000;
use palette::{IntoColor, Lab, Srgb};
use pathfinding::kuhn_munkres::kuhn_munkres;
use pathfinding::matrix::Matrix;
use serde::{Deserialize, Serialize};
use turnwise_core::layout::{Block, Colour, Layout};

use text::Pairs;

/// The distance, in shares of the page, at which a block has 1/e of its credit left.
const REACH: f64 = 0.25;
/// Design2Code drops matched blocks whose texts have less in common.
const LEAST_TEXT: f64 = 0.5;
/// The largest ΔE00.
const FARTHEST: f64 = 100.0;
/// Credits are matched as whole numbers, so that every machine finds the same matching.
const FINENESS: f64 = 1_000.0;

/// How like an attempt is to a target: five numbers from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Likeness {
    pub likeness: f64,
    /// The share of the area of all blocks that lies in matched ones.
    pub block_match: f64,
    /// How much of the letters of matched blocks is the same.
    pub text: f64,
    /// 1 less the distance of the centres of matched blocks.
    pub position: f64,
    /// How near the colours of matched texts are.
    pub colour: f64,
}

impl Likeness {
    /// Of a page with itself.
    pub const EQUAL: Likeness =
        Likeness { likeness: 1.0, block_match: 1.0, text: 1.0, position: 1.0, colour: 1.0 };

    /// Compares an attempt with its target. Two pages without a block are alike.
    pub fn of(target: &Layout, attempt: &Layout) -> Self {
        let (targets, attempts) = (Seen::all(target), Seen::all(attempt));
        let areas: u64 = targets.iter().chain(&attempts).map(|seen| seen.block.area()).sum();
        if areas == 0 {
            return Likeness::EQUAL;
        }
        let size = [f64::from(target.width.max(1)), f64::from(target.height.max(1))];
        let shared = |at: usize, to: usize| Shared::of(&targets[at], &attempts[to], size);
        let (credit, pairs) =
            matching(targets.len(), attempts.len(), |at, to| shared(at, to).credit);
        let matched: Vec<_> = pairs
            .into_iter()
            .map(|(at, to)| shared(at, to))
            .filter(|shared| shared.text >= LEAST_TEXT)
            .collect();
        let mean = |part: fn(&Shared) -> f64| match matched.len() {
            0 => 0.0,
            count => matched.iter().map(part).sum::<f64>() / count as f64,
        };
        let areas = areas as f64;
        Likeness {
            likeness: (credit as f64 / FINENESS / areas).min(1.0),
            block_match: matched.iter().map(|shared| shared.area).sum::<f64>() / areas,
            text: mean(|shared| shared.text),
            position: mean(|shared| shared.position),
            colour: mean(|shared| shared.colour),
        }
    }
}

/// A block with what its comparisons have in common.
struct Seen<'a> {
    block: &'a Block,
    centre: [f64; 2],
    pairs: Pairs,
    colour: Lab,
    background: Lab,
}

impl<'a> Seen<'a> {
    /// Blocks without area count nothing.
    fn all(layout: &'a Layout) -> Vec<Self> {
        let blocks = layout.blocks.iter().filter(|block| block.area() > 0);
        blocks.map(Self::of).collect()
    }

    fn of(block: &'a Block) -> Self {
        let middle = |from: i32, length: u32| f64::from(from) + f64::from(length) / 2.0;
        Seen {
            block,
            centre: [middle(block.left, block.width), middle(block.top, block.height)],
            pairs: Pairs::of(&block.text),
            colour: lab(block.colour),
            background: lab(block.background),
        }
    }
}

/// What two blocks have in common.
struct Shared {
    area: f64,
    text: f64,
    position: f64,
    colour: f64,
    /// What the pair adds to the likeness, times [`FINENESS`].
    credit: i64,
}

impl Shared {
    fn of(target: &Seen<'_>, attempt: &Seen<'_>, size: [f64; 2]) -> Self {
        let [x, y] = [0, 1].map(|at| (target.centre[at] - attempt.centre[at]).abs() / size[at]);
        let distance = x.max(y);
        let (one, other) = (target.block.area() as f64, attempt.block.area() as f64);
        let text = target.pairs.dice(&attempt.pairs);
        let colour = near(target.colour, attempt.colour);
        let alike = text
            * libm::exp(-distance / REACH)
            * colour
            * near(target.background, attempt.background)
            * (one.min(other) / one.max(other)).sqrt();
        Shared {
            area: one + other,
            text,
            position: (1.0 - distance).max(0.0),
            colour,
            credit: ((one + other) * alike * FINENESS).round() as i64,
        }
    }
}

fn lab(colour: Colour) -> Lab {
    let [red, green, blue] = colour.0;
    Srgb::new(red, green, blue).into_format::<f32>().into_linear().into_color()
}

fn near(one: Lab, other: Lab) -> f64 {
    (1.0 - f64::from(one.difference(other)) / FARTHEST).max(0.0)
}

/// The largest sum of credits, and who is matched with whom.
fn matching(
    targets: usize,
    attempts: usize,
    credit: impl Fn(usize, usize) -> i64,
) -> (i64, Vec<(usize, usize)>) {
    if targets == 0 || attempts == 0 {
        return (0, Vec::new());
    }
    // There must be at least as many columns as rows.
    let is_turned = targets > attempts;
    let (rows, columns) = if is_turned { (attempts, targets) } else { (targets, attempts) };
    let turn = |(row, column)| if is_turned { (column, row) } else { (row, column) };
    let weights = Matrix::from_fn(rows, columns, |place| {
        let (at, to) = turn(place);
        credit(at, to)
    });
    let (sum, found) = kuhn_munkres(&weights);
    (sum, found.into_iter().enumerate().map(turn).collect())
}

#[cfg(test)]
mod tests;
