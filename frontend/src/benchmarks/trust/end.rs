//! The end of a match: who it was.

use turnwise_shared::benchmarks::trust::protocol::noted;
use turnwise_shared::benchmarks::trust::strategy::Strategy;

use super::page::lanes_of;
use crate::at_table::ends::{End, Over};
use crate::at_table::unmasked::unmasked;
use crate::components::lanes::lanes;
use crate::prelude::*;
use crate::strings::play as words;
use crate::view::lanes::payoff;

/// The end of a match: who it was.
pub fn match_end(over: &Over<'_>) -> Option<End> {
    let (seat, spec) = (over.kept.seat.as_ref()?, over.spec);
    let who = opposite(spec, seat).and_then(|other| {
        let mut who = unmasked(spec, &other)?;
        if let Ok(rule) = who.name.parse::<Strategy>() {
            who.name = rule.in_words().to_owned();
        }
        let sitter = over.people.get(&other);
        let name = sitter.and_then(|sitter| sitter.name.as_deref());
        if let Some(name) = name.filter(|name| !name.trim().is_empty()) {
            who.name = name.to_owned();
        }
        Some(who)
    });
    let play = over.plays.last().map(|(_, play)| play);
    let score = play.and_then(|play| totals(play, seat));
    let length = play.and_then(rounds);
    let all = over
        .last
        .and_then(|view| view.last.as_ref())
        .and_then(|ended| lanes_of(&ended.scene))
        .cloned();
    let view = any_view! {
        <section class="card preveal">
            {who
                .map(|who| {
                    view! {
                        <p class="soft">{words::it_was(length)}</p>
                        <p class="preveal-name">{who.name}</p>
                        <p class="read">{words::sentence(&who.about)}</p>
                        {score.map(|(own, other)| view! { <p class="strong" id="match-score">{words::scored(own, other, own.cmp(&other))}</p> })}
                    }
                })}
            {score
                .map(|(own, other)| {
                    view! {
                        <dl translate="no" class="figures">
                            <div class="figure figure-main">
                                <dt>{words::YOU}</dt>
                                <dd class="figure-value">{payoff(own)}</dd>
                                <dd class="figure-range">{length.map(|rounds| format!("after {}", counted(rounds, "round", "rounds")))}</dd>
                            </div>
                            <div class="figure">
                                <dt>"The other"</dt>
                                <dd class="figure-value">{payoff(other)}</dd>
                            </div>
                        </dl>
                    }
                })}
            {all.map(|all| lanes(&all, None))}
        </section>
    };
    Some(End { view, has_links: false })
}

/// The other of two seats.
fn opposite(spec: &Spec, seat: &Seat) -> Option<Seat> {
    spec.seats.keys().find(|other| *other != seat).cloned()
}

/// What both seats of a match have earned: the given one first.
fn totals(play: &Transcript, seat: &Seat) -> Option<(i64, i64)> {
    let last = play.noted::<serde_json::Value>(noted::ROUND).last()?;
    let total = |place: usize| last["totals"][place].as_i64();
    let own = usize::from(last["seats"][0] != *seat.as_str());
    Some((total(own)?, total(1 - own)?))
}

/// How many rounds were played.
fn rounds(play: &Transcript) -> Option<u64> {
    play.outcome()?.result["rounds"].as_u64()
}
