//! The decision at a card table: buttons, a slider, and keys for all of them.

use super::bets::{Decision, Options};
use crate::components::keys::{Decisive, on_key};
use crate::prelude::*;
use crate::strings::play as words;
use crate::view::felt::chips;

/// The controls of one decision. They are made anew for every turn.
#[component]
pub fn BetControls(
    options: Options,
    /// Whether the decision is still open here.
    #[prop(into)]
    open: Signal<bool>,
    decide: Callback<Decision>,
) -> impl IntoView {
    let amount = RwSignal::new(options.raise.map_or(0, |(least, _)| least));
    // A decision that a slip of the finger would make dear is asked for twice.
    let doubtful = RwSignal::new(None::<Decision>);
    let field = NodeRef::<html::Input>::new();
    let sure = NodeRef::<html::Button>::new();
    let options = StoredValue::new(options);
    let wish = move |decision: Decision| {
        if !open.get_untracked() {
            return;
        }
        let fits = options.with_value(|options| match decision {
            Decision::Fold => options.fold,
            Decision::Check => options.check,
            Decision::Call => options.call.is_some(),
            Decision::Raise(_) => options.raise.is_some(),
            Decision::AllIn => options.all_in.is_some(),
        });
        let is_doubtful = match decision {
            Decision::Fold => options.with_value(|options| options.check),
            Decision::AllIn => true,
            _ => false,
        };
        if !fits {
            return;
        }
        if is_doubtful && doubtful.get_untracked() != Some(decision) {
            doubtful.set(Some(decision));
            return;
        }
        doubtful.set(None);
        decide.run(decision);
    };
    let raise = move || {
        let typed = amount.get_untracked();
        wish(Decision::Raise(options.with_value(|options| options.within(typed))));
    };
    Effect::new(move |_| {
        if doubtful.get().is_some()
            && let Some(button) = sure.get()
        {
            // It fails only for elements that take no focus.
            let _ = button.focus();
        }
    });
    let to_amount = move || {
        if let Some(field) = field.get_untracked() {
            // See above.
            let _ = field.focus();
            field.select();
        }
    };
    let decisive = Decisive::of(move || doubtful.track());
    on_key(move |event| {
        let key = event.key();
        if ["f", "c", "a"].contains(&key.as_str()) && !decisive.counts(event) {
            event.prevent_default();
            return;
        }
        let handled = match key.as_str() {
            "f" => {
                wish(Decision::Fold);
                true
            }
            "c" => {
                let free = options.with_value(|options| options.check);
                wish(if free { Decision::Check } else { Decision::Call });
                true
            }
            "r" => {
                to_amount();
                true
            }
            "a" => {
                wish(Decision::AllIn);
                true
            }
            "Escape" if doubtful.get_untracked().is_some() => {
                doubtful.set(None);
                true
            }
            _ => false,
        };
        if handled {
            event.prevent_default();
        }
    });
    let Options { check, call, raise: range, all_in, bet, .. } = options.get_value();
    let closed = Signal::derive(move || !open.get());
    let call_button = (check || call.is_some()).then(|| {
        let decision = if check { Decision::Check } else { Decision::Call };
        let label = match call {
            Some(costs) if !check => format!("Call {}", chips(costs, 1)),
            _ => "Check".to_owned(),
        };
        view! {
            <button class="btn btn-big bet-call" type="button" disabled=closed on:click=move |_| wish(decision)>
                <span>{label}</span>
                <kbd aria-hidden="true">"c"</kbd>
            </button>
        }
    });
    let raise_button = range.map(|_| {
        view! {
            <button class="btn btn-big bet-raise" type="button" disabled=closed on:click=move |_| raise()>
                <span>
                    {move || {
                        let to = chips(amount.get(), 1);
                        if bet == 0 { format!("Bet {to}") } else { format!("Raise to {to}") }
                    }}
                </span>
                <kbd aria-hidden="true">"r"</kbd>
            </button>
        }
    });
    let all_in_button = all_in.map(|total| {
        view! {
            <button class="btn btn-big bet-all" type="button" disabled=closed on:click=move |_| wish(Decision::AllIn)>
                <span>{format!("All-in {}", chips(total, 1))}</span>
                <kbd aria-hidden="true">"a"</kbd>
            </button>
        }
    });
    view! {
        <div class="bets" translate="no" role="group" aria-label=words::YOUR_DECISION>
            {range.map(|range| view! { <Amount options range amount field raise=Callback::new(move |()| raise()) closed/> })}
            <div class="bet-buttons">
                <button
                    class="btn btn-big bet-fold"
                    type="button"
                    disabled=closed
                    on:click=move |_| wish(Decision::Fold)
                >
                    <span>"Fold"</span>
                    <kbd aria-hidden="true">"f"</kbd>
                </button>
                {call_button}
                {raise_button}
                {all_in_button}
            </div>
            {move || {
                doubtful
                    .get()
                    .map(|decision| {
                        let asked = match decision {
                            Decision::Fold => "Checking is free. Fold anyway?".to_owned(),
                            _ => format!("Put in all {} chips?", chips(all_in.unwrap_or(0), 1)),
                        };
                        view! {
                            <div class="bet-sure" role="alertdialog" aria-label=asked.clone()>
                                <p>{asked.clone()}</p>
                                <button class="btn btn-primary" type="button" node_ref=sure on:click=move |_| wish(decision)>
                                    "Yes"
                                </button>
                                <button class="btn" type="button" on:click=move |_| doubtful.set(None)>
                                    "No"
                                </button>
                            </div>
                        }
                    })
            }}
        </div>
    }
}

/// How much: a slider, a number, and the usual amounts.
#[component]
fn Amount(
    options: StoredValue<Options>,
    range: (u64, u64),
    amount: RwSignal<u64>,
    field: NodeRef<html::Input>,
    raise: Callback<()>,
    closed: Signal<bool>,
) -> impl IntoView {
    let (least, most) = range;
    let set = move |wanted: u64| amount.set(options.with_value(|options| options.within(wanted)));
    let usual = options.with_value(|options| {
        [("min", least), ("½ pot", options.of_pot(1)), ("pot", options.of_pot(2)), ("max", most)]
    });
    let typed = move |event: ev::Event| {
        let value = event
            .target()
            .and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok())
            .and_then(|input| input.value().trim().parse::<u64>().ok());
        if let Some(value) = value {
            // While it is typed it may be too small; Enter and the button bring it into the range.
            amount.set(value.min(most));
        }
    };
    let keys = move |event: ev::KeyboardEvent| {
        let handled = match event.key().as_str() {
            // One that is held down bets once.
            "Enter" if event.repeat() => true,
            "Enter" => {
                raise.run(());
                true
            }
            "ArrowUp" => {
                set(options.with_value(|options| options.step(amount.get_untracked(), true)));
                true
            }
            "ArrowDown" => {
                set(options.with_value(|options| options.step(amount.get_untracked(), false)));
                true
            }
            "Escape" => {
                if let Some(field) = field.get_untracked() {
                    // It fails only for elements that take no focus.
                    let _ = field.blur();
                }
                true
            }
            _ => false,
        };
        if handled {
            event.prevent_default();
            event.stop_propagation();
        }
    };
    view! {
        <div class="bet-amount">
            <div class="bet-usual" role="group" aria-label="Usual amounts">
                {usual
                    .into_iter()
                    .map(|(label, wanted)| {
                        view! {
                            <button
                                class="btn btn-small"
                                type="button"
                                disabled=closed
                                aria-pressed=move || (amount.get() == wanted).to_string()
                                on:click=move |_| set(wanted)
                            >
                                {label}
                            </button>
                        }
                    })
                    .collect_view()}
            </div>
            <input
                class="slider bet-slider"
                type="range"
                min=least
                max=most
                step=1
                aria-label=words::RAISE_TO
                aria-valuetext=move || format!("{} chips", chips(amount.get(), 1))
                disabled=closed
                prop:value=move || amount.get().to_string()
                on:input=typed
                on:keydown=keys
            />
            <input
                class="input bet-number"
                type="number"
                inputmode="numeric"
                min=least
                max=most
                aria-label=words::RAISE_TO
                disabled=closed
                node_ref=field
                prop:value=move || amount.get().to_string()
                on:input=typed
                on:change=move |_| set(amount.get_untracked())
                on:keydown=keys
            />
        </div>
    }
}
