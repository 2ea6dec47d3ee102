//! How a run stands, and how an answer was graded: words in colours of their own. The mark of a state differs too, for those who do not
//! see colour.

use crate::prelude::*;

/// A state with other words than its own where there are any.
pub fn state(state: RunState, words: &'static str) -> impl IntoView + use<> {
    view! { <span class=format!("state state-{state}")>{words}</span> }
}

/// The class of a verdict in words.
pub fn verdict_class(score: Option<f64>) -> &'static str {
    match score {
        Some(1.0..) => "good",
        Some(..=0.0) => "bad",
        _ => "soft",
    }
}
