//! A recording in a seat.

use super::super::Draft;
use super::{Sat, seat_name};
use crate::components::file_drop::{self, Chosen, Dropped, FileDrop, Slim};
use crate::prelude::*;
use crate::strings::new_run as strings;
use crate::{api, clock, keep, library};

/// The choice of a recording.
#[component]
pub fn Recordings<S>(draft: Draft, place: Sat, player: Memo<Player>, sit: S) -> impl IntoView
where
    S: Fn(Option<Player>) + Copy + Send + Sync + 'static,
{
    let problem = RwSignal::new(None::<ApiError>);
    let reading = RwSignal::new(false);
    let chosen = move || match player.get() {
        Player::Recording(name) => name,
        _ => String::new(),
    };
    let options = move || {
        let benchmark = draft.benchmark().name();
        let mut recordings: Vec<(String, String)> = draft.runs.with(|runs| {
            runs.iter()
                .filter(|run| can_play_back(run, benchmark))
                .map(|run| (run.run.to_string(), describe(run)))
                .collect()
        });
        let named = chosen();
        if !named.is_empty() && !recordings.iter().any(|(name, _)| *name == named) {
            recordings.push((named.clone(), named));
        }
        recordings
            .into_iter()
            .map(|(name, text)| {
                let value = name.clone();
                option(value, text, move || chosen() == name)
            })
            .collect_view()
    };
    let on_files = move |files: Vec<Dropped>| {
        problem.set(None);
        reading.set(true);
        spawn_local(async move {
            let recorded = record(files).await;
            if reading.try_set(false).is_some() {
                // The page was left meanwhile: there is no seat any more.
                return;
            }
            match recorded {
                Ok(name) => sit(Some(Player::Recording(name))),
                Err(why) => problem.set(Some(why)),
            }
        });
    };
    let none = move || {
        let benchmark = draft.benchmark().name();
        let has_some = draft.runs.with(|runs| runs.iter().any(|run| can_play_back(run, benchmark)));
        !has_some && chosen().is_empty()
    };
    let is_player = seat_name(place) == Seat::PLAYER;
    let recording_problem = Signal::derive(move || {
        let loaded = is_player.then(|| draft.recording.get()).flatten()?;
        loaded.problem()
    });
    view! {
        <div class="stack-2">
            <select
                class="select"
                aria-label=strings::who_in(seat_name(place))
                disabled=none
                on:change:target=move |event| sit(Some(Player::Recording(event.target().value())))
            >
                {options}
            </select>
            <Show when=none>
                <span class="field-note">"No earlier run on this server."</span>
            </Show>
            <FileDrop label="Choose a folder of transcripts…" choose=Chosen::Folder slim=Slim::Slim on_files/>
            <Show when=move || reading.get()>
                <span class="field-note">"Reading the recording…"</span>
            </Show>
            <Trouble problem/>
            <Trouble problem=recording_problem/>
        </div>
    }
}

/// Whether a run can be a recording in a seat of a benchmark: without a finished episode there is nothing to play back.
pub fn can_play_back(run: &RunInfo, benchmark: &str) -> bool {
    run.spec.benchmark == benchmark && run.finished > 0
}

/// A run in the list of recordings.
fn describe(run: &RunInfo) -> String {
    let seats = &run.spec.seats;
    let player = match seats.get(&Seat::new(Seat::PLAYER)) {
        Some(sitting) => sitting.player.to_string(),
        None => {
            seats.values().map(|sitting| sitting.player.to_string()).collect::<Vec<_>>().join(", ")
        }
    };
    let age = number::duration(clock::today().saturating_sub(run.opened));
    strings::recording(&run.spec.tasks.name, &player, run.finished, &age)
}

/// Keeps the transcripts of a folder in this browser, after checking that they read. Returns the name of the recording.
async fn record(files: Vec<Dropped>) -> Result<String, ApiError> {
    let mut name = None;
    let mut texts = Vec::new();
    for dropped in files {
        if !dropped.file.name().ends_with(".jsonl") {
            continue;
        }
        name = name.or(dropped.folder);
        let bytes = file_drop::bytes(&dropped.file)
            .await
            .map_err(|why| api::error("unreadable_file", why))?;
        texts.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    let name = name.unwrap_or_else(|| "dropped files".to_owned());
    library::wind(&name, &texts).await?;
    keep::put_recording(&name, &texts).await?;
    Ok(name)
}
