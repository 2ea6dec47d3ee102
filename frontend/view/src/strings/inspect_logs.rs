//! Logs of Inspect.

texts!("inspect_logs");

/// What the run is called.
pub fn title(task: &str, created: &str) -> String {
    match created.get(..10) {
        Some(day) => format!("{task} (Inspect, {day})"),
        None => format!("{task} (Inspect)"),
    }
}
