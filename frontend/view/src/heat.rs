//! Colours of a matrix: which side of its middle a number lies on, and how far from it.

use turnwise_shared::metrics::report::{Matrix, Unit};

/// Columns that still have room for a number in each cell.
const NUMBERED: usize = 13;

/// The range of a matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    pub low: f64,
    pub high: f64,
    /// Where colours part; `None` where they only grow stronger from the least to the greatest.
    pub centre: Option<f64>,
}

/// The colour of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tint {
    /// Whether it is the colour of what lies below the middle.
    pub below: bool,
    /// How strong it is, 0 to 1.
    pub strength: f64,
}

impl Scale {
    /// The range of a matrix; `None` if it holds no number.
    pub fn of(matrix: &Matrix) -> Option<Self> {
        let numbers = matrix.cells.iter().flatten().flatten().copied();
        let (low, high) = numbers
            .filter(|number| number.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
                (low.min(number), high.max(number))
            });
        let (low, high) = match (matrix.unit, matrix.centre) {
            _ if low > high => return None,
            // Shares have one scale everywhere, so that matrices can be compared.
            (Unit::Fraction, None) => (low.min(0.0), high.max(1.0)),
            _ => (low, high),
        };
        Some(Scale { low, high, centre: matrix.centre })
    }

    /// The colour of a number. Both sides of the middle are measured by the same length, so that equal colours are equally far.
    pub fn tint(&self, value: f64) -> Tint {
        let (from, reach) = match self.centre {
            Some(centre) => (centre, (self.high - centre).max(centre - self.low)),
            None => (self.low, self.high - self.low),
        };
        let distance = value - from;
        Tint {
            below: self.centre.is_some() && distance < 0.0,
            strength: if reach > 0.0 { (distance.abs() / reach).min(1.0) } else { 0.0 },
        }
    }
}

/// Whether there is room for a number in each cell.
pub fn has_room(matrix: &Matrix) -> bool {
    matrix.columns.len() <= NUMBERED
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(cells: Vec<Vec<Option<f64>>>, centre: Option<f64>) -> Matrix {
        Matrix {
            title: "t".into(),
            about: String::new(),
            unit: Unit::Chips,
            rows: vec!["a".into(); cells.len()],
            columns: vec!["a".into(); cells[0].len()],
            cells,
            centre,
        }
    }

    #[test]
    fn colours_part_at_the_centre() {
        let matrix = matrix(vec![vec![None, Some(-50.0)], vec![Some(100.0), None]], Some(0.0));
        let scale = Scale::of(&matrix).expect("it has numbers");
        assert_eq!(scale.tint(-50.0), Tint { below: true, strength: 0.5 });
        assert_eq!(scale.tint(100.0).strength, 1.0);
        assert_eq!(scale.tint(0.0).strength, 0.0);
        assert!(has_room(&matrix));
    }

    #[test]
    fn without_a_centre_colours_grow() {
        let all = matrix(vec![vec![Some(0.2), Some(0.7)]], None);
        let scale = Scale::of(&all).expect("it has numbers");
        assert_eq!(scale.tint(0.2), Tint { below: false, strength: 0.0 });
        assert_eq!(scale.tint(0.7).strength, 1.0);
        let one = matrix(vec![vec![Some(3.0)]], None);
        assert_eq!(Scale::of(&one).expect("it has a number").tint(3.0).strength, 0.0);
        assert_eq!(Scale::of(&matrix(vec![vec![None]], None)), None);
        let mut shares = matrix(vec![vec![Some(1.0), Some(1.0)]], None);
        shares.unit = Unit::Fraction;
        let tint = Scale::of(&shares).expect("it has a number").tint(1.0);
        assert_eq!(tint.strength, 1.0, "all of it is much, not nothing");
    }
}
