//! The transcript as it lies in the file.
