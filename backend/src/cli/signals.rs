//! The signals with which people and systems end programs.

/// Waits for Ctrl-C, for the signal with which systems end programs, or for the end of the terminal.
pub async fn end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        // Under nohup the process ignores SIGHUP, to outlive its terminal, and goes on to.
        let hangup = match ignores_hangup() {
            true => SignalKind::terminate(),
            false => SignalKind::hangup(),
        };
        if let (Ok(mut terminate), Ok(mut hangup)) =
            (signal(SignalKind::terminate()), signal(hangup))
        {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
            }
            return;
        }
    }
    // Where not even that can be heard, the system ends the program without asking.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}

/// Whether this program was started so that the end of its terminal is nothing to it. It has to be asked before the signal is listened
/// to for the first time. Where a system does not tell, its programs end with their terminals as they did before.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    static IGNORES: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| {
        const HANGUP: u64 = 1;
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mut lines = status.lines();
        let ignored = lines.find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        ignored.is_none_or(|mask| mask & HANGUP != 0)
    });
    *IGNORES
}
