//! What goes to stdout.

use std::fmt::Display;
use std::io::{self, Write as _};

/// Writes a line; like `println!`, less its panic.
macro_rules! say {
    ($($line:tt)*) => {
        $crate::cli::out::line(format_args!($($line)*))
    };
}
pub(crate) use say;

/// Writes a line.
pub fn line(line: impl Display) {
    text(format_args!("{line}\n"));
}

/// Writes a text as it is. Nobody may be reading any more (`… | head`): then the rest is not written, and the command does
/// its work to the end, because its exit status counts. Any other error ends the program.
pub fn text(text: impl Display) {
    let mut out = io::stdout().lock();
    let written = write!(out, "{text}").and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            eprintln!("error: the output cannot be written: {error}");
            std::process::exit(1);
        }
        _ => {}
    }
}
