//! The numbers of a run: what they are called, what they mean, and where they are shown.

turnwise_core::numbers! { "numbers.tsv":
    ACCURACY = "accuracy",
    WITH_FINAL = "accuracy_with_final",
    WITHIN_BUDGET = "accuracy_within_budget",
    TURNS = "average_turns",
    QUESTIONS = "questions",
    FORMAT_ERRORS = "format_error_rate",
    JUDGE_INVALID = "judge_invalid_rate",
}
