//! What the paper prints of its two studies (specification 8, Tables 4 and A2): mean asks, accuracy and calibration error of
//! four models over 50 questions, one run each.

use crate::benchmarks::interactcomp::settings::{FORCED, SCALING};
use crate::metrics::report::{Curve, Point};

/// Asks, accuracy in percent, calibration error in percent.
type Row = (f64, f64, f64);

/// Table 4: at round limits 5, 10 and 20.
const SCALED: [(&str, [Row; 3]); 4] = [
    (
        "GPT-5",
        [(1.14, 14.0, 71.5), (1.76, 16.0, 71.54), (1.9, 20.0, 70.06)],
    ),
    (
        "DeepSeek-V3.1",
        [(0.38, 10.0, 77.0), (0.74, 8.0, 80.3), (1.54, 10.0, 75.2)],
    ),
    (
        "Claude-Sonnet-4",
        [(0.16, 6.0, 79.9), (0.7, 4.0, 80.24), (0.78, 8.0, 81.84)],
    ),
    (
        "GPT-4o-mini",
        [(2.0, 4.0, 49.5), (3.62, 8.0, 47.6), (2.76, 8.0, 33.2)],
    ),
];

/// Table A2, its five rows without a label: minimum asks 2, 4, 6, 8 and 10, by their order.
const FORCED_ROWS: [(&str, [Row; 5]); 4] = [
    (
        "GPT-5",
        [
            (4.4, 24.0, 63.34),
            (6.1, 20.0, 69.02),
            (8.32, 32.0, 54.68),
            (9.4, 40.0, 48.2),
            (11.56, 40.0, 46.86),
        ],
    ),
    (
        "DeepSeek-V3.1",
        [
            (5.4, 20.0, 62.3),
            (6.68, 22.0, 52.6),
            (9.26, 22.0, 61.3),
            (10.82, 16.0, 66.4),
            (12.62, 24.0, 61.2),
        ],
    ),
    (
        "Claude-Sonnet-4",
        [
            (3.12, 12.0, 75.8),
            (4.26, 12.0, 76.9),
            (6.1, 10.0, 76.0),
            (8.02, 16.0, 69.1),
            (10.46, 18.0, 68.4),
        ],
    ),
    (
        "GPT-4o-mini",
        [
            (14.5, 4.0, 65.5),
            (16.5, 4.0, 69.7),
            (14.88, 2.0, 62.6),
            (11.18, 6.0, 56.1),
            (14.92, 2.0, 66.7),
        ],
    ),
];

/// What a reader must know about these points, of the scaling and of the forced study.
pub(super) const ABOUT: [&str; 2] = [
    "The paper's Table 4: one run each over 50 questions of its own choice, graded by its grader.",
    "The paper's Table A2: one run each over 50 questions of its own choice. Its rows have no label; that they are 2, 4, 6, 8 \
     and 10 asks follows from their order, and the round limit is not stated.",
];

/// The curves of accuracy, calibration error and asks, in this order.
pub(super) fn curves(forced: bool) -> [Vec<Curve>; 3] {
    let rows: Vec<(&str, &[u32], &[Row])> = match forced {
        true => FORCED_ROWS
            .iter()
            .map(|(name, rows)| (*name, FORCED.as_slice(), rows.as_slice()))
            .collect(),
        false => SCALED
            .iter()
            .map(|(name, rows)| (*name, SCALING.as_slice(), rows.as_slice()))
            .collect(),
    };
    let of = |height: fn(&Row) -> f64| {
        let curve = |(name, values, rows): &(&str, &[u32], &[Row])| Curve {
            name: (*name).to_owned(),
            points: values
                .iter()
                .zip(*rows)
                .map(|(value, row)| Point {
                    x: f64::from(*value),
                    y: height(row),
                    interval: None,
                    n: None,
                })
                .collect(),
        };
        rows.iter().map(curve).collect::<Vec<_>>()
    };
    [
        of(|row| row.1 / 100.0),
        of(|row| row.2 / 100.0),
        of(|row| row.0),
    ]
}
