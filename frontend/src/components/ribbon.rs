//! The turn ribbon: one cell a turn, and what explains it.

use leptos::prelude::*;
use turnwise_shared::scene::Cell;

use crate::strings;
use crate::view::standing::Standing;
use crate::view::turn;

/// Whether cells carry their letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Letters {
    /// They do.
    Shown,
    /// They are too small for letters.
    LeftOut,
}

/// The ribbon of an episode as a picture; its meaning stands in the label of what it lies in.
pub fn ribbon(cells: &[Cell], standing: Standing, letters: Letters) -> impl IntoView + use<> {
    let cells: Vec<_> = cells
        .iter()
        .map(|cell| {
            let letter = match letters {
                Letters::Shown => Some(turn::letter(cell, standing).to_string()),
                Letters::LeftOut => None,
            };
            view! { <i class=turn::classes(cell, standing)>{letter}</i> }
        })
        .collect();
    view! {
        <span class="ribbon" aria-hidden="true">
            {cells}
        </span>
    }
}

/// How an episode stands, as a mark.
pub fn mark(standing: Standing) -> impl IntoView + use<> {
    view! {
        <span class=standing.mark() role="img" aria-label=standing.title()>
            {standing.glyph()}
        </span>
    }
}

/// What colours, letters and bars mean.
#[component]
pub fn Legend() -> impl IntoView {
    strings::run::wall::LEGEND
        .iter()
        .map(|(sign, meaning)| {
            let sign = match sign.split_once('|') {
                Some((classes, letter)) => view! {
                    <span class="ribbon" aria-hidden="true">
                        <i class=format!("turn {classes}")>{letter}</i>
                    </span>
                }
                .into_any(),
                None => view! { <i class=*sign aria-hidden="true"></i> }.into_any(),
            };
            view! { <span>{sign} {*meaning}</span> }
        })
        .collect_view()
        .into_any()
}
