//! What services ask, on the command line.

use std::path::Path;

use anyhow::Result;

use turnwise_backend::config::prices::read_file;
use turnwise_backend::config::{Config, Environment, Given};
use turnwise_backend::prices;
use turnwise_shared::prelude::*;

use super::out::say_err;

/// The prices that hold here: those of the configuration in a folder, and before them those of a file. Reading numbers must not depend on
/// endpoints, so where the configuration cannot be read the list that comes with the program holds, and that is said.
///
/// # Errors
/// If the file cannot be read, or is no list of prices.
pub fn book(data: Option<&Path>, file: Option<&Path>) -> Result<PriceBook> {
    let given = Given {
        // Nothing is served here, so the operator's address is not looked at.
        addr: Some(([127, 0, 0, 1], 0).into()),
        data: data.map(Path::to_owned),
    };
    let here = match Config::load(given, &Environment::of_process()) {
        Ok(config) => prices::book(&config),
        Err(_) => {
            say_err!(
                "the configuration has mistakes, so only the prices that come with the program hold"
            );
            prices::built_in()
        }
    };
    match file {
        None => Ok(here),
        Some(path) => {
            let own = read_file(path).map_err(anyhow::Error::msg)?;
            Ok(own.over(here))
        }
    }
}
