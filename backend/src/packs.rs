//! Prompt packs in files, as `turnwise prompts import` writes them.

use std::path::Path;

use turnwise_shared::benchmarks::interactcomp::verbatim;
use turnwise_shared::prompt::Pack;

/// Reads a pack from its file.
///
/// # Errors
/// With the file's path: it cannot be read, is no pack, or calls itself what it is not.
pub fn read_file(path: &Path) -> Result<Pack, String> {
    let wrong = |why: String| format!("{}: {why}", path.display());
    let bytes = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
    let pack: Pack = serde_json::from_slice(&bytes)
        .map_err(|error| wrong(format!("this is no prompt pack: {error}")))?;
    verbatim::check_name(&pack).map_err(|bad| wrong(bad.to_string()))?;
    Ok(pack)
}
