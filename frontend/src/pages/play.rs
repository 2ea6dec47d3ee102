//! The page on which a person chooses what to play, and against whom.

mod others;
mod rest;

use leptos_router::hooks::use_query_map;
use others::OtherSeats;
use rest::{Rest, What};
use turnwise_shared::evidence_tier::Attendance;
use turnwise_shared::wire::live::LiveOpened;

use crate::components::form::Unread;
use crate::components::gate::{self, Gate, Starts};
use crate::components::head::title;
use crate::components::seats::SeatsOfThisBrowser;
use crate::keep::KeptRun;
use crate::live_seat::{Kept, nonce, number_below};
use crate::prelude::*;
use crate::strings::{access, play as words};
use crate::view::room_setup::{Game, Setup};
use crate::{api, keep, live};

/// Under which the person's name is kept in this browser.
const NAME: &str = "turnwise.name";

#[component]
pub fn PlayPage() -> impl IntoView {
    title(|| words::TITLE.to_owned());
    let wanted = use_query_map().with_untracked(|query| query.get("game"));
    let games = Game::all();
    let first = wanted.as_deref().and_then(Game::named);
    let Some(first) = first.or_else(|| games.first().copied()) else {
        return ().into_any();
    };
    let setup = RwSignal::new(Setup::new(first).in_language(&language()));
    let game = Memo::new(move |_| setup.with(|setup| setup.game));
    let name = RwSignal::new(keep::recall(NAME).unwrap_or_default());
    let about = RwSignal::new(None::<About>);
    let problem = RwSignal::new(None::<ApiError>);
    let busy = RwSignal::new(false);
    spawn_local(async move {
        match api::about().await {
            Ok(found) => about.put(found),
            Err(error) => problem.put(error),
        }
    });
    let shut = gate::shut(about.into());
    let needs = Memo::new(move |_| {
        about.with(|about| {
            let engines = &about.as_ref()?.engines_and_web();
            setup.with(|setup| setup.needs_token(engines))
        })
    });
    let closed = gate::closed(shut, move || needs.get());
    let unread = Unread::provide();
    let navigate = use_navigate();
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let Some(known) = about.get_untracked() else {
            return;
        };
        // Enter in a field sends the form too.
        if untrack(|| unread.problem()).is_some() {
            return;
        }
        let (setup, name) = (setup.get_untracked(), name.get_untracked());
        keep::remember(NAME, Some(name.trim()).filter(|name| !name.is_empty()));
        let navigate = navigate.clone();
        busy.set(true);
        problem.set(None);
        spawn_local(async move {
            match open(&setup, &known, name.trim()).await {
                Ok(run) => navigate(&format!("/play/{run}"), Default::default()),
                Err(error) => {
                    problem.put(error);
                    busy.try_set(false);
                }
            }
        });
    };
    any_view! {
        <div class="page-head">
            <div>
                <h1>{words::TITLE}</h1>
                <p class="soft">"Play the same games under the same conditions as the models."</p>
            </div>
        </div>
        <div class="stack">
        <SeatsOfThisBrowser/>
        <Gate shut starts=Starts::Table needs/>
        <form class="form play-form" on:submit=submit>
            <Games setup games/>
            <What setup game/>
            <OtherSeats setup game about/>
            <Kinds setup/>
            <Rest setup game name/>
            <div class="form-end">
                <Trouble problem/>
                <button
                    class="btn btn-primary btn-big"
                    type="submit"
                    disabled=move || {
                        busy.get() || about.is_none() || closed.get() || unread.problem().is_some()
                    }
                    aria-busy=move || busy.get().then_some("true")
                >
                    <Icon name="play"/>
                    {move || match setup.with(|setup| setup.attendance) {
                        Attendance::Invited => words::INVITE_PEOPLE,
                        Attendance::Unattended => words::SIT_DOWN,
                    }}
                </button>
                {move || match (closed.get(), unread.problem()) {
                    (true, _) => any_view! { <span class="soft">{access::AT_THE_TOP}</span> },
                    (false, Some(why)) => any_view! { <span class="field-error">{why}</span> },
                    (false, None) => any_view! { <span class="soft">{move || setup.with(Setup::summary)}</span> },
                }}
            </div>
        </form>
        </div>
    }
}

/// The language of the browser, without its region: `en` of `en-GB`.
pub fn language() -> String {
    let whole = window().navigator().language().unwrap_or_default();
    let part = whole.split('-').next().unwrap_or_default();
    part.to_ascii_lowercase()
}

/// Opens the table, and keeps what this page knows of it.
async fn open(setup: &Setup, about: &About, name: &str) -> Result<RunId, ApiError> {
    let wanted = setup
        .table(&about.engines_and_web(), number_below)
        .map_err(|bad| api::error("bad_spec", bad.to_string()))?;
    let LiveOpened { run, commitment, token, mut tickets } = api::live::open(&wanted).await?;
    if setup.attendance == Attendance::Invited {
        Kept { invitations: tickets, ..Kept::default() }.save(&run);
        // A user who invites does not play; with the token the run is published once it is over.
        let kept = KeptRun::not_driven(run.clone(), token, wanted.spec);
        // People can play all the same.
        if let Err(problem) = keep::put_run(&kept).await {
            live::view(&run).problem.set(Some(problem));
        }
        return Ok(run);
    }
    let own = setup.seat.clone();
    let ticket = tickets.remove(&own).ok_or_else(|| {
        api::error(
            "no_ticket",
            "The server opened the table \
        without a ticket for your seat.",
        )
    })?;
    let name = if name.is_empty() { words::NOBODY } else { name };
    Kept {
        ticket,
        seat: Some(own),
        name: Some(name.to_owned()),
        nonce: nonce(),
        commitment: Some(commitment),
        invitations: tickets,
        names: setup.names(),
        agrees_to: None,
        is_opened: false,
        is_over: false,
    }
    .save(&run);
    Ok(run)
}

#[component]
fn Games(setup: RwSignal<Setup>, games: Vec<Game>) -> impl IntoView {
    let choices: Vec<_> = games
        .into_iter()
        .map(|game| {
            let name = game.name();
            choice_card(
                "game",
                name,
                game.benchmark.title(),
                game.people.about,
                move || setup.with(|setup| setup.game == game),
                move || {
                    let (kind, attendance) =
                        setup.with_untracked(|setup| (setup.kind, setup.attendance));
                    let fresh = Setup::new(game).in_language(&language());
                    setup.set(Setup { kind, attendance, ..fresh });
                },
            )
        })
        .collect();
    view! {
        <fieldset class="choices">
            <legend>"Game"</legend>
            {choices}
        </fieldset>
    }
}

#[component]
fn Kinds(setup: RwSignal<Setup>) -> impl IntoView {
    let kinds = [
        ("practice", (LiveKind::Practice, Attendance::Unattended), words::PRACTICE),
        ("rated", (LiveKind::Rated, Attendance::Unattended), words::RATED),
        ("invited", (LiveKind::Rated, Attendance::Invited), "Human baseline"),
    ];
    let choices: Vec<_> = kinds
        .into_iter()
        .map(|(value, chosen, name)| {
            let note = move || match chosen {
                (_, Attendance::Invited) => words::INVITED_NOTE,
                (LiveKind::Practice, _) => setup.with(|setup| setup.game.people.practice),
                (LiveKind::Rated, _) => words::RATED_NOTE,
            };
            choice_card(
                "kind",
                value,
                name,
                note,
                move || setup.with(|setup| (setup.kind, setup.attendance) == chosen),
                move || setup.update(|setup| (setup.kind, setup.attendance) = chosen),
            )
        })
        .collect();
    view! {
        <fieldset class="choices">
            <legend>"Practice or rated"</legend>
            {choices}
        </fieldset>
    }
}
