//! The page for addresses that lead nowhere.

use crate::components::missing::{Missing, MissingPage};
use crate::prelude::*;

#[component]
pub fn NotFound() -> impl IntoView {
    view! { <MissingPage missing=Missing::Page/> }
}
