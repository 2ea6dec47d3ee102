//! The numbers of a run as a table for people.

use turnwise_shared::metrics::report::{Breakdown, Matrix, Ranking, Table};
use turnwise_shared::prelude::*;
use turnwise_shared::signs::visible_line;
use unicode_width::UnicodeWidthStr as _;

/// A report in lines of text.
pub fn report(report: &Report) -> String {
    let mut out = String::new();
    let width = widest(report.headline.iter().map(|figure| figure.label.as_str()));
    for figure in &report.headline {
        out.push_str(&format!("{}  {}\n", padded(&figure.label, width), number(figure)));
    }
    for ranking in &report.rankings {
        out.push_str(&places(ranking));
    }
    if let Some(study) = &report.study {
        out.push_str(&format!("{}. {}\n", study.title, table(&study.table).trim_end()));
        out.push('\n');
    }
    for breakdown in &report.breakdowns {
        out.push_str(&parts(breakdown));
    }
    for one in &report.tables {
        out.push_str(&table(one));
    }
    for group in &report.groups {
        out.push_str(&format!("{}:\n", group.title));
        let width = widest(group.figures.iter().map(|figure| figure.label.as_str()));
        for figure in &group.figures {
            out.push_str(&format!("  {}  {}\n", padded(&figure.label, width), number(figure)));
        }
    }
    for remark in &report.remarks {
        out.push_str(&format!("note: {remark}\n"));
    }
    out
}

fn parts(breakdown: &Breakdown) -> String {
    if breakdown.rows.is_empty() {
        return String::new();
    }
    let mut out = format!("by {}:\n", breakdown.by);
    let width = widest(breakdown.rows.iter().map(|row| row.value.as_str()));
    for row in &breakdown.rows {
        let score = match (row.score, row.interval) {
            (Some(score), Some((low, high))) => format!(
                "{}  ({} to {})",
                value(score, Unit::Fraction),
                value(low, Unit::Fraction),
                value(high, Unit::Fraction)
            ),
            (Some(score), None) => value(score, Unit::Fraction),
            (None, _) => "–".to_owned(),
        };
        out.push_str(&format!("  {}  n={:<4} {score}\n", padded(&row.value, width), row.n));
    }
    out
}

/// A number for every row and column.
pub fn matrix(matrix: &Matrix) -> String {
    let head = std::iter::once(String::new()).chain(matrix.columns.iter().cloned());
    let lines = matrix.rows.iter().zip(&matrix.cells).map(|(name, cells)| {
        let cells =
            cells.iter().map(|cell| cell.map_or("–".to_owned(), |it| value(it, matrix.unit)));
        std::iter::once(name.clone()).chain(cells).collect()
    });
    let lines: Vec<Vec<String>> = std::iter::once(head.collect()).chain(lines).collect();
    format!("{}:\n{}", matrix.title, aligned(&lines))
}

fn places(ranking: &Ranking) -> String {
    let mut out = format!("{}:\n", ranking.title);
    let width = widest(ranking.rows.iter().map(|row| row.name.as_str()));
    for row in &ranking.rows {
        let number = match (row.value, row.interval) {
            (None, _) => "–".to_owned(),
            (Some(number), None) => value(number, ranking.value.unit),
            (Some(number), Some((low, high))) => format!(
                "{}  ({} to {})",
                value(number, ranking.value.unit),
                value(low, ranking.value.unit),
                value(high, ranking.value.unit)
            ),
        };
        out.push_str(&format!(
            "  {}  n={:<5} {} {number}\n",
            padded(&row.name, width),
            row.n,
            ranking.value.label,
        ));
    }
    out
}

fn table(table: &Table) -> String {
    let mut lines = vec![vec![table.by.clone(), "n".to_owned()]];
    lines[0].extend(table.columns.iter().map(|column| column.label.clone()));
    for row in &table.rows {
        let cells = row.cells.iter().zip(&table.columns).map(|(cell, column)| {
            cell.map_or_else(|| "–".to_owned(), |cell| value(cell, column.unit))
        });
        let mut line = vec![row.name.clone(), row.n.to_string()];
        line.extend(cells);
        lines.push(line);
    }
    format!("{}:\n{}", table.title, aligned(&lines))
}

/// Lines of cells, each column as wide as its widest cell.
pub fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns)
        .map(|at| widest(lines.iter().filter_map(|line| line.get(at).map(String::as_str))))
        .collect();
    let mut out = String::new();
    for line in lines {
        let mut text = String::new();
        for (cell, width) in line.iter().zip(&widths) {
            text.push_str("  ");
            text.push_str(&padded(cell, *width));
        }
        out.push_str(text.trim_end());
        out.push('\n');
    }
    out
}

fn widest<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    texts.map(|text| visible_line(text).width()).max().unwrap_or_default()
}

fn number(figure: &Figure) -> String {
    let number = of_graded(figure);
    match &figure.known {
        Some(known) => format!(
            "{number}  ({}; {} to {} of all)",
            known.words(),
            value(known.bounds.0, figure.unit),
            value(known.bounds.1, figure.unit)
        ),
        None => number,
    }
}

fn of_graded(figure: &Figure) -> String {
    match (figure.value, figure.interval) {
        (None, _) => "–".to_owned(),
        (Some(number), None) => value(number, figure.unit),
        (Some(number), Some((low, high))) => format!(
            "{}  (95 % interval {} to {})",
            value(number, figure.unit),
            value(low, figure.unit),
            value(high, figure.unit)
        ),
    }
}

/// A number with its unit.
pub fn value(number: f64, unit: Unit) -> String {
    match unit {
        Unit::Fraction => format!("{:.2} %", number * 100.0),
        Unit::Count if number.fract() == 0.0 => format!("{number:.0}"),
        Unit::Count => format!("{number:.2}"),
        Unit::Dollars => format!("${number:.4}"),
        Unit::Tokens => format!("{number:.0} tokens"),
        Unit::Chips => format!("{number:+.1} chips"),
        Unit::Number => format!("{number:+.2}"),
        Unit::Points => format!("{:+.2} points", number * 100.0),
        Unit::Chance if number < 0.001 => "< 0.001".to_owned(),
        Unit::Chance => format!("{number:.3}"),
    }
}

fn padded(text: &str, width: usize) -> String {
    let text = visible_line(text);
    let missing = width.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(missing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::metrics::report::{BreakdownRow, Column, Group, TableRow};

    #[test]
    fn tables_and_groups() {
        let column = |label: &str, unit| Column::new(label, unit, "");
        let row = |name: &str, n, cells| TableRow { name: name.to_owned(), n, cells };
        let text = report(&Report {
            tables: vec![Table {
                title: "By size".into(),
                about: String::new(),
                by: "tier".into(),
                columns: vec![column("pass@1", Unit::Fraction), column("calls", Unit::Count)],
                rows: vec![
                    row("easy", 3, vec![Some(0.5), Some(2.25)]),
                    row("hard", 12, vec![None, Some(10.0)]),
                ],
            }],
            groups: vec![Group {
                title: "Searching".into(),
                figures: vec![Figure {
                    key: String::new(),
                    label: "no call".into(),
                    value: Some(0.125),
                    known: None,
                    interval: None,
                    unit: Unit::Fraction,
                    about: String::new(),
                }],
            }],
            ..Report::default()
        });
        assert_eq!(
            text,
            "By size:\n  tier  n   pass@1   calls\n  easy  3   50.00 %  2.25\n  hard  12  –        10\nSearching:\n  no call  \
             12.50 %\n"
        );
    }

    #[test]
    fn a_chinese_character_takes_two_columns() {
        let line = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let lines = [line(["渡禾节", "1"]), line(["mill", "12"]), line(["a\u{301}", "–"])];
        assert_eq!(aligned(&lines), "  渡禾节  1\n  mill    12\n  a\u{301}       –\n");
    }

    #[test]
    fn numbers_stand_below_each_other() {
        let figure = |label: &str, value, interval, unit| Figure {
            key: String::new(),
            label: label.to_owned(),
            value,
            known: None,
            interval,
            unit,
            about: String::new(),
        };
        let text = report(&Report {
            headline: vec![
                figure("accuracy", Some(0.0952), Some((0.06, 0.14)), Unit::Fraction),
                figure("n", Some(210.0), None, Unit::Count),
                figure("cost", None, None, Unit::Dollars),
            ],
            breakdowns: vec![Breakdown {
                by: "language".into(),
                rows: vec![BreakdownRow {
                    value: "zh".into(),
                    n: 7,
                    score: Some(0.5),
                    interval: None,
                }],
            }],
            remarks: vec!["two episodes are incomplete".into()],
            ..Report::default()
        });
        assert_eq!(
            text,
            "accuracy  9.52 %  (95 % interval 6.00 % to 14.00 %)\nn         210\ncost      –\nby language:\n  zh  n=7    \
             50.00 %\nnote: two episodes are incomplete\n"
        );
    }
}
