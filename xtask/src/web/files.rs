//! The folder of the built web app: names with hashes, compressed copies, and the note of what it was built from.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use fs_err as fs;
use sha2::{Digest, Sha256};

use super::Size;
use super::bindings::Bound;
use super::early;
use super::first_page::first_page;
use super::page::{self, Asset, Kind};
use super::parts::{self, Later};
use crate::project::{Project, address_in, emptied, files_below, remove_if_there};
use crate::say;

pub const HOME: &str = "home.html";
/// The page for every other address of the app.
const PAGE: &str = "index.html";

/// What shrinks; fonts and pictures are compressed already.
const WORTH_COMPRESSING: [&str; 9] =
    ["css", "html", "js", "json", "svg", "txt", "wasm", "webmanifest", "xml"];
/// Below this many bytes a compressed copy saves nothing: it fits into one packet anyway.
const SMALLEST_COMPRESSED: usize = 512;

/// A web app that is being assembled beside the folder that it will replace.
pub struct Site {
    folder: PathBuf,
    draft: PathBuf,
    size: Size,
    bytes: u64,
    names: BTreeSet<String>,
}

/// The names under which the app itself was added: what a first visit to any page downloads of it.
pub struct AppNames {
    /// The scripts that the browser reads before the app starts.
    scripts: Vec<String>,
    wasm: String,
    early: String,
    start: String,
}

impl Site {
    /// Begins a new site that will replace `folder`.
    pub fn begin(folder: &Path, size: Size) -> Result<Site> {
        let draft = emptied(folder.with_extension("draft"))?;
        Ok(Site { folder: folder.to_path_buf(), draft, size, bytes: 0, names: BTreeSet::new() })
    }

    /// Adds the compiled app, its bindings, its later parts with what fetches them, and the few lines that start it (a page
    /// without inline scripts needs a file for them).
    pub fn add_app(&mut self, app: &Bound, later: Option<&Later>) -> Result<AppNames> {
        for (path, text) in &app.snippets {
            self.add(path, text.as_bytes())?;
        }
        let wasm = self.add_hashed("turnwise.wasm", &app.wasm)?;
        let mut scripts = Vec::new();
        let early;
        let js = match later {
            None => {
                early = self.add_hashed("early.js", early::script(&wasm, None)?.as_bytes())?;
                self.add_hashed("turnwise.js", app.js.as_bytes())?
            }
            Some(later) => {
                let mut loader = later.loader.clone();
                for part in &later.parts {
                    let name = self.add_hashed(&part.name, &part.wasm)?;
                    loader = put_in(&loader, "URL(", &part.name, &name)?;
                }
                let script = early::script(&wasm, Some(&loader))?;
                early = self.add_hashed("early.js", script.as_bytes())?;
                let loader = early::take_parts_from(&loader, &early)?;
                // Each of the two scripts names the other, so the hash in their names is that of both together.
                let both = [app.js.as_bytes(), loader.as_bytes()].concat();
                let js = hashed_name("turnwise.js", &both);
                let loads = hashed_name(parts::LOADER, &both);
                self.add(&js, put_in(&app.js, "from ", parts::LOADER, &loads)?.as_bytes())?;
                self.add(&loads, put_in(&loader, "from ", parts::BINDINGS, &js)?.as_bytes())?;
                scripts.push(loads);
                js
            }
        };
        let start = include_str!("start.js")
            .replace("EARLY", &early)
            .replace("BINDINGS", &js)
            .replace("MAIN", &wasm);
        let start = self.add_hashed("start.js", start.as_bytes())?;
        scripts.insert(0, js);
        Ok(AppNames { scripts, early, wasm, start })
    }

    /// Adds what a marked element names, and returns the element that takes its place.
    pub fn add_asset(
        &mut self,
        project: &Project,
        asset: &Asset,
        app: &AppNames,
    ) -> Result<String> {
        if asset.kind == Kind::App {
            let scripts: String = app
                .scripts
                .iter()
                .map(|script| format!("<link rel=\"modulepreload\" href=\"/{script}\">"))
                .collect();
            return Ok(format!(
                "<link rel=\"preload\" href=\"/{}\" as=\"fetch\" type=\"application/wasm\" media=\"not all and {}\" crossorigin>\
                 <script type=\"module\" async src=\"/{}\"></script>{scripts}<script type=\"module\" src=\"/{}\"></script>",
                app.wasm,
                early::PHONE,
                app.early,
                app.start
            ));
        }
        let source = source_of(project, asset);
        let others = page::write_attributes(&asset.others);
        if matches!(asset.kind, Kind::File | Kind::Folder) {
            let parent = source.parent().unwrap_or(&source).to_path_buf();
            for file in files_of(project, asset)? {
                self.add(&address_in(&parent, &file), &fs::read(&file)?)?;
            }
            return Ok(String::new());
        }
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        let mut bytes = fs::read(&source)?;
        if asset.kind == Kind::Style {
            bytes = page::without_comments(&String::from_utf8_lossy(&bytes)).into_bytes();
        }
        let name = self.add_hashed(&name, &bytes)?;
        Ok(match asset.kind {
            Kind::Style => format!("<link rel=\"stylesheet\" href=\"/{name}\"{others}>"),
            Kind::Icon => format!("<link rel=\"icon\" href=\"/{name}\"{others}>"),
            _ => format!("<script src=\"/{name}\"{others}></script>"),
        })
    }

    /// Adds the page itself: as the home page, and without what only that shows for every other address.
    pub fn add_page(&mut self, html: &str) -> Result<()> {
        self.add(HOME, html.as_bytes())?;
        self.add(PAGE, page::without(html, "home")?.as_bytes())
    }

    /// Puts the site in its place and notes what it was built from; says how large it became.
    pub fn finish(self, fingerprint: &str) -> Result<String> {
        remove_if_there(&self.folder)?;
        fs::rename(&self.draft, &self.folder)?;
        fs::write(note_of(&self.folder), fingerprint)?;
        let first_page = first_page(&self.folder)?;
        Ok(format!(
            "{} files, {}; a first visit downloads {}",
            self.names.len(),
            say::size(self.bytes),
            say::size(first_page.bytes())
        ))
    }

    fn add_hashed(&mut self, name: &str, bytes: &[u8]) -> Result<String> {
        let name = hashed_name(name, bytes);
        self.add(&name, bytes).map(|()| name)
    }

    fn add(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        if !self.names.insert(name.to_owned()) {
            bail!("two files of the web app want the name {name}");
        }
        let path = self.draft.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&self.draft))?;
        fs::write(&path, bytes)?;
        self.bytes += bytes.len() as u64;
        if let Some(quality) = self.size.brotli_quality()
            && worth_compressing(name)
            && bytes.len() >= SMALLEST_COMPRESSED
        {
            let compressed = brotli(bytes, quality)?;
            if compressed.len() < bytes.len() {
                fs::write(compressed_name(&path), compressed)?;
            }
        }
        Ok(())
    }
}

/// Is `folder` what these inputs would give?
pub fn is_up_to_date(folder: &Path, fingerprint: &str) -> bool {
    folder.join(PAGE).is_file()
        && fs::read_to_string(note_of(folder)).is_ok_and(|note| note == fingerprint)
}

/// The files that a marked element stands for, in a fixed order; none for the app, which is compiled.
pub fn files_of(project: &Project, asset: &Asset) -> Result<Vec<PathBuf>> {
    let source = source_of(project, asset);
    match asset.kind {
        Kind::App => Ok(Vec::new()),
        Kind::Folder => files_below(&source),
        _ => Ok(vec![source]),
    }
}

/// A hash over named inputs, in the order in which they are added.
pub struct Fingerprint(Sha256);

impl Fingerprint {
    pub fn new() -> Fingerprint {
        Fingerprint(Sha256::new())
    }

    /// Adds an input. Lengths are part of the hash, so that bytes cannot move from one input to the next unnoticed.
    pub fn add(&mut self, name: &str, bytes: &[u8]) {
        for part in [name.as_bytes(), bytes] {
            self.0.update((part.len() as u64).to_le_bytes());
            self.0.update(part);
        }
    }

    /// The hash in hexadecimal.
    pub fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

fn hashed_name(name: &str, bytes: &[u8]) -> String {
    let hash = &hex(&Sha256::digest(bytes))[..16];
    match name.rsplit_once('.') {
        Some((stem, extension)) => format!("{stem}-{hash}.{extension}"),
        None => format!("{name}-{hash}"),
    }
}

/// `script` with the file beside it that it calls `"./{name}"` under its final name, wherever `before` stands before it.
fn put_in(script: &str, before: &str, name: &str, hashed: &str) -> Result<String> {
    let called = format!("{before}\"./{name}\"");
    if !script.contains(&called) {
        bail!("a generated script does not say {called}; its generator writes it in another way");
    }
    Ok(script.replace(&called, &format!("{before}\"./{hashed}\"")))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn brotli(bytes: &[u8], quality: u32) -> Result<Vec<u8>> {
    // The window may grow to the largest that every browser accepts (2^24 bytes).
    let mut writer = brotli::CompressorWriter::new(Vec::new(), 1 << 16, quality, 24);
    writer.write_all(bytes)?;
    Ok(writer.into_inner())
}

fn worth_compressing(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| WORTH_COMPRESSING.contains(&extension))
}

/// The name of a file's compressed copy.
pub fn compressed_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".br");
    name.into()
}

/// The note lies beside the folder, because everything inside it is handed out.
fn note_of(folder: &Path) -> PathBuf {
    folder.with_extension("inputs")
}

fn source_of(project: &Project, asset: &Asset) -> PathBuf {
    let mut path = project.path("frontend");
    for part in Path::new(&asset.href).components() {
        match part {
            std::path::Component::ParentDir => {
                path.pop();
            }
            std::path::Component::CurDir => {}
            other => path.push(other),
        }
    }
    path
}

#[cfg(test)]
mod tests;
