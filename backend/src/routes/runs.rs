//! `/api/runs`: opened, listed, looked at, closed.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use futures::stream::try_unfold;
use serde::Deserialize;
use turnwise_shared::benchmark::check_bots;
use turnwise_shared::metrics::times::Times;
use turnwise_shared::prelude::*;
use turnwise_shared::run::grades_alike;
use turnwise_shared::visitors::MOST_BYTES;
use turnwise_shared::wire::naming::{EditRun, title_or_default};
use turnwise_shared::wire::{Listed, OpenRun, Opened};

use super::{episodes, sharing};
use crate::App;
use crate::access::{Caller, Client, Operator, anonymous, bearer, find, owned_or_demo, owner};
use crate::driving::{self, lease};
use crate::error::{Answer, Problem};
use crate::extract::{Params, PathParam};
use crate::limits;
use crate::store::{Listing, NewRun, StoreError};
use crate::{clock, measures, random};

/// The most runs that one request lists.
const LIST: u32 = 200;

/// `POST /api/runs`
pub async fn open(
    caller: Caller,
    State(app): State<App>,
    headers: HeaderMap,
    limits::Json(wanted): limits::Json<OpenRun>,
) -> Answer<Json<Opened>> {
    let is_visitors = matches!(caller, Caller::Anonymous(_));
    let episodes = plays(&app, &wanted, is_visitors).await?;
    let (access, visitor) = match caller {
        Caller::Operator(operator) => (operator.token, None),
        Caller::Anonymous(client) => {
            anonymous::check(&app, &wanted, episodes.into())?;
            (None, Some(client))
        }
    };
    let access = access.as_deref();
    let OpenRun {
        spec,
        title,
        tags,
        episodes: _,
        regrades,
        branch_of,
        parent_token,
        visibility,
        caps,
    } = wanted;
    let caps = match visitor {
        Some(_) => anonymous::caps(),
        None => caps,
    };
    app.call_limits()
        .before(&caps, access)
        .check(&spec.seats, spec.search.as_ref(), app.egress().prices())
        .map_err(Problem::from)?;
    // Plays of another run have that run's spec.
    let is_own = regrades.is_none() && branch_of.is_none();
    registry::find(&spec.benchmark)
        .and_then(|benchmark| {
            // Plays of older versions are graded again and branched from; of later ones this program knows nothing.
            if !(1..=benchmark.protocol()).contains(&spec.protocol) {
                let known = format!(
                    "version {} is not known; this server plays version {}",
                    spec.protocol,
                    benchmark.protocol()
                );
                return Err(BadSpec::new("protocol", known));
            }
            benchmark.check_spec(&spec)?;
            spec.check_plays(1)?;
            match is_own {
                true => benchmark.check_own(&spec),
                false => Ok(()),
            }
        })
        .and_then(|()| app.sealed().check(&spec))
        .map_err(unopened)?;
    limits::names(&spec)?;
    if is_own {
        registry::find(&spec.benchmark)
            .and_then(|benchmark| check_bots(benchmark, &spec))
            .map_err(unopened)?;
    }
    let title = titled(&title, &spec)?;
    let tags = limits::tags(&tags)?;
    if regrades.is_some() && branch_of.is_some() {
        return Err(Problem::unfit(
            "A run that grades again has no episode that could branch from another.",
        ));
    }
    let parent_token = parent_token.as_deref();
    let regrades = match regrades {
        Some(run) => Some(regraded(&app, &run, &spec, parent_token).await?),
        None => None,
    };
    let (branch_of, visibility) = match branch_of {
        Some(of) => {
            if let Some(client) = visitor {
                anonymous::pay(&app, client)?;
            }
            // Half of what the branch itself may have.
            let largest = visitor.map_or(u64::MAX, |_| MOST_BYTES / 2);
            let branched = sharing::branched(&app, of, &spec, parent_token, largest).await?;
            let visibility = match visitor {
                // Runs of visitors, for which no owner answers, are listed nowhere.
                Some(_) => visibility.min(Visibility::Unlisted),
                None => visibility,
            };
            (Some(branched.of), branched.seen_by.of_branch(visibility))
        }
        None => match visitor {
            Some(client) => {
                anonymous::pay(&app, client)?;
                // Runs of visitors, for which no owner answers, are listed nowhere.
                (None, visibility.min(Visibility::Unlisted))
            }
            None => (None, visibility),
        },
    };
    let run = RunId::new(random::bytes());
    let token = hex(&random::bytes::<32>());
    let new = NewRun {
        run: run.clone(),
        token: Digest::of(&token),
        title,
        tags,
        spec,
        opened: clock::now(),
        episodes,
        regrades,
        branch_of,
        visibility,
        is_visitors: visitor.is_some(),
    };
    let board = registry::find(&new.spec.benchmark)
        .map_err(|bad| Problem::unfit(bad.to_string()))?
        .board(&new.spec);
    let open = async {
        app.store().add_run(&new).await?;
        if !caps.is_nothing() || access.is_some() {
            app.call_limits().set_caps(&run, &caps, access).await?;
        }
        let owner = owner(&headers);
        app.store().set_opening(&run, owner.as_ref(), &board).await?;
        Ok(())
    };
    match visitor {
        Some(client) => anonymous::in_turn(&app, client, open).await?,
        None => open.await?,
    }
    Ok(Json(Opened { run, token }))
}

/// How many episodes a run has: counted from its spec, and taken from the client that opens it only if the server has not its
/// tasks.
async fn plays(app: &App, wanted: &OpenRun, is_visitors: bool) -> Answer<u32> {
    let (spec, told) = (&wanted.spec, wanted.episodes);
    if wanted.branch_of.is_some() {
        return Ok(1);
    }
    let Ok(benchmark) = registry::find(&spec.benchmark) else {
        return Ok(told);
    };
    // What cannot be played is refused as that.
    if wanted.regrades.is_some() || benchmark.check_spec(spec).is_err() {
        return Ok(told);
    }
    let tasks = match driving::tasks(app, benchmark, spec).await {
        Ok(set) => match sweep::tasks(benchmark, spec, &set) {
            Ok(tasks) => tasks.len(),
            Err(bad) if is_visitors => return Err(unopened(bad)),
            Err(_) => return Ok(told),
        },
        // Each of its tasks is played so often.
        Err(_) => return Ok(told.max(spec.repeats)),
    };
    let tasks = u32::try_from(tasks).unwrap_or(u32::MAX);
    Ok(tasks.saturating_mul(spec.repeats))
}

fn unopened(bad: BadSpec) -> Problem {
    Problem::unfit(format!("The run cannot be opened: {bad}."))
}

/// The run whose plays are graded again: that which played them, if the one that is named grades again itself.
async fn regraded(app: &App, run: &RunId, spec: &Spec, token: Option<&str>) -> Answer<RunId> {
    let head = find(app, run.as_str(), token).await?;
    let seats = registry::find(&spec.benchmark).map_err(unopened)?.grading_seats();
    if !grades_alike(&head.spec, spec, seats) {
        return Err(Problem::unfit(format!(
            "The configuration differs from that of the run whose episodes are to be graded in more than the seat {}.",
            seats.join(" or ")
        )));
    }
    Ok(head.regrades.unwrap_or(head.run))
}

/// The title as it is stored; the default one where it is empty.
fn titled(title: &str, spec: &Spec) -> Answer<String> {
    let title = limits::title(title)?;
    let benchmark = registry::find(&spec.benchmark);
    let benchmark = benchmark.map_err(|bad| Problem::unfit(bad.to_string()))?;
    Ok(title_or_default(title, benchmark, spec))
}

/// `PATCH /api/runs/{run}`: other names and tags. They are no evidence, so a published run may have others, too.
pub async fn edit(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    operator: Result<Operator, Problem>,
    headers: HeaderMap,
    limits::Json(wanted): limits::Json<EditRun>,
) -> Answer<Json<RunInfo>> {
    let run = owned_or_demo(&app, &run, bearer(&headers), operator.is_ok()).await?;
    let title = wanted.title.as_deref();
    let title = title.map(|title| titled(title, &run.spec)).transpose()?;
    let tags = wanted.tags.as_deref().map(limits::tags).transpose()?;
    let store = app.store();
    store.name_run(&run.run, title.as_deref(), tags.as_deref()).await?;
    app.boards().look_again();
    counted(&app, &run.run).await
}

/// Which part of the list.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Page {
    before: Option<Listed>,
    limit: Option<u32>,
    #[serde(default)]
    q: String,
    benchmark: Option<String>,
    #[serde(default)]
    model: String,
    state: Option<RunState>,
    tag: Option<String>,
}

/// `GET /api/runs`: for the operator only, because a client that knows a run's id may read it.
pub async fn list(
    _: Operator,
    State(app): State<App>,
    Params(page): Params<Page>,
) -> Answer<Response> {
    let limit = page.limit.unwrap_or(LIST).min(LIST);
    let filter = Filter {
        q: page.q,
        benchmark: page.benchmark,
        model: page.model,
        state: page.state,
        tag: page.tag,
    };
    listed(&app, Listing::All, page.before, limit, filter).await
}

/// A list of at most `limit` runs, as it is read while it is sent: specs may be large, and a list has many.
///
/// # Errors
/// If the store fails before anything is sent.
pub async fn listed(
    app: &App,
    list: Listing,
    after: Option<Listed>,
    limit: u32,
    filter: Filter,
) -> Answer<Response> {
    let store = app.store().clone();
    // Of those that are read few may be wanted.
    let is_filtered = !filter.is_empty();
    let most = move |limit: u32| if is_filtered { LIST } else { limit };
    let first = store.portion(&list, after.as_ref(), most(limit)).await?;
    let begun = Some((first, limit, "["));
    let parts = try_unfold(begun, move |left| {
        let (store, list, filter) = (store.clone(), list.clone(), filter.clone());
        async move {
            let Some((runs, mut limit, mut before)) = left else {
                return Ok(None);
            };
            let Some(last) = runs.last().map(Listed::after) else {
                let end = if before == "[" { "[]" } else { "]" };
                return Ok(Some((end.to_owned(), None)));
            };
            let mut part = String::new();
            let wanted = runs.iter().filter(|run| filter.takes(run));
            let mut count = 0;
            for run in wanted.take(limit as usize) {
                count += 1;
                let json = serde_json::to_string(run);
                part.push_str(before);
                part.push_str(&json.map_err(|_| StoreError::Unreadable("a run"))?);
                before = ",";
            }
            limit = limit.saturating_sub(count);
            drop(runs);
            let next = match limit {
                0 => Vec::new(),
                limit => store.portion(&list, Some(&last), most(limit)).await?,
            };
            Ok::<_, StoreError>(Some((part, Some((next, limit, before)))))
        }
    });
    let kind = [(header::CONTENT_TYPE, "application/json")];
    Ok((kind, Body::from_stream(parts)).into_response())
}

/// `GET /api/runs/{run}`
pub async fn info(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
) -> Answer<Json<RunInfo>> {
    let run = find(&app, &run, bearer(&headers)).await?.run;
    counted(&app, &run).await
}

/// `POST /api/runs/{run}/state`
pub async fn set_state(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    operator: Result<Operator, Problem>,
    headers: HeaderMap,
    limits::Json(wanted): limits::Json<SetState>,
) -> Answer<Json<RunInfo>> {
    let run = owned_or_demo(&app, &run, bearer(&headers), operator.is_ok()).await?;
    if let Some(trouble) = &wanted.trouble {
        check_length(trouble)?;
    }
    lease::turn(&app, run.clone(), wanted).await?;
    if run.regrades.is_some() {
        // Plays that needed no grading have numbers as well.
        measures::bring_up_to_date(&app, &run).await?;
    }
    counted(&app, &run.run).await
}

/// Why a run paused is shown to every reader, so its length is limited.
fn check_length(trouble: &ApiError) -> Answer<()> {
    let mend = trouble.mend.as_ref().map_or(0, String::len);
    let bytes = trouble.code.len() + trouble.message.len() + mend;
    match bytes <= LONGEST_TROUBLE {
        true => Ok(()),
        false => Err(Problem::unfit(format!(
            "`trouble` has {bytes} bytes; at most {LONGEST_TROUBLE} are accepted"
        ))),
    }
}

/// The longest reason of a pause, in bytes.
const LONGEST_TROUBLE: usize = 4096;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calls {
    episode: Option<EpisodeKey>,
}

/// `GET /api/runs/{run}/timing`, of one episode with `?episode=KEY`.
pub async fn timing(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    Params(Calls { episode }): Params<Calls>,
    headers: HeaderMap,
) -> Answer<Json<Vec<CallTiming>>> {
    let token = bearer(&headers);
    let run = find(&app, &run, token).await?;
    let is_owner = run.is_owned_by(token);
    let run = run.run;
    let mut timings = app.store().timings(&run, episode.as_ref()).await?;
    timings.extend(app.store().thoughts(&run, episode.as_ref()).await?);
    if !is_owner {
        // A service's own words may repeat what was asked, hidden fields included.
        timings.iter_mut().for_each(|one| one.timing.words = None);
    }
    Ok(Json(timings))
}

/// `GET /api/runs/{run}/summaries`: an object with every episode by its name. It is read while it is sent.
pub async fn summaries(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
) -> Answer<Response> {
    let run = find(&app, &run, bearer(&headers)).await?;
    let texts = measures::Texts::of(&app, &run).await?;
    let begun = Some((texts, "{"));
    let store = app.store().clone();
    let parts = try_unfold(begun, move |left| {
        let store = store.clone();
        async move {
            let Some((mut texts, mut before)) = left else {
                return Ok(None);
            };
            let mut part = String::new();
            let Some(some) = texts.next(&store).await? else {
                // Of no plays at all the object was not opened yet.
                let end = if before == "{" { "{}" } else { "}" };
                return Ok(Some((end.to_owned(), None)));
            };
            for (play, text) in some {
                part.push_str(before);
                // The name of an episode has no signs that JSON writes otherwise.
                part.push_str(&format!("\"{play}\":{text}"));
                before = ",";
            }
            Ok::<_, StoreError>(Some((part, Some((texts, before)))))
        }
    });
    let kind = [(header::CONTENT_TYPE, "application/json")];
    Ok((kind, Body::from_stream(parts)).into_response())
}

/// `GET /api/runs/{run}/episodes/{episode}/summary`: `null` before the episode has one.
pub async fn summary(
    State(app): State<App>,
    PathParam((run, episode)): PathParam<(String, String)>,
    headers: HeaderMap,
) -> Answer<Json<Option<Summary>>> {
    let run = find(&app, &run, bearer(&headers)).await?;
    let play = episodes::name(&episode)?.its_play();
    Ok(Json(measures::summary(&app, &run, &play).await?))
}

/// What a report is to have besides.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    with: Option<Besides>,
}

/// What a report has only if it is asked for.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Besides {
    /// How long the seats took: this waits until every transcript is read.
    Times,
}

/// `GET /api/runs/{run}/report`; how long the seats took is in it with `?with=times`.
pub async fn report(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    Params(Wanted { with }): Params<Wanted>,
    Client(client): Client,
    headers: HeaderMap,
) -> Answer<Json<Report>> {
    let run = find(&app, &run, bearer(&headers)).await?;
    let times = match with {
        Some(Besides::Times) => measures::times::took_for(&app, &run, client).await?,
        None => Times::default(),
    };
    Ok(Json(measures::report(&app, &run, times).await?))
}

async fn counted(app: &App, run: &RunId) -> Answer<Json<RunInfo>> {
    let info = app.store().run(run).await?;
    Ok(Json(info.ok_or_else(|| Problem::not_found("such run"))?))
}
