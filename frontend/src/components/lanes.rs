//! Moves made at the same time, round by round: a lane for each seat, what each round paid, and what that comes to.

use turnwise_shared::metrics::report::{Curve, Point};
use turnwise_shared::scene::{LaneCell, Lanes};

use crate::components::curves::curves;
use crate::prelude::*;
use crate::strings::game as words;
use crate::view::lanes::{payoff, running};

/// The lanes; rounds after `now` are dimmed, and that round is marked.
pub fn lanes(all: &Lanes, now: Option<Signal<Option<u32>>>) -> AnyView {
    if all.rounds.is_empty() {
        return any_view! { <p class="small faint">"No round has been played yet."</p> };
    }
    let rows: Vec<_> = all
        .names
        .iter()
        .enumerate()
        .map(|(lane, name)| {
            let total = all.totals.get(lane).copied().unwrap_or(0);
            let cells: Vec<_> = all
                .rounds
                .iter()
                .filter_map(|round| Some((round.round, round.cells.get(lane)?)))
                .map(|(round, cell)| cell_view(round, cell, now))
                .collect();
            view! {
                <tr>
                    // The colours here are those of the moves.
                    <th scope="row" class="lane-of">{name.clone()}</th>
                    {cells}
                    <td class="num lane-total"><b>{payoff(total)}</b></td>
                </tr>
            }
        })
        .collect();
    let heads: Vec<_> = all
        .rounds
        .iter()
        .map(|round| {
            // Every fifth is enough to count by.
            let number = round.round;
            let shown = number == 1 || number.is_multiple_of(5);
            view! { <th scope="col" class:is-quiet=!shown>{number}</th> }
        })
        .collect();
    any_view! {
        <div class="lanes-wrap" role="group" tabindex="0" aria-label=words::ROUND>
            <table translate="no" class="match">
                <thead>
                    <tr>
                        {th(words::ROUND)}
                        {heads}
                        {th_number(words::TOTAL)}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

fn cell_view(round: u32, cell: &LaneCell, now: Option<Signal<Option<u32>>>) -> AnyView {
    let at = move || now.and_then(|now| now.get());
    let class = format!("move m-{}", cell.tone.name());
    let title = match cell.forced {
        true => format!("{} ({})", cell.word, "fallback, not its own move"),
        false => cell.word.clone(),
    };
    any_view! {
        <td
            class="lane-cell"
            class:is-now=move || at() == Some(round)
            class:is-ahead=move || at().is_some_and(|at| at < round)
        >
            <span class=class class:is-forced=cell.forced title=title.clone()>
                <span aria-hidden="true">{cell.letter.clone()}</span>
                <span class="sr">{title.clone()}</span>
            </span>
            <span class="pay">{payoff(cell.payoff)}</span>
        </td>
    }
}

/// The running totals of the lanes, as curves with their table.
pub fn totals(all: &Lanes) -> AnyView {
    if all.rounds.len() < 2 {
        return ().into_any();
    }
    let totals = running(all);
    let plot = Plot {
        title: "Running totals".to_owned(),
        about: String::new(),
        x: Column::new(words::ROUND, Unit::Count, ""),
        y: Column::new(words::TOTAL, Unit::Number, ""),
        curves: all
            .names
            .iter()
            .zip(&totals)
            .map(|(name, totals)| Curve {
                name: name.clone(),
                points: all
                    .rounds
                    .iter()
                    .zip(totals)
                    .map(|(round, total)| Point {
                        x: f64::from(round.round),
                        // Totals of a match are far below the largest exact integer.
                        y: *total as f64,
                        interval: None,
                        n: None,
                    })
                    .collect(),
            })
            .collect(),
    };
    let mut columns = vec![Head::numbers(words::ROUND)];
    for name in &all.names {
        columns.push(Head::words(format!("{name} moves")));
        columns.push(Head::numbers(format!("{name} earns")));
        columns.push(Head::numbers(format!("{name} so far")));
    }
    let rows: Vec<Vec<TableCell>> = all
        .rounds
        .iter()
        .enumerate()
        .map(|(at, round)| {
            let mut row = vec![TableCell::Number(round.round.to_string())];
            for (cell, totals) in round.cells.iter().zip(&totals) {
                row.push(TableCell::Text(cell.word.clone()));
                row.push(TableCell::Number(payoff(cell.payoff)));
                row.push(TableCell::Number(payoff(totals[at])));
            }
            row
        })
        .collect();
    any_view! {
        {curves(&plot)}
        {as_table(words::MATCH, columns, rows)}
    }
}
