//! Numbers as they are shown.

use crate::metrics::number::count;
use crate::metrics::report::Unit;

/// What stands where there is no number.
const NONE: &str = "–";

/// A number in its unit.
pub fn shown(value: Option<f64>, unit: Unit) -> String {
    let Some(value) = value.filter(|value| value.is_finite()) else {
        return NONE.to_owned();
    };
    let is_whole = value.fract() == 0.0 && value.abs() < 1e15;
    let minus = if value < 0.0 { "−" } else { "" };
    let size = value.abs();
    match unit {
        Unit::Fraction => format!("{minus}{:.1} %", size * 100.0),
        Unit::Points => format!("{minus}{:.1} points", size * 100.0),
        Unit::Chance if size < 0.001 => "< 0.001".to_owned(),
        Unit::Chance => format!("{size:.3}"),
        Unit::Dollars if size == 0.0 => "$0".to_owned(),
        Unit::Dollars => format!("{minus}${size:.4}"),
        Unit::Count | Unit::Tokens | Unit::Chips | Unit::Number if is_whole => {
            format!("{minus}{}", count(size as u64))
        }
        Unit::Tokens => format!("{minus}{}", count(size.round() as u64)),
        Unit::Count | Unit::Chips | Unit::Number => format!("{minus}{size:.2}"),
    }
}

/// An interval in the unit of its number; empty where there is none.
pub fn interval(interval: Option<(f64, f64)>, unit: Unit) -> String {
    interval.map_or_else(String::new, |(low, high)| {
        format!("{} to {}", shown(Some(low), unit), shown(Some(high), unit))
    })
}
