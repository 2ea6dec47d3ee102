//! Hand histories of random hands, replayed in PokerKit (Python): same lines, same stacks.
//!
//! Known differences are counted by name (`tests/peers/replay_phh.py`); there must be no others. PokerKit needs some
//! 20 ms for a hand, so a few hundred are replayed here and as many as `TURNWISE_PHH_HANDS` says if it is set. Where no Python
//! (`TURNWISE_PYTHON`, else that of `cargo xtask bench --peers`, else `python3`) has PokerKit, the test says so and ends.

use std::path::{Path, PathBuf};
use std::process::Command;

use turnwise_made_up::benchmarks::poker::{Samples, at_random};
use turnwise_shared::benchmarks::poker::phh;
use turnwise_shared::spec::Profile;

const KNOWN: [&str; 3] = ["odd chips", "re-opening after a short all-in", "short big blind"];

#[test]
fn hands_replay_in_pokerkit() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let Some(python) = python(&root) else {
        eprintln!("skipped: no Python here has PokerKit (pip install pokerkit)");
        return;
    };
    let hands: usize = std::env::var("TURNWISE_PHH_HANDS")
        .ok()
        .map_or(400, |text| text.parse().expect("TURNWISE_PHH_HANDS is a number"));
    let mut samples = Samples::new(Profile::Strict, 9, 20_261_121);
    let texts: Vec<String> = (0..hands).map(|_| phh::write(&samples.play(at_random))).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hands.phh");
    std::fs::write(&file, texts.join("---\n")).unwrap();
    let output = Command::new(python)
        .arg(root.join("tests/peers/replay_phh.py"))
        .arg(&file)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let known = said["known"].as_object().unwrap();
    eprintln!("{hands} hands: {} the same, {known:?}", said["same"]);
    assert_eq!(said["hands"], hands);
    assert_eq!(said["different"], serde_json::json!([]));
    assert!(known.keys().all(|name| KNOWN.contains(&name.as_str())), "{known:?}");
    let differ: u64 = known.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(said["same"].as_u64().unwrap() + differ, hands as u64);
    assert!(said["same"].as_u64().unwrap() > hands as u64 / 2);
}

/// A Python that has PokerKit.
fn python(root: &Path) -> Option<PathBuf> {
    let named = std::env::var_os("TURNWISE_PYTHON").map(PathBuf::from);
    let of_peers = root.join("target/peers/bin/python");
    let mut candidates = named.into_iter().chain([of_peers, PathBuf::from("python3")]);
    candidates.find(|python| {
        let asked = Command::new(python).args(["-c", "import pokerkit"]).output();
        asked.is_ok_and(|output| output.status.success())
    })
}
