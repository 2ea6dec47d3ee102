//! Numbers of games: rankings with dot and whisker, and numbers for pairs as a coloured table.

use turnwise_shared::metrics::report::{Matrix, Ranking, RankingRow};

use crate::components::curves::column_name;
use crate::prelude::*;
use crate::strings::game as words;
use crate::view::axis::Axis;
use crate::view::heat::{Scale, has_room};
use crate::view::number::{Shown, fixed, in_common, scale, shown, symbol, with_decimals};

/// Matrices of this many columns are drawn closer.
const LARGE: usize = 11;

/// A ranking as a table; each row has its dot and whisker on one common axis.
pub fn ranking(all: &Ranking) -> AnyView {
    let known = all.rows.iter().filter_map(|row| Some((row.value?, row.interval)));
    let whiskers = Whiskers::over(known, all.value.unit);
    let shows_n = all.rows.iter().any(|row| row.n > 0);
    let heads: Vec<_> = all.columns.iter().map(head).collect();
    let decimals = Decimals::of(all);
    let rows: Vec<_> =
        all.rows.iter().map(|row| row_view(all, row, &whiskers, &decimals, shows_n)).collect();
    let heads = (
        th(words::PARTICIPANT),
        head(&all.value),
        th(whiskers.ticks()),
        th_number(words::INTERVAL),
        shows_n.then(|| th_number(words::N)),
        heads,
    );
    any_view! {
        <div class="stack-2">
            <p class="small soft read">{all.about.clone()}</p>
            {table_frame(all.title.clone(), "table table-cards table-pin ranking", heads, rows)}
        </div>
    }
}

fn head(column: &Column) -> AnyView {
    let unit = symbol(column.unit);
    let unit = (!unit.is_empty() && unit != column.label)
        .then(|| view! { <span class="unit">" " {unit}</span> });
    any_view! {
        <th scope="col" class="num" title=column.about.clone()>
            {column.label.clone()}
            {unit}
        </th>
    }
}

/// How many decimals the numbers of a ranking have, column by column.
struct Decimals {
    value: usize,
    cells: Vec<usize>,
}

impl Decimals {
    fn of(all: &Ranking) -> Self {
        let values = all.rows.iter();
        let values = values.filter_map(|row| Some((row.value?, row.interval)));
        let cells = all.columns.iter().enumerate().map(|(at, column)| {
            let cells = all.rows.iter().filter_map(|row| *row.cells.get(at)?);
            in_common(cells.map(|value| (value, None)), column.unit)
        });
        Decimals { value: in_common(values, all.value.unit), cells: cells.collect() }
    }
}

fn row_view(
    all: &Ranking,
    row: &RankingRow,
    whiskers: &Whiskers,
    decimals: &Decimals,
    shows_n: bool,
) -> AnyView {
    let number = with_decimals(row.value, row.interval, all.value.unit, decimals.value);
    let who =
        (row.who != row.name).then(|| view! { <small class="faint who">{row.who.clone()}</small> });
    let cells: Vec<_> = all
        .columns
        .iter()
        .zip(&row.cells)
        .zip(&decimals.cells)
        .map(|((column, value), decimals)| {
            view! {
                <td class="num" data-label=column_name(column)>
                    {with_decimals(*value, None, column.unit, *decimals).value}
                </td>
            }
        })
        .collect();
    let n = shows_n.then(|| {
        view! {
            <td class="num" data-label=words::N>
                {count(row.n)}
            </td>
        }
    });
    any_view! {
        <tr>
            <th scope="row">
                <span class="named">{row.name.clone()} {who}</span>
            </th>
            <td class="num cell-main" data-label=column_name(&all.value)>
                {number.value.clone()}
            </td>
            <td class="plot-cell">{row.value.map(|value| whiskers.draw(value, row.interval, &number))}</td>
            <td class="num pm cell-wide" data-label=words::INTERVAL>
                {number.range.clone()}
            </td>
            {n}
            {cells}
        </tr>
    }
}

/// Dots and whiskers of several numbers on one common axis.
pub struct Whiskers {
    axis: Axis,
    scale: f64,
}

impl Whiskers {
    /// An axis over all these numbers and their intervals.
    pub fn over(known: impl Iterator<Item = (f64, Option<(f64, f64)>)>, unit: Unit) -> Self {
        let scale = scale(unit);
        let values = known.flat_map(|(value, interval)| {
            let (low, high) = interval.unwrap_or((value, value));
            [value, low, high]
        });
        Whiskers {
            axis: match unit {
                Unit::Fraction => Axis::over_shares(values.map(|value| value * scale), 4),
                _ => Axis::over(values.map(|value| value * scale), 4),
            },
            scale,
        }
    }

    /// The ends of the axis, and zero where it lies between them.
    pub fn ticks(&self) -> AnyView {
        let axis = &self.axis;
        let mut at = vec![axis.low, axis.high];
        let zero = axis.share(0.0);
        if axis.low < 0.0 && axis.high > 0.0 && (0.2..=0.8).contains(&zero) {
            at.push(0.0);
        }
        let ticks: Vec<_> = at
            .into_iter()
            .map(|tick| {
                let place = format!("{:.1}%", axis.share(tick) * 100.0);
                view! { <span style:left=place>{fixed(tick, axis.decimals)}</span> }
            })
            .collect();
        any_view! {
            <span class="sr">"Drawn"</span>
            <span class="axis-ticks" aria-hidden="true">{ticks}</span>
        }
    }

    /// A number with its whisker; `number` is how it is written.
    pub fn draw(&self, value: f64, interval: Option<(f64, f64)>, number: &Shown) -> AnyView {
        let at = |value: f64| format!("{:.2}", self.axis.share(value * self.scale) * 100.0);
        let label =
            format!("{}, interval {}", number.value, number.range.as_deref().unwrap_or("–"));
        let range = interval.map(|(low, high)| {
            let path = format!("M{} 6H{}", at(low), at(high));
            view! { <path class="whisk-range" d=path></path> }
        });
        let zero = (self.axis.low < 0.0 && self.axis.high > 0.0).then(|| {
            let path = format!("M{} 0V12", at(0.0));
            view! { <path class="whisk-zero" d=path></path> }
        });
        any_view! {
            <svg class="whisk" viewBox="0 0 100 12" preserveAspectRatio="none" role="img" aria-label=label>
                <path class="whisk-axis" d="M0 6H100"></path>
                {zero}
                {range}
                <path class="whisk-point" d=format!("M{} 1V11", at(value))></path>
            </svg>
        }
    }
}

/// A matrix as a table whose cells are coloured.
pub fn matrix(all: &Matrix) -> AnyView {
    let Some(scale) = Scale::of(all) else {
        return ().into_any();
    };
    // A cell has no room for more than the colour says anyway.
    let text = |value: f64| match all.unit {
        Unit::Fraction => fixed(value * 100.0, 0),
        _ => shown(Some(value), None, all.unit).value,
    };
    let numbered = has_room(all);
    let heads: Vec<_> = all.columns.iter().map(|name| th_number(name.clone())).collect();
    let rows: Vec<_> = all
        .rows
        .iter()
        .zip(&all.cells)
        .map(|(row, cells)| {
            let cells: Vec<_> = cells
                .iter()
                .zip(&all.columns)
                .map(|(value, column)| match value {
                    None => any_view! { <td class="heat-none"><span class="sr">"–"</span></td> },
                    Some(value) => {
                        let tint = scale.tint(*value);
                        let class = if tint.below { "num heat is-below" } else { "num heat" };
                        let number = text(*value);
                        let title = format!("{row} against {column}: {number}");
                        any_view! {
                            <td class=class title=title style:--heat=format!("{:.3}", tint.strength)>
                                <span class:sr=!numbered>{number}</span>
                            </td>
                        }
                    }
                })
                .collect();
            view! {
                <tr>
                    <th scope="row">{row.clone()}</th>
                    {cells}
                </tr>
            }
        })
        .collect();
    let unit = symbol(all.unit);
    let (low, high) = (text(scale.low), text(scale.high));
    let colours = match scale.centre {
        Some(centre) => format!("from {low} (orange) over {} to {high} (blue)", text(centre)),
        None => format!("from {low} (pale) to {high} (blue)"),
    };
    let class = match (numbered, all.columns.len()) {
        (false, _) => "matrix matrix-dense",
        (true, 0..LARGE) => "matrix",
        (true, _) => "matrix matrix-large",
    };
    let label = format!("{}: {} rows, {} columns", all.title, all.rows.len(), all.columns.len());
    let named = label.clone();
    any_view! {
        <div class="stack-2">
            <h3>
                {all.title.clone()}
                {(!unit.is_empty()).then(|| view! { <span class="unit faint">", " {unit}</span> })}
            </h3>
            <div class="matrix-wrap" role="region" tabindex="0" aria-label=label.clone()>
                <table translate="no" class=class aria-label=named>
                    <thead>
                        <tr>
                            <td></td>
                            {heads}
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            <p class="small soft">{all.about.clone()} " " "Colours go" " " {colours} "."</p>
        </div>
    }
}
