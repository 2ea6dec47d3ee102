//! Tables that sort.
