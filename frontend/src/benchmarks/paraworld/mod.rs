//! Worlds: fresh ones and their checks before a run, the player's page, the form of a person who searches or judges, and the end.

mod built;
mod end;
mod findings;
mod form;
mod fresh;
mod page;
mod seen;
mod strings;
mod words {
    turnwise_view::texts!("paraworld/words");
}

use findings::Findings;
use form::EngineForm;
use fresh::Fresh;
use turnwise_shared::benchmarks::paraworld::consult::Sheet;
use turnwise_shared::benchmarks::paraworld::settings::seat;

use super::{OwnForm, Screen};
use crate::at_table::ends::{End, Over};
use crate::benchmarks::TaskChoice;
use crate::live_seat::LiveSeat;
use crate::prelude::*;
use crate::view::asked::with_keys;

pub struct World;

impl Screen for World {
    fn tasks(&self, draft: TaskChoice) -> Option<AnyView> {
        Some(any_view! {
            <Fresh draft/>
            <Findings draft/>
        })
    }

    fn table(&self, seat: LiveSeat) -> Option<AnyView> {
        let is_player = seat.view.with(|view| {
            let own = view.as_ref().map(|view| view.seat.as_str().to_owned());
            own.as_deref() == Some(Seat::PLAYER)
        });
        is_player.then(|| any_view! { <page::WorldPage seat/> })
    }

    fn end(&self, over: &Over<'_>) -> Option<End> {
        end::worlds_end(over)
    }

    fn answer_form(&self, question: &Question) -> Option<OwnForm> {
        match (question.seat.as_str(), &question.expect) {
            (seat::ENGINE, Expect::Text) => {
                let sheet = Sheet::of(|name| question.part(name))?;
                Some(OwnForm::Controls {
                    lists: &["facts"],
                    draw: Box::new(move |open, said| {
                        any_view! { <EngineForm sheet open said/> }
                    }),
                })
            }
            (seat::JUDGE, Expect::Actions(forms)) => {
                let [form] = forms.as_slice() else {
                    return None;
                };
                let verdicts = ["Correct", "Incorrect"].map(|verdict| {
                    let text = form.text(&[verdict.to_owned()]);
                    (verdict.to_owned(), text)
                });
                Some(OwnForm::Words(with_keys(verdicts)))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
