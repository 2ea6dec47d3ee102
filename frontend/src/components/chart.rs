//! Plots, each with its text twin.
