//! Who may do what. Handlers ask here and nowhere else:
//!
//! - [`guard`] runs before every handler and refuses foreign hosts, foreign origins and too many requests;
//! - a doorkeeper looks at the token of a request before a large body of it is read;
//! - [`Operator`] and [`Caller`] are extractors that check the operator's access token;
//! - [`find`], [`owned`] and [`may_change`] check whether a run may be read or changed;
//! - [`anonymous`] limits the branches that are opened without an access token.

pub mod anonymous;
mod doorkeeper;
mod guard;
mod runs;
mod tokens;

pub use guard::guard;
pub use runs::{again, find, may_change, owned, owned_or_demo};
pub use tokens::{Caller, Client, Operator, bearer, client, owner};
