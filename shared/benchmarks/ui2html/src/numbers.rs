//! The numbers of a run: what they are called, what they mean, and where they are shown.

use turnwise_core::prelude::*;

turnwise_core::numbers! { "numbers.tsv":
    TOTAL = "total",
    GAIN = "gain",
    LIKENESS = "likeness",
    MISSING_QUESTION = "missing_question_rate",
    MISSING_HTML = "missing_html_rate",
    JUDGE_INVALID = "judge_invalid_rate",
}

pub const PARTS: &[&Metric] = METRICS[1].metrics;
pub const DESIGN2CODE: &[&Metric] = METRICS[2].metrics;
