//! How fast PokerKit (Python) replays hands. It is used if `TURNWISE_PYTHON` (or `python3`) has it; `--peers` puts it into
//! `target/peers`.

use std::path::Path;
use std::process::Command;

use turnwise_tests::peers;

/// Hands a second that PokerKit replays, or why it does not.
pub fn rate(hands: &str) -> Result<f64, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let python = peers::python("pokerkit", "pokerkit~=0.7.0", &peers::folder())?;
    let file = std::env::temp_dir().join(format!("turnwise-bench-{}.phh", std::process::id()));
    std::fs::write(&file, hands).map_err(|error| error.to_string())?;
    let output =
        Command::new(python).arg(root.join("tests/peers/replay_phh.py")).arg(&file).output();
    std::fs::remove_file(&file).map_err(|error| error.to_string())?;
    let output = output.map_err(|error| error.to_string())?;
    let said: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| String::from_utf8_lossy(&output.stderr).trim().to_owned())?;
    match (said["hands"].as_f64(), said["seconds"].as_f64()) {
        (Some(hands), Some(seconds)) if seconds > 0.0 => Ok(hands / seconds),
        _ => Err("it measured nothing".to_owned()),
    }
}
