//! What the player may do: one card a mode.

use leptos::prelude::*;

use super::Draft;
use super::studies::{Counts, Studies};
use crate::benchmarks::{OwnForm, own_form};
use crate::components::ribbon::example;
use crate::strings::new_run::{self as strings, ModeCard};

/// The modes of the benchmark; nothing where it has none.
#[component]
pub fn Modes(draft: Draft) -> impl IntoView {
    let mode = Memo::new(move |_| {
        draft
            .setting("mode")
            .and_then(|mode| mode.as_str().map(str::to_owned))
    });
    // Cards stay in the page while one chooses among them, or the keyboard would lose its place.
    let unusual = Memo::new(move |_| {
        let mode = mode.get();
        strings::MODES
            .iter()
            .any(|card| !card.is_usual && mode.as_deref() == Some(card.name))
    });
    view! {
        <Show when=move || own_form(draft.benchmark.get()) == Some(OwnForm::Modes)>
            <section class="section stack">
                <div class="section-head">
                    <h2 id="modes">{strings::MODE}</h2>
                </div>
                <Studies draft/>
                <fieldset class="choices" aria-labelledby="modes">
                    {move || {
                        let all = unusual.get();
                        strings::MODES
                            .iter()
                            .filter(move |card| card.is_usual || all)
                            .map(|card| view! { <Card draft mode card/> })
                            .collect_view()
                    }}
                </fieldset>
                <Show when=move || mode.get().as_deref() == Some("forced_ask")>
                    <div class="fields">
                        <Counts
                            draft
                            id="min-asks"
                            name="min_asks"
                            label=strings::MIN_ASKS
                            note=strings::SEVERAL
                            most=99
                        />
                    </div>
                </Show>
            </section>
        </Show>
    }
}

#[component]
fn Card(draft: Draft, mode: Memo<Option<String>>, card: &'static ModeCard) -> impl IntoView {
    view! {
        <label class="choice">
            <input
                type="radio"
                name="mode"
                value=card.name
                prop:checked=move || mode.get().as_deref() == Some(card.name)
                on:change=move |_| draft.set("mode", card.name.into())
            />
            <span class="choice-title">{card.title}</span>
            {example(card.ribbon)}
            <span class="choice-note">{card.note}</span>
        </label>
    }
}
