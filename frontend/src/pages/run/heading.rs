//! The head of a run's page: what it is, who may see it, how it stands, and what can be done with it.

use turnwise_shared::exchange::inspect::known_profile;

use super::benchmark_title;
use super::branch::branch_note;
use super::download::Downloads;
use super::naming::Naming;
use super::publish::{OnBoard, Publish};
use crate::benchmarks::screen;
use crate::clock;
use crate::components::seal::seal;
use crate::components::share::Share;
use crate::components::state::state;
use crate::later::{later, piece_at_rest};
use crate::live::{self, RunView};
use crate::prelude::*;
use crate::strings::{
    driving as driving_words, episode as episode_words, publishing, run as words,
    sharing::{self as sharing_words, ListedAt},
};
use crate::view::{board, compared};

later! {
    /// Buttons in the head of a run's page that its benchmark draws itself.
    work fetch fetch_work: fn run_tools(id: RunId, spec: Spec, all: RwSignal<Arc<Snapshot>>) -> AnyView {
        screen(&spec.benchmark).and_then(|screen| screen.run_tools(id, spec, all)).into_any()
    }
}

#[component]
pub fn Heading(
    id: RunId,
    view: RunView,
    snapshot: RwSignal<Arc<Snapshot>>,
    report: Memo<Option<Report>>,
    spec: Memo<Option<Spec>>,
    entry: RwSignal<OnBoard>,
) -> impl IntoView {
    let line = move || {
        view.info.map(|info| {
            let spec = &info.spec;
            let player = spec.seats.get(&Seat::new(Seat::PLAYER));
            let player = match player {
                Some(sitting) => sitting.player.to_string(),
                None => words::participants(spec.seats.len()),
            };
            let parts = [
                Some(benchmark_title(spec)),
                compared::condition(spec),
                known_profile(spec).map(|profile| format!("{} rules", profile.name())),
                Some(player),
                // A day and its time stay together.
                Some(clock::moment(info.opened).replace(' ', "\u{a0}")),
            ];
            parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
        })
    };
    let tier = move || {
        let (row, is_known) = entry.with(|entry| {
            let row = entry.admission().map(|one| (one.entry.tier, one.entry.board));
            (row, *entry != OnBoard::Unknown)
        });
        // A reader who followed a link finds the other runs of the board here.
        if let Some((status, key)) = row {
            let board = board::page(&BoardId::Key(key), &Default::default());
            return Some(any_view! {
                {seal(status)} " "
                <a class="small" href=board>{publishing::TO_BOARD}</a>
            });
        }
        view.info.and_then(|info| {
                if matches!(info.doubt.as_deref(), Some(Doubt::Refused { .. })) {
                    let refused = "refused";
                    return Some(any_view! { <span class="seal bad">{refused}</span> });
                }
                if !is_known {
                    // It may stand on a board, and then as more than what it says of itself.
                    return None;
                }
                if info.spec.is_imported() {
                    let (word, why) = (
                        episode_words::IMPORTED,
                        "brought from another system: it cannot be played again, and it counts on no board",
                    );
                    return Some(
                        any_view! { <span class="seal seal-self" title=why>{word}</span> },
                    );
                }
                // Before a check nothing is known of it.
                Some(any_view! { <span class="small soft">"· not\u{a0}published"</span> })
            })
    };
    let status = move || {
        let is_here = view.progress.is_some();
        let rests = view.pace.is_some_and(|pace| pace.driving == live::Driving::Paused);
        view.info.and_then(|info| {
            Some(match info.state {
                RunState::Open | RunState::Running | RunState::Idle if is_here && rests => {
                    state(RunState::Paused, driving_words::state(RunState::Paused))
                }
                RunState::Paused if is_here && !rests => {
                    state(RunState::Running, driving_words::HERE)
                }
                RunState::Open | RunState::Running | RunState::Idle if is_here => {
                    state(RunState::Running, driving_words::HERE)
                }
                RunState::Running if info.is_servers() => {
                    state(RunState::Running, driving_words::ON_SERVER)
                }
                other => state(other, driving_words::state(other)),
            })
        })
    };
    let private = move || {
        let is_private = view.info.is_some_and(|info| info.visibility == Visibility::Private);
        is_private.then(|| {
            view! {
                <span class="tag" id="is-private" title=sharing_words::visibility_means(Visibility::Private, ListedAt::Nowhere)>
                    {sharing_words::visibility(Visibility::Private)}
                </span>
            }
        })
    };
    let id = StoredValue::new(id);
    let tools = move || {
        let spec = spec.get()?;
        Some(piece_at_rest(fetch_work(), move || run_tools(id.get_value(), spec, snapshot)))
    };
    view! {
        <div class="page-head">
            <div>
                <ol class="crumbs">
                    <li>
                        <a href="/runs">{words::RUNS}</a>
                    </li>
                    <li class="mono">{id.with_value(|id| id.as_str().chars().take(8).collect::<String>())}</li>
                </ol>
                <Naming id=id.get_value() view/>
                <p class="soft">{status} " " {line} " " {tier} " " {private}</p>
                {move || view.info.and_then(branch_note)}
            </div>
            <Show when=move || view.info.is_some()>
                <div class="row">
                    <a class="btn btn-small" href=format!("/compare?runs={}", id.get_value())>
                        "Compare with…"
                    </a>
                    <Publish id=id.get_value() view entry snapshot/>
                    {tools}
                    <Share run=id.get_value() view address=address::run(&id.get_value(), &Wall::default()) episode=None/>
                    <Downloads id=id.get_value() view snapshot report/>
                </div>
            </Show>
        </div>
    }
}
