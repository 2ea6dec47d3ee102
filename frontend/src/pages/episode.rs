//! The page of an episode.

use leptos::prelude::*;

/// Route `/run/:id/:episode`.
#[component]
pub fn EpisodePage() -> impl IntoView {
    view! { <h1>"Episode"</h1> }
}
