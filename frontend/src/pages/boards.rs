//! All leaderboards: those of runs, and what papers printed.

use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwise_shared::wire::ApiError;
use turnwise_shared::wire::boards::{BoardHead, BoardId};

use crate::api;
use crate::components::head;
use crate::components::keys::{Step, on_key, step};
use crate::components::message::{Loading, Trouble};
use crate::components::seal::seal;
use crate::strings::boards as words;
use crate::{clock, view};

/// The class of links to boards; they stand in their order.
const LINK: &str = "boards-link";

/// Route `/boards`.
#[component]
pub fn BoardsPage() -> impl IntoView {
    head::title(|| words::TITLE.to_owned());
    on_key(|event| match event.key().as_str() {
        "j" => step(LINK, Step::Next),
        "k" => step(LINK, Step::Before),
        _ => {}
    });
    let boards: RwSignal<Option<Vec<BoardHead>>> = RwSignal::new(None);
    let problem: RwSignal<Option<ApiError>> = RwSignal::new(None);
    spawn_local(async move {
        match api::boards().await {
            Ok(found) => drop(boards.try_set(Some(found))),
            Err(error) => drop(problem.try_set(Some(error))),
        }
    });
    view! {
        <div class="page-head">
            <div>
                <h1>{words::TITLE}</h1>
                <p class="soft">{words::LEDE}</p>
            </div>
            <a class="btn btn-small" href="/logs">
                {crate::strings::logs::TITLE}
            </a>
        </div>
        <Trouble problem/>
        <Show when=move || boards.with(Option::is_none) && problem.with(Option::is_none)>
            <Loading/>
        </Show>
        {move || boards.with(|boards| boards.as_ref().map(|boards| sections(boards)))}
    }
}

fn sections(boards: &[BoardHead]) -> AnyView {
    let mut benchmarks: Vec<(&str, &str)> = Vec::new();
    for head in boards.iter().rev() {
        let one = (head.benchmark.as_str(), head.benchmark_title.as_str());
        if !benchmarks.contains(&one) {
            benchmarks.insert(0, one);
        }
    }
    let sections: Vec<_> = benchmarks
        .into_iter()
        .map(|(name, title)| {
            let of = |is_paper: bool| -> Vec<&BoardHead> {
                boards
                    .iter()
                    .filter(|head| {
                        head.benchmark == name && matches!(head.id, BoardId::Paper(_)) == is_paper
                    })
                    .collect()
            };
            let (runs, papers) = (of(false), of(true));
            let id = format!("boards-{name}");
            let labelled = id.clone();
            let address = format!("/new?benchmark={name}");
            let own = match runs.is_empty() {
                true => view! {
                    <p class="soft">
                        "No run of this benchmark is published here yet. " <a href=address>{words::START}</a> ". "
                        "When it is complete, publish it from its page."
                    </p>
                }
                .into_any(),
                false => table("Runs on this server", &runs),
            };
            view! {
                <section class="section stack" aria-labelledby=labelled>
                    <div class="section-head">
                        <h2 id=id>{title.to_owned()}</h2>
                    </div>
                    {own}
                    {(!papers.is_empty()).then(|| table("Printed by papers", &papers))}
                </section>
            }
        })
        .collect();
    sections.into_any()
}

fn table(title: &'static str, boards: &[&BoardHead]) -> AnyView {
    let rows: Vec<_> = boards.iter().map(|head| row(head)).collect();
    view! {
        <div class="stack-2">
            <h3>{title}</h3>
            <div class="table-wrap">
                <table translate="no" class="table table-cards table-boards" aria-label=title>
                    <thead>
                        <tr>
                            <th scope="col">"Condition"</th>
                            <th scope="col">{words::BEST}</th>
                            <th scope="col" class="num">{boards[0].main.label.clone()}</th>
                            <th scope="col">{words::ROWS}</th>
                            <th scope="col">{words::NEWEST}</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </div>
    }
    .into_any()
}

fn row(head: &BoardHead) -> AnyView {
    let href = view::board::page(&head.id, &Default::default());
    let best = head.best.clone();
    let number = best
        .as_ref()
        .map(|best| view::number::cell(Some(best.cell), head.main.unit, None));
    let (name, number) = (
        best.map(|best| {
            // All of a paper's rows stand alike.
            let is_run = best.run.is_some();
            view! { <span class="counts">{best.name} " " {is_run.then(|| seal(best.standing))}</span> }
        }),
        number.map(|number| {
            let range = number
                .range
                .map(|range| view! { " "<span class="pm">"(" {range} ")"</span> });
            view! { {number.value} "\u{a0}" {number.unit} {range} }
        }),
    );
    let standings: Vec<_> = head
        .rows
        .iter()
        .map(|(standing, count)| view! { <span class="count-of">{*count} " " {seal(*standing)}</span> })
        .collect();
    view! {
        <tr>
            <th scope="row">
                <a class=LINK href=href>{head.title.clone()}</a>
            </th>
            <td class="cell-wide" data-label=words::BEST>{name}</td>
            <td class="num cell-main" data-label=head.main.label.clone()>{number}</td>
            <td class="cell-wide" data-label=words::ROWS>
                <span class="counts">{standings}</span>
            </td>
            <td class="cell-wide" data-label=words::NEWEST>{head.newest.map(clock::moment)}</td>
        </tr>
    }
    .into_any()
}
