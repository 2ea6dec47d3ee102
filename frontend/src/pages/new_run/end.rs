//! The end of the form: the button, and what it will do at most.

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::hooks::use_navigate;
use turnwise_shared::metrics::day::Day;
use turnwise_shared::task::TaskSet;
use turnwise_shared::wire::ApiError;

use super::{Draft, Plan, Shut};
use crate::clock;
use crate::components::icons::Icon;
use crate::components::message::Trouble;
use crate::plan::charges::{Charge, Charged, charges};
use crate::plan::{self, Estimate};
use crate::prices::prices;
use crate::start;
use crate::strings::{access, new_run as strings};
use crate::view::number;

/// The button, and what it will do.
#[component]
pub fn End(draft: Draft, plan: Memo<Plan>, shut: RwSignal<Option<Shut>>) -> impl IntoView {
    let busy = RwSignal::new(false);
    let problem: RwSignal<Option<ApiError>> = RwSignal::new(None);
    let navigate = use_navigate();
    let ready = move || plan.with(|plan| matches!(plan, Some(Ok(_))));
    let run = move |_| {
        let about = draft.about.with_untracked(|about| about.ready().cloned());
        let tasks = draft.tasks.with_untracked(|tasks| tasks.ready().cloned());
        let Some(about) = about else {
            return;
        };
        let file = tasks.map(|tasks| TaskSet::clone(&tasks));
        let config = draft.config.get_untracked();
        let navigate = navigate.clone();
        busy.set(true);
        problem.set(None);
        spawn_local(async move {
            match start::start(&config, &about, file).await {
                Ok(run) => navigate(&format!("/run/{run}"), Default::default()),
                Err(why) => {
                    problem.try_set(Some(why.into()));
                    busy.try_set(false);
                }
            }
        });
    };
    let label = move || match (busy.get(), plan.get()) {
        (true, _) => "Starting…".to_owned(),
        (false, Some(Ok((_, estimate)))) => strings::start(estimate.plays),
        (false, _) => "Start".to_owned(),
    };
    view! {
        <div class="form-end">
            <Trouble problem meaning="The run was not started"/>
            <button
                class="btn btn-primary btn-big"
                type="button"
                disabled=move || busy.get() || !ready() || shut.get().is_some()
                aria-busy=move || busy.get().then_some("true")
                on:click=run
            >
                <Icon name="play"/>
                {label}
            </button>
            <span class="small" role="status">
                {move || match plan.get() {
                    Some(Ok(_)) if shut.get().is_some() => {
                        view! { <span class="soft">{access::AT_THE_TOP}</span> }.into_any()
                    }
                    None if draft.tasks.with(|tasks| tasks.problem().is_some()) => {
                        view! { <span class="field-error">"These tasks cannot be used: choose others."</span> }.into_any()
                    }
                    None => view! { <span class="soft">"Waiting for the tasks…"</span> }.into_any(),
                    Some(Ok((_, estimate))) => view! { <Calls estimate/> }.into_any(),
                    Some(Err(why)) => view! { <span class="field-error">{why}</span> }.into_any(),
                }}
            </span>
        </div>
        <Costs plan/>
    }
}

/// What the run will be charged, as far as it can be said before.
#[component]
fn Costs(plan: Memo<Plan>) -> impl IntoView {
    let book = prices();
    let charges = move || {
        let day = Day::of(clock::today());
        let plan = plan.get()?.ok()?;
        let (chosen, estimate) = plan;
        let charges = charges(&chosen.spec, &estimate, &book.get(), day.as_ref());
        (!charges.is_empty()).then_some(charges)
    };
    let line = |one: &Charged| {
        let charge = match &one.charge {
            Charge::Free => "nothing to pay".to_owned(),
            Charge::Unknown => "no price is known here".to_owned(),
            Charge::AtMost(cost) => strings::costs_at_most(&number::dollars(cost.dollars())),
            Charge::Rates {
                input,
                output,
                writing,
            } => strings::rates(
                &number::dollars(input.dollars()),
                &number::dollars(output.dollars()),
                writing
                    .map(|cost| number::dollars(cost.dollars()))
                    .as_deref(),
            ),
        };
        view! { <li>{strings::charged(&one.role, &one.who)} ": " {charge}</li> }
    };
    move || {
        charges().map(|charges| {
            let open = charges
                .iter()
                .any(|one| matches!(one.charge, Charge::Rates { .. } | Charge::Unknown));
            view! {
                <div class="small soft stack-2">
                    <ul class="plain-list">{charges.iter().map(line).collect_view()}</ul>
                    {open.then(|| view! { <p>"How much is read depends on the play, so there is no total. The run's page counts what was used."</p> })}
                </div>
            }
        })
    }
}

/// What the run will do at most.
#[component]
fn Calls(estimate: Estimate) -> impl IntoView {
    let parts: Vec<String> = estimate
        .most_calls
        .iter()
        .map(|(who, calls)| strings::at_most(&number::count(*calls), who))
        .collect();
    let free = estimate.most_calls.keys().all(|who| who == plan::SEARCH);
    view! {
        <span class="soft">
            {(!parts.is_empty()).then(|| format!("at most {}", parts.join(", ")))}
            {free
                .then(|| {
                    let comma = if parts.is_empty() { "" } else { "; " };
                    format!("{comma}no model is asked, nothing to pay")
                })}
        </span>
    }
}
