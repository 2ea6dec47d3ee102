//! Which database a server uses.

use std::fmt;
use std::path::PathBuf;

use reqwest::Url;

use crate::secret::Secret;

#[derive(Debug, Clone)]
pub enum Database {
    /// A file of SQLite's; it is made if it is not there, and its folder, too.
    File(PathBuf),
    /// A database of PostgreSQL's, as `postgres://user:password@host:port/database`. It is there and belongs to the user.
    Server(Secret),
}

impl fmt::Display for Database {
    /// The file, or the database without user and password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Database::File(path) => path.display().fmt(f),
            Database::Server(address) => match Url::parse(address.open()) {
                Ok(url) => write!(
                    f,
                    "postgres://{}{}{}",
                    url.host_str().unwrap_or_default(),
                    url.port().map(|port| format!(":{port}")).unwrap_or_default(),
                    url.path()
                ),
                Err(_) => f.write_str("of DATABASE_URL"),
            },
        }
    }
}

impl Database {
    /// Whether an address is one of PostgreSQL's.
    ///
    /// # Errors
    /// What is wrong with it, without the address: it may hold a password.
    pub fn server(address: Secret) -> Result<Self, String> {
        let url = Url::parse(address.open()).map_err(|error| error.to_string())?;
        match url.scheme() {
            "postgres" | "postgresql" if url.path().len() > 1 => Ok(Database::Server(address)),
            "postgres" | "postgresql" => Err("it names no database".into()),
            "sqlite" => {
                Err("leave it away for SQLite: its file lies in the data folder (--data)".into())
            }
            scheme => Err(format!("no database is spoken to by {scheme}://")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_password_is_shown() {
        let address =
            Secret::new("postgres://me:marked-word@db.example.org:5433/turnwise?sslmode=require");
        let database = Database::server(address).expect("an address");
        assert_eq!(database.to_string(), "postgres://db.example.org:5433/turnwise");
        assert!(!format!("{database:?}").contains("marked"));
        for wrong in ["mysql://u:marked@h/d", "postgres://u:marked@h", "sqlite://marked", "marked"]
        {
            let why = Database::server(Secret::new(wrong)).expect_err("no database");
            assert!(!why.contains("marked"), "{why}");
        }
    }
}
