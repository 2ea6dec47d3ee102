//! Words of what is shown first. The app's other words are its own (`frontend/src/strings`), which names these among them.

use super::number::counted;

/// Section: the wall.
pub const WALL: &str = "Episodes";

/// The interval of a headline number.
pub fn likely(range: &str) -> String {
    format!("{range} (95 %)")
}

/// What a whisk says.
pub fn whisk(value: &str, range: &str) -> String {
    format!("{value} %, interval {range} %")
}

/// An episode in one sentence, for those who do not see it.
pub fn label(task: &str, repeat: u32, labels: &str, turns: usize, standing: &str) -> String {
    let repeat = match repeat {
        1 => String::new(),
        more => format!(", repeat {more}"),
    };
    let labels = if labels.is_empty() {
        String::new()
    } else {
        format!(", {labels}")
    };
    format!(
        "Task {task}{repeat}{labels}, {}, {}",
        counted(turns as u64, "turn", "turns"),
        standing.to_lowercase()
    )
}

/// The same with what was answered.
pub fn row_label(label: &str, answer: Option<&str>, confidence: Option<&str>) -> String {
    let mut label = label.to_owned();
    if let Some(answer) = answer {
        label.push_str(&format!(", answer {answer}"));
    }
    if let Some(stated) = confidence {
        label.push_str(&format!(", {}", self::confidence(stated)));
    }
    label
}

/// How sure it said it is.
pub fn confidence(stated: &str) -> String {
    format!("confidence {stated}")
}
