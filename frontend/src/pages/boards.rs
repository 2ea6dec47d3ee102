//! All leaderboards, by benchmark: the best run and what the paper printed, with the conditions.

use turnwise_shared::leaderboard::View;
use turnwise_shared::wire::boards::Best;
use turnwise_shared::wire::publishing::Owner;

use crate::components::head;
use crate::components::keys::{Step, on_key, step};
use crate::prelude::*;
use crate::strings::boards as words;
use crate::view::board as drawn;
use crate::view::number::cell;
use crate::{api, owner};

/// The class of links to boards; they stand in their order.
const LINK: &str = "boards-link";

#[component]
pub fn BoardsPage() -> impl IntoView {
    head::title(|| words::TITLE.to_owned());
    on_key(|event| match event.key().as_str() {
        "j" => step(LINK, Step::Next),
        "k" => step(LINK, Step::Before),
        _ => {}
    });
    let boards = RwSignal::new(None::<Vec<BoardHead>>);
    let problem = RwSignal::new(None::<ApiError>);
    spawn_local(async move {
        match api::boards().await {
            Ok(found) => boards.put(found),
            Err(error) => problem.put(error),
        }
    });
    view! {
        <div class="page-head">
            <div>
                <h1>{words::TITLE}</h1>
                <p class="soft">{words::LEDE}</p>
            </div>
        </div>
        <Trouble problem/>
        <Show when=move || boards.is_none() && problem.is_none()>
            <Loading/>
        </Show>
        {move || boards.map(|boards| sections(boards))}
    }
}

fn sections(boards: &[BoardHead]) -> AnyView {
    let own = owner::key().map(|key| Owner::of_key(&key));
    let mut benchmarks: Vec<(&str, &str)> = Vec::new();
    for head in boards.iter().rev() {
        let one = (head.benchmark.as_str(), head.benchmark_title.as_str());
        if !benchmarks.contains(&one) {
            benchmarks.insert(0, one);
        }
    }
    for benchmark in BENCHMARKS.iter().filter(|one| one.boards().is_some()) {
        if benchmarks.iter().all(|(name, _)| *name != benchmark.name()) {
            benchmarks.push((benchmark.name(), benchmark.title()));
        }
    }
    let sections: Vec<_> = benchmarks
        .into_iter()
        .map(|(name, title)| {
            let tabs = drawn::tabs(boards, name, None);
            let id = format!("boards-{name}");
            let labelled = id.clone();
            let (href, shown) = match tabs.first() {
                Some(first) => (drawn::tab(name, &first.id, &View::default()), best(first, &own)),
                None => (drawn::of(name), any_view! { <p class="best-run soft small">{words::NO_RUN}</p> }),
            };
            let conditions: Vec<_> = tabs.iter().skip(1).map(|head| condition(head)).collect();
            any_view! {
                <section class="section stack-2" aria-labelledby=labelled>
                    <div class="section-head">
                        <h2 id=id>
                            <a class=LINK href=href>{title.to_owned()}</a>
                        </h2>
                    </div>
                    <div class="board-best">{shown}</div>
                    {(!conditions.is_empty())
                        .then(|| view! { <ul class="row board-conditions" aria-label=words::CONDITIONS>{conditions}</ul> })}
                </section>
            }
        })
        .collect();
    sections.into_any()
}

/// Another condition of a benchmark.
fn condition(head: &BoardHead) -> impl IntoView + use<> {
    let href = drawn::tab(&head.benchmark, &head.id, &View::default());
    view! {
        <li>
            <a class="tag" href=href>{head.title.clone()}</a>
        </li>
    }
}

/// The best run of a condition and the best row of its paper, each for itself.
pub fn best(head: &BoardHead, own: &Option<Owner>) -> AnyView {
    let is_paper = matches!(head.id, BoardId::Paper(_));
    let (run, printed) = match is_paper {
        true => (None, head.best.as_ref()),
        false => (head.best.as_ref(), head.printed.as_ref()),
    };
    let line = |what: &'static str, best: &Best, class: &'static str| {
        let number = cell(Some(best.cell), head.main.unit, None);
        let range = number.range.map(|range| format!(" ({range})"));
        view! {
            <p class=class>
                <span class="small soft">{what}</span>
                <b>{best.name.clone()}</b>
                <span class="small">
                    {head.main.label.clone()} " " <b class="num">{number.value} "\u{a0}" {number.unit}</b>
                    <span class="faint">{range}</span>
                </span>
            </p>
        }
    };
    let run = run.map(|best| {
        let is_own = own.is_some() && best.owner == *own;
        let what = if is_own { "Best run, yours" } else { "Best run" };
        line(what, best, "best-run")
    });
    let printed = printed.map(|best| line(words::PRINTED, best, "best-printed is-paper"));
    let none = run.is_none().then(|| view! { <p class="best-run soft small">{words::NO_RUN}</p> });
    any_view! {
        <p class="small soft">{head.title.clone()}</p>
        {run}
        {none}
        {printed}
    }
}
