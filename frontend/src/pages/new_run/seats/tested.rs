//! Whether the chosen model answers: the button that tries it, and what came of it.

use turnwise_shared::wire::Probe;

use super::known;
use crate::prelude::*;
use crate::strings::connections;
use crate::view::figures;
use crate::{api, clock};

/// The state of the test of the chosen model.
#[derive(Debug, Clone, PartialEq)]
enum TestState {
    /// It was not tried here.
    Untested,
    Busy,
    /// It answered: now, with its milliseconds, or at an earlier time.
    Answered(String),
    /// It did not, and why.
    Failed(String),
}

/// The button and the state of the model in a seat.
#[component]
pub fn Tested(seat: String, player: Memo<Player>) -> impl IntoView {
    let known = RwSignal::new(TestState::Untested);
    Effect::new(move |_| {
        let before = match player.get() {
            Player::Model { .. } => known::tested(&player.get().to_string()),
            _ => None,
        };
        known.set(match before {
            Some(at) => TestState::Answered(format!("tested {}", clock::moment(at))),
            None => TestState::Untested,
        });
    });
    let is_model = move || player.with(|player| matches!(player, Player::Model { .. }));
    let test = move |_| {
        let chosen = player.get_untracked();
        let Player::Model { provider, model } = chosen.clone() else {
            return;
        };
        known.set(TestState::Busy);
        spawn_local(async move {
            let found = match api::probe(&Probe::Model { provider, model }).await {
                Ok(probed) => {
                    let took = number::latency(probed.timing.took);
                    match probed.reply {
                        Reply::Failed(failure) => {
                            let what = figures::failure_name(failure.class);
                            let at_once = probed.timing.took < 1;
                            let what = connections::failed(&what, &took, at_once);
                            TestState::Failed(format!("{what}: {}", failure.message))
                        }
                        _ => TestState::Answered(connections::answered(
                            &took,
                            probed.timing.attempts,
                        )),
                    }
                }
                Err(problem) => TestState::Failed(problem.message),
            };
            let answered = matches!(found, TestState::Answered(_));
            known::remember_test(&chosen.to_string(), answered);
            if player.try_get_untracked().as_ref() == Some(&chosen) {
                known.try_set(found);
            }
        });
    };
    let is_busy = move || known.with(|known| *known == TestState::Busy);
    let state = move || match known.get() {
        _ if !is_model() => ().into_any(),
        TestState::Untested => any_view! { <span class="faint">"not tested yet"</span> },
        TestState::Busy => any_view! { <span class="soft">"testing…"</span> },
        TestState::Answered(how) => any_view! {
            <span class="good tested-good">
                <SmallIcon name="check"/>
                {how}
            </span>
        },
        TestState::Failed(why) => any_view! { <span class="bad">{why}</span> },
    };
    view! {
        <div class="row tested">
            <button
                class="btn btn-small"
                type="button"
                aria-label=format!("Test the model of the {seat}")
                disabled=move || is_busy() || !is_model()
                aria-busy=move || is_busy().then_some("true")
                on:click=test
            >
                {connections::TEST}
            </button>
            <span class="small" role="status">{state}</span>
        </div>
    }
}
