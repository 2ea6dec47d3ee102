//! Any other seat: the player of a question, whoever answers it, searches for it or grades it. Everybody sees what a model in
//! the same seat is sent, and has a form for what it would have to write.

use leptos::prelude::*;
use turnwise_shared::benchmark::Benchmark;
use turnwise_shared::registry;
use turnwise_shared::run::Question;
use turnwise_shared::scene::{Block, Scene};
use turnwise_shared::seat::Seat;

use super::people_at;
use super::shared::{AsModel, Head, Refusals, follow_newest};
use crate::components::person::{Asked, Rules};
use crate::components::play::clock::DecisionClock;
use crate::components::play::forms::Forms;
use crate::components::play::scene::scene_view;
use crate::live_seat::LiveSeat;
use crate::strings::person;
use crate::strings::play as words;
use crate::view::asked::follows;

/// See the module's head.
#[component]
pub fn OtherPage(seat: LiveSeat) -> impl IntoView {
    let own = Memo::new(move |_| {
        seat.view
            .with(|view| view.as_ref().map(|view| view.seat.clone()))
    });
    move || match own.get() {
        Some(own) if follows(&own) => view! { <Player seat/> }.into_any(),
        Some(own) => view! { <Beside seat own/> }.into_any(),
        None => ().into_any(),
    }
}

fn part(seat: LiveSeat) -> Signal<String> {
    Signal::derive(move || {
        seat.view.with(|view| {
            let Some(view) = view else {
                return String::new();
            };
            let name = registry::find(&view.table.benchmark).map_or("", |game| game.title());
            words::part(name, view.episode, view.table.episodes)
        })
    })
}

/// The seat under evaluation: the episode so far, and the next action.
#[component]
fn Player(seat: LiveSeat) -> impl IntoView {
    let scene = Memo::new(move |_| {
        seat.view
            .with(|view| view.as_ref().map(|view| view.scene.clone()))
    });
    let asked = Memo::new(move |_| {
        seat.view.with(|view| {
            let view = view.as_ref()?;
            let ask = view.ask.as_ref()?;
            let benchmark = registry::find(&view.table.benchmark).ok()?;
            let expect = benchmark.expects_of_person(&view.seat, &ask.expect, &view.scene);
            Some((ask.turn, expect))
        })
    });
    follow_newest(
        move || {
            let blocks =
                |scene: &Scene| scene.blocks.iter().filter(|block| is_reply(block)).count();
            scene.with(|scene| scene.as_ref().map_or(0, blocks))
        },
        ".pother > .stack-2 > .stack-2 > .b-back:nth-last-child(1 of .b-back)",
    );
    let open = Signal::derive(move || seat.open_turn().is_some());
    let controls = move || match asked.get() {
        Some((turn, expect)) => {
            provide_context(seat.unsent(turn));
            view! {
                <Forms expect open decide=Callback::new(move |text| seat.reply(text))/>
            }
            .into_any()
        }
        None => view! { <p class="soft" role="status">{words::WAIT}</p> }.into_any(),
    };
    // Until something is done in the new episode.
    let before = Memo::new(move |_| {
        seat.view.with(|view| {
            let view = view.as_ref()?;
            let last = view.last.as_ref().filter(|_| !has_moved(&view.scene))?;
            let scene = last.reveal.as_ref().unwrap_or(&last.scene);
            Some((
                words::is_over(people_at(seat).episode.0, last.episode),
                scene.clone(),
            ))
        })
    });
    let before = move || {
        before.get().map(|(heading, scene)| {
            view! {
                <details class="more">
                    <summary>{heading}</summary>
                    <div class="more-body stack-2">{scene_view(&scene)}</div>
                </details>
            }
        })
    };
    view! {
        <Head seat now=part(seat)/>
        <div class="pother">
            {before}
            <div class="stack-2">{move || scene.get().map(|scene| scene_view(&scene))}</div>
            <div class="pdesk">
                <DecisionClock deadline=seat.deadline/>
                {controls}
                <Refusals seat/>
            </div>
            <AsModel seat/>
        </div>
    }
}

/// Whether somebody has done something in an episode.
fn has_moved(scene: &Scene) -> bool {
    let mut blocks = scene.blocks.iter();
    blocks.any(|block| matches!(block, Block::Act { .. }))
}

/// Whether it is what came back for an action.
fn is_reply(block: &Block) -> bool {
    matches!(block, Block::Came { .. } | Block::Results { .. })
}

/// A benchmark, which is the same as long as its name is.
#[derive(Clone, Copy)]
struct Same(&'static dyn Benchmark);

impl PartialEq for Same {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

/// A seat that is asked one thing at a time.
#[component]
fn Beside(seat: LiveSeat, own: Seat) -> impl IntoView {
    let asked = Memo::new(move |_| {
        seat.view.with(|view| {
            let view = view.as_ref()?;
            let ask = view.ask.as_ref()?;
            let question = Question {
                seat: view.seat.clone(),
                expect: ask.expect.clone(),
                messages: ask.messages.clone(),
                parts: ask.parts.clone(),
                scene: view.scene.clone(),
            };
            let benchmark = registry::find(&view.table.benchmark).ok()?;
            Some((ask.turn, Same(benchmark), question))
        })
    });
    let open = Signal::derive(move || seat.open_turn().is_some());
    let said = Callback::new(move |text| seat.reply(text));
    let body = move || match asked.get() {
        Some((turn, Same(benchmark), question)) => {
            let rules = if turn == 1 {
                Rules::Open
            } else {
                Rules::Folded
            };
            provide_context(seat.unsent(turn));
            view! { <Asked benchmark question open said rules/> }.into_any()
        }
        None => view! { <p class="soft" role="status">{words::WAIT}</p> }.into_any(),
    };
    view! {
        <Head seat now=part(seat)/>
        <div class="pother">
            <section class="card person">
                <h2>{person::asked_as(own.as_str())}</h2>
                <DecisionClock deadline=seat.deadline/>
                {body}
                <Refusals seat/>
            </section>
        </div>
    }
}
