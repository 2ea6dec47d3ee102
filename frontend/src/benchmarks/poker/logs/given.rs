//! Whether a file is a log of statistics, and what stands in it.

use turnwise_shared::benchmarks::poker::imported::stats_log::StatsLog;
use turnwise_shared::formats::BadFile;

use super::words as strings;

/// Reads a file. What is in it decides whether it is a log; its name only where its first line says nothing.
///
/// # Errors
/// The first line and field that is not as it should be; or that the file is none.
pub fn read(name: &str, bytes: Vec<u8>) -> Result<StatsLog, BadFile> {
    let wrong =
        |problem: &str| Err(BadFile { file: Some(name.to_owned()), problem: problem.to_owned() });
    match bytes.is_empty() {
        true => wrong(strings::NO_BYTES),
        false if is_log(name, &bytes) => StatsLog::read(name, &bytes),
        false => wrong(strings::NO_LOG),
    }
}

fn is_log(name: &str, bytes: &[u8]) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name);
    StatsLog::recognise(bytes) || name.starts_with("stats-log")
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
        let stats = "\u{feff}\n{\"handNumber\":1,\"players\":[]}";
        assert!(is_log("renamed.txt", stats.as_bytes()));
        assert!(is_log("folder/stats-log-2.ndjson", b"not JSON"));
        assert!(!is_log("notes.txt", b"hello"));
        let events = br#"{"type":"hand_start","data":{}}"#;
        assert!(!is_log("game-log-1.ndjson", events));
    }

    #[test]
    fn a_file_that_cannot_be_read_says_where() {
        assert!(problem("notes.txt", "hello").starts_with("notes.txt: "));
        let cut = problem("stats-log-1.ndjson", "{\"handNumber\": 1, \"pla");
        assert!(cut.starts_with("stats-log-1.ndjson: row 1: "), "{cut}");
        let field = problem("a.ndjson", r#"{"handNumber":1,"players":[{"id":1},{"id":2}]}"#);
        assert!(field.starts_with("a.ndjson: row 1, field "), "{field}");
        assert!(problem("stats-log-1.ndjson", "").ends_with(strings::NO_BYTES));
        let bytes = read("stats-log-1.ndjson", vec![0xff, 0xfe, 0]);
        assert!(bytes.is_err_and(|why| why.to_string().contains("neither UTF-8 nor UTF-16")));
    }
}
