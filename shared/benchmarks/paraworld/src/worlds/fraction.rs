//! Exact rational numbers: what the solver counts with.

use num_rational::Ratio;

pub(super) type Fraction = Ratio<i128>;

/// Digits, perhaps with commas between thousands and with decimals; up to 18 digits. The rest of the text comes back, too.
pub(super) fn read(text: &str) -> Option<(Fraction, &str)> {
    let text = text.trim_start();
    let is_number = |c: char| c.is_ascii_digit() || c == ',' || c == '.';
    let end = text.find(|c| !is_number(c)).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let digits = digits.replace(',', "");
    let (before, after) = digits.split_once('.').unwrap_or((&digits, ""));
    if before.is_empty() || before.len() + after.len() > 18 {
        return None;
    }
    let top = format!("{before}{after}").parse().ok()?;
    let scale = 10_i128.pow(u32::try_from(after.len()).ok()?);
    Some((Fraction::new(top, scale), rest))
}

/// The number if it is whole.
pub(super) fn whole(number: Fraction) -> Option<i128> {
    number.is_integer().then(|| number.to_integer())
}
