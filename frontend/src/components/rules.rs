//! The rules of a seat for people.

use crate::prelude::*;

/// The rules of a seat for people, in a few lines; nothing where a benchmark has none.
pub fn rules_of(
    benchmark: &dyn Benchmark,
    seat: &Seat,
    rules: Rules,
) -> Option<impl IntoView + use<>> {
    let lines = benchmark.people()?.rules_of(seat);
    (!lines.is_empty()).then(|| {
        let lines = lines.into_iter().map(|line| view! { <li>{line}</li> });
        view! {
            <details class="more rules" open=rules == Rules::Open>
                <summary>"Rules"</summary>
                <ul class="more-body read">{lines.collect_view()}</ul>
            </details>
        }
    })
}

/// How the rules lie below a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    Open,
    Folded,
}
