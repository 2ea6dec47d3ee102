//! What a first visit to the home page downloads.

use std::path::Path;

use anyhow::{Result, bail};
use fs_err as fs;

use super::files::{HOME, compressed_name};
use super::page;
use crate::project::{address_in, files_below};

/// What a first visit to any page downloads.
pub struct FirstPage {
    /// Each file with the bytes that travel.
    pub files: Vec<(String, u64)>,
}

impl FirstPage {
    /// All bytes that travel.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|(_, bytes)| bytes).sum()
    }
}

/// What a first visit downloads: the page, what it names, and what its style sheets and the main part of the app name.
pub fn first_page(folder: &Path) -> Result<FirstPage> {
    let html = fs::read_to_string(folder.join(HOME))?;
    let mut names = vec![HOME.to_owned()];
    names.extend(page::local_references(&html)?);
    let mut files: Vec<(String, u64)> = Vec::new();
    let mut next = 0;
    while let Some(name) = names.get(next).cloned() {
        next += 1;
        let path = folder.join(&name);
        if !path.is_file() {
            bail!("the page loads /{name}, which the web app does not have");
        }
        let more = match name.rsplit_once('.') {
            Some((_, "css")) => page::local_urls(&fs::read_to_string(&path)?),
            Some((_, "wasm")) => named_in(&fs::read(&path)?, folder)?,
            _ => Vec::new(),
        };
        let new: Vec<String> = more.into_iter().filter(|name| !names.contains(name)).collect();
        names.extend(new);
        let travels = Some(compressed_name(&path)).filter(|small| small.is_file()).unwrap_or(path);
        files.push((name, fs::metadata(travels)?.len()));
    }
    Ok(FirstPage { files })
}

/// The files of a site whose addresses a compiled app holds.
fn named_in(app: &[u8], folder: &Path) -> Result<Vec<String>> {
    // One pass over an app of many megabytes, and not one for each file.
    let slashes: Vec<usize> =
        app.iter().enumerate().filter_map(|(at, byte)| (*byte == b'/').then_some(at)).collect();
    let names = files_below(folder)?.into_iter().map(|file| address_in(folder, &file));
    let is_named =
        |name: &String| slashes.iter().any(|slash| app[slash + 1..].starts_with(name.as_bytes()));
    Ok(names.filter(is_named).collect())
}
