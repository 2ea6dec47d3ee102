//! Lists of prices that the operator wrote.

use std::path::Path;

use serde::Deserialize;
use turnwise_shared::metrics::prices::{ModelPrice, SearchPrice};
use turnwise_shared::prelude::*;

/// Reads a list of prices: TOML with `[[price]]` and `[[search_price]]`, as in the operator's file.
///
/// # Errors
/// What is wrong, with the line or the entry.
pub fn read(text: &str) -> Result<PriceBook, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Written {
        #[serde(default)]
        price: Vec<ModelPrice>,
        #[serde(default)]
        search_price: Vec<SearchPrice>,
        #[serde(default)]
        free: Vec<String>,
    }
    let written: Written = toml::from_str(text).map_err(|error| error.to_string())?;
    let book =
        PriceBook { models: written.price, searches: written.search_price, free: written.free };
    book.check().map_err(|mistakes| mistakes.join("; "))?;
    Ok(book)
}

/// Reads a list of prices from a file.
///
/// # Errors
/// With the file's path: it cannot be read, or [`read`] refuses it.
pub fn read_file(path: &Path) -> Result<PriceBook, String> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    read(&text).map_err(|why| format!("{}: {why}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_list_is_refused_with_its_place() {
        for (text, said) in [
            ("[[price]]\nprovider = \"a\"\n", "missing field"),
            ("[[prices]]\n", "unknown field"),
            (
                "[[price]]\nprovider=\"a\"\nmodel=\"m\"\nfrom=\"2026-01-01\"\ninput=-1\noutput=1\n",
                "price is",
            ),
            (
                "[[search_price]]\nengine=\"e\"\nfrom=\"2026-01-01\"\nper_thousand=1\nresults=0\n",
                "results is at least 1",
            ),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(said), "{error}");
        }
    }
}
