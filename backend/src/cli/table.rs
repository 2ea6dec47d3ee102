//! The numbers of a run as a table for people.

use turnwise_shared::metrics::report::{Breakdown, Figure, Ranking, Report, Unit};

/// A report in lines of text.
pub fn report(report: &Report) -> String {
    let mut out = String::new();
    let width = report
        .headline
        .iter()
        .map(|figure| figure.label.chars().count())
        .max()
        .unwrap_or_default();
    for figure in &report.headline {
        out.push_str(&format!(
            "{}  {}\n",
            padded(&figure.label, width),
            number(figure)
        ));
    }
    for ranking in &report.rankings {
        out.push_str(&places(ranking));
    }
    for breakdown in &report.breakdowns {
        out.push_str(&parts(breakdown));
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
    let width = breakdown
        .rows
        .iter()
        .map(|row| row.value.chars().count())
        .max()
        .unwrap_or_default();
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
        out.push_str(&format!(
            "  {}  n={:<4} {score}\n",
            padded(&row.value, width),
            row.n
        ));
    }
    out
}

fn places(ranking: &Ranking) -> String {
    let mut out = format!("{}:\n", ranking.title);
    let width = ranking
        .rows
        .iter()
        .map(|row| row.name.chars().count())
        .max()
        .unwrap_or_default();
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

fn number(figure: &Figure) -> String {
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

fn value(number: f64, unit: Unit) -> String {
    match unit {
        Unit::Fraction => format!("{:.2} %", number * 100.0),
        Unit::Count if number.fract() == 0.0 => format!("{number:.0}"),
        Unit::Count => format!("{number:.2}"),
        Unit::Dollars => format!("${number:.4}"),
        Unit::Tokens => format!("{number:.0} tokens"),
        Unit::Chips => format!("{number:+.1} chips"),
        Unit::Number => format!("{number:+.2}"),
    }
}

fn padded(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    format!("{text}{}", " ".repeat(missing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::metrics::report::BreakdownRow;

    #[test]
    fn numbers_stand_below_each_other() {
        let figure = |label: &str, value, interval, unit| Figure {
            label: label.to_owned(),
            value,
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
