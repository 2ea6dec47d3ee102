use super::*;
use crate::testing::cases;

fn percent(value: f64, low: f64, high: f64) -> Shown {
    shown(Some(value), Some((low, high)), Unit::Fraction)
}

#[test]
fn money_has_two_decimals_and_more_where_they_say_something() {
    for (amount, shown) in [
        (0.0, "$0.00"),
        (1.25, "$1.25"),
        (0.075, "$0.075"),
        (0.0031, "$0.0031"),
        (12.0, "$12.00"),
        (1234.5, "$1,234.50"),
    ] {
        assert_eq!(dollars(amount), shown);
    }
}

#[test]
fn no_more_decimals_than_the_interval_carries() {
    let wide = percent(0.16384, 0.1161, 0.2262);
    assert_eq!((wide.value.as_str(), wide.unit), ("16.4", "%"));
    assert_eq!(wide.range.as_deref(), Some("11.6 to 22.6"));
    assert_eq!(percent(0.5, 0.2, 0.8).value, "50");
    assert_eq!(percent(0.5, 0.2, 0.8).range.as_deref(), Some("20 to 80"));
    assert_eq!(percent(0.12345, 0.1181, 0.1291).value, "12.35");
    assert_eq!(
        percent(0.123456, 0.12345, 0.12346).value,
        "12.35",
        "never more than two for percents"
    );
}

#[test]
fn without_an_interval_the_unit_decides() {
    for (value, unit, wanted) in cases::<(f64, Unit, &str)>(include_str!("tests/by_unit.jsonl")) {
        assert_eq!(shown(Some(value), None, unit).value, wanted);
    }
    assert_eq!(shown(None, None, Unit::Fraction).value, "–");
    assert_eq!(
        shown(Some(0.5), Some((0.5, 0.5)), Unit::Fraction).range.as_deref(),
        Some("50.0 to 50.0")
    );
}

#[test]
fn a_column_has_one_number_of_decimals() {
    let common =
        |numbers: &[(f64, Option<(f64, f64)>)]| in_common(numbers.iter().copied(), Unit::Fraction);
    // Half-widths of 10.3 and 9.7 carry none and one.
    let (wide, close) = (Some((0.057, 0.263)), Some((0.043, 0.237)));
    assert_eq!(common(&[(0.16, wide), (0.14, close)]), 0);
    assert_eq!(common(&[(0.16, wide), (0.14, close), (0.1, close)]), 1);
    // One run over three tasks takes no decimal from the others.
    let few = Some((0.1, 0.9));
    assert_eq!(common(&[(0.5, few), (0.14, close), (0.1, close)]), 1);
    assert_eq!(common(&[(0.16, None), (0.0025, None)]), 2);
    assert_eq!(common(&[]), 0);
    let two = with_decimals(Some(0.14), close, Unit::Fraction, 0);
    assert_eq!((two.value.as_str(), two.range.as_deref()), ("14", Some("4 to 24")));
}

#[test]
fn differences_are_points_and_chances_have_three_decimals() {
    let points = shown(Some(0.25), Some((-0.043, 0.543)), Unit::Points);
    assert_eq!((points.value.as_str(), points.unit), ("+25", "points"));
    assert_eq!(points.range.as_deref(), Some("−4 to +54"));
    let chance = |p| shown(Some(p), None, Unit::Chance).value;
    assert_eq!(chance(0.25), "0.250");
    assert_eq!(chance(0.0002), "< 0.001");
    assert_eq!(chance(1.0), "1.000");
}

#[test]
fn what_is_printed_keeps_its_digits() {
    let printed = |value, interval, decimals| Cell { value, interval, printed: Some(decimals) };
    let text = |number: Cell, unit| cell(Some(number), unit, Some(0)).value;
    assert_eq!(text(printed(31.8, Some((1.5, 62.1)), 1), Unit::Chips), "+31.8");
    assert_eq!(text(printed(1.867, None, 3), Unit::Number), "1.867");
    assert_eq!(text(printed(0.1373, None, 2), Unit::Fraction), "13.73");
    assert_eq!(text(printed(0.16, None, 2), Unit::Fraction), "16.00");
    // The interval is ours.
    let alone = cell(Some(printed(31.8, Some((1.5, 62.1)), 1)), Unit::Number, None);
    assert_eq!(alone.range.as_deref(), Some("2 to 62"));
    let ours = Cell::computed(0.16, Some((0.057, 0.263)));
    assert_eq!(cell(Some(ours), Unit::Fraction, Some(1)).value, "16.0");
    assert_eq!(cell(Some(ours), Unit::Fraction, None).value, "16");
    assert_eq!(cell(None, Unit::Fraction, Some(1)).value, "–");
    // Where there are runs, their numbers say what a column has.
    let cells = [ours, printed(0.1373, Some((0.13, 0.14)), 2)];
    assert_eq!(of_column(cells.iter().copied(), Unit::Fraction), 0);
    assert_eq!(of_column(cells[1..].iter().copied(), Unit::Fraction), 2);
}

#[test]
fn rough_amounts_have_two_digits() {
    for (amount, shown) in [
        (0.1379, "$0.14"),
        (0.0034, "$0.0034"),
        (0.0996, "$0.10"),
        (0.996, "$1.00"),
        (1.52, "$1.50"),
        (12.4, "$12"),
        (1234.0, "$1,200"),
    ] {
        assert_eq!(rough_dollars(amount), shown);
    }
}

#[test]
fn chips_say_whether_they_were_won() {
    let chips = shown(Some(1234.56), Some((-12.0, 2481.0)), Unit::Chips);
    assert_eq!((chips.value.as_str(), chips.unit), ("+1,235", "chips"));
    assert_eq!(chips.range.as_deref(), Some("−12 to +2,481"));
    assert_eq!(signed(0.04, 1), "0.0");
    assert_eq!(signed(-3.0, 0), "−3");
    assert_eq!(shown(Some(-0.4567), None, Unit::Number).value, "−0.46");
    assert_eq!(shown(Some(2.0), None, Unit::Number).value, "2");
}

#[test]
fn signs_and_thousands() {
    assert_eq!(fixed(-1234.5, 1), "−1,234.5");
    assert_eq!(fixed(-0.04, 1), "0.0");
    assert_eq!(fixed(f64::NAN, 1), "–");
    assert_eq!(fixed(1_452.499_999_999_9, 0), "1,453");
    assert_eq!(fixed(100_000_000.42, 0), "100,000,000");
    assert_eq!(["−23", "−28"], [-22.5, -27.5].map(|value| fixed(value, 0)));
    assert_eq!(["0.13", "0.12"], [0.125, 0.1249].map(|value| fixed(value, 2)));
    assert_eq!(fixed(f64::MAX, 0).len(), fixed(f64::MAX, 1).len() - 2);
    assert_eq!(count(1_000), "1,000");
    assert_eq!(count(999), "999");
    assert_eq!(counted(1, "turn", "turns"), "1 turn");
    assert_eq!(counted(1200, "turn", "turns"), "1,200 turns");
}

#[test]
fn large_counts_have_three_digits() {
    for (number, text) in [
        (0, "0"),
        (999, "999"),
        (1_000, "1.00 k"),
        (12_345, "12.3 k"),
        (99_960, "100 k"),
        (999_499, "999 k"),
        (999_500, "1.00 M"),
        (1_840_000, "1.84 M"),
        (2_000_000_000, "2.00 G"),
    ] {
        assert_eq!(short(number), text, "{number}");
    }
}

#[test]
fn durations_in_words() {
    for (milliseconds, text) in [
        (0, "0.0 s"),
        (840, "0.8 s"),
        (950, "1 s"),
        (12_400, "12 s"),
        (59_600, "1 min"),
        (72_000, "1 min 12 s"),
        (3_600_000, "1 h"),
        (7_500_000, "2 h 5 min"),
        (273_600_000, "3 d 4 h"),
    ] {
        assert_eq!(duration(milliseconds), text, "{milliseconds}");
    }
    assert_eq!(latency(999), "999 ms");
    assert_eq!(latency(1_234), "1.2 s");
    assert_eq!(latency(34_000), "34 s");
}
