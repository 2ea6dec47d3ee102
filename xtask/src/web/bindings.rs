//! The JavaScript between the browser and the compiled app, made by the library behind the `wasm-bindgen` command.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use fs_err as fs;

use super::Size;
use super::helper::Helper;
use crate::project::{Project, address_in, files_below};

/// The app as a browser can load it.
pub struct Bound {
    /// The JavaScript module that starts [`Bound::wasm`].
    pub js: String,
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
             wasm-bindgen-cli-support = \"={app}\" in xtask/wasm/Cargo.toml"
        );
    }
    Ok(())
}

/// Generates the bindings of a compiled app.
pub fn generate(project: &Project, helper: &Helper, wasm: &[u8], size: Size) -> Result<Bound> {
    // The parts that are fetched later join the main part through what the linker exports.
    let options: &[&str] = match size {
        Size::Quick => &[],
        Size::Named => &["keep-exports"],
        Size::Full => &["keep-exports", "drop-names"],
    };
    let folder = helper.run(project, wasm, "bindings", options)?;
    let mut snippets = BTreeMap::new();
    let brought = folder.join("snippets");
    if brought.exists() {
        for path in files_below(&brought)? {
            snippets.insert(address_in(&folder, &path), fs::read_to_string(&path)?);
        }
    }
    Ok(Bound {
        js: fs::read_to_string(folder.join("turnwise.js"))?,
        wasm: fs::read(folder.join("turnwise.wasm"))?,
        snippets,
    })
}
