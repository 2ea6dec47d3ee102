//! What is rarely changed: profile, search engine, repeats, calls in flight, seed.

use turnwise_shared::wire::Promise;

use super::{Draft, Loaded};
use crate::address::{Engine, MOST_FAILURES, MOST_IN_FLIGHT, MOST_REPEATS};
use crate::components::caps::CapFields;
use crate::components::form::NumberField;
use crate::prelude::*;
use crate::strings::{budgets as budget_words, new_run as strings};

#[component]
pub fn Rest(draft: Draft) -> impl IntoView {
    let is_game = move || !draft.reads_file();
    let searches = move || draft.benchmark().sample_corpus().is_some();
    let now = move || {
        let (is_game, searches) = (is_game(), searches());
        draft.config.with(|config| {
            let profile = config.profile.name();
            if is_game {
                return format!(
                    "{profile}, seed {}, {} parallel calls",
                    config.seed, config.in_flight
                );
            }
            let engine = searches.then(|| engine_name(&config.search));
            strings::more_now(profile, engine.as_deref(), config.repeats, config.in_flight)
        })
    };
    let budget = move || draft.config.with(|config| budget_words::in_line(&config.caps));
    let caps = Signal::derive(move || draft.config.with(|config| config.caps.clone()));
    let set_caps = Callback::new(move |caps| draft.config.update(|config| config.caps = caps));
    view! {
            <details class="more" id="rest">
                <summary>
                    {move || strings::more(is_game(), searches())}
                    <span class="faint">{now}{budget}</span>
                </summary>
                <div class="more-body stack">
                    <Show when=move || draft.benchmark().profiles().len() != 1>
                        <Profiles draft/>
                    </Show>
                    <div class="fields">
                        <Show when=move || !is_game()>
                            <Show when=searches>
                                <Engines draft/>
                            </Show>
                            <Repeats draft/>
                        </Show>
                        <NumberField
                            id="in-flight"
                            label="Parallel calls"
                            value=Signal::derive(move || Some(draft.config.with(|config| config.in_flight.into())))
                            on_change=move |number| {
                                draft.config.update(|config| config.in_flight = narrow(number, config.in_flight));
                            }
                            least=1
                            most=MOST_IN_FLIGHT.into()
                        />
                        <NumberField
                            id="pause-after"
                            label="Pause after this many failed calls in a row"
                            note="0 = never. A refused key always pauses the run."
                            value=Signal::derive(move || Some(draft.config.with(|config| config.pause_after.into())))
                            on_change=move |number| {
                                draft.config.update(|config| config.pause_after = narrow(number, config.pause_after));
                            }
                            most=MOST_FAILURES.into()
                        />
                        <NumberField
                            id="seed"
                            label="Seed"
                            note="random choices within episodes"
                            value=Signal::derive(move || Some(draft.config.with(|config| config.seed)))
                            on_change=move |number| {
                                draft.config.update(|config| config.seed = number.unwrap_or(config.seed));
                            }
                        />
                    </div>
                    <fieldset class="stack-2">
                        <legend>{budget_words::TITLE}</legend>
                        <CapFields caps on_change=set_caps wrong=draft.wrong_caps/>
                    </fieldset>
                </div>
            </details>
    }
}

/// How often each task of a file is played.
#[component]
fn Repeats(draft: Draft) -> impl IntoView {
    view! {
        <NumberField
            id="repeats"
            label="Repeats of each task"
            value=Signal::derive(move || Some(draft.config.with(|config| config.repeats.into())))
            on_change=move |number| {
                draft.config.update(|config| config.repeats = narrow(number, config.repeats));
            }
            least=1
            most=MOST_REPEATS.into()
        />
    }
}

/// The field keeps its numbers within 32 bits; an empty one changes nothing.
fn narrow(number: Option<u64>, before: u32) -> u32 {
    number.and_then(|number| u32::try_from(number).ok()).unwrap_or(before)
}

fn engine_name(engine: &Engine) -> String {
    match engine {
        Engine::First => "default".to_owned(),
        Engine::Named(name) => name.clone(),
        Engine::Nobody => "none".to_owned(),
    }
}

#[component]
fn Profiles(draft: Draft) -> impl IntoView {
    let cards = [
        (Profile::Strict, "strict", "As in the paper, loopholes fixed."),
        (
            Profile::Reference,
            "reference",
            "The authors' code, bugs included; compare with published results.",
        ),
    ];
    view! {
        <fieldset class="choices">
            <legend>"Rules"</legend>
            {cards
                .map(|(profile, name, note)| {
                    choice_card("profile", name, name, note, move || draft.config.with(|config| config.profile) == profile, move || draft.config.update(|config| config.profile = profile))
                })
                .collect_view()}
        </fieldset>
    }
}

/// The choice of a search engine. Values are `=` for the usual, empty for none, and names with `:` before them.
#[component]
fn Engines(draft: Draft) -> impl IntoView {
    let chosen = Memo::new(move |_| draft.config.with(|config| config.search.clone()));
    let offer = move |engine: Engine| {
        let name = match &engine {
            Engine::Named(name) if is_best_effort(draft, name) => format!("{name} (best effort)"),
            other => engine_name(other),
        };
        let value = value_of(&engine);
        option(value, name, move || chosen.get() == engine)
    };
    let names = move || {
        let mut names: Vec<String> = draft.about.with(|about| match about {
            Loaded::Ready(about) => {
                about.engines_and_web().into_iter().map(|engine| engine.name).collect()
            }
            Loaded::Loading | Loaded::Failed(_) => Vec::new(),
        });
        if let Engine::Named(name) = chosen.get()
            && !names.contains(&name)
        {
            names.push(name);
        }
        names
    };
    let none_here = move || {
        draft.about.with(|about| about.ready().is_some_and(|about| about.engines.is_empty()))
    };
    let engines = (
        offer(Engine::First),
        move || names().into_iter().map(|name| offer(Engine::Named(name))).collect_view(),
        offer(Engine::Nobody),
    );
    let choose = move |value: String| {
        let engine = engine_of(&value);
        draft.config.update(|config| config.search = engine);
    };
    view! {
        <div class="field">
            <label for="search-engine">"Search engine"</label>
            {select_list("search-engine", choose, engines)}
            <Show when=none_here>
                <span class="field-note">"this server has none"</span>
            </Show>
        </div>
    }
}

/// Whether an engine is a page for people, which can change or shut at any time.
fn is_best_effort(draft: Draft, name: &str) -> bool {
    draft.about.with(|about| {
        about.ready().is_some_and(|about| {
            about
                .engines
                .iter()
                .any(|engine| engine.name == name && engine.promise == Promise::BestEffort)
        })
    })
}

fn value_of(engine: &Engine) -> String {
    match engine {
        Engine::First => "=".to_owned(),
        Engine::Named(name) => format!(":{name}"),
        Engine::Nobody => String::new(),
    }
}

fn engine_of(value: &str) -> Engine {
    match value.strip_prefix(':') {
        Some(name) => Engine::Named(name.to_owned()),
        None if value.is_empty() => Engine::Nobody,
        None => Engine::First,
    }
}
