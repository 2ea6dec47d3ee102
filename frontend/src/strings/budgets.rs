//! What a run may spend, and what it has spent.

use turnwise_shared::wire::budgets::{self, Scope};

use crate::view::number::{count, counted, dollars, duration};

/// The part of the form, and of the run's page.
pub const TITLE: &str = "Budget";
/// What a budget does.
pub const ABOUT: &str = "What a call can cost at most is set aside before it is sent, so a budget is never overspent. When it is used up, \
     the run pauses, and goes on with a larger one.";
/// The field of money.
pub const MONEY: &str = "US dollars";
/// What it asks for.
pub const MONEY_NOTE: &str = "With a limit in dollars every model needs a known price, and a limit of tokens of a reply under the sampling of its seat.";
/// The field of tokens.
pub const TOKENS: &str = "Tokens";
/// The field of calls.
pub const CALLS: &str = "Calls";
/// The field of time.
pub const SECONDS: &str = "Seconds";
/// An empty field.
pub const NO_CAP: &str = "no limit";
/// The button that sets other caps.
pub const SET: &str = "Set the budget";
/// It was set.
pub const IS_SET: &str = "Set. A run that has paused goes on when you resume it.";

/// A cap of 0.
pub const NOTHING: &str =
    "With a budget of 0 nothing can be sent. Write a larger one, or leave the field empty.";
/// The form holds a cap that is not above what is spent.
pub const BELOW: &str =
    "That is no more than what is spent: the run stops until the budget is larger.";
/// A model may say as much as it likes, and what a reply costs is to be limited.
pub fn no_length(seat: &str, field: &str) -> String {
    format!(
        "The budget needs a limit on what the model in the seat “{seat}” may write: fill in “{field}” under its sampling, \
         or leave dollars and tokens without a limit."
    )
}
/// Whose purse it is.
pub fn of(scope: &Scope) -> String {
    match scope {
        Scope::Run => "This run".to_owned(),
        Scope::Access(name) => format!("Token {name}, today"),
        Scope::Server => "This server, today".to_owned(),
    }
}
/// So much money of so much.
pub fn money(spent: u64, cap: u64) -> String {
    let shown = |money: u64| dollars(budgets::dollars(money));
    format!("{} of {}", shown(spent), shown(cap))
}
/// So many tokens of so many.
pub fn tokens(spent: u64, cap: u64) -> String {
    format!("{} of {}", count(spent), counted(cap, "token", "tokens"))
}
/// So many calls of so many.
pub fn calls(spent: u64, cap: u64) -> String {
    format!("{} of {}", count(spent), counted(cap, "call", "calls"))
}
/// So much time of so much, in seconds.
pub fn seconds(passed: u64, cap: u64) -> String {
    let shown = |seconds: u64| duration(seconds.saturating_mul(1000));
    format!("{} of {}", shown(passed), shown(cap))
}
/// What the rest will cost if it goes on as it went; of some calls the price may not be known.
pub fn ahead(amount: f64, is_all: bool) -> String {
    match is_all {
        true => format!("about {} more", dollars(amount)),
        false => format!("at least about {} more", dollars(amount)),
    }
}
/// How a service was held back.
pub fn pace(service: &str, times: usize, limit: u32, most: u32) -> String {
    let times = counted(times as u64, "time", "times");
    if limit == most {
        return format!(
            "{service} asked for fewer calls {times} and gets all {most} at once again"
        );
    }
    format!("{service} asked for fewer calls {times} and gets {limit} of {most} at once now")
}
