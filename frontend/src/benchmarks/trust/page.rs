//! A match of the Trust Game: two lanes, two buttons.

use turnwise_shared::scene::Lanes;

use crate::at_table::frame::{AsModel, Head, Refusals, remark_in};
use crate::components::keys::{Decisive, on_key};
use crate::components::lanes::lanes;
use crate::components::play::clock::DecisionClock;
use crate::live_seat::LiveSeat;
use crate::prelude::*;
use crate::strings::play as words;
use crate::view::lanes::payoff;

/// The moves, as models write them, and their keys.
const MOVES: [(&str, &str); 2] = [("COOPERATE", "c"), ("DEFECT", "d")];

/// The lanes of a scene.
pub fn lanes_of(scene: &Scene) -> Option<&Lanes> {
    scene.blocks.iter().find_map(|block| match block {
        Block::Lanes(lanes) => Some(lanes),
        _ => None,
    })
}

#[component]
pub fn MatchPage(seat: LiveSeat) -> impl IntoView {
    let all = Memo::new(move |_| seat.view.with(|view| lanes_of(&view.as_ref()?.scene).cloned()));
    let told = Memo::new(move |_| {
        seat.view.with(|view| {
            let scene = &view.as_ref()?.scene;
            let rules = scene.blocks.iter().find_map(|block| match block {
                Block::Text { text, .. } => Some(text.clone()),
                _ => None,
            })?;
            Some((rules, remark_in(scene)))
        })
    });
    let round = Memo::new(move |_| {
        let played = all.map(|all| all.rounds.len()).unwrap_or(0);
        u32::try_from(played + 1).unwrap_or(u32::MAX)
    });
    // What was chosen here in which round; it is shown until the round is played.
    let chosen = RwSignal::new(None::<(u32, &'static str)>);
    let open = Signal::derive(move || seat.open_turn().is_some());
    let choose = move |name: &'static str| {
        if open.get_untracked() {
            chosen.set(Some((round.get_untracked(), name)));
            seat.reply(name.to_owned());
        }
    };
    let decisive = Decisive::of(move || round.track());
    on_key(move |event| {
        let key = event.key();
        if let Some((name, _)) = MOVES.iter().find(|(_, own)| *own == key) {
            if decisive.counts(event) {
                choose(name);
            }
            event.prevent_default();
        }
    });
    let own = move || all.and_then(|all| all.totals.first().copied()).unwrap_or(0);
    let status = move || {
        let before = all.with(|all| {
            let last = all.as_ref()?.rounds.last()?;
            let [own, other] = last.cells.get(..2)? else {
                return None;
            };
            Some(words::last_round(
                words::moved(&own.word),
                own.forced,
                words::moved(&other.word),
                payoff(own.payoff),
            ))
        });
        let now = match (open.get(), seat.is_connected()) {
            (true, _) => "Your choice?",
            (false, true) => "Waiting for the other.",
            (false, false) => words::NO_LINE,
        };
        match before {
            Some(before) => format!("{before} {now}"),
            None => now.to_owned(),
        }
    };
    let buttons: Vec<_> = MOVES
        .into_iter()
        .map(|(name, key)| {
            let pressed = move || {
                let is_chosen = !open.get() && chosen.get() == Some((round.get(), name));
                is_chosen.to_string()
            };
            let class = format!("choice-move is-{key}");
            let (word, meaning) = match key {
                "c" => ("Cooperate", "good for both"),
                _ => ("Defect", "good for you, once"),
            };
            view! {
                <button class=class type="button" disabled=move || !open.get() aria-pressed=pressed on:click=move |_| choose(name)>
                    <span class="choice-sign" aria-hidden="true">{key.to_uppercase()}</span>
                    <b>{word}</b>
                    <span class="choice-sub">{meaning}</span>
                    <kbd aria-hidden="true">{key}</kbd>
                </button>
            }
        })
        .collect();
    view! {
        <Head seat now=Signal::derive(move || format!("Round {}", round.get()))/>
        <div class="pmatch">
            <section class="card pmatch-lanes" aria-label="What was played">
                <p class="pmatch-total">
                    <span class="soft">"Your total"</span>
                    <b>{move || payoff(own())}</b>
                </p>
                {move || all.get().map(|all| lanes(&all, None))}
                <p class="small soft read">{move || told.get().map(|(rules, _)| rules)}</p>
            </section>
            <div class="pdesk">
                <DecisionClock deadline=seat.deadline/>
                <p class="pstatus" role="status">{status}</p>
                {move || told.get().and_then(|(_, remark)| remark).map(|remark| view! { <p class="warn" role="alert">{remark}</p> })}
                <div class="choice-moves" role="group" aria-label=words::YOUR_DECISION>
                    {buttons}
                </div>
                <Refusals seat/>
            </div>
            <AsModel seat/>
        </div>
    }
}
