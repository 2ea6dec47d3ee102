//! The signals with which people and systems end programs.

/// Waits for Ctrl-C, or for the signal with which systems end programs.
pub async fn end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    // Where not even that can be heard, the system ends the program without asking.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}
