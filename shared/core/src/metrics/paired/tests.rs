//! Golden numbers by hand, and what holds for all numbers.

use super::*;

fn tasks(one: &[f64], other: &[f64]) -> Vec<(String, f64, f64)> {
    one.iter()
        .zip(other)
        .enumerate()
        .map(|(at, (one, other))| (format!("{at:04}"), *one, *other))
        .collect()
}

fn compare(all: &[(String, f64, f64)]) -> Paired {
    let tasks: Vec<Task<'_>> = all
        .iter()
        .map(|(cluster, one, other)| Task { cluster, one: *one, other: *other })
        .collect();
    paired(&tasks).expect("there are tasks")
}

/// How many tasks are right in both, in the first alone, in the other alone, in none.
fn answers(both: usize, more: usize, less: usize, none: usize) -> Vec<(String, f64, f64)> {
    let parts = [(both, 1.0, 1.0), (more, 1.0, 0.0), (less, 0.0, 1.0), (none, 0.0, 0.0)];
    let all =
        parts.iter().flat_map(|(times, one, other)| std::iter::repeat_n((*one, *other), *times));
    let (one, other): (Vec<f64>, Vec<f64>) = all.unzip();
    tasks(&one, &other)
}

/// 2 · (1 + 10) / 1024, 2 / 32, and 2 · 21700 / 1048576.
#[test]
fn mcnemar_s_exact_test_by_hand() {
    for (more, less, p) in [
        (9, 1, 22.0 / 1024.0),
        (0, 5, 0.0625),
        (6, 0, 0.03125),
        (5, 15, 43_400.0 / 1_048_576.0),
        (3, 3, 1.0),
        (1, 0, 1.0),
        (0, 0, 1.0),
    ] {
        assert!((sign_test(more, less) - p).abs() < 1e-12, "{more} {less}");
        assert_eq!(sign_test(more, less), sign_test(less, more));
    }
    // By the normal approximation with continuity: z = 99 / 100.5, about 0.325; nothing overflows.
    let many = sign_test(5050, 4950);
    assert!((many - 0.3222).abs() < 0.002, "{many}");
    assert!(sign_test(3000, 0) == 0.0 || sign_test(3000, 0) < 1e-300);
}

/// The textbook's example: 0.01, 0.02, 0.03, 0.04 become 0.04, 0.06, 0.06, 0.06.
#[test]
fn holm_s_correction_by_hand() {
    let rounded = |values: &[f64]| {
        let corrected = holm(values);
        corrected.iter().map(|p| (p * 1e6).round() / 1e6).collect::<Vec<_>>()
    };
    assert_eq!(rounded(&[0.03, 0.01, 0.04, 0.02]), [0.06, 0.04, 0.06, 0.06]);
    assert_eq!(rounded(&[0.5, 0.6]), [1.0, 1.0]);
    assert_eq!(rounded(&[0.001]), [0.001]);
    assert!(holm(&[]).is_empty());
}

#[test]
fn runs_that_cannot_be_told_apart() {
    assert_eq!(tie_groups(3, |_, _| true), [vec![0], vec![1], vec![2]]);
    assert_eq!(tie_groups(3, |_, _| false), [vec![0, 1, 2]]);
    // Only the first and the last are told apart: the one between belongs to both.
    assert_eq!(tie_groups(3, |one, other| (one, other) == (0, 2)), [vec![0, 1], vec![1, 2]]);
    assert_eq!(tie_groups(4, |one, other| (one, other) != (1, 3)), [vec![0], vec![1, 3], vec![2]]);
    assert!(tie_groups(0, |_, _| true).is_empty());
}

/// 100 tasks, 20 won and 10 lost: the runs differ in 0.3 of them, by 0.1. (1.959964 · √0.3 + 0.841621 · √0.29)² / 0.01 =
/// 1.526741² / 0.01 = 233.09.
#[test]
fn tasks_that_it_would_take() {
    let found = compare(&answers(30, 20, 10, 40));
    assert_eq!((found.tasks, found.more, found.less, found.binary), (100, 20, 10, true));
    assert!((found.difference - 0.1).abs() < 1e-12);
    assert_eq!(found.needed, Needed::Tasks(234));
    assert_eq!(found.needed.beyond(found.tasks), Some(134));
    assert_eq!(found.needed.beyond(500), Some(0));
    // No difference: it cannot be said.
    assert_eq!(compare(&answers(3, 2, 2, 3)).needed, Needed::CannotBeSaid);
    assert_eq!(Needed::CannotBeSaid.beyond(3), None);
    // Chips: differences 1, 2, 3, mean 2, variance 1: (1.959964 + 0.841621)² / 4 = 1.96, at least six.
    let chips = compare(&tasks(&[3.0, 4.0, 5.0], &[2.0, 2.0, 2.0]));
    assert_eq!((chips.binary, chips.needed), (false, Needed::Tasks(6)));
    // Differences 3 and -1: mean 1, variance 8: 7.848880 · 8 = 62.79.
    let chips = compare(&tasks(&[3.0, 0.0], &[0.0, 1.0]));
    assert_eq!(chips.needed, Needed::Tasks(63));
}

#[test]
fn the_interval_is_the_same_every_time_and_covers_the_normal_one() {
    let all = answers(30, 20, 10, 40);
    let (first, again) = (compare(&all), compare(&all));
    assert_eq!(first.interval, again.interval);
    // The deviation of a task's difference is √(0.3 − 0.01) = 0.5385, of the mean 0.05385.
    let (low, high) = first.interval.expect("tasks differ");
    assert!((low - (0.1 - 1.96 * 0.05385)).abs() < 0.015, "{low}");
    assert!((high - (0.1 + 1.96 * 0.05385)).abs() < 0.015, "{high}");
    // The same by draws, where repeats make the numbers no mere right and wrong.
    let halves: Vec<_> =
        all.iter().map(|(name, one, other)| (name.clone(), one / 2.0, other / 2.0)).collect();
    let drawn = compare(&halves);
    let (drawn_low, drawn_high) = drawn.interval.expect("tasks differ");
    assert!((drawn_low * 2.0 - low).abs() < 0.01, "{drawn_low} {low}");
    assert!((drawn_high * 2.0 - high).abs() < 0.01, "{drawn_high} {high}");
    assert!((drawn.p - first.p).abs() < 0.02, "{} {}", drawn.p, first.p);
}

/// Five won and none lost of twenty: p is 2 / 32, and so 0 is within the interval, if barely. Six won: p is 2 / 64.
#[test]
fn interval_and_test_agree_where_it_is_close() {
    let five = compare(&answers(10, 5, 0, 5));
    assert!((five.p - 0.0625).abs() < 1e-12);
    let (low, high) = five.interval.expect("tasks differ");
    assert!(low <= 0.0 && low > -0.05 && high > 0.4, "{low} {high}");
    let six = compare(&answers(10, 6, 0, 4));
    assert!((six.p - 0.03125).abs() < 1e-12);
    let (low, high) = six.interval.expect("tasks differ");
    assert!(low > 0.0 && high > 0.45, "{low} {high}");
    // Three tasks cannot say anything of shares but that they are within their bounds.
    let few = compare(&answers(1, 2, 0, 0));
    assert_eq!(few.interval.map(|(low, _)| low), Some(-1.0));
    // Six numbers, all above: of 64 ways to turn their signs one is as far as this, and one as far the other way.
    let six = compare(&tasks(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[0.0; 6]));
    assert!((six.p - 2.0 / 64.0).abs() < 1e-12, "{}", six.p);
    let (low, high) = six.interval.expect("they vary");
    assert_eq!((low, high), (1.0, 6.0));
    // Of five no difference at all could be rejected.
    assert_eq!(compare(&tasks(&[1.0, 2.0, 3.0, 4.0, 5.0], &[0.0; 5])).interval, None);
}

/// Ten tasks of one cluster say what one says.
#[test]
fn clusters_are_drawn_together() {
    let alone = answers(0, 20, 10, 0);
    let together: Vec<_> = alone
        .iter()
        .enumerate()
        .flat_map(|(at, (_, one, other))| {
            std::iter::repeat_n((format!("{at:04}"), *one, *other), 10)
        })
        .collect();
    let (few, many) = (compare(&alone), compare(&together));
    assert_eq!((many.tasks, many.clusters), (300, 30));
    let width = |found: &Paired| {
        let (low, high) = found.interval.expect("tasks differ");
        high - low
    };
    assert!((width(&few) - width(&many)).abs() < 0.08, "{few:?} {many:?}");
    let one_cluster: Vec<_> =
        alone.iter().map(|(_, one, other)| ("all".to_owned(), *one, *other)).collect();
    assert_eq!(compare(&one_cluster).interval, None);
    // Nor do runs tell how much they would differ elsewhere that differ by the same everywhere here.
    let same = compare(&tasks(&[1.0, 2.0, 3.0], &[0.0, 1.0, 2.0]));
    assert_eq!((same.difference, same.interval), (1.0, None));
    assert_eq!(paired(&[]), None);
}

proptest::proptest! {
    #[test]
    fn the_other_way_round_everything_is_turned(numbers in proptest::collection::vec((0..4_u8, 0..4_u8), 2..40)) {
        let (one, other): (Vec<f64>, Vec<f64>) = numbers.iter().map(|(one, other)| (f64::from(*one), f64::from(*other))).unzip();
        let (there, back) = (compare(&tasks(&one, &other)), compare(&tasks(&other, &one)));
        proptest::prop_assert_eq!(there.difference, -back.difference);
        proptest::prop_assert_eq!((there.more, there.less, there.p), (back.less, back.more, back.p));
        proptest::prop_assert_eq!(there.needed, back.needed);
        let varies = one.iter().zip(&other).any(|(a, b)| a - b != one[0] - other[0]);
        proptest::prop_assert_eq!(there.interval.is_some(), back.interval.is_some());
        proptest::prop_assert!(varies || there.interval.is_none());
        proptest::prop_assert!(!varies || numbers.len() < 6 || there.interval.is_some());
        if let (Some((low, high)), Some((back_low, back_high))) = (there.interval, back.interval) {
            proptest::prop_assert!((low + back_high).abs() < 1e-9 && (high + back_low).abs() < 1e-9);
            proptest::prop_assert!(low <= high);
        }
        proptest::prop_assert!((0.0..=1.0).contains(&there.p));
    }

    #[test]
    fn an_interval_excludes_nothing_but_what_its_test_rejects(
        numbers in proptest::collection::vec((0..4_u8, 0..4_u8, 0..20_u8), 2..60),
        top in 1..4_u8,
        is_alone: bool,
    ) {
        let numbers: Vec<(String, f64, f64)> = numbers
            .iter()
            .enumerate()
            .map(|(at, (one, other, cluster))| {
                let name = if is_alone { format!("{at:04}") } else { format!("{cluster:04}") };
                (name, f64::from((*one).min(top)), f64::from((*other).min(top)))
            })
            .collect();
        let found = compare(&numbers);
        proptest::prop_assert!((0.0..=1.0).contains(&found.p));
        if let Some((low, high)) = found.interval {
            proptest::prop_assert!(low <= found.difference + 1e-9 && found.difference <= high + 1e-9, "{:?}", found);
            proptest::prop_assert_eq!(low > 0.0 || high < 0.0, found.p < ALPHA, "{:?}", found);
        }
    }

    #[test]
    fn holm_never_makes_a_p_value_smaller_and_keeps_their_order(values in proptest::collection::vec(0.0..=1.0_f64, 0..12)) {
        let corrected = holm(&values);
        for (one, p) in corrected.iter().enumerate() {
            proptest::prop_assert!(*p >= values[one] && *p <= 1.0);
            for other in 0..values.len() {
                proptest::prop_assert!(values[one] > values[other] || *p <= corrected[other]);
            }
        }
    }

    #[test]
    fn every_run_is_in_a_group_and_no_group_holds_two_that_are_apart(pairs in proptest::collection::vec(proptest::bool::ANY, 15)) {
        let apart = |one: usize, other: usize| pairs[(one * 6 + other) % 15];
        let groups = tie_groups(6, apart);
        for run in 0..6 {
            proptest::prop_assert!(groups.iter().any(|group| group.contains(&run)));
        }
        for group in &groups {
            for (place, one) in group.iter().enumerate() {
                for other in &group[place + 1..] {
                    proptest::prop_assert!(!apart(*one, *other));
                }
            }
        }
    }
}
