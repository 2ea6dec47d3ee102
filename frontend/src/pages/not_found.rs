//! The page for addresses that lead nowhere.

use leptos::prelude::*;

use crate::components::missing::{Missing, MissingPage};

/// Every other route.
#[component]
pub fn NotFound() -> impl IntoView {
    view! { <MissingPage missing=Missing::Page/> }
}
