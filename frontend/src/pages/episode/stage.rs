//! A game as it is looked at beside its transcript: the table at a decision, or the lanes of a match.

use crate::benchmarks::{Jump, screen, shares};
use crate::components::felt::{Notes, felt};
use crate::components::lanes::{lanes, totals};
use crate::components::play::log::{line_view, named};
use crate::components::timeline::{Reading, failed, instead};
use crate::prelude::*;
use crate::strings::game as words;
use crate::view::felt::{chips, price};
use crate::view::markdown;
use crate::view::number::fixed;
use crate::view::stage::{self, Hand, Moment};
use crate::view::timeline::prose;

/// The game of an episode; nothing where it is none.
#[component]
pub fn Stage(
    replayed: Arc<Replayed>,
    reading: Reading,
    /// The turn at which the reader is.
    now: Signal<Option<u32>>,
    /// Wishes to be at another.
    go: Callback<Option<u32>>,
    /// Whether the episode is played turn by turn.
    playing: Signal<bool>,
) -> impl IntoView {
    let reading = Arc::new(reading);
    let jump = screen(&reading.spec.benchmark)
        .and_then(|screen| screen.jump())
        .map(|jump| jump_button(jump, Arc::clone(&reading), now, go));
    if let Some(all) = stage::lanes(&replayed.frames) {
        let timeline = Arc::clone(&reading.timeline);
        let round = Signal::derive(move || {
            let turn = now.get()?;
            stage::round_of(&timeline.cells, turn)
        });
        return any_view! {
            <section class="card stack-2 stage-match" aria-label=words::MATCH>
                <h2 class="sr">{words::MATCH}</h2>
                {lanes(all, Some(round))}
                {jump}
                <div class="stage-thinking">{thinking(reading, now)}</div>
                <p class="small soft">"Letters are moves; the numbers below are payoffs. A dashed cell is a fallback move."</p>
                {totals(all)}
            </section>
        };
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
            if playing.get() && is_last { Moment::After } else { chosen.get() }
        })
    };
    let table = {
        let reading = Arc::clone(&reading);
        move || {
            let (turn, moment) = (now.get(), moment.get());
            let table = stage::table_at(&replayed.frames, turn, moment)?;
            let decides = match (turn, moment) {
                (Some(turn), Moment::Before) => {
                    let cell = reading.timeline.cell(turn);
                    cell.map(|cell| decision(&cell.sentence))
                }
                _ => None,
            };
            Some(table_view(table, &reading.who, decides))
        }
    };
    any_view! {
        <section class="stage" translate="no" aria-label="Table">
            <div class="stage-bar">
                {(hands.len() > 1).then(|| picker(Arc::clone(&hands), now, go))}
                {jump}
                <div class="seg push" role="group" aria-label="Moment">
                    {[(Moment::Before, "At the decision"), (Moment::After, "After it")]
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
            <div class="stage-in">
                {table}
                <div class="stage-thinking">{thinking(reading, now)}</div>
            </div>
        </section>
    }
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
                seat.and_then(|seat| who.get(seat)).cloned().unwrap_or_default()
            })
            .collect(),
        beside: (0..table.places.len())
            .map(|at| {
                let share = (*of_each?.get(at)?)?;
                Some(words::equity(fixed(share * 100.0, 0)))
            })
            .collect(),
        decides,
    };
    let note = equity.map(|equity| {
        let sampled = equity.sampled.then_some("Estimated from 1,000 boards.");
        view! { <p class="small soft">"Percentages: equity with all cards known. No player saw them." " " {sampled}</p> }
    });
    let acts = table.places.iter().any(|place| place.to_act);
    let price = match price(table) {
        Some(price) => Some(format!(
            "{} to call into {}: needs {} % equity.",
            chips(price.to_call, table.units_per_chip),
            chips(price.pot, table.units_per_chip),
            fixed(price.share * 100.0, 0)
        )),
        None if acts => Some("Checking is free.".to_owned()),
        None => None,
    };
    any_view! {
        <div class="stage-table">
            {felt(table, &notes)}
            <div class="stage-notes">
                {price.map(|price| view! { <p class="small"><b>{price}</b></p> })}
                {note}
            </div>
        </div>
        {log(table, &notes)}
    }
}

/// What was done in the hand so far.
fn log(table: &CardTable, notes: &Notes) -> AnyView {
    let lines: Vec<_> =
        table.log.iter().map(|line| line_view(&named(line, table, &notes.who))).collect();
    any_view! {
        <div class="log">
            <h2>{words::LOG}</h2>
            <ol tabindex="0" aria-label=words::LOG>{lines}</ol>
        </div>
    }
}

/// What the player of the reader's turn thought and wrote.
fn thinking(reading: Arc<Reading>, now: Signal<Option<u32>>) -> impl IntoView {
    move || {
        let turn = now.get()?;
        let (item, cell) = (reading.timeline.turn(turn)?, reading.timeline.cell(turn)?);
        let said = item.said();
        let taken = item.turn.reading.extracted.as_deref();
        let text = said.and_then(|said| said.text.as_deref());
        let prose = prose(text.unwrap_or_default(), taken);
        let thought = said.and_then(|said| said.reasoning.as_deref());
        let thought = thought.or(prose.thinking.as_deref()).unwrap_or_default().trim().to_owned();
        let instead = match &item.reply {
            Some(Reply::Said(said)) => instead(said),
            Some(Reply::Failed(failure)) => Some(failed(failure)),
            _ => None,
        };
        let nothing = thought.is_empty() && prose.text.is_empty() && instead.is_none();
        let body = view! {
            {(!thought.is_empty()).then(|| view! { <p class="thought">{thought}</p> })}
            <div class="md" inner_html=markdown::html(&prose.text)></div>
            {instead}
            {nothing.then(|| view! { <p class="faint">"Nothing was written besides the move."</p> })}
        };
        Some(view! {
            <h2>{reading.sentence(cell)}</h2>
            <div class="thinking-body" tabindex="0" role="group" aria-label="What the player thought" lang=reading.lang.clone()>
                {body}
            </div>
        })
    }
}

/// The button to the next turn of a kind that a benchmark finds worth seeing.
fn jump_button(
    jump: Jump,
    reading: Arc<Reading>,
    now: Signal<Option<u32>>,
    go: Callback<Option<u32>>,
) -> AnyView {
    let next = Memo::new(move |_| {
        let cells = &reading.timeline.cells;
        let now = now.get();
        let ahead = cells.iter().enumerate();
        let mut ahead = ahead.filter(|(_, cell)| now.is_none_or(|now| cell.turn > now));
        let found = ahead.find(|(at, _)| (jump.finds)(cells, *at));
        found.map(|(_, cell)| cell.turn)
    });
    any_view! {
        <button
            class="btn btn-small"
            type="button"
            id="stage-jump"
            disabled=move || next.get().is_none()
            on:click=move |_| go.run(next.get_untracked())
        >
            {jump.name}
        </button>
    }
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
            option(place.to_string(), name, move || at.get() == place)
        })
        .collect();
    let (back, on, pick) = (first.clone(), first.clone(), first);
    any_view! {
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
                aria-label="Hand"
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
}
