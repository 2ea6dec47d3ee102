//! The fonts of a render: Liberation and Noto CJK alone, so that the same page is the same picture wherever they are installed.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use turnwise_shared::hash::Digest;

const FOLDERS: [&str; 2] = ["/usr/share/fonts", "/usr/local/share/fonts"];
const FAMILIES: [&str; 3] = ["Liberation", "NotoSansCJK", "NotoSerifCJK"];
/// What fontconfig calls what pages are drawn with.
const ACCEPTED: [&str; 6] = [
    "Liberation Sans",
    "Liberation Serif",
    "Liberation Mono",
    "Noto Sans CJK SC",
    "Noto Serif CJK SC",
    "Noto Sans Mono CJK SC",
];
/// How deep folders of fonts are looked into.
const DEEPEST: u32 = 4;

/// The font files that count.
pub struct Fonts(Vec<PathBuf>);

impl Fonts {
    pub fn installed() -> Self {
        let mut files = Vec::new();
        for folder in FOLDERS {
            collect(Path::new(folder), DEEPEST, &mut files);
        }
        files.sort();
        Fonts(files)
    }

    /// Writes a configuration of fontconfig that knows no other fonts.
    pub fn write(&self, file: &Path) -> io::Result<()> {
        let accepted: String = ACCEPTED
            .iter()
            .map(|family| {
                format!(
                    "<pattern><patelt name=\"family\"><string>{family}</string></patelt></pattern>"
                )
            })
            .collect();
        let alias = |name: &str, first: &str, second: &str| {
            format!(
                "<alias binding=\"same\"><family>{name}</family><prefer><family>{first}</family><family>{second}</family></prefer></alias>"
            )
        };
        let sans = ["sans-serif", "system-ui", "Arial", "Helvetica", "Verdana"]
            .map(|name| alias(name, "Liberation Sans", "Noto Sans CJK SC"));
        let serif = ["serif", "Times", "Times New Roman", "Georgia"]
            .map(|name| alias(name, "Liberation Serif", "Noto Serif CJK SC"));
        let mono = ["monospace", "Courier", "Courier New"]
            .map(|name| alias(name, "Liberation Mono", "Noto Sans Mono CJK SC"));
        let folders = FOLDERS.map(|folder| format!("<dir>{folder}</dir>")).concat();
        let home = file.parent().unwrap_or(file).display();
        fs::write(
            file,
            format!(
                "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig>{folders}\
                 <cachedir>{home}/fonts</cachedir><selectfont><rejectfont>\
                 <pattern><patelt name=\"scalable\"><bool>true</bool></patelt></pattern>\
                 <pattern><patelt name=\"scalable\"><bool>false</bool></patelt></pattern></rejectfont>\
                 <acceptfont>{accepted}</acceptfont></selectfont>{}{}{}</fontconfig>\n",
                sans.concat(),
                serif.concat(),
                mono.concat()
            ),
        )
    }
}

impl fmt::Display for Fonts {
    /// A digest of names and sizes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = self.0.iter().map(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let size = fs::metadata(file).map_or(0, |file| file.len());
            format!("{name} {size}\n")
        });
        let digest = Digest::of(listed.collect::<String>()).to_string();
        write!(f, "fonts {}", &digest[..8])
    }
}

fn collect(folder: &Path, depth: u32, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && depth > 0 {
            collect(&path, depth - 1, files);
        } else if FAMILIES.iter().any(|family| name.starts_with(family)) {
            files.push(path);
        }
    }
}
