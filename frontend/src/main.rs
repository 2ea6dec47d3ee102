//! Turnwise in the browser.
use leptos::prelude::*;
fn main() { mount_to_body(|| view! { <h1>"Turnwise"</h1> }) }
