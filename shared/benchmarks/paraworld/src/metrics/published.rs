//! Tables 3 to 6 of the paper as data (specification 9), in percent except calls, and the two splits into tiers behind them.
//!
//! Turned back into fractions, every row of pass@1 fits exactly one of two splits of the 1,608 worlds: two revisions of the
//! facts were evaluated, and their rows stand side by side. So rows of different splits compare worlds that are not quite
//! the same.

use serde::{Deserialize, Serialize};

use crate::task::Tier;

/// The setting of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Setting {
    /// A: all facts given, no search. Only pass@1 is printed.
    Oracle,
    /// B with examples.
    FewShot,
    /// B with guidance.
    Guidance,
    /// C.
    Unguided,
}

/// Which split into tiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// 564, 623 and 421.
    A,
    /// 568, 619 and 421, as Table 1 prints it.
    B,
}

impl Split {
    /// Both.
    pub const ALL: [Split; 2] = [Split::A, Split::B];

    /// How many worlds each tier has, from easy to hard; 1,608 in all.
    pub fn sizes(self) -> [u32; 3] {
        match self {
            Split::A => [564, 623, 421],
            Split::B => [568, 619, 421],
        }
    }

    /// How many worlds a tier has.
    pub fn size(self, tier: Tier) -> u32 {
        self.sizes()[tier as usize]
    }
}

/// One cell: what the paper prints of a tier, or of all.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Percent of answers judged correct.
    pub pass_at_1: f64,
    /// Coverage, percent.
    pub fcr: f64,
    /// Hit rate over episodes with calls, percent.
    pub hit_rate: f64,
    /// Calls.
    pub tool_calls: f64,
}

/// One row: a model in a setting.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Row {
    /// The model, as printed.
    pub model: &'static str,
    /// The setting.
    pub setting: Setting,
    /// The split that its numbers fit.
    pub split: Split,
    /// Easy, mid, hard. In setting A only `pass_at_1` is printed; the rest is 0.
    pub tiers: [Cell; 3],
    /// Over all.
    pub overall: Cell,
}

impl Row {
    /// Correct answers by tier, from the printed percentages and the row's split.
    pub fn correct(&self) -> [u32; 3] {
        let sizes = self.split.sizes();
        std::array::from_fn(|at| {
            (self.tiers[at].pass_at_1 / 100.0 * f64::from(sizes[at])).round() as u32
        })
    }
}

const fn cell([pass_at_1, fcr, hit_rate, tool_calls]: [f64; 4]) -> Cell {
    Cell { pass_at_1, fcr, hit_rate, tool_calls }
}

const fn row(model: &'static str, setting: Setting, split: Split, cells: [[f64; 4]; 4]) -> Row {
    let [easy, mid, hard, overall] = cells;
    Row {
        model,
        setting,
        split,
        tiers: [cell(easy), cell(mid), cell(hard)],
        overall: cell(overall),
    }
}

/// A row of Table 3: over all, easy, mid, hard.
const fn oracle(model: &'static str, [all, easy, mid, hard]: [f64; 4]) -> Row {
    let cells =
        [[easy, 0.0, 0.0, 0.0], [mid, 0.0, 0.0, 0.0], [hard, 0.0, 0.0, 0.0], [all, 0.0, 0.0, 0.0]];
    row(model, Setting::Oracle, Split::A, cells)
}

/// Table 3: setting A.
pub const TABLE_3: [Row; 8] = [
    oracle("MindWatcher 32B", [85.01, 88.83, 85.23, 79.57]),
    oracle("Qwen3-30B-A3B", [85.14, 87.23, 87.16, 79.33]),
    oracle("Qwen3-32B", [91.04, 94.86, 91.17, 85.75]),
    oracle("MiniMax-m2", [67.23, 66.67, 67.58, 67.46]),
    oracle("MiniMax-m2.1", [82.46, 84.93, 79.94, 82.90]),
    oracle("Tongyi DeepResearch", [83.40, 83.33, 83.15, 83.85]),
    oracle("Youtu Agent 7B", [67.91, 78.90, 67.42, 53.92]),
    oracle("GLM-4.7", [89.80, 92.91, 90.69, 84.32]),
];

/// Table 4: setting B, few-shot and guidance.
#[rustfmt::skip]
pub const TABLE_4: [Row; 14] = [
    row("MindWatcher 32B", Setting::FewShot, Split::A, [[59.75, 56.20, 58.00, 6.95], [47.67, 38.80, 48.00, 10.22], [30.88, 25.30, 40.00, 14.15], [47.51, 41.40, 49.40, 10.10]]),
    row("MindWatcher 32B", Setting::Guidance, Split::A, [[59.93, 56.40, 59.30, 6.18], [44.14, 36.50, 45.90, 10.43], [23.04, 21.80, 35.40, 14.53], [44.15, 39.60, 47.80, 10.01]]),
    row("Qwen3-30B-A3B", Setting::FewShot, Split::A, [[34.04, 29.50, 41.10, 1.98], [17.50, 13.20, 33.00, 2.22], [8.55, 5.90, 23.80, 2.27], [20.96, 17.00, 33.40, 2.15]]),
    row("Qwen3-30B-A3B", Setting::Guidance, Split::B, [[24.12, 20.20, 27.00, 1.89], [13.89, 9.70, 22.60, 2.00], [7.36, 4.00, 19.10, 1.98], [15.80, 11.90, 23.20, 1.96]]),
    row("Qwen3-32B", Setting::FewShot, Split::A, [[37.77, 37.80, 48.90, 2.35], [20.39, 17.10, 33.90, 2.82], [10.21, 6.50, 22.20, 2.80], [23.82, 21.60, 36.10, 2.65]]),
    row("Qwen3-32B", Setting::Guidance, Split::B, [[41.55, 40.00, 53.20, 2.27], [23.10, 19.60, 40.90, 2.67], [14.01, 8.70, 30.80, 2.87], [27.24, 24.00, 42.60, 2.58]]),
    row("MiniMax-m2", Setting::FewShot, Split::A, [[42.73, 40.80, 38.60, 5.20], [32.42, 24.10, 27.30, 7.24], [17.34, 13.30, 18.30, 9.12], [32.09, 27.10, 28.90, 7.01]]),
    row("MiniMax-m2", Setting::Guidance, Split::A, [[45.39, 42.50, 40.90, 5.12], [33.23, 26.90, 29.80, 7.78], [21.14, 14.80, 20.30, 10.09], [34.33, 29.20, 31.20, 7.45]]),
    row("MiniMax-m2.1", Setting::FewShot, Split::A, [[50.53, 47.50, 38.10, 8.73], [36.28, 34.70, 28.30, 13.13], [20.67, 22.40, 21.20, 16.83], [37.19, 36.00, 29.90, 12.55]]),
    row("MiniMax-m2.1", Setting::Guidance, Split::A, [[52.66, 47.90, 40.30, 8.45], [40.45, 35.60, 29.20, 12.97], [22.33, 20.60, 22.10, 15.47], [39.99, 36.00, 31.30, 12.04]]),
    row("Tongyi DR 30B-A3B", Setting::FewShot, Split::A, [[26.60, 29.80, 30.80, 4.72], [15.41, 16.40, 25.00, 5.47], [6.41, 8.10, 21.20, 5.91], [16.98, 19.00, 26.00, 5.32]]),
    row("Tongyi DR 30B-A3B", Setting::Guidance, Split::B, [[27.99, 34.70, 33.90, 4.66], [17.45, 21.60, 29.80, 5.47], [9.50, 10.00, 24.10, 5.72], [19.09, 23.20, 29.70, 5.25]]),
    row("Youtu Agent 7B", Setting::FewShot, Split::A, [[7.62, 0.30, 25.00, 0.04], [4.82, 0.00, 13.30, 0.02], [3.56, 0.00, 0.00, 0.01], [5.47, 0.10, 13.90, 0.02]]),
    row("Youtu Agent 7B", Setting::Guidance, Split::A, [[6.21, 0.10, 15.40, 0.03], [3.69, 0.00, 8.30, 0.02], [2.38, 0.00, 7.10, 0.04], [4.23, 0.10, 10.50, 0.03]]),
];

/// Tables 5 and 6: setting C.
#[rustfmt::skip]
pub const TABLES_5_AND_6: [Row; 12] = [
    row("MindWatcher 32B", Setting::Unguided, Split::B, [[56.69, 51.30, 55.30, 5.78], [36.03, 31.10, 40.30, 9.19], [17.81, 18.20, 30.30, 12.00], [38.56, 34.90, 43.00, 8.72]]),
    row("Qwen3-30B-A3B", Setting::Unguided, Split::B, [[24.65, 19.10, 28.50, 1.57], [12.60, 6.10, 19.00, 1.61], [6.89, 2.30, 14.30, 1.58], [15.36, 9.70, 21.10, 1.59]]),
    row("Qwen3-32B", Setting::Unguided, Split::B, [[28.87, 24.40, 34.10, 1.88], [14.54, 8.00, 22.00, 1.96], [9.74, 2.20, 12.40, 1.90], [18.35, 12.30, 23.80, 1.92]]),
    row("MiniMax-m2", Setting::Unguided, Split::B, [[38.91, 35.20, 35.20, 3.95], [22.46, 18.60, 23.00, 5.19], [11.64, 8.90, 15.30, 5.76], [25.44, 21.90, 25.30, 4.90]]),
    row("MiniMax-m2.1", Setting::Unguided, Split::A, [[47.34, 42.00, 33.80, 7.79], [29.21, 25.00, 21.80, 11.61], [14.96, 14.60, 15.10, 14.08], [31.84, 28.30, 24.30, 10.92]]),
    row("Tongyi DR 30B-A3B", Setting::Unguided, Split::B, [[11.62, 9.80, 13.40, 3.56], [5.82, 3.80, 7.10, 4.11], [4.04, 0.90, 3.80, 4.17], [7.40, 5.10, 8.50, 3.93]]),
    row("Youtu Agent 7B", Setting::Unguided, Split::A, [[8.51, 1.50, 4.70, 0.76], [4.33, 0.20, 1.90, 0.73], [3.33, 0.20, 2.60, 0.74], [5.53, 0.70, 3.00, 0.74]]),
    row("GPT-5", Setting::Unguided, Split::B, [[44.19, 30.80, 16.60, 6.69], [30.69, 16.00, 10.30, 9.57], [22.09, 8.40, 8.30, 9.91], [33.21, 19.20, 12.00, 8.64]]),
    row("Gemini-2.5-Flash", Setting::Unguided, Split::B, [[13.73, 11.20, 43.30, 0.75], [5.01, 4.20, 30.70, 0.86], [3.09, 1.80, 20.40, 1.16], [7.59, 6.00, 32.40, 0.90]]),
    row("Gemini-2.5-Pro", Setting::Unguided, Split::B, [[7.22, 4.00, 16.20, 1.57], [3.55, 2.10, 17.00, 1.37], [4.04, 0.60, 11.30, 1.11], [4.98, 2.30, 15.20, 1.37]]),
    row("Gemini-3-Pro", Setting::Unguided, Split::B, [[27.29, 11.40, 14.80, 4.41], [15.99, 4.60, 11.90, 4.87], [9.98, 2.20, 11.10, 3.50], [18.41, 6.40, 12.70, 4.35]]),
    row("Kimi-K2", Setting::Unguided, Split::B, [[31.69, 22.90, 28.70, 2.72], [17.45, 6.80, 11.80, 3.26], [10.69, 1.70, 4.80, 3.59], [20.71, 11.10, 15.90, 3.16]]),
];

/// All rows.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    TABLE_3.iter().chain(&TABLE_4).chain(&TABLES_5_AND_6)
}
