//! How fast PokerKit (Python) replays hands. It is used if `TURNWISE_PYTHON` (or `python3`) has it; `--peers` puts it into
//! `target/peers`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Hands a second that PokerKit replays, or why it does not.
pub fn rate(hands: &str) -> Result<f64, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let python = python(&root)?;
    let file = std::env::temp_dir().join(format!("turnwise-bench-{}.phh", std::process::id()));
    std::fs::write(&file, hands).map_err(|error| error.to_string())?;
    let output = Command::new(python)
        .arg(root.join("tests/peers/replay_phh.py"))
        .arg(&file)
        .output();
    std::fs::remove_file(&file).map_err(|error| error.to_string())?;
    let output = output.map_err(|error| error.to_string())?;
    let said: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| String::from_utf8_lossy(&output.stderr).trim().to_owned())?;
    match (said["hands"].as_f64(), said["seconds"].as_f64()) {
        (Some(hands), Some(seconds)) if seconds > 0.0 => Ok(hands / seconds),
        _ => Err("it measured nothing".to_owned()),
    }
}

/// A Python that has PokerKit.
fn python(root: &Path) -> Result<PathBuf, String> {
    let own = root.join("target/peers/bin/python");
    let install = std::env::args().any(|word| word == "--peers");
    if install && !own.exists() {
        let run = |program: &Path, words: &[&str]| {
            let done = Command::new(program).args(words).output();
            match done {
                Ok(output) if output.status.success() => Ok(()),
                Ok(output) => Err(String::from_utf8_lossy(&output.stderr)
                    .trim()
                    .replace('\n', " ")),
                Err(error) => Err(error.to_string()),
            }
        };
        let folder = root.join("target/peers");
        run(
            Path::new("python3"),
            &["-m", "venv", &folder.to_string_lossy()],
        )?;
        run(
            &own,
            &["-m", "pip", "install", "--quiet", "pokerkit~=0.7.0"],
        )?;
    }
    let named = std::env::var_os("TURNWISE_PYTHON").map(PathBuf::from);
    let candidates = named.into_iter().chain([own, PathBuf::from("python3")]);
    candidates
        .into_iter()
        .find(|python| {
            let asked = Command::new(python)
                .args(["-c", "import pokerkit"])
                .output();
            asked.is_ok_and(|output| output.status.success())
        })
        .ok_or_else(|| "not installed".to_owned())
}
