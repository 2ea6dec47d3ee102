//! An axis: from where to where, round numbers on it, and where a value lies.

#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    pub low: f64,
    /// Its greatest value; above `low`.
    pub high: f64,
    /// The round numbers on it, from low to high.
    pub ticks: Vec<f64>,
    /// How many decimals the ticks need.
    pub decimals: usize,
}

impl Axis {
    /// An axis over all these values, from round number to round number, with about this many steps. Values that are no
    /// numbers do not count; without any the axis goes from 0 to 1.
    pub fn over(values: impl IntoIterator<Item = f64>, steps: u32) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.into_iter().filter(|value| value.is_finite()) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if high - low < 1e-12 * high.abs().max(1.0) {
            let room = if low == 0.0 { 1.0 } else { low.abs() * 0.5 };
            // What is never negative has no place below 0.
            let below = if low >= 0.0 { low.min(room) } else { room };
            (low, high) = (low - below, high + room);
        }
        let step = round_step((high - low) / f64::from(steps.max(1)));
        let (first, last) = ((low / step).floor(), (high / step).ceil());
        // A handful of steps, so the cast is exact.
        let count = (last - first) as u32;
        let ticks: Vec<f64> = (0..=count)
            .map(|at| {
                let tick = (first + f64::from(at)) * step;
                // No −0, and no 0.30000000000000004.
                (tick / step).round() * step + 0.0
            })
            .collect();
        Axis {
            low: first * step,
            high: last * step,
            ticks,
            decimals: (-step.log10().floor()).clamp(0.0, 6.0) as usize,
        }
    }

    /// An axis over per cents: as [`Axis::over`], and never beyond 0 or 100 where no value is.
    pub fn over_shares(values: impl IntoIterator<Item = f64>, steps: u32) -> Self {
        let values: Vec<f64> = values.into_iter().collect();
        let is_share = |value: &f64| (0.0..=100.0).contains(value);
        let axis = Axis::over(values.iter().copied(), steps);
        let is_beyond = axis.low < 0.0 || axis.high > 100.0;
        if is_beyond && values.iter().all(is_share) {
            return Axis::over([axis.low.max(0.0), axis.high.min(100.0)], steps);
        }
        axis
    }

    /// An axis over what is counted: only whole numbers stand on it. Values that are no whole numbers get an ordinary one.
    pub fn over_counts(values: impl IntoIterator<Item = f64>, steps: u32) -> Self {
        let values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
        let (low, high) = ends(&values, |value| (value, value));
        let are_whole = values.iter().all(|value| value.fract() == 0.0);
        if !are_whole || low > high {
            return Axis::over(values, steps);
        }
        let (low, high) = match low < high {
            true => (low, high),
            // What is never negative has no place below 0.
            false => ((low - 1.0).max(low.min(0.0)), high + 1.0),
        };
        Axis::over([low, high], steps.min((high - low) as u32))
    }

    /// An axis over days since 1970: from midnight to midnight, and no day stands on it twice.
    pub fn over_days(values: impl IntoIterator<Item = f64>, steps: u32) -> Self {
        let values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
        let (low, high) = ends(&values, |value| (value.floor(), value.floor() + 1.0));
        match low < high {
            true => Axis::over([low, high], steps.min((high - low) as u32)),
            false => Axis::over([], 1),
        }
    }

    /// An axis over logarithms to base 10: from order of magnitude to order of magnitude, with 2 and 5 between them where there
    /// are few.
    pub fn over_magnitudes(values: impl IntoIterator<Item = f64>) -> Self {
        let values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
        let (low, high) = ends(&values, |value| (value.floor(), value.ceil()));
        let (low, high) = match low <= high {
            true if low < high => (low, high),
            true => (low - 1.0, high + 1.0),
            false => (0.0, 1.0),
        };
        let steps: &[f64] = if high - low <= 2.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let mut ticks = Vec::new();
        let mut magnitude = low;
        while magnitude < high {
            ticks.extend(steps.iter().map(|step| magnitude + step.log10()));
            magnitude += 1.0;
        }
        ticks.push(high);
        Axis { low, high, ticks, decimals: 0 }
    }

    /// Where a value lies, 0 at the low end and 1 at the high one; what lies outside is at its end.
    pub fn share(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }
}

/// The least and the greatest of what values span; of no value the first is above the second.
fn ends(values: &[f64], spans: impl Fn(f64) -> (f64, f64)) -> (f64, f64) {
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    values.iter().fold(none, |(low, high), value| {
        let (from, to) = spans(*value);
        (low.min(from), high.max(to))
    })
}

/// The next of 1, 2, 5, 10, 20 … that is no smaller.
fn round_step(raw: f64) -> f64 {
    let magnitude = 10_f64.powf(raw.log10().floor());
    let lead = raw / magnitude;
    let round =
        [1.0, 2.0, 5.0, 10.0].into_iter().find(|round| *round >= lead - 1e-9).unwrap_or(10.0);
    round * magnitude
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_hold_every_value() {
        let axis = Axis::over([-23.8, 33.4, 10.0], 5);
        assert_eq!(axis.ticks, [-40.0, -20.0, 0.0, 20.0, 40.0]);
        assert_eq!((axis.low, axis.high, axis.decimals), (-40.0, 40.0, 0));
        let fractions = Axis::over([0.5, 0.9], 4);
        assert_eq!(fractions.decimals, 1);
        assert_eq!((fractions.low, fractions.high), (0.5, 0.9));
        assert_eq!(fractions.ticks.len(), 5);
    }

    #[test]
    fn magnitudes_are_powers_of_ten() {
        // From two cents to two hundred dollars.
        let axis = Axis::over_magnitudes([0.02_f64.log10(), 200.0_f64.log10()]);
        assert_eq!(axis.ticks, [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0]);
        let close = Axis::over_magnitudes([0.3, 0.6]);
        assert_eq!((close.low, close.high, close.ticks.len()), (0.0, 1.0, 4));
        for values in [vec![], vec![0.0], vec![f64::NAN], vec![2.0, 2.0]] {
            let axis = Axis::over_magnitudes(values);
            assert!(axis.low < axis.high && axis.ticks.len() >= 2, "{axis:?}");
        }
    }

    #[test]
    fn an_axis_is_never_empty() {
        for values in [vec![], vec![3.0], vec![0.0, 0.0], vec![f64::NAN]] {
            let axis = Axis::over(values.clone(), 5);
            assert!(axis.low < axis.high, "{values:?}: {axis:?}");
            assert!(axis.ticks.len() >= 2 && axis.ticks.len() < 15, "{axis:?}");
        }
    }

    #[test]
    fn what_is_counted_has_whole_numbers() {
        assert_eq!(Axis::over_counts([1.0], 6).ticks, [0.0, 1.0, 2.0]);
        assert_eq!(Axis::over_counts([0.0, 0.0], 6).ticks, [0.0, 1.0]);
        assert_eq!(Axis::over_counts([1.0, 3.0], 6).ticks, [1.0, 2.0, 3.0]);
        let many = Axis::over_counts([0.0, 57.0], 6);
        assert!(many.ticks.iter().all(|tick| tick.fract() == 0.0), "{many:?}");
        assert_eq!(Axis::over_counts([0.5, 1.0], 6), Axis::over([0.5, 1.0], 6));
        assert_eq!(Axis::over_counts([], 6), Axis::over([], 6));
    }

    #[test]
    fn no_day_stands_on_an_axis_twice() {
        let one = Axis::over_days([20_782.2, 20_782.7], 3);
        assert_eq!(one.ticks, [20_782.0, 20_783.0]);
        assert_eq!(Axis::over_days([20_782.0], 3), one);
        let weeks = Axis::over_days([20_700.5, 20_782.5], 3);
        assert!(weeks.ticks.len() > 2 && weeks.ticks.iter().all(|tick| tick.fract() == 0.0));
        assert_eq!(Axis::over_days([f64::NAN], 3).ticks.len(), 2);
    }

    #[test]
    fn what_is_never_negative_has_no_place_below_nothing() {
        let none = Axis::over([0.0, 0.0], 5);
        assert_eq!((none.low, none.high), (0.0, 1.0));
        let some = Axis::over([3.0], 5);
        assert_eq!((some.low, some.high), (1.0, 5.0));
        let less = Axis::over([-3.0], 5);
        assert_eq!((less.low, less.high), (-5.0, -1.0));
    }

    #[test]
    fn values_lie_where_they_should() {
        let axis = Axis::over([-40.0, 40.0], 4);
        assert_eq!(axis.share(0.0), 0.5);
        assert_eq!((axis.share(-99.0), axis.share(99.0)), (0.0, 1.0));
    }

    #[test]
    fn shares_stay_between_nothing_and_everything() {
        let flat = Axis::over_shares([100.0, 100.0], 5);
        assert_eq!((flat.low, flat.high), (40.0, 100.0));
        let none = Axis::over_shares([0.0], 5);
        assert_eq!((none.low, none.high), (0.0, 1.0));
        let beyond = Axis::over_shares([20.0, 150.0], 5);
        assert!(beyond.high >= 150.0, "what exceeds is shown");
    }
}
