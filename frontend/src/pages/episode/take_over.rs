//! Going on from a turn of the episode that is read, in a run of its own.

use turnwise_shared::run::{Cut, cut};
use turnwise_shared::visitors::needs_token;

use super::loaded::ReadTranscript;
use crate::components::dialog::Dialog;
use crate::components::who::{Who, WhoField};
use crate::driver::{self, Branching};
use crate::live::{self, RunView};
use crate::plan::usual_sampling;
use crate::prelude::*;
use crate::strings::sharing as words;
use crate::view::branching::{self, Why};
use crate::{api, keep, library};

/// The button and its form; nothing where there is no way to go on.
#[component]
pub fn TakeOver(
    id: RunId,
    /// What is known of it.
    view: RunView,
    play: Arc<ReadTranscript>,
    /// The turn at which the reader is.
    now: Signal<Option<u32>>,
) -> impl IntoView {
    let turns: Vec<u32> = play.timeline.cells.iter().map(|cell| cell.turn).collect();
    if turns.is_empty() {
        return ().into_any();
    }
    let open = RwSignal::new(false);
    let turn = RwSignal::new(turns[0]);
    let last = *turns.last().unwrap_or(&1);
    let at = Memo::new(move |_| now.get().unwrap_or(last));
    let begin = move |_| {
        turn.set(at.get_untracked());
        open.set(true);
    };
    let form = move || {
        open.get().then(|| {
            view! { <Form id=id.clone() view play=Arc::clone(&play) turns=turns.clone() turn/> }
        })
    };
    any_view! {
        <button class="btn btn-small" type="button" id="take-over" on:click=begin>
            <SmallIcon name="person"/>
            {move || format!("Take over from turn {}", at.get())}
        </button>
        <Dialog open title="Take over">
            {form}
        </Dialog>
    }
}

#[component]
fn Form(
    id: RunId,
    view: RunView,
    play: Arc<ReadTranscript>,
    turns: Vec<u32>,
    turn: RwSignal<u32>,
) -> impl IntoView {
    let spec = play.transcript.header.spec.clone();
    let transcript = StoredValue::new(play.transcript.clone());
    let place = Memo::new(move |_| {
        transcript.with_value(|play: &Transcript| cut(play, turn.get()).map(Found))
    });
    let seat = move || place.get().map(|found| found.0.seat);
    let who = Who::new(Player::Person.to_string());
    let benchmark = library::benchmark(&spec.benchmark).ok();
    let about = RwSignal::new(None::<About>);
    // Whether the tasks are here or can be had, once that is known.
    let has_tasks = RwSignal::new(true);
    {
        let spec = spec.clone();
        spawn_local(async move {
            // Without it the form offers what needs no server.
            let found = api::about().await.ok();
            let pays = found.as_ref().is_none_or(may_pay);
            about.try_set(found);
            if !pays {
                let here = library::tasks_here(&spec).await;
                has_tasks.try_set(here.is_ok_and(|set| set.is_some()));
            }
        });
    }
    let pays = Memo::new(move |_| about.is_none_or(may_pay));
    let parent = view
        .info
        .with_untracked(|info| info.as_ref().map(|info| info.visibility))
        .unwrap_or_default();
    // Nothing is made public without being asked for.
    let listed = RwSignal::new(false);
    let busy = RwSignal::new(false);
    let problem = RwSignal::new(None::<ApiError>);
    let all = Memo::new(move |_| {
        let (Some(benchmark), Some(seat)) = (benchmark, seat()) else {
            return vec![Player::Person.to_string()];
        };
        about.with(|about| branching::candidates(benchmark, &seat, about.as_ref(), pays.get()))
    });
    // Who sits in each seat if it has to be filled anew; a built-in player at first.
    let usual = |seat: &Seat| benchmark.and_then(|benchmark| branching::usual_bot(benchmark, seat));
    let others: BTreeMap<Seat, Who> = spec
        .seats
        .keys()
        .map(|seat| (seat.clone(), Who::new(usual(seat).unwrap_or_default())))
        .collect();
    let others = StoredValue::new(others);
    let spec = StoredValue::new(spec);
    let before = Signal::derive(move || {
        let seat = seat()?;
        spec.with_value(|spec| Some(format!("until now: {}", spec.seats.get(&seat)?.player)))
    });
    let anew = Memo::new(move |_| {
        let Some(seat) = seat() else {
            return Vec::new();
        };
        spec.with_value(|spec| branching::filled_anew(&spec.seats, &seat, pays.get()))
    });
    // Who sits where in the branch; `None` while a player is not named.
    let lineup = move || {
        let taken = seat()?;
        let mut seats = spec.with_value(|spec| spec.seats.clone());
        let seat_anew = |seats: &mut Lineup, seat: Seat, player: Player| {
            let usual = |benchmark| {
                spec.with_value(|spec| usual_sampling(benchmark, spec.into(), &seat, &player))
            };
            let sampling = benchmark.map(usual).unwrap_or_default();
            seats.insert(seat, Sitting { player, sampling });
        };
        seat_anew(&mut seats, taken, who.player()?);
        for (seat, _) in anew.get() {
            let player = others.with_value(|others| others.get(&seat).copied())?.player()?;
            seat_anew(&mut seats, seat, player);
        }
        Some(seats)
    };
    // What stands in the way of a visitor without an access token.
    let needs = Memo::new(move |_| {
        if pays.get() {
            return None;
        }
        let about = about.get()?;
        if !about.visitors {
            return Some(
                "On this server nobody goes on from an episode without its access token."
                    .to_owned(),
            );
        }
        let spec = spec.get_value();
        let sets = &about.task_sets;
        let is_sealed = sets.iter().any(|set| set.sealed && set.digest == spec.tasks.digest);
        let empty = anew.get().into_iter().find(|(seat, _)| {
            let chosen = others.with_value(|others| others.get(seat).copied());
            chosen.and_then(Who::player).is_none()
        });
        if let Some((seat, _)) = empty.filter(|_| !is_sealed) {
            return Some(format!(
                "No built-in player can sit as {}; a model can, which needs the server's access \
                token.",
                seat.as_str()
            ));
        }
        let wanted = Spec { seats: lineup().unwrap_or_default(), ..spec };
        needs_token(&wanted, &about.engines, is_sealed).map(|one| words::needs(&one)).or_else(
            || {
                (!has_tasks.get()).then(|| {
                    "The server gives its task file only to holders of the \
                access token. If you have the file, drop it on the New run page first."
                        .to_owned()
                })
            },
        )
    });
    let navigate = use_navigate();
    let start = move |_| {
        let player = untrack(|| who.player());
        let seats = untrack(lineup);
        let (Some(player), Some(seats), Some(Found(place))) =
            (player, seats, place.get_untracked())
        else {
            problem.set(Some(api::error("nobody", "Name a model as PROVIDER/MODEL.")));
            return;
        };
        let wanted = Wanted {
            turn: turn.get_untracked(),
            place,
            player,
            seats,
            visibility: parent.of_branch(match listed.get_untracked() {
                true => Visibility::Public,
                false => Visibility::Unlisted,
            }),
        };
        let (id, navigate) = (id.clone(), navigate.clone());
        let parent = transcript.get_value();
        problem.set(None);
        busy.set(true);
        spawn_local(async move {
            match begin(&id, view, parent, wanted).await {
                Ok(run) => {
                    navigate(&address::run(&run, &Wall::default()), NavigateOptions::default())
                }
                Err(why) => {
                    busy.try_set(false);
                    problem.put(why);
                }
            }
        });
    };
    let turn_options = turns
        .into_iter()
        .map(|one| {
            let is_chosen = turn.get_untracked() == one;
            option(one.to_string(), one, move || is_chosen)
        })
        .collect_view();
    let choose_turn = move |chosen: String| {
        if let Ok(chosen) = chosen.parse() {
            turn.set(chosen);
        }
    };
    let seen = move || match parent {
        Visibility::Unlisted | Visibility::Public if !pays.get() => {
            any_view! {
                <p class="small soft" id="take-unlisted">
                    "Anyone with the link can read the branch. Only this browser and the operator list it."
                </p>
            }
        }
        Visibility::Private => {
            any_view! { <p class="small soft">"This run is private, so the one that goes on from it is private, too, until you share it."</p> }
        }
        Visibility::Unlisted | Visibility::Public => any_view! {
            <label class="check">
                <input
                    type="checkbox"
                    id="take-listed"
                    bind:checked=listed
                />
                <span>
                    "Make the branch public" <span class="small soft share-means">"Anyone can open it, and the \
                        page of this episode lists it. Otherwise only people with the link can."</span>
                </span>
            </label>
        },
    };
    // Of games a reader may know what decides them; a bot or a model does not.
    let foreknown =
        library::benchmark(&transcript.with_value(|play| play.header.spec.benchmark.clone()))
            .ok()
            .and_then(|benchmark| benchmark.foreknown());
    let foreknown = move || {
        let is_reader = who.player() == Some(Player::Person);
        foreknown
            .filter(|_| is_reader)
            .map(|known| view! { <p class="note" id="take-known">{known}</p> })
    };
    let known_only = Signal::derive(move || !pays.get());
    let label = Signal::derive(move || {
        seat().map(|seat| words::who_sits(seat.as_str())).unwrap_or_default()
    });
    let other_seats = move || {
        let one = |(seat, why): (Seat, Why)| {
            let who = others.with_value(|others| others.get(&seat).copied())?;
            let known = {
                let seat = seat.clone();
                Signal::derive(move || {
                    let benchmark = benchmark?;
                    Some(about.with(|about| {
                        branching::candidates(benchmark, &seat, about.as_ref(), pays.get())
                    }))
                })
            };
            let known = Signal::derive(move || {
                let mut known = known.get().unwrap_or_default();
                // A reader goes on in the seat whose turn it is; here that is the last thing that is wanted.
                known.sort_by_key(|who| *who == Player::Person.to_string());
                known
            });
            let note = match why {
                Why::Person => "A person sat here, who is not here any more. From this turn on somebody else does, and the branch says so.".to_owned(),
                Why::Model => spec.with_value(|spec| {
                    let sitting = spec.seats.get(&seat).map(|one| one.player.to_string()).unwrap_or_default();
                    format!("Until now: {sitting}. Models cost the operator of this server money, so another player \
                        continues here. The branch says so.")
                }),
            };
            let label = words::who_sits(seat.as_str());
            let name = format!("take-{seat}");
            Some(view! {
                <WhoField name label known person=words::ME who known_only note=Some(note)/>
            })
        };
        anew.get().into_iter().filter_map(one).collect_view()
    };
    let needed = move || match (needs.get(), pays.get()) {
        (Some(needs), _) => Some(any_view! {
            <div class="note note-warn" id="take-needs">
                <Icon name="info"/>
                <p>{needs} " " <a href="/connections">{words::TO_CONNECTIONS}</a></p>
            </div>
        }),
        (None, false) => Some(any_view! {
            <p class="small soft" id="take-free">
                "You and built-in players can go on here without the server's access token; models need it. " <a href="/connections">{words::TO_CONNECTIONS}</a>
            </p>
        }),
        (None, true) => None,
    };
    view! {
        <div class="stack">
            <p>"Continue from this turn as a new run. It is graded and compared with the original, and never ranked."</p>
            {select_field("take-turn", "From turn", choose_turn, turn_options)}
            <WhoField name="take" label known=all person=words::ME who known_only note=before/>
            {foreknown}
            {other_seats}
            {seen}
            {needed}
            <Trouble problem/>
            <div>
                <button
                    class="btn btn-primary"
                    type="button"
                    id="take-begin"
                    disabled=move || busy.get() || needs.is_some()
                    aria-busy=move || busy.get().then_some("true")
                    on:click=start
                >
                    "Begin"
                </button>
            </div>
        </div>
    }
}

/// Where a turn begins, for a memo.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found(Cut);

struct Wanted {
    turn: u32,
    place: Cut,
    player: Player,
    /// Who sits where, that one included.
    seats: Lineup,
    visibility: Visibility,
}

/// Whether the user of this browser may spend what the server pays for.
fn may_pay(about: &About) -> bool {
    branching::may_spend(about, keep::access_token().is_some())
}

async fn begin(
    id: &RunId,
    view: RunView,
    parent: Transcript,
    wanted: Wanted,
) -> Result<RunId, ApiError> {
    let ingredients = live::ingredients(id).await?;
    let header = &parent.header;
    let benchmark = library::benchmark(&header.spec.benchmark)?;
    let title = format!("Task {} from turn {}, {}", header.task.id.0, wanted.turn, wanted.player);
    let spec = benchmark
        .take_over(&header.spec, wanted.seats)
        .map_err(|bad| api::error("bad_branch", bad.to_string()))?;
    // Plays that a run grades again are those of the run that played them.
    let run = view
        .info
        .with_untracked(|info| info.as_ref().and_then(|info| info.regrades.clone()))
        .unwrap_or_else(|| id.clone());
    let branching = Branching {
        of: BranchOf {
            run,
            episode: turnwise_shared::key::EpisodeKey::play(&header.task.id, header.repeat),
            turn: wanted.turn,
            lines: wanted.place.lines,
        },
        parent,
        spec,
        title,
        tasks: ingredients.tasks,
        pack: ingredients.pack,
        visibility: wanted.visibility,
    };
    Ok(driver::branch(branching).await?)
}
