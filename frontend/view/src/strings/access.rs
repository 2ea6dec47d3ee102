//! Forms that only those can start who have the server's access token.

use turnwise_shared::visitors::Needs;

/// What is said before anything is filled in, of runs.
pub const NO_RUN: &str = "Starting a run here needs this server's access token";
/// The same of tables.
pub const NO_TABLE: &str = "Opening a table here needs this server's access token";
/// The token in this browser is not the server's.
pub const WRONG: &str = "This server no longer accepts the access token in this browser";
/// What can be done without it.
pub const VISITORS: &str = "Without it you can run the samples and practise with built-in players, read everything that is published, and \
     take over any shared episode from any of its turns: open a turn and press “Take over”.";
/// What is chosen needs no token.
pub const OPEN_TO_VISITORS: &str = "You can start this without an access token";
/// What is chosen needs the token.
pub fn needs(needs: &Needs) -> String {
    format!("This needs the server's access token: {needs}")
}
/// What can be done without it where nobody may take over.
pub const READERS: &str = "Without it you can read everything that is published. The form can be filled in, and its address be sent to \
     somebody who has the token.";
/// The same of a form whose choices do not stand in its address.
pub const READERS_OF_TABLES: &str = "Without it you can read everything that is published.";
/// The way to what can be read and taken over.
pub const TO_BOARDS: &str = "Find an episode on the boards";
/// The way to what can be read.
pub const READ_BOARDS: &str = "Read the boards";
/// The field.
pub const FIELD: &str = "Access token of this server";
/// The button beside it.
pub const GIVE: &str = "Use the token";
/// The server did not take it.
pub const REFUSED: &str =
    "That is not this server's access token. Whoever operates the server has it.";
/// Nothing is typed.
pub const EMPTY: &str = "Type the token first.";
/// Beside the button that cannot be pressed.
pub const AT_THE_TOP: &str = "Needs this server's access token. Enter it at the top of this page.";
