//! The end of the form: the buttons, and what the run will do and cost at most.

use super::costs::{Costs, TooLittle, known_range};
use super::seats::known;
use super::{Draft, Plan};
use crate::plan::Estimate;
use crate::prelude::*;
use crate::start::{self, TRIED};
use crate::strings::{access, new_run as strings};

/// The reply length that is offered where a budget needs one.
const USUAL_LENGTH: u32 = 4096;

/// The buttons, and what they will do.
#[component]
pub fn End(draft: Draft, plan: Memo<Plan>, closed: Signal<bool>) -> impl IntoView {
    let busy = RwSignal::new(false);
    let problem = RwSignal::new(None::<ApiError>);
    let navigate = use_navigate();
    let ready = move || plan.with(|plan| matches!(plan, Some(Ok(_))));
    let run = Callback::new(move |is_try: bool| {
        let about = draft.about.with_untracked(|about| about.ready().cloned());
        let tasks = draft.tasks.with_untracked(|tasks| tasks.ready().cloned());
        let Some(about) = about else {
            return;
        };
        let file = tasks.map(|tasks| TaskSet::clone(&tasks));
        let config = draft.config.get_untracked();
        let evaluated = known::evaluated(draft).and_then(|seat| config.seats.get(&seat).cloned());
        let navigate = navigate.clone();
        busy.set(true);
        problem.set(None);
        spawn_local(async move {
            let started = match is_try {
                true => start::try_first(&config, &about, file).await,
                false => start::start(&config, &about, file).await,
            };
            match started {
                Ok(run) => {
                    if let Some(player) = evaluated {
                        known::remember(&player);
                    }
                    navigate(&format!("/run/{run}"), Default::default());
                }
                Err(why) => {
                    problem.put(why.into());
                    busy.try_set(false);
                }
            }
        });
    });
    let label = move || match (busy.get(), plan.get()) {
        (true, _) => "Starting…".to_owned(),
        (false, Some(Ok((_, estimate)))) => strings::start(estimate.plays),
        (false, _) => "Start".to_owned(),
    };
    let is_off = move || busy.get() || !ready() || closed.get();
    // A set that is hardly larger is run as a whole.
    let can_try = Memo::new(move |_| {
        let is_larger = |plan: &Plan| matches!(plan, Some(Ok((_, estimate))) if estimate.tasks > TRIED as usize);
        draft.reads_file() && plan.with(is_larger)
    });
    let range = known_range(draft, plan);
    view! {
        <TooLittle draft plan/>
        <div class="form-end">
            <Trouble problem meaning="The run was not started"/>
            <button
                class="btn btn-primary btn-big"
                type="button"
                disabled=is_off
                aria-busy=move || busy.get().then_some("true")
                on:click=move |_| run.run(false)
            >
                <Icon name="play"/>
                {label}
            </button>
            <Show when=move || can_try.get()>
                <button
                    class="btn btn-big"
                    type="button"
                    id="try-first"
                    title="A real run of the first tasks. Nothing is published by itself."
                    disabled=is_off
                    on:click=move |_| run.run(true)
                >
                    {strings::try_first(TRIED)}
                </button>
            </Show>
            <div class="small form-end-say" role="status">
                {move || match plan.get() {
                    Some(Ok(_)) if closed.get() => {
                        any_view! { <span class="soft">{access::AT_THE_TOP}</span> }
                    }
                    None if draft.tasks.with(|tasks| tasks.problem().is_some()) => {
                        any_view! { <span class="field-error">"These tasks cannot be used: choose others."</span> }
                    }
                    None => any_view! { <span class="soft">"Loading the tasks…"</span> },
                    Some(Ok((_, estimate))) => {
                        any_view! {
                            {move || range.get().map(|range| view! { <b id="cost">{strings::cost(&range)}</b> " " })}
                            <Calls estimate/>
                        }
                    }
                    Some(Err(why)) => {
                        any_view! {
                            <span class="field-error">{why}</span>
                            <Length draft/>
                        }
                    }
                }}
            </div>
        </div>
        <Costs plan/>
    }
}

/// Where a budget needs a limit on what a model may write: the usual one, or the way to the field.
#[component]
fn Length(draft: Draft) -> impl IntoView {
    let seat = Memo::new(move |_| {
        let benchmark = draft.benchmark();
        draft.config.with(|config| {
            let seats = plan::lineup(config, benchmark).ok()?;
            plan::caps::unbounded(&config.caps, &seats)
        })
    });
    move || {
        seat.get().map(|seat| {
            let field = format!("{}-{seat}", Knob::MaxTokens);
            let fill = move |_| {
                let config = draft.config;
                config.update(|config| {
                    let chosen = config.sampling.entry(seat.clone()).or_default();
                    chosen.insert(Knob::MaxTokens, USUAL_LENGTH.to_string());
                });
            };
            view! {
                <span class="row form-end-mend">
                    <button class="btn btn-small" type="button" id="use-length" on:click=fill>
                        {format!("Use {} tokens", count(USUAL_LENGTH))}
                    </button>
                    <button
                        class="btn btn-small btn-quiet"
                        type="button"
                        id="choose-length"
                        on:click=move |_| show(&field)
                    >
                        "Choose"
                    </button>
                </span>
            }
        })
    }
}

/// Opens the folds around a field and goes there.
fn show(id: &str) {
    let Some(field) = document().get_element_by_id(id) else {
        return;
    };
    let mut fold = field.closest("details").ok().flatten();
    while let Some(details) = fold {
        // It fails for no attribute of this name.
        let _ = details.set_attribute("open", "");
        let above = details.parent_element();
        fold = above.and_then(|above| above.closest("details").ok().flatten());
    }
    field.scroll_into_view();
    if let Ok(field) = wasm_bindgen::JsCast::dyn_into::<web_sys::HtmlElement>(field) {
        let _ = field.focus();
    }
}

/// What the run will do at most.
#[component]
fn Calls(estimate: Estimate) -> impl IntoView {
    let parts: Vec<String> = estimate
        .most_calls
        .iter()
        .map(|(who, calls)| strings::at_most(number::count(*calls), who))
        .collect();
    let free = estimate.most_calls.keys().all(|who| who == plan::SEARCH);
    view! {
        <span class="soft">
            // The cost before it ends with "at most".
            {(!parts.is_empty()).then(|| format!("up to {}", parts.join(", ")))}
            {free
                .then(|| {
                    let comma = if parts.is_empty() { "" } else { "; " };
                    format!("{comma}no model is called, nothing to pay")
                })}
        </span>
    }
}
