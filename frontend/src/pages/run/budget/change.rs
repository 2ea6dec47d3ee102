//! The form that gives a run other caps.

use turnwise_shared::wire::budgets::{Kind, SetCaps};

use super::Watched;
use crate::components::caps::CapFields;
use crate::prelude::*;
use crate::strings::budgets as words;
use crate::{api, keep};

#[component]
pub fn Change(id: RunId, watched: Watched) -> impl IntoView {
    let own = move || watched.own().map_or_else(Caps::default, |budget| budget.caps);
    let caps = RwSignal::new(untrack(own));
    let wrong = RwSignal::new(BTreeSet::<Kind>::new());
    let is_wrong = move || wrong.with(|wrong| !wrong.is_empty());
    let problem = RwSignal::new(None::<ApiError>);
    let said = RwSignal::new(None::<String>);
    let choose = Callback::new(move |chosen| {
        caps.set(chosen);
        said.set(None);
    });
    let is_below = move || {
        let budget = watched.own();
        budget.is_some_and(|budget| caps.with(|caps| is_below(caps, &budget)))
    };
    let set = move |_| {
        if untrack(is_wrong) {
            return;
        }
        let (id, before) = (id.clone(), untrack(own));
        let wanted = SetCaps { caps: caps.get_untracked() };
        spawn_local(async move {
            match set_caps(&id, &wanted).await {
                Ok(now) => {
                    watched.told(now);
                    problem.try_set(None);
                    said.put(words::is_set(&before, &wanted.caps));
                }
                Err(why) => problem.put(why),
            }
        });
    };
    view! {
        <details
            class="more"
            prop:open=watched.is_unfolded
            on:toggle:target=move |event| watched.is_unfolded.set(event.target().open())
        >
            <summary>{words::SET}</summary>
            <div class="more-body stack">
                <CapFields caps on_change=choose wrong/>
                <p class="small" role="status">
                    {move || is_below().then_some("That is no more than what is spent: the run stops until the budget is larger.")}
                </p>
                {move || problem.get().map(|problem| view! { <Trouble problem=Some(problem)/> })}
                <div class="row">
                    <button class="btn" type="button" disabled=is_wrong on:click=set>
                        {words::SET}
                    </button>
                    <span class="small soft" role="status">
                        {move || match is_wrong() {
                            true => Some(words::WRONG.to_owned()),
                            false => said.get(),
                        }}
                    </span>
                </div>
            </div>
        </details>
    }
}

/// Whether a cap leaves nothing beside what is spent.
fn is_below(caps: &Caps, budget: &SpendingBudget) -> bool {
    let mut kinds = Kind::ALL.into_iter();
    kinds.any(|kind| kind.cap(caps).is_some_and(|cap| cap <= budget.settled(kind)))
}

/// Gives a run other limits, in the name of this browser.
pub async fn set_caps(id: &RunId, wanted: &SetCaps) -> Result<RunBudgets, ApiError> {
    let kept = keep::own(id).await?;
    api::set_caps(id, &kept.token, wanted).await
}
