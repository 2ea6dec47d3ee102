//! The numbers of a run: what they are called, what they mean, and where they are shown.

turnwise_core::numbers! { "numbers.tsv" }
