//! What the run will cost: a range from runs like it, the prices behind it, and a budget that is too small.

use super::{Draft, Plan};
use crate::plan::charges::{Charge, Charged, charges};
use crate::plan::cost::{Past, is_like, range, too_small};
use crate::prelude::*;
use crate::prices::prices;
use crate::strings::new_run as strings;
use crate::view::cost::Range;
use crate::{api, clock};

/// The most runs from which a cost is estimated: the newest.
const MOST_ALIKE: usize = 3;

/// Costs of earlier runs by run: in dollars, where all of it is known. It is kept for as long as the program runs.
#[derive(Clone, Copy)]
struct PastCosts(RwSignal<BTreeMap<RunId, Option<f64>>>);

/// Runs of which episodes cost about what those of this one will, newest first, and what they cost.
#[derive(Clone, Copy)]
pub(super) struct Alike {
    past: Memo<Past>,
}

impl Alike {
    /// Looks for them whenever the plan changes, and asks the server what they cost.
    fn new(draft: Draft, plan: Memo<Plan>) -> Self {
        let known = PastCosts(RwSignal::default());
        let runs = Memo::new(move |_| {
            plan.with(|plan| {
                let Some(Ok((chosen, estimate))) = plan else {
                    return Vec::new();
                };
                if estimate.most_calls.is_empty() {
                    return Vec::new();
                }
                draft.runs.with(|runs| {
                    runs.iter()
                        .filter(|run| run.finished > 0 && run.regrades.is_none())
                        .filter(|run| run.branch_of.is_none() && is_like(&run.spec, &chosen.spec))
                        .take(MOST_ALIKE)
                        .map(|run| (run.run.clone(), run.finished))
                        .collect::<Vec<_>>()
                })
            })
        });
        Effect::new(move |_| {
            for (run, _) in runs.get() {
                if known.0.with_untracked(|known| known.contains_key(&run)) {
                    continue;
                }
                spawn_local(async move {
                    // Without its report a run says nothing of costs.
                    let report = api::report(&run).await.ok();
                    let cost = report.and_then(|report| report.record.get("cost_usd")?.as_f64());
                    known.0.try_update(|known| known.insert(run, cost));
                });
            }
        });
        let past = Memo::new(move |_| {
            let mut past = Past::default();
            for (run, episodes) in runs.get() {
                let cost = known.0.with(|known| known.get(&run).copied().flatten());
                past.add(episodes, cost);
            }
            past
        });
        Alike { past }
    }
}

/// What the run will cost, as far as it can be said before; `None` where it costs nothing.
pub(super) fn known_range(draft: Draft, plan: Memo<Plan>) -> Memo<Option<Range>> {
    let book = prices();
    let alike = Alike::new(draft, plan);
    provide_context(alike);
    Memo::new(move |_| {
        let charges = of_plan(plan, &book.get())?;
        let estimate = plan.with(|plan| match plan {
            Some(Ok((_, estimate))) => Some(estimate.clone()),
            _ => None,
        })?;
        let caps = draft.config.with(|config| config.caps.clone());
        range(&estimate, &charges, &caps, &alike.past.get())
    })
}

/// What roles are charged, where anything is.
fn of_plan(
    plan: Memo<Plan>,
    book: &turnwise_shared::metrics::prices::PriceBook,
) -> Option<Vec<Charged>> {
    let day = Day::of(clock::today());
    plan.with(|plan| {
        let (chosen, estimate) = plan.as_ref()?.as_ref().ok()?;
        let charges = charges(&chosen.spec, estimate, book, day.as_ref());
        (!charges.is_empty()).then_some(charges)
    })
}

/// Says that the budget may not pay for one episode, if it may not.
#[component]
pub(super) fn TooLittle(draft: Draft, plan: Memo<Plan>) -> impl IntoView {
    let book = prices();
    let past = use_context::<Alike>().map(|alike| alike.past);
    let why = Memo::new(move |_| {
        let caps = draft.config.with(|config| config.caps.clone());
        let past = past.map(|past| past.get()).unwrap_or_default();
        let day = Day::of(clock::today());
        plan.with(|plan| {
            let (chosen, estimate) = plan.as_ref()?.as_ref().ok()?;
            too_small(&chosen.spec, estimate, &caps, &past, &book.get(), day.as_ref())
        })
    });
    move || {
        why.get().map(|why| {
            view! {
                <div class="note note-warn" id="small-budget" role="status">
                    <Icon name="warning"/>
                    <p>{strings::too_small(why)}</p>
                </div>
            }
        })
    }
}

#[component]
pub(super) fn Costs(plan: Memo<Plan>) -> impl IntoView {
    let book = prices();
    let line = |one: &Charged| {
        let charge = match &one.charge {
            Charge::Free => "nothing to pay".to_owned(),
            Charge::Unknown => "no known price".to_owned(),
            Charge::AtMost(cost) => format!("at most {}", number::dollars(cost.dollars())),
            Charge::Rates { input, output, writing } => strings::rates(
                number::dollars(input.dollars()),
                number::dollars(output.dollars()),
                writing.map(|cost| number::dollars(cost.dollars())).as_deref(),
            ),
        };
        view! { <li>{format!("{}, {}", one.role, one.who)} ": " {charge}</li> }
    };
    move || {
        of_plan(plan, &book.get()).map(|charges| {
            let open = charges
                .iter()
                .any(|one| matches!(one.charge, Charge::Rates { .. } | Charge::Unknown));
            view! {
                <div class="small soft stack-2">
                    <ul class="plain-list">{charges.iter().map(line).collect_view()}</ul>
                    {open.then(|| view! {
                        <p>
                            "How much a model reads depends on the episode. A budget sets an upper limit."
                        </p>
                    })}
                </div>
            }
        })
    }
}
