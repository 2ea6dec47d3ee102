//! Who sits in each seat: a built-in rule, a model, or a recording.

use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwise_shared::benchmark::SeatInfo;
use turnwise_shared::seat::{Player, Seat};
use turnwise_shared::wire::{ApiError, ProviderInfo, RunInfo};

use super::{Draft, Loaded};
use crate::components::file_drop::{self, Chosen, Dropped, FileDrop, Slim};
use crate::components::message::Trouble;
use crate::plan::default_player;
use crate::strings::new_run as strings;
use crate::view::number;
use crate::{api, clock, keep, library};

/// The section of seats.
#[component]
pub fn Seats(draft: Draft) -> impl IntoView {
    view! {
        <section class="section">
            <div class="section-head">
                <h2>{strings::SEATS}</h2>
            </div>
            <div class="seats">
                {move || draft.benchmark().seats().iter().map(|info| view! { <SeatRow draft info/> }).collect_view()}
            </div>
        </section>
    }
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
fn SeatRow(draft: Draft, info: &'static SeatInfo) -> impl IntoView {
    let player = Memo::new(move |_| {
        draft.config.with(|config| {
            config
                .seats
                .get(&Seat::new(info.seat))
                .cloned()
                .unwrap_or_else(|| default_player(info))
        })
    });
    // A kind can be looked at before somebody of that kind is chosen.
    let kind = RwSignal::new(Kind::of(&player.get_untracked()));
    Effect::new(move |_| kind.set(Kind::of(&player.get())));
    let sit = move |player: Option<Player>| {
        draft.config.update(|config| {
            let seat = Seat::new(info.seat);
            match player {
                Some(player) if player != default_player(info) => {
                    config.seats.insert(seat, player);
                }
                _ => {
                    config.seats.remove(&seat);
                }
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
    view! {
        <div class="seat">
            <div class="seat-role">{info.seat} <small>{info.about}</small></div>
            <div class="seat-who">
                <div class="field">
                <select
                    class="select"
                    aria-label=strings::kind_of(info.seat)
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
                    Kind::Bot => view! { <Bots draft info player sit/> }.into_any(),
                    Kind::Model => view! { <Models draft info player sit/> }.into_any(),
                    Kind::Tape => view! { <Tapes draft info player sit/> }.into_any(),
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
fn Bots<S>(draft: Draft, info: &'static SeatInfo, player: Memo<Player>, sit: S) -> impl IntoView
where
    S: Fn(Option<Player>) + Copy + Send + Sync + 'static,
{
    let bots = move || {
        draft
            .benchmark()
            .bots()
            .iter()
            .filter(|bot| bot.seat == info.seat)
    };
    let about = move || match player.get() {
        Player::Bot(name) => bots().find(|bot| bot.name == name).map(|bot| bot.about),
        _ => None,
    };
    view! {
        <div class="field">
            <select
                class="select"
                aria-label=strings::who_in(info.seat)
                on:change:target=move |event| sit(Some(Player::Bot(event.target().value())))
            >
                {move || {
                    bots()
                        .map(|bot| {
                            view! {
                                <option
                                    value=bot.name
                                    prop:selected=move || player.get() == Player::Bot(bot.name.to_owned())
                                >
                                    {bot.name}
                                </option>
                            }
                        })
                        .collect_view()
                }}
            </select>
            <span class="field-note">{about}</span>
        </div>
    }
}

#[component]
fn Models<S>(draft: Draft, info: &'static SeatInfo, player: Memo<Player>, sit: S) -> impl IntoView
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
    let list = format!("models-for-{}", info.seat);
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
                    aria-label=strings::who_in(info.seat)
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
                    aria-label=strings::model_in(info.seat)
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
fn Tapes<S>(draft: Draft, info: &'static SeatInfo, player: Memo<Player>, sit: S) -> impl IntoView
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
    let is_player = info.seat == Seat::PLAYER;
    let tape_problem = Signal::derive(move || {
        let loaded = is_player.then(|| draft.tape.get()).flatten()?;
        loaded.problem()
    });
    view! {
        <div class="stack-2">
            <select
                class="select"
                aria-label=strings::who_in(info.seat)
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
    let player = run
        .spec
        .seats
        .get(&Seat::new(Seat::PLAYER))
        .map(|sitting| sitting.player.to_string())
        .unwrap_or_default();
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
