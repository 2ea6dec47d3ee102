//! The bare engine in WebAssembly, in the browser that `TURNWISE_CHROMIUM` names, built as small as the web app is.

use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use turnwise_tests::chromium::{self, Chromium};

const TARGET: &str = "wasm32-unknown-unknown";
const PACKAGE: &str = "turnwise-bare-poker";
const PROFILE: &str = "web-app";

/// The best rate of some rounds, each of many calls of `main`: the browser's clock is coarse. The first rounds are not counted,
/// because the browser is still compiling.
const MEASURE: &str = "(async bytes => { \
     const { instance } = await WebAssembly.instantiate(Uint8Array.from(atob(bytes), sign => sign.charCodeAt(0))); \
     const calls = 20; let best = 0; \
     for (let round = 0; round < 40; round++) { \
         const began = performance.now(); \
         for (let call = 0; call < calls; call++) instance.exports.main(0, 0); \
         const rate = calls / (performance.now() - began) * 1000; \
         if (round >= 10) best = Math.max(best, rate); \
     } \
     return best; })";

/// How often a second the browser plays all made-up hands, or why it does not.
pub fn rate() -> Result<f64, String> {
    let browser = chromium::browser().ok_or("TURNWISE_CHROMIUM names no browser")?;
    let program = std::fs::read(build()?).map_err(|error| error.to_string())?;
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let chromium = Chromium::start(&browser).await;
        let tab = chromium.open("about:blank").await;
        let measured = tab.eval(&format!("{MEASURE}('{}')", STANDARD.encode(program))).await;
        tab.close().await;
        measured
            .as_f64()
            .filter(|rate| *rate > 0.0)
            .ok_or_else(|| "the browser measured nothing".to_owned())
    })
}

/// Builds the program and says where it lies.
fn build() -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let words =
        ["build", "--quiet", "--target", TARGET, "--profile", PROFILE, "--package", PACKAGE];
    let built = Command::new(cargo)
        .args(words)
        .arg("--message-format=json")
        .current_dir(root)
        .output()
        .map_err(|error| error.to_string())?;
    if !built.status.success() {
        let said = String::from_utf8_lossy(&built.stderr);
        return Err(said.lines().next().unwrap_or("it does not build").to_owned());
    }
    // Cargo says where it put the program, which may be anywhere.
    let text = String::from_utf8_lossy(&built.stdout);
    let messages =
        text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let files = messages.filter_map(|message| message["filenames"].as_array().cloned());
    files
        .flatten()
        .filter_map(|file| file.as_str().map(PathBuf::from))
        .find(|file| file.extension().is_some_and(|kind| kind == "wasm"))
        .ok_or_else(|| "cargo built no program".to_owned())
}
