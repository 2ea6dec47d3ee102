//! The folder of the built web app: names with hashes, compressed copies, and the note of what it was built from.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use super::Size;
use super::bindings::Bound;
use super::page::{self, Asset, Kind};
use crate::project::Project;
use crate::say;

/// What shrinks; fonts and pictures are compressed already.
const WORTH_COMPRESSING: [&str; 9] = [
    "css",
    "html",
    "js",
    "json",
    "svg",
    "txt",
    "wasm",
    "webmanifest",
    "xml",
];
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

/// The names under which the app itself was added.
pub struct AppNames {
    js: String,
    wasm: String,
    start: String,
}

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

impl Site {
    /// Begins a new site that will replace `folder`.
    pub fn begin(folder: &Path, size: Size) -> Result<Site> {
        let draft = folder.with_extension("draft");
        remove_if_there(&draft)?;
        std::fs::create_dir_all(&draft).with_context(|| format!("creating {}", draft.display()))?;
        Ok(Site {
            folder: folder.to_path_buf(),
            draft,
            size,
            bytes: 0,
            names: BTreeSet::new(),
        })
    }

    /// Adds the compiled app, its bindings, and the few lines that start it (a page without inline scripts needs a file for them).
    pub fn add_app(&mut self, app: &Bound) -> Result<AppNames> {
        for (path, text) in &app.snippets {
            self.add(path, text.as_bytes())?;
        }
        let wasm = self.add_hashed("turnwise.wasm", &app.wasm)?;
        let js = self.add_hashed("turnwise.js", app.js.as_bytes())?;
        let start = format!(
            "import start from \"/{js}\";\nawait start({{ module_or_path: \"/{wasm}\" }});\n"
        );
        let start = self.add_hashed("start.js", start.as_bytes())?;
        Ok(AppNames { js, wasm, start })
    }

    /// Adds what a marked element names, and returns the element that takes its place.
    pub fn add_asset(
        &mut self,
        project: &Project,
        asset: &Asset,
        app: &AppNames,
    ) -> Result<String> {
        if asset.kind == Kind::App {
            return Ok(format!(
                "<link rel=\"modulepreload\" href=\"/{}\">\
                 <link rel=\"preload\" href=\"/{}\" as=\"fetch\" type=\"application/wasm\" crossorigin>\
                 <script type=\"module\" src=\"/{}\"></script>",
                app.js, app.wasm, app.start
            ));
        }
        let source = source_of(project, asset);
        let others = page::write_attributes(&asset.others);
        if matches!(asset.kind, Kind::File | Kind::Folder) {
            let parent = source.parent().unwrap_or(&source).to_path_buf();
            for file in files_of(project, asset)? {
                let name = file
                    .strip_prefix(&parent)
                    .unwrap_or(&file)
                    .to_string_lossy()
                    .replace('\\', "/");
                self.add(&name, &read(&file)?)?;
            }
            return Ok(String::new());
        }
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        let name = self.add_hashed(&name, &read(&source)?)?;
        Ok(match asset.kind {
            Kind::Style => format!("<link rel=\"stylesheet\" href=\"/{name}\"{others}>"),
            Kind::Icon => format!("<link rel=\"icon\" href=\"/{name}\"{others}>"),
            _ => format!("<script src=\"/{name}\"{others}></script>"),
        })
    }

    /// Adds the page itself.
    pub fn add_page(&mut self, html: &str) -> Result<()> {
        self.add("index.html", html.as_bytes())
    }

    /// Puts the site in its place and notes what it was built from; says how large it became.
    pub fn finish(self, fingerprint: &str) -> Result<String> {
        remove_if_there(&self.folder)?;
        std::fs::rename(&self.draft, &self.folder)
            .with_context(|| format!("renaming {}", self.draft.display()))?;
        std::fs::write(note_of(&self.folder), fingerprint)?;
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
        self.add(&name, bytes)?;
        Ok(name)
    }

    fn add(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        if !self.names.insert(name.to_owned()) {
            bail!("two files of the web app want the name {name}");
        }
        let path = self.draft.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(&self.draft))?;
        std::fs::write(&path, bytes).with_context(|| format!("writing {}", path.display()))?;
        self.bytes += bytes.len() as u64;
        if worth_compressing(name) && bytes.len() >= SMALLEST_COMPRESSED {
            let compressed = brotli(bytes, self.size.brotli_quality())?;
            if compressed.len() < bytes.len() {
                std::fs::write(compressed_name(&path), compressed)?;
            }
        }
        Ok(())
    }
}

/// Is `folder` what these inputs would give?
pub fn is_up_to_date(folder: &Path, fingerprint: &str) -> bool {
    folder.join("index.html").is_file()
        && std::fs::read_to_string(note_of(folder)).is_ok_and(|note| note == fingerprint)
}

/// The files that a marked element stands for, in a fixed order; none for the app, which is compiled.
pub fn files_of(project: &Project, asset: &Asset) -> Result<Vec<PathBuf>> {
    let source = source_of(project, asset);
    match asset.kind {
        Kind::App => Ok(Vec::new()),
        Kind::Folder => {
            let mut files = Vec::new();
            walk(&source, &mut files)?;
            files.sort();
            Ok(files)
        }
        _ => Ok(vec![source]),
    }
}

/// What a first visit downloads: the page, what it names, and what its style sheets name.
pub fn first_page(folder: &Path) -> Result<FirstPage> {
    let html =
        String::from_utf8(read(&folder.join("index.html"))?).context("index.html is not UTF-8")?;
    let mut names = vec!["index.html".to_owned()];
    names.extend(page::local_references(&html)?);
    let mut files: Vec<(String, u64)> = Vec::new();
    let mut next = 0;
    while let Some(name) = names.get(next).cloned() {
        next += 1;
        let path = folder.join(&name);
        if !path.is_file() {
            bail!("the page loads /{name}, which the web app does not have");
        }
        if name.ends_with(".css") {
            let css = String::from_utf8_lossy(&read(&path)?).into_owned();
            let new: Vec<String> = page::local_urls(&css)
                .into_iter()
                .filter(|url| !names.contains(url))
                .collect();
            names.extend(new);
        }
        let travels = Some(compressed_name(&path))
            .filter(|small| small.is_file())
            .unwrap_or(path);
        files.push((name, std::fs::metadata(travels)?.len()));
    }
    Ok(FirstPage { files })
}

/// A hash over named inputs, in the order in which they are added.
pub struct Fingerprint(Sha256);

impl Fingerprint {
    /// Nothing added yet.
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
    name.rsplit_once('.')
        .is_some_and(|(_, extension)| WORTH_COMPRESSING.contains(&extension))
}

fn compressed_name(path: &Path) -> PathBuf {
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

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in
        std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?
    {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?
        } else {
            files.push(path)
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| {
        format!(
            "reading {}, which frontend/index.html names",
            path.display()
        )
    })
}

fn remove_if_there(folder: &Path) -> Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("removing {}", folder.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hashed_name_changes_with_the_content_and_keeps_its_ending() {
        let name = hashed_name("app.css", b"a {}");
        assert_ne!(name, hashed_name("app.css", b"b {}"));
        let digits = name
            .strip_prefix("app-")
            .and_then(|rest| rest.strip_suffix(".css"))
            .unwrap();
        assert_eq!(digits.len(), 16);
        assert!(digits.chars().all(|digit| digit.is_ascii_hexdigit()));
    }

    #[test]
    fn a_fingerprint_sees_bytes_that_move_between_inputs() {
        let of = |parts: [(&str, &[u8]); 2]| {
            let mut fingerprint = Fingerprint::new();
            for (name, bytes) in parts {
                fingerprint.add(name, bytes);
            }
            fingerprint.finish()
        };
        assert_ne!(
            of([("a", b"xy"), ("b", b"z")]),
            of([("a", b"x"), ("b", b"yz")])
        );
        assert_eq!(
            of([("a", b"xy"), ("b", b"z")]),
            of([("a", b"xy"), ("b", b"z")])
        );
    }

    #[test]
    fn compressed_copies_can_be_read_again() {
        let text = b"turn after turn ".repeat(200);
        let small = brotli(&text, 4).unwrap();
        assert!(small.len() < text.len() / 10);
        let mut back = Vec::new();
        brotli::BrotliDecompress(&mut small.as_slice(), &mut back).unwrap();
        assert_eq!(back, text);
    }

    #[test]
    fn a_site_counts_what_a_first_visit_downloads() {
        let folder =
            std::env::temp_dir().join(format!("turnwise-xtask-site-{}", std::process::id()));
        let mut site = Site::begin(&folder, Size::Quick).unwrap();
        let long = "a { color: red }\n".repeat(100);
        let css = site
            .add_hashed(
                "app.css",
                format!("{long} @font-face {{ src: url(fonts/x.woff2) }}").as_bytes(),
            )
            .unwrap();
        site.add("fonts/x.woff2", &[7; 1000]).unwrap();
        site.add("never-loaded.txt", long.as_bytes()).unwrap();
        site.add_page(&format!("<link rel=\"stylesheet\" href=\"/{css}\">"))
            .unwrap();
        assert!(site.add("index.html", b"").is_err(), "a name is given once");
        site.finish("inputs").unwrap();

        let page = first_page(&folder).unwrap();
        let names: Vec<&str> = page.files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["index.html", css.as_str(), "fonts/x.woff2"]);
        assert!(page.files[1].1 < 200, "the compressed copy is what travels");
        assert_eq!(page.files[2].1, 1000);
        assert!(is_up_to_date(&folder, "inputs") && !is_up_to_date(&folder, "others"));
        std::fs::remove_dir_all(&folder).unwrap();
        std::fs::remove_file(note_of(&folder)).unwrap();
    }
}
