//! Answers of one word, each with a key.

use leptos::prelude::*;

use crate::clock;
use crate::components::keys::on_key_first;
use crate::strings::person as strings;
use crate::view::asked::Word;

/// Milliseconds for which keys do nothing after a question has come up: a key that was pressed twice answers once.
const NOT_YET: f64 = 250.0;

/// A button for every word.
#[component]
pub fn Words(words: Vec<Word>, open: Signal<bool>, said: Callback<String>) -> impl IntoView {
    let shown = clock::now();
    let by_key = words.clone();
    on_key_first(move |event| {
        let key = event.key().to_lowercase();
        let Some(word) = by_key.iter().find(|word| word.key == key) else {
            return;
        };
        event.prevent_default();
        if open.get_untracked() && !event.repeat() && clock::now() - shown > NOT_YET {
            said.run(word.text.clone());
        }
    });
    let buttons: Vec<_> = words
        .into_iter()
        .map(|Word { label, key, text }| {
            let key = key.to_uppercase();
            view! {
                <button
                    class="btn btn-big"
                    type="button"
                    aria-keyshortcuts=key.clone()
                    disabled=move || !open.get()
                    on:click=move |_| said.run(text.clone())
                >
                    {label}
                    <kbd aria-hidden="true">{key.clone()}</kbd>
                </button>
            }
        })
        .collect();
    view! {
        <div class="person-words" role="group" aria-label=strings::ANSWERS>
            {buttons}
        </div>
    }
}
