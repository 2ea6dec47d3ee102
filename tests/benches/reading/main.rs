//! How soon a run of 420 episodes is shown, beside Inspect View, and how a wall of 10,000 ribbons scrolls.
fn main() {}
