//! A leaderboard: who stands where, as table and as plot. What is shown stands in the address.

mod asides;
mod filters;
mod rows;

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate, use_params_map};
use turnwise_shared::board::View;
use turnwise_shared::wire::ApiError;
use turnwise_shared::wire::boards::{Board, BoardId};

use crate::api;
use crate::components::icons::Icon;
use crate::components::keys::{Step, on_key, step};
use crate::components::message::{Loading, Trouble};
use crate::components::missing::{Missing, MissingPage, is_missing};
use crate::components::{head, scatter};
use crate::strings::boards as words;
use crate::view::board as drawn;

/// Sets the view, and with it the address.
type Change = Callback<View>;

/// Route `/board/:id`.
#[component]
pub fn BoardPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id")).unwrap_or_default());
    let search = use_location().search;
    let read = Memo::new(move |_| drawn::read(&search.get()));
    let view = Memo::new(move |_| read.with(|(view, _)| view.clone()));
    let board: RwSignal<Option<Board>> = RwSignal::new(None);
    let problem: RwSignal<Option<ApiError>> = RwSignal::new(None);
    // Tells what is wanted now from late answers to earlier wishes.
    let wish = StoredValue::new(0_u64);
    Effect::new(move |_| {
        let (id, mut wanted) = (id.get(), view.get());
        // What only the page uses asks nothing new of the server.
        wanted.columns.clear();
        wanted.plot = None;
        let own = wish.get_value() + 1;
        wish.set_value(own);
        spawn_local(async move {
            let found = api::board(&id, &wanted).await;
            if wish.try_get_value() != Some(own) {
                return;
            }
            match found {
                Ok(found) => {
                    problem.try_set(None);
                    board.try_set(Some(found));
                }
                Err(error) => drop(problem.try_set(Some(error))),
            }
        });
    });
    // A board that cannot be shown has no head of its own.
    let is_unknown = move || board.with(Option::is_none);
    let is_gone = Memo::new(move |_| {
        is_unknown() && problem.with(|problem| problem.as_ref().is_some_and(is_missing))
    });
    head::title(move || {
        if is_gone.get() {
            return Missing::Board.title().to_owned();
        }
        let name = board.with(|board| board.as_ref().map(name));
        name.unwrap_or_else(|| words::TITLE.to_owned())
    });
    let navigate = use_navigate();
    let change: Change = Callback::new(move |view: View| {
        let Ok(id) = id.get_untracked().parse::<BoardId>() else {
            return;
        };
        let options = NavigateOptions {
            replace: true,
            scroll: false,
            ..NavigateOptions::default()
        };
        navigate(&drawn::page(&id, &view), options);
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
                    <p class="note-title">{words::odd(&problem)}</p>
                </div>
            }
        })
    };
    // The head and the filters stay when only rows change: the focus is in them.
    let fixed_part = Memo::new(move |_| {
        board.with(|board| {
            board.as_ref().map(|board| Board {
                rows: Vec::new(),
                matching: 0,
                skip: 0,
                ..board.clone()
            })
        })
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
    let is_broken = move || is_unknown() && problem.with(Option::is_some) && !is_gone.get();
    view! {
        <Show when=move || is_gone.get()>
            <MissingPage missing=Missing::Board/>
        </Show>
        <Show when=is_broken>
            <div class="page-head">
                <h1>{words::TITLE}</h1>
            </div>
        </Show>
        <Show when=move || !is_gone.get()>
            <Trouble problem/>
        </Show>
        {odd}
        <Show when=move || is_unknown() && problem.with(Option::is_none)>
            <Loading/>
        </Show>
        {move || {
            fixed_part
                .get()
                .map(|board| {
                    view! {
                        {asides::top(&board)}
                        {asides::ratings(&board)}
                        {filters::filters(&board, view, change, there, shown)}
                    }
                })
        }}
        {move || {
            board
                .with(|board| {
                    board.as_ref().map(|board| view.with(|view| rows::table(board, view, change)))
                })
        }}
        {move || board.with(|board| board.as_ref().map(|board| plots(board, view, change)))}
        {move || fixed_part.get().map(|board| asides::below(&board))}
    }
}

fn name(board: &Board) -> String {
    format!("{}: {}", board.head.benchmark_title, board.head.title)
}

fn plots(board: &Board, view: Memo<View>, change: Change) -> Option<AnyView> {
    let kinds = drawn::kinds(board);
    let first = *kinds.first()?;
    let chosen = view.with(|view| view.plot.clone());
    let chosen = kinds
        .iter()
        .copied()
        .find(|kind| Some(*kind) == chosen.as_deref())
        .unwrap_or(first);
    let buttons: Vec<_> = words::KINDS
        .iter()
        .filter(|(kind, _)| kinds.contains(kind))
        .map(|(kind, word)| {
            let choose = move |_| {
                let plot = Some((*kind).to_owned()).filter(|_| *kind != first);
                change.run(View {
                    plot,
                    ..view.get_untracked()
                });
            };
            view! {
                <button type="button" aria-pressed=(*kind == chosen).to_string() on:click=choose>
                    {*word}
                </button>
            }
        })
        .collect();
    let plot = drawn::scatter(board, chosen)?;
    Some(
        view! {
            <section class="section stack" aria-labelledby="plot-head" id="plots">
                <div class="section-head">
                    <h2 id="plot-head">{words::PLOTS}</h2>
                    <div class="seg push" role="group" aria-label=words::PLOTS>
                        {buttons}
                    </div>
                </div>
                {scatter::scatter(&plot)}
            </section>
        }
        .into_any(),
    )
}
