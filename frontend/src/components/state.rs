//! How a run stands: a word with a mark, in a colour of its own. The mark differs too, for those who do not see colour.

use leptos::prelude::*;
use turnwise_shared::wire::RunState;

/// A state with other words than its own where there are any.
pub fn state(state: RunState, words: &'static str) -> impl IntoView + use<> {
    view! { <span class=format!("state state-{state}")>{words}</span> }
}
