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

/// Something about a seat that there is not, and how what there is is written.
pub fn no_such_knob(name: &str, known: &[String]) -> String {
    format!("“{name}” can be set for no seat. In an address it is one of: {}.", known.join(", "))
}
