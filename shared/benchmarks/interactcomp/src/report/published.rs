//! What the paper prints of its two studies (specification 8, Tables 4 and A2), as curves beside one's own: mean asks, accuracy
//! and calibration error of four models over 50 questions, one run each.

use crate::published::{Study as Row, TABLE_4, TABLE_A2};
use crate::settings::{FORCED, SCALING};
use turnwise_core::prelude::*;

/// What a reader must know about these points, of the scaling and of the forced study.
pub(super) const ABOUT: [&str; 2] = [
    "The paper's Table 4: one run each over 50 questions of its own choice, graded by its grader.",
    "The paper's Table A2: one run each over 50 questions of its own choice. Its rows have no label; that they are 2, 4, 6, 8 \
     and 10 asks follows from their order, and the round limit is not stated.",
];

/// The curves of accuracy, calibration error and asks, in this order.
pub(super) fn curves(forced: bool) -> [Vec<Curve>; 3] {
    let rows: Vec<(&str, &[u32], &[Row])> = match forced {
        true => TABLE_A2
            .iter()
            .map(|(name, rows)| (*name, FORCED.as_slice(), rows.as_slice()))
            .collect(),
        false => TABLE_4
            .iter()
            .map(|(name, rows)| (*name, SCALING.as_slice(), rows.as_slice()))
            .collect(),
    };
    let of = |height: fn(&Row) -> f64| {
        let curve = |(name, values, rows): &(&str, &[u32], &[Row])| {
            let points = values.iter().zip(*rows);
            Curve::new(*name, points.map(|(x, row)| Point::at(f64::from(*x), height(row))))
        };
        rows.iter().map(curve).collect::<Vec<_>>()
    };
    [of(|row| row.1 / 100.0), of(|row| row.2 / 100.0), of(|row| row.0)]
}
