//! The page on which connections are tried.

texts!("connections");

/// How many are shown, of how many, and what they are for.
pub fn listed(shown: usize, all: usize) -> String {
    match all > shown {
        true => first_listed(shown, all),
        false => all_listed(all),
    }
}
