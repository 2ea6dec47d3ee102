//! The page of a run.

use leptos::prelude::*;

/// Route `/run/:id`.
#[component]
pub fn RunPage() -> impl IntoView {
    view! { <h1>"Run"</h1> }
}
