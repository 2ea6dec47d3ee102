//! The JavaScript between the browser and the compiled app, made by the library behind the `wasm-bindgen` command.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

use super::Size;
use crate::project::Project;

/// The app as a browser can load it.
pub struct Bound {
    /// The JavaScript module that starts [`Bound::wasm`].
    pub js: String,
    /// The app.
    pub wasm: Vec<u8>,
    /// JavaScript that crates bring along, by the path under which [`Bound::js`] imports it.
    pub snippets: BTreeMap<String, String>,
}

/// Refuses to go on when the generator and the app's `wasm-bindgen` are of different versions: what they tell each other
/// inside the compiled app has no stable format.
pub fn check_version(project: &Project) -> Result<()> {
    let app = project.locked("wasm-bindgen")?;
    let generator = project.locked("wasm-bindgen-cli-support")?;
    if app != generator {
        bail!(
            "Cargo.lock has wasm-bindgen {app} but wasm-bindgen-cli-support {generator}; they must be equal\n  to mend it: write \
             wasm-bindgen-cli-support = \"={app}\" in xtask/Cargo.toml"
        );
    }
    Ok(())
}

/// Generates the bindings of a compiled app. A quick one keeps the names of its functions, for those who read its errors.
pub fn generate(wasm: &[u8], size: Size) -> Result<Bound> {
    let mut generator = Bindgen::new();
    generator
        .input_bytes("turnwise", wasm.to_vec())
        .typescript(false)
        .omit_default_module_path(true)
        // The parts that are fetched later join the main part through what the linker exports.
        .keep_lld_exports(size != Size::Quick)
        .remove_name_section(size == Size::Full)
        .remove_producers_section(true);
    generator.web(true)?;
    let mut output = generator
        .generate_output()
        .context("generating the bindings of the web app")?;

    let mut snippets: BTreeMap<String, String> = output
        .local_modules()
        .iter()
        .map(|(path, text)| (format!("snippets/{path}"), text.clone()))
        .collect();
    for (owner, texts) in output.snippets() {
        for (number, text) in texts.iter().enumerate() {
            snippets.insert(format!("snippets/{owner}/inline{number}.js"), text.clone());
        }
    }
    Ok(Bound {
        js: output.js().to_owned(),
        wasm: output.wasm_mut().emit_wasm(),
        snippets,
    })
}
