//! Days of the calendar, in UTC. There is no clock here: what day it is comes in as an argument.

use std::ops::Range;
use std::str::FromStr;

/// A day as `2025-11-10`; later days are greater.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(String);

as_text!(Day);
shown_as_held!(Day);

/// A text that is not a day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a day is written as 2025-11-10")]
pub struct BadDay;

impl FromStr for Day {
    type Err = BadDay;

    fn from_str(text: &str) -> Result<Self, BadDay> {
        let shape = text.bytes().enumerate().all(|(place, byte)| match place {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
        let fits = text.len() == 10
            && shape
            && ("01"..="12").contains(&&text[5..7])
            && ("01"..="31").contains(&&text[8..]);
        fits.then(|| Day(text.to_owned())).ok_or(BadDay)
    }
}

impl Day {
    /// The day of a moment in milliseconds since 1970; `None` beyond the year 9999.
    pub fn of(moment: u64) -> Option<Self> {
        let (year, month, day) = date(moment / 86_400_000);
        format!("{year:04}-{month:02}-{day:02}").parse().ok()
    }

    pub fn parts(&self) -> (u64, u64, u64) {
        let part = |range: Range<usize>| self.0[range].parse().expect("digits");
        (part(0..4), part(5..7), part(8..10))
    }

    /// Days since 1970-01-01, negative before; `None` where the month has no such day, and before March of the year 0.
    pub fn number(&self) -> Option<i64> {
        let (year, month, day) = self.parts();
        let from_march = (month + 9) % 12;
        let year_from_march = year.checked_sub(u64::from(month <= 2))?;
        let (era, of_era) = (year_from_march / 400, year_from_march % 400);
        let of_year = (153 * from_march + 2) / 5 + day - 1;
        let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year;
        let is_one = from_year_0(days) == (year, month, day);
        Some(i64::try_from(days).ok()? - TO_1970.cast_signed()).filter(|_| is_one)
    }

    /// 0 for Monday to 6 for Sunday.
    pub fn weekday(&self) -> Option<usize> {
        // 1970-01-01 was a Thursday.
        usize::try_from((self.number()? + 3).rem_euclid(7)).ok()
    }
}

/// Days from 1 March of the year 0 to 1970-01-01.
const TO_1970: u64 = 719_468;

/// Year, month and day, by the number of days since 1970-01-01.
pub(crate) fn date(days: u64) -> (u64, u64, u64) {
    from_year_0(days + TO_1970)
}

/// The same by the number of days since 1 March of the year 0, so that a leap day ends its year; 400 years have 146,097 days.
fn from_year_0(days: u64) -> (u64, u64, u64) {
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_days() {
        for good in ["2025-11-10", "0001-01-31"] {
            assert!(good.parse::<Day>().is_ok(), "{good}");
        }
        for bad in [
            "2025-13-01",
            "2025-00-01",
            "2025-01-32",
            "2025-1-01",
            "2025-01-01 ",
            "25-01-0101",
            "２０25-1",
            "",
        ] {
            assert_eq!(bad.parse::<Day>(), Err(BadDay), "{bad}");
        }
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (951_782_399, "2000-02-28"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_735_689_599, "2024-12-31"),
            (1_735_689_600, "2025-01-01"),
            (4_107_542_400, "2100-03-01"),
        ] {
            let found: Day = day.parse().expect("a day");
            assert_eq!(Day::of(seconds * 1000), Some(found.clone()), "{seconds}");
            assert_eq!(found.number(), Some((seconds / 86_400).cast_signed()), "{day}");
        }
        let day = |text: &str| text.parse::<Day>().expect("it looks like one");
        assert_eq!(day("2025-05-20").weekday(), Some(1));
        assert_eq!((day("1969-12-31").number(), day("1867-07-01").weekday()), (Some(-1), Some(0)));
        for none in ["2025-02-30", "1900-02-29", "0000-01-01"] {
            assert_eq!(day(none).number(), None, "{none}");
        }
        assert_eq!(Day::of(u64::MAX), None);
    }
}
