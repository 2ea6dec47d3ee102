//! SQLite or PostgreSQL: the SQL is the same, but for a few places.

/// Which database it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Sqlite,
    Postgres,
}
