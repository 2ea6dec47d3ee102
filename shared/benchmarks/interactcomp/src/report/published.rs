//! What the paper prints of its two studies (specification 8, Tables 4 and A2), as curves beside one's own: mean asks, accuracy
//! and calibration error of four models over 50 questions, one run each.

use crate::boards::PUBLISHED;
use crate::numbers::{ACCURACY, CALIBRATION_ERROR};
use turnwise_core::board::published::Condition;
use turnwise_core::prelude::*;

/// What a reader must know about these points, of the scaling and of the forced study.
pub(super) const ABOUT: [&str; 2] = [
    "The paper's Table 4: one run each over 50 questions of its own choice, graded by its grader.",
    "The paper's Table A2: one run each over 50 questions of its own choice. Its rows have no label; that they are 2, 4, 6, 8 \
     and 10 asks follows from their order, and the round limit is not stated.",
];

/// The curves of accuracy, calibration error and asks, in this order.
pub(super) fn curves(forced: bool) -> [Vec<Curve>; 3] {
    let x = if forced { "least" } else { "limit" };
    let heights = [(ACCURACY.key, 100.0), (CALIBRATION_ERROR.key, 100.0), ("asks", 1.0)];
    let mut all: [Vec<Curve>; 3] = Default::default();
    Condition::read_all(PUBLISHED, |row, numbers| {
        let Some(x) = numbers.get(x) else { return };
        for (curves, (key, whole)) in all.iter_mut().zip(heights) {
            let point = Point::at(*x, numbers[key] / whole);
            match curves.iter_mut().find(|curve| curve.name == row.name) {
                Some(curve) => curve.points.push(point),
                None => curves.push(Curve::new(row.name.as_str(), [point])),
            }
        }
    });
    all
}
