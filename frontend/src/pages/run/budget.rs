//! What a run may spend, what it has spent, what the rest will cost, and how its services were held back.

pub(super) mod change;
mod pace;
mod watched;

use change::Change;
use turnwise_shared::wire::budgets::{Kind, Scope};

use super::ahead::{self, Costs};
use crate::live::RunView;
use crate::plan::caps;
use crate::prelude::*;
use crate::prices::prices;
use crate::strings::budgets as words;

pub use watched::Watched;

/// The part of the page: for the holder of the run's token, and for others what it costs as long as it is not over. Nothing where
/// nothing can cost anything, nothing is capped and no service was held back.
#[component]
pub fn BudgetPanel(
    id: RunId,
    /// What is known of it.
    view: RunView,
    watched: Watched,
    /// Its episodes, those under way included.
    snapshot: RwSignal<Arc<Snapshot>>,
) -> impl IntoView {
    let id = StoredValue::new(id);
    let costs = ahead::costs(view, snapshot);
    let book = prices();
    let has_caps = Memo::new(move |_| {
        watched.now.is_some_and(|budget| !budget.budgets.is_empty() || !budget.paces.is_empty())
    });
    let is_driven = Memo::new(move |_| {
        let state = view.info.map(|info| info.state);
        state == Some(RunState::Running)
    });
    let paces = Memo::new(move |_| {
        let paces = watched.now.map(|budget| budget.paces.clone());
        paces.unwrap_or_default()
    });
    // Its caps can be set as long as something may go out, whether it has some or not.
    let is_open = Memo::new(move |_| {
        let is_open = view.info.with(|info| {
            let open = info.as_ref().filter(|info| info.state.can_go_on());
            open.is_some_and(|info| {
                let can_cost = book.with(|book| caps::can_cost(&info.spec, book));
                can_cost || (caps::calls_out(&info.spec) && has_caps.get())
            })
        });
        is_open && watched.now.is_some()
    });
    let costs_something = move || {
        let ahead = costs.and_then(Costs::ahead);
        ahead.is_some()
    };
    // Of a run that is over without caps nothing may stand here but how it was held back.
    let is_of_money = Memo::new(move |_| {
        let has_budgets = watched.now.with(|budget| {
            let budgets = budget.as_ref().map(|budget| &budget.budgets);
            budgets.is_some_and(|budgets| !budgets.is_empty())
        });
        has_budgets || is_open.get() || costs_something()
    });
    let is_shown = Memo::new(move |_| {
        // What a visitor's branch may do at most is no choice of theirs.
        let is_visitors = view.info.is_some_and(|info| info.is_visitors);
        !is_visitors && (has_caps.get() || is_open.get() || costs_something())
    });
    let lines = move || {
        let budgets = watched.now.map(|budget| budget.budgets.clone());
        let budgets = budgets.unwrap_or_default();
        let costs = costs.get();
        let bounds_money =
            |budget: &SpendingBudget| budget.of == Scope::Run && budget.caps.money.is_some();
        // Beside a cap on its money stands what the rest costs; without one it has a line of its own.
        let alone = match budgets.iter().any(bounds_money) {
            true => None,
            false => costs.and_then(|costs| unbounded(&costs)),
        };
        let own = budgets
            .iter()
            .map(|budget| budget_view(budget, costs.filter(|_| budget.of == Scope::Run)))
            .collect_view();
        view! {
            {alone}
            {own}
        }
    };
    view! {
        <Show when=move || is_shown.get()>
            <section class="section stack-2" aria-labelledby="budget-head" id="budget">
                <h2 id="budget-head">
                    {move || match is_of_money.get() {
                        true => words::TITLE,
                        false => "Calls at once",
                    }}
                </h2>
                <div class="stack-2">
                    {lines}
                    {move || paces.with(|paces| pace::paces(paces, is_driven.get()))}
                </div>
                <Show when=move || is_open.get()>
                    <Change id=id.get_value() watched/>
                </Show>
            </section>
        </Show>
    }
}

/// What a run has cost whose money has no cap, and what the rest will cost.
fn unbounded(costs: &Costs) -> Option<impl IntoView + use<>> {
    let so_far = costs.so_far().map(|text| view! { <b>{text}</b> });
    let between = so_far.is_some().then_some(" · ");
    let ahead = costs.ahead();
    (so_far.is_some() || ahead.is_some()).then(|| {
        view! {
            <p id="ahead">
                {words::of(&Scope::Run)} ": " {so_far} {ahead.as_ref().and(between)} {ahead}
            </p>
        }
    })
}

/// A line for each cap of a budget.
fn budget_view(budget: &SpendingBudget, costs: Option<Costs>) -> impl IntoView + use<> {
    let of = words::of(&budget.of);
    let lines = Kind::ALL.into_iter().filter_map(|kind| {
        let (cap, spent) = (kind.cap(&budget.caps)?, budget.settled(kind));
        let text = match budget.of {
            Scope::Server => words::rough(kind, spent, cap),
            Scope::Run | Scope::Access(_) => words::spent(kind, spent, cap),
        };
        let aside = match kind {
            Kind::Money => budget.aside.money,
            Kind::Tokens => budget.aside.tokens,
            Kind::Calls | Kind::Seconds => 0,
        };
        let aside = (aside > 0).then(|| format!(" · {}", words::aside(kind, aside)));
        let ahead = costs.filter(|_| kind == Kind::Money).and_then(|costs| costs.ahead());
        let ahead = ahead.map(|ahead| view! { <span id="ahead">" · " {ahead}</span> });
        let label = format!("{of}: {text}");
        let of = of.clone();
        Some(view! {
            <div class="purse">
                <span>{of} ": " <b>{text}</b> {ahead} {aside}</span>
                <progress
                    max=cap.max(1).to_string()
                    value=spent.min(cap).to_string()
                    aria-label=label
                ></progress>
            </div>
        })
    });
    lines.collect_view()
}
