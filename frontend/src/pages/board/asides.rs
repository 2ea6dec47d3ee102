//! Around the rows of a board: its benchmark and conditions, ratings of games, remarks, and how to get a row.

use turnwise_shared::leaderboard::View;
use turnwise_shared::wire::boards::Rated;

use crate::components::seal::seal;
use crate::components::standings::Whiskers;
use crate::components::steps::Steps;
use crate::prelude::*;
use crate::strings::boards as words;
use crate::view::board::tab;
use crate::view::number::symbol;

/// The head of a benchmark's page.
pub fn top(head: &BoardHead) -> AnyView {
    headed(&head.benchmark, head.benchmark_title.clone())
}

/// The page of a benchmark that has neither published runs nor a paper's table.
pub fn without_boards(benchmark: &dyn Benchmark) -> AnyView {
    any_view! {
        {headed(benchmark.name(), benchmark.title().to_owned())}
        <p class="soft">{words::NO_RUN} "."</p>
    }
}

fn headed(benchmark: &str, title: String) -> AnyView {
    let start = format!("/new?benchmark={benchmark}");
    any_view! {
        <div class="page-head">
            <div>
                <ol class="crumbs">
                    <li>
                        <a href="/boards">{words::TITLE}</a>
                    </li>
                    <li>{title.clone()}</li>
                </ol>
                <h1>{title}</h1>
            </div>
            <div class="row">
                <a class="btn" href=start>"Start a run"</a>
            </div>
        </div>
    }
}

/// The conditions of a benchmark, with how many runs are ranked under each.
pub fn tabs(heads: &[&BoardHead], chosen: &BoardId) -> AnyView {
    let tabs: Vec<_> = heads
        .iter()
        .map(|head| {
            let runs: u32 = head
                .rows
                .iter()
                .filter(|(tier, _)| **tier != EvidenceTier::Published)
                .map(|(_, count)| count)
                .sum();
            let href = tab(&head.benchmark, &head.id, &View::default());
            let current = (head.id == *chosen).then_some("page");
            let class = if runs == 0 { "is-paper" } else { "" };
            view! {
                <a href=href class=class aria-current=current>
                    {head.title.clone()}
                    {match runs {
                        0 => any_view! { <span class="sr">" " "from the paper only"</span> },
                        runs => any_view! { <span class="count">{runs}</span> },
                    }}
                </a>
            }
        })
        .collect();
    any_view! {
        <nav class="tabs board-tabs" aria-label=words::CONDITIONS>
            {tabs}
        </nav>
    }
}

/// What the runs of a condition have in common.
pub fn fixed(board: &Board) -> AnyView {
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
    any_view! {
        <details class="more" id="fixed">
            <summary>
                "The same for all rows here " <span class="faint">{format!("{} settings; a run that differs in \
                    one of them is ranked under another condition", head.fixed.len())}</span>
            </summary>
            <div class="more-body">
                <dl class="kv">{fixed}</dl>
            </div>
        </details>
    }
}

/// A paper as it is cited, with a link to it.
pub fn citation(board: &Board) -> Option<AnyView> {
    let paper = board.head.paper.clone()?;
    Some(any_view! {
        <p class="cited read">
            {paper.authors} " (" {paper.year} "). " <a href=paper.address rel="external noopener">{paper.title}</a> ". "
            <span class="soft">"Printed by the authors, not measured here and never ranked with runs."</span>
        </p>
    })
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
    let rows: Vec<_> =
        board.ratings.iter().map(|rated| rating(rated, board, &whiskers, decimals)).collect();
    let heads = (
        th(words::WHO),
        th_number(words::PLACE),
        th_number((words::RATING, view! { <span class="unit">" " {symbol(unit)}</span> })),
        th(whiskers.ticks()),
        th_number(words::INTERVAL),
        th_number(words::RUNS),
        th_number(words::N),
    );
    Some(any_view! {
        <section class="section stack" aria-labelledby="ratings-head" id="ratings">
            {section_head("ratings-head", words::RATINGS)}
            <p class="small soft read">{words::RATINGS_NOTE}</p>
            {table_frame(words::RATINGS, "table table-cards table-pin ranking", heads, rows)}
        </section>
    })
}

fn rating(rated: &Rated, board: &Board, whiskers: &Whiskers, decimals: usize) -> AnyView {
    let cell = rated.rating;
    let number = number::cell(cell, board.head.main.unit, Some(decimals));
    let who = (rated.who != rated.name)
        .then(|| view! { <small class="faint who">{rated.who.clone()}</small> });
    any_view! {
        <tr>
            <th scope="row">
                <span class="named">{rated.name.clone()} {who}</span>
            </th>
            <td class="num" data-label=words::PLACE>{rated.place.map(words::place)}</td>
            <td class="num cell-main" data-label=words::RATING>{number.value.clone()}</td>
            <td class="plot-cell">{cell.map(|cell| whiskers.draw(cell.value, cell.interval, &number))}</td>
            <td class="num pm cell-wide" data-label=words::INTERVAL>{number.range}</td>
            <td class="num" data-label=words::RUNS>{count(rated.runs)}</td>
            <td class="num" data-label=words::N>{count(rated.n)}</td>
        </tr>
    }
}

/// Below the rows: remarks, notes, what marks mean, how to get a row.
pub fn below(board: &Board) -> AnyView {
    let remarks: Vec<_> =
        board.remarks.iter().map(|remark| view! { <li>{remark.clone()}</li> }).collect();
    let tiers: Vec<_> = EvidenceTier::ALL
        .into_iter()
        .map(|tier| {
            view! {
                <dt>{seal(tier)}</dt>
                <dd>{words::tier_about(tier)}</dd>
            }
        })
        .collect();
    let has_run = board.head.rows.keys().any(|tier| *tier != EvidenceTier::Published);
    any_view! {
        {(!has_run)
            .then(|| {
                view! {
                    <section class="section stack" id="how">
                        {section_head(None, words::HOW)}
                        <Steps steps=words::STEPS/>
                    </section>
                }
            })}
        {(!remarks.is_empty())
            .then(|| {
                view! {
                    <section class="section stack" aria-labelledby="notes-head" id="notes">
                        {section_head("notes-head", "Notes")}
                        <div class="read small">
                            <ul>{remarks}</ul>
                        </div>
                    </section>
                }
            })}
        <details class="more">
            <summary>"What the evidence tiers mean"</summary>
            <div class="more-body">
                <dl class="kv">{tiers}</dl>
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
}
