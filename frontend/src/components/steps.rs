//! Steps in their order, each with a head and a text.

use crate::prelude::*;

#[component]
pub fn Steps(steps: &'static [(&'static str, &'static str)]) -> impl IntoView {
    let steps: Vec<_> = steps
        .iter()
        .map(|(head, text)| {
            view! {
                <li>
                    <h3>{*head}</h3>
                    <p>{*text}</p>
                </li>
            }
        })
        .collect();
    view! { <ol class="steps">{steps}</ol> }
}
