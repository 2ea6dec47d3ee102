//! Built-in players of poker: rules without key and network. Shown as *baseline* everywhere. They read what a prompt shows and
//! reply in the words of the reply contract, as a model does.

mod chart;
mod equity;
mod view;

use serde_json::json;

use super::action::Kind;
use turnwise_core::prelude::*;
use view::View;

/// Every bot; each can sit in any seat.
pub const BOTS: &[BotInfo] = &[
    bot(
        "always-fold",
        "folds every hand, also where checking is free: the floor of the scale",
        |asked| decided(asked, |_| Move(Kind::Fold, 0)),
    ),
    bot("always-all-in", "puts in everything at every decision", |asked| {
        decided(asked, View::all_in)
    }),
    bot("calling-station", "checks or calls whatever is bet, and never raises", |asked| {
        decided(asked, View::check_or_call)
    }),
    bot(
        "random-legal",
        "takes one of the legal actions by chance, with an amount by chance where one is needed",
        |asked| decided(asked, |view| random_legal(view, asked)),
    ),
    bot(
        "tight-aggressive",
        "raises few good hands by a chart of the position, bets what has hit the board, gives up the rest",
        |asked| decided(asked, chart::decide),
    ),
    bot(
        "equity",
        "estimates its chance to win against random hands by dealing the rest many times, and compares it with the pot odds",
        |asked| decided(asked, |view| equity::decide(view, asked)),
    ),
];

const fn bot(name: &'static str, about: &'static str, reply: fn(&Asked<'_>) -> String) -> BotInfo {
    BotInfo::new(name, BotInfo::ANY_SEAT, about, reply)
}

/// What a bot decides: an action, and for a raise the total in whole chips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Move(Kind, u64);

fn decided(asked: &Asked<'_>, decide: impl FnOnce(&View) -> Move) -> String {
    // Without a view it was asked something other than a decision.
    let Move(kind, amount) = View::of(asked).map_or(Move(Kind::Fold, 0), |view| decide(&view));
    json!({ "action": kind.name(), "amount": amount }).to_string()
}

fn random_legal(view: &View, asked: &Asked<'_>) -> Move {
    let kinds = view.legal();
    let chosen = asked.draw("action", u32::try_from(kinds.len()).unwrap_or(1), 1);
    let kind = chosen
        .first()
        .and_then(|number| kinds.get(*number as usize))
        .copied()
        .unwrap_or(Kind::Fold);
    match (kind, view.raise) {
        (Kind::Raise, Some((least, most))) => {
            let amounts = saturated(most - least + 1);
            let more = asked.draw("amount", amounts, 1).first().copied().unwrap_or(0);
            Move(Kind::Raise, least + u64::from(more))
        }
        _ => Move(kind, 0),
    }
}
