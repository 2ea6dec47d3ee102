//! Forms that only those can start who have the server's access token.

use turnwise_shared::visitors::Needs;

pub const WRONG: &str = "This server no longer accepts the access token in this browser";
pub const VISITORS: &str = "Without it you can run the samples and practise with built-in players, read everything that is published, and \
     take over any shared episode from any of its turns: open a turn and press “Take over”.";
pub const OPEN_TO_VISITORS: &str = "You can start this without an access token";
/// What is chosen needs the token.
pub fn needs(needs: &Needs) -> String {
    format!("This needs the server's access token: {needs}")
}
pub const READERS: &str = "Without it you can read everything that is published. The form can be filled in, and its address be sent to \
     somebody who has the token.";
pub const READ_BOARDS: &str = "Read the boards";
pub const FIELD: &str = "Access token of this server";
pub const AT_THE_TOP: &str = "Needs this server's access token. Enter it at the top of this page.";
