//! Who else plays.

use leptos::prelude::*;
use turnwise_shared::benchmark::BotInfo;
use turnwise_shared::registry;
use turnwise_shared::seat::{Player, Seat};
use turnwise_shared::wire::About;

use super::setup::{INTERACTCOMP, Opponent, PARAWORLD, POKER, Setup, TRUST};
use super::world::World;
use crate::strings::play as words;

/// The fewest and the most others at a card table.
const OTHERS: std::ops::RangeInclusive<usize> = 1..=9;

/// The choice of a hidden opponent, as a value of the list.
const HIDDEN: &str = "hidden";

/// See the module's head.
#[component]
pub fn Opponents(setup: RwSignal<Setup>, about: RwSignal<Option<About>>) -> impl IntoView {
    let game = Memo::new(move |_| setup.with(|setup| setup.game));
    move || match game.get() {
        POKER => view! { <Table setup about/> }.into_any(),
        TRUST => view! { <Match setup about/> }.into_any(),
        PARAWORLD => view! { <World setup/> <Beside setup about/> }.into_any(),
        INTERACTCOMP => view! { <Beside setup about/> }.into_any(),
        _ => ().into_any(),
    }
}

/// Everybody who can sit in a seat, as values of a list.
fn players(game: &str, about: Option<&About>) -> Vec<(String, String)> {
    players_who(game, about, |_| true)
}

/// Everybody who can sit in this seat.
fn players_in(game: &str, seat: &Seat, about: Option<&About>) -> Vec<(String, String)> {
    players_who(game, about, |bot| bot.fits(seat))
}

fn players_who(
    game: &str,
    about: Option<&About>,
    fits: impl Fn(&BotInfo) -> bool,
) -> Vec<(String, String)> {
    let bots = registry::find(game).map_or(&[] as &[BotInfo], |benchmark| benchmark.bots());
    let bots = bots.iter().filter(|bot| fits(bot)).map(|bot| {
        (
            Player::Bot(bot.name.to_owned()).to_string(),
            words::bot(bot.name),
        )
    });
    let models = about
        .into_iter()
        .flat_map(About::ready_providers)
        .flat_map(|provider| {
            provider.models.iter().map(|model| {
                let player = Player::Model {
                    provider: provider.name.clone(),
                    model: model.clone(),
                };
                (player.to_string(), words::model(model, &provider.name))
            })
        });
    let friend = (Player::Person.to_string(), words::FRIEND.to_owned());
    bots.chain(models).chain([friend]).collect()
}

/// A list of those who can sit there.
fn chooser(
    id: String,
    options: Vec<(String, String)>,
    value: Signal<String>,
    choose: impl Fn(String) + 'static,
) -> impl IntoView {
    let options: Vec<_> = options
        .into_iter()
        .map(|(option, label)| {
            let own = option.clone();
            view! {
                <option value=option selected=move || value.with(|value| *value == own)>
                    {label}
                </option>
            }
        })
        .collect();
    view! {
        <select id=id class="select" on:change:target=move |event| choose(event.target().value())>
            {options}
        </select>
    }
}

/// What is known of whoever was chosen, below the list.
fn note_below(game: &'static str, seat: String, value: Signal<String>) -> impl IntoView {
    move || {
        let note = value.with(|value| match value.parse() {
            Ok(Player::Bot(name)) => about_bot(game, &Seat::new(seat.as_str()), &name),
            _ => String::new(),
        });
        (!note.is_empty()).then(|| view! { <span class="field-note">{note}</span> })
    }
}

#[component]
fn Table(setup: RwSignal<Setup>, about: RwSignal<Option<About>>) -> impl IntoView {
    let count = Memo::new(move |_| setup.with(|setup| setup.others.len()));
    let counts: Vec<_> = OTHERS
        .map(|others| {
            view! {
                <option value=others selected=move || count.get() == others>
                    {words::players(others + 1)}
                </option>
            }
        })
        .collect();
    let rows = move || {
        let options = about.with(|about| players(POKER, about.as_ref()));
        (0..count.get())
            .map(|at| {
                let seat = at + 2;
                let value = Signal::derive(move || {
                    setup.with(|setup| {
                        setup
                            .others
                            .get(at)
                            .map(Player::to_string)
                            .unwrap_or_default()
                    })
                });
                let choose = move |wanted: String| {
                    if let Ok(player) = wanted.parse::<Player>() {
                        setup.update(|setup| {
                            if let Some(other) = setup.others.get_mut(at) {
                                *other = player;
                            }
                        });
                    }
                };
                view! {
                    <div class="field">
                        <label for=format!("seat-{seat}")>{words::seat(seat)}</label>
                        {chooser(format!("seat-{seat}"), options.clone(), value, choose)}
                        {note_below(POKER, seat.to_string(), value)}
                    </div>
                }
            })
            .collect_view()
    };
    view! {
        <fieldset class="stack-2">
            <legend>{words::OPPONENTS}</legend>
            <div class="fields">
                <div class="field">
                    <label for="players">{words::HOW_MANY}</label>
                    <select
                        id="players"
                        class="select"
                        on:change:target=move |event| {
                            if let Ok(others) = event.target().value().parse() {
                                setup.update(|setup| setup.seat_others(others));
                            }
                        }
                    >
                        {counts}
                    </select>
                </div>
            </div>
            <details class="more">
                <summary>
                    {words::WHO_SITS}
                    <span class="faint">{move || setup.with(words::others)}</span>
                </summary>
                <div class="more-body fields">{rows}</div>
            </details>
        </fieldset>
    }
}

#[component]
fn Match(setup: RwSignal<Setup>, about: RwSignal<Option<About>>) -> impl IntoView {
    let value = Signal::derive(move || {
        setup.with(|setup| match &setup.opponent {
            Opponent::Hidden => HIDDEN.to_owned(),
            Opponent::Chosen(player) => player.to_string(),
        })
    });
    let choose = move |wanted: String| {
        let opponent = match wanted.parse::<Player>() {
            Ok(player) => Opponent::Chosen(player),
            Err(_) => Opponent::Hidden,
        };
        setup.update(|setup| setup.opponent = opponent);
    };
    let select = move || {
        let hidden = (HIDDEN.to_owned(), words::HIDDEN.to_owned());
        let options = std::iter::once(hidden)
            .chain(about.with(|about| players(TRUST, about.as_ref())))
            .collect();
        chooser("opponent".to_owned(), options, value, choose)
    };
    let note = move || {
        setup.with(|setup| match &setup.opponent {
            Opponent::Hidden => words::HIDDEN_NOTE.to_owned(),
            Opponent::Chosen(Player::Person) => words::FRIEND_NOTE.to_owned(),
            Opponent::Chosen(Player::Bot(name)) => about_bot(TRUST, &Seat::new("2"), name),
            Opponent::Chosen(_) => words::MODEL_NOTE.to_owned(),
        })
    };
    view! {
        <fieldset class="stack-2">
            <legend>{words::OPPONENT}</legend>
            <div class="field play-opponent">
                <label class="sr" for="opponent">{words::OPPONENT}</label>
                {select}
                <span class="field-note">{note}</span>
            </div>
        </fieldset>
    }
}

/// Who sits beside the player: whoever answers, searches or grades.
#[component]
fn Beside(setup: RwSignal<Setup>, about: RwSignal<Option<About>>) -> impl IntoView {
    let game = Memo::new(move |_| setup.with(|setup| setup.game));
    let rows = move || {
        let seats =
            registry::find(game.get()).map_or_else(|_| Vec::new(), |one| one.seats().to_vec());
        let own = setup.with_untracked(Setup::own_seat);
        seats
            .into_iter()
            .filter(|info| info.seat != own.as_str())
            .map(|info| {
                let (seat, usual) = (Seat::new(info.seat), info.default_sitting().player);
                let options = about.with(|about| players_in(game.get(), &seat, about.as_ref()));
                let (at, default) = (seat.clone(), usual.clone());
                let value = Signal::derive(move || {
                    let chosen = setup.with(|setup| setup.beside.get(&at).cloned());
                    chosen.unwrap_or_else(|| default.clone()).to_string()
                });
                let id = format!("beside-{}", info.seat);
                let choose = move |wanted: String| {
                    let Ok(player) = wanted.parse::<Player>() else {
                        return;
                    };
                    setup.update(|setup| match player == usual {
                        true => {
                            setup.beside.remove(&seat);
                        }
                        false => {
                            setup.beside.insert(seat.clone(), player);
                        }
                    });
                };
                view! {
                    <div class="field">
                        <label for=id.clone()>{words::beside(info.seat)}</label>
                        {chooser(id, options, value, choose)}
                        {note_below(game.get_untracked(), info.seat.to_owned(), value)}
                    </div>
                }
            })
            .collect_view()
    };
    view! {
        <fieldset class="stack-2">
            <legend>{words::BESIDE}</legend>
            <div class="fields">{rows}</div>
            <span class="field-note">{words::BESIDE_NOTE}</span>
        </fieldset>
    }
}

/// What a built-in player of a seat does; empty for one that is none.
fn about_bot(game: &str, seat: &Seat, name: &str) -> String {
    registry::find(game)
        .ok()
        .and_then(|benchmark| {
            benchmark
                .bots()
                .iter()
                .find(|bot| bot.name == name && bot.fits(seat))
        })
        .map(|bot| bot.about.to_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bot_that_can_be_chosen_says_what_it_does() {
        for (game, seat) in [
            (POKER, "2"),
            (TRUST, "2"),
            (PARAWORLD, "judge"),
            (PARAWORLD, "engine"),
            (INTERACTCOMP, "grader"),
        ] {
            let seat = Seat::new(seat);
            let bots: Vec<_> = players_in(game, &seat, None)
                .into_iter()
                .filter_map(|(value, _)| match value.parse() {
                    Ok(Player::Bot(name)) => Some(name),
                    _ => None,
                })
                .collect();
            assert!(!bots.is_empty(), "{game} {seat}");
            for bot in bots {
                assert!(!about_bot(game, &seat, &bot).is_empty(), "{game} {bot}");
            }
        }
        assert_eq!(about_bot(POKER, &Seat::new("2"), "nobody"), "");
    }
}
