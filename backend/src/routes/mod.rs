//! Every address of the service, once. Types are those of [`turnwise_shared::wire`]; errors are
//! [`ApiError`](turnwise_shared::wire::ApiError).
//!
//! **Access** is the operator's token where one is configured, **run** the run's own token
//! ([`Opened::token`](turnwise_shared::wire::Opened)); both are sent as `Authorization: Bearer TOKEN`. While a live table is
//! played, everything about its run under `/api/runs` is refused as `sealed` (403). What is shown of a private run needs its token, and
//! is refused as of one that does not exist (404) without; of a withdrawn one nothing is shown (`withdrawn`, 410). A table that is over
//! is treated as its run is.
//!
//! | address | token | what |
//! | --- | --- | --- |
//! | `GET /readyz` | | whether the server can store what it does: 200, or 503 with the reason |
//! | `GET /api/about` | | what this server offers |
//! | `GET /api/prices` | | what services ask, as dated data |
//! | `GET /api/left-out?provider=NAME&model=MODEL` | | what of a sampling a model is never sent, as far as is known |
//! | `GET /api/socket` | run, in its first frame | calls, multiplexed; see [`socket`] |
//! | `POST /api/call` | run, in its body | one call, for scripts |
//! | `POST /api/probe` | access | tries a model or a search engine |
//! | `POST /api/models` | access | which models a service lists |
//! | `POST /api/runs` | access; none for a branch that costs nothing ([`crate::access::anonymous`]) | opens a run |
//! | `GET /api/runs?before=MS.RUN&limit=N` | access | runs, newest first, after a run of which time and id are named; `before=MS`: before a time; `q`, `benchmark`, `model`, `state`, `tag`: those alone |
//! | `GET /api/runs/{run}` | | a run's head |
//! | `PATCH /api/runs/{run}` | run | its name and its tags |
//! | `POST /api/runs/{run}/state` | run | pauses, closes, cancels, opens it again, takes it back |
//! | `POST /api/runs/{run}/lease` | run | takes the lease of its driver; uploads and the socket name its epoch |
//! | `GET /api/runs/{run}/drive` | | who drives it, how far that is, and how many calls were lost |
//! | `POST /api/runs/{run}/drive` | run | the server drives it from now on |
//! | `GET /api/runs/{run}/budget` | run | what it may spend, what it has spent, and how its services were held back |
//! | `POST /api/runs/{run}/caps` | run | other caps on what it may spend |
//! | `GET /api/runs/{run}/timing?episode=KEY` | | what its calls took, of one episode if one is named |
//! | `GET /api/runs/{run}/times` | | how long the calls of each seat took |
//! | `POST /api/runs/{run}/thinking` | run | how long people in its seats thought |
//! | `GET /api/runs/{run}/search?q=WORDS&skip=N` | | the episodes in which words occur, with excerpts |
//! | `GET /api/runs/{run}/regradings` | | the public runs that grade its plays again; with its token the unlisted ones, too |
//! | `POST /api/runs/{run}/visibility` | run | who may see it: private, unlisted, public |
//! | `GET /api/runs/{run}/preview` | | a picture of it (PNG) for sites that show its link |
//! | `GET /api/runs/{run}/episodes/{episode}/preview` | | the same of an episode |
//! | `GET /api/runs/{run}/episodes/{episode}/branches` | | the public runs that go on from it |
//! | `GET /api/runs/{run}/episodes/{episode}/summary` | | one of its episodes in a few numbers |
//! | `GET /api/runs/{run}/summaries` | | its episodes in a few numbers each, computed here from the transcripts |
//! | `GET /api/runs/{run}/report` | | its numbers |
//! | `GET /api/runs/{run}/episodes` | | the stored transcripts: lines, chain, ending |
//! | `GET /api/runs/{run}/episodes/{episode}` | | a transcript as text; with `Range` a part of it |
//! | `PUT /api/runs/{run}/episodes/{episode}?from=LINE&epoch=N` | run | stores lines; only what goes on from what is stored |
//! | `POST /api/runs/{run}/lines?epoch=N` | run | the same for several episodes; what became of each |
//! | `GET /api/runs/{run}/pictures/{digest}` | | the bytes (PNG) of a picture that its transcripts or visible tasks name |
//! | `PUT /api/runs/{run}/pictures/{digest}` | run | brings a picture that was rendered elsewhere |
//! | `GET /api/runs/{run}/receipts?after=CURSOR` | | what this server has signed of its calls |
//! | `POST /api/runs/{run}/check` | run | plays it again and checks everything; its evidence tier if it were published |
//! | `POST /api/runs/{run}/publish` | run | the same, and puts it on its board |
//! | `POST /api/runs/{run}/withdraw` | run | takes it off its board |
//! | `GET /api/runs/{run}/entry` | | how it stands on its board |
//! | `GET /api/packs/{digest}` | | a prompt pack whose runs get boards |
//! | `GET /api/archives/{digest}` | | the pages of the built-in web |
//! | `GET /api/keys` | | the keys with which this server signs or has signed |
//! | `GET /api/keys/{key}/batches?from=LEAF` | | what was signed under one, batch by batch |
//! | `GET /api/keys/{key}/heads` | | signatures over all batches so far, newest first |
//! | `GET /api/log?after=NUMBER` | | the public log of what was put on boards and taken off, and why |
//! | `POST /api/live` | access | opens a live table, at which people sit |
//! | `GET /api/live` | access | the live tables that are not over |
//! | `GET /api/live/{run}` | | what everybody may know of one, now or after its end |
//! | `GET /api/live/{run}/others` | | how others did on its tasks, once it is over |
//! | `POST /api/live/{run}/cancel` | the opener's | ends it |
//! | `GET /api/live/{run}/socket` | ticket, in its first frame | a seat's own line; see [`live::socket`] |
//! | `GET /api/live/{run}/seat?after=VERSION&wait=MS` | ticket | what the seat sees, for scripts |
//! | `POST /api/live/{run}/seat` | ticket | sits down, replies, leaves, for scripts |
//! | `GET /api/boards` | | the leaderboards, and what papers printed |
//! | `GET /api/boards/{id}?sort=KEY&…` | | a portion of one, as a view shows it; `format=csv` or `format=json`: all of it as a file |
//! | `GET /api/tasks` | | the task sets on the server |
//! | `GET /api/tasks/{name}` | access | a task file's bytes as they lie there: what is encrypted stays so; of a sealed set its tasks without hidden fields |
//! | `GET /api/tasks/{name}/texts` | | the tasks of a sealed set with what is hidden in them, once the operator has opened it |
//! | `PUT /api/tasks/{name}?benchmark=NAME` | access | stores a task file after checking it |
//! | everything else | | the web app |

mod about;
mod boards;
mod budgets;
mod calls;
mod driving;
mod episodes;
mod frames;
pub mod live;
mod others;
mod packed;
mod pictures;
mod publishing;
mod ranges;
mod reading;
mod receipts;
mod recent;
mod runs;
mod sharing;
pub mod socket;
mod storing;
mod tasks;
mod thinking;
mod web;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post};

use crate::App;
use crate::access::guard;
use crate::error::Problem;
use packed::packed;

/// The router of the whole service.
pub fn router(app: App) -> Router {
    Router::new()
        .route("/readyz", get(about::ready))
        .route("/api/about", packed(get(about::about)))
        .route("/api/prices", get(about::prices))
        .route("/api/archives/{digest}", get(about::archive))
        .route("/api/left-out", get(about::left_out))
        .route("/api/socket", get(socket::socket))
        .route("/api/call", post(calls::call))
        .route("/api/probe", post(calls::probe))
        .route("/api/models", post(calls::models))
        .route("/api/runs", packed(get(runs::list)).post(runs::open))
        .route("/api/runs/{run}", get(runs::info).patch(runs::edit))
        .route("/api/runs/{run}/state", post(runs::set_state))
        .route("/api/runs/{run}/lease", post(driving::take))
        .route("/api/runs/{run}/drive", get(driving::look).post(driving::begin_here))
        .route("/api/runs/{run}/lines", post(episodes::put_many))
        .route("/api/runs/{run}/budget", get(budgets::budget))
        .route("/api/runs/{run}/caps", post(budgets::set_caps))
        .route("/api/runs/{run}/timing", packed(get(runs::timing)))
        .route("/api/runs/{run}/times", packed(get(reading::times)))
        .route("/api/runs/{run}/thinking", post(thinking::thinking))
        .route("/api/runs/{run}/search", get(reading::search))
        .route("/api/runs/{run}/regradings", get(reading::regradings))
        .route("/api/runs/{run}/visibility", post(sharing::set_visibility))
        .route("/api/runs/{run}/preview", get(sharing::run_picture))
        .route("/api/runs/{run}/episodes/{episode}/preview", get(sharing::episode_picture))
        .route("/api/runs/{run}/episodes/{episode}/branches", get(sharing::branches))
        .route("/api/runs/{run}/summaries", packed(get(runs::summaries)))
        .route("/api/runs/{run}/report", packed(get(runs::report)))
        .route("/api/runs/{run}/episodes", packed(get(episodes::list)))
        .route("/api/runs/{run}/episodes/{episode}", packed(get(episodes::text)).put(episodes::put))
        .route("/api/runs/{run}/episodes/{episode}/summary", packed(get(runs::summary)))
        .route("/api/runs/{run}/pictures/{digest}", get(pictures::picture).put(pictures::keep))
        .route("/api/runs/{run}/receipts", packed(get(receipts::of_run)))
        .route("/api/runs/{run}/check", post(publishing::check))
        .route("/api/runs/{run}/publish", post(publishing::publish))
        .route("/api/runs/{run}/withdraw", post(publishing::withdraw))
        .route("/api/runs/{run}/entry", get(publishing::entry))
        .route("/api/packs/{digest}", get(boards::pack))
        .route("/api/keys", get(receipts::keys))
        .route("/api/keys/{key}/batches", get(receipts::batches))
        .route("/api/keys/{key}/heads", get(receipts::heads))
        .route("/api/log", packed(get(publishing::log)))
        .route("/api/live", get(live::list).post(live::open))
        .route("/api/live/{run}", get(live::info))
        .route("/api/live/{run}/others", get(others::others))
        .route("/api/live/{run}/cancel", post(live::cancel))
        .route("/api/live/{run}/socket", get(live::socket::socket))
        .route("/api/live/{run}/seat", get(live::look).post(live::say))
        .route("/api/boards", packed(get(boards::list)))
        .route("/api/boards/{id}", packed(get(boards::board)))
        .route("/api/tasks", get(tasks::list))
        .route("/api/tasks/{name}", get(tasks::bytes).put(tasks::put))
        .route("/api/tasks/{name}/texts", get(tasks::texts))
        .fallback(web::page)
        .method_not_allowed_fallback(async || Problem::method_not_allowed())
        .layer(from_fn(recent::forget_after_changes))
        .layer(from_fn_with_state(app.clone(), storing::refuse_while_away))
        .layer(from_fn_with_state(app.clone(), guard))
        .layer(from_fn(crate::log::requests))
        .with_state(app)
}
