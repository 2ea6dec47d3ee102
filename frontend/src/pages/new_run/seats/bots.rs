//! A built-in rule in a seat.

use super::super::Draft;
use super::{Sat, seat_name};
use crate::prelude::*;
use crate::strings::new_run as strings;

/// The choice of a built-in rule, and of its parameter.
#[component]
pub fn Bots<S>(draft: Draft, place: Sat, player: Memo<Player>, sit: S) -> impl IntoView
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
        !parameter.is_empty() || bots().any(|bot| bot.name == name && bot.share.is_some())
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
                    aria-label=strings::who_in(seat_name(place))
                    on:change:target=move |event| sit(Some(Player::Bot(event.target().value())))
                >
                    {move || {
                        bots()
                            .map(|bot| {
                                option(bot.name, bot.name, move || chosen.with(|(name, _)| name == bot.name))
                            })
                            .collect_view()
                    }}
                    {move || other().map(|name| view! { <option value=name.clone() selected=true>{name.clone()}</option> })}
                </select>
                <Show when=takes_parameter>
                    <input
                        class="input input-num"
                        aria-label=format!("Parameter of the rule in seat {}", seat_name(place))
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
