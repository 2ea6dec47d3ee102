//! The numbers of a run: figures, tables, diagrams with their tables.

use super::number::{interval, shown};
use super::{plot, words};
use crate::markup::Markup;
use crate::metrics::number::count;
use crate::metrics::report::{
    Breakdown, Column, Figure, Matrix, Plot, Ranking, Report, Table, Unit,
};
use crate::screen;

/// All numbers of a report.
pub fn report(page: &mut Markup, report: &Report) {
    if !report.headline.is_empty() {
        headed(page, "Numbers", "", |page| figures(page, &report.headline));
    }
    if !report.remarks.is_empty() {
        headed(page, "Remarks", "", |page| {
            page.open("ul", "remarks");
            report.remarks.iter().for_each(|remark| page.element("li", "", remark));
            page.close("ul");
        });
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
        page.element("h2", "", "Breakdowns");
        page.open("div", "columns");
        let parts = report.breakdowns.iter().filter(telling);
        parts.for_each(|one| breakdown(page, one));
        page.close("div");
        page.close("section");
    }
    for group in &report.groups {
        headed(page, &group.title, "", |page| figures(page, &group.figures));
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
fn rows(page: &mut Markup, caption: &str, head: &[&str], body: impl Iterator<Item = Vec<String>>) {
    page.open_with(
        "div",
        &[("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", caption)],
    );
    page.open("table", "");
    page.open("thead", "");
    page.open("tr", "");
    for (at, name) in head.iter().enumerate() {
        let class = if at == 0 { "" } else { "num" };
        page.element_with("th", &[("scope", "col"), ("class", class)], name);
    }
    page.close("tr");
    page.close("thead");
    page.open("tbody", "");
    for row in body {
        page.open("tr", "");
        for (at, cell) in row.iter().enumerate() {
            if at == 0 {
                page.element_with("th", &[("scope", "row")], cell);
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
    let first = ["name", "who", words::N, &ranking.value.label, words::INTERVAL];
    let unit = ranking.value.unit;
    let body = ranking.rows.iter().map(|row| {
        let first = [
            row.name.clone(),
            row.who.clone(),
            count(row.n),
            shown(row.value, unit),
            interval(row.interval, unit),
        ];
        cells(first, &row.cells, &ranking.columns)
    });
    headed(page, &ranking.title, &ranking.about, |page| {
        rows(page, &ranking.title, &head(&first, &ranking.columns), body);
    });
}

fn table(page: &mut Markup, table: &Table) {
    let body = table
        .rows
        .iter()
        .map(|row| cells([row.name.clone(), count(row.n)], &row.cells, &table.columns));
    headed(page, &table.title, &table.about, |page| {
        rows(page, &table.title, &head(&[&table.by, words::N], &table.columns), body);
    });
}

/// The head of a table: the columns that each of its kind has, and its own.
fn head<'a>(first: &[&'a str], columns: &'a [Column]) -> Vec<&'a str> {
    let labels = columns.iter().map(|column| column.label.as_str());
    first.iter().copied().chain(labels).collect()
}

fn cells<const N: usize>(
    first: [String; N],
    cells: &[Option<f64>],
    columns: &[Column],
) -> Vec<String> {
    let cells = cells.iter().zip(columns);
    first.into_iter().chain(cells.map(|(cell, column)| shown(*cell, column.unit))).collect()
}

fn matrix(page: &mut Markup, matrix: &Matrix) {
    let names = matrix.columns.iter().map(String::as_str);
    let head: Vec<&str> = std::iter::once("").chain(names).collect();
    let body = matrix.rows.iter().zip(&matrix.cells).map(|(name, cells)| {
        let cells = cells.iter().map(|cell| shown(*cell, matrix.unit));
        std::iter::once(name.clone()).chain(cells).collect()
    });
    headed(page, &matrix.title, &matrix.about, |page| rows(page, &matrix.title, &head, body));
}

fn curves(page: &mut Markup, plot: &Plot) {
    let head = ["curve", plot.x.label.as_str(), plot.y.label.as_str(), words::INTERVAL];
    let body = plot.curves.iter().flat_map(|curve| {
        curve.points.iter().map(move |point| {
            vec![
                curve.name.clone(),
                shown(Some(point.x), plot.x.unit),
                shown(Some(point.y), plot.y.unit),
                interval(point.interval, plot.y.unit),
            ]
        })
    });
    headed(page, &plot.title, &plot.about, |page| {
        plot::plot(page, plot);
        page.open("details", "");
        page.element("summary", "", words::AS_TABLE);
        rows(page, &plot.title, &head, body);
        page.close("details");
    });
}

fn reliability(page: &mut Markup, report: &Report) {
    let head = [words::CONFIDENCE, words::N, words::CONFIDENCE, words::ACCURACY];
    let percent = |value: f64| shown(Some(value), Unit::Fraction);
    let body = report.reliability.iter().map(|bin| {
        vec![
            format!("{} to {}", percent(bin.from), percent(bin.to)),
            count(bin.n),
            percent(bin.confidence),
            percent(bin.accuracy),
        ]
    });
    headed(page, words::RELIABILITY, "", |page| {
        plot::reliability(page, &report.reliability);
        page.open("details", "");
        page.element("summary", "", words::AS_TABLE);
        rows(page, words::RELIABILITY, &head, body);
        page.close("details");
    });
}

fn breakdown(page: &mut Markup, breakdown: &Breakdown) {
    let head = [breakdown.by.as_str(), words::N, "score", words::INTERVAL];
    let body = breakdown.rows.iter().map(|row| {
        vec![
            row.value.clone(),
            count(row.n),
            shown(row.score, Unit::Fraction),
            interval(row.interval, Unit::Fraction),
        ]
    });
    page.open("div", "");
    rows(page, &breakdown.by, &head, body);
    page.close("div");
}
