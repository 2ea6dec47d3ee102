//! The numbers of a run: what they are called, what they mean, and where they are shown.

turnwise_core::numbers! { "numbers.tsv":
    ACCURACY = "accuracy",
    DEVIATION = "accuracy_std",
    CALIBRATION_ERROR = "calibration_error",
    ROUNDS = "round",
    INTERACTION_RATE = "ir_micro",
    ASKS = "iround",
}
