//! The numbers of a run: headline, parts, calibration, faults, usage, configuration, remarks.

use turnwise_shared::metrics::report::{Breakdown, BreakdownRow, Group, Table as PartTable};
use turnwise_shared::screen::figures as screen;

use crate::components::curves;
use crate::prelude::*;
use crate::strings;
use crate::view::figures::{Events, Happened, Used};
use crate::view::number::{Shown, shown};
use crate::view::parts::{self, Column, Order};
use crate::view::spec;
use crate::view::turn::words;
use crate::view::wall::{By, FaultFilter, Filter};

/// The numbers to be seen first.
pub fn headline(report: &Report) -> impl IntoView + use<> {
    view! { <dl translate="no" class="figures" inner_html=screen::headline(&report.headline)></dl> }
}

/// The same of a run of `episodes` episodes as markup, without the list around them.
pub fn headline_markup(report: &Report, episodes: usize) -> String {
    screen::headline(&screen::of_episodes(&report.headline, episodes))
}

/// Further numbers of the whole run that belong together; those that say nothing beside the `headline` are folded.
pub fn group(group: &Group, headline: &[Figure]) -> AnyView {
    let (plain, folded): (Vec<_>, Vec<_>) =
        group.figures.iter().partition(|figure| parts::says_more(figure, headline));
    let further = (!folded.is_empty()).then(|| {
        view! {
            <details class="more">
                <summary>{counted(folded.len(), "further number", "further numbers")}</summary>
                <div class="more-body">{numbers(&group.title, &folded)}</div>
            </details>
        }
    });
    any_view! {
        <div class="stack-2">
            <h3>{group.title.clone()}</h3>
            {(!plain.is_empty()).then(|| numbers(&group.title, &plain))}
            {further}
        </div>
    }
}

fn numbers(title: &str, figures: &[&Figure]) -> impl IntoView + use<> {
    let rows: Vec<_> = figures
        .iter()
        .map(|figure| {
            let Shown { value, unit, range } = number::figure(figure);
            vec![
                TableCell::Text(figure.label.clone()),
                TableCell::Number(format!("{value}\u{a0}{unit}").trim_end().to_owned()),
                TableCell::Number(range.unwrap_or_default()),
                TableCell::Text(figure.about.clone()),
            ]
        })
        .collect();
    let columns = vec![
        Head::words("Number"),
        Head::numbers("Value"),
        Head::numbers(strings::run::INTERVAL),
        Head::words("What it means"),
    ];
    view! { <Table label=title.to_owned() columns rows class="table table-meanings"/> }
}

/// Several numbers for parts of a run.
pub fn part_table(table: &PartTable) -> AnyView {
    let mut columns = vec![Head::words(words(&table.by)), Head::numbers(strings::run::N)];
    columns.extend(table.columns.iter().map(|column| Head::numbers(curves::column_name(column))));
    let rows: Vec<_> =
        table
            .rows
            .iter()
            .map(|row| {
                let mut cells =
                    vec![TableCell::Text(row.name.clone()), TableCell::Number(count(row.n))];
                cells.extend(row.cells.iter().zip(&table.columns).map(|(cell, column)| {
                    TableCell::Number(shown(*cell, None, column.unit).value)
                }));
                cells
            })
            .collect();
    any_view! {
        <div class="stack-2">
            <h3>{table.title.clone()}</h3>
            {match rows.is_empty() {
                true => any_view! { <p class="soft">"Nothing to list."</p> },
                false => any_view! { <Table label=table.title.clone() columns rows/> },
            }}
            <p class="small soft">{table.about.clone()}</p>
            {(!table.rows.is_empty()).then(|| meanings(table))}
        </div>
    }
}

/// What the columns of a table mean; nothing where that is not said.
fn meanings(table: &PartTable) -> Option<impl IntoView + use<>> {
    let rows: Vec<_> = table
        .columns
        .iter()
        .filter(|column| !column.about.is_empty())
        .map(|column| {
            view! {
                <dt>{column.label.clone()}</dt>
                <dd>{column.about.clone()}</dd>
            }
        })
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <details class="more">
                <summary>"What the columns mean"</summary>
                <dl class="kv more-body">{rows}</dl>
            </details>
        }
    })
}

/// The score for the parts of a run, as a table with a whisk a row; each part leads to its episodes on the wall.
pub fn breakdown(
    run: &RunId,
    breakdown: &Breakdown,
    whole: Option<f64>,
    order: RwSignal<Order>,
) -> impl IntoView + use<> {
    let title = strings::run::by(&breakdown.by);
    let (run, breakdown) = (run.clone(), breakdown.clone());
    let rows = move || {
        parts::sorted(&breakdown.rows, order.get())
            .iter()
            .map(|row| part(&run, &breakdown.by, row, whole))
            .collect_view()
    };
    let head = move |column: Column, title: &'static str, unit: &'static str| {
        let class = match column {
            Column::Name => "",
            Column::Count | Column::Score => "num",
        };
        view! {
            <th scope="col" class=class aria-sort=move || order.get().aria(column)>
                <button type="button" on:click=move |_| order.update(|order| *order = order.pressed(column))>
                    {title}
                    <span class="unit">{unit}</span>
                </button>
            </th>
        }
    };
    let heads = (
        head(Column::Name, "Part", ""),
        head(Column::Count, strings::run::N, ""),
        head(Column::Score, strings::run::SCORE, " %"),
        th_number((strings::run::INTERVAL, view! { <span class="unit">" %"</span> })),
        view! { <th scope="col" class="plot-cell"><span class="unit">"0 to 100 %"</span></th> },
    );
    view! {
        <div class="stack-2">
            <h3>{title.clone()}</h3>
            {table_frame(title, "table", heads, rows)}
        </div>
    }
}

fn part(run: &RunId, by: &str, row: &BreakdownRow, whole: Option<f64>) -> impl IntoView + use<> {
    let number = shown(row.score, row.interval, Unit::Fraction);
    let grouped = match by {
        "asks" => Some(By::Asks),
        "length" => Some(By::Length),
        _ => None,
    };
    let wall = match grouped {
        // Bins are no label: the wall shows them side by side.
        Some(by) => Wall { group: Some(by), ..Wall::default() },
        None => Wall {
            filter: Filter {
                labels: [(by.to_owned(), row.value.clone())].into(),
                ..Filter::default()
            },
            ..Wall::default()
        },
    };
    let whisk = row.score.map(|score| screen::whisk(score, row.interval, whole));
    view! {
        <tr>
            <th scope="row">
                <a href=format!("{}#wall", address::run(run, &wall))>{row.value.clone()}</a>
            </th>
            <td class="num" data-label=strings::run::N>
                {count(row.n)}
            </td>
            <td class="num cell-main" data-label=strings::run::SCORE>
                {number.value}
            </td>
            <td class="num pm" data-label=strings::run::INTERVAL>
                {number.range}
            </td>
            <td class="plot-cell" inner_html=whisk></td>
        </tr>
    }
}

/// Faults, flags and failed calls, the most frequent first.
pub fn faults(run: &RunId, events: &Events) -> AnyView {
    let Events { faults, flags, failures } = events;
    if faults.is_empty() && flags.is_empty() && failures.is_empty() {
        return any_view! { <p class="soft">"No fault, no flag, and no call failed for good."</p> };
    }
    let by_fault = |name: &str| {
        let wall = Wall {
            filter: Filter {
                fault: Some(FaultFilter::Class(name.to_owned())),
                ..Filter::default()
            },
            ..Wall::default()
        };
        Some(address::run(run, &wall))
    };
    let by_word = |name: &str| {
        let wall = Wall {
            filter: Filter { text: name.to_owned(), ..Filter::default() },
            ..Wall::default()
        };
        Some(address::run(run, &wall))
    };
    let tables = [
        ("Fault", happened(faults, by_fault)),
        ("Flag", happened(flags, by_word)),
        ("Failed call", happened(failures, |_| None)),
    ];
    let tables: Vec<_> = tables
        .into_iter()
        .filter(|(_, rows)| !rows.is_empty())
        .map(|(title, rows)| {
            let columns =
                vec![Head::words(title), Head::numbers("Times"), Head::numbers("Episodes")];
            view! { <Table label=title columns rows/> }
        })
        .collect();
    any_view! { <div class="grid-3">{tables}</div> }
}

fn happened(all: &[Happened], link: impl Fn(&str) -> Option<String>) -> Vec<Vec<TableCell>> {
    all.iter()
        .map(|one| {
            let name = words(&one.name);
            let head = match link(&one.name) {
                Some(href) => TableCell::Link {
                    label: format!("Show the episodes with {name} on the wall"),
                    text: name,
                    href: format!("{href}#wall"),
                },
                None => TableCell::Text(name),
            };
            vec![head, TableCell::Number(count(one.times)), TableCell::Number(count(one.episodes))]
        })
        .collect()
}

/// Calls, tokens and cost by role.
pub fn usage(used: &Used) -> impl IntoView + use<> {
    let uncounted = used.uncounted;
    let departures: Vec<_> = used
        .departures
        .iter()
        .map(|one| {
            format!(
                "{}: {} not sent as chosen in {} of {} calls",
                one.seat,
                one.parameter.replace('_', " "),
                count(one.calls),
                count(one.of)
            )
        })
        .map(|sentence| view! { <p class="small soft">{sentence}</p> })
        .collect();
    view! {
        <div class="stack-2">
            {part_table(&used.table)}
            {(uncounted > 0).then(|| view! { <p class="small soft">{format!("{} of models told no tokens; they \
                are missing from the sums.", counted(uncounted, "reply", "replies"))}</p> })}
            {departures}
        </div>
    }
}

/// What the spec says, one thing a row.
pub fn configuration(spec: &Spec, more: Vec<(&'static str, String)>) -> impl IntoView + use<> {
    let hashes = [
        (strings::run::SPEC_HASH, spec.digest().to_string()),
        (
            strings::run::BOARD_HASH,
            registry::find(&spec.benchmark)
                .map_or_else(|_| String::new(), |benchmark| benchmark.board(spec).to_string()),
        ),
    ];
    let rows: Vec<_> = spec::rows(spec)
        .into_iter()
        .chain(more.into_iter().chain(hashes).map(|(name, value)| (name.to_owned(), value)))
        .map(|(name, value)| {
            view! {
                <dt>{name}</dt>
                <dd>{value}</dd>
            }
        })
        .collect();
    view! { <dl class="kv">{rows}</dl> }
}

/// What a reader must know about the numbers.
pub fn remarks(remarks: &[String]) -> Option<impl IntoView + use<>> {
    if remarks.is_empty() {
        return None;
    }
    let items: Vec<_> = remarks.iter().map(|remark| view! { <li>{remark.clone()}</li> }).collect();
    Some(view! {
        <div class="note">
            <p class="note-title">"Remarks"</p>
            <ul>{items}</ul>
        </div>
    })
}
