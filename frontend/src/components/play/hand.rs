//! One's own cards, large.

use crate::components::felt::card_view;
use crate::prelude::*;
use crate::view::felt::card_name;

/// The person's own cards; nothing where none were dealt.
pub fn own_cards(cards: &[Option<String>]) -> AnyView {
    let known: Vec<String> = cards.iter().flatten().map(|card| card_name(card)).collect();
    if known.is_empty() {
        return ().into_any();
    }
    let drawn: Vec<_> = cards.iter().map(|card| card_view(card.as_deref())).collect();
    any_view! {
        <p class="own-cards" role="img" aria-label=format!("Your cards: {}", known.join(" and "))>
            {drawn}
        </p>
    }
}
