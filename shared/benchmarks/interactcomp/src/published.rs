//! Tables 2, 3, 4 and A2 of the paper as `published/*.json` have them (specification 8), in percent as printed; rounds and asks are
//! counts, costs US dollars. Tests hold them to what the specification found about them.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use serde::Deserialize;

/// A row of Table 2: full mode, ten rounds.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Main {
    pub model: &'static str,
    pub rounds: f64,
    /// Interaction rate, percent.
    pub interaction_rate: f64,
    /// Accuracy, percent.
    pub accuracy: f64,
    /// Its deviation over runs, percentage points.
    pub deviation: f64,
    /// Calibration error, percent.
    pub calibration_error: f64,
    /// US dollars, by a price table with mistakes (specification 7.4).
    pub cost: f64,
    /// The right answers out of 210 in each of three runs, where that explains mean and deviation to the last digit
    /// (specification 7.1): each run's percentage rounded first.
    pub counts: Option<[u64; 3]>,
}

/// A row of Table 3: accuracy and calibration error, percent, without tools, with search only, with the context given.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Ablation {
    pub model: &'static str,
    /// Answer only.
    pub answer_only: (f64, f64),
    /// Search only.
    pub search_only: (f64, f64),
    pub with_context: (f64, f64),
}

/// Asks, accuracy in percent, calibration error in percent.
pub type Study = (f64, f64, f64);

/// How many questions the studies of Tables 4 and A2 have; which, is not published.
pub const STUDY_TASKS: u32 = 50;

fn table<T: Deserialize<'static>>(text: &'static str) -> T {
    serde_json::from_str(text).expect("a test reads the published tables")
}

/// Table 2.
pub static TABLE_2: LazyLock<Vec<Main>> =
    LazyLock::new(|| table(include_str!("../published/table_2.json")));

/// Table 3.
pub static TABLE_3: LazyLock<Vec<Ablation>> =
    LazyLock::new(|| table(include_str!("../published/table_3.json")));

/// Table 4: at round limits 5, 10 and 20.
pub static TABLE_4: LazyLock<Vec<(&str, [Study; 3])>> =
    LazyLock::new(|| table(include_str!("../published/table_4.json")));

/// Table A2, its five rows of FORCED: minimum asks 2, 4, 6, 8 and 10, by their order. What it calls DeepSeek-Chat is
/// DeepSeek-V3.1 in the other tables.
pub static TABLE_A2: LazyLock<Vec<(&str, [Study; 5])>> =
    LazyLock::new(|| table(include_str!("../published/table_a2.json")));
