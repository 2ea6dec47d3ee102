//! Errors, empty places and places that are still loading.

use leptos::prelude::*;
use turnwise_shared::prelude::ApiError;

use super::Icon;

/// An error: what happened, what to do about it, and the word for programs folded away.
#[component]
pub fn Trouble(
    #[prop(into)] problem: Signal<Option<ApiError>>,
    /// What it means here, if that needs saying.
    #[prop(optional)]
    meaning: Option<&'static str>,
) -> impl IntoView {
    move || {
        problem.get().map(|problem| {
            view! {
                <div class="note note-bad" role="alert">
                    <Icon name="warning"/>
                    <p class="note-title">{problem.message}</p>
                    {meaning.map(|meaning| view! { <p>{meaning}</p> })}
                    {problem.mend.map(|mend| view! { <p>{mend}</p> })}
                    <details class="more">
                        <summary>"Details for programs and reports"</summary>
                        <div class="more-body">
                            <code>{problem.code}</code>
                        </div>
                    </details>
                </div>
            }
        })
    }
}

/// Grey bars in the place of what is being loaded.
#[component]
pub fn Loading() -> impl IntoView {
    view! {
        <div role="status" aria-busy="true" aria-label="Loading">
            <span class="skel skel-mid"></span>
            <span class="skel"></span>
            <span class="skel skel-short"></span>
        </div>
    }
}
