//! The database of a server, for commands that look into it or change what is there.

use anyhow::Result;

use turnwise_backend::config::Config;
use turnwise_backend::database::Database;
use turnwise_backend::store::Store;

use super::trouble::with_path;

/// Opens the database that a server of this configuration has.
///
/// # Errors
/// If no server has ever made one there, or it cannot be opened.
pub async fn stored(config: &Config) -> Result<Store> {
    let place = config.database();
    if let Database::File(file) = &place
        && !file.exists()
    {
        return Err(with_path(
            file,
            "there is no database yet; `turnwise serve` makes one, and --data names the folder of another",
        ));
    }
    Ok(Store::beside(&place).await?)
}
