//! Tables: things that happened and how often, in the look of a printed table.

use leptos::prelude::*;
use turnwise_view::strings::game::AS_TABLE;

use super::any_view;

/// A cell of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum TableCell {
    Text(String),
    /// A number, set to the right.
    Number(String),
    Link {
        text: String,
        href: String,
        /// What it does, for those who hear the table.
        label: String,
    },
}

/// The head of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    title: String,
    /// Empty for none.
    unit: &'static str,
    /// `num` sets a column to the right.
    class: &'static str,
}

impl Head {
    pub fn words(title: impl Into<String>) -> Self {
        Head { title: title.into(), unit: "", class: "" }
    }

    /// The head of a column of numbers, set to the right.
    pub fn numbers(title: impl Into<String>) -> Self {
        Head { class: "num", ..Head::words(title) }
    }

    pub fn in_unit(self, unit: &'static str) -> Self {
        Head { unit, ..self }
    }
}

/// The head of a column in a table that is written out.
pub fn th(title: impl IntoView + 'static) -> impl IntoView {
    view! { <th scope="col">{title}</th> }
}

/// The same over numbers, set to the right.
pub fn th_number(title: impl IntoView + 'static) -> impl IntoView {
    view! { <th scope="col" class="num">{title}</th> }
}

/// A table whose first cell of each row is its head.
#[component]
pub fn Table(
    /// What the table is, for those who hear it.
    #[prop(into)]
    label: String,
    /// The heads of the columns.
    columns: Vec<Head>,
    rows: Vec<Vec<TableCell>>,
    /// How it is set; `table table-meanings` where the last column says what the row means, which a phone sets below.
    #[prop(default = "table")]
    class: &'static str,
) -> impl IntoView {
    let heads: Vec<_> = columns
        .iter()
        .map(|column| {
            let unit = (!column.unit.is_empty())
                .then(|| view! { <span class="unit">{format!(" {}", column.unit)}</span> });
            view! {
                <th scope="col" class=column.class>
                    {column.title.clone()}
                    {unit}
                </th>
            }
        })
        .collect();
    let rows: Vec<_> = rows
        .into_iter()
        .map(|row| {
            let cells: Vec<_> = row
                .into_iter()
                .enumerate()
                .map(|(position, cell)| {
                    let label = columns
                        .get(position)
                        .map(|column| format!("{} {}", column.title, column.unit));
                    table_cell(cell, position == 0, label.unwrap_or_default())
                })
                .collect();
            view! { <tr>{cells}</tr> }
        })
        .collect();
    table_frame(label, class, heads, rows)
}

/// A table in a frame that scrolls and that keys reach.
pub fn table_frame(
    label: impl Into<String>,
    class: &'static str,
    heads: impl IntoView + 'static,
    rows: impl IntoView + 'static,
) -> AnyView {
    let label = label.into();
    let table = table(label.clone(), class, heads, rows);
    any_view! {
        <div class="table-wrap" role="group" tabindex="0" aria-label=label>
            {table}
        </div>
    }
}

/// A table whose rows a phone shows as cards.
pub fn table_of_cards(
    label: &'static str,
    heads: impl IntoView + 'static,
    rows: impl IntoView + 'static,
) -> AnyView {
    any_view! {
        <div class="table-wrap">{table(label.to_owned(), "table table-cards", heads, rows)}</div>
    }
}

fn table(
    label: String,
    class: &'static str,
    heads: impl IntoView + 'static,
    rows: impl IntoView + 'static,
) -> impl IntoView {
    view! {
        <table translate="no" class=class aria-label=label>
            <thead>
                <tr>{heads}</tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

/// What a picture shows, as a table folded away below it.
pub fn as_table(
    label: impl Into<String>,
    columns: Vec<Head>,
    rows: Vec<Vec<TableCell>>,
) -> AnyView {
    any_view! {
        <details class="more twin">
            <summary>{AS_TABLE}</summary>
            <div class="more-body">
                <Table label=label.into() columns rows/>
            </div>
        </details>
    }
}

fn table_cell(cell: TableCell, is_head: bool, label: String) -> AnyView {
    let (class, content) = match cell {
        TableCell::Text(text) => ("", text.into_any()),
        TableCell::Number(text) => ("num", text.into_any()),
        TableCell::Link { text, href, label } => (
            "",
            view! {
                <a href=href aria-label=label>
                    {text}
                </a>
            }
            .into_any(),
        ),
    };
    if is_head {
        view! {
            <th scope="row" class=class>
                {content}
            </th>
        }
        .into_any()
    } else {
        view! {
            <td class=class data-label=label.trim().to_owned()>
                {content}
            </td>
        }
        .into_any()
    }
}
