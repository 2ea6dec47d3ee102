//! What most people leave as it is: name, hands, time.

use leptos::prelude::*;
use turnwise_shared::benchmarks::paraworld::task::Language;
use turnwise_shared::benchmarks::poker::policy::Policy;

use super::setup::{INTERACTCOMP, LONGEST_NAME, PARAWORLD, POKER, Setup, TRUST, Worlds, clock_of};
use crate::components::form::NumberField;
use crate::strings::play as words;

/// Seconds of a decision that are offered; 0 = as long as it takes.
const SECONDS: [u32; 7] = [0, 15, 30, 60, 120, 300, 900];

/// Probabilities that a match goes on that are offered.
const DELTAS: [f64; 4] = [0.6, 0.8, 0.9, 0.95];

/// What happens to stacks between hands, as offered.
const POLICIES: [Policy; 3] = [
    Policy::ResetEveryHand,
    Policy::RebuyBusted,
    Policy::Freezeout,
];

/// See the module's head.
#[component]
pub fn Rest(setup: RwSignal<Setup>, name: RwSignal<String>) -> impl IntoView {
    let game = Memo::new(move |_| setup.with(|setup| setup.game));
    let seconds = move || setup.with(|setup| setup.clock.decision_seconds);
    let times = move || {
        SECONDS
            .into_iter()
            .map(|time| {
                view! {
                    <option value=time selected=move || seconds() == time>
                        {words::for_each(time)}
                    </option>
                }
            })
            .collect_view()
    };
    let of_the_game = move || match game.get() {
        POKER => view! { <Cards setup/> }.into_any(),
        TRUST => view! { <Delta setup/> }.into_any(),
        INTERACTCOMP => view! {
            <Questions setup/>
            <OneLanguage setup/>
        }
        .into_any(),
        PARAWORLD => view! {
            <Show when=move || setup.with(|setup| matches!(setup.worlds, Worlds::Random(_)))>
                <Questions setup/>
            </Show>
        }
        .into_any(),
        _ => ().into_any(),
    };
    view! {
        <fieldset class="stack-2">
            <legend>{words::REST}</legend>
            <div class="fields">
                <div class="field">
                    <label for="own-name">{words::NAME}</label>
                    <input
                        id="own-name"
                        class="input"
                        type="text"
                        autocomplete="nickname"
                        maxlength=LONGEST_NAME
                        placeholder=words::NOBODY
                        prop:value=move || name.get()
                        on:input:target=move |event| name.set(event.target().value())
                    />
                </div>
                {of_the_game}
                <Show when=move || setup.with(Setup::asks_models)>
                    <NumberField
                        id="table-calls"
                        label=words::CALLS
                        note=words::CALLS_NOTE
                        empty=words::NO_LIMIT
                        value=Signal::derive(move || setup.with(|setup| setup.calls))
                        on_change=move |number| setup.update(|setup| setup.calls = number)
                        least=1
                    />
                </Show>
                <div class="field">
                    <label for="decision-time">{words::TIME}</label>
                    <select
                        id="decision-time"
                        class="select"
                        on:change:target=move |event| {
                            if let Ok(time) = event.target().value().parse() {
                                setup.update(|setup| setup.clock = clock_of(time));
                            }
                        }
                    >
                        {times}
                    </select>
                    <span class="field-note">{move || words::bank_note(setup.with(|setup| setup.clock))}</span>
                </div>
            </div>
        </fieldset>
    }
}

#[component]
fn Questions(setup: RwSignal<Setup>) -> impl IntoView {
    view! {
        <NumberField
            id="questions"
            label=words::QUESTIONS
            value=Signal::derive(move || Some(u64::from(setup.with(|setup| setup.questions))))
            on_change=move |number| {
                if let Some(number) = number.and_then(|number| u32::try_from(number).ok()) {
                    setup.update(|setup| setup.questions = number);
                }
            }
            least=1
            most=20
        />
    }
}

/// In which language questions are asked.
#[component]
fn OneLanguage(setup: RwSignal<Setup>) -> impl IntoView {
    let chosen = move || setup.with(|setup| setup.language);
    let options = [None, Some(Language::En), Some(Language::Zh)].map(|language| {
        view! {
            <option value=language.map(Language::code) prop:selected=move || chosen() == language>
                {words::language(language)}
            </option>
        }
    });
    view! {
        <div class="field">
            <label for="language">{words::LANGUAGE}</label>
            <select
                id="language"
                class="select"
                on:change:target=move |event| {
                    let language = Language::of_code(&event.target().value());
                    setup.update(|setup| setup.language = language);
                }
            >
                {options.collect_view()}
            </select>
        </div>
    }
}

#[component]
fn Cards(setup: RwSignal<Setup>) -> impl IntoView {
    let policies: Vec<_> = POLICIES
        .into_iter()
        .enumerate()
        .map(|(at, policy)| {
            view! {
                <option value=at selected=move || setup.with(|setup| setup.policy == policy)>
                    {words::policy(policy)}
                </option>
            }
        })
        .collect();
    view! {
        <NumberField
            id="hands"
            label=words::HANDS
            value=Signal::derive(move || Some(u64::from(setup.with(|setup| setup.hands))))
            on_change=move |number| {
                if let Some(number) = number.and_then(|number| u32::try_from(number).ok()) {
                    setup.update(|setup| setup.hands = number);
                }
            }
            least=1
            most=500
        />
        <div class="field">
            <label for="policy">{words::STACKS}</label>
            <select
                id="policy"
                class="select"
                on:change:target=move |event| {
                    let chosen = event.target().value().parse::<usize>().ok();
                    if let Some(policy) = chosen.and_then(|at| POLICIES.get(at).copied()) {
                        setup.update(|setup| setup.policy = policy);
                    }
                }
            >
                {policies}
            </select>
        </div>
    }
}

#[component]
fn Delta(setup: RwSignal<Setup>) -> impl IntoView {
    let deltas: Vec<_> = DELTAS
        .into_iter()
        .enumerate()
        .map(|(at, delta)| {
            let chosen = move || setup.with(|setup| (setup.delta - delta).abs() < 1e-9);
            view! {
                <option value=at selected=chosen>
                    {words::goes_on(delta)}
                </option>
            }
        })
        .collect();
    view! {
        <div class="field">
            <label for="delta">{words::DELTA}</label>
            <select
                id="delta"
                class="select"
                on:change:target=move |event| {
                    let chosen = event.target().value().parse::<usize>().ok();
                    if let Some(delta) = chosen.and_then(|at| DELTAS.get(at).copied()) {
                        setup.update(|setup| setup.delta = delta);
                    }
                }
            >
                {deltas}
            </select>
        </div>
    }
}
