//! Numbers of reports, each declared once.

use turnwise_core::prelude::*;

turnwise_core::numbers! { "numbers.tsv":
    ACCURACY = "accuracy",
    BEST = "best_ia",
    EEU = "eeu",
    IC = "ic",
    INTERFERENCE = "interference",
    UNIFIED = "judge_unified",
    SEPARATE = "judge_separate",
}

/// IA@1 to IA@5.
pub const IA: &[&Metric] = METRICS[1].metrics.split_at(5).0;
/// In the order of [`ATTRIBUTES`](crate::tasks::ATTRIBUTES).
pub const BY_ATTRIBUTE: &[&Metric] = METRICS[2].metrics;
