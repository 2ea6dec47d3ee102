use super::super::curves::*;
use super::*;
use turnwise_core::spec::Profile::{Reference, Strict};

fn all(profile: Profile) -> Vec<Series> {
    s().iter().filter_map(|episode| Series::of(episode, profile)).collect()
}

#[test]
fn g6_per_call_series() {
    let s = s();
    let series = |at: usize| Series::of(&s[at], Reference);
    let first = series(0).unwrap();
    near(first.fcr, &[0.25, 0.25, 0.25, 0.5]);
    assert_eq!((first.new, first.hit), (vec![1, 0, 0, 1], vec![true, true, false, true]));
    near(series(4).unwrap().fcr, &[1.0 / 11.0, 2.0 / 11.0]);
    near(series(6).unwrap().fcr, &[0.5, 1.0, 1.5]);
    let last = series(7).unwrap();
    near(last.fcr, &[0.125, 0.25]);
    assert_eq!((last.new, last.hit), (vec![1, 1], vec![false, true]));
    assert!(series(1).is_none() && series(5).is_none());
    let all = all(Reference);
    assert_eq!(members(&all)[..5], [6, 6, 3, 1, 0]);
    assert_eq!([1, 3, 4, 7].map(|least| reached_by(&all, least)), [4, 3, 2, 0]);
    near(mean(all.iter().map(|series| series.len() as f64)), &[2.666667]);
    near(mean(all.iter().filter_map(|series| series.fcr.last().copied())), &[0.510859]);
}

#[test]
fn g7_gain_and_coverage() {
    let points = curve(&all(Reference), 1);
    assert!(points.iter().map(|point| (point.k, point.n)).eq([(1, 6), (2, 6), (3, 3), (4, 1)]));
    near(points.iter().map(|point| point.gain), &[1.0, 0.833333, 0.666667, 1.0]);
    let spread = points.iter().take(3).flat_map(|point| [point.fcr, point.fcr_p25, point.fcr_p75]);
    near(spread, &[0.205429, 0.10625, 0.229167, 0.369192, 0.2125, 0.3125, 0.683333, 0.275, 0.9]);
    near([points[3].fcr], &[0.5]);
    near(curve(&all(Reference), 3).iter().map(|point| point.gain), &[1.0, 0.666667, 0.666667, 1.0]);
}

#[test]
fn g8_truncated() {
    let all = all(Reference);
    let numbers = |calls: u32| {
        let points = truncated(&all, calls);
        assert_eq!(points.len(), calls as usize);
        points.into_iter().flat_map(|point| [point.fcr, point.hit_precision])
    };
    near(numbers(2), &[0.205429, 0.833333, 0.369192, 0.916667]);
    near(numbers(3), &[0.283333, 1.0, 0.483333, 1.0, 0.683333, 0.888889]);
    near(numbers(4), &[0.25, 1.0, 0.25, 1.0, 0.25, 0.666667, 0.5, 0.75]);
    assert!(truncated(&all, 5).is_empty());
}

#[test]
fn g9_intervals() {
    let found = ticks(&all(Reference), 2);
    assert!(found.iter().map(|tick| (tick.tick, tick.n)).eq([(1, 6), (2, 3)]));
    near(
        found.iter().flat_map(|tick| [tick.fcr, tick.deviation]),
        &[0.369192, 0.286168, 0.766667, 0.524934],
    );
    near([found[1].fcr - found[0].fcr], &[0.397475]);
    assert_eq!(saturation(&found), None);
    let flat = [found[0], Tick { tick: 2, ..found[0] }];
    assert_eq!(saturation(&flat), Some(2));
}

/// The true order of calls, with nothing for what was not logged or is not valid.
#[test]
fn strict_series() {
    let s = s();
    let series = |at: usize| Series::of(&s[at], Strict).unwrap();
    assert_eq!(series(2).new, [1, 1, 0]);
    assert_eq!(series(3).new, [0, 1, 1]);
    assert_eq!(series(4).len(), 5);
    assert_eq!((series(7).new, series(7).hit), (vec![0, 0], vec![false, false]));
    assert!(Series::of(&s[5], Strict).is_none());
    let mut faulty = s[0].clone();
    faulty.logs[2].engine_fault = true;
    assert_eq!(Series::of(&faulty, Strict).unwrap().new, [1, 0, 1]);
    let top = all(Strict).iter().flat_map(|series| series.fcr.clone()).fold(0.0, f64::max);
    assert!(top <= 1.0);
}
