//! What the person at the terminal reads: one line when a step starts (what, and why), one when it ends.
//!
//! Everything goes to standard error, so that standard output belongs to the programs that are run.

use std::fmt::Display;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The steps that were done, with the time that each took.
static DONE: Mutex<Vec<(String, Duration)>> = Mutex::new(Vec::new());

/// A step that has started. Say how it ended with [`Step::done`] or [`Step::nothing_to_do`].
#[must_use]
pub struct Step {
    what: String,
    started: Instant,
}

/// Starts a step: `what` is done now, `why` it is needed.
pub fn step(what: impl Display, why: impl Display) -> Step {
    eprintln!(
        "{} {what} {}",
        paint(Paint::Strong, "==>"),
        paint(Paint::Faint, &format!("({why})"))
    );
    Step { what: what.to_string(), started: Instant::now() }
}

/// The time of each step, if all together took minutes; what runs beside something else is counted as well.
pub fn times() {
    let mut done = DONE.lock().unwrap_or_else(|poison| poison.into_inner());
    let sum: Duration = done.iter().map(|(_, took)| *took).sum();
    if sum < Duration::from_secs(60) || done.len() < 2 {
        return;
    }
    eprintln!("{} minutes of each step", paint(Paint::Strong, "==>"));
    for (what, took) in done.drain(..) {
        eprintln!("{:>9.1}  {what}", took.as_secs_f64() / 60.0);
    }
}

/// Something worth knowing that is not a step.
pub fn note(text: impl Display) {
    eprintln!("    {text}");
}

/// Something that was left out or may surprise, and what to do about it.
pub fn warn(text: impl Display) {
    eprintln!("    {} {text}", paint(Paint::Warning, "note:"));
}

/// The last words of a command that failed.
pub fn failed(error: &anyhow::Error) {
    eprintln!("{} {error:#}", paint(Paint::Failure, "xtask failed:"));
}

impl Step {
    /// Ends the step: it was done, with `result`.
    pub fn done(self, result: impl Display) {
        let elapsed = self.started.elapsed();
        let took = paint(Paint::Faint, &format!("[{}]", duration(elapsed)));
        eprintln!("    {} {result} {took}", paint(Paint::Good, "ok:"));
        DONE.lock().unwrap_or_else(|poison| poison.into_inner()).push((self.what, elapsed));
    }

    /// Ends the step: nothing had changed since the last time.
    pub fn nothing_to_do(self, because: impl Display) {
        eprintln!("    {} {because}", paint(Paint::Good, "unchanged:"));
    }
}

/// A size in bytes as people read it: `74 kB`, `1.3 MB` (powers of ten, as transfer budgets are written).
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 60.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{} min {:02} s", time.as_secs() / 60, time.as_secs() % 60)
    }
}

#[derive(Clone, Copy)]
enum Paint {
    Strong,
    Faint,
    Good,
    Warning,
    Failure,
}

fn paint(paint: Paint, text: &str) -> String {
    if !std::io::stderr().is_terminal() || std::env::var_os("NO_COLOR").is_some() {
        return text.to_owned();
    }
    let code = match paint {
        Paint::Strong => "1;36",
        Paint::Faint => "2",
        Paint::Good => "32",
        Paint::Warning => "33",
        Paint::Failure => "1;31",
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_up_to_what_a_budget_would_charge() {
        assert_eq!(size(999), "999 B");
        assert_eq!(size(73_200), "74 kB");
        assert_eq!(size(1_260_000), "1.3 MB");
    }

    #[test]
    fn durations_change_unit_at_a_minute() {
        assert_eq!(duration(Duration::from_millis(1_250)), "1.2 s");
        assert_eq!(duration(Duration::from_secs(125)), "2 min 05 s");
    }
}
