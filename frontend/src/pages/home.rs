//! The first page: what this is, one button that starts a run, recent runs, tasks on the server.

use leptos::prelude::*;

/// Route `/`.
#[component]
pub fn Home() -> impl IntoView {
    view! { <h1>"Turnwise"</h1> }
}
