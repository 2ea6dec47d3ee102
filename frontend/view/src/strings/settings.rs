//! Words about settings of benchmarks.

/// A setting that there is not, and those that there are.
pub fn no_such_setting(name: &str, known: &[&str]) -> String {
    match known.is_empty() {
        true => format!("“{name}” is no setting of this benchmark; it has none."),
        false => format!(
            "“{name}” is no setting of this benchmark. Its settings are: {}.",
            known.join(", ")
        ),
    }
}
