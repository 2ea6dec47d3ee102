//! After the end: what came of it, who the others were, the replays, and whether the chance was fair.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwise_shared::registry;
use turnwise_shared::run::{EpisodeKey, PartKey};
use turnwise_shared::seat::Seat;
use turnwise_shared::spec::Spec;
use turnwise_shared::transcript::{self, Transcript};
use turnwise_shared::wire::live::{LiveEnding, LiveInfo};
use turnwise_shared::wire::{ApiError, RunId};

use super::Sight;
use super::fairness::{Checked, check, fairness_view};
use super::match_page::lanes_of;
use super::poker::{notes, people, table_of, with_own, would_have_won};
use super::question_end::{self, QuestionEnd, question_end};
use super::result::{HandResult, hands, opposite, rounds, totals, unmasked};
use super::world_end::{self, WorldEnd, world_end};
use crate::components::felt::{card_view, felt};
use crate::components::icons::Icon;
use crate::components::lanes::lanes;
use crate::components::message::{Loading, Trouble};
use crate::live_seat::Kept;
use crate::pages::play::setup::{INTERACTCOMP, PARAWORLD, POKER, TRUST};
use crate::strings::play as words;
use crate::view::address::{self, Place};
use crate::view::felt::{card_name, delta};
use crate::view::lanes::payoff;
use crate::view::wall::Wall;
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
    /// What came of each world, where worlds were played.
    worlds: Vec<WorldEnd>,
    /// What came of each question, where questions were asked.
    questions: Vec<QuestionEnd>,
    checked: Option<Checked>,
}

/// See the module's head.
#[component]
pub fn Over(
    /// The run.
    run: RunId,
    /// What this page knows of its seat.
    kept: Kept,
    /// The last that the seat saw, if the page was there.
    last: Option<Sight>,
) -> impl IntoView {
    let loaded: RwSignal<Option<Result<Arc<Finished>, ApiError>>> = RwSignal::new(None);
    let (asked, knows) = (run.clone(), kept.clone());
    spawn_local(async move {
        let mut wait = PATIENCE;
        loop {
            let found = load(&asked, &knows).await.map(Arc::new);
            let again = found.as_ref().is_err_and(is_away);
            // Whoever has gone to another page wants to know nothing more.
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
        None => view! { <h1 class="sr">{words::OVER}</h1> <Loading/> }.into_any(),
        Some(Err(problem)) if is_away(&problem) => view! {
            <h1>{words::OVER}</h1>
            {why.clone().map(|why| view! { <p class="warn">{why}</p> })}
            <div class="note note-warn" role="status">
                <Icon name="refresh"/>
                <p class="note-title">{words::SERVER_AWAY}</p>
                <p>{words::SERVER_AWAY_WHY}</p>
            </div>
        }
        .into_any(),
        Some(Err(problem)) => view! {
            <h1>{words::OVER}</h1>
            <Trouble problem=Some(problem) meaning=words::KEPT_ANYWAY/>
        }
        .into_any(),
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
            worlds: Vec::new(),
            questions: Vec::new(),
            checked: None,
        });
    }
    let spec = api::run(run).await?.spec;
    let mut plays = Vec::new();
    for head in api::episodes(run).await? {
        if head.episode.part() == PartKey::Play {
            let text = api::transcript(run, &head.episode).await?;
            let play = transcript::read(&text)
                .map_err(|bad| api::error("bad_transcript", words::sentence(&bad.to_string())))?;
            plays.push((head.episode, play));
        }
    }
    // Keys are sorted as texts, hands are played by their numbers.
    plays.sort_by_key(|(episode, play)| (order(play), episode.clone()));
    let checked = info
        .proof
        .as_ref()
        .map(|proof| check(proof, kept, &spec, &plays));
    let worlds = match info.benchmark == PARAWORLD {
        true => world_end::load(run, &spec, &plays).await?,
        false => Vec::new(),
    };
    let questions = match info.benchmark == INTERACTCOMP {
        true => question_end::load(run, &spec, &plays).await?,
        false => Vec::new(),
    };
    Ok(Finished {
        info,
        spec: Some(spec),
        plays,
        worlds,
        questions,
        checked,
    })
}

/// Where a play stands among the others: the last number in the id of its task.
fn order(play: &Transcript) -> u64 {
    let id = &play.header.task.id.0;
    let digits = id
        .rsplit(|sign: char| !sign.is_ascii_digit())
        .find(|part| !part.is_empty());
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
    let seated = finished.spec.as_ref().zip(kept.seat.as_ref());
    // Hands of one's own, worlds and questions have a link each.
    let (moment, has_links) = match (info.benchmark.as_str(), seated) {
        (POKER, Some((spec, seat))) => (table_end(run, kept, last, seat, spec, finished), true),
        (TRUST, Some((spec, seat))) => (match_end(last, seat, spec, finished), false),
        _ => {
            let worlds = finished.worlds.iter().map(|world| world_end(run, world));
            let questions = finished.questions.iter().map(|one| question_end(run, one));
            let ends: Vec<_> = worlds.chain(questions).collect();
            let has_links = !ends.is_empty();
            (ends.into_any(), has_links)
        }
    };
    let replays = (!has_links).then(|| replays(run, &finished.plays));
    let has_run = finished.spec.is_some();
    view! {
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
                    {words::AGAIN}
                </a>
            </div>
        </div>
        {moment}
        {replays}
        {finished.checked.as_ref().map(fairness_view)}
        <p class="small faint">{words::evidence(&info.evidence)}</p>
        {info
            .people
            .values()
            .filter_map(|sitter| sitter.agreed.as_ref())
            .map(|agreed| view! { <p class="small faint">{words::agreed(&clock::moment(agreed.time), &agreed.to)}</p> })
            .collect_view()}
    }
    .into_any()
}

/// The end of a card table: the sum, the last hand, all hands.
fn table_end(
    run: &RunId,
    kept: &Kept,
    last: Option<&Sight>,
    seat: &Seat,
    spec: &Spec,
    finished: &Finished,
) -> AnyView {
    let results = hands(&finished.plays, seat);
    if results.is_empty() {
        return view! { <p class="soft">{words::NO_HANDS}</p> }.into_any();
    }
    let unit = results.first().map_or(1, |hand| hand.units_per_chip);
    let sum: i64 = results.iter().map(|hand| hand.delta).sum();
    let best = results.iter().map(|hand| hand.delta).max().unwrap_or(0);
    let won = results.iter().filter(|hand| hand.delta > 0).count();
    let picture = last.and_then(|view| {
        let ended = view.last.as_ref()?;
        let own = table_of(&ended.scene)?;
        let all = ended.reveal.as_ref().and_then(table_of);
        let is_reveal = all.is_some();
        let table = &all.map_or_else(|| own.clone(), |all| with_own(all, own));
        let people = people(view);
        let mut names = kept.names.clone();
        for seat in spec.seats.keys() {
            if let (false, Some(who)) = (people.contains_key(seat), unmasked(spec, seat)) {
                names.entry(seat.clone()).or_insert(who.name);
            }
        }
        let notes = notes(table, &names, &people, is_reveal);
        let shares = is_reveal
            .then(|| would_have_won(table, &notes.who))
            .flatten()
            .map(|said| view! { <p class="small soft">{said} " " {words::SHARES_NOTE}</p> });
        Some(view! {
            <section class="section" aria-labelledby="last-hand">
                <div class="section-head"><h2 id="last-hand">{words::LAST_HAND}</h2></div>
                {felt(table, &notes)}
                {shares}
            </section>
        })
    });
    let class = match sum.signum() {
        1 => "figure-value good",
        -1 => "figure-value bad",
        _ => "figure-value",
    };
    let rows: Vec<_> = results.iter().map(|hand| hand_row(run, hand)).collect();
    view! {
        <dl translate="no" class="figures pend">
            <div class="figure figure-main">
                <dt>{words::RESULT}</dt>
                <dd class=class>{delta(sum, unit)} <small>{words::CHIPS}</small></dd>
                <dd class="figure-range">{words::over_hands(results.len())}</dd>
            </div>
            <div class="figure">
                <dt>{words::HANDS_WON}</dt>
                <dd class="figure-value">{won}</dd>
                <dd class="figure-range">{words::of(results.len())}</dd>
            </div>
            <div class="figure">
                <dt>{words::BEST_HAND}</dt>
                <dd class="figure-value">{delta(best, unit)} <small>{words::CHIPS}</small></dd>
            </div>
        </dl>
        {picture}
        <section class="section" aria-labelledby="all-hands">
            <div class="section-head"><h2 id="all-hands">{words::ALL_HANDS}</h2></div>
            <ol class="phands">{rows}</ol>
        </section>
    }
    .into_any()
}

fn hand_row(run: &RunId, hand: &HandResult) -> AnyView {
    let class = match hand.delta.signum() {
        1 => "num good",
        -1 => "num bad",
        _ => "num soft",
    };
    let words_of = |cards: &[String]| {
        let names: Vec<_> = cards.iter().map(|card| card_name(card)).collect();
        names.join(", ")
    };
    let drawn = |cards: &[String]| -> Vec<AnyView> {
        cards.iter().map(|card| card_view(Some(card))).collect()
    };
    let won = delta(hand.delta, hand.units_per_chip);
    let label = words::hand_row(
        hand.number,
        &words_of(&hand.cards),
        &words_of(&hand.board),
        &won,
    );
    let place = Place::default();
    view! {
        <li>
            <a class="phand" href=address::episode(run, &hand.episode, &place) aria-label=label>
                <span class="faint num">{hand.number}</span>
                <span class="phand-cards">{drawn(&hand.cards)}</span>
                <span class="phand-cards phand-board">{drawn(&hand.board)}</span>
                <b class=class>{won}</b>
                <span class="phand-go">
                    {words::REPLAY}
                    <Icon name="right"/>
                </span>
            </a>
        </li>
    }
    .into_any()
}

/// The end of a match: who it was.
fn match_end(last: Option<&Sight>, seat: &Seat, spec: &Spec, finished: &Finished) -> AnyView {
    let who = opposite(spec, seat).and_then(|other| {
        let mut who = unmasked(spec, &other)?;
        let sitter = finished.info.people.get(&other);
        let name = sitter.and_then(|sitter| sitter.name.as_deref());
        if let Some(name) = name.filter(|name| !name.trim().is_empty()) {
            who.name = name.to_owned();
        }
        Some(who)
    });
    let play = finished.plays.last().map(|(_, play)| play);
    let score = play.and_then(|play| totals(play, seat));
    let length = play.and_then(rounds);
    let all = last
        .and_then(|view| view.last.as_ref())
        .and_then(|ended| lanes_of(&ended.scene))
        .cloned();
    view! {
        <section class="card preveal">
            {who
                .map(|who| {
                    view! {
                        <p class="soft">{words::IT_WAS}</p>
                        <p class="preveal-name">{who.name}</p>
                        <p class="read">{words::sentence(&who.about)}</p>
                    }
                })}
            {score
                .map(|(own, other)| {
                    view! {
                        <dl translate="no" class="figures">
                            <div class="figure figure-main">
                                <dt>{words::YOU}</dt>
                                <dd class="figure-value">{payoff(own)}</dd>
                                <dd class="figure-range">{length.map(words::after_rounds)}</dd>
                            </div>
                            <div class="figure">
                                <dt>{words::THE_OTHER}</dt>
                                <dd class="figure-value">{payoff(other)}</dd>
                            </div>
                        </dl>
                    }
                })}
            {all.map(|all| lanes(&all, None))}
        </section>
    }
    .into_any()
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
    view! { <ul class="row preplays">{rows}</ul> }.into_any()
}
