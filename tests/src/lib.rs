//! Turnwise: integration tests.
