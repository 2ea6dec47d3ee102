//! The end of a card table: the sum, the last hand, all hands.

use turnwise_shared::benchmarks::poker;

use super::held::{notes, people, table_of, with_own, would_have_won};
use crate::at_table::ends::{End, Over};
use crate::at_table::unmasked::unmasked;
use crate::components::felt::{card_view, felt};
use crate::prelude::*;
use crate::strings::play as words;
use crate::view::felt::{card_name, delta};

/// What one hand came to for a seat.
#[derive(Debug, Clone, PartialEq)]
pub struct HandResult {
    /// Where it can be replayed.
    pub episode: EpisodeKey,
    /// Its number, from 1.
    pub number: u32,
    pub cards: Vec<String>,
    pub board: Vec<String>,
    /// What was won or lost.
    pub delta: i64,
    /// How many units make a chip.
    pub units_per_chip: u64,
}

/// The hands in which a seat was dealt in, in the order in which they were played.
pub fn hands(plays: &[(EpisodeKey, Transcript)], seat: &Seat) -> Vec<HandResult> {
    let mut results = Vec::new();
    for (episode, play) in plays {
        for hand in poker::hands(play) {
            let Some(place) = hand.place_of(seat) else {
                continue;
            };
            results.push(HandResult {
                episode: episode.clone(),
                number: u32::try_from(results.len() + 1).unwrap_or(u32::MAX),
                cards: hand.places[place].hole.iter().map(|card| card.short()).collect(),
                board: hand.board.iter().map(|card| card.short()).collect(),
                delta: hand.deltas.get(place).copied().unwrap_or(0),
                units_per_chip: hand.unit.per_chip(),
            });
        }
    }
    results
}

/// The end of a card table: the sum, the last hand, all hands.
pub fn table_end(over: &Over<'_>) -> Option<End> {
    let Over { run, kept, last, .. } = *over;
    let (seat, spec) = (kept.seat.as_ref()?, over.spec);
    let results = hands(over.plays, seat);
    if results.is_empty() {
        let nothing = view! { <p class="soft">"No hand was played to its end."</p> };
        return Some(End { view: nothing.into_any(), has_links: true });
    }
    let unit = results.first().map_or(1, |hand| hand.units_per_chip);
    let sum: i64 = results.iter().map(|hand| hand.delta).sum();
    let best = results.iter().map(|hand| hand.delta).max().unwrap_or(0);
    let won = results.iter().filter(|hand| hand.delta > 0).count();
    let picture = last.and_then(|view| {
        let ended = view.last.as_ref()?;
        let own = table_of(&ended.scene)?;
        let all = ended.reveal.as_ref().and_then(table_of);
        let is_reveal = all.is_some();
        let table = &all.map_or_else(|| own.clone(), |all| with_own(all, own));
        let people = people(view);
        let mut names = kept.names.clone();
        for seat in spec.seats.keys() {
            if let (false, Some(who)) = (people.contains_key(seat), unmasked(spec, seat)) {
                names.entry(seat.clone()).or_insert(who.name);
            }
        }
        let notes = notes(table, &names, &people, is_reveal);
        let shares = is_reveal.then(|| would_have_won(table, &notes.who)).flatten().map(|said| {
            view! { <p class="small soft">{said} " " "Percentages beside the stacks: the share of \
            the pot that each hand would have won."</p> }
        });
        Some(view! {
            <section class="section" aria-labelledby="last-hand">
                {section_head("last-hand", "The last hand")}
                {felt(table, &notes)}
                {shares}
            </section>
        })
    });
    let class = match sum.signum() {
        1 => "figure-value good",
        -1 => "figure-value bad",
        _ => "figure-value",
    };
    let rows: Vec<_> = results.iter().map(|hand| hand_row(run, hand)).collect();
    let view = any_view! {
        <dl translate="no" class="figures pend">
            <div class="figure figure-main">
                <dt>"Your result"</dt>
                <dd class=class>{delta(sum, unit)} <small>{words::CHIPS}</small></dd>
                <dd class="figure-range">{format!("over {}", counted(results.len(), "hand", "hands"))}</dd>
            </div>
            <div class="figure">
                <dt>"Hands won"</dt>
                <dd class="figure-value">{won}</dd>
                <dd class="figure-range">{words::of(results.len())}</dd>
            </div>
            {(best > 0)
                .then(|| {
                    view! {
                        <div class="figure">
                            <dt>"Largest win"</dt>
                            <dd class="figure-value">{delta(best, unit)} <small>{words::CHIPS}</small></dd>
                        </div>
                    }
                })}
        </dl>
        {picture}
        <section class="section" aria-labelledby="all-hands">
            {section_head("all-hands", "All hands")}
            <ol class="phands">{rows}</ol>
        </section>
    };
    // Each hand has a link of its own.
    Some(End { view, has_links: true })
}

fn hand_row(run: &RunId, hand: &HandResult) -> AnyView {
    let class = match hand.delta.signum() {
        1 => "num good",
        -1 => "num bad",
        _ => "num soft",
    };
    let words_of = |cards: &[String]| {
        let names: Vec<_> = cards.iter().map(|card| card_name(card)).collect();
        names.join(", ")
    };
    let drawn = |cards: &[String]| -> Vec<AnyView> {
        cards.iter().map(|card| card_view(Some(card))).collect()
    };
    let won = delta(hand.delta, hand.units_per_chip);
    let label = words::hand_row(hand.number, words_of(&hand.cards), &words_of(&hand.board), &won);
    let place = Place::default();
    any_view! {
        <li>
            <a class="phand" href=address::episode(run, &hand.episode, &place)>
                <span class="sr">{label}</span>
                <span class="faint num" aria-hidden="true">{hand.number}</span>
                <span class="phand-cards" aria-hidden="true">{drawn(&hand.cards)}</span>
                <span class="phand-cards phand-board" aria-hidden="true">{drawn(&hand.board)}</span>
                <b class=class aria-hidden="true">{won}</b>
                <span class="phand-go" aria-hidden="true">
                    "Replay"
                    <Icon name="right"/>
                </span>
            </a>
        </li>
    }
}
