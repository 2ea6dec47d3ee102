//! Players over all tables, and table by table.

use leptos::prelude::*;
use turnwise_shared::benchmarks::poker::imported::Amount;
use turnwise_shared::benchmarks::poker::imported::stats_log::{
    MisSettledPlayer, Overview, PlayerRow, TablePlayer, TableRow,
};

use super::words as strings;
use crate::components::table::{Column, Table, TableCell};
use crate::view::number::{count, fixed, latency, signed};

/// Chips as one reads them, e.g. `11,500`.
pub fn chips(amount: Amount) -> String {
    fixed(amount.to_f64(), decimals(amount))
}

/// Chips with their sign, e.g. `+11,500`.
pub fn signed_chips(amount: Amount) -> String {
    signed(amount.to_f64(), decimals(amount))
}

fn decimals(amount: Amount) -> usize {
    if amount.in_millionths() % Amount::SCALE == 0 { 0 } else { 2 }
}

/// Players over all tables, in seat order.
pub fn overall(overview: &Overview) -> AnyView {
    let columns = vec![
        Column::words(strings::PLAYER),
        Column::numbers(strings::PER_HAND, strings::CHIPS),
        Column::numbers(strings::PER_HAND_CORRECTED, strings::CHIPS),
        Column::numbers(strings::INTERVAL, strings::CHIPS),
        Column::numbers(strings::T, ""),
        Column::numbers(strings::VPIP, "%"),
        Column::numbers(strings::FOLDS, "%"),
        Column::numbers(strings::THINKS, ""),
        Column::numbers(strings::HANDS, ""),
    ];
    let players = overview.players.iter().zip(&overview.missettled.players);
    let rows = players.map(|(player, corrected)| player_row(player, corrected)).collect();
    view! { <Table label=strings::OVERALL columns rows/> }.into_any()
}

fn player_row(player: &PlayerRow, corrected: &MisSettledPlayer) -> Vec<TableCell> {
    let percent = |share: Option<f64>| share.map(|share| share * 100.0);
    let rate = |mean, sd| spread(percent(mean), percent(sd), fixed);
    let interval = player.winnings_per_hand_interval;
    let interval = interval.map(|(low, high)| format!("{} to {}", signed(low, 0), signed(high, 0)));
    let thinks = player.avg_think_ms_mean;
    let numbers = [
        spread(player.winnings_per_hand_mean, player.winnings_per_hand_sd, signed),
        spread(corrected.corrected_mean, corrected.corrected_sd, signed),
        interval.unwrap_or_else(none),
        player.t.map_or_else(none, |t| signed(t, 2)),
        rate(player.vpip_mean, player.vpip_sd),
        rate(player.fold_mean, player.fold_sd),
        // A time from a file may be anything; the cast cuts it to what can be shown.
        thinks.map_or_else(none, |thinks| latency(thinks.round() as u64)),
        count(player.hands),
    ];
    let numbers = numbers.into_iter().map(TableCell::Number);
    std::iter::once(TableCell::Text(player.name.clone())).chain(numbers).collect()
}

/// `+33.4 ± 47.0`
fn spread(mean: Option<f64>, sd: Option<f64>, write: fn(f64, usize) -> String) -> String {
    match (mean, sd) {
        (None, _) => none(),
        (Some(mean), None) => write(mean, 1),
        (Some(mean), Some(sd)) => format!("{} ± {}", write(mean, 1), fixed(sd, 1)),
    }
}

fn none() -> String {
    "–".to_owned()
}

/// What is shown of each player at each table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Show {
    Total,
    PerHand,
    Vpip,
    Folds,
}

impl Show {
    const ALL: [(Show, &'static str); 4] = [
        (Show::Total, strings::SHOW_TOTAL),
        (Show::PerHand, strings::SHOW_PER_HAND),
        (Show::Vpip, strings::VPIP),
        (Show::Folds, strings::FOLDS),
    ];

    fn unit(self) -> &'static str {
        match self {
            Show::Total | Show::PerHand => "",
            Show::Vpip | Show::Folds => "%",
        }
    }

    fn of(self, player: &TablePlayer) -> String {
        let share = |part: u32| match player.hands {
            0 => none(),
            hands => fixed(f64::from(part) / f64::from(hands) * 100.0, 1),
        };
        match self {
            Show::Total => signed_chips(player.total),
            Show::PerHand => player.winnings_per_hand.map_or_else(none, |chips| signed(chips, 1)),
            Show::Vpip => share(player.vpip_count),
            Show::Folds => share(player.folds),
        }
    }
}

/// A row a table, a column a player.
#[component]
pub fn Tables(
    /// What the logs say.
    overview: Signal<Overview>,
) -> impl IntoView {
    let show = RwSignal::new(Show::Total);
    let choices: Vec<_> = Show::ALL
        .into_iter()
        .map(|(choice, name)| {
            view! {
                <button
                    type="button"
                    aria-pressed=move || (show.get() == choice).to_string()
                    on:click=move |_| show.set(choice)
                >
                    {name}
                </button>
            }
        })
        .collect();
    view! {
        <section class="section">
            <div class="section-head">
                <h2>{strings::TABLES}</h2>
                <div class="seg" role="group" aria-label=strings::SHOWN>
                    {choices}
                </div>
            </div>
            {move || overview.with(|overview| by_table(overview, show.get()))}
            <p class="small soft logs-note">{strings::TABLES_NOTE}</p>
        </section>
    }
}

fn by_table(overview: &Overview, show: Show) -> AnyView {
    let names: Vec<&str> = overview.players.iter().map(|one| one.name.as_str()).collect();
    let players = names.iter().map(|name| Column::numbers(*name, show.unit()));
    let columns = std::iter::once(Column::words(strings::TABLE))
        .chain(players)
        .chain([
            Column::numbers(strings::SUM, strings::CHIPS),
            Column::numbers(strings::HANDS, ""),
            Column::numbers(strings::MISSING, ""),
            Column::numbers(strings::LINES, ""),
        ])
        .collect();
    let rows = overview
        .tables
        .iter()
        .map(|table| {
            let players = names.iter().enumerate().map(|(at, name)| {
                let before = names[..at].iter().filter(|other| other == &name).count();
                seated(table, name, before).map_or_else(none, |player| show.of(player))
            });
            let numbers = players.chain([
                signed_chips(table.sum),
                count(table.hands.into()),
                count(table.missing.into()),
                count(table.lines as u64),
            ]);
            std::iter::once(TableCell::Text(table.table.to_string()))
                .chain(numbers.map(TableCell::Number))
                .collect()
        })
        .collect();
    view! { <Table label=strings::TABLES columns rows/> }.into_any()
}

/// A player at a table. Of several with one name, the one after so many others.
fn seated<'a>(table: &'a TableRow, name: &str, before: usize) -> Option<&'a TablePlayer> {
    let mut same = table.players.iter().filter(|player| player.name == name);
    same.nth(before)
}
