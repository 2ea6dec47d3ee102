//! The leaderboards, in a few lines each.

use turnwise_shared::leaderboard::View;
use turnwise_shared::wire::publishing::Owner;

use crate::pages::boards::best;
use crate::prelude::*;
use crate::strings::boards as words;
use crate::view::board::tab;
use crate::{api, owner};

/// The number of boards that are shown of each benchmark.
const EACH: usize = 2;

/// The boards of each benchmark that were published on last; where there is none, what its paper printed first.
#[component]
pub fn Boards() -> impl IntoView {
    let boards = RwSignal::new(None::<Vec<BoardHead>>);
    spawn_local(async move {
        // Without them the page has everything else.
        boards.try_set(api::boards().await.ok());
    });
    let cards = move || {
        boards.with(|boards| {
            let boards = boards.as_deref()?;
            let own = owner::key().map(|key| Owner::of_key(&key));
            let cards: Vec<_> = chosen(boards).into_iter().map(|head| card(head, &own)).collect();
            let has_runs = boards.iter().any(|head| matches!(head.id, BoardId::Key(_)));
            Some(view! {
                {(!has_runs).then(|| view! { <p class="soft">"No run is published here yet; the boards show what papers printed."</p> })}
                <div class="grid-4">{cards}</div>
            })
        })
    };
    view! {
        <section class="section stack-2" id="home-boards" aria-labelledby="home-boards-head">
            <div class="section-head">
                <h2 id="home-boards-head">"Leaderboards"</h2>
                <a class="push" href="/boards">"All boards"</a>
            </div>
            {cards}
        </section>
    }
}

fn chosen(boards: &[BoardHead]) -> Vec<&BoardHead> {
    let mut names: Vec<&str> = Vec::new();
    // Those of papers come last, and name every benchmark in its order.
    for head in boards.iter().filter(|head| matches!(head.id, BoardId::Paper(_))) {
        if !names.contains(&head.benchmark.as_str()) {
            names.push(&head.benchmark);
        }
    }
    let mut chosen = Vec::new();
    for name in names {
        let of = || boards.iter().filter(|head| head.benchmark == name);
        let runs = of().filter(|head| matches!(head.id, BoardId::Key(_)));
        let before = chosen.len();
        chosen.extend(runs.take(EACH));
        if chosen.len() == before {
            chosen.extend(of().next());
        }
    }
    chosen
}

fn card(head: &BoardHead, own: &Option<Owner>) -> AnyView {
    let rows: u32 = head
        .rows
        .iter()
        .filter(|(tier, _)| **tier != EvidenceTier::Published)
        .map(|(_, count)| count)
        .sum();
    let printed = head.rows.get(&EvidenceTier::Published).copied().unwrap_or(0);
    // A game's run has a row for each of its players.
    let count = words::rows(if rows == 0 { printed } else { rows });
    any_view! {
        <a class="card board-card" href=tab(&head.benchmark, &head.id, &View::default())>
            <div class="card-head">
                <h3>{head.benchmark_title.clone()}</h3>
                <span class="push faint small">{count}</span>
            </div>
            {best(head, own)}
        </a>
    }
}
