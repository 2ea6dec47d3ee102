//! What a process uses, as Linux tells it, and on which core it runs.

use std::process::{Child, Command};

/// A process that ends when this is dropped.
pub struct Started(pub Child);

impl Drop for Started {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to stop.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The time that a process has spent on cores so far, in seconds; to a hundredth.
pub fn busy(process: u32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name stands in brackets and may hold anything.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field)?.parse::<f64>().ok();
    // Linux counts in hundredths of a second towards programs, whatever it does inside.
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

/// The memory that a process has in use, in bytes.
pub fn resident(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// Puts this process, which calls and answers, on the second core, and gives the name of the first for what is measured.
/// `None` where there are not two, or `taskset` is not there.
pub fn apart() -> Option<&'static str> {
    let cores = std::thread::available_parallelism().ok()?.get();
    if cores < 2 {
        return None;
    }
    let own = std::process::id().to_string();
    let moved = Command::new("taskset").args(["-a", "-c", "-p", "1", &own]).output().ok()?;
    moved.status.success().then_some("0")
}
