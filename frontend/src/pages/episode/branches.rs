//! From where a branch goes on and what that changed, and the branches of an episode.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwise_shared::metrics::summary::{Summary, summarise};
use turnwise_shared::run::{BranchOf, EpisodeKey};
use turnwise_shared::transcript::{self, Transcript};
use turnwise_shared::wire::sharing::Branch;
use turnwise_shared::wire::{ApiError, RunId};

use super::load::Loaded;
use crate::components::ribbon::{mark, ribbon};
use crate::live;
use crate::strings::{episode as episode_words, sharing as words};
use crate::view::address::{self, Place};
use crate::view::snapshot::language;
use crate::view::standing::Standing;
use crate::view::wall::Wall;
use crate::{api, library};

/// What a branch changed: both outcomes side by side. Nothing for an episode that is none.
#[component]
pub fn Changed(
    /// The run.
    id: RunId,
    /// The episode.
    loaded: Arc<Loaded>,
) -> impl IntoView {
    changed(id, &loaded)
}

fn changed(id: RunId, loaded: &Loaded) -> Option<AnyView> {
    let play = loaded.play.as_ref().ok()?;
    let of = play.transcript.header.branch.clone()?;
    let before = RwSignal::new(None::<Result<Arc<Summary>, ApiError>>);
    {
        let of = of.clone();
        spawn_local(async move {
            let found = parent(&of).await.map(Arc::new);
            before.try_set(Some(found));
        });
    }
    let grading = loaded.grading.as_ref().and_then(|one| one.as_ref().ok());
    let grading = grading.map(|part| &part.transcript);
    let after = measured(&play.transcript, grading).map(Arc::new);
    let sides = {
        let of = of.clone();
        move || {
            let before = before.get()?;
            let (Ok(before), Some(after)) = (&before, &after) else {
                return Some(view! { <p class="soft">{words::NO_PARENT}</p> }.into_any());
            };
            let parent_href = address::episode(
                &of.run,
                &of.episode,
                &Place {
                    turn: Some(of.turn),
                    ..Place::default()
                },
            );
            let compare = format!("/compare/{}/{id}/{}", of.run, of.episode);
            Some(
                view! {
                    <p class="strong" id="changed">{difference(before, after)}</p>
                    <div class="twin branch-twin">
                        {side(words::BEFORE, before, Some(parent_href))}
                        {side(words::AFTER, after, None)}
                    </div>
                    <p>
                        <a href=compare>{words::SIDE_BY_SIDE}</a>
                    </p>
                }
                .into_any(),
            )
        }
    };
    let card = view! {
        <section class="card stack-2" aria-labelledby="branch-head" id="branch">
            <h2 id="branch-head">{words::BRANCH}</h2>
            <p class="soft read">{words::goes_on(of.turn)}</p>
            {sides}
        </section>
    };
    Some(card.into_any())
}

fn side(title: &'static str, summary: &Summary, href: Option<String>) -> impl IntoView + use<> {
    let standing = Standing::of(summary);
    let title = match href {
        Some(href) => view! { <a href=href>{title}</a> }.into_any(),
        None => title.into_any(),
    };
    let lang = language(&summary.task.labels);
    let answer = summary.measured.answer.clone().map(|answer| {
        view! {
            <p>
                {episode_words::ANSWER} " " <b lang=lang>{answer}</b>
            </p>
        }
    });
    view! {
        <div class="twin-side">
            <div class="twin-head">
                <h3>{title}</h3>
            </div>
            <p class="row">
                {mark(standing)} <span>{standing.title()}</span>
                <span class="small soft">{episode_words::turns(summary.ribbon.len())}</span>
            </p>
            {answer}
            <div class="branch-ribbon">{ribbon(&summary.ribbon, standing)}</div>
        </div>
    }
}

fn difference(before: &Summary, after: &Summary) -> String {
    let (was, is) = (Standing::of(before), Standing::of(after));
    match (is, was == is) {
        (Standing::Live, _) => words::NOT_OVER.to_owned(),
        (_, true) => words::SAME.to_owned(),
        (_, false) => words::changed(&was.title().to_lowercase(), &is.title().to_lowercase()),
    }
}

/// The play from which a branch goes on, in a few numbers.
async fn parent(of: &BranchOf) -> Result<Summary, ApiError> {
    let read = |text: String| {
        transcript::read(&text).map_err(|bad| api::error("unreadable_play", bad.to_string()))
    };
    let play = read(live::transcript(&of.run, &of.episode).await?)?;
    let grading = match live::transcript(&of.run, &of.episode.grading()).await {
        Ok(text) => Some(read(text)?),
        // Not every play is graded.
        Err(_) => None,
    };
    measured(&play, grading.as_ref())
        .ok_or_else(|| api::error("unknown_benchmark", words::NO_PARENT))
}

fn measured(play: &Transcript, grading: Option<&Transcript>) -> Option<Summary> {
    let benchmark = library::benchmark(&play.header.spec.benchmark).ok()?;
    let measured = benchmark.measure_episode(play, grading);
    Some(summarise(play, grading, measured))
}

/// The public branches of an episode; nothing while there are none.
#[component]
pub fn Branches(
    /// The run.
    id: RunId,
    /// The play.
    play: EpisodeKey,
) -> impl IntoView {
    let all = RwSignal::new(Vec::<Branch>::new());
    spawn_local(async move {
        // Without the list the episode reads as well.
        if let Ok(found) = api::sharing::branches(&id, &play).await {
            all.try_set(found);
        }
    });
    move || {
        let rows = all.get();
        (!rows.is_empty()).then(|| {
            let rows: Vec<_> = rows.into_iter().map(row).collect();
            view! {
                <section class="section" aria-labelledby="branches-head">
                    <div class="section-head">
                        <h2 id="branches-head">{words::BRANCHES}</h2>
                    </div>
                    <p class="small soft">{words::BRANCHES_ABOUT}</p>
                    <ul class="branches" id="branches">
                        {rows}
                    </ul>
                </section>
            }
        })
    }
}

fn row(branch: Branch) -> impl IntoView {
    let info = branch.info;
    let of = info.branch_of.clone();
    let href = match &of {
        Some(of) => address::episode(&info.run, &of.episode, &Place::default()),
        None => address::run(&info.run, &Wall::default()),
    };
    let standing = match (&branch.ending, branch.score) {
        (None, _) => Standing::Live,
        (Some(_), None) => Standing::Ungraded,
        (Some(_), Some(score)) if score >= 1.0 => Standing::Correct,
        (Some(_), Some(score)) if score <= 0.0 => Standing::Wrong,
        (Some(_), Some(_)) => Standing::Partial,
    };
    let who = of.map(|of| words::from_turn(of.turn));
    view! {
        <li class="row">
            {mark(standing)}
            <a href=href>{crate::pages::run::run_name(&info)}</a>
            <span class="small soft">{who}</span>
            {branch.answer.map(|answer| view! { <span class="small">{answer}</span> })}
        </li>
    }
}
