//! Moments as text.

use crate::day::date;

/// A moment in milliseconds since 1970 as ISO 8601 in UTC, e.g. `2026-01-31T10:00:00.250+00:00`. Moments after the year 9999
/// are written as its end.
pub fn iso(moment: u64) -> String {
    const END: u64 = 253_402_300_799_999;
    let moment = moment.min(END);
    let (days, rest) = (moment / 86_400_000, moment % 86_400_000);
    let (year, month, day) = date(days);
    let (hours, minutes) = (rest / 3_600_000, rest / 60_000 % 60);
    let (seconds, millis) = (rest / 1000 % 60, rest % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{millis:03}+00:00")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_calendar() {
        for (moment, text) in [
            (0, "1970-01-01T00:00:00.000+00:00"),
            (951_782_400_250, "2000-02-29T00:00:00.250+00:00"),
            (1_735_689_599_999, "2024-12-31T23:59:59.999+00:00"),
            (u64::MAX, "9999-12-31T23:59:59.999+00:00"),
        ] {
            assert_eq!(iso(moment), text);
        }
    }
}
