//! The geometry of curves: paths, bands, and names at their ends that do not cover each other. CSS pixels, y downwards.

use turnwise_shared::metrics::report::{Plot, Point};

use super::axis::Axis;

/// A field with its axes and the room around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    pub x: Axis,
    pub y: Axis,
    /// The width of the whole picture.
    pub width: f64,
    pub height: f64,
    /// Room on the left for the ticks.
    pub left: f64,
    /// Room on the right for the names.
    pub right: f64,
}

impl Default for Frame {
    fn default() -> Self {
        let axis = || Axis::over([0.0, 1.0], 5);
        Frame { x: axis(), y: axis(), width: 600.0, height: 320.0, left: 64.0, right: 160.0 }
    }
}

/// Room above the field for the title of the axis, and below it for ticks and title.
const ABOVE: f64 = 26.0;
const BELOW: f64 = 44.0;

/// The least distance between two names.
const LINE: f64 = 16.0;

impl Frame {
    /// Left, right, top and bottom of the field.
    pub fn edges(&self) -> (f64, f64, f64, f64) {
        (self.left, self.width - self.right, ABOVE, self.height - BELOW)
    }

    /// Where a value lies from left to right.
    pub fn across(&self, value: f64) -> f64 {
        let (left, right, ..) = self.edges();
        left + (right - left) * self.x.share(value)
    }

    /// Where a value lies from top to bottom.
    pub fn down(&self, value: f64) -> f64 {
        let (_, _, top, bottom) = self.edges();
        bottom - (bottom - top) * self.y.share(value)
    }
}

/// The path of a curve.
pub fn line(points: &[Point], frame: &Frame) -> String {
    points
        .iter()
        .enumerate()
        .map(|(at, point)| {
            let sign = if at == 0 { 'M' } else { 'L' };
            format!("{sign}{:.1} {:.1}", frame.across(point.x), frame.down(point.y))
        })
        .collect()
}

/// The path of a curve that holds its height until the next point.
pub fn steps(points: &[Point], frame: &Frame) -> String {
    let at = |point: &Point| (frame.across(point.x), frame.down(point.y));
    let Some((first, rest)) = points.split_first() else {
        return String::new();
    };
    let (x, y) = at(first);
    let mut path = format!("M{x:.1} {y:.1}");
    for (x, y) in rest.iter().map(at) {
        path.push_str(&format!("H{x:.1}V{y:.1}"));
    }
    path
}

/// The path of the band of a curve's intervals; empty where fewer than two points have one.
pub fn band(points: &[Point], frame: &Frame) -> String {
    let known: Vec<(f64, f64, f64)> = points
        .iter()
        .filter_map(|point| {
            let (low, high) = point.interval?;
            Some((frame.across(point.x), frame.down(low), frame.down(high)))
        })
        .collect();
    if known.len() < 2 {
        return String::new();
    }
    let mut path = String::new();
    for (at, (x, _, high)) in known.iter().enumerate() {
        let sign = if at == 0 { 'M' } else { 'L' };
        path.push_str(&format!("{sign}{x:.1} {high:.1}"));
    }
    for (x, low, _) in known.iter().rev() {
        path.push_str(&format!("L{x:.1} {low:.1}"));
    }
    path.push('Z');
    path
}

/// How high the name of each curve stands: at its last point, moved apart where names would cover each other. `None` for a curve
/// without points.
pub fn ends(plot: &Plot, frame: &Frame, scale: f64) -> Vec<Option<f64>> {
    let (_, _, top, bottom) = frame.edges();
    let mut names: Vec<(usize, f64)> = plot
        .curves
        .iter()
        .enumerate()
        .filter_map(|(at, curve)| Some((at, frame.down(curve.points.last()?.y * scale))))
        .collect();
    names.sort_by(|one, other| one.1.total_cmp(&other.1));
    let mut least = top;
    for name in &mut names {
        name.1 = name.1.max(least);
        least = name.1 + LINE;
    }
    // What was pushed out below is pushed back up.
    let mut most = bottom.max(top + LINE * names.len() as f64 - LINE);
    for name in names.iter_mut().rev() {
        name.1 = name.1.min(most);
        most = name.1 - LINE;
    }
    let mut ends = vec![None; plot.curves.len()];
    for (at, y) in names {
        ends[at] = Some(y);
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::metrics::report::{Column, Curve, Unit};

    fn plot(ends: &[f64]) -> Plot {
        let column = Column::new("x", Unit::Number, "");
        Plot {
            title: "t".into(),
            about: String::new(),
            x: column.clone(),
            y: column,
            curves: ends
                .iter()
                .map(|end| Curve {
                    name: "c".into(),
                    points: vec![Point { x: 0.0, y: *end, interval: None, n: None }],
                })
                .collect(),
        }
    }

    #[test]
    fn steps_hold_until_more_is_spent() {
        let point = |x: f64, y: f64| Point { x, y, interval: None, n: None };
        let frame = Frame::default();
        let (left, right, top, bottom) = frame.edges();
        let path = steps(&[point(0.0, 0.0), point(1.0, 1.0)], &frame);
        assert_eq!(path, format!("M{left:.1} {bottom:.1}H{right:.1}V{top:.1}"));
        assert_eq!(steps(&[], &frame), "");
    }

    #[test]
    fn names_at_the_ends_stay_apart_and_inside() {
        let frame = Frame::default();
        let (_, _, top, bottom) = frame.edges();
        for values in
            [vec![0.5, 0.5, 0.5, 0.5], vec![0.0, 0.0, 0.01], vec![1.0, 1.0, 1.0], vec![0.2, 0.9]]
        {
            let mut all: Vec<f64> =
                ends(&plot(&values), &frame, 1.0).into_iter().flatten().collect();
            all.sort_by(f64::total_cmp);
            assert_eq!(all.len(), values.len());
            assert!(all[0] >= top - 1e-9 && all[all.len() - 1] <= bottom + 1e-9, "{all:?}");
            for pair in all.windows(2) {
                assert!(pair[1] - pair[0] >= LINE - 1e-9, "{all:?}");
            }
        }
        let far = ends(&plot(&[0.0, 1.0]), &frame, 1.0);
        assert_eq!(far, [Some(bottom), Some(top)], "where there is room nothing is moved");
    }

    #[test]
    fn a_band_goes_there_and_back() {
        let frame = Frame::default();
        let point = |x, interval| Point { x, y: 0.5, interval, n: None };
        let none = [point(0.0, None), point(1.0, Some((0.4, 0.6)))];
        assert_eq!(band(&none, &frame), "");
        let some = [point(0.0, Some((0.4, 0.6))), point(1.0, Some((0.4, 0.6)))];
        let path = band(&some, &frame);
        assert_eq!(path.matches('L').count(), 3);
        assert!(path.starts_with('M') && path.ends_with('Z'));
        assert_eq!(line(&some, &frame).matches('L').count(), 1);
    }
}
