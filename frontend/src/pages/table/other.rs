//! Any other game: the same texts that a model is shown, and a form for what it would have to write.

use leptos::prelude::*;
use turnwise_shared::registry;

use super::shared::{AsModel, Head, Refusals};
use crate::components::play::clock::DecisionClock;
use crate::components::play::forms::Forms;
use crate::components::play::scene::scene_view;
use crate::live_seat::LiveSeat;
use crate::strings::play as words;

/// See the module's head.
#[component]
pub fn OtherPage(seat: LiveSeat) -> impl IntoView {
    let now = Signal::derive(move || {
        seat.view.with(|view| {
            let Some(view) = view else {
                return String::new();
            };
            let name = registry::find(&view.table.benchmark).map_or("", |game| game.title());
            words::part(name, view.episode, view.table.episodes)
        })
    });
    let scene = Memo::new(move |_| {
        seat.view
            .with(|view| view.as_ref().map(|view| view.scene.clone()))
    });
    let asked = Memo::new(move |_| {
        seat.view.with(|view| {
            let ask = view.as_ref()?.ask.as_ref()?;
            Some((ask.turn, ask.expect.clone()))
        })
    });
    let open = Signal::derive(move || seat.open_turn().is_some());
    let controls = move || match asked.get() {
        Some((_, expect)) => view! {
            <Forms expect open decide=Callback::new(move |text| seat.reply(text))/>
        }
        .into_any(),
        None => view! { <p class="soft" role="status">{words::WAIT}</p> }.into_any(),
    };
    view! {
        <Head seat now/>
        <div class="pother">
            <div>{move || scene.get().map(|scene| scene_view(&scene))}</div>
            <div class="pdesk">
                <DecisionClock deadline=seat.deadline/>
                {controls}
                <Refusals seat/>
            </div>
            <AsModel seat/>
        </div>
    }
}
