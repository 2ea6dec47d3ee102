//! The page of a live table: a person sits down, plays, and sees what came of it.

mod fairness;
mod inviting;
mod lobby;
mod other;
mod over;

use inviting::Inviting;
use lobby::Lobby;
use other::OtherPage;
use over::OverPage;

use crate::api;
use crate::at_table::others::{Left, has_left};
use crate::at_table::{clock_at, people_at};
use crate::benchmarks::screen;
use crate::components::head::title;
use crate::components::missing::{Missing, MissingPage, is_missing};
use crate::live_seat::{Kept, Line, LiveSeat};
use crate::prelude::*;
use crate::strings::play as words;

#[component]
pub fn TablePage() -> impl IntoView {
    let params = use_params_map();
    let run = Memo::new(move |_| params.with(|params| params.get("run")?.parse::<RunId>().ok()));
    // A benchmark's name is no table, and leads to what can be played of it.
    let navigate = use_navigate();
    Effect::new(move |_| {
        let named = params.with(|params| params.get("run")).unwrap_or_default();
        if registry::find(&named).is_ok_and(|it| it.people().is_some()) {
            let options = NavigateOptions { replace: true, ..NavigateOptions::default() };
            navigate(&format!("/play?game={named}"), options);
        }
    });
    move || match run.get() {
        Some(run) => match Kept::of(&run) {
            Some(kept) if kept.only_invites() => any_view! { <Inviting run kept/> },
            Some(kept) => any_view! { <Seated run kept/> },
            None => any_view! { <Stranger run/> },
        },
        None => any_view! { <MissingPage missing=Missing::Table/> },
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Shown {
    /// The server has not said anything yet.
    Nothing,
    Lobby,
    /// The seat is taken, and this page was only opened.
    Taken,
    /// A game, by its name.
    Playing(String),
    /// The person has left, and the others play on.
    Left,
    Over,
    Refused(ApiError),
}

#[component]
fn Seated(run: RunId, kept: Kept) -> impl IntoView {
    let seat = LiveSeat::hold(&run, kept);
    let shown = Memo::new(move |_| {
        let stage = seat.view.map(|view| (view.table.stage, view.table.benchmark.clone()));
        match (seat.line.get(), stage) {
            (Line::Over, _) | (_, Some((LiveStage::Over, _))) => Shown::Over,
            (Line::Refused(problem), _) => Shown::Refused(problem),
            (Line::Taken, _) => Shown::Taken,
            (_, None) => Shown::Nothing,
            (_, Some((LiveStage::Lobby, _))) => Shown::Lobby,
            (_, Some((LiveStage::Playing, _))) if has_left(seat) => Shown::Left,
            (_, Some((LiveStage::Playing, game))) => Shown::Playing(game),
        }
    });
    title(move || {
        let name = seat.view.map(|view| view.table.title.clone());
        match (seat.open_turn(), shown.get()) {
            (Some(_), Shown::Playing(_)) => "Your turn".to_owned(),
            _ => name.unwrap_or_else(|| words::TITLE.to_owned()),
        }
    });
    let page = move || match shown.get() {
        Shown::Nothing => any_view! { <h1 class="sr">{words::TITLE}</h1> <Loading/> },
        Shown::Refused(problem) => any_view! {
            <h1>{words::TITLE}</h1>
            <Trouble problem=Some(problem)/>
            <p class="row"><a class="btn" href="/play">{words::ANOTHER}</a></p>
        },
        Shown::Taken => any_view! {
            <div class="stack">
                <h1>"Somebody sits in this seat"</h1>
                <p>"It was taken with this link before, on another page. If that was you, take the seat here; the \
                    other page then only shows what it saw last."</p>
                <p class="row">
                    <button class="btn btn-primary" type="button" on:click=move |_| seat.take()>
                        "Take the seat"
                    </button>
                </p>
            </div>
        },
        Shown::Lobby => any_view! { <Lobby run=run.clone() seat/> },
        Shown::Playing(game) => {
            let own = screen(&game).and_then(|screen| screen.table(seat));
            own.unwrap_or_else(|| any_view! { <OtherPage seat/> })
        }
        Shown::Left => any_view! { <Left seat/> },
        Shown::Over => {
            let last = untrack(|| seat.view.get());
            any_view! { <OverPage run=run.clone() kept=seat.kept() last/> }
        }
    };
    view! {
        <LineNote seat/>
        {page}
    }
}

/// How the line stands, where a person must know.
#[component]
fn LineNote(seat: LiveSeat) -> impl IntoView {
    move || {
        match seat.line.get() {
            // A person who has left loses nothing with the connection.
            Line::Broken if has_left(seat) => ().into_any(),
            Line::Broken => any_view! {
                <div class="note note-warn" role="alert">
                    <Icon name="refresh"/>
                    <p class="note-title">"The connection was lost; it is being made again"</p>
                    <p>{words::broken_why(people_at(seat).late, clock_at(seat).runs())}</p>
                    <p>"If the server itself has stopped, the table ends with it; what was played until then is kept."</p>
                </div>
            },
            Line::TakenOver => any_view! {
                <div class="note note-warn" role="alert">
                    <Icon name="warning"/>
                    <p class="note-title">"Another page has taken this seat"</p>
                    <p>"The game goes on there. This page shows what it saw last."</p>
                    <div class="note-do">
                        <button class="btn" type="button" on:click=move |_| seat.take()>
                            "Play here instead"
                        </button>
                    </div>
                </div>
            },
            Line::Opening | Line::Open | Line::Taken | Line::Over | Line::Refused(_) => {
                ().into_any()
            }
        }
    }
}

/// A visitor without a ticket: the table from outside, or its end.
#[component]
fn Stranger(run: RunId) -> impl IntoView {
    let info = RwSignal::new(None::<Result<LiveInfo, ApiError>>);
    let asked = run.clone();
    spawn_local(async move {
        let found = api::live::info(&asked).await;
        info.put(found);
    });
    title(|| words::TITLE.to_owned());
    move || from_outside(&run, info.get())
}

/// A table as everyone may see it, as far as the server has reported it.
fn from_outside(run: &RunId, told: Option<Result<LiveInfo, ApiError>>) -> AnyView {
    let info = match told {
        None => return any_view! { <h1 class="sr">{words::TITLE}</h1> <Loading/> },
        Some(Err(problem)) if is_missing(&problem) => {
            return any_view! { <MissingPage missing=Missing::Table/> };
        }
        Some(Err(problem)) => {
            return any_view! {
                <h1>{words::TITLE}</h1>
                <Trouble problem=Some(problem)/>
            };
        }
        Some(Ok(info)) => info,
    };
    if info.stage == LiveStage::Over {
        return any_view! { <OverPage run=run.clone() kept=Kept::default() last=None/> };
    }
    any_view! {
        <div class="page-head"><div><h1>{info.title}</h1></div></div>
        <div class="empty">
            <span class="ribbon ribbon-mid" aria-hidden="true">
                <i class="turn k-waiting">"·"</i>
            </span>
            <h3>"You have no seat at this table"</h3>
            <p>{words::NO_SEAT_WHY}</p>
            <a class="btn btn-primary" href="/play">{words::ANOTHER}</a>
        </div>
    }
}
