//! Around the rows of a board: what it is, ratings of games, notes, and how to get a row.

use leptos::prelude::*;
use turnwise_shared::wire::boards::{Board, BoardId, Rated};
use turnwise_shared::wire::publishing::Standing;

use crate::components::seal::seal;
use crate::components::standings::Whiskers;
use crate::components::steps::Steps;
use crate::strings::boards as words;
use crate::view::number::{self, count, symbol};

/// The head: what the board is, and what it holds fixed.
pub fn top(board: &Board) -> AnyView {
    let head = &board.head;
    let fixed: Vec<_> = head
        .fixed
        .iter()
        .map(|fixed| {
            view! {
                <dt>{fixed.what.clone()}</dt>
                <dd>{fixed.value.clone()}</dd>
            }
        })
        .collect();
    let is_paper = matches!(head.id, BoardId::Paper(_));
    let start = format!("/new?benchmark={}", head.benchmark);
    view! {
        <div class="page-head">
            <div>
                <ol class="crumbs">
                    <li>
                        <a href="/boards">{words::TITLE}</a>
                    </li>
                    <li>{head.benchmark_title.clone()}</li>
                </ol>
                <h1>{head.benchmark_title.clone()} ": " {head.title.clone()}</h1>
                {is_paper.then(|| view! { <p class="soft">"No run stands here: these rows are what a paper printed."</p> })}
            </div>
            <div class="row">
                <a class="btn" href=start>{words::START}</a>
            </div>
        </div>
        <details class="more" id="fixed">
            <summary>
                "What this board holds fixed " <span class="faint">{words::fixed(head.fixed.len())}</span>
            </summary>
            <div class="more-body">
                <dl class="kv">{fixed}</dl>
            </div>
        </details>
    }
    .into_any()
}

/// Who takes part in games, over all runs.
pub fn ratings(board: &Board) -> Option<AnyView> {
    if board.ratings.is_empty() {
        return None;
    }
    let unit = board.head.main.unit;
    let whiskers = Whiskers::over(
        board
            .ratings
            .iter()
            .filter_map(|rated| Some((rated.rating?.value, rated.rating?.interval))),
        unit,
    );
    let cells = board.ratings.iter().filter_map(|rated| rated.rating);
    let decimals = number::of_column(cells, unit);
    let rows: Vec<_> = board
        .ratings
        .iter()
        .map(|rated| rating(rated, board, &whiskers, decimals))
        .collect();
    Some(
        view! {
            <section class="section stack" aria-labelledby="ratings-head" id="ratings">
                <div class="section-head">
                    <h2 id="ratings-head">{words::RATINGS}</h2>
                </div>
                <p class="small soft read">{words::RATINGS_NOTE}</p>
                <div class="table-wrap" role="region" tabindex="0" aria-label=words::RATINGS>
                    <table translate="no" class="table table-cards table-pin ranking" aria-label=words::RATINGS>
                        <thead>
                            <tr>
                                <th scope="col">{words::WHO}</th>
                                <th scope="col" class="num">{words::PLACE}</th>
                                <th scope="col" class="num">
                                    {words::RATING} <span class="unit">" " {symbol(unit)}</span>
                                </th>
                                <th scope="col">{whiskers.ticks()}</th>
                                <th scope="col" class="num">{words::INTERVAL}</th>
                                <th scope="col" class="num">{words::RUNS}</th>
                                <th scope="col" class="num">{words::N}</th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            </section>
        }
        .into_any(),
    )
}

fn rating(rated: &Rated, board: &Board, whiskers: &Whiskers, decimals: usize) -> AnyView {
    let cell = rated.rating;
    let number = number::cell(cell, board.head.main.unit, Some(decimals));
    let who = (rated.who != rated.name)
        .then(|| view! { <small class="faint who">{rated.who.clone()}</small> });
    view! {
        <tr>
            <th scope="row">
                <span class="named">{rated.name.clone()} {who}</span>
            </th>
            <td class="num" data-label=words::PLACE>{rated.place.map(words::place)}</td>
            <td class="num cell-main" data-label=words::RATING>{number.value.clone()}</td>
            <td class="plot-cell">{cell.map(|cell| whiskers.draw(cell.value, cell.interval, &number))}</td>
            <td class="num pm cell-wide" data-label=words::INTERVAL>{number.range}</td>
            <td class="num" data-label=words::RUNS>{count(u64::from(rated.runs))}</td>
            <td class="num" data-label=words::N>{count(u64::from(rated.n))}</td>
        </tr>
    }
    .into_any()
}

/// Below the rows: remarks, notes, what marks mean, how to get a row.
pub fn below(board: &Board) -> AnyView {
    let notes: Vec<_> = board
        .notes
        .iter()
        .enumerate()
        .map(|(at, note)| view! { <li id=format!("note-{}", at + 1)>{note.clone()}</li> })
        .collect();
    let remarks: Vec<_> = board
        .remarks
        .iter()
        .map(|remark| view! { <li>{remark.clone()}</li> })
        .collect();
    let standings: Vec<_> = Standing::ALL
        .into_iter()
        .map(|standing| {
            view! {
                <dt>{seal(standing)}</dt>
                <dd>{words::standing_about(standing)}</dd>
            }
        })
        .collect();
    let has_run = board
        .head
        .rows
        .keys()
        .any(|standing| *standing != Standing::Published);
    view! {
        {(!has_run)
            .then(|| {
                view! {
                    <section class="section stack" id="how">
                        <div class="section-head">
                            <h2>{words::HOW}</h2>
                        </div>
                        <Steps steps=words::STEPS/>
                    </section>
                }
            })}
        {(!notes.is_empty() || !remarks.is_empty())
            .then(|| {
                view! {
                    <section class="section stack" aria-labelledby="notes-head" id="notes">
                        <div class="section-head">
                            <h2 id="notes-head">"Notes on the rows"</h2>
                        </div>
                        <div class="read small">
                            <ul>{remarks}</ul>
                            <ol>{notes}</ol>
                        </div>
                    </section>
                }
            })}
        <details class="more">
            <summary>"What the marks mean"</summary>
            <div class="more-body">
                <dl class="kv">{standings}</dl>
                <p class="small soft">{words::PLACES_NOTE}</p>
            </div>
        </details>
        {has_run
            .then(|| {
                view! {
                    <details class="more">
                        <summary>{words::HOW}</summary>
                        <div class="more-body"><Steps steps=words::STEPS/></div>
                    </details>
                }
            })}
    }
    .into_any()
}
