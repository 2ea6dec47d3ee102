//! Which seat the person takes, and who sits in the others.

use turnwise_shared::benchmark::people::Others;

use crate::prelude::*;
use crate::strings::play as words;
use crate::view::room_setup::{Game, Setup};

/// The choice of an opponent whom chance takes, as a value of the list.
const HIDDEN: &str = "hidden";

#[component]
pub fn OtherSeats(
    setup: RwSignal<Setup>,
    game: Memo<Game>,
    about: RwSignal<Option<About>>,
) -> impl IntoView {
    move || {
        let game = game.get();
        let own = (game.people.seats.len() > 1).then(|| own_seat(setup, game));
        let others = match game.people.others {
            Others::Numbered { fewest, most, .. } => numbered(setup, game, about, fewest, most),
            Others::Hidden(_) => opponent(setup, game, about),
            Others::Parts if game.benchmark.seats().len() == 1 => ().into_any(),
            Others::Parts => parts(setup, game, about),
        };
        (own, others)
    }
}

/// The seats that can be taken.
fn own_seat(setup: RwSignal<Setup>, game: Game) -> AnyView {
    let cards: Vec<_> = game
        .people
        .seats
        .iter()
        .map(|seat| {
            let infos = game.benchmark.seats().iter();
            let about = infos.clone().find(|info| info.seat == *seat);
            choice_card(
                "own-seat",
                seat,
                words::part_of(seat),
                about.map(|info| words::sentence(info.about)),
                move || setup.with(|setup| setup.seat.as_str() == *seat),
                move || setup.update(|setup| setup.sit(Seat::new(*seat))),
            )
        })
        .collect();
    any_view! {
        <fieldset class="choices">
            <legend>"Your seat"</legend>
            {cards}
        </fieldset>
    }
}

/// Everybody who can sit in a seat, as values of a list.
fn players(game: Game, seat: &Seat, about: Option<&About>) -> Vec<(String, String)> {
    let bots = game.benchmark.bots().iter().filter(|bot| bot.fits(seat));
    let bots = bots.map(|bot| {
        let player = Player::Bot(bot.name.to_owned());
        (player.to_string(), format!("bot: {}", bot.name))
    });
    let models = about.into_iter().flat_map(About::ready_providers).flat_map(|provider| {
        provider.models.iter().map(|model| {
            let player = Player::Model { provider: provider.name.clone(), model: model.clone() };
            (player.to_string(), words::model(model, &provider.name))
        })
    });
    let friend = (Player::Person.to_string(), "a friend, by a link".to_owned());
    bots.chain(models).chain([friend]).collect()
}

/// Who sits in a seat: a list, and what is known of the chosen player.
fn chooser(
    setup: RwSignal<Setup>,
    game: Game,
    about: RwSignal<Option<About>>,
    seat: Seat,
    id: String,
    label: AnyView,
) -> AnyView {
    let at = seat.clone();
    let value = Signal::derive(move || {
        let player = setup.with(|setup| setup.player(&at));
        player.map_or_else(|| HIDDEN.to_owned(), |player| player.to_string())
    });
    let at = seat.clone();
    let options = move || {
        let hidden = setup.with_untracked(|setup| setup.usual(&at).is_none());
        let hidden = hidden.then(|| (HIDDEN.to_owned(), words::HIDDEN.to_owned()));
        let players = about.with(|about| players(game, &at, about.as_ref()));
        let options = hidden.into_iter().chain(players);
        options
            .map(|(option, label)| {
                let own = option.clone();
                view! {
                    <option value=option selected=move || value.with(|value| *value == own)>
                        {label}
                    </option>
                }
            })
            .collect_view()
    };
    let at = seat.clone();
    let note = move || {
        let note = value.with(|value| note_of(game, &at, value));
        (!note.is_empty()).then(|| view! { <span class="field-note">{note}</span> })
    };
    any_view! {
        {label}
        {select_list(id, move |player| {
            let player = player.parse::<Player>().ok();
            setup.update(|setup| setup.choose(seat.clone(), player));
        }, options)}
        {note}
    }
}

/// What is known of a player, by their value of the list.
fn note_of(game: Game, seat: &Seat, value: &str) -> String {
    match (value.parse::<Player>(), game.people.others) {
        (Err(_), Others::Hidden(among)) => format!(
            "One of {} rules, chosen by chance. Which one is told at the \
            end.",
            among.len()
        ),
        (Ok(Player::Bot(name)), _) => about_bot(game, seat, &name),
        (Ok(Player::Person), Others::Hidden(_)) => {
            "You get a link to send; the match begins when both sit.".to_owned()
        }
        (Ok(Player::Model { .. }), Others::Hidden(_)) => {
            "A model behind this server's endpoint, asked as in any run.".to_owned()
        }
        _ => String::new(),
    }
}

/// What a built-in player of a seat does; empty for one that is none.
fn about_bot(game: Game, seat: &Seat, name: &str) -> String {
    let mut bots = game.benchmark.bots().iter();
    let bot = bots.find(|bot| bot.name == name && bot.fits(seat));
    bot.map(|bot| bot.about.to_owned()).unwrap_or_default()
}

/// A table of numbered participants.
fn numbered(
    setup: RwSignal<Setup>,
    game: Game,
    about: RwSignal<Option<About>>,
    fewest: u32,
    most: u32,
) -> AnyView {
    let count = Memo::new(move |_| setup.with(|setup| setup.participants));
    let counts: Vec<_> = (fewest..=most)
        .map(|participants| {
            view! {
                <option value=participants selected=move || count.get() == participants>
                    {format!("{participants} players, you included")}
                </option>
            }
        })
        .collect();
    let rows = move || {
        count.track();
        let seats = setup.with_untracked(Setup::other_seats);
        seats
            .into_iter()
            .map(|seat| {
                let id = format!("seat-{seat}");
                let label = view! { <label for=id.clone()>{words::seat(seat.as_str())}</label> };
                let row = chooser(setup, game, about, seat, id, label.into_any());
                view! { <div class="field">{row}</div> }
            })
            .collect_view()
    };
    any_view! {
        <fieldset class="stack-2">
            <legend>"At the table"</legend>
            <div class="fields">
                {select_field("players", "Players", move |participants| {
                    if let Ok(participants) = participants.parse() {
                        setup.update(|setup| setup.participants = participants);
                    }
                }, counts)}
            </div>
            <details class="more">
                <summary>
                    "Who sits where"
                    <span class="faint">{move || setup.with(Setup::others)}</span>
                </summary>
                <div class="more-body fields">{rows}</div>
            </details>
        </fieldset>
    }
}

fn opponent(setup: RwSignal<Setup>, game: Game, about: RwSignal<Option<About>>) -> AnyView {
    let id = "opponent".to_owned();
    let label = any_view! { <label class="sr" for=id.clone()>{words::OPPONENT}</label> };
    let row = chooser(setup, game, about, Seat::new("2"), id, label);
    any_view! {
        <fieldset class="stack-2">
            <legend>{words::OPPONENT}</legend>
            <div class="field play-opponent">{row}</div>
        </fieldset>
    }
}

/// Seats with a part of their own: the players that play, answer, search or grade beside the person.
fn parts(setup: RwSignal<Setup>, game: Game, about: RwSignal<Option<About>>) -> AnyView {
    let seats = Memo::new(move |_| setup.with(Setup::other_seats));
    let rows = move || {
        let infos = game.benchmark.seats().iter();
        let beside = seats.with(|seats| {
            let sits = |seat: &str| seats.iter().any(|other| other.as_str() == seat);
            infos.filter(|info| sits(info.seat)).collect::<Vec<_>>()
        });
        beside
            .into_iter()
            .map(|info| {
                let id = format!("beside-{}", info.seat);
                let label = view! {
                    <label for=id.clone()>{words::part_of(info.seat)}</label>
                    <span class="field-note">{words::sentence(info.about)}</span>
                };
                let row = chooser(setup, game, about, Seat::new(info.seat), id, label.into_any());
                view! { <div class="field">{row}</div> }
            })
            .collect_view()
    };
    any_view! {
        <fieldset class="stack-2">
            <legend>"Who else takes part"</legend>
            <div class="fields">{rows}</div>
            <span class="field-note">"A friend gets a link of their own, and is asked exactly what a model would be asked."</span>
        </fieldset>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bot_that_can_be_chosen_says_what_it_does() {
        for game in Game::all() {
            for seat in Setup::new(game).other_seats() {
                let bots: Vec<_> = players(game, &seat, None)
                    .into_iter()
                    .filter_map(|(value, _)| match value.parse() {
                        Ok(Player::Bot(name)) => Some(name),
                        _ => None,
                    })
                    .collect();
                assert!(!bots.is_empty(), "{} {seat}", game.name());
                for bot in bots {
                    assert!(!about_bot(game, &seat, &bot).is_empty(), "{bot}");
                }
            }
            assert_eq!(about_bot(game, &Seat::new("2"), "nobody"), "");
        }
    }
}
