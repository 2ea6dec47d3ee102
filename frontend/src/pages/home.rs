//! The first page: what this is, one button that starts a run, recent runs, tasks on the server.

mod boards;
mod recent;
mod task_sets;

use boards::Boards;
use recent::Recent;
use task_sets::TaskSets;
use turnwise_shared::key::demo;

use crate::address::SAMPLES;
use crate::components::head::title;
use crate::components::steps::Steps;
use crate::later::later;
use crate::prelude::*;
use crate::strings::home as strings;
use crate::view::branching::may_spend;
use crate::{api, keep};

later! {
    /// Starts the first benchmark's sample tasks with the offline seats.
    work: fn start_samples(about: About) -> LocalBoxFuture<'static, Result<RunId, ApiError>> {
        Box::pin(crate::start::samples(about))
    }
}

#[component]
pub fn Home() -> impl IntoView {
    title(String::new);
    let about = RwSignal::new(None::<About>);
    let asked = RwSignal::new(false);
    let problem = RwSignal::new(None::<ApiError>);
    spawn_local(async move {
        // If this fails, so does the list of runs, and that says so.
        if let Ok(found) = api::about().await {
            about.put(found);
        }
        asked.try_set(true);
    });
    let is_visitor = Memo::new(move |_| {
        about.with(|about| {
            let about = about.as_ref();
            about.is_some_and(|about| !may_spend(about, keep::access_token().is_some()))
        })
    });
    view! {
        <section class="hero">
            <h1>{strings::HEADLINE}</h1>
            <p class="hero-lead">{strings::LEAD}</p>
            <Show when=move || is_visitor.get() fallback=move || view! { <SampleRun about problem/> }>
                <Visitors about problem/>
            </Show>
            <Anatomy/>
        </section>
        <Trouble problem/>
        <Recent asked is_visitor/>
        <Boards/>
        <TaskSets about/>
        <div class="hero">
            <Steps steps=strings::STEPS/>
        </div>
    }
}

/// The button that starts the samples with the offline seats, and the way to the form.
#[component]
fn SampleRun(about: RwSignal<Option<About>>, problem: RwSignal<Option<ApiError>>) -> impl IntoView {
    view! {
        <div class="hero-do">
            <RunSamples about problem/>
            <a class="btn btn-big" href="/new">
                "Configure a run"
            </a>
            <a class="btn btn-big" href="/play">
                "Play yourself"
            </a>
            <DemoRun about/>
        </div>
        <p class="hero-lead small">"Built-in players and a small search index; no key, no cost, a few seconds."</p>
    }
}

/// The button that starts the samples.
#[component]
fn RunSamples(
    about: RwSignal<Option<About>>,
    problem: RwSignal<Option<ApiError>>,
) -> impl IntoView {
    let busy = RwSignal::new(false);
    let navigate = use_navigate();
    let tasks = move || {
        about.and_then(|about| {
            let first = about.benchmarks.first()?;
            about
                .task_sets
                .iter()
                .find(|set| set.name == SAMPLES && set.benchmark == first.name)
                .map(|set| set.count)
        })
    };
    let run = move |_| {
        let navigate = navigate.clone();
        busy.set(true);
        problem.set(None);
        spawn_local(async move {
            let started = start(about).await;
            match started {
                Ok(run) => navigate(&format!("/run/{run}"), Default::default()),
                Err(error) => {
                    problem.put(error);
                    busy.try_set(false);
                }
            }
        });
    };
    view! {
        <button
            class="btn btn-primary btn-big"
            type="button"
            id="run-samples"
            data-part="work"
            disabled=busy
            aria-busy=move || busy.get().then_some("true")
            on:click=run
        >
            <Icon name="play"/>
            {move || strings::run_samples(tasks())}
        </button>
    }
}

/// The way to the run that a new server plays by itself; nothing where the operator wants none.
#[component]
fn DemoRun(about: RwSignal<Option<About>>) -> impl IntoView {
    let has_demo = move || about.is_some_and(|about| about.demo);
    view! {
        <Show when=has_demo>
            <a class="btn btn-big" id="home-demo" href=format!("/run/{}", demo())>
                "Open the demo run"
            </a>
        </Show>
    }
}

/// What a visitor without an access token can do on a server that wants one.
#[component]
fn Visitors(about: RwSignal<Option<About>>, problem: RwSignal<Option<ApiError>>) -> impl IntoView {
    let may_play = move || about.is_some_and(|about| about.visitors);
    view! {
        <div class="hero-do" id="home-visitors">
            <Show when=may_play>
                <RunSamples about problem/>
                <a class="btn btn-big" href="/play">
                    "Play yourself"
                </a>
            </Show>
            <a class="btn btn-big" href="/boards">
                "Read the boards"
            </a>
            <DemoRun about/>
            <a class="btn btn-big" href="/connections">
                "Enter an access token"
            </a>
        </div>
        <p class="hero-lead small">{strings::VISITORS}</p>
    }
}

async fn start(about: RwSignal<Option<About>>) -> Result<RunId, ApiError> {
    let about = match about.get_untracked() {
        Some(about) => about,
        None => api::about().await?,
    };
    start_samples(about).await?.await
}

/// One episode that explains the ribbon by itself.
#[component]
fn Anatomy() -> impl IntoView {
    view! {
        <ol class="anatomy" aria-label="One episode as a ribbon, turn by turn">
            {strings::ANATOMY
                .iter()
                .map(|(class, letter, head, text)| {
                    view! {
                        <li>
                            <span class=format!("turn {class}") aria-hidden="true">
                                {*letter}
                            </span>
                            <div>
                                <b>{*head}</b>
                                {*text}
                            </div>
                        </li>
                    }
                })
                .collect_view()}
        </ol>
    }
}
