//! What the command line prints. Task fields, names of models, replies, file names and messages of services may hold escape
//! sequences and signs that turn the order of a line around. Everything goes through here, and such signs are written out.

use std::fmt::Display;
use std::io::{self, Write};

use serde::Serialize;
use turnwise_shared::signs::{visible, visible_json, visible_line};

/// Writes a line to stdout; like `println!`, less its panic.
macro_rules! say {
    ($($line:tt)*) => {
        $crate::cli::out::text(format_args!("{}\n", format_args!($($line)*)))
    };
}
pub(crate) use say;

/// Writes a line to stderr; like `eprintln!`, less its panic.
macro_rules! say_err {
    ($($line:tt)*) => {
        $crate::cli::out::error_text("", format_args!("{}\n", format_args!($($line)*)))
    };
}
pub(crate) use say_err;

/// Writes a text to stdout, for callers that go on if that fails.
///
/// # Errors
/// If it cannot be written.
pub fn try_text(text: impl Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    write!(out, "{}", visible(&text.to_string()))?;
    out.flush()
}

/// Writes a text to stdout.
pub fn text(text: impl Display) {
    raw(&visible(&text.to_string()));
}

/// Writes a value as JSON to stdout.
///
/// # Errors
/// If it is none.
pub fn json(value: &impl Serialize) -> serde_json::Result<()> {
    json_text(&serde_json::to_string_pretty(value)?);
    Ok(())
}

/// Writes a text that is JSON to stdout.
pub fn json_text(json: &str) {
    raw(&visible_json(&format!("{json}\n")));
}

/// Writes a text to stdout byte for byte, for commands whose output is a file, e.g. `turnwise prompts PACK NAME > FILE`. A
/// terminal gets it as [`text`] writes it.
pub fn file(text: &str) {
    use io::IsTerminal as _;
    match io::stdout().is_terminal() {
        true => raw(&visible(text)),
        false => raw(text),
    }
}

/// The reader of the pipe may have gone (`… | head`): then the rest is not written, and the command does its work to the end,
/// because its exit status counts. Any other error ends the program.
fn raw(text: &str) {
    let mut out = io::stdout().lock();
    let written = write!(out, "{text}").and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            say_err!("error: the output cannot be written: {error}");
            std::process::exit(1);
        }
        _ => {}
    }
}

/// Writes a text to stderr, after a control sequence of our own. Nothing can be said about an error here.
pub fn error_text(control: &str, text: impl Display) {
    let mut err = io::stderr().lock();
    let _ = write!(err, "{control}{}", visible(&text.to_string()));
    let _ = err.flush();
}

/// An event of the log comes in one piece and is one line, whatever its fields hold.
fn log_line(event: &[u8]) -> String {
    let text = String::from_utf8_lossy(event);
    format!("{}\n", visible_line(text.trim_end()))
}

/// The writer of the server's log: the same for each of its lines.
#[derive(Debug)]
pub struct Log;

impl Write for Log {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        io::stderr().lock().write_all(log_line(line).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().lock().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_of_the_log_is_one_line() {
        let event = "WARN a service said \u{1b}[2J\nERROR forged\r\u{202e}\n";
        assert_eq!(
            log_line(event.as_bytes()),
            "WARN a service said \\u{1b}[2J\\u{a}ERROR forged\\u{d}\\u{202e}\n"
        );
        assert_eq!(log_line("plain\n".as_bytes()), "plain\n");
    }
}
