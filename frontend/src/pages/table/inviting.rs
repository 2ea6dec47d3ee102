//! Invitations, and the page of a host who only invites: who has sat down, how far the game is, and the way to the run.

use crate::at_table::frame::{link_field, sitter_row};
use crate::components::head::title;
use crate::live_seat::Kept;
use crate::prelude::*;
use crate::strings::play as words;
use crate::{api, clock};

/// Milliseconds between two looks at the table.
const LOOK: u32 = 2000;

/// A link for every seat to which a person is invited.
pub fn invitations(run: &RunId, kept: &Kept) -> Vec<AnyView> {
    let seats = kept.invitations.iter();
    seats
        .map(|(place, ticket)| {
            let label = words::seat_named(place.as_str(), false);
            link_field(format!("invitation-{place}"), label, Kept::link(run, ticket))
        })
        .collect()
}

#[component]
pub fn Inviting(run: RunId, kept: Kept) -> impl IntoView {
    let info = RwSignal::new(None::<LiveInfo>);
    let problem = RwSignal::new(None::<ApiError>);
    let asked = run.clone();
    spawn_local(async move {
        loop {
            let ends = match api::live::info(&asked).await {
                Ok(found) => {
                    let is_over = found.stage == LiveStage::Over;
                    problem.try_set(None);
                    info.put(found);
                    is_over
                }
                Err(error) => {
                    let passes = api::passes(&error);
                    // What is said already is not read out again.
                    let known = problem.try_with_untracked(|known| known.as_ref() == Some(&error));
                    if known == Some(false) {
                        problem.put(error);
                    }
                    !passes
                }
            };
            // The page was closed, or nothing more will come.
            if ends || info.is_disposed() {
                return;
            }
            clock::sleep(LOOK).await;
        }
    });
    title(|| words::INVITE_PEOPLE.to_owned());
    let links = StoredValue::new((run.clone(), kept));
    let people = move || {
        info.and_then(|info| {
            let rows = info.people.iter().map(|(place, sitter)| {
                let seat = words::seat_named(place.as_str(), false);
                let seat = match &sitter.agreed {
                    Some(agreed) => {
                        format!("{seat} agreed on {}", clock::moment(agreed.time))
                    }
                    None => seat,
                };
                sitter_row(sitter, seat)
            });
            Some(rows.collect_view())
        })
    };
    let stage = Memo::new(move |_| info.map(|info| info.stage));
    let progress = move || info.and_then(|info| Some(words::how_far(info)));
    let to_run = address::run(&run, &Wall::default());
    view! {
        <div class="page-head">
            <div>
                <h1>{words::INVITE_PEOPLE}</h1>
                <p class="soft">{words::INVITED_NOTE}</p>
            </div>
        </div>
        <Trouble problem/>
        <div class="stack play-lobby" id="inviting">
            <Show when=move || stage.get().is_none() && problem.is_none()>
                <Loading/>
            </Show>
            <Show when=move || stage.get() == Some(LiveStage::Lobby)>
                <section class="card stack-2">
                    <h2>{words::INVITE}</h2>
                    <p class="soft">{words::INVITE_WHY}</p>
                    {links.with_value(|(run, kept)| invitations(run, kept))}
                </section>
            </Show>
            <section class="card stack-2">
                <h2>{words::WHO_IS_HERE}</h2>
                <p role="status">{progress}</p>
                <ul class="stack-2 play-people">{people}</ul>
            </section>
            <Show when=move || stage.get() == Some(LiveStage::Over)>
                <p class="row">
                    <a class="btn btn-primary" id="to-run" href=to_run.clone()>{words::TO_RUN}</a>
                    <span class="soft">
                        "Not published yet. Published, its evidence tier is “human”, because everybody agreed to be recorded."
                    </span>
                </p>
            </Show>
        </div>
    }
}
