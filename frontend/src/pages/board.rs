//! The leaderboards of a benchmark, one tab per condition: runs in their order as table and plot, and what its paper printed. What is
//! shown stands in the address.

mod asides;
mod filters;
mod rows;

use turnwise_shared::leaderboard::View;

use crate::api;
use crate::components::keys::{Step, on_key, step};
use crate::components::missing::{Missing, MissingPage, is_missing};
use crate::components::{head, scatter};
use crate::prelude::*;
use crate::strings::boards as words;
use crate::view::board as drawn;

/// Sets the view, and with it the address.
type Change = Callback<View>;

/// Routes `/boards/:id` and `/board/:id`: a benchmark's page by its name, or, as addresses were written before there was one
/// page per benchmark, one of its conditions by the id of its board.
#[component]
pub fn BoardPage() -> impl IntoView {
    let params = use_params_map();
    let named = Memo::new(move |_| params.with(|params| params.get("id")).unwrap_or_default());
    move || {
        let named = named.get();
        match named.parse::<BoardId>() {
            Ok(id) => any_view! { <Forward id/> },
            Err(_) => any_view! { <OfBenchmark name=named/> },
        }
    }
}

/// Leads from the address of one condition to the page of its benchmark.
#[component]
fn Forward(id: BoardId) -> impl IntoView {
    let (search, navigate) = (use_location().search, use_navigate());
    let problem = RwSignal::new(None::<ApiError>);
    let is_gone = RwSignal::new(false);
    spawn_local(async move {
        let heads = api::boards().await;
        // The reader may have left meanwhile.
        if problem.is_disposed() {
            return;
        }
        let heads = match heads {
            Ok(heads) => heads,
            Err(error) => return problem.set(Some(error)),
        };
        let Some(head) = heads.iter().find(|head| head.id == id) else {
            return is_gone.set(true);
        };
        let rest = search.get_untracked();
        let mut address = drawn::tab(&head.benchmark, &id, &View::default());
        if !rest.trim_start_matches('?').is_empty() {
            address = format!("{address}&{}", rest.trim_start_matches('?'));
        }
        let options = NavigateOptions { replace: true, ..NavigateOptions::default() };
        navigate(&address, options);
    });
    view! {
        <Show when=move || is_gone.get()>
            <MissingPage missing=Missing::Board/>
        </Show>
        <Trouble problem/>
        <Show when=move || !is_gone.get() && problem.is_none()>
            <Loading/>
        </Show>
    }
}

/// The page of a benchmark: its conditions as tabs, and the board of one of them.
#[component]
fn OfBenchmark(name: String) -> impl IntoView {
    let search = use_location().search;
    let read = Memo::new(move |_| drawn::read(&search.get()));
    let view = Memo::new(move |_| read.with(|(view, _)| view.clone()));
    let heads: RwSignal<Vec<BoardHead>> = RwSignal::new(Vec::new());
    let asked = Memo::new(move |_| drawn::chosen(&search.get()));
    let benchmark = StoredValue::new(name.clone());
    // The condition that the address names, or the first one.
    let id = Memo::new(move |_| {
        asked.get().or_else(|| {
            heads.with(|heads| {
                let name = benchmark.get_value();
                drawn::tabs(heads, &name, None).first().map(|head| head.id.clone())
            })
        })
    });
    let board = RwSignal::new(None::<Board>);
    let problem = RwSignal::new(None::<ApiError>);
    let has_none = RwSignal::new(false);
    let known = registry::find(&name).ok().filter(|one| one.boards().is_some());
    spawn_local(async move {
        match api::boards().await {
            Ok(found) => {
                has_none.try_set(found.iter().all(|head| head.benchmark != name));
                heads.try_set(found);
            }
            Err(error) => problem.put(error),
        }
    });
    // Tells what is wanted now from late answers to earlier wishes.
    let wish = StoredValue::new(0_u64);
    Effect::new(move |_| {
        let (Some(id), mut wanted) = (id.get(), view.get()) else {
            return;
        };
        // What only the page uses asks nothing new of the server.
        wanted.columns.clear();
        wanted.plot = None;
        wanted.linear = false;
        let own = wish.get_value() + 1;
        wish.set_value(own);
        spawn_local(async move {
            let found = api::board(&id.to_string(), &wanted).await;
            if wish.try_get_value() != Some(own) {
                return;
            }
            match found {
                Ok(found) => {
                    problem.try_set(None);
                    board.put(found);
                }
                Err(error) => {
                    if is_missing(&error) {
                        board.try_set(None);
                    }
                    problem.put(error);
                }
            }
        });
    });
    // A board that cannot be shown has no head of its own.
    let is_unknown = move || board.is_none();
    let is_gone = Memo::new(move |_| {
        let is_other = board.with(|board| {
            let other = |board: &Board| benchmark.with_value(|name| board.head.benchmark != *name);
            board.as_ref().is_some_and(other)
        });
        has_none.get() && known.is_none()
            || is_other
            || is_unknown() && problem.is_some_and(is_missing)
    });
    head::title(move || {
        if is_gone.get() {
            return Missing::Board.title().to_owned();
        }
        let name = board.map(title);
        let empty = known.filter(|_| has_none.get()).map(|one| one.title().to_owned());
        name.or(empty).unwrap_or_else(|| words::TITLE.to_owned())
    });
    let navigate = use_navigate();
    let change: Change = Callback::new(move |view: View| {
        let Some(id) = id.get_untracked() else {
            return;
        };
        let address = benchmark.with_value(|name| drawn::tab(name, &id, &view));
        navigate(&address, in_place());
    });
    on_key(|event| match event.key().as_str() {
        "j" => step(rows::LINK, Step::Next),
        "k" => step(rows::LINK, Step::Before),
        "/" => {
            event.prevent_default();
            filters::find();
        }
        _ => {}
    });
    let odd = move || {
        let problem = read.with(|(_, problem)| problem.clone());
        problem.map(|problem| {
            view! {
                <div class="note note-warn" role="status">
                    <Icon name="warning"/>
                    <p class="note-title">{format!("A part of the address was not understood: {problem}. The rest is shown.")}</p>
                </div>
            }
        })
    };
    // The head and the filters stay when only rows change: the focus is in them.
    let fixed_part = Memo::new(move |_| {
        board.map(|board| Board { rows: Vec::new(), matching: 0, skip: 0, ..board.clone() })
    });
    let keys = move |places: fn(&Board, &View) -> Vec<usize>| {
        Memo::new(move |_| {
            board.with(|board| {
                let Some(board) = board else {
                    return Vec::new();
                };
                let places = view.with(|view| places(board, view));
                let keys = places.into_iter().filter_map(|at| board.columns.get(at));
                keys.map(|column| column.key.clone()).collect()
            })
        })
    };
    let (there, shown) = (keys(drawn::there), keys(drawn::columns));
    let is_broken = move || is_unknown() && problem.is_some();
    let page = move || {
        view! {
            <Show when=is_broken>
                <div class="page-head">
                    <h1>{words::TITLE}</h1>
                </div>
            </Show>
            <Trouble problem/>
            {odd}
            {move || known.filter(|_| has_none.get()).map(asides::without_boards)}
            <Show when=move || is_unknown() && !has_none.get() && problem.is_none()>
                <Loading/>
            </Show>
            {move || {
                let head = fixed_part.get()?.head;
                let tabs = heads.with(|heads| {
                    let tabs = drawn::tabs(heads, &head.benchmark, Some(&head.id));
                    asides::tabs(&tabs, &head.id)
                });
                Some(view! {
                    {asides::top(&head)}
                    {tabs}
                })
            }}
            {move || {
                let board = fixed_part.get()?;
                Some(view! {
                    {asides::fixed(&board)}
                    {asides::ratings(&board)}
                    {filters::filters(&board, view, change, there, shown)}
                })
            }}
            {move || {
                board
                    .and_then(|board| {
                        Some(view.with(|view| rows::table(board, view, change)))
                    })
            }}
            {move || board.with(|board| plots(board.as_ref()?, view, change))}
            {move || {
                let board = fixed_part.get()?;
                Some(view! {
                    {rows::printed(&board, change)}
                    {asides::below(&board)}
                })
            }}
        }
    };
    view! {
        <Show when=move || !is_gone.get() fallback=|| view! { <MissingPage missing=Missing::Board/> }>
            {page}
        </Show>
    }
}

fn title(board: &Board) -> String {
    format!("{}: {}", board.head.benchmark_title, board.head.title)
}

fn plots(board: &Board, view: Memo<View>, change: Change) -> Option<AnyView> {
    let kinds = drawn::kinds(board);
    let first = *kinds.first()?;
    let chosen = view.with(|view| view.plot.clone());
    let chosen =
        kinds.iter().copied().find(|kind| Some(*kind) == chosen.as_deref()).unwrap_or(first);
    let buttons: Vec<_> = words::KINDS
        .iter()
        .filter(|(kind, _)| kinds.contains(kind))
        .map(|(kind, word)| {
            let is_chosen = *kind == chosen;
            let choose = move || {
                let plot = Some((*kind).to_owned()).filter(|_| *kind != first);
                change.run(View { plot, ..view.get_untracked() });
            };
            toggle(*word, move || is_chosen, choose)
        })
        .collect();
    let plot = drawn::scatter(board, chosen)?;
    let is_money = chosen == "cost";
    let is_linear = is_money && view.with(|view| view.linear);
    let plot = match is_money && !is_linear {
        true => plot.by_magnitude(),
        false => plot,
    };
    let scales = is_money.then(|| {
        let button = |linear: bool, word: &'static str| {
            let choose = move || {
                change.run(View { linear, ..view.get_untracked() });
            };
            toggle(word, move || linear == is_linear, choose)
        };
        view! {
            <div class="seg" role="group" aria-label="Scale of the cost" id="plot-scale">
                {button(false, "log")}
                {button(true, "linear")}
            </div>
        }
    });
    Some(any_view! {
        <section class="section stack" aria-labelledby="plot-head" id="plots">
            <div class="section-head">
                <h2 id="plot-head">{words::PLOTS}</h2>
                <div class="seg push" role="group" aria-label=words::PLOTS>
                    {buttons}
                </div>
            </div>
            {scales}
            {scatter::scatter(&plot)}
        </section>
    })
}
