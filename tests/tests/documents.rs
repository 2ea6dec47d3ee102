//! Tables in the documents that follow from declarations: a benchmark's settings from its schema, its numbers from its metrics.
//! They stand between `<!-- settings of NAME -->` or `<!-- numbers of NAME -->` and `<!-- end -->` in the README of its folder.

use std::path::PathBuf;

use serde_json::Value;
use turnwise_shared::benchmark::schema::Holds;
use turnwise_shared::metrics::metric::Better;
use turnwise_shared::prelude::*;

/// Set to write the tables instead of comparing them.
const WRITE: &str = "TURNWISE_WRITE_DOCUMENTS";

const END: &str = "<!-- end -->";

fn readmes() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/benchmarks");
    let folders = std::fs::read_dir(folder).expect("there are benchmarks");
    let readmes = folders.map(|entry| entry.expect("a folder").path().join("README.md"));
    readmes.filter(|path| path.is_file()).collect()
}

#[test]
fn tables_of_settings_and_numbers_are_those_of_the_program() {
    let mut texts: Vec<(PathBuf, String)> = readmes()
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("it is read");
            (path, text)
        })
        .collect();
    let mut other = Vec::new();
    for benchmark in registry::BENCHMARKS {
        for (what, table) in [("settings", settings(*benchmark)), ("numbers", numbers(*benchmark))]
        {
            if table.is_empty() {
                continue;
            }
            let begin = format!("<!-- {what} of {} -->", benchmark.name());
            let found = texts.iter_mut().find(|(_, text)| text.contains(&begin));
            let (path, text) = found.unwrap_or_else(|| panic!("no README has {begin} … {END}"));
            let (before, after) = text.split_once(&begin).expect("it was found");
            let (given, after) = after.split_once(END).expect("every table ends");
            let table = format!("\n{table}");
            if given != table {
                other.push(format!("{begin} in {}", path.display()));
                *text = format!("{before}{begin}{table}{END}{after}");
            }
        }
    }
    if std::env::var_os(WRITE).is_some() {
        for (path, text) in texts {
            std::fs::write(path, text).expect("it is written");
        }
        return;
    }
    assert!(other.is_empty(), "run this test with {WRITE}=1 to write {other:#?}");
}

fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let body: String = rows.map(|row| line(&row)).collect();
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let rule = vec!["---".to_owned(); head.len()];
    match body.is_empty() {
        true => body,
        false => format!("{}{}{body}", line(&head), line(&rule)),
    }
}

fn settings(benchmark: &dyn Benchmark) -> String {
    let defaults = benchmark.default_settings();
    let rows = benchmark.schema().settings.iter().map(|setting| {
        let parts = [setting.label, setting.note];
        let words: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        vec![
            format!("`{}`", setting.name),
            words.join(": "),
            accepted(&setting.holds),
            plain(&defaults[setting.name]),
        ]
    });
    table(&["setting", "what it is", "values", "default"], rows)
}

fn named<'a>(values: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let values = values.filter(|(value, _)| !value.is_empty());
    let values = values.map(|(value, name)| format!("`{value}` ({name})"));
    values.collect::<Vec<_>>().join(", ")
}

fn accepted(holds: &Holds) -> String {
    match holds {
        Holds::Number(least, most) => format!("{least} to {most}"),
        Holds::Limit(least, most, none) => format!("{least} to {most}, or `none`: {none}"),
        Holds::Sweep(least, most) => format!("{least} to {most}; several are a sweep"),
        Holds::Shares => "0 to 1; several are a sweep".to_owned(),
        Holds::Flag => "`true`, `false`".to_owned(),
        Holds::Choice(choices) => named(choices.iter().copied()),
        Holds::Cards(cards) => named(cards.iter().map(|card| (card.value, card.title))),
        Holds::Numbers(members) => named(members.iter().copied()),
        Holds::Counts(counts) => {
            let counts = counts.iter().map(|(count, _)| count.to_string());
            counts.collect::<Vec<_>>().join(", ")
        }
        Holds::Lines => "a text".to_owned(),
        Holds::Text => "JSON or a text".to_owned(),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => format!("`{text}`"),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| format!("`{name}` {value}"));
            members.collect::<Vec<_>>().join(", ")
        }
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(", "),
        value => value.to_string(),
    }
}

fn numbers(benchmark: &dyn Benchmark) -> String {
    let sections = benchmark.metrics().iter();
    let rows = sections.flat_map(|section| {
        section.metrics.iter().map(|metric| {
            vec![
                section.title.to_owned(),
                metric.label.to_owned(),
                format!("`{}`", metric.key),
                unit(metric.unit).to_owned(),
                better(metric.better).to_owned(),
                metric.about.to_owned(),
            ]
        })
    });
    table(&["shown in", "number", "JSON key", "unit", "better", "meaning"], rows)
}

fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Fraction => "share",
        Unit::Count => "count",
        Unit::Dollars => "US dollars",
        Unit::Tokens => "tokens",
        Unit::Chips => "chips",
        Unit::Number => "number",
        Unit::Points => "difference of shares",
        Unit::Chance => "p-value",
    }
}

fn better(better: Better) -> &'static str {
    match better {
        Better::More => "more",
        Better::Less => "less",
        Better::Neither => "",
    }
}
