//! The geometry of the plots, in CSS pixels, y downwards.

use turnwise_shared::metrics::report::Bin;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// Where fractions 0 to 1 lie on a square field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    /// Left edge of the field.
    pub left: f64,
    /// Upper edge of the field.
    pub top: f64,
    pub side: f64,
}

impl Field {
    /// Where a fraction lies from left to right.
    pub fn x(&self, fraction: f64) -> f64 {
        self.left + self.side * fraction.clamp(0.0, 1.0)
    }

    /// Where a fraction lies from bottom to top.
    pub fn y(&self, fraction: f64) -> f64 {
        self.top + self.side * (1.0 - fraction.clamp(0.0, 1.0))
    }
}

/// One bin of a reliability diagram.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BinShape {
    /// The share that was correct, from the bottom.
    pub correct: Rect,
    /// From there up to the mean stated confidence, where that claims more than was true; else of no height.
    pub gap: Rect,
    /// Where the mean stated confidence lies, from bottom to top.
    pub stated: f64,
    /// How many rows the bin has, as a bar under the field: 0 to 1 of the highest.
    pub share: f64,
}

/// The bins that hold something.
pub fn reliability(bins: &[Bin], field: Field) -> Vec<BinShape> {
    let most = bins.iter().map(|bin| bin.n).max().unwrap_or(0);
    bins.iter()
        .filter(|bin| bin.n > 0)
        .map(|bin| {
            let (x, end) = (field.x(bin.from), field.x(bin.to));
            let (x, width) = (x + 1.0, (end - x - 2.0).max(1.0));
            let (correct, stated) = (field.y(bin.accuracy), field.y(bin.confidence));
            let rect =
                |from: f64, to: f64| Rect { x, y: from.min(to), width, height: (from - to).abs() };
            BinShape {
                correct: rect(field.y(0.0), correct),
                gap: rect(correct, stated.min(correct)),
                stated,
                share: f64::from(bin.n) / f64::from(most.max(1)),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELD: Field = Field { left: 40.0, top: 10.0, side: 200.0 };

    #[test]
    fn fractions_lie_where_they_should() {
        assert_eq!((FIELD.x(0.0), FIELD.x(1.0)), (40.0, 240.0));
        assert_eq!((FIELD.y(0.0), FIELD.y(1.0)), (210.0, 10.0));
        assert_eq!(FIELD.x(1.7), 240.0);
    }

    #[test]
    fn the_gap_lies_between_what_was_true_and_what_was_said() {
        let bin = |from, to, n, confidence, accuracy| Bin { from, to, n, confidence, accuracy };
        let shapes = reliability(
            &[
                bin(0.0, 0.5, 0, 0.0, 0.0),
                bin(0.5, 0.75, 2, 0.6, 0.8),
                bin(0.75, 1.0, 4, 0.9, 0.25),
            ],
            FIELD,
        );
        assert_eq!(shapes.len(), 2, "empty bins are not drawn");
        let over = &shapes[1];
        assert_eq!(over.share, 1.0);
        assert_eq!(over.correct.y, 160.0);
        assert_eq!(over.correct.height, 50.0);
        assert_eq!(over.gap.y, FIELD.y(0.9));
        assert!((over.gap.height - 130.0).abs() < 1e-9);
        let under = &shapes[0];
        assert_eq!(under.share, 0.5);
        assert_eq!(under.gap.height, 0.0, "it claims less than was true");
        assert_eq!(under.stated, FIELD.y(0.6));
    }
}
