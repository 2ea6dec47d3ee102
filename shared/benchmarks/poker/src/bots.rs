//! Built-in players of poker: rules without key and network. Shown as *baseline* everywhere. They read what a prompt shows and
//! reply in the words of the reply contract, as a model does.

mod chart;
mod equity;
mod view;

use serde_json::json;

use super::action::Kind;
use turnwise_core::benchmark::{Asked, BotInfo};
use turnwise_core::prompt::Said;
use view::View;

/// Every bot; each can sit in any seat.
pub const BOTS: &[BotInfo] = &[
    bot("always-fold", "folds every hand, also where checking is free: the floor of the scale"),
    bot("always-all-in", "puts in everything at every decision"),
    bot("calling-station", "checks or calls whatever is bet, and never raises"),
    bot(
        "random-legal",
        "takes one of the legal actions by chance, with an amount by chance where one is needed",
    ),
    bot(
        "tight-aggressive",
        "raises few good hands by a chart of the position, bets what has hit the board, gives up the rest",
    ),
    bot(
        "equity",
        "estimates its chance to win against random hands by dealing the rest many times, and compares it with the pot odds",
    ),
];

const fn bot(name: &'static str, about: &'static str) -> BotInfo {
    BotInfo { name, seat: BotInfo::ANY_SEAT, about }
}

/// What a bot decides: an action, and for a raise the total in whole chips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Move(Kind, u64);

/// What the bot of that name replies.
pub fn reply(name: &str, asked: &Asked<'_>) -> Option<Said> {
    let decide: fn(&View, &Asked<'_>) -> Move = match name {
        "always-fold" => |_, _| Move(Kind::Fold, 0),
        "always-all-in" => |view, _| view.all_in(),
        "calling-station" => |view, _| view.check_or_call(),
        "random-legal" => random_legal,
        "tight-aggressive" => |view, _| chart::decide(view),
        "equity" => equity::decide,
        _ => return None,
    };
    let Move(kind, amount) = match View::of(asked) {
        Some(view) => decide(&view, asked),
        // Whatever was asked, it was not a decision.
        None => Move(Kind::Fold, 0),
    };
    let reply = json!({ "action": kind.name(), "amount": amount });
    Some(Said::text(reply.to_string()))
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
            let amounts = u32::try_from(most - least + 1).unwrap_or(u32::MAX);
            let more = asked.draw("amount", amounts, 1).first().copied().unwrap_or(0);
            Move(Kind::Raise, least + u64::from(more))
        }
        _ => Move(kind, 0),
    }
}
