//! The built web app as files by name: carried in the program, or read from a folder.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::config::Config;

/// Where a build leaves the web app, seen from the project's root.
const BUILT: [&str; 2] = ["target/web", "target/web-quick"];

/// Where the web app lies.
#[derive(Debug, Clone)]
pub enum WebApp {
    Carried(&'static [(&'static str, &'static [u8])]),
    /// In the first of these folders that has an `index.html`.
    Folders(Vec<PathBuf>),
}

impl WebApp {
    /// What the operator named, else what the program carries, else what a build left.
    pub fn find(config: &Config) -> Self {
        match &config.web {
            Some(folder) => WebApp::Folders(vec![folder.clone()]),
            None => carried()
                .map(WebApp::Carried)
                .unwrap_or_else(|| WebApp::Folders(BUILT.map(PathBuf::from).to_vec())),
        }
    }

    /// A file's bytes; `None` if there is none of that name. Only plain names are looked up: no `..`, no hidden file.
    pub async fn file(&self, name: &str) -> Option<Cow<'static, [u8]>> {
        let plain = |part: &str| {
            let sound =
                |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
            !part.is_empty() && !part.starts_with('.') && part.chars().all(sound)
        };
        if !name.split('/').all(plain) {
            return None;
        }
        match self {
            WebApp::Carried(files) => files
                .iter()
                .find(|(carried, _)| *carried == name)
                .map(|(_, bytes)| Cow::Borrowed(*bytes)),
            WebApp::Folders(folders) => {
                let folder = folders.iter().find(|folder| has_page(folder))?;
                tokio::fs::read(folder.join(name)).await.ok().map(Cow::Owned)
            }
        }
    }
}

fn has_page(folder: &Path) -> bool {
    folder.join("index.html").is_file()
}

#[cfg(feature = "embed-web")]
fn carried() -> Option<&'static [(&'static str, &'static [u8])]> {
    static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/web_app.rs"));
    Some(FILES)
}

#[cfg(not(feature = "embed-web"))]
fn carried() -> Option<&'static [(&'static str, &'static [u8])]> {
    None
}
