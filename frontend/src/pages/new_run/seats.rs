//! Who sits in each seat: a built-in rule, a model, a recording, or a person in this browser.

mod bots;
pub(super) mod known;
mod models;
mod recordings;
mod sampled;
mod tested;

use bots::Bots;
use models::Models;
use recordings::{Recordings, can_play_back};
use sampled::Sampled;
use tested::Tested;

use super::Draft;
use crate::pages::play::language;
use crate::plan::SeatPlace;
use crate::prelude::*;
use crate::strings::new_run as strings;

/// The seats that a section shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SeatGroup {
    /// The seat under evaluation; all of them where participants are numbered.
    Evaluated,
    Others,
}

/// The rows of some seats.
fn rows(draft: Draft, part: SeatGroup) -> impl IntoView {
    // A row stays in the page while another player is chosen for it, or the keyboard would lose its place.
    let places = Memo::new(move |_| {
        let benchmark = draft.benchmark();
        let mut places = draft.config.with(|config| plan::places(config, benchmark));
        if benchmark.participants().is_some() {
            return match part {
                SeatGroup::Evaluated => places,
                SeatGroup::Others => Vec::new(),
            };
        }
        let others = places.split_off(places.len().min(1));
        match part {
            SeatGroup::Evaluated => places,
            SeatGroup::Others => others,
        }
    });
    let each = move || {
        let benchmark = draft.benchmark().name();
        places.get().into_iter().map(move |place| (benchmark, place))
    };
    view! {
        <div class="seats">
            <For
                each
                key=|(benchmark, place)| (*benchmark, place.seat.clone())
                children=move |(_, place)| view! { <SeatRow draft place/> }
            />
        </div>
    }
}

/// The section of the player that is evaluated.
#[component]
pub fn Evaluated(draft: Draft) -> impl IntoView {
    let title = move || {
        let benchmark = draft.benchmark();
        match (benchmark.participants(), benchmark.seats().first()) {
            (Some(_), _) => "Players".to_owned(),
            (None, Some(info)) if info.seat != Seat::PLAYER => format!("Who is the {}", info.seat),
            (None, _) => "Model under evaluation".to_owned(),
        }
    };
    view! {
        <section class="section stack-2" id="evaluated">
            <div class="section-head">
                <h2>{title}</h2>
                <Count draft/>
            </div>
            {rows(draft, SeatGroup::Evaluated)}
            {move || {
                draft
                    .benchmark()
                    .participants()
                    .map(|_| {
                        view! {
                            <p class="field-note">
                                "People play games on their own page." " " <a href="/play">{strings::TO_PLAY}</a>
                            </p>
                        }
                    })
            }}
        </section>
    }
}

/// The other seats, folded away: the benchmark says who sits there.
#[component]
pub fn OtherSeats(draft: Draft) -> impl IntoView {
    let others = Memo::new(move |_| {
        let benchmark = draft.benchmark();
        let all = draft.config.with(|config| {
            let places = plan::places(config, benchmark).into_iter().skip(1);
            places
                .map(|place| {
                    let chosen = config.seats.get(&place.seat);
                    let player = chosen.unwrap_or(&place.default);
                    format!("{} {player}", place.seat)
                })
                .collect::<Vec<_>>()
        });
        match benchmark.participants() {
            Some(_) => Vec::new(),
            None => all,
        }
    });
    // Who was chosen in the address is seen.
    let is_open = draft.config.with_untracked(|config| {
        let first = draft.benchmark_untracked().seats().first();
        let is_other = |seat: &Seat| first.is_some_and(|info| info.seat != seat.as_str());
        config.seats.keys().any(is_other)
    });
    view! {
        <Show when=move || others.with(|others| !others.is_empty())>
            <details class="more" id="other-seats" open=is_open>
                <summary>
                    "Other seats"
                    <span class="faint">{move || others.with(|others| others.join(", "))}</span>
                </summary>
                <div class="more-body">{rows(draft, SeatGroup::Others)}</div>
            </details>
        </Show>
    }
}

/// How many take part, where that can be chosen.
#[component]
fn Count(draft: Draft) -> impl IntoView {
    let now = move || {
        let benchmark = draft.benchmark();
        draft.config.with(|config| plan::participants(config, benchmark))
    };
    let limits = Memo::new(move |_| draft.benchmark().participants());
    let change = move |to: u32| {
        let usual = u32::try_from(draft.benchmark_untracked().seats().len()).unwrap_or(u32::MAX);
        draft.config.update(|config| {
            config.participants = (to != usual).then_some(to);
            // Players that sat further back have left.
            let stays = |seat: &Seat| seat.as_str().parse().is_ok_and(|number: u32| number <= to);
            config.seats.retain(|seat, _| stays(seat));
            config.sampling.retain(|seat, _| stays(seat));
        });
    };
    move || {
        limits.get().map(|(fewest, most)| {
            view! {
                <span class="small soft" role="status">{move || strings::participants(now(), fewest, most)}</span>
                <button
                    class="btn btn-small"
                    type="button"
                    id="drop-seat"
                    disabled=move || { now() <= fewest }
                    on:click=move |_| change(untrack(now) - 1)
                >
                    "Remove the last seat"
                </button>
                <button
                    class="btn btn-small"
                    type="button"
                    id="add-seat"
                    disabled=move || { now() >= most }
                    on:click=move |_| change(untrack(now) + 1)
                >
                    <SmallIcon name="plus"/>
                    "Add a seat"
                </button>
            }
        })
    }
}

/// A seat as its row knows it.
type Sat = StoredValue<SeatPlace>;

fn seat_name(place: Sat) -> String {
    place.with_value(|place| place.seat.to_string())
}

/// The kind of player that sits there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bot,
    Model,
    Recording,
    Person,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Bot, Kind::Model, Kind::Recording, Kind::Person];

    /// What can be chosen. Games between participants have their own page for people, where the server holds the cards.
    fn offered(benchmark: &dyn Benchmark) -> impl Iterator<Item = Self> + use<> {
        let has_people = benchmark.participants().is_none();
        let all = Kind::ALL.into_iter();
        all.filter(move |kind| has_people || *kind != Kind::Person)
    }

    fn of(player: &Player) -> Self {
        match player {
            Player::Bot(_) => Kind::Bot,
            Player::Model { .. } => Kind::Model,
            Player::Recording(_) => Kind::Recording,
            Player::Person => Kind::Person,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Bot => "Built-in",
            Kind::Model => "Model",
            Kind::Recording => "Recording",
            Kind::Person => "Person",
        }
    }
}

#[component]
fn SeatRow(draft: Draft, place: SeatPlace) -> impl IntoView {
    let place = StoredValue::new(place);
    let default = move || place.with_value(|place| place.default.clone());
    let seat = move || place.with_value(|place| place.seat.clone());
    let player = Memo::new(move |_| {
        draft.config.with(|config| config.seats.get(&seat()).cloned().unwrap_or_else(default))
    });
    // A kind can be looked at before a player of that kind is chosen.
    let kind = RwSignal::new(Kind::of(&player.get_untracked()));
    Effect::new(move |_| kind.set(Kind::of(&player.get())));
    let sit = move |player: Option<Player>| {
        // A plain address means the last model, where there is one; any other player there is named.
        let is_plain = known::evaluated(draft) != Some(seat())
            || draft.about.with_untracked(|about| about.ready().and_then(known::last).is_none());
        let player = player.unwrap_or_else(default);
        draft.config.update(|config| match is_plain && player == default() {
            true => drop(config.seats.remove(&seat())),
            false => drop(config.seats.insert(seat(), player)),
        });
    };
    // What is chosen there and what sits there can differ, until a player of that kind is named.
    Effect::new(move |_| {
        let is_empty = kind.get() != Kind::of(&player.get());
        unseat(draft, seat(), is_empty);
    });
    on_cleanup(move || unseat(draft, seat(), false));
    let is_model = Memo::new(move |_| matches!(player.get(), Player::Model { .. }));
    // What the server offers may come after the choice.
    Effect::new(move |_| {
        let meant = draft.about.with(|about| known::meant(about.ready()?));
        if kind.get_untracked() == Kind::Model && !is_model.get_untracked() && meant.is_some() {
            sit(meant);
        }
    });
    let choose_kind = move |wanted: &str| {
        let Some(wanted) = Kind::ALL.into_iter().find(|kind| kind.name() == wanted) else {
            return;
        };
        kind.set(wanted);
        if wanted != Kind::Model {
            // Only models are sampled.
            draft.config.update(|config| drop(config.sampling.remove(&seat())));
        }
        match wanted {
            Kind::Bot => sit(None),
            Kind::Person => {
                in_own_language(draft);
                sit(Some(Player::Person));
            }
            Kind::Model => {
                let about = draft.about;
                let meant = about.with_untracked(|about| known::meant(about.ready()?));
                sit(meant.or_else(|| Some(player.get_untracked())));
            }
            Kind::Recording => {
                let benchmark = draft.benchmark_untracked().name();
                let newest = draft.runs.with_untracked(|runs| {
                    let newest = runs.iter().find(|run| can_play_back(run, benchmark));
                    newest.map(|run| run.run.to_string())
                });
                sit(newest.map(Player::Recording).or_else(|| Some(player.get_untracked())));
            }
        }
        kind.set(wanted);
    };
    let (name, about) = (seat_name(place), place.with_value(|place| place.about));
    let role = match name.bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("Seat {name}"),
        false => name.clone(),
    };
    view! {
        <div class="seat">
            <div class="seat-role">{role} <small>{about}</small></div>
            <div class="seat-who">
                <div class="field">
                <select
                    class="select"
                    aria-label=format!("Kind of {name}")
                    on:change:target=move |event| choose_kind(&event.target().value())
                >
                    {move || {
                        Kind::offered(draft.benchmark())
                            .map(|this| {
                                option(this.name(), this.name(), move || kind.get() == this)
                            })
                            .collect_view()
                    }}
                </select></div>
                {move || match kind.get() {
                    Kind::Bot => any_view! { <Bots draft place player sit/> },
                    Kind::Model => any_view! {
                        <div class="stack-2">
                            <Models draft place player sit/>
                            <Tested seat=seat_name(place) player/>
                        </div>
                    },
                    Kind::Recording => any_view! { <Recordings draft place player sit/> },
                    Kind::Person => person(place).into_any(),
                }}
            </div>
            <Show when=move || is_model.get()>
                <div class="seat-sampling">
                    <Sampled draft place player/>
                </div>
            </Show>
            {move || match kind.get() {
                Kind::Bot => any_view! { <span class="seal seal-baseline">"baseline"</span> },
                Kind::Recording => any_view! { <span class="seal seal-published">"recorded"</span> },
                Kind::Person => any_view! { <span class="seal seal-human">"human (unattended)"</span> },
                Kind::Model => ().into_any(),
            }}
        </div>
    }
}

/// Narrows the tasks to those in the language of the browser, where there are such and none are chosen: a person reads them.
fn in_own_language(draft: Draft) {
    let people = draft.benchmark_untracked().people();
    let Some(label) = people.and_then(|people| people.tasks?.by) else {
        return;
    };
    let language = language();
    let has_both = draft.tasks.with_untracked(|tasks| {
        let tasks = tasks.ready().into_iter().flat_map(|tasks| &tasks.tasks);
        let values: BTreeSet<_> = tasks.filter_map(|task| task.labels.get(label)).collect();
        values.len() > 1 && values.contains(&language)
    });
    if has_both {
        draft.config.update(|config| {
            let chosen = config.subset.labels.entry(label.to_owned());
            chosen.or_insert_with(|| vec![language]);
        });
    }
}

/// What it means that a person sits there.
fn person(place: Sat) -> impl IntoView {
    let plays = place.with_value(|place| place.seat.as_str() == Seat::PLAYER);
    view! {
        <span class="field-note">
            "You, on the page of the run: asked what a model would be asked, without a clock, until you have answered."
            {plays
                .then(|| {
                    view! {
                        " " {"The tasks of this run lie in your browser; at a table the server keeps what you must not see."} " " <a href="/play">{strings::TO_PLAY}</a>
                    }
                })}
        </span>
    }
}

/// Notes whether a player has yet to be named for a seat.
fn unseat(draft: Draft, seat: Seat, is_empty: bool) {
    // The page may be on its way out.
    let knows = draft.unseated.try_with_untracked(|seats| seats.contains(&seat));
    if knows.is_some_and(|knows| knows != is_empty) {
        draft.unseated.update(|seats| {
            match is_empty {
                true => seats.insert(seat),
                false => seats.remove(&seat),
            };
        });
    }
}
