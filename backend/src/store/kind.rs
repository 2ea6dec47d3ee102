//! SQLite or PostgreSQL: the SQL is the same, but for a few places.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Sqlite,
    Postgres,
}
