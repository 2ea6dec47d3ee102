//! Episodes as a table: one row each, RFC 4180, UTF-8 with a mark of byte order, safe to open in a spreadsheet.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::row::EpisodeRow;

/// Signs with which a spreadsheet takes a text for a formula; the last four are their wide forms.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// Signs before a formula that a spreadsheet may pass over.
const PASSED_OVER: [char; 3] = ['\t', '\r', '\n'];

/// What a file begins with so that spreadsheets read it as UTF-8.
const MARK: &str = "\u{feff}";

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    Text(String),
    /// A number or a word of ours.
    Plain(String),
}

impl Cell {
    /// As it stands in the file: a text that a spreadsheet would run is led by an apostrophe, which the spreadsheet hides.
    fn written(self) -> String {
        match self {
            Cell::Text(text) if is_run(&text) => format!("'{text}"),
            Cell::Text(text) | Cell::Plain(text) => text,
        }
    }
}

/// Whether a spreadsheet would run a text. A number is none: it is written as it is.
fn is_run(text: &str) -> bool {
    let is_passed_over = |sign: char| {
        let is_invisible = matches!(sign, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
        sign.is_whitespace() || sign.is_control() || is_invisible
    };
    let begins = text.trim_start_matches(is_passed_over).starts_with(FORMULA);
    (begins || text.starts_with(PASSED_OVER)) && !is_number(text)
}

fn is_number(text: &str) -> bool {
    // Words such as `-inf` are numbers for Rust alone.
    let is_digit = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    text.bytes().all(is_digit) && text.parse::<f64>().is_ok()
}

/// Columns that every table has, in their order, before those that differ from benchmark to benchmark.
const FIXED: [&str; 14] = [
    "run",
    "episode",
    "benchmark",
    "spec",
    "task",
    "repeat",
    "ending",
    "complete",
    "score",
    "answer",
    "turns",
    "tokens",
    "cost_usd",
    "canary",
];

/// The table of some episodes: `label.*`, `seat.*`, `usage.SEAT.*`, `figure.*`, `fault.*`, `flag.*` and `failure.*` follow the
/// columns that every table has. Figures that are no single value stand as JSON. A cell without a value is empty.
pub fn table(rows: &[EpisodeRow<'_>]) -> String {
    let rows: Vec<BTreeMap<String, Cell>> = rows.iter().map(cells).collect();
    let mut further: BTreeSet<(usize, &str)> = BTreeSet::new();
    for name in rows.iter().flat_map(BTreeMap::keys) {
        if !FIXED.contains(&name.as_str()) {
            further.insert((group(name), name));
        }
    }
    let columns: Vec<&str> =
        FIXED.into_iter().chain(further.into_iter().map(|(_, name)| name)).collect();
    let head = columns.iter().map(|name| Cell::Text((*name).to_owned()));
    let lines = rows.iter().map(|row| -> Vec<Cell> {
        let nothing = || Cell::Plain(String::new());
        let cell = |name: &&str| row.get(*name).cloned().unwrap_or_else(nothing);
        columns.iter().map(cell).collect()
    });
    lines_of(std::iter::once(head.collect()).chain(lines))
}

/// Lines of cells behind a mark of byte order, each as many as the first has; safe to open in a spreadsheet.
pub(crate) fn lines_of(lines: impl Iterator<Item = Vec<Cell>>) -> String {
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(MARK.as_bytes().to_vec());
    for line in lines {
        let written: Vec<String> = line.into_iter().map(Cell::written).collect();
        writer
            .write_record(&written)
            .expect("memory takes every record, and all have as many cells");
    }
    let bytes = writer.into_inner().expect("memory takes every record");
    String::from_utf8(bytes).expect("the cells were text")
}

/// The order of the groups of columns.
fn group(name: &str) -> usize {
    const ORDER: [&str; 7] =
        ["label.", "seat.", "figure.", "usage.", "fault.", "flag.", "failure."];
    ORDER.iter().position(|prefix| name.starts_with(prefix)).unwrap_or(ORDER.len())
}

fn cells(row: &EpisodeRow<'_>) -> BTreeMap<String, Cell> {
    let mut cells = BTreeMap::new();
    let mut text = |name: &str, value: &str| {
        cells.insert(name.to_owned(), Cell::Text(value.to_owned()));
    };
    text("run", row.run);
    text("episode", row.episode);
    text("benchmark", row.benchmark);
    text("spec", &row.spec);
    text("task", row.task);
    text("ending", row.ending.unwrap_or_default());
    text("answer", row.answer.unwrap_or_default());
    text("canary", row.canary.unwrap_or_default());
    for (label, value) in row.labels {
        text(&format!("label.{label}"), value);
    }
    for (seat, who) in &row.seats {
        text(&format!("seat.{seat}"), who);
    }
    let mut plain = |name: String, value: String| {
        cells.insert(name, Cell::Plain(value));
    };
    plain("repeat".to_owned(), row.repeat.to_string());
    plain("complete".to_owned(), row.complete.to_string());
    plain("turns".to_owned(), row.turns.to_string());
    let whole = |count: Option<u64>| count.map_or_else(String::new, |count| count.to_string());
    plain("tokens".to_owned(), whole(row.tokens));
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    plain("score".to_owned(), number(row.score));
    plain("cost_usd".to_owned(), number(row.cost_usd));
    for (seat, usage) in row.usage {
        for (what, count) in [
            ("calls", Some(u64::from(usage.calls))),
            ("input", usage.known(usage.input)),
            ("cached", usage.known(usage.cached)),
            ("output", usage.known(usage.output)),
        ] {
            plain(format!("usage.{seat}.{what}"), whole(count));
        }
    }
    for (seat, cost) in &row.cost_by_seat {
        plain(format!("usage.{seat}.cost_usd"), number(*cost));
    }
    for (group, counts) in [("fault", row.faults), ("flag", row.flags)] {
        for (name, count) in counts {
            plain(format!("{group}.{name}"), count.to_string());
        }
    }
    for (class, count) in row.failures {
        plain(format!("failure.{class}"), count.to_string());
    }
    figures("figure", &row.figures.value(), 0, &mut cells);
    cells
}

/// How many objects deep a figure has a column of its own.
const DEPTH: u32 = 2;

/// Single values under their names; members of objects under both names.
fn figures(name: &str, value: &Value, depth: u32, cells: &mut BTreeMap<String, Cell>) {
    let cell = match value {
        Value::Null => return,
        Value::Object(members) if depth < DEPTH => {
            for (member, value) in members {
                figures(&format!("{name}.{member}"), value, depth + 1, cells);
            }
            return;
        }
        Value::String(text) => Cell::Text(text.clone()),
        other => Cell::Plain(other.to_string()),
    };
    cells.insert(name.to_owned(), cell);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(texts: &[&str]) -> String {
        let cells = texts.iter().map(|text| Cell::Text((*text).to_owned()));
        lines_of(std::iter::once(cells.collect()))
    }

    #[test]
    fn numbers_stay_numbers() {
        let numbers = ["-3", "+5", "-0.25", "-1e6", "+.5", "2/3", "1-1", "-1E-7"];
        assert_eq!(line(&numbers), format!("\u{feff}{}\r\n", numbers.join(",")));
    }

    #[test]
    fn what_a_spreadsheet_would_run_begins_with_an_apostrophe() {
        for text in [
            "=1+1",
            "@SUM(1)",
            "-1/2",
            "+cmd|x",
            "-",
            "-3-4",
            "-3%",
            "-inf",
            "+1e",
            "=3",
            "－3",
            "＝1",
            "\t=1",
            "\r=1",
            "\n=1",
            "\r\n@x",
            "\n\n -x",
            "  =1",
            "\u{feff}=1",
            "\u{200b}+x",
            "\t-3",
            "\ttext",
        ] {
            let written = line(&[text]);
            assert!(written.contains(&format!("'{text}")), "{text:?} became {written:?}");
        }
        for text in ["a=1", "text", "\u{4e2d}\u{6587}", "", " x", "3 - 2", "'=1"] {
            let written = line(&[text, "end"]);
            assert!(written.contains(text) && !written.contains(&format!("'{text}")));
        }
    }
}
