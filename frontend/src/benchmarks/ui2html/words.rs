//! Words of the screen.

pub const TARGET: &str = "Target";
pub const ATTEMPT: &str = "Attempt";
pub const ROUNDS: &str = "Rounds";
pub const FINAL: &str = "Final page";
pub const NO_PAGE: &str = "no page";
pub const NO_QUESTION: &str = "No question that counts.";
pub const HIDDEN: &str =
    "The target is hidden from the player. “Show the hidden text” shows it here.";
pub const NO_TARGET: &str = "The target is not at hand here, or sealed.";
pub const SCORES: &str = "Final page";
pub const TOTAL: &str = "Total";
pub const LIKENESS: &str = "Likeness";
pub const LIKENESS_ABOUT: &str = "How alike the layouts of the page and the target are after each round, measured without a judge. The last point is \
     the final page.";
pub const PAGE: &str = "Your page, as HTML";
pub const PAGE_NOTE: &str =
    "The whole document, with its styles in it. Scripts do not run, and nothing is fetched.";
pub const QUESTION: &str = "Question that yes or no can answer";
pub const QUESTION_HINT: &str = "Compared with the target, should I …?";
pub const ASK: &str = "Render and ask";
pub const SEND_FINAL: &str = "Send the final page";
pub const NOT_SCORED: &str = "The page was not scored.";

pub fn round(number: u32) -> String {
    format!("Round {number}")
}

pub fn scored(total: u64) -> String {
    format!("{total} of 100 points")
}

/// What is wrong with what was to be sent.
pub fn not_sent(why: &str) -> String {
    format!("Not sent: {why}.")
}

/// What was wrong with the page before.
pub fn problem(why: &str) -> String {
    format!("Your last page: {why}.")
}
