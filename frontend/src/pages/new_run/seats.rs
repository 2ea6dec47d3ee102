//! Who sits in each seat: a built-in rule, a model, a recording, or a person in this browser.

mod bots;
mod models;
mod sampled;
mod tapes;

use leptos::prelude::*;
use turnwise_shared::benchmark::Benchmark;
use turnwise_shared::seat::{Player, Seat};

use super::Draft;
use crate::components::icons::{Icon, IconSize};
use crate::plan::{self, SeatPlace};
use crate::strings::new_run as strings;
use bots::Bots;
use models::Models;
use sampled::Sampled;
use tapes::Tapes;

/// The section of seats.
#[component]
pub fn Seats(draft: Draft) -> impl IntoView {
    // A row stays in the page while somebody else is chosen for it, or the keyboard would lose its place.
    let places = Memo::new(move |_| {
        let benchmark = draft.benchmark();
        draft.config.with(|config| plan::places(config, benchmark))
    });
    let rows = move || {
        let benchmark = draft.benchmark().name();
        places
            .get()
            .into_iter()
            .map(move |place| (benchmark, place))
    };
    view! {
        <section class="section">
            <div class="section-head">
                <h2>"Who sits in each seat"</h2>
                <Count draft/>
            </div>
            <div class="seats">
                <For
                    each=rows
                    key=|(benchmark, place)| (*benchmark, place.seat.clone())
                    children=move |(_, place)| view! { <SeatRow draft place/> }
                />
            </div>
            {move || {
                draft
                    .benchmark()
                    .participants()
                    .map(|_| {
                        view! {
                            <p class="field-note">
                                "A person cannot be seated here: people play on the page “Play”. " <a href="/play">{strings::TO_PLAY}</a>
                            </p>
                        }
                    })
            }}
        </section>
    }
}

/// How many take part, where that can be chosen.
#[component]
fn Count(draft: Draft) -> impl IntoView {
    let now = move || {
        let benchmark = draft.benchmark();
        draft
            .config
            .with(|config| plan::participants(config, benchmark))
    };
    let limits = Memo::new(move |_| draft.benchmark().participants());
    let change = move |to: u32| {
        let usual = u32::try_from(draft.benchmark_untracked().seats().len()).unwrap_or(u32::MAX);
        draft.config.update(|config| {
            config.participants = (to != usual).then_some(to);
            // Whoever sat further back has left.
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
                    <Icon name="plus" size=IconSize::Small/>
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

/// What kind of somebody sits there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bot,
    Model,
    Tape,
    Person,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Bot, Kind::Model, Kind::Tape, Kind::Person];

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
            Player::Tape(_) => Kind::Tape,
            Player::Person => Kind::Person,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Bot => "Built-in",
            Kind::Model => "Model",
            Kind::Tape => "Recording",
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
        draft
            .config
            .with(|config| config.seats.get(&seat()).cloned().unwrap_or_else(default))
    });
    // A kind can be looked at before somebody of that kind is chosen.
    let kind = RwSignal::new(Kind::of(&player.get_untracked()));
    Effect::new(move |_| kind.set(Kind::of(&player.get())));
    let sit = move |player: Option<Player>| {
        draft.config.update(|config| match player {
            Some(player) if player != default() => {
                config.seats.insert(seat(), player);
            }
            _ => {
                config.seats.remove(&seat());
            }
        });
    };
    // What is chosen there and what sits there can differ, until somebody of that kind is named.
    Effect::new(move |_| {
        let is_empty = kind.get() != Kind::of(&player.get());
        unseat(draft, seat(), is_empty);
    });
    on_cleanup(move || unseat(draft, seat(), false));
    let is_model = Memo::new(move |_| matches!(player.get(), Player::Model { .. }));
    let choose_kind = move |wanted: &str| {
        let Some(wanted) = Kind::ALL.into_iter().find(|kind| kind.name() == wanted) else {
            return;
        };
        kind.set(wanted);
        if wanted != Kind::Model {
            // Only models are sampled.
            draft
                .config
                .update(|config| drop(config.sampling.remove(&seat())));
        }
        match wanted {
            Kind::Bot => sit(None),
            Kind::Person => sit(Some(Player::Person)),
            Kind::Model => sit(first_model(draft).or_else(|| Some(player.get_untracked()))),
            Kind::Tape => {
                let newest = draft
                    .runs
                    .with_untracked(|runs| runs.first().map(|run| run.run.to_string()));
                sit(newest
                    .map(Player::Tape)
                    .or_else(|| Some(player.get_untracked())));
            }
        }
        kind.set(wanted);
    };
    let (name, about) = (seat_name(place), place.with_value(|place| place.about));
    let role = match name.bytes().all(|byte| byte.is_ascii_digit()) {
        true => strings::numbered(&name),
        false => name.clone(),
    };
    view! {
        <div class="seat">
            <div class="seat-role">{role} <small>{about}</small></div>
            <div class="seat-who">
                <div class="field">
                <select
                    class="select"
                    aria-label=strings::kind_of(&name)
                    on:change:target=move |event| choose_kind(&event.target().value())
                >
                    {move || {
                        Kind::offered(draft.benchmark())
                            .map(|this| {
                                view! {
                                    <option value=this.name() prop:selected=move || kind.get() == this>
                                        {this.name()}
                                    </option>
                                }
                            })
                            .collect_view()
                    }}
                </select></div>
                {move || match kind.get() {
                    Kind::Bot => view! { <Bots draft place player sit/> }.into_any(),
                    Kind::Model => view! { <Models draft place player sit/> }.into_any(),
                    Kind::Tape => view! { <Tapes draft place player sit/> }.into_any(),
                    Kind::Person => person(place).into_any(),
                }}
            </div>
            <Show when=move || is_model.get()>
                <div class="seat-sampling">
                    <Sampled draft place player/>
                </div>
            </Show>
            {move || match kind.get() {
                Kind::Bot => view! { <span class="seal seal-baseline">"baseline"</span> }.into_any(),
                Kind::Tape => view! { <span class="seal seal-published">"recorded"</span> }.into_any(),
                Kind::Person => view! { <span class="seal seal-human">"human (unattended)"</span> }.into_any(),
                Kind::Model => ().into_any(),
            }}
        </div>
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

/// Notes whether somebody has yet to be named for a seat.
fn unseat(draft: Draft, seat: Seat, is_empty: bool) {
    // The page may be on its way out.
    let knows = draft
        .unseated
        .try_with_untracked(|seats| seats.contains(&seat));
    if knows.is_some_and(|knows| knows != is_empty) {
        draft.unseated.update(|seats| {
            match is_empty {
                true => seats.insert(seat),
                false => seats.remove(&seat),
            };
        });
    }
}

/// The first model that can be asked as the server is configured.
fn first_model(draft: Draft) -> Option<Player> {
    draft.about.with_untracked(|about| {
        let mut ready = about.ready()?.ready_providers();
        ready.find_map(|provider| {
            Some(Player::Model {
                provider: provider.name.clone(),
                model: provider.models.first()?.clone(),
            })
        })
    })
}
