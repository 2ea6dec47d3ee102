//! The page for addresses that lead nowhere.

use leptos::prelude::*;

use crate::components::missing::{Missing, MissingPage};

#[component]
pub fn NotFound() -> impl IntoView {
    view! { <MissingPage missing=Missing::Page/> }
}
