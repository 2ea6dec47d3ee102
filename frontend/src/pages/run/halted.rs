//! Why the run rests by itself, what to mend, and the way on.

use leptos::prelude::*;
use turnwise_shared::effect::FailureClass;
use turnwise_shared::run::Halt;
use turnwise_shared::wire::budgets::{Budget, Scope, Short};

use super::budget::Watched;
use crate::clock;
use crate::components::icons::{Icon, IconSize};
use crate::live::RunView;
use crate::strings::{budgets, providers as words};

/// Milliseconds of a day.
const DAY: u64 = 86_400_000;

/// The note of a run that has paused by itself; nothing otherwise.
pub fn halted(view: RunView, watched: Watched) -> impl IntoView {
    let halt = Memo::new(move |_| view.pace.with(|pace| pace.as_ref()?.halt.clone()));
    move || halt.get().map(|halt| note(halt, view, watched))
}

fn note(halt: Halt, view: RunView, watched: Watched) -> impl IntoView + use<> {
    let go_on = move |_| {
        if let Some(control) = view.control.get_untracked() {
            control.resume();
        }
    };
    let is_budget = halt.class == FailureClass::BudgetExhausted;
    let was_short = StoredValue::new(false);
    let text = Memo::new(move |_| {
        let told = match is_budget {
            true => watched.now.with(|budget| short(budget.as_ref(), was_short)),
            false => None,
        };
        told.map(|(short, more)| (paused(&short), more))
            .unwrap_or_else(|| {
                let mut more = words::said_at_last(&halt);
                if let Some(until) = halt.until {
                    more = format!("{more} {}", words::until(&clock::moment(until)));
                }
                let more = format!("{more} {}", words::mend(&halt));
                (words::halted(&halt), more)
            })
    });
    view! {
        <div class="note note-bad" role="alert" id="halted">
            <Icon name="warning"/>
            <p class="note-title">{move || text.get().0}</p>
            <p>{move || text.get().1}</p>
            <p class="soft">"The calls that wait are sent again when the run goes on; their episodes lose nothing."</p>
            <div class="note-do">
                <button class="btn btn-primary" type="button" on:click=go_on>
                    <Icon name="play" size=IconSize::Small/>
                    "Go on"
                </button>
                {match is_budget {
                    true => (move || to_budget(watched)).into_any(),
                    false => {
                        view! { <a class="btn" href="/connections">"Connections"</a> }
                            .into_any()
                    }
                }}
            </div>
        </div>
    }
}

fn paused(short: &[Short]) -> String {
    match short.is_empty() {
        true => "The run has paused, and its budget has room for the next call now".to_owned(),
        false => budgets::paused(short),
    }
}

/// In what the budget of a run that rests is short, nothing once there is room again, and how to go on. `None` as long as nobody knows.
pub fn short(
    budget: Option<&Budget>,
    was_short: StoredValue<bool>,
) -> Option<(Vec<Short>, String)> {
    let short = budget?.short();
    if !short.is_empty() {
        was_short.set_value(true);
        let more = format!(
            "{} {}",
            budgets::short(&short),
            budgets::mend(&short, until_midnight())
        );
        return Some((short, more));
    }
    let room = || (Vec::new(), "Go on with the run.".to_owned());
    was_short.get_value().then(room)
}

/// The link to the form that sets the budget, which it unfolds; nothing where a larger budget of the run would not help, because only
/// one for the day is used up.
pub fn to_budget(watched: Watched) -> Option<AnyView> {
    let helps = watched.now.with(|budget| {
        let short = budget.as_ref().map(Budget::short).unwrap_or_default();
        short.is_empty() || short.iter().any(|one| one.of == Scope::Run)
    });
    helps.then(|| {
        view! {
            <a class="btn" href="#budget" on:click=move |_| watched.is_unfolded.set(true)>
                "Set the budget"
            </a>
        }
        .into_any()
    })
}

/// Milliseconds until a budget for the day is fresh, at midnight UTC.
fn until_midnight() -> u64 {
    DAY - clock::today() % DAY
}
