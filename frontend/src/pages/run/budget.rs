//! What a run may spend, what it has spent, and how its services were held back; for whoever has its token.

use std::collections::BTreeMap;

use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwise_shared::wire::budgets::{Budget, Caps, PaceChange, Purse, Scope, SetCaps, Spent};
use turnwise_shared::wire::{ApiError, RunId, RunInfo, RunState};

use crate::components::caps::CapFields;
use crate::components::message::Trouble;
use crate::live::RunView;
use crate::strings::budgets as words;
use crate::{api, clock, driven, keep, plan};

/// Milliseconds between two looks.
const PAUSE: u32 = 4000;

/// The part of the page, for whoever has the run's token: nothing for others, nor where nothing could be bound and nobody was held back.
#[component]
pub fn BudgetPanel(
    /// The run.
    id: RunId,
    /// What is known of it.
    view: RunView,
) -> impl IntoView {
    let budget = RwSignal::new(None::<Budget>);
    spawn_local(watch(id.clone(), view, budget));
    let id = StoredValue::new(id);
    // Its caps can be set as long as something may go out, whether it has some or not.
    let is_open = Memo::new(move |_| {
        view.info.with(|info| {
            let open = info.as_ref().filter(|info| !info.state.is_over());
            open.is_some_and(|info| plan::caps::calls_out(&info.spec))
        })
    });
    let is_shown = Memo::new(move |_| {
        budget.with(|budget| {
            budget.as_ref().is_some_and(|budget| {
                is_open.get() || !budget.purses.is_empty() || !budget.paces.is_empty()
            })
        })
    });
    let opened = Memo::new(move |_| {
        let open = view.info.with(|info| info.as_ref().map(|info| info.opened));
        open.filter(|_| is_open.get())
    });
    view! {
        <Show when=move || is_shown.get()>
            <section class="section stack-2" aria-labelledby="budget-head" id="budget">
                <h2 id="budget-head">{words::TITLE}</h2>
                <div class="stack-2">
                    {move || {
                        let opened = opened.get();
                        budget.get().map(|budget| {
                            let purse = |purse: &Purse| purse_view(purse, opened);
                            budget.purses.iter().map(purse).collect_view()
                        })
                    }}
                    {move || budget.get().map(|budget| paces(&budget.paces))}
                </div>
                <Show when=move || is_open.get()>
                    <Change id=id.get_value() budget/>
                </Show>
            </section>
        </Show>
    }
}

/// Looks at once, and again as long as somebody drives the run, until the page is left.
async fn watch(id: RunId, view: RunView, budget: RwSignal<Option<Budget>>) {
    let Ok(Some(kept)) = keep::run(&id).await else {
        return;
    };
    let mut moved = true;
    loop {
        let moves = driven::has(&id) || is_driven(view);
        // What was spent last comes after it has come to rest.
        if (moves || moved)
            && let Ok(now) = api::budget(&id, &kept.token).await
            && budget.try_set(Some(now)).is_some()
        {
            return;
        }
        moved = moves;
        clock::sleep(PAUSE).await;
        if budget.is_disposed() {
            return;
        }
    }
}

/// Whether somebody elsewhere drives the run.
fn is_driven(view: RunView) -> bool {
    let state = |info: &Option<RunInfo>| info.as_ref().map(|info| info.state);
    view.info.try_with_untracked(state).flatten() == Some(RunState::Running)
}

fn own(budget: &Option<Budget>) -> Option<Purse> {
    let mut purses = budget.iter().flat_map(|budget| &budget.purses);
    purses.find(|purse| purse.of == Scope::Run).cloned()
}

/// A line for each cap of a purse; time passes for a run that was opened then and is not over.
fn purse_view(purse: &Purse, opened: Option<u64>) -> impl IntoView + use<> {
    let Purse { of, caps, spent } = purse;
    let passed = opened.map(|opened| clock::today().saturating_sub(opened) / 1000);
    let lines = [
        caps.money
            .map(|cap| (words::money(spent.money, cap), spent.money, cap)),
        caps.tokens
            .map(|cap| (words::tokens(spent.tokens, cap), spent.tokens, cap)),
        caps.calls
            .map(|cap| (words::calls(spent.calls, cap), spent.calls, cap)),
        caps.seconds
            .zip(passed)
            .map(|(cap, passed)| (words::seconds(passed, cap), passed, cap)),
    ];
    let of = words::of(of);
    let lines: Vec<_> = lines
        .into_iter()
        .flatten()
        .map(|(text, spent, cap)| {
            let label = format!("{of}: {text}");
            view! {
                <div class="purse">
                    <span>{of.clone()} ": " <b>{text}</b></span>
                    <progress
                        max=cap.max(1).to_string()
                        value=spent.min(cap).to_string()
                        aria-label=label
                    ></progress>
                </div>
            }
        })
        .collect();
    view! {
        {lines}
    }
}

/// Whether a cap leaves nothing beside what is spent.
fn is_below(caps: &Caps, spent: Spent) -> bool {
    let pairs = [
        (caps.money, spent.money),
        (caps.tokens, spent.tokens),
        (caps.calls, spent.calls),
    ];
    pairs
        .iter()
        .any(|(cap, spent)| cap.is_some_and(|cap| cap <= *spent))
}

/// How services were held back, each in a sentence.
fn paces(changes: &[PaceChange]) -> impl IntoView + use<> {
    let mut services: BTreeMap<&str, (usize, &PaceChange)> = BTreeMap::new();
    let mut before: BTreeMap<&str, u32> = BTreeMap::new();
    for change in changes {
        let service = change.service.as_str();
        let fell = before
            .insert(service, change.limit)
            .is_none_or(|before| change.limit < before);
        let (times, newest) = services.entry(service).or_insert((0, change));
        *times += usize::from(fell && change.limit < change.most);
        *newest = change;
    }
    services
        .into_iter()
        .map(|(service, (times, newest))| {
            let text = words::pace(service, times, newest.limit, newest.most);
            view! { <p class="small soft">{text}</p> }
        })
        .collect_view()
}

/// The form that gives the run other caps.
#[component]
fn Change(id: RunId, budget: RwSignal<Option<Budget>>) -> impl IntoView {
    let caps = RwSignal::new(own(&budget.get_untracked()).map_or_else(Caps::default, |it| it.caps));
    let problem = RwSignal::new(None::<ApiError>);
    let is_set = RwSignal::new(false);
    let is_below = move || {
        let spent = budget.with(|budget| own(budget).map(|purse| purse.spent));
        spent.is_some_and(|spent| caps.with(|caps| is_below(caps, spent)))
    };
    let set = move |_| {
        let id = id.clone();
        let wanted = SetCaps {
            caps: caps.get_untracked(),
        };
        spawn_local(async move {
            match set_caps(&id, &wanted).await {
                Ok(now) => {
                    budget.try_set(Some(now));
                    problem.try_set(None);
                    is_set.try_set(true);
                }
                Err(why) => {
                    problem.try_set(Some(why));
                }
            }
        });
    };
    view! {
        <details class="more">
            <summary>{words::SET}</summary>
            <div class="more-body stack">
                <CapFields caps on_change=Callback::new(move |chosen| caps.set(chosen))/>
                <p class="small" role="status">{move || is_below().then_some(words::BELOW)}</p>
                {move || problem.get().map(|problem| view! { <Trouble problem=Some(problem)/> })}
                <div class="row">
                    <button class="btn" type="button" on:click=set>
                        {words::SET}
                    </button>
                    <span class="small soft" role="status">
                        {move || is_set.get().then_some(words::IS_SET)}
                    </span>
                </div>
            </div>
        </details>
    }
}

async fn set_caps(id: &RunId, wanted: &SetCaps) -> Result<Budget, ApiError> {
    let kept = keep::own(id).await?;
    api::set_caps(id, &kept.token, wanted).await
}
