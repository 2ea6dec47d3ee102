//! Cutting the compiled app: what every page needs, and parts that a browser fetches when they are first called.
//!
//! Where the cuts are is said in the app itself (`frontend/src/later.rs`). The tool that cuts follows the linker's relocations,
//! so the app must be linked with [`LINKER_FLAG`]. What several parts need lies in parts of its own, which are fetched with them.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use wasm_split_cli_support::{Options, transform};

use crate::project::Project;
use crate::say;

/// What the linker is told so that the app can be cut.
pub const LINKER_FLAG: &str = "-Clink-arg=--emit-relocs";
/// The feature of the web app that marks the cuts.
pub const FEATURE: &str = "split";
/// The script that fetches parts, as the bindings of the main part import it.
pub const LOADER: &str = "parts.js";
/// The bindings of the main part, as [`LOADER`] imports them.
pub const BINDINGS: &str = "turnwise.js";

/// A compiled app in pieces.
pub struct Cut {
    /// What every page needs; the bindings are made for it.
    pub main: Vec<u8>,
    /// The rest.
    pub later: Later,
}

/// What is fetched later.
pub struct Later {
    /// The script that fetches parts and joins them to the main part.
    pub loader: String,
    /// The parts, by name.
    pub parts: Vec<Part>,
}

/// A piece of the app that is fetched when it is first needed.
pub struct Part {
    /// Its file name, as the loader has it.
    pub name: String,
    /// The code.
    pub wasm: Vec<u8>,
}

/// Cuts a compiled app.
pub fn cut(project: &Project, wasm: &[u8]) -> Result<Cut> {
    let step = say::step(
        "cut the web app into parts",
        "a first visit downloads the first of them",
    );
    let folder = project.target("xtask/parts");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let main = folder.join("main.wasm");
    let (loader, bindings) = (format!("./{LOADER}"), format!("./{BINDINGS}"));
    let mut options = Options::new(wasm);
    options.output_dir = &folder;
    options.main_out_path = &main;
    options.link_name = &loader;
    options.main_module = &bindings;
    // Its errors are none of the standard library's kind.
    let cut = transform(options).map_err(|error| anyhow!("cutting the web app: {error:#}"))?;
    let mut parts = cut
        .split_modules
        .iter()
        .map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            Ok(Part {
                name: name.into_owned(),
                wasm: read(path)?,
            })
        })
        .collect::<Result<Vec<_>>>()?;
    parts.sort_by(|one, other| one.name.cmp(&other.name));
    if parts.is_empty() {
        bail!(
            "the web app has no parts to be fetched later; was it compiled with the feature `{FEATURE}`?"
        );
    }
    let main = read(&main)?;
    let loader = String::from_utf8(read(&folder.join(LOADER))?)
        .context("the script that fetches parts is not UTF-8")?;
    step.done(format!(
        "{} at once, {} later in {} files",
        say::size(main.len() as u64),
        say::size(parts.iter().map(|part| part.wasm.len() as u64).sum()),
        parts.len()
    ));
    Ok(Cut {
        main,
        later: Later { loader, parts },
    })
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("reading {}", path.display()))
}

/// Which part the pages under the first piece of an address need, as `frontend/src/lib.rs` has it.
const PAGES: [(&str, &str); 6] = [
    ("compare", "runs"),
    ("connections", "forms"),
    ("logs", "logs"),
    ("new", "forms"),
    ("play", "play"),
    ("run", "runs"),
];

/// The lines of a script that fetch what the page needs beside the main part while that is still on its way: else it would be
/// asked for only when the main part runs. `loader` names the files as they are in the site.
pub fn fetch_early(loader: &str) -> Result<String> {
    let files = files_by_part(loader);
    let mut pages = BTreeMap::new();
    for (page, part) in PAGES {
        let files = files.get(part).with_context(|| {
            format!("the pages under /{page} need a part {part:?}, and there is none")
        })?;
        pages.insert(page, files);
    }
    Ok(format!(
        "const files = {}[location.pathname.split(\"/\")[1]] ?? [];\n\
         for (const file of files) {{\n\
         \x20 const link = document.createElement(\"link\");\n\
         \x20 Object.assign(link, {{ rel: \"preload\", as: \"fetch\", type: \"application/wasm\", crossOrigin: \"anonymous\", href: `/${{file}}` }});\n\
         \x20 document.head.append(link);\n\
         }}\n",
        serde_json::to_string(&pages)?
    ))
}

/// The files that each part consists of: what several parts share stands below a comment with their names, what belongs to
/// one alone in the function that loads it.
fn files_by_part(loader: &str) -> BTreeMap<String, Vec<String>> {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut users = Vec::new();
    for line in loader.lines() {
        if let Some(names) = line
            .strip_prefix("/* ")
            .and_then(|line| line.strip_suffix(" */"))
        {
            users = names.split(", ").map(str::to_owned).collect();
        } else if let Some((_, rest)) = line.split_once("const __wasm_split_load_") {
            let name = rest.split(' ').next().unwrap_or(rest);
            users = vec![name.to_owned()];
        } else if let Some(file) = line
            .split_once("URL(\"./")
            .and_then(|(_, rest)| rest.split_once('"'))
        {
            for user in users.drain(..) {
                files.entry(user).or_default().push(file.0.to_owned());
            }
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOADER: &str = "/* forms, runs */\n\
        const __chunk_1 = makeLoad(() => {\n\
        \x20   const src = fetch(new URL(\"./chunk_1-0a.wasm\", import.meta.url));\n\
        }\n, []);\n\
        export const __wasm_split_load_runs = wrapAsyncCb(makeLoad(() => {\n\
        \x20   const src = fetch(new URL(\"./split_runs-0b.wasm\", import.meta.url));\n\
        }\n, [__chunk_1]));\n\
        export const __wasm_split_load_forms = wrapAsyncCb(makeLoad(() => {\n\
        \x20   const src = fetch(new URL(\"./split_forms-0c.wasm\", import.meta.url));\n\
        }\n, [__chunk_1]));\n";

    #[test]
    fn the_files_of_a_part_are_found() {
        let files = files_by_part(LOADER);
        assert_eq!(files["runs"], ["chunk_1-0a.wasm", "split_runs-0b.wasm"]);
        assert_eq!(files["forms"], ["chunk_1-0a.wasm", "split_forms-0c.wasm"]);
        assert_eq!(files.len(), 2);
    }

    #[test]
    fn a_page_without_its_part_is_said() {
        let error = fetch_early(LOADER).unwrap_err().to_string();
        assert!(error.contains("\"logs\""), "{error}");
        let more = LOADER.replace("_load_forms", "_load_logs")
            + &LOADER.replace("_load_runs", "_load_play");
        let script = fetch_early(&more).unwrap();
        assert!(
            script.contains("\"run\":[\"chunk_1-0a.wasm\",\"split_runs-0b.wasm\""),
            "{script}"
        );
    }
}
