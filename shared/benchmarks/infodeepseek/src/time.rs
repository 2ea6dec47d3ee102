//! The time between two moments (4.3), by the calendar.

use turnwise_core::day::Day;

const SECONDS: i64 = 86_400;

/// A moment: its text, the number of its day and the second of the day.
struct Moment {
    day: Day,
    number: i64,
    second: i64,
}

impl Moment {
    fn read(text: &str) -> Option<Moment> {
        let text = text.trim();
        let (day, time) = text.split_at_checked(10)?;
        let day: Day = day.parse().ok()?;
        let second = match time.trim_start_matches('T').trim() {
            "" => 0,
            time => {
                let parts: Vec<i64> = time
                    .split(':')
                    .map(|part| match part.len() {
                        2 => part.parse().ok(),
                        _ => None,
                    })
                    .collect::<Option<_>>()?;
                let &[hour @ 0..24, minute @ 0..60, second @ 0..60] = &parts[..] else {
                    return None;
                };
                hour * 3600 + minute * 60 + second
            }
        };
        Some(Moment { number: day.number()?, day, second })
    }

    fn total(&self) -> i64 {
        self.number * SECONDS + self.second
    }

    fn part(&self, part: std::ops::Range<usize>) -> i64 {
        self.day.to_string()[part].parse().unwrap_or_default()
    }

    /// The number of the day some months later; the last of that month where it is shorter.
    fn months_later(&self, months: i64) -> Option<i64> {
        let month = self.part(0..4) * 12 + self.part(5..7) - 1 + months;
        let (year, month) = (month.div_euclid(12), month.rem_euclid(12) + 1);
        (1..=self.part(8..10))
            .rev()
            .find_map(|day| format!("{year:04}-{month:02}-{day:02}").parse::<Day>().ok()?.number())
    }
}

/// The time between two moments, in either order, written `yyyy-MM-dd` or `yyyy-MM-dd HH:mm:ss`: in days and hours, and in years, months and
/// days.
///
/// # Errors
/// Which is none.
pub fn between(texts: &[String; 2]) -> Result<String, String> {
    let read = |text: &String| {
        let expected = "expected a moment as 2024-01-31 or 2024-01-31 13:45:00";
        Moment::read(text).ok_or_else(|| format!("{expected}, got {text:?}"))
    };
    let (one, other) = (read(&texts[0])?, read(&texts[1])?);
    let (from, to) = if one.total() <= other.total() { (one, other) } else { (other, one) };
    let seconds = to.total() - from.total();
    let (days, rest) = (seconds / SECONDS, seconds % SECONDS);
    let months = (to.part(0..4) - from.part(0..4)) * 12 + to.part(5..7) - from.part(5..7);
    let is_reached = |months: &i64| {
        let later = from.months_later(*months).map(|day| day * SECONDS + from.second);
        later.is_some_and(|later| later <= to.total())
    };
    let months = [months, months - 1].into_iter().find(is_reached).unwrap_or_default();
    let day = from.months_later(months).unwrap_or(from.number);
    let left = (to.total() - day * SECONDS - from.second) / SECONDS;
    Ok(format!(
        "{days} days, {}:{:02}:{:02} ({} years, {} months, {left} days)",
        rest / 3600,
        rest % 3600 / 60,
        rest % 60,
        months / 12,
        months % 12,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors of 4.3, without the drift of years with 365 and months with 30 days.
    #[test]
    fn time_goes_by_the_calendar() {
        let said = |from: &str, to: &str| between(&[from.to_owned(), to.to_owned()]);
        for (from, to, wanted) in [
            ("2024-01-01", "2025-01-01", "366 days, 0:00:00 (1 years, 0 months, 0 days)"),
            ("2020-02-28", "2021-03-30", "396 days, 0:00:00 (1 years, 1 months, 2 days)"),
            ("1990-05-01", "2024-05-01", "12419 days, 0:00:00 (34 years, 0 months, 0 days)"),
            (
                "2025-01-01 00:00:00",
                "2024-12-31 12:30:00",
                "0 days, 11:30:00 (0 years, 0 months, 0 days)",
            ),
            ("2024-01-31", "2024-03-01", "30 days, 0:00:00 (0 years, 1 months, 1 days)"),
            (
                "1867-07-01",
                "1969-07-20 20:17:40",
                "37274 days, 20:17:40 (102 years, 0 months, 19 days)",
            ),
        ] {
            assert_eq!(said(from, to).as_deref(), Ok(wanted), "{from} {to}");
        }
        for bad in ["2024-1-1", "2024-01-01 10:00", "2024-02-30", "2024-01-01 24:00:00", "", "ä"] {
            assert!(said(bad, "2024-01-01").is_err(), "{bad}");
        }
    }
}
