//! After the end: what came of it, who the others were, the replays, and whether the chance was fair.

use turnwise_shared::wire::live::LiveEnding;

use super::fairness::{Checked, check, fairness_view};
use crate::at_table::Sight;
use crate::at_table::ends::{self, Ended, Over};
use crate::benchmarks::screen;
use crate::live_seat::Kept;
use crate::prelude::*;
use crate::strings::play as words;
use crate::{api, clock};

/// Milliseconds before a server that is away is asked again, the first time; twice as long each further time.
const PATIENCE: u32 = 1000;

/// The longest wait before it is asked again, in milliseconds.
const LONGEST_PATIENCE: u32 = 8000;

/// Everything that is known once a table is over.
#[derive(Debug)]
struct Finished {
    info: LiveInfo,
    /// Absent if the run never began.
    spec: Option<Spec>,
    plays: Vec<(EpisodeKey, Transcript)>,
    /// The same with task and grading, where tasks come from a file.
    ended: Vec<Ended>,
    checked: Option<Checked>,
}

#[component]
pub fn OverPage(
    run: RunId,
    /// What this page knows of its seat.
    kept: Kept,
    /// The last that the seat saw, if the page was there.
    last: Option<Sight>,
) -> impl IntoView {
    let loaded = RwSignal::new(None::<Result<Arc<Finished>, ApiError>>);
    let (asked, knows) = (run.clone(), kept.clone());
    spawn_local(async move {
        let mut wait = PATIENCE;
        loop {
            let found = load(&asked, &knows).await.map(Arc::new);
            let again = found.as_ref().is_err_and(is_away);
            // The reader has gone to another page, which needs no result.
            let gone = loaded.try_set(Some(found)).is_some();
            if gone || !again {
                break;
            }
            clock::sleep(wait).await;
            wait = (wait * 2).min(LONGEST_PATIENCE);
        }
    });
    let why = last.as_ref().and_then(|view| view.table.end.clone());
    let why = why.map(|end| end.why);
    move || match loaded.get() {
        None => any_view! { <h1 class="sr">{words::OVER}</h1> <Loading/> },
        Some(Err(problem)) if is_away(&problem) => any_view! {
            <h1>{words::OVER}</h1>
            {why.clone().map(|why| view! { <p class="warn">{why}</p> })}
            <div class="note note-warn" role="status">
                <Icon name="refresh"/>
                <p class="note-title">"The server is away; it is being looked for"</p>
                <p>"What was played is kept there. This page goes on by itself as soon as the server is back."</p>
            </div>
        },
        Some(Err(problem)) => any_view! {
            <h1>{words::OVER}</h1>
            <Trouble problem=Some(problem) meaning="The server keeps what was played; load the page again."/>
        },
        Some(Ok(finished)) => finished_view(&run, &kept, last.as_ref(), &finished),
    }
}

/// Whether the server is away, and may come back.
fn is_away(problem: &ApiError) -> bool {
    problem.code == api::UNREACHABLE
}

async fn load(run: &RunId, kept: &Kept) -> Result<Finished, ApiError> {
    let info = api::live::info(run).await?;
    if info.proof.is_none() {
        // It ended before it began; there is no run.
        return Ok(Finished {
            info,
            spec: None,
            plays: Vec::new(),
            ended: Vec::new(),
            checked: None,
        });
    }
    let spec = api::run(run).await?.spec;
    let read = async |episode: &EpisodeKey| {
        let text = api::transcript(run, episode).await?;
        transcript::read(&text)
            .map_err(|bad| api::error("bad_transcript", words::sentence(&bad.to_string())))
    };
    let mut plays = Vec::new();
    let mut gradings = BTreeMap::new();
    for head in api::episodes(run).await? {
        match head.episode.part() {
            PartKey::Play => plays.push((head.episode.clone(), read(&head.episode).await?)),
            // Without a grading that can be read the episode is shown all the same.
            _ => gradings.extend(read(&head.episode).await.ok().map(|read| (head.episode, read))),
        }
    }
    // Keys are sorted as texts, hands are played by their numbers.
    plays.sort_by_key(|(episode, play)| (order(play), episode.clone()));
    let checked = info.proof.as_ref().map(|proof| check(proof, kept, &spec, &plays));
    let ended = ends::load(run, &spec, &plays, gradings).await?;
    Ok(Finished { info, spec: Some(spec), plays, ended, checked })
}

/// Where an episode stands among the others: the last number in the id of its task.
fn order(play: &Transcript) -> u64 {
    let id = &play.header.task.id.0;
    let digits = id.rsplit(|sign: char| !sign.is_ascii_digit()).find(|part| !part.is_empty());
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

fn finished_view(run: &RunId, kept: &Kept, last: Option<&Sight>, finished: &Finished) -> AnyView {
    let info = &finished.info;
    let game = registry::find(&info.benchmark).map_or("", |game| game.title());
    let ended = info.end.as_ref().map(|end| {
        let class = match end.ending {
            LiveEnding::Played => "soft",
            LiveEnding::Cancelled | LiveEnding::Interrupted => "warn",
        };
        view! { <p class=class>{end.why.clone()}</p> }
    });
    let over = finished.spec.as_ref().map(|spec| Over {
        run,
        kept,
        last,
        spec,
        plays: &finished.plays,
        ended: &finished.ended,
        people: &info.people,
    });
    let end = over.map(|over| {
        let own = screen(&info.benchmark).and_then(|screen| screen.end(&over));
        own.unwrap_or_else(|| ends::end(&over))
    });
    let has_links = end.as_ref().is_some_and(|end| end.has_links);
    let replays = (!has_links).then(|| replays(run, &finished.plays));
    let has_run = finished.spec.is_some();
    any_view! {
        <div class="page-head">
            <div>
                <h1>{words::over(game)}</h1>
                {ended}
            </div>
            <div class="row">
                {has_run
                    .then(|| {
                        view! {
                            <a class="btn" href=address::run(run, &Wall::default())>
                                {words::TO_RUN}
                            </a>
                        }
                    })}
                <a class="btn btn-primary" href=format!("/play?game={}", info.benchmark)>
                    <Icon name="play"/>
                    "Play again"
                </a>
            </div>
        </div>
        {end.map(|end| end.view)}
        {replays}
        {finished.checked.as_ref().map(fairness_view)}
        <p class="small faint">{words::evidence(&info.evidence)}</p>
        {info
            .people
            .values()
            .filter_map(|sitter| sitter.agreed.as_ref())
            .map(|agreed| view! { <p class="small faint">{format!("Agreed to on {}: “{}”", clock::moment(agreed.time), agreed.to)}</p> })
            .collect_view()}
    }
}

/// The way to each replay.
fn replays(run: &RunId, plays: &[(EpisodeKey, Transcript)]) -> AnyView {
    let rows: Vec<_> = plays
        .iter()
        .enumerate()
        .map(|(at, (episode, _))| {
            let href = address::episode(run, episode, &Place::default());
            view! {
                <li>
                    <a class="btn" href=href>
                        <Icon name="tape"/>
                        {words::replay_of(at + 1, plays.len())}
                    </a>
                </li>
            }
        })
        .collect();
    any_view! { <ul class="row preplays">{rows}</ul> }
}
