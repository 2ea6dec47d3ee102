//! How much memory a browser has, with all processes that descend from it.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use super::MOST_MEMORY;

const BETWEEN: Duration = Duration::from_millis(200);
/// Of Linux on all machines that browsers run on.
const PAGE: u64 = 4_096;

/// Returns once a browser has more than [`MOST_MEMORY`]; never where `/proc` is missing.
pub async fn exceeded(browser: Option<u32>) {
    let Some(browser) = browser else { return std::future::pending().await };
    loop {
        tokio::time::sleep(BETWEEN).await;
        if of(browser) > MOST_MEMORY {
            return;
        }
    }
}

/// The private memory of a process and its descendants, in bytes.
pub fn of(root: u32) -> u64 {
    let mut parents = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let process = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok());
        if let Some((process, parent)) =
            process.and_then(|process| Some((process, parent(process)?)))
        {
            parents.insert(process, parent);
        }
    }
    let is_ours = |process: u32| {
        let line = std::iter::successors(Some(process), |at| parents.get(at).copied());
        line.take(64).any(|at| at == root)
    };
    parents.keys().filter(|process| is_ours(**process)).map(|process| private(*process)).sum()
}

fn parent(process: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name may have blanks and brackets.
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

fn private(process: u32) -> u64 {
    let statm = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let mut pages = statm.split(' ').skip(1).map_while(|word| word.parse::<u64>().ok());
    let (resident, shared) = (pages.next().unwrap_or(0), pages.next().unwrap_or(0));
    resident.saturating_sub(shared) * PAGE
}
