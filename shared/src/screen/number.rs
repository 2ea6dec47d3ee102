//! Numbers as a reader wants them: no more decimals than their interval carries, thousands apart, durations in words.

use crate::metrics::report::{Figure, Unit};
use crate::wire::boards::Cell;

/// A number ready for the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The number alone, e.g. `16.4`; a dash where it is not defined.
    pub value: String,
    /// Its unit, e.g. `%`; empty for counts.
    pub unit: &'static str,
    /// Its interval, e.g. `11.6 to 22.6`, where one is known.
    pub range: Option<String>,
}

/// A figure of a report.
pub fn figure(figure: &Figure) -> Shown {
    shown(figure.value, figure.interval, figure.unit)
}

/// By what numbers of a unit are multiplied where they are shown: fractions are percentages then.
pub fn scale(unit: Unit) -> f64 {
    match unit {
        Unit::Fraction | Unit::Points => 100.0,
        Unit::Count | Unit::Dollars | Unit::Tokens | Unit::Chips | Unit::Number | Unit::Chance => {
            1.0
        }
    }
}

/// A number with its interval, both with as many decimals as the interval carries.
pub fn shown(value: Option<f64>, interval: Option<(f64, f64)>, unit: Unit) -> Shown {
    with_decimals(value, interval, unit, own_decimals(value, interval, unit))
}

/// A number with its interval, both with so many decimals.
pub fn with_decimals(
    value: Option<f64>,
    interval: Option<(f64, f64)>,
    unit: Unit,
    decimals: usize,
) -> Shown {
    let scale = scale(unit);
    let interval = interval.map(|(low, high)| (low * scale, high * scale));
    let value = value.map(|value| value * scale);
    Shown {
        value: value.map_or_else(|| "–".to_owned(), |value| in_unit(value, decimals, unit)),
        unit: value.map_or("", |_| symbol(unit)),
        range: interval.map(|(low, high)| {
            format!(
                "{} to {}",
                in_unit(low, decimals, unit),
                in_unit(high, decimals, unit)
            )
        }),
    }
}

/// How many decimals the numbers of a column have in common, so that they stand one below the other: as many as the middle one
/// of their intervals carries; without intervals as many as any of the numbers has by itself.
pub fn in_common(
    numbers: impl IntoIterator<Item = (f64, Option<(f64, f64)>)>,
    unit: Unit,
) -> usize {
    let (mut carried, mut plain) = (Vec::new(), 0);
    for (value, interval) in numbers {
        let own = own_decimals(Some(value), interval, unit);
        match interval {
            Some((low, high)) if high > low => carried.push(own),
            _ => plain = plain.max(own),
        }
    }
    carried.sort_unstable();
    let middle = carried.len().saturating_sub(1) / 2;
    carried.get(middle).copied().unwrap_or(plain)
}

/// How many decimals a column of a board has: those of what is computed here, if there is any.
pub fn of_column(cells: impl Iterator<Item = Cell> + Clone, unit: Unit) -> usize {
    let computed = cells.clone().any(|cell| cell.printed.is_none());
    let counted = cells.filter(|cell| !computed || cell.printed.is_none());
    in_common(counted.map(|cell| (cell.value, cell.interval)), unit)
}

/// A number of a board with its interval, with the decimals of its column, or by itself with its own. What a paper printed keeps
/// its digits; the interval is not the paper's.
pub fn cell(cell: Option<Cell>, unit: Unit, column: Option<usize>) -> Shown {
    let (value, interval) = (
        cell.map(|cell| cell.value),
        cell.and_then(|cell| cell.interval),
    );
    let decimals = column.unwrap_or_else(|| own_decimals(value, interval, unit));
    let shown = with_decimals(value, interval, unit, decimals);
    match cell.and_then(|cell| cell.printed) {
        Some(printed) => Shown {
            value: with_decimals(value, None, unit, usize::from(printed)).value,
            ..shown
        },
        None => shown,
    }
}

/// An amount of money in a sentence: two decimals, up to four where the third and fourth say something.
pub fn dollars(amount: f64) -> String {
    let text = fixed(amount, 4);
    let short = text.trim_end_matches('0');
    let point = text.find('.').unwrap_or(text.len());
    let end = short.len().max(point + 3).min(text.len());
    format!("${}", &text[..end])
}

/// An amount that is only roughly known, to two digits: `$0.14`, `$12`, `$340`.
pub fn rough_dollars(amount: f64) -> String {
    let digits = |amount: f64| amount.abs().max(1e-9).log10().floor() as i32;
    let unit = 10_f64.powi(digits(amount) - 1);
    let rough = (amount / unit).round() * unit;
    // What was rounded up to a power of ten has a digit more before the point; the product may lie a hair below it.
    let decimals = match usize::try_from(1 - digits(rough * (1.0 + 1e-9))).unwrap_or(0) {
        1 => 2,
        decimals => decimals.min(6),
    };
    format!("${}", fixed(rough, decimals))
}

/// The sign of a unit, e.g. `%`; empty for counts and plain numbers.
pub fn symbol(unit: Unit) -> &'static str {
    match unit {
        Unit::Fraction => "%",
        Unit::Dollars => "US$",
        Unit::Tokens => "tokens",
        Unit::Chips => "chips",
        Unit::Points => "points",
        Unit::Count | Unit::Number | Unit::Chance => "",
    }
}

/// Chips and differences say whether they were won or lost; other numbers have a sign only if they are negative. Of a p-value below
/// a thousandth only that is said.
fn in_unit(value: f64, decimals: usize, unit: Unit) -> String {
    match unit {
        Unit::Chips | Unit::Points => signed(value, decimals),
        Unit::Chance if value < 0.001 => "< 0.001".to_owned(),
        _ => fixed(value, decimals),
    }
}

/// A number with its sign, plus as well as minus; none for zero.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    let is_more = value > 0.0 && text.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
    if is_more { format!("+{text}") } else { text }
}

/// As many decimals as a number's interval carries; without one as many as its unit asks for.
fn own_decimals(value: Option<f64>, interval: Option<(f64, f64)>, unit: Unit) -> usize {
    let scale = scale(unit);
    match (interval, value) {
        (Some((low, high)), _) if high > low => {
            carried((high - low) * scale / 2.0, most_decimals(unit))
        }
        (_, Some(value)) => plain_decimals(value * scale, unit),
        _ => 0,
    }
}

/// How many decimals a number with this half-width deserves: the half-width keeps two significant digits.
fn carried(half_width: f64, most: usize) -> usize {
    let leading = half_width.log10().floor();
    if leading >= 1.0 {
        0
    } else {
        // The largest magnitude that matters here is a handful of decimals, so the cast is exact.
        ((1.0 - leading) as usize).min(most)
    }
}

fn most_decimals(unit: Unit) -> usize {
    match unit {
        Unit::Fraction | Unit::Count | Unit::Chips | Unit::Points => 2,
        Unit::Number | Unit::Chance => 3,
        Unit::Dollars => 4,
        Unit::Tokens => 0,
    }
}

fn plain_decimals(value: f64, unit: Unit) -> usize {
    match unit {
        // 0.25 % is not 0.2 %.
        Unit::Fraction if value != 0.0 && value.abs() < 1.0 => 2,
        Unit::Fraction | Unit::Points => 1,
        Unit::Chance => 3,
        Unit::Tokens => 0,
        Unit::Dollars if value.abs() >= 1.0 => 2,
        // As in a sentence: the third and fourth only where they say something.
        Unit::Dollars => match (value.abs() * 1e4).round() as u64 {
            all if all % 100 == 0 => 2,
            all if all % 10 == 0 => 3,
            _ => 4,
        },
        Unit::Count | Unit::Chips | Unit::Number if value.fract() == 0.0 => 0,
        Unit::Count | Unit::Number => 2,
        Unit::Chips => 1,
    }
}

/// A number with so many decimals, thousands apart, a real minus sign, and no negative zero.
pub fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let digits = format!("{:.decimals$}", half_up(value.abs(), decimals));
    let is_zero = digits.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let (whole, rest) = match digits.split_once('.') {
        Some((whole, rest)) => (whole, format!(".{rest}")),
        None => (digits.as_str(), String::new()),
    };
    let sign = if value < 0.0 && !is_zero { "−" } else { "" };
    format!("{sign}{}{rest}", grouped(whole))
}

/// A number that lies in the middle between two that are written, as the larger of them: `format!` would take the even one, and
/// 22.5 would become 22 beside a 27.5 that becomes 28. A sum whose order is another one misses the middle by a little.
fn half_up(value: f64, decimals: usize) -> f64 {
    let scale = i32::try_from(decimals).map_or(f64::INFINITY, |decimals| 10_f64.powi(decimals));
    let scaled = value * scale;
    let miss = (scaled.fract() - 0.5).abs();
    match scaled.is_finite() && miss <= 1e-9 * scaled.max(1.0) && miss < 0.1 {
        true => scaled.ceil() / scale,
        false => value,
    }
}

/// A count, thousands apart: `12,345`.
pub fn count(number: u64) -> String {
    grouped(&number.to_string())
}

fn grouped(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A large count in three digits: `840`, `12.3 k`, `1.84 M`.
pub fn short(number: u64) -> String {
    let value = number as f64;
    let (scaled, unit) = match number {
        0..1_000 => return number.to_string(),
        1_000..999_500 => (value / 1e3, "k"),
        999_500..999_500_000 => (value / 1e6, "M"),
        _ => (value / 1e9, "G"),
    };
    let decimals = match scaled {
        scaled if scaled >= 99.95 => 0,
        scaled if scaled >= 9.995 => 1,
        _ => 2,
    };
    format!("{scaled:.decimals$} {unit}")
}

/// A span of time in words, from milliseconds: `0.8 s`, `12 s`, `1 min 12 s`, `2 h 5 min`, `3 d 4 h`.
pub fn duration(milliseconds: u64) -> String {
    let seconds = (milliseconds + 500) / 1000;
    match seconds {
        _ if milliseconds < 950 => format!("{:.1} s", milliseconds as f64 / 1000.0),
        0..60 => format!("{seconds} s"),
        60..3600 => two(seconds / 60, "min", seconds % 60, "s"),
        3600..86_400 => two(seconds / 3600, "h", seconds % 3600 / 60, "min"),
        _ => two(seconds / 86_400, "d", seconds % 86_400 / 3600, "h"),
    }
}

fn two(large: u64, large_unit: &str, small: u64, small_unit: &str) -> String {
    if small == 0 {
        format!("{large} {large_unit}")
    } else {
        format!("{large} {large_unit} {small} {small_unit}")
    }
}

/// How long a call took, from milliseconds: `840 ms`, `1.2 s`, `34 s`.
pub fn latency(milliseconds: u64) -> String {
    match milliseconds {
        0..1_000 => format!("{milliseconds} ms"),
        1_000..9_950 => format!("{:.1} s", milliseconds as f64 / 1000.0),
        _ => duration(milliseconds),
    }
}

/// `1 turn`, `2 turns`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// A fraction as the percentage at which a whisk puts it, 0 to 100.
pub fn percent(fraction: f64) -> f64 {
    (fraction * 1000.0).round().clamp(0.0, 1000.0) / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let value = |value, unit| shown(Some(value), None, unit).value;
        assert_eq!(value(0.137, Unit::Fraction), "13.7");
        assert_eq!(value(210.0, Unit::Count), "210");
        assert_eq!(value(5.8333, Unit::Count), "5.83");
        assert_eq!(value(0.0123, Unit::Dollars), "0.0123");
        assert_eq!(value(0.15, Unit::Dollars), "0.15");
        assert_eq!(value(0.075, Unit::Dollars), "0.075");
        assert_eq!(value(12.5, Unit::Dollars), "12.50");
        assert_eq!(value(0.0, Unit::Dollars), "0.00");
        assert_eq!(value(1_234_567.0, Unit::Tokens), "1,234,567");
        assert_eq!(shown(None, None, Unit::Fraction).value, "–");
        assert_eq!(
            shown(Some(0.5), Some((0.5, 0.5)), Unit::Fraction)
                .range
                .as_deref(),
            Some("50.0 to 50.0")
        );
    }

    #[test]
    fn a_column_has_one_number_of_decimals() {
        let common = |numbers: &[(f64, Option<(f64, f64)>)]| {
            in_common(numbers.iter().copied(), Unit::Fraction)
        };
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
        assert_eq!(
            (two.value.as_str(), two.range.as_deref()),
            ("14", Some("4 to 24"))
        );
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
        let printed = |value, interval, decimals| Cell {
            value,
            interval,
            printed: Some(decimals),
        };
        let text = |number: Cell, unit| cell(Some(number), unit, Some(0)).value;
        assert_eq!(
            text(printed(31.8, Some((1.5, 62.1)), 1), Unit::Chips),
            "+31.8"
        );
        assert_eq!(text(printed(1.867, None, 3), Unit::Number), "1.867");
        assert_eq!(text(printed(0.1373, None, 2), Unit::Fraction), "13.73");
        assert_eq!(text(printed(0.16, None, 2), Unit::Fraction), "16.00");
        // The interval is ours.
        let alone = cell(
            Some(printed(31.8, Some((1.5, 62.1)), 1)),
            Unit::Number,
            None,
        );
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
        assert_eq!(["−23", "−28"], [-22.5, -27.5].map(|value| fixed(value, 0)));
        assert_eq!(
            ["0.13", "0.12"],
            [0.125, 0.1249].map(|value| fixed(value, 2))
        );
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
}
