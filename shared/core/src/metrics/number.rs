//! Numbers as a reader wants them: no more decimals than their interval carries, thousands apart, durations in words.

use serde::{Deserialize, Serialize};

use crate::metrics::report::{Figure, Unit};

/// A number with its interval.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The number. Fractions are 0 to 1.
    pub value: f64,
    /// Its 95 % interval, where one is known.
    pub interval: Option<(f64, f64)>,
    /// With how many decimals a paper prints it, fractions as percentages; it is shown so. `None` of what is computed here.
    pub printed: Option<u8>,
}

impl Cell {
    /// A number that is computed here.
    pub fn computed(value: f64, interval: Option<(f64, f64)>) -> Self {
        Cell { value, interval, printed: None }
    }
}

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

/// A number with its interval, both with the given number of decimals.
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
            format!("{} to {}", in_unit(low, decimals, unit), in_unit(high, decimals, unit))
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
    let (value, interval) = (cell.map(|cell| cell.value), cell.and_then(|cell| cell.interval));
    let decimals = column.unwrap_or_else(|| own_decimals(value, interval, unit));
    let shown = with_decimals(value, interval, unit, decimals);
    match cell.and_then(|cell| cell.printed) {
        Some(printed) => {
            Shown { value: with_decimals(value, None, unit, usize::from(printed)).value, ..shown }
        }
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

/// A number with the given number of decimals, thousands apart, a real minus sign, and no negative zero.
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
    match (scaled.fract() - 0.5).abs() < 1e-9 {
        true => scaled.ceil() / scale,
        false => value,
    }
}

/// A count of any type; those that are no `u64` become its largest.
pub fn whole(number: impl TryInto<u64>) -> u64 {
    number.try_into().unwrap_or(u64::MAX)
}

/// A count, thousands apart: `12,345`.
pub fn count(number: impl TryInto<u64>) -> String {
    grouped(&whole(number).to_string())
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
pub fn counted(number: impl TryInto<u64>, one: &str, many: &str) -> String {
    let number = whole(number);
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// A fraction as the percentage at which a whisk puts it, 0 to 100.
pub fn percent(fraction: f64) -> f64 {
    (fraction * 1000.0).round().clamp(0.0, 1000.0) / 10.0
}

#[cfg(test)]
mod tests;
