//! Every text of the interface, in one place, in English. What benchmarks and errors say of themselves comes with them.
//!
//! Short words stand here; each page has a module of its own. A text with numbers in it is a function.

pub mod access;
pub mod boards;
pub mod budgets;
pub mod compare;
pub mod connections;
pub mod driving;
pub mod episode;
pub mod evidence;
pub mod game;
pub mod home;
pub mod inspect_logs;
pub mod keys;
pub mod missing;
pub mod new_run;
pub mod person;
pub mod play;
pub mod providers;
pub mod publishing;
pub mod reading;
pub mod run;
pub mod sampling;
pub mod settings;
pub mod sharing;
pub mod spec;
pub mod study;
pub mod theme;
pub mod wall;
pub mod who;

pub use turnwise_shared::screen::words::capitalised;

use crate::number::count;

/// What this is called.
pub const PRODUCT: &str = "Turnwise";

/// The button that closes a dialog.
pub const CLOSE: &str = "Close";
/// The button that sends a message away.
pub const DISMISS: &str = "Dismiss";
/// What is folded under an error.
pub const DETAILS: &str = "Details for programs and reports";
/// What a place says to screen readers while it loads.
pub const LOADING: &str = "Loading";

/// Under a field in which something else stands than a whole number from `least` to `most`.
pub fn whole_number(least: u64, most: u64) -> String {
    // Larger ones are only what a number has room for.
    let range = match (least, most < u64::from(u32::MAX)) {
        (least, true) => format!(" from {} to {}", count(least), count(most)),
        (0, false) => String::new(),
        (least, false) => format!(" of {} or more", count(least)),
    };
    format!("Write a whole number{range} in digits alone.")
}
/// Why a form cannot be sent in which such a field is.
pub const UNREAD: &str = "Something in this form cannot be read. It is marked above.";

/// The server cannot be reached.
pub const UNREACHABLE: &str = "The server cannot be reached.";
/// What helps then.
pub const UNREACHABLE_MEND: &str = "Check that the server runs, then try again.";
/// The server answers requests, and no socket of it opens.
pub const SOCKET_BLOCKED: &str = "The server answers, its socket does not: the proxy in front of it must pass WebSocket upgrades.";
/// What helps then.
pub const SOCKET_BLOCKED_MEND: &str = "Tell the operator: docs/operating.md has the lines for nginx and Caddy. No answer is lost; this page keeps trying and goes on by itself.";
/// The server answered in no shape that is known.
pub fn unexpected(status: u16) -> String {
    format!("The server answered with status {status}.")
}
/// An answer broke off, or is of another shape.
pub const UNREADABLE: &str = "The server's answer could not be read.";
/// What helps then.
pub const UNREADABLE_MEND: &str = "Load this page again: the server may be newer than the page.";
/// A request that could not be made.
pub const UNSENDABLE: &str = "The request could not be built.";
/// The server ended a connection.
pub fn connection_ended(reason: &str) -> String {
    format!("The server ended the connection: {reason}.")
}
/// The browser's own store does not take a run.
pub fn not_kept(why: &str) -> String {
    format!("This browser does not keep the run ({why}); it will not survive a reload.")
}
/// Why, if it did not say.
pub const ABORTED: &str = "the transaction was aborted";
/// Why, if its store is silent.
pub const NO_ANSWER: &str = "its store does not answer";
/// What helps then.
pub const NOT_KEPT_MEND: &str = "Leave private browsing, free some space or close other pages of this server, and load the page again.";

/// The first link of every page.
pub const SKIP: &str = "Skip to content";
/// The name of the navigation.
pub const NAVIGATION: &str = "Main";
/// The link to `/runs`.
pub const NAV_RUNS: &str = "Runs";
/// A run is driven in this tab of the browser.
pub const RUNS_HERE: &str = "A run is running in this tab";
/// The link to `/boards`.
pub const NAV_BOARDS: &str = "Boards";
/// The link to `/play`.
pub const NAV_PLAY: &str = "Play";
/// The link to `/connections`.
pub const NAV_CONNECTIONS: &str = "Connections";
/// The foot of every page.
pub const FOOT: &str =
    "Every number is computed from the transcripts. Nothing is sent to anybody but this server.";

/// What to do where the server wants a token.
pub const TYPE_TOKEN: &str = "Type the operator's access token on the page “Connections”.";
/// What it means for a run that lines could not be sent.
pub const LINES_WAIT: &str = "Nothing is lost: the lines wait in this browser and are sent again.";

/// A part of the app could not be downloaded.
pub const NOT_LOADED: &str = "This part of the page could not be downloaded.";
/// What to do about it.
pub const LOAD_AGAIN: &str = "Load the page again: the server may have a newer one. If this stays, something between you and the server holds a file back.";
/// A part of the app is long on its way.
pub const LATE_PART: &str = "This part of the page has not arrived yet.";
