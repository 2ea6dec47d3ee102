//! How far a run is, what happens now, and the buttons that pause, continue and stop it.

use super::budget::Watched;
use super::elsewhere::Elsewhere;
use super::halted::halted;
use crate::live::{self, Driving, Pace, RunView};
use crate::prelude::*;
use crate::strings::providers::reason;
use crate::strings::{driving as driving_words, run as words};
use crate::view::figures::failure_name;
use crate::view::number::{duration, short};
use crate::view::turn::words as spaced;
use crate::{api, driver, looking};

/// How far a run is; nothing for one that is over and was not driven here.
#[component]
pub fn ProgressPanel(
    id: RunId,
    /// What is known of it.
    view: RunView,
    snapshot: RwSignal<Arc<Snapshot>>,
    watched: Watched,
) -> impl IntoView {
    let driven = Memo::new(move |_| view.progress.is_some());
    let planned = Memo::new(move |_| view.progress.map(|progress| progress.planned));
    let rest_id = id.clone();
    view! {
        <Show when=move || driven.get()>
            {halted(id.clone(), view, watched)}
            {reasons(view)}
            <div class="run-progress">
                <div class="progress" translate="no">
                    <div class="progress-head">
                        <span class="progress-now">
                            {move || {
                                // The same count as in the legend below, which is taken a moment later than the progress.
                                let failed = snapshot.with(|all| all.count(EpisodeStatus::Incomplete));
                                view.progress.with(|progress| Some(head(progress.as_ref()?, failed)))
                            }}
                            {move || {
                                view.pace
                                    .with(|pace| {
                                        view.progress
                                            .with(|progress| {
                                                let (pace, progress) = (pace.as_ref()?, progress.as_ref()?);
                                                let now = match pace.driving {
                                                    Driving::Reconnecting if is_blocked(view) => "waiting for a \
                                                        connection; no answer is lost".to_owned(),
                                                    _ => now(pace, progress),
                                                };
                                                Some(format!(" · {now}"))
                                            })
                                    })
                            }}
                        </span>
                        <span class="progress-left">
                            {move || view.pace.map(times)}
                        </span>
                        <Buttons id=id.clone() view/>
                    </div>
                    <progress
                        class="sr"
                        max=move || view.progress.map(|all| all.planned.max(1)).unwrap_or(1)
                        prop:value=move || view.progress.with(|all| all.as_ref().map_or(0.0, |all| f64::from(done(all))))
                        aria-label=words::PROGRESS
                    ></progress>
                    {move || planned.get().map(|planned| snapshot.with(|all| meter(all, planned)))}
                    <div class="tally">
                        {move || snapshot.with(legend)}
                        {move || {
                            view.progress.map(failures)
                        }}
                    </div>
                    <p class="small soft">{move || is_under_way(view).then_some("Running in this tab. Browse \
                        Turnwise freely; closing the tab pauses the run. Nothing is lost or published.")}</p>
                    <p class="sr" aria-live="polite">
                        {announced(view)}
                    </p>
                </div>
            </div>
        </Show>
        <Show when=move || !driven.get()>
            <Elsewhere
                id=rest_id.clone()
                view
                watched
                incomplete=Signal::derive(move || {
                    snapshot.with(|all| all.count(EpisodeStatus::Incomplete))
                })
            />
        </Show>
    }
}

/// Episodes that failed are played again, so they are not done.
fn done(progress: &Progress) -> u32 {
    progress.graded
}

fn head(progress: &Progress, failed: usize) -> impl IntoView + use<> {
    let (bold, rest) = words::finished(u64::from(done(progress)), u64::from(progress.planned));
    let failed = words::failed(failed);
    view! {
        <b>{bold}</b>
        {rest}
        {failed.map(|failed| view! { ", " <span class="bad">{failed}</span> })}
    }
}

/// Whether the server answers and no socket of it opens.
fn is_blocked(view: RunView) -> bool {
    let is = |problem: &Option<ApiError>| {
        problem.as_ref().is_some_and(|problem| problem.code == api::SOCKET_BLOCKED)
    };
    view.problem.with(is)
}

fn now(pace: &Pace, progress: &Progress) -> String {
    match pace.driving {
        Driving::Running => words::now(progress.under_way, flying(pace, progress)),
        Driving::Paused if flying(pace, progress) > 0 => {
            format!("{}; {}", words::PAUSED, words::now(progress.under_way, flying(pace, progress)))
        }
        Driving::Paused => words::PAUSED.to_owned(),
        Driving::Reconnecting => "connection lost, reconnecting; no answer is lost".to_owned(),
        Driving::Cancelling => "ending: open calls are being closed".to_owned(),
        Driving::Storing => {
            format!("Storing the last {}", counted(pace.unstored, "line", "lines"))
        }
        Driving::Done => "Everything is stored".to_owned(),
    }
}

/// Calls that are made now; what is sent beyond them waits at the server, and all of it may be that while the run is paused.
fn flying(pace: &Pace, progress: &Progress) -> u32 {
    let waiting = pace.at_once.div_ceil(driver::AHEAD);
    match pace.driving {
        Driving::Paused => progress.flying.saturating_sub(waiting),
        _ => progress.flying.min(pace.at_once),
    }
}

fn times(pace: &Pace) -> String {
    let goes_on =
        matches!(pace.driving, Driving::Running | Driving::Paused | Driving::Reconnecting);
    let left = pace.left.filter(|_| goes_on).map(duration);
    words::times(duration(pace.elapsed), left.as_deref())
}

fn is_under_way(view: RunView) -> bool {
    view.pace.is_some_and(|pace| pace.driving != Driving::Done)
}

/// Whether an episode that stands so has finished.
fn is_finished(status: EpisodeStatus) -> bool {
    !matches!(status, EpisodeStatus::Live | EpisodeStatus::Incomplete)
}

/// Episodes so far, side by side on the length of the whole run: finished ones are filled, others an outline.
fn meter(all: &Snapshot, planned: u32) -> impl IntoView + use<> {
    let whole = (planned as usize).max(all.len()).max(1);
    let mut x = 0;
    let mut parts = Vec::new();
    let mut said = Vec::new();
    for status in EpisodeStatus::ALL {
        let width = all.count(status);
        if width > 0 {
            said.push(told(status, width));
            let class = match is_finished(status) {
                true => status.fill(),
                false => "is-outline",
            };
            parts.push(view! { <rect class=class x=x width=width height="1"></rect> });
            x += width;
        }
    }
    let said = match said.is_empty() {
        true => "nothing has begun yet".to_owned(),
        false => said.join(", "),
    };
    view! {
        <svg
            class="meter"
            viewBox=format!("0 0 {whole} 1")
            preserveAspectRatio="none"
            role="img"
            aria-label=said
        >
            {parts}
        </svg>
    }
}

fn told(status: EpisodeStatus, episodes: usize) -> String {
    let name = match status {
        EpisodeStatus::Correct => "right".to_owned(),
        EpisodeStatus::Live => "started".to_owned(),
        EpisodeStatus::Incomplete => "failed".to_owned(),
        other => other.label().to_lowercase(),
    };
    format!("{} {name}", count(episodes))
}

/// What the colours of the meter mean, with their counts; and what all calls came to, those before this page was opened included.
fn legend(all: &Arc<Snapshot>) -> impl IntoView + use<> {
    let outcomes: Vec<_> = EpisodeStatus::ALL
        .into_iter()
        .map(|status| (status, all.count(status)))
        .filter(|(_, episodes)| *episodes > 0)
        .map(|(status, episodes)| {
            let class = match is_finished(status) {
                true => format!("swatch {}", status.fill()),
                false => "swatch is-outline".to_owned(),
            };
            view! {
                <span>
                    <i class=class aria-hidden="true"></i>
                    {told(status, episodes)}
                </span>
            }
        })
        .collect();
    let calls = all.summaries.iter().flat_map(|one| one.usage.values());
    let calls: u64 = calls.map(|usage| u64::from(usage.calls)).sum();
    let tokens = all.summaries.iter().map(|one| one.tokens());
    let tokens = tokens.fold(0, u64::saturating_add);
    let tokens = (tokens > 0).then(|| format!(", {} tokens", short(tokens)));
    view! {
        {outcomes}
        <span class="push">
            {counted(calls, "call", "calls")}
            {tokens}
        </span>
    }
}

/// Calls that failed, by why.
fn failures(progress: &Progress) -> impl IntoView + use<> {
    let all: Vec<_> = progress
        .failures
        .iter()
        .map(|(class, times)| {
            view! {
                <span class="is-fault">
                    {counted(*times, "failed call", "failed calls")}
                    {format!(" ({})", spaced(&failure_name(*class)))}
                </span>
            }
        })
        .collect();
    all
}

/// Why calls failed, or were refused before they were sent otherwise, with the services' own words.
fn reasons(view: RunView) -> impl IntoView {
    let reasons = Memo::new(move |_| {
        view.progress
            .and_then(|progress| Some(progress.reasons.iter().map(reason).collect::<Vec<_>>()))
    });
    move || {
        let reasons = reasons.get().filter(|reasons| !reasons.is_empty())?;
        let lines = reasons.into_iter().map(|reason| view! { <li>{reason}</li> }).collect_view();
        Some(view! {
            <ul class="soft" id="reasons">
                {lines}
            </ul>
        })
    }
}

/// Every tenth of the way, in words.
fn announced(view: RunView) -> impl Fn() -> Option<String> {
    let tenth = Memo::new(move |_| {
        view.progress.and_then(|progress| {
            (progress.planned > 0).then(|| done(progress) * 10 / progress.planned)
        })
    });
    move || tenth.get().map(|tenth| format!("{} percent finished", u64::from(tenth) * 10))
}

#[component]
fn Buttons(id: RunId, view: RunView) -> impl IntoView {
    let id = StoredValue::new(id);
    let handing = RwSignal::new(false);
    let can_hand_over = Memo::new(move |_| {
        view.info.is_some_and(|info| driver::can_hand_over(&info.spec) && !info.is_visitors)
    });
    let hand_over = move |_| {
        handing.set(true);
        spawn_local(async move {
            looking::hand_over(&id.get_value()).await;
            handing.try_set(false);
        });
    };
    let driving = Memo::new(move |_| view.pace.map(|pace| pace.driving));
    let is_halted = Memo::new(move |_| view.pace.is_some_and(|pace| pace.halt.is_some()));
    let asks = RwSignal::new(false);
    let pausing = move || {
        match driving.get() {
            Some(Driving::Running | Driving::Reconnecting) => any_view! {
                <button class="btn btn-small" type="button" on:click=move |_| view.order(live::Control::pause)>
                    <SmallIcon name="pause"/>
                    {words::PAUSE}
                </button>
            },
            // A run that paused by itself says how it goes on where it says why it paused.
            Some(Driving::Paused) if !is_halted.get() => any_view! {
                <button
                    class="btn btn-small btn-primary"
                    type="button"
                    on:click=move |_| view.order(live::Control::resume)
                >
                    <SmallIcon name="play"/>
                    {words::RESUME}
                </button>
            },
            _ => ().into_any(),
        }
    };
    let can_stop = move || {
        matches!(driving.get(), Some(Driving::Running | Driving::Reconnecting | Driving::Paused))
    };
    view! {
        <div class="row">
            {pausing}
            <Show when=move || can_stop() && can_hand_over.get() && !asks.get()>
                <button
                    class="btn btn-small"
                    type="button"
                    title=driving_words::CONTINUE_ON_SERVER_MEANS
                    disabled=handing
                    on:click=hand_over
                >
                    <SmallIcon name="server"/>
                    {move || match handing.get() {
                        true => "Handing over…",
                        false => driving_words::CONTINUE_ON_SERVER,
                    }}
                </button>
            </Show>
            <Show when=move || can_stop() && !asks.get()>
                <button class="btn btn-small btn-danger" type="button" on:click=move |_| asks.set(true)>
                    <SmallIcon name="stop"/>
                    {words::CANCEL}
                </button>
            </Show>
            <Show when=move || can_stop() && asks.get()>
                <span class="small">"End this run? Unfinished episodes count as not finished. You can reopen it."</span>
                <button
                    class="btn btn-small btn-danger"
                    type="button"
                    on:click=move |_| {
                        asks.set(false);
                        view.order(live::Control::cancel);
                    }
                >
                    "Yes, end it"
                </button>
                <button class="btn btn-small" type="button" on:click=move |_| asks.set(false)>
                    "No"
                </button>
            </Show>
        </div>
    }
}
