use super::*;
use crate::metrics::table::Table;
use crate::metrics::{Status, errors};
use turnwise_core::spec::Profile::{Reference, Strict};
use turnwise_core::testing::cases;

/// A made-up line of setting C: four calls, the second without a log.
const LINE: &str = include_str!("tests/line.json").trim_ascii_end();
const ORACLE: &str = include_str!("tests/oracle.json").trim_ascii_end();

fn one(line: &str) -> ResultLine {
    read(line.as_bytes()).unwrap().rows.remove(0)
}

#[test]
fn lines_are_read() {
    let row = one(LINE);
    assert_eq!(
        (row.index, row.category.as_str(), row.setting),
        (Some(3), "unknown", Setting::Search)
    );
    assert_eq!(row.verdict, Judged::Verdict(Verdict::Correct));
    assert_eq!((row.ground_truth(), row.question()), (Some("虚构甲"), Some("虚构甲还是虚构乙？")));
    let episode = &row.episode;
    assert_eq!((episode.facts, episode.turns, episode.max_turns), (2, 3, 32));
    assert_eq!(
        (episode.calls.len(), episode.logs.len(), episode.calling_messages, episode.format_errors),
        (4, 3, 2, 1)
    );
    let logs: Vec<Option<u32>> = episode.calls.iter().map(|call| call.log).collect();
    assert_eq!(logs, [Some(0), None, Some(1), Some(2)]);
    assert_eq!((episode.hits(Reference), episode.hits(Strict)), (2, 2));
    assert_eq!((episode.fcr(Reference), episode.fcr(Strict)), (1.0, 1.0));
    assert!(episode.answered && episode.logs[2].compound);
    let words = errors::analyse(row.messages());
    assert_eq!((words.tool_calls, words.format_errors, words.success), (2, 1, true));

    let oracle = one(ORACLE);
    assert_eq!((oracle.setting, oracle.episode.facts), (Setting::Oracle, 7));
    assert_eq!((oracle.episode.status, oracle.question()), (Status::Error, Some("q?")));
    assert_eq!(oracle.judge_status, Some(JudgeStatus::Skipped));
    assert!(!oracle.episode.answered);
}

/// The first of two equal queries was refused, the second reached the engine.
#[test]
fn of_equal_queries_the_log_belongs_to_the_one_that_has_its_hit() {
    let calls = r#""tool_calls": [{"query": "q", "hit": 0}, {"query": "q", "hit": 1}], "hit_logs": [{"query": "q", "hit": 1, "matched_fact_keys": ["k1"]}]"#;
    let (before, rest) = LINE.split_once("\"tool_calls\": ").unwrap();
    let (_, after) = rest.split_once(", \"full_history\"").unwrap();
    let row = one(&format!("{before}{calls}, \"full_history\"{after}"));
    let logs: Vec<Option<u32>> = row.episode.calls.iter().map(|call| call.log).collect();
    assert_eq!(logs, [None, Some(0)]);
}

#[test]
fn lines_are_written_back_as_the_same_values() {
    let file = format!("{LINE}\r\n\n{ORACLE}\n");
    let results = read(file.as_bytes()).unwrap();
    let written = results.lines();
    assert_eq!(written, format!("{LINE}\n{ORACLE}\n").replace("1e400", "Infinity"));
    let again = read(written.as_bytes()).unwrap();
    assert_eq!(again.lines(), written);
    assert_eq!(again.episodes(), results.episodes());
}

#[test]
fn verdicts_stand_in_four_places() {
    let says = |field: &str| one(&ORACLE.replace(r#""answer": "Incorrect""#, field)).verdict;
    assert_eq!(says(r#""evaluation": {"judgment": "Correct"}"#), Judged::Verdict(Verdict::Correct));
    assert_eq!(says(r#""evaluation": {"judgment": "Partial"}"#), Judged::Other);
    assert_eq!(says(r#""judge_judgment": "incorrect""#), Judged::Verdict(Verdict::Incorrect));
    assert_eq!(says(r#""verdict": "Correct""#), Judged::Verdict(Verdict::Correct));
    assert_eq!(says(r#""x": 1"#), Judged::Missing);
    let unjudged = one(&ORACLE.replace(r#""answer": "Incorrect""#, r#""x": 1"#));
    assert_eq!(unjudged.episode.verdict, None);
}

#[test]
fn facts_stand_in_three_places() {
    let moved = |place: &str| {
        let line = ORACLE.replace(r#""metrics""#, &format!(r#"{place}, "metrics""#));
        one(&line).episode.facts
    };
    assert_eq!(
        moved(r#""data": {"extra_info": {"world_truth_info": {"atomic_facts": {"a": 1}}}}"#),
        1
    );
    assert_eq!(moved(r#""data": {"world_truth_info": {"atomic_facts": ["a", "b"]}}"#), 2);
    assert_eq!(moved(r#""data": {"world_truth_info": {"atomic_facts": "broken"}}"#), 7);
}

#[test]
fn of_repeated_lines_the_last_good_one_counts() {
    let line =
        |answer: &str, status: &str| ORACLE.replace("Incorrect", answer).replace("skipped", status);
    let counted = |lines: &[String]| {
        let results = read(lines.join("\n").as_bytes()).unwrap();
        let numbers: Vec<usize> = results.counted().iter().map(|row| row.number).collect();
        assert_eq!(results.rows.len(), lines.len());
        numbers
    };
    let good = line("Correct", "success");
    let bad = line("Incorrect", "error");
    assert_eq!(counted(&[good.clone(), bad.clone()]), [1]);
    assert_eq!(counted(&[good.clone(), good.clone(), bad.clone()]), [2]);
    assert_eq!(counted(&[bad.clone(), bad.clone()]), [2]);
    let other = ORACLE.replace("12", "13");
    assert_eq!(counted(&[bad, other, good]), [2, 3]);
}

#[test]
fn a_cut_last_line_is_left_out() {
    let bytes = format!("{ORACLE}\n{LINE}");
    for end in [bytes.len() - 1, bytes.len() - 20, ORACLE.len() + 2] {
        let cut = read(&bytes.as_bytes()[..end]).unwrap();
        assert_eq!((cut.rows.len(), cut.cut), (1, true));
    }
    let broken = format!("{{\n{ORACLE}");
    assert!(read(broken.as_bytes()).unwrap_err().to_string().starts_with("row 1: it is not JSON"));
    assert!(read(b"{").is_err() && read(b" \n").is_err());
    let unknown = ORACLE.replace(r#""status": "error""#, r#""status": "odd""#);
    assert_eq!(read(unknown.as_bytes()).unwrap_err().field, "status");
    let trajectory = LINE.replace(r#""hit_logs": ["#, r#""hit_logs": 5, "x": ["#);
    assert_eq!(read(trajectory.as_bytes()).unwrap_err().field, "trajectory_log.hit_logs");
}

#[test]
fn a_run_is_counted() {
    let results = read(format!("{LINE}\n{ORACLE}\n").as_bytes()).unwrap();
    let table = Table::of(&results.episodes(), Reference);
    assert_eq!((table.all.n, table.all.pass_at_1, table.all.fcr), (2, Some(0.5), 0.5));
    assert_eq!(table.by_tier.len(), 2);
    let shown = format!("{results:?}");
    assert!(!shown.contains('虚') && !shown.contains("k1"), "{shown}");
}

proptest::proptest! {
    /// Any value under any key survives.
    #[test]
    fn unknown_fields_survive(key in "[a-z虚\"\\\\]{1,8}", number in proptest::num::f64::NORMAL, text in "\\PC{0,20}") {
        let key = format!("x{key}");
        let member = serde_json::to_string(&std::collections::BTreeMap::from([(key, (number, text))])).unwrap();
        let line = ORACLE.replacen('{', &format!("{}, ", &member[..member.len() - 1]), 1);
        let results = read(line.as_bytes()).unwrap();
        let back: serde_json::Value = serde_json::from_str(&results.lines()).unwrap();
        proptest::prop_assert_eq!(back, serde_json::from_str::<serde_json::Value>(&line).unwrap());
    }
}

#[test]
fn numbers_and_words_are_read_in_every_spelling() {
    for index in ["12", "12.0", "\"12\"", "1.2e1", "\" 12.0 \""] {
        let row = one(&ORACLE.replace("\"index\": 12", &format!("\"index\": {index}")));
        assert_eq!(row.index, Some(12), "{index}");
    }
    let search = LINE.replace("\"max_turns\": 32", "\"max_turns\": \"32\"");
    let row = one(&search.replace("\"actual_turns\": 3", "\"actual_turns\": 3.0"));
    assert_eq!((row.episode.turns, row.episode.max_turns), (3, 32));
    for total in ["7.0", "\"7\""] {
        let row = one(&ORACLE.replace("\"total_facts\": 7", &format!("\"total_facts\": {total}")));
        assert_eq!(row.episode.facts, 7);
    }
    for word in
        ["Incorrect ", " incorrect", "\u{201c}Incorrect\u{201d}", "INCORRECT", "**Incorrect**."]
    {
        let row = one(&ORACLE.replace("\"Incorrect\"", &format!("\"{word}\"")));
        assert_eq!(row.verdict, Judged::Verdict(Verdict::Incorrect), "{word}");
    }
    let row = one(&LINE.replace("\"judge_status\": \"success\"", "\"judge_status\": \"success \""));
    assert_eq!(row.judge_status, Some(JudgeStatus::Success));
    let row = one(&LINE.replace("\"status\": \"finished\"", "\"status\": \" finished\""));
    assert_eq!(row.episode.status, Status::Finished);
}

#[test]
fn a_repeated_line_counts_once_however_its_index_is_written() {
    let again = |index: &str| ORACLE.replace("\"index\": 12", &format!("\"index\": {index}"));
    let file = format!("{ORACLE}\n{}\n{}\n{}\n", again("12.0"), again("\"12\""), again("13"));
    assert_eq!(read(file.as_bytes()).unwrap().episodes().len(), 2);
}

#[test]
fn what_is_no_number_or_word_is_refused_by_its_field() {
    for (from, to, field) in cases::<(&str, &str, &str)>(include_str!("tests/refused.jsonl")) {
        assert!(ORACLE.contains(from));
        let error = read(ORACLE.replace(from, to).as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(&format!("row 1, field {field}: ")), "{error}");
    }
    let turns = LINE.replace("\"max_turns\": 32", "\"max_turns\": \"many\"");
    let error = read(turns.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("max_turns"), "{error}");
}

#[test]
fn a_file_in_utf_16_is_read() {
    let file = format!("{LINE}\n{ORACLE}\n");
    let wide: Vec<u8> =
        format!("\u{feff}{file}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (wide, plain) = (read(&wide).unwrap(), read(file.as_bytes()).unwrap());
    assert_eq!((wide.lines(), wide.episodes()), (plain.lines(), plain.episodes()));
}
