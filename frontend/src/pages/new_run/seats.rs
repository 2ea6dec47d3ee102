//! Who sits in each seat: a built-in rule, a model, or a recording.

use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwise_shared::seat::{Player, Seat};
use turnwise_shared::wire::{ApiError, ProviderInfo, RunInfo};

use super::{Draft, Loaded};
use crate::components::file_drop::{self, Chosen, Dropped, FileDrop, Slim};
use crate::components::icons::{Icon, IconSize};
use crate::components::message::Trouble;
use crate::plan::{self, SeatPlace};
use crate::strings::new_run as strings;
use crate::view::number;
use crate::{api, clock, keep, library};

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
                <h2>{strings::SEATS}</h2>
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
                                {strings::NO_PERSON} " " <a href="/play">{strings::TO_PLAY}</a>
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
            config.seats.retain(|seat, _| {
                let number = seat.as_str().parse::<u32>();
                number.is_ok_and(|number| number <= to)
            });
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
                    {strings::DROP_SEAT}
                </button>
                <button
                    class="btn btn-small"
                    type="button"
                    id="add-seat"
                    disabled=move || { now() >= most }
                    on:click=move |_| change(untrack(now) + 1)
                >
                    <Icon name="plus" size=IconSize::Small/>
                    {strings::ADD_SEAT}
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
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Bot, Kind::Model, Kind::Tape];

    fn of(player: &Player) -> Self {
        match player {
            Player::Bot(_) | Player::Person => Kind::Bot,
            Player::Model { .. } => Kind::Model,
            Player::Tape(_) => Kind::Tape,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Bot => strings::BOT,
            Kind::Model => strings::MODEL,
            Kind::Tape => strings::TAPE,
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
    let choose_kind = move |wanted: &str| {
        let Some(wanted) = Kind::ALL.into_iter().find(|kind| kind.name() == wanted) else {
            return;
        };
        kind.set(wanted);
        match wanted {
            Kind::Bot => sit(None),
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
                    {Kind::ALL
                        .map(|this| {
                            view! {
                                <option value=this.name() prop:selected=move || kind.get() == this>
                                    {this.name()}
                                </option>
                            }
                        })
                        .collect_view()}
                </select></div>
                {move || match kind.get() {
                    Kind::Bot => view! { <Bots draft place player sit/> }.into_any(),
                    Kind::Model => view! { <Models draft place player sit/> }.into_any(),
                    Kind::Tape => view! { <Tapes draft place player sit/> }.into_any(),
                }}
            </div>
            {move || match kind.get() {
                Kind::Bot => view! { <span class="seal seal-baseline">{strings::BASELINE}</span> }.into_any(),
                Kind::Tape => view! { <span class="seal seal-published">{strings::REPLAYED}</span> }.into_any(),
                Kind::Model => ().into_any(),
            }}
        </div>
    }
}

fn first_model(draft: Draft) -> Option<Player> {
    draft.about.with_untracked(|about| {
        about
            .ready()?
            .providers
            .iter()
            .find(|provider| !provider.models.is_empty())
            .map(|provider| Player::Model {
                provider: provider.name.clone(),
                model: provider.models[0].clone(),
            })
    })
}

#[component]
fn Bots<S>(draft: Draft, place: Sat, player: Memo<Player>, sit: S) -> impl IntoView
where
    S: Fn(Option<Player>) + Copy + Send + Sync + 'static,
{
    let bots = move || {
        let seat = place.with_value(|place| place.seat.clone());
        let bots = draft.benchmark().bots().iter();
        bots.filter(move |bot| bot.fits(&seat))
    };
    // A name may carry a parameter, e.g. `random:0.5`.
    let chosen = Memo::new(move |_| match player.get() {
        Player::Bot(name) => match name.split_once(':') {
            Some((name, parameter)) => (name.to_owned(), parameter.to_owned()),
            None => (name, String::new()),
        },
        _ => Default::default(),
    });
    let about = move || {
        let (name, _) = chosen.get();
        bots().find(|bot| bot.name == name).map(|bot| bot.about)
    };
    let takes_parameter = move || {
        let (name, parameter) = chosen.get();
        let seat = place.with_value(|place| place.seat.clone());
        !parameter.is_empty() || draft.benchmark().seats_bot(&seat, &format!("{name}:0.5"))
    };
    let other = move || {
        let (name, _) = chosen.get();
        let is_known = name.is_empty() || bots().any(|bot| bot.name == name);
        (!is_known).then_some(name)
    };
    view! {
        <div class="field">
            <div class="row">
                <select
                    class="select select-bot"
                    aria-label=strings::who_in(&seat_name(place))
                    on:change:target=move |event| sit(Some(Player::Bot(event.target().value())))
                >
                    {move || {
                        bots()
                            .map(|bot| {
                                view! {
                                    <option
                                        value=bot.name
                                        prop:selected=move || chosen.with(|(name, _)| name == bot.name)
                                    >
                                        {bot.name}
                                    </option>
                                }
                            })
                            .collect_view()
                    }}
                    {move || other().map(|name| view! { <option value=name.clone() selected=true>{name.clone()}</option> })}
                </select>
                <Show when=takes_parameter>
                    <input
                        class="input input-num"
                        aria-label=strings::parameter_of(&seat_name(place))
                        placeholder="0.5"
                        inputmode="decimal"
                        autocomplete="off"
                        prop:value=move || chosen.get().1
                        on:change:target=move |event| {
                            let (name, _) = chosen.get_untracked();
                            let typed = event.target().value();
                            sit(Some(Player::Bot(match typed.trim() {
                                "" => name,
                                parameter => format!("{name}:{parameter}"),
                            })));
                        }
                    />
                </Show>
            </div>
            <span class="field-note">{about}</span>
        </div>
    }
}

#[component]
fn Models<S>(draft: Draft, place: Sat, player: Memo<Player>, sit: S) -> impl IntoView
where
    S: Fn(Option<Player>) + Copy + Send + Sync + 'static,
{
    let providers = Memo::new(move |_| {
        draft
            .about
            .with(|about| about.ready().map(|about| about.providers.clone()))
            .unwrap_or_default()
    });
    let none = move || {
        let known = draft.about.with(|about| !matches!(about, Loaded::Loading));
        known && providers.with(Vec::is_empty)
    };
    let chosen = move || match player.get() {
        Player::Model { provider, model } => (provider, model),
        _ => (
            providers
                .with(|providers| providers.first().map(|provider| provider.name.clone()))
                .unwrap_or_default(),
            String::new(),
        ),
    };
    let list = format!("models-for-{}", seat_name(place));
    let sit_model = move |provider: String, model: &str| {
        let model = model.trim().to_owned();
        if !provider.is_empty() && !model.is_empty() {
            sit(Some(Player::Model { provider, model }));
        }
    };
    let options = move || {
        let mut names: Vec<String> = providers
            .get()
            .into_iter()
            .map(|provider: ProviderInfo| provider.name)
            .collect();
        let (named, _) = chosen();
        if !named.is_empty() && !names.contains(&named) {
            names.push(named);
        }
        names
            .into_iter()
            .map(|name| {
                let value = name.clone();
                view! {
                    <option value=value prop:selected=move || chosen().0 == name>
                        {name.clone()}
                    </option>
                }
            })
            .collect_view()
    };
    let models = move || {
        let (named, _) = chosen();
        providers.with(|providers| {
            providers
                .iter()
                .filter(|provider| provider.name == named)
                .flat_map(|provider| &provider.models)
                .map(|model| view! { <option value=model.clone()></option> })
                .collect_view()
        })
    };
    view! {
        <div class="stack-2">
            <div class="fields">
                <select
                    class="select"
                    aria-label=strings::who_in(&seat_name(place))
                    on:change:target=move |event| {
                        let provider = event.target().value();
                        let first = providers
                            .with_untracked(|providers| {
                                providers
                                    .iter()
                                    .find(|known| known.name == provider)
                                    .and_then(|known| known.models.first().cloned())
                            });
                        sit_model(provider, &first.unwrap_or_else(|| chosen().1));
                    }
                >
                    {options}
                </select>
                <input
                    class="input input-mono"
                    aria-label=strings::model_in(&seat_name(place))
                    placeholder=strings::MODEL_NAME
                    autocomplete="off"
                    list=list.clone()
                    prop:value=move || chosen().1
                    on:change:target=move |event| sit_model(chosen().0, &event.target().value())
                />
                <datalist id=list>{models}</datalist>
            </div>
            <Show when=none>
                <span class="field-note">
                    {strings::NO_PROVIDER} " " <a href="/connections">{strings::TO_CONNECTIONS}</a>
                </span>
            </Show>
        </div>
    }
}

#[component]
fn Tapes<S>(draft: Draft, place: Sat, player: Memo<Player>, sit: S) -> impl IntoView
where
    S: Fn(Option<Player>) + Copy + Send + Sync + 'static,
{
    let problem: RwSignal<Option<ApiError>> = RwSignal::new(None);
    let reading = RwSignal::new(false);
    let chosen = move || match player.get() {
        Player::Tape(name) => name,
        _ => String::new(),
    };
    let options = move || {
        let benchmark = draft.benchmark().name();
        let mut tapes: Vec<(String, String)> = draft.runs.with(|runs| {
            runs.iter()
                .filter(|run| run.spec.benchmark == benchmark)
                .map(|run| (run.run.to_string(), describe(run)))
                .collect()
        });
        let named = chosen();
        if !named.is_empty() && !tapes.iter().any(|(name, _)| *name == named) {
            tapes.push((named.clone(), named));
        }
        tapes
            .into_iter()
            .map(|(name, text)| {
                let value = name.clone();
                view! {
                    <option value=value prop:selected=move || chosen() == name>
                        {text}
                    </option>
                }
            })
            .collect_view()
    };
    let on_files = move |files: Vec<Dropped>| {
        problem.set(None);
        reading.set(true);
        spawn_local(async move {
            match record(files).await {
                Ok(name) => sit(Some(Player::Tape(name))),
                Err(why) => {
                    problem.try_set(Some(why));
                }
            }
            reading.try_set(false);
        });
    };
    let none = move || draft.runs.with(Vec::is_empty) && chosen().is_empty();
    let is_player = seat_name(place) == Seat::PLAYER;
    let tape_problem = Signal::derive(move || {
        let loaded = is_player.then(|| draft.tape.get()).flatten()?;
        loaded.problem()
    });
    view! {
        <div class="stack-2">
            <select
                class="select"
                aria-label=strings::who_in(&seat_name(place))
                disabled=none
                on:change:target=move |event| sit(Some(Player::Tape(event.target().value())))
            >
                {options}
            </select>
            <Show when=none>
                <span class="field-note">{strings::NO_RECORDING}</span>
            </Show>
            <FileDrop label=strings::FOLDER choose=Chosen::Folder slim=Slim::Slim on_files/>
            <Show when=move || reading.get()>
                <span class="field-note">{strings::TAPE_LOADING}</span>
            </Show>
            <Trouble problem/>
            <Trouble problem=tape_problem/>
        </div>
    }
}

/// A run in the list of recordings.
fn describe(run: &RunInfo) -> String {
    let seats = &run.spec.seats;
    let player = match seats.get(&Seat::new(Seat::PLAYER)) {
        Some(sitting) => sitting.player.to_string(),
        None => seats
            .values()
            .map(|sitting| sitting.player.to_string())
            .collect::<Vec<_>>()
            .join(", "),
    };
    let age = number::duration(clock::today().saturating_sub(run.opened));
    strings::recording(&run.spec.tasks.name, &player, run.finished, &age)
}

/// Keeps the transcripts of a folder in this browser, after checking that they read. Returns the name of the tape.
async fn record(files: Vec<Dropped>) -> Result<String, ApiError> {
    let mut name = None;
    let mut texts = Vec::new();
    for dropped in files {
        if !dropped.file.name().ends_with(".jsonl") {
            continue;
        }
        name = name.or(dropped.folder);
        let bytes = file_drop::bytes(&dropped.file)
            .await
            .map_err(|why| api::error("unreadable_file", why))?;
        texts.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    let name = name.unwrap_or_else(|| strings::DROPPED_FILES.to_owned());
    library::wind(&name, &texts).await?;
    keep::put_tape(&name, &texts).await?;
    Ok(name)
}
