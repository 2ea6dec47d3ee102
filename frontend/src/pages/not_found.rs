//! The page for addresses that lead nowhere, and those that mean another.

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate, use_params_map};

use crate::components::missing::{Missing, MissingPage};

/// Every other route.
#[component]
pub fn NotFound() -> impl IntoView {
    view! { <MissingPage missing=Missing::Page/> }
}

/// Route `/boards/:id`: one board, as the list and the service would name it. Its page is at `/board/:id`.
#[component]
pub fn ToBoard() -> impl IntoView {
    let (params, location, navigate) = (use_params_map(), use_location(), use_navigate());
    Effect::new(move |_| {
        let id = params.with(|params| params.get("id")).unwrap_or_default();
        let address = match location.search.get() {
            query if query.is_empty() => format!("/board/{id}"),
            query => format!("/board/{id}?{}", query.trim_start_matches('?')),
        };
        let options = NavigateOptions {
            replace: true,
            ..NavigateOptions::default()
        };
        navigate(&address, options);
    });
}
