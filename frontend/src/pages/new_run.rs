//! The page on which a run is configured.

use leptos::prelude::*;

/// Route `/new`.
#[component]
pub fn NewRun() -> impl IntoView {
    view! { <h1>"New run"</h1> }
}
