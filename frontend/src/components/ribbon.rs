//! The turn ribbon.
