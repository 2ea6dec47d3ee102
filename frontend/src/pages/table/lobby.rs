//! Before the game: a name, invitations, and who is here.

use turnwise_shared::evidence_tier::Attendance;
use turnwise_shared::wire::live::CONSENT;

use super::inviting::invitations;
use crate::at_table::frame::{Refusals, sitter_row};
use crate::components::rules::{Rules, rules_of};
use crate::live_seat::LiveSeat;
use crate::prelude::*;
use crate::strings::play as words;
use crate::view::room_setup::LONGEST_NAME;

#[component]
pub fn Lobby(run: RunId, seat: LiveSeat) -> impl IntoView {
    let typed = RwSignal::new(String::new());
    let seated = Memo::new(move |_| {
        seat.view.and_then(|view| view.table.people.get(&view.seat)?.name.clone())
    });
    let about = move || {
        seat.view.and_then(|view| {
            let table = &view.table;
            let game = registry::find(&table.benchmark).ok()?;
            let kind = match table.kind {
                LiveKind::Practice => game.people().map_or("", |people| people.practice),
                LiveKind::Rated => words::RATED_NOTE,
            };
            Some(view! {
                <h1>{game.title()}</h1>
                <p class="soft">{kind}</p>
                <p class="soft">{words::clock(table.clock)}</p>
                {rules_of(game, &view.seat, Rules::Open)}
            })
        })
    };
    let people = move || {
        seat.view.and_then(|view| {
            let rows: Vec<_> = view
                .table
                .people
                .iter()
                .map(|(place, sitter)| {
                    let own = *place == view.seat;
                    sitter_row(sitter, words::seat_named(place.as_str(), own))
                })
                .collect();
            Some(rows)
        })
    };
    let kept = seat.kept();
    let has_invitations = !kept.invitations.is_empty();
    let invitations = invitations(&run, &kept);
    let is_invited = Memo::new(move |_| {
        seat.view.is_some_and(|view| view.table.attendance == Attendance::Invited)
    });
    // A person who plays for the record can practise first; the link of the seat stays good.
    let practice = move || {
        let game = seat.view.map(|view| view.table.benchmark.clone())?;
        Some(view! {
            <p>
                <a id="practise-first" href=format!("/play?game={game}") target="_blank">"Try a sample first"</a>
                " "
                <span class="small soft">"Opens in a new tab. It does not count and is not part of the record."</span>
            </p>
        })
    };
    let agrees = RwSignal::new(false);
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let agrees_to = is_invited.get_untracked().then(|| CONSENT.to_owned());
        seat.sit(&typed.get_untracked(), agrees_to);
    };
    let got_up = RwSignal::new(false);
    let get_up = move |_| {
        got_up.set(true);
        seat.get_up();
    };
    view! {
        <div class="page-head"><div>{about}</div></div>
        <div class="stack play-lobby">
            <p role="status" hidden=move || !got_up.get() || seated.is_some()>
                {move || got_up.get().then_some("You have left your seat. It is free until somebody sits down with its link.")}
                " "
                <a href="/play">{words::ANOTHER}</a>
            </p>
            <Show when=move || seated.is_none()>
                <form class="card stack" on:submit=submit>
                    <div class="field">
                        <label for="lobby-name">{words::NAME}</label>
                        <input
                            id="lobby-name"
                            class="input"
                            type="text"
                            autocomplete="nickname"
                            maxlength=LONGEST_NAME
                            on:input:target=move |event| typed.set(event.target().value())
                        />
                    </div>
                    <Show when=move || is_invited.get()>
                        <div class="note">
                            <p class="note-title">"You play as a person, for the record"</p>
                            <p id="consent-words">{CONSENT}</p>
                            <p class="small soft">
                                "You need not give your real name. Whoever invited you decides whether it is \
                                published, and can take it back."
                            </p>
                            {practice}
                        </div>
                        <label class="check">
                            <input
                                type="checkbox"
                                id="consent"
                                aria-describedby="consent-words"
                                bind:checked=agrees
                            />
                            <span>"I have read this and agree"</span>
                        </label>
                    </Show>
                    <button
                        class="btn btn-primary btn-big"
                        type="submit"
                        disabled=move || is_invited.get() && !agrees.get()
                    >
                        {words::SIT_DOWN}
                    </button>
                    <p class="small soft">
                        "Sitting down adds a number of your own to the seed of all chance, so that nobody alone decides it."
                    </p>
                </form>
            </Show>
            <Refusals seat/>
            <section class="card stack-2">
                <h2 role="status">{move || if seated.is_some() { "Waiting for the others to sit down" } else { words::WHO_IS_HERE }}</h2>
                <ul class="stack-2 play-people">{people}</ul>
                <Show when=move || seated.is_some()>
                    <p class="row">
                        <button class="btn" type="button" disabled=move || !seat.is_connected() on:click=get_up>
                            {words::LEAVE}
                        </button>
                        <span class="small soft">"Your seat is free again then, for you or for whoever has its link."</span>
                    </p>
                </Show>
            </section>
            {has_invitations
                .then(|| {
                    view! {
                        <section class="card stack-2">
                            <h2>{words::INVITE}</h2>
                            <p class="soft">{words::INVITE_WHY}</p>
                            {invitations}
                        </section>
                    }
                })}
        </div>
    }
}
