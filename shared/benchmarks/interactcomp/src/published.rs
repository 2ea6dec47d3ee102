//! Tables 2, 3, 4 and A2 of the paper as data (specification 8), in percent as printed; rounds and asks are counts, costs US
//! dollars. Tests hold them to what the specification found about them.

#[cfg(test)]
mod tests;

/// A row of Table 2: full mode, ten rounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Main {
    /// The model, as printed.
    pub model: &'static str,
    /// Mean rounds.
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
}

impl Main {
    /// The right answers out of 210 in each of three runs, where that explains mean and deviation to the last digit
    /// (specification 7.1): each run's percentage rounded first.
    pub fn counts(&self) -> Option<[u64; 3]> {
        COUNTS.iter().find(|(model, _)| *model == self.model).map(|(_, counts)| *counts)
    }
}

const fn main(
    model: &'static str,
    [rounds, interaction_rate, accuracy, deviation, calibration_error, cost]: [f64; 6],
) -> Main {
    Main { model, rounds, interaction_rate, accuracy, deviation, calibration_error, cost }
}

/// Table 2.
pub const TABLE_2: [Main; 17] = [
    main("GLM-4.5", [6.91, 0.25, 7.14, 0.48, 80.64, 2.16]),
    main("Kimi-K2", [4.95, 5.98, 6.51, 1.53, 87.10, 0.75]),
    main("DeepSeek-V3.1", [7.26, 11.60, 11.74, 2.71, 74.79, 8.84]),
    main("DeepSeek-R1", [6.58, 44.72, 13.08, 0.29, 77.00, 60.43]),
    main("Qwen2.5-72B-Instruct", [7.45, 31.88, 8.08, 0.73, 77.57, 0.15]),
    main("Qwen3-235B-A22B", [5.64, 27.75, 8.89, 0.72, 82.63, 7.47]),
    main("GPT-4o-mini", [4.16, 73.95, 7.13, 0.42, 37.44, 0.35]),
    main("GPT-4o", [5.65, 9.26, 7.62, 0.79, 79.50, 8.65]),
    main("GPT-4.1", [5.49, 34.02, 10.79, 1.22, 82.11, 5.58]),
    main("OpenAI o3", [2.96, 15.03, 10.00, 1.44, 41.96, 5.04]),
    main("GPT-5", [4.33, 30.87, 13.73, 2.55, 68.67, 16.85]),
    main("Grok-4", [4.92, 4.55, 8.40, 1.24, 69.00, 77.55]),
    main("Gemini-2.5-Pro", [4.65, 11.09, 10.28, 0.37, 86.52, 15.04]),
    main("Doubao-1.6", [3.08, 10.60, 6.73, 0.97, 84.35, 1.40]),
    main("Claude-3.5-Sonnet", [5.63, 27.57, 8.10, 1.91, 80.04, 13.09]),
    main("Claude-Sonnet-4", [6.90, 10.76, 7.46, 1.37, 79.62, 19.47]),
    main("Claude-Opus-4", [8.55, 10.86, 8.10, 0.96, 78.42, 115.47]),
];

/// Specification 7.1: what three runs over the 210 tasks brought, for the seven rows that this explains.
const COUNTS: [(&str, [u64; 3]); 7] = [
    ("GLM-4.5", [14, 15, 16]),
    ("Kimi-K2", [10, 15, 16]),
    ("DeepSeek-V3.1", [20, 23, 31]),
    ("Qwen3-235B-A22B", [17, 19, 20]),
    ("Claude-3.5-Sonnet", [13, 17, 21]),
    ("Claude-Sonnet-4", [14, 14, 19]),
    ("Claude-Opus-4", [15, 17, 19]),
];

/// A row of Table 3: accuracy and calibration error, percent, without tools, with search only, with the context given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ablation {
    /// The model, as printed.
    pub model: &'static str,
    /// Answer only.
    pub answer_only: (f64, f64),
    /// Search only.
    pub search_only: (f64, f64),
    /// With the context.
    pub with_context: (f64, f64),
}

const fn ablation(model: &'static str, [a, ac, s, sc, w, wc]: [f64; 6]) -> Ablation {
    Ablation { model, answer_only: (a, ac), search_only: (s, sc), with_context: (w, wc) }
}

/// Table 3.
pub const TABLE_3: [Ablation; 8] = [
    ablation("GPT-4o", [2.38, 88.76, 7.77, 80.52, 40.93, 47.33]),
    ablation("GPT-5", [7.62, 76.26, 9.52, 79.14, 67.88, 21.36]),
    ablation("OpenAI o3", [5.18, 60.94, 8.81, 52.62, 71.50, 7.44]),
    ablation("GLM-4.5", [2.38, 84.40, 6.74, 82.41, 64.77, 22.37]),
    ablation("Kimi-K2", [1.43, 90.36, 7.53, 86.87, 53.37, 40.62]),
    ablation("Gemini-2.5-Pro", [2.38, 93.17, 7.25, 90.65, 69.95, 28.60]),
    ablation("DeepSeek-V3.1", [3.11, 85.60, 8.29, 79.24, 65.28, 24.17]),
    ablation("Claude-Sonnet-4", [2.85, 87.12, 7.25, 81.70, 59.07, 26.31]),
];

/// Asks, accuracy in percent, calibration error in percent.
pub type Study = (f64, f64, f64);

/// How many questions the studies of Tables 4 and A2 have; which, is not published.
pub const STUDY_TASKS: u32 = 50;

/// Table 4: at round limits 5, 10 and 20.
pub const TABLE_4: [(&str, [Study; 3]); 4] = [
    ("GPT-5", [(1.14, 14.0, 71.5), (1.76, 16.0, 71.54), (1.9, 20.0, 70.06)]),
    ("DeepSeek-V3.1", [(0.38, 10.0, 77.0), (0.74, 8.0, 80.3), (1.54, 10.0, 75.2)]),
    ("Claude-Sonnet-4", [(0.16, 6.0, 79.9), (0.7, 4.0, 80.24), (0.78, 8.0, 81.84)]),
    ("GPT-4o-mini", [(2.0, 4.0, 49.5), (3.62, 8.0, 47.6), (2.76, 8.0, 33.2)]),
];

/// Table A2, its five rows of FORCED: minimum asks 2, 4, 6, 8 and 10, by their order. What it calls DeepSeek-Chat is
/// DeepSeek-V3.1 in the other tables.
pub const TABLE_A2: [(&str, [Study; 5]); 4] = [
    (
        "GPT-5",
        [
            (4.4, 24.0, 63.34),
            (6.1, 20.0, 69.02),
            (8.32, 32.0, 54.68),
            (9.4, 40.0, 48.2),
            (11.56, 40.0, 46.86),
        ],
    ),
    (
        "DeepSeek-Chat",
        [
            (5.4, 20.0, 62.3),
            (6.68, 22.0, 52.6),
            (9.26, 22.0, 61.3),
            (10.82, 16.0, 66.4),
            (12.62, 24.0, 61.2),
        ],
    ),
    (
        "Claude-Sonnet-4",
        [
            (3.12, 12.0, 75.8),
            (4.26, 12.0, 76.9),
            (6.1, 10.0, 76.0),
            (8.02, 16.0, 69.1),
            (10.46, 18.0, 68.4),
        ],
    ),
    (
        "GPT-4o-mini",
        [
            (14.5, 4.0, 65.5),
            (16.5, 4.0, 69.7),
            (14.88, 2.0, 62.6),
            (11.18, 6.0, 56.1),
            (14.92, 2.0, 66.7),
        ],
    ),
];
