//! A game as it is looked at beside its transcript: the table at a decision, or the lanes of a match.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;
use turnwise_shared::scene::{CardTable, Cell};

use crate::benchmarks::shares;
use crate::components::felt::{Notes, felt};
use crate::components::icons::Icon;
use crate::components::lanes::{lanes, totals};
use crate::strings::game as words;
use crate::view::felt::{chips, price};
use crate::view::number::fixed;
use crate::view::replayed::Replayed;
use crate::view::stage::{self, Hand, Moment};

/// The game of an episode; nothing where it is none.
#[component]
pub fn Stage(
    /// The episode, played again.
    replayed: Arc<Replayed>,
    /// Its ribbon.
    cells: Arc<Vec<Cell>>,
    /// Who sits in each seat, e.g. `1` → `equity`.
    who: Arc<BTreeMap<String, String>>,
    /// The turn at which the reader is.
    now: Signal<Option<u32>>,
    /// Wishes to be at another.
    go: Callback<Option<u32>>,
    /// Whether the episode is played turn by turn.
    playing: Signal<bool>,
) -> impl IntoView {
    if let Some(all) = stage::lanes(&replayed.frames) {
        let round = Signal::derive(move || {
            let turn = now.get()?;
            stage::round_of(&cells, turn)
        });
        return view! {
            <section class="card stack-2 stage-match" aria-label=words::MATCH>
                <h2 class="sr">{words::MATCH}</h2>
                {lanes(all, Some(round))}
                <p class="small soft">{words::LANES_NOTE}</p>
                {totals(all)}
            </section>
        }
        .into_any();
    }
    if stage::table_at(&replayed.frames, None, Moment::After).is_none() {
        return ().into_any();
    }
    let hands = Arc::new(stage::hands(&replayed.frames));
    let chosen = RwSignal::new(Moment::Before);
    let moment = {
        let hands = Arc::clone(&hands);
        Signal::derive(move || {
            // Played turn by turn, the last decision of a hand shows what the hand paid.
            let turn = now.get();
            let is_last = turn.is_some_and(|turn| hands.iter().any(|hand| hand.last == turn));
            if playing.get() && is_last {
                Moment::After
            } else {
                chosen.get()
            }
        })
    };
    let table = {
        let (replayed, cells, who) = (replayed, cells, who);
        move || {
            let (turn, moment) = (now.get(), moment.get());
            let table = stage::table_at(&replayed.frames, turn, moment)?;
            let decides = match (turn, moment) {
                (Some(turn), Moment::Before) => cells
                    .iter()
                    .find(|cell| cell.turn == turn)
                    .map(|cell| decision(&cell.sentence)),
                _ => None,
            };
            Some(table_view(table, &who, decides))
        }
    };
    view! {
        <section class="stage" translate="no" aria-label=words::TABLE>
            <div class="stage-bar">
                {(hands.len() > 1).then(|| picker(Arc::clone(&hands), now, go))}
                <div class="seg push" role="group" aria-label=words::MOMENT>
                    {[(Moment::Before, words::AT_DECISION), (Moment::After, words::AFTER_IT)]
                        .map(|(this, name)| {
                            view! {
                                <button
                                    type="button"
                                    disabled=move || now.get().is_none()
                                    aria-pressed=move || (now.get().is_some() && moment.get() == this).to_string()
                                    on:click=move |_| chosen.set(this)
                                >
                                    {name}
                                </button>
                            }
                        })
                        .collect_view()}
                </div>
            </div>
            {table}
        </section>
    }
    .into_any()
}

/// What a cell's sentence says of the decision itself, without what came of it.
fn decision(sentence: &str) -> String {
    let decision = sentence.split(" → ").next().unwrap_or(sentence);
    decision.to_owned()
}

fn table_view(
    table: &CardTable,
    who: &BTreeMap<String, String>,
    decides: Option<String>,
) -> AnyView {
    let equity = shares(table);
    let of_each = equity.as_ref().map(|equity| &equity.shares);
    let notes = Notes {
        who: table
            .places
            .iter()
            .map(|place| {
                let seat = place.seat.as_ref().map(|seat| seat.as_str());
                seat.and_then(|seat| who.get(seat))
                    .cloned()
                    .unwrap_or_default()
            })
            .collect(),
        beside: (0..table.places.len())
            .map(|at| {
                let share = (*of_each?.get(at)?)?;
                Some(words::equity(&fixed(share * 100.0, 0)))
            })
            .collect(),
        decides,
    };
    let note = equity.map(|equity| {
        let sampled = equity.sampled.then_some(words::EQUITY_SAMPLED);
        view! { <p class="small soft">{words::EQUITY_NOTE} " " {sampled}</p> }
    });
    let acts = table.places.iter().any(|place| place.to_act);
    let price = match price(table) {
        Some(price) => Some(words::price(
            &chips(price.to_call, table.units_per_chip),
            &chips(price.pot, table.units_per_chip),
            &fixed(price.share * 100.0, 0),
        )),
        None if acts => Some(words::FREE.to_owned()),
        None => None,
    };
    view! {
        <div class="stage-in">
            <div class="stage-table">
                {felt(table, &notes)}
                <div class="stage-notes">
                    {price.map(|price| view! { <p class="small"><b>{price}</b></p> })}
                    {note}
                </div>
            </div>
            {log(table)}
        </div>
    }
    .into_any()
}

/// What was done in the hand so far; streets are headings.
fn log(table: &CardTable) -> AnyView {
    let lines: Vec<_> = table
        .log
        .iter()
        .map(|line| match line.split_once(": ") {
            Some((street, cards)) if !street.contains(' ') => view! {
                <li class="log-street"><b>{street.to_owned()}</b> " " {cards.to_owned()}</li>
            }
            .into_any(),
            _ => view! { <li>{line.clone()}</li> }.into_any(),
        })
        .collect();
    view! {
        <div class="log">
            <h2>{words::LOG}</h2>
            <ol tabindex="0" aria-label=words::LOG>{lines}</ol>
        </div>
    }
    .into_any()
}

/// The choice of one of several hands.
fn picker(hands: Arc<Vec<Hand>>, now: Signal<Option<u32>>, go: Callback<Option<u32>>) -> AnyView {
    let at = {
        let hands = Arc::clone(&hands);
        Memo::new(move |_| stage::hand_of(&hands, now.get()).unwrap_or(0))
    };
    let first = {
        let hands = Arc::clone(&hands);
        move |hand: usize| go.run(hands.get(hand).map(|hand| hand.first))
    };
    let count = hands.len();
    let options: Vec<_> = hands
        .iter()
        .enumerate()
        .map(|(place, hand)| {
            let name = words::hand(hand.number, hands.last().map_or(0, |last| last.number));
            view! { <option value=place.to_string() prop:selected=move || at.get() == place>{name}</option> }
        })
        .collect();
    let (back, on, pick) = (first.clone(), first.clone(), first);
    view! {
        <div class="row">
            <button
                class="btn-icon"
                type="button"
                aria-label=words::HAND_BEFORE
                title=words::HAND_BEFORE
                disabled=move || at.get() == 0
                on:click=move |_| back(at.get_untracked().saturating_sub(1))
            >
                <Icon name="left"/>
            </button>
            <select
                class="select"
                aria-label=words::HAND
                on:change:target=move |event| {
                    if let Ok(hand) = event.target().value().parse() {
                        pick(hand);
                    }
                }
            >
                {options}
            </select>
            <button
                class="btn-icon"
                type="button"
                aria-label=words::HAND_AFTER
                title=words::HAND_AFTER
                disabled=move || { at.get() + 1 >= count }
                on:click=move |_| on(at.get_untracked() + 1)
            >
                <Icon name="right"/>
            </button>
        </div>
    }
    .into_any()
}
