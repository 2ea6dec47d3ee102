//! Prompt packs in files, as `turnwise prompts import` writes them.

use std::path::Path;

use turnwise_shared::prelude::*;

/// Reads a pack from its file.
///
/// # Errors
/// With the file's path: it cannot be read, is no pack, or calls itself what it is not.
pub fn read_file(path: &Path) -> Result<Pack, String> {
    let wrong = |why: String| format!("{}: {why}", path.display());
    let bytes = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
    let pack: Pack = serde_json::from_slice(&bytes)
        .map_err(|error| wrong(format!("this is no prompt pack: {error}")))?;
    for benchmark in BENCHMARKS {
        let checked = benchmark.check_pack(&pack);
        checked.map_err(|bad| wrong(bad.to_string()))?;
    }
    let built_in = BENCHMARKS.iter().map(|benchmark| benchmark.pack());
    match built_in.into_iter().find(|own| own.name == pack.name) {
        Some(own) if own != pack => Err(wrong(format!(
            "it is called {}, as a built-in pack is, and has other templates; give it another name",
            pack.name
        ))),
        _ => Ok(pack),
    }
}

/// Packs of one name that differ; `None` if there are none. A name that stood for two packs would say nothing.
pub fn ambiguous(packs: &[Pack]) -> Option<&str> {
    let differs = |one: &&Pack| {
        let mut others = packs.iter();
        others.any(|other| other.name == one.name && other != *one)
    };
    packs.iter().find(differs).map(|pack| pack.name.as_str())
}
