//! Who may see a run, the runs that go on from its episodes, and the pictures that stand beside its links.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use turnwise_shared::prelude::*;
use turnwise_shared::run::check_branch;
use turnwise_shared::transcript;
use turnwise_shared::wire::sharing::{Branch, SetVisibility};

use super::episodes::name;
use super::ranges::is_known;
use crate::App;
use crate::access::{anonymous, bearer, find, owned};
use crate::error::{Answer, Problem};
use crate::extract::PathParam;
use crate::limits;
use crate::preview;

/// `POST /api/runs/{run}/visibility`
pub async fn set_visibility(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
    limits::Json(wanted): limits::Json<SetVisibility>,
) -> Answer<Json<RunInfo>> {
    let run = owned(&app, &run, bearer(&headers)).await?;
    if wanted.visibility == Visibility::Public {
        anonymous::not_theirs(&run, "it is listed nowhere; whoever has its link can read it")?;
    }
    let run = run.run;
    if !app.store().set_visibility(&run, wanted.visibility).await? {
        return Err(Problem::conflict(
            "The run stands on a board, or one that grades its episodes again does, and everybody can see what a board is made of.",
        )
        .mend("Take it off its board first."));
    }
    let info = app.store().run(&run).await?;
    info.map(Json).ok_or_else(|| Problem::not_found("such run"))
}

/// `GET /api/runs/{run}/episodes/{episode}/branches`
pub async fn branches(
    State(app): State<App>,
    PathParam((run, episode)): PathParam<(String, String)>,
    headers: HeaderMap,
) -> Answer<Json<Vec<Branch>>> {
    let run = find(&app, &run, bearer(&headers)).await?;
    let play = name(&episode)?.its_play();
    Ok(Json(app.store().branches(run.plays(), &play).await?))
}

/// `GET /api/runs/{run}/preview`: a picture of a run for sites that show its link.
pub async fn run_picture(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
) -> Answer<Response> {
    let run = find(&app, &run, None).await?;
    let told = preview::of_run(&app, &run).await?;
    Ok(picture(told.picture().await?, &headers))
}

/// `GET /api/runs/{run}/episodes/{episode}/preview`
pub async fn episode_picture(
    State(app): State<App>,
    PathParam((run, episode)): PathParam<(String, String)>,
    headers: HeaderMap,
) -> Answer<Response> {
    let run = find(&app, &run, None).await?;
    let play = name(&episode)?.its_play();
    let told = preview::of_episode(&app, &run, &play).await?;
    Ok(picture(told.picture().await?, &headers))
}

fn picture(bytes: axum::body::Bytes, headers: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", Digest::of(&bytes).short());
    let mut response = match is_known(headers, &tag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => ([(header::CONTENT_TYPE, "image/png")], bytes).into_response(),
    };
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// A run that may go on from an episode.
pub struct Branched {
    /// From where; it names the run that holds the episode.
    pub of: BranchOf,
    /// Who may see that episode.
    pub seen_by: Visibility,
}

/// Checks that a run under this spec may go on from where it says; `token` is that of the run which it goes on from, and its episode
/// may have `largest` bytes.
///
/// # Errors
/// If there is no such episode for this reader, or it cannot be taken over so.
pub async fn branched(
    app: &App,
    of: BranchOf,
    spec: &Spec,
    token: Option<&str>,
    largest: u64,
) -> Answer<Branched> {
    let unfit = |why: String| Problem::unfit(format!("The run cannot branch from there: {why}."));
    let parent = find(app, of.run.as_str(), token).await?;
    let none = || Problem::not_found("such episode");
    let extent = app.store().extent(parent.plays(), &of.episode).await?;
    let bytes = extent.ok_or_else(none)?.bytes;
    if bytes > largest {
        return Err(unfit(format!("the episode has more than {largest} bytes")));
    }
    let room = app.store().room_for(bytes).await?;
    let text = app.store().transcript(parent.plays(), &of.episode).await?;
    let (text, _) = text.ok_or_else(none)?;
    let benchmark = registry::find(&spec.benchmark).map_err(|bad| unfit(bad.to_string()))?;
    let checked = {
        let (of, spec) = (of.clone(), spec.clone());
        // Not on a thread that serves others.
        tokio::task::spawn_blocking(move || {
            let play = transcript::read(&text).map_err(|bad| bad.to_string())?;
            let checked = check_branch(benchmark, &play, &of, &spec).map_err(|bad| bad.to_string());
            drop(room);
            checked
        })
    };
    checked.await.map_err(Problem::internal)?.map_err(unfit)?;
    // Plays that a run grades again are seen by readers who may see both.
    let seen_by = match &parent.regrades {
        Some(plays) => app
            .store()
            .run_head(plays)
            .await?
            .map_or(Visibility::Private, |plays| plays.visibility)
            .min(parent.visibility),
        None => parent.visibility,
    };
    Ok(Branched { of: BranchOf { run: parent.plays().clone(), ..of }, seen_by })
}
