//! The numbers of a run: figures, tables, diagrams with their tables.

use super::number::{interval, shown};
use super::{plot, words};
use crate::markup::Markup;
use crate::metrics::number::count;
use crate::metrics::report::{Breakdown, Figure, Matrix, Plot, Ranking, Report, Table, Unit};
use crate::screen;

/// All numbers of a report.
pub fn report(page: &mut Markup, report: &Report) {
    if !report.headline.is_empty() {
        page.open("section", "");
        page.element("h2", "", words::NUMBERS);
        figures(page, &report.headline);
        page.close("section");
    }
    if !report.remarks.is_empty() {
        page.open("section", "");
        page.element("h2", "", words::REMARKS);
        page.open("ul", "remarks");
        for remark in &report.remarks {
            page.element("li", "", remark);
        }
        page.close("ul");
        page.close("section");
    }
    report.rankings.iter().for_each(|one| ranking(page, one));
    report.tables.iter().for_each(|one| table(page, one));
    report.matrices.iter().for_each(|one| matrix(page, one));
    report.plots.iter().for_each(|one| curves(page, one));
    if let Some(study) = &report.study {
        headed(page, &study.title, &study.about, |_| {});
        study.plots.iter().for_each(|one| curves(page, one));
        table(page, &study.table);
    }
    if !report.reliability.is_empty() {
        reliability(page, report);
    }
    let telling = |one: &&Breakdown| one.rows.len() > 1;
    if report.breakdowns.iter().any(|one| telling(&one)) {
        page.open("section", "");
        page.element("h2", "", words::BREAKDOWNS);
        page.open("div", "columns");
        let parts = report.breakdowns.iter().filter(telling);
        parts.for_each(|one| breakdown(page, one));
        page.close("div");
        page.close("section");
    }
    for group in &report.groups {
        page.open("section", "");
        page.element("h2", "", &group.title);
        figures(page, &group.figures);
        page.close("section");
    }
}

fn figures(page: &mut Markup, figures: &[Figure]) {
    page.open("dl", "figures");
    for figure in figures {
        page.open("div", "");
        page.element("dt", "", &figure.label);
        page.element("dd", "value", &shown(figure.value, figure.unit));
        let range = match &figure.known {
            Some(known) => screen::words::known(known),
            None => interval(figure.interval, figure.unit),
        };
        if !range.is_empty() {
            page.element("dd", "range", &range);
        }
        page.element("dd", "soft small", &figure.about);
        page.close("div");
    }
    page.close("dl");
}

/// A table inside of something that scrolls; the first column names the rows.
fn rows(page: &mut Markup, caption: &str, head: &[&str], body: &[Vec<String>]) {
    page.open_with(
        "div",
        &[("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", caption)],
    );
    page.open("table", "");
    page.open("thead", "");
    page.open("tr", "");
    for (at, name) in head.iter().enumerate() {
        let class = if at == 0 { "" } else { "num" };
        page.open_with("th", &[("scope", "col"), ("class", class)]);
        page.text(name);
        page.close("th");
    }
    page.close("tr");
    page.close("thead");
    page.open("tbody", "");
    for row in body {
        page.open("tr", "");
        for (at, cell) in row.iter().enumerate() {
            if at == 0 {
                page.open_with("th", &[("scope", "row")]);
                page.text(cell);
                page.close("th");
            } else {
                page.element("td", "num", cell);
            }
        }
        page.close("tr");
    }
    page.close("tbody");
    page.close("table");
    page.close("div");
}

fn headed(page: &mut Markup, title: &str, about: &str, inside: impl FnOnce(&mut Markup)) {
    page.open("section", "");
    page.element("h2", "", title);
    if !about.is_empty() {
        page.element("p", "soft", about);
    }
    inside(page);
    page.close("section");
}

fn ranking(page: &mut Markup, ranking: &Ranking) {
    let mut head = vec![words::NAME, words::WHO, words::N, &ranking.value.label, words::INTERVAL];
    head.extend(ranking.columns.iter().map(|column| column.label.as_str()));
    let body: Vec<Vec<String>> = ranking
        .rows
        .iter()
        .map(|row| {
            let unit = ranking.value.unit;
            let mut cells = vec![
                row.name.clone(),
                row.who.clone(),
                count(row.n.into()),
                shown(row.value, unit),
                interval(row.interval, unit),
            ];
            let further = row.cells.iter().zip(&ranking.columns);
            cells.extend(further.map(|(cell, column)| shown(*cell, column.unit)));
            cells
        })
        .collect();
    headed(page, &ranking.title, &ranking.about, |page| {
        rows(page, &ranking.title, &head, &body);
    });
}

fn table(page: &mut Markup, table: &Table) {
    let mut head = vec![table.by.as_str(), words::N];
    head.extend(table.columns.iter().map(|column| column.label.as_str()));
    let body: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|row| {
            let mut cells = vec![row.name.clone(), count(row.n.into())];
            let further = row.cells.iter().zip(&table.columns);
            cells.extend(further.map(|(cell, column)| shown(*cell, column.unit)));
            cells
        })
        .collect();
    headed(page, &table.title, &table.about, |page| {
        rows(page, &table.title, &head, &body);
    });
}

fn matrix(page: &mut Markup, matrix: &Matrix) {
    let mut head = vec![""];
    head.extend(matrix.columns.iter().map(String::as_str));
    let body: Vec<Vec<String>> = matrix
        .rows
        .iter()
        .zip(&matrix.cells)
        .map(|(name, cells)| {
            let mut row = vec![name.clone()];
            row.extend(cells.iter().map(|cell| shown(*cell, matrix.unit)));
            row
        })
        .collect();
    headed(page, &matrix.title, &matrix.about, |page| {
        rows(page, &matrix.title, &head, &body);
    });
}

fn curves(page: &mut Markup, plot: &Plot) {
    let head = [words::CURVE, plot.x.label.as_str(), plot.y.label.as_str(), words::INTERVAL];
    let body: Vec<Vec<String>> = plot
        .curves
        .iter()
        .flat_map(|curve| {
            curve.points.iter().map(|point| {
                vec![
                    curve.name.clone(),
                    shown(Some(point.x), plot.x.unit),
                    shown(Some(point.y), plot.y.unit),
                    interval(point.interval, plot.y.unit),
                ]
            })
        })
        .collect();
    headed(page, &plot.title, &plot.about, |page| {
        plot::plot(page, plot);
        page.open("details", "");
        page.element("summary", "", words::AS_TABLE);
        rows(page, &plot.title, &head, &body);
        page.close("details");
    });
}

fn reliability(page: &mut Markup, report: &Report) {
    let head = [words::CONFIDENCE, words::N, words::CONFIDENCE, words::ACCURACY];
    let percent = |value: f64| shown(Some(value), Unit::Fraction);
    let body: Vec<Vec<String>> = report
        .reliability
        .iter()
        .map(|bin| {
            vec![
                format!("{} to {}", percent(bin.from), percent(bin.to)),
                count(bin.n.into()),
                percent(bin.confidence),
                percent(bin.accuracy),
            ]
        })
        .collect();
    headed(page, words::RELIABILITY, "", |page| {
        plot::reliability(page, &report.reliability);
        page.open("details", "");
        page.element("summary", "", words::AS_TABLE);
        rows(page, words::RELIABILITY, &head, &body);
        page.close("details");
    });
}

fn breakdown(page: &mut Markup, breakdown: &Breakdown) {
    let head = [breakdown.by.as_str(), words::N, words::SCORE, words::INTERVAL];
    let body: Vec<Vec<String>> = breakdown
        .rows
        .iter()
        .map(|row| {
            vec![
                row.value.clone(),
                count(row.n.into()),
                shown(row.score, Unit::Fraction),
                interval(row.interval, Unit::Fraction),
            ]
        })
        .collect();
    page.open("div", "");
    rows(page, &breakdown.by, &head, &body);
    page.close("div");
}
