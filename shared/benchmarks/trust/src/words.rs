//! A match in the words of who reads about it: who met whom, what each round paid, and what it came to.

use serde::Deserialize;
use serde_json::Value;
use turnwise_core::metrics::number::signed;
use turnwise_core::prelude::*;

use super::game::Action;
use super::protocol::noted;
use super::strategy::Strategy;
use super::tasks::label;

/// The name of a match: `grim against tit-for-tat, match 3`.
pub fn task_name(spec: &Spec, task: &TaskRef) -> Option<String> {
    let mut names = Vec::new();
    for place in label::PLACES {
        names.push(who(spec, &Seat::new(task.labels.get(place)?.as_str())));
    }
    let (number, delta) = (task.labels.get(label::REPEAT)?, task.labels.get(label::DELTA)?);
    Some(format!("{}, match {number} (δ {delta})", names.join(" against ")))
}

/// Who sits in a seat.
fn who(spec: &Spec, seat: &Seat) -> String {
    let name = spec.who(seat);
    match name.parse::<Strategy>() {
        Ok(rule) => rule.in_words().to_owned(),
        Err(_) => name,
    }
}

/// A round, or a whole match, as one of its events has it.
#[derive(Deserialize)]
struct Round {
    #[serde(rename = "round")]
    number: u64,
    seats: [Seat; 2],
    actions: [Action; 2],
    payoffs: [i64; 2],
    totals: [i64; 2],
}

/// What a round brought; `None` for an event of another kind.
pub fn event(spec: &Spec, name: &str, detail: &Value) -> Option<String> {
    if name != noted::ROUND {
        return None;
    }
    let round = Round::deserialize(detail).ok()?;
    let each = [0, 1].map(|place| {
        format!(
            "{} {} ({})",
            who(spec, &round.seats[place]),
            round.actions[place].verb(),
            signed(round.payoffs[place] as f64, 0)
        )
    });
    Some(format!(
        "Round {}: {}; so far {} : {}",
        round.number,
        each.join(", "),
        round.totals[0],
        round.totals[1]
    ))
}

/// What a match came to.
pub fn result(play: &Transcript) -> Option<String> {
    let spec = &play.header.spec;
    let last = play.noted::<Round>(noted::ROUND).last()?;
    play.outcome()?;
    let count = match last.number {
        1 => "1 round".to_owned(),
        more => format!("{more} rounds"),
    };
    let [one, other] =
        [0, 1].map(|place| format!("{} {}", who(spec, &last.seats[place]), last.totals[place]));
    Some(format!("{count}: {one}, {other}"))
}
