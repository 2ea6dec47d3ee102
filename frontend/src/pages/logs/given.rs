//! Which of the two kinds of log a file is, and what stands in it.

use serde_json::Value;
use turnwise_shared::benchmarks::poker::imported::BadLog;
use turnwise_shared::benchmarks::poker::imported::game_log::GameLog;
use turnwise_shared::benchmarks::poker::imported::stats_log::StatsLog;

use crate::strings::logs as strings;

/// A log that was read.
pub enum Log {
    /// Counters of a table, line by line.
    Stats(StatsLog),
    /// What happened at a table, event by event, or in the client of the models.
    Events(GameLog),
}

/// Reads a file. What is in it decides what it is; its name only where its first line says nothing.
///
/// # Errors
/// The first line and field that is not as it should be; or that the file is of neither kind.
pub fn read(name: &str, bytes: Vec<u8>) -> Result<Log, BadLog> {
    let wrong = |problem: &str| BadLog::File {
        file: name.to_owned(),
        problem: problem.to_owned(),
    };
    if bytes.is_empty() {
        return Err(wrong(strings::NO_BYTES));
    }
    let text = String::from_utf8(bytes).map_err(|_| wrong(strings::NOT_TEXT))?;
    match kind(name, &text) {
        Some(Kind::Stats) => StatsLog::read(name, &text).map(Log::Stats),
        Some(Kind::Events) => GameLog::read(name, &text).map(Log::Events),
        None => Err(wrong(strings::NO_LOG)),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Stats,
    Events,
}

fn kind(name: &str, text: &str) -> Option<Kind> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let first = text.lines().find(|line| !line.trim().is_empty());
    let first: Option<Value> = first.and_then(|line| serde_json::from_str(line).ok());
    let has = |field: &str| first.as_ref().is_some_and(|line| line.get(field).is_some());
    let name = name.rsplit('/').next().unwrap_or(name);
    if has("type") && has("data") {
        Some(Kind::Events)
    } else if has("players") && has("handNumber") {
        Some(Kind::Stats)
    } else if name.starts_with("game-log") {
        Some(Kind::Events)
    } else if name.starts_with("stats-log") {
        Some(Kind::Stats)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(name: &str, text: &str) -> String {
        match read(name, text.as_bytes().to_vec()) {
            Ok(_) => panic!("{name} is no log"),
            Err(why) => why.to_string(),
        }
    }

    #[test]
    fn what_is_in_a_file_decides_before_its_name() {
        let events = r#"{"type":"hand_start","data":{}}"#;
        assert_eq!(kind("stats-log-1.ndjson", events), Some(Kind::Events));
        let stats = "\u{feff}\n{\"handNumber\":1,\"players\":[]}";
        assert_eq!(kind("renamed.txt", stats), Some(Kind::Stats));
        assert_eq!(kind("folder/game-log-2.ndjson", "{}"), Some(Kind::Events));
        assert_eq!(
            kind("folder/stats-log-2.ndjson", "not JSON"),
            Some(Kind::Stats)
        );
        assert_eq!(kind("notes.txt", "hello"), None);
    }

    #[test]
    fn a_file_that_cannot_be_read_says_where() {
        assert!(problem("notes.txt", "hello").starts_with("notes.txt: "));
        let cut = problem("stats-log-1.ndjson", "{\"handNumber\": 1, \"pla");
        assert!(cut.starts_with("stats-log-1.ndjson, line 1: "), "{cut}");
        let field = problem(
            "a.ndjson",
            r#"{"handNumber":1,"players":[{"id":1},{"id":2}]}"#,
        );
        assert!(field.starts_with("a.ndjson, line 1, field "), "{field}");
        assert!(problem("stats-log-1.ndjson", "").ends_with(strings::NO_BYTES));
        let bytes = read("stats-log-1.ndjson", vec![0xff, 0xfe, 0]);
        assert!(bytes.is_err_and(|why| why.to_string().contains(strings::NOT_TEXT)));
    }
}
