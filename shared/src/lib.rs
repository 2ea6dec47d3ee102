//! Turnwise: the core.
