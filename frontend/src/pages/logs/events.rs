//! Logs of events: every hand against our reference engine.

use leptos::prelude::*;
use turnwise_shared::benchmarks::poker::imported::game_log::replay::Replay;
use turnwise_shared::benchmarks::poker::imported::game_log::{Ending, HandRow, Summary};

use super::tables::{chips, signed_chips};
use crate::components::table::{Column, Table, TableCell};
use crate::strings::logs as strings;
use crate::view::number::count;

/// Hands that are shown at first, and then each time more.
const PORTION: usize = 50;

/// The section.
#[component]
pub fn Events(
    /// What the logs say.
    summary: Signal<Summary>,
) -> impl IntoView {
    let different = Memo::new(move |_| summary.with(|summary| summary.counts.replay_differs));
    // Where something differs, that is what one wants to see.
    let only_different = RwSignal::new(different.get_untracked() > 0);
    let most = RwSignal::new(PORTION);
    let choice = move |only: bool, name: Signal<String>| {
        view! {
            <button
                type="button"
                aria-pressed=move || (only_different.get() == only).to_string()
                on:click=move |_| {
                    only_different.set(only);
                    most.set(PORTION);
                }
            >
                {name}
            </button>
        }
    };
    let all =
        Signal::derive(move || strings::all_hands(summary.with(|summary| summary.hands.len())));
    let some = Signal::derive(move || strings::only_different(different.get()));
    view! {
        <section class="section stack" id="events">
            <div class="section-head">
                <h2>{strings::EVENTS}</h2>
                <div class="seg" role="group" aria-label=strings::WHICH>
                    {choice(false, all)} {choice(true, some)}
                </div>
            </div>
            <p class="read">{strings::EVENTS_LEAD}</p>
            {move || summary.with(figures)}
            {move || {
                summary.with(|summary| hands(summary, only_different.get(), most))
            }}
            <h3>{strings::EVENT_PLAYERS}</h3>
            {move || summary.with(players)}
            {move || {
                summary.with(|summary| {
                    summary
                        .remarks
                        .iter()
                        .map(|remark| view! { <p class="small soft">{remark.clone()}</p> })
                        .collect_view()
                })
            }}
        </section>
    }
}

fn figures(summary: &Summary) -> AnyView {
    let counts = &summary.counts;
    let figure = |title: &'static str, value: usize, note: String| {
        view! {
            <div class="figure">
                <dt>{title}</dt>
                <dd class="figure-value">{count(value as u64)}</dd>
                <dd class="figure-range">{note}</dd>
            </div>
        }
    };
    view! {
        <dl translate="no" class="figures">
            {figure(
                strings::HANDS,
                counts.hands,
                strings::endings(counts.fold_wins, counts.showdowns, counts.unfinished),
            )}
            {figure(strings::ALIKE, counts.replay_ok, String::new())}
            {figure(strings::OPEN, counts.replay_open, String::new())}
            {figure(strings::DIFFERENT, counts.replay_differs, String::new())}
        </dl>
        <p class="small soft logs-note">{strings::repeats(counts.repeats, counts.lines)} "."</p>
    }
    .into_any()
}

fn hands(summary: &Summary, only_different: bool, most: RwSignal<usize>) -> AnyView {
    let wanted = |hand: &&HandRow| !only_different || matches!(hand.replay, Replay::Differs(_));
    let all = summary.hands.iter().filter(wanted).count();
    if all == 0 {
        return view! { <p class="good">{strings::NONE_DIFFERS}</p> }.into_any();
    }
    let columns = vec![
        Column::words(strings::HAND),
        Column::words(strings::ENGINE),
        Column::words(strings::ENDING),
        Column::words(strings::BOARD),
        Column::numbers(strings::POT, strings::CHIPS),
        Column::numbers(strings::DECISIONS, ""),
    ];
    let rows = summary
        .hands
        .iter()
        .filter(wanted)
        .take(most.get())
        .map(row)
        .collect();
    let rest = all.saturating_sub(most.get());
    let more = (rest > 0).then(|| {
        view! {
            <button
                class="btn btn-quiet"
                type="button"
                on:click=move |_| most.update(|most| *most += 4 * PORTION)
            >
                {strings::more_hands(rest)}
            </button>
        }
    });
    view! {
        <Table label=strings::EVENTS columns rows/>
        {more}
    }
    .into_any()
}

fn row(hand: &HandRow) -> Vec<TableCell> {
    let engine = match &hand.replay {
        Replay::Ok => strings::ENGINE_ALIKE.to_owned(),
        Replay::NotSettled => strings::ENGINE_NOT_SETTLED.to_owned(),
        Replay::Unfinished => strings::ENGINE_UNFINISHED.to_owned(),
        Replay::Differs(difference) => strings::engine_differs(
            difference.line,
            &difference.what,
            &difference.log,
            &difference.engine,
        ),
    };
    let ending = match hand.ending {
        Ending::FoldWin => strings::ENDING_FOLD,
        Ending::Showdown => strings::ENDING_SHOWDOWN,
        Ending::Unfinished => strings::ENDING_NONE,
    };
    vec![
        TableCell::Text(strings::hand_of(hand.table, hand.hand)),
        TableCell::Text(engine),
        TableCell::Text(ending.to_owned()),
        TableCell::Text(hand.board.join(" ")),
        TableCell::Number(chips(hand.pot)),
        TableCell::Number(count(hand.actions.len() as u64)),
    ]
}

/// How often each player did what.
fn players(summary: &Summary) -> AnyView {
    let actions: Vec<&String> = summary.counts.actions.keys().collect();
    let columns = [
        Column::words(strings::PLAYER),
        Column::numbers(strings::HANDS, ""),
        Column::numbers(strings::WINS, ""),
        Column::numbers(strings::WINNINGS, strings::CHIPS),
    ];
    let columns = columns
        .into_iter()
        .chain(
            actions
                .iter()
                .map(|action| Column::numbers(action.as_str(), "")),
        )
        .chain([
            Column::numbers(strings::INVALID, ""),
            Column::numbers(strings::AUTO_FOLDS, ""),
        ])
        .collect();
    let rows = summary
        .players
        .iter()
        .map(|player| {
            let done = |action: &&String| player.actions.get(*action).copied().unwrap_or(0);
            let first = [
                count(player.hands as u64),
                count(player.wins as u64),
                signed_chips(player.winnings),
            ];
            let rest = [player.client.invalid_format, player.client.errors];
            let counts = actions.iter().map(done).chain(rest);
            let counts = counts.map(|number| count(number as u64));
            std::iter::once(TableCell::Text(player.name.clone()))
                .chain(first.into_iter().chain(counts).map(TableCell::Number))
                .collect()
        })
        .collect();
    view! { <Table label=strings::EVENT_PLAYERS columns rows/> }.into_any()
}
