//! What xtask does with the compiled web app, as a program of its own: it is compiled beside the web app, and only where one is built.
//!
//! - `turnwise-wasm bindings APP FOLDER [keep-exports] [drop-names]` writes the app as a browser can load it: `turnwise.js`,
//!   `turnwise.wasm` and `snippets/`;
//! - `turnwise-wasm cut APP FOLDER LOADER BINDINGS` cuts it into `main.wasm`, parts, and the script LOADER that fetches those.

use std::path::Path;

use anyhow::{Context, Result, bail};
use fs_err as fs;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["bindings", app, folder, ref options @ ..] => {
            bindings(Path::new(app), Path::new(folder), options)
        }
        ["cut", app, folder, loader, bindings] => cut(app, folder, loader, bindings),
        _ => bail!("xtask starts this program; see the head of xtask/wasm/src/main.rs"),
    }
}

fn bindings(app: &Path, folder: &Path, options: &[&str]) -> Result<()> {
    let mut generator = Bindgen::new();
    generator
        .input_path(app)
        .out_name("turnwise")
        .typescript(false)
        .omit_default_module_path(true)
        .keep_lld_exports(options.contains(&"keep-exports"))
        .remove_name_section(options.contains(&"drop-names"))
        .remove_producers_section(true);
    generator.web(true)?;
    let mut output =
        generator.generate_output().context("generating the bindings of the web app")?;
    write(&folder.join("turnwise.js"), output.js().as_bytes())?;
    let snippets = folder.join("snippets");
    for (path, text) in output.local_modules() {
        write(&snippets.join(path), text.as_bytes())?;
    }
    for (owner, texts) in output.snippets() {
        for (number, text) in texts.iter().enumerate() {
            let name = format!("inline{number}.js");
            write(&snippets.join(owner).join(name), text.as_bytes())?;
        }
    }
    write(&folder.join("turnwise.wasm"), &output.wasm_mut().emit_wasm())
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::create_dir_all(path.parent().context("a file lies in a folder")?)?;
    Ok(fs::write(path, bytes)?)
}

#[cfg(feature = "parts")]
fn cut(app: &str, folder: &str, loader: &str, bindings: &str) -> Result<()> {
    let folder = Path::new(folder);
    let wasm = fs::read(app)?;
    let main = folder.join("main.wasm");
    let (loader, bindings) = (format!("./{loader}"), format!("./{bindings}"));
    let mut options = wasm_split_cli_support::Options::new(&wasm);
    options.output_dir = folder;
    options.main_out_path = &main;
    options.link_name = &loader;
    options.main_module = &bindings;
    // Its errors are none of the standard library's kind.
    wasm_split_cli_support::transform(options)
        .map_err(|error| anyhow::anyhow!("cutting the web app: {error:#}"))?;
    Ok(())
}

#[cfg(not(feature = "parts"))]
fn cut(_: &str, _: &str, _: &str, _: &str) -> Result<()> {
    bail!("this program was built without the feature `parts`")
}
