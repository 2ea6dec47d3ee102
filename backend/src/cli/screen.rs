//! How far a run is, on stderr: one line that is refreshed on a terminal, a line every ten seconds elsewhere.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use turnwise_shared::metrics::spending::Ahead;
use turnwise_shared::run::Progress;

use super::out::{error_text, say_err};

/// How often the line of a terminal is refreshed.
const REFRESH: Duration = Duration::from_millis(100);
/// How often a line is written where there is no terminal.
const SPARSE: Duration = Duration::from_secs(10);
/// Back to the beginning of the line, and nothing stands in it.
const CLEAR: &str = "\r\x1b[2K";
/// The width of a terminal that does not say its width.
const WIDTH: usize = 80;

#[derive(Debug)]
pub struct Screen {
    is_terminal: bool,
    width: usize,
    begun: Instant,
    /// Plays that were over when this began: a resumed run is not faster for them.
    before: Option<u32>,
    shown: Option<Instant>,
}

impl Screen {
    /// A screen for a run that begins now.
    pub fn new() -> Self {
        Screen {
            is_terminal: std::io::stderr().is_terminal(),
            width: std::env::var("COLUMNS")
                .ok()
                .and_then(|text| text.parse().ok())
                .unwrap_or(WIDTH),
            begun: Instant::now(),
            before: None,
            shown: None,
        }
    }

    /// Shows how far it is, and what the rest will cost, unless that was shown a moment ago.
    pub fn show(&mut self, progress: &Progress, ahead: impl FnOnce() -> Option<Ahead>) {
        let before = *self.before.get_or_insert(progress.played);
        let pause = if self.is_terminal { REFRESH } else { SPARSE };
        if self.shown.unwrap_or(self.begun).elapsed() < pause {
            return;
        }
        self.shown = Some(Instant::now());
        let line = line(progress, before, self.begun.elapsed(), ahead());
        if self.is_terminal {
            let fitting: String = line.chars().take(self.width.saturating_sub(1)).collect();
            error_text(CLEAR, fitting);
        } else {
            say_err!("{line}");
        }
    }

    /// Says a sentence above the line.
    pub fn say(&self, sentence: &str) {
        let control = if self.is_terminal { CLEAR } else { "" };
        error_text(control, format_args!("{sentence}\n"));
    }

    pub fn end(&mut self, progress: &Progress) {
        let before = self.before.unwrap_or_default();
        self.say(&line(progress, before, self.begun.elapsed(), None));
    }
}

/// How far it is, in one line.
fn line(progress: &Progress, before: u32, elapsed: Duration, ahead: Option<Ahead>) -> String {
    let Progress {
        planned,
        played,
        graded,
        unheard,
        incomplete,
        answered,
        flying,
        tokens,
        failures,
        ..
    } = progress;
    let mut parts =
        vec![format!("{played}/{planned} played, {} scored", graded.saturating_sub(*unheard))];
    if *unheard > 0 {
        parts.push(format!("{unheard} without a verdict"));
    }
    if *incomplete > 0 {
        parts.push(format!("{incomplete} incomplete"));
    }
    parts.push(time(elapsed));
    let fresh = played.saturating_sub(before);
    let left = planned.saturating_sub(*played);
    if fresh > 0 && left > 0 {
        let remaining = elapsed.mul_f64(f64::from(left) / f64::from(fresh));
        parts.push(format!("{} left", time(remaining)));
    }
    if let Some(ahead) = ahead {
        let rough = match ahead.is_all {
            true => "about",
            false => "at least about",
        };
        parts.push(format!("{rough} ${:.4} more", ahead.dollars));
    }
    if *answered > 0 || *flying > 0 {
        parts.push(format!("{answered} calls, {flying} in flight"));
    }
    if *tokens > 0 {
        parts.push(format!("{} tokens", short(*tokens)));
    }
    if !failures.is_empty() {
        let classes: Vec<_> =
            failures.iter().map(|(class, count)| format!("{count} {class}")).collect();
        parts.push(format!("failed: {}", classes.join(", ")));
    }
    parts.join(" · ")
}

/// Minutes and seconds, with hours where there are any.
fn time(span: Duration) -> String {
    let seconds = span.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// A large number in a few digits.
fn short(number: u64) -> String {
    #[allow(clippy::cast_precision_loss, reason = "three digits are shown, and 52 bits hold more")]
    let value = number as f64;
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{:.0}k", value / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1}M", value / 1e6),
        _ => format!("{:.1}G", value / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use turnwise_shared::effect::FailureClass;

    #[test]
    fn the_line_says_what_is_done_and_what_is_left() {
        let mut progress = Progress { planned: 210, played: 60, graded: 55, ..Progress::default() };
        assert_eq!(
            line(&progress, 10, Duration::from_secs(100), None),
            "60/210 played, 55 scored · 1:40 · 5:00 left"
        );
        let ahead = |is_all| {
            let dollars = 0.25;
            line(&progress, 10, Duration::from_secs(100), Some(Ahead { dollars, is_all }))
        };
        assert!(ahead(true).ends_with("5:00 left · about $0.2500 more"));
        assert!(ahead(false).ends_with("5:00 left · at least about $0.2500 more"));
        progress.unheard = 3;
        progress.incomplete = 2;
        progress.answered = 700;
        progress.flying = 64;
        progress.tokens = 1_234_567;
        progress.failures = BTreeMap::from([(FailureClass::RateLimited, 3)]);
        assert_eq!(
            line(&progress, 60, Duration::from_secs(3700), None),
            "60/210 played, 52 scored · 3 without a verdict · 2 incomplete · 1:01:40 · 700 calls, 64 in flight · 1.2M tokens · failed: 3 rate_limited"
        );
    }
}
