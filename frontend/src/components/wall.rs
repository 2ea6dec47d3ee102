//! The wall of ribbons.
