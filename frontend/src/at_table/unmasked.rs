//! Who sat in a seat, once it may be revealed.

use crate::prelude::*;

/// A player's identity, once it may be revealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmasked {
    pub name: String,
    /// How its rule works, or what it is.
    pub about: String,
}

/// Who sat in a seat.
pub fn unmasked(spec: &Spec, seat: &Seat) -> Option<Unmasked> {
    let player = &spec.seats.get(seat)?.player;
    Some(match player {
        Player::Bot(name) => {
            let bare = name.split(':').next().unwrap_or(name);
            let about = registry::find(&spec.benchmark)
                .ok()
                .and_then(|game| game.bots().iter().find(|bot| bot.name == bare))
                .map(|bot| bot.about.to_owned());
            Unmasked { name: name.clone(), about: about.unwrap_or_default() }
        }
        Player::Model { model, provider } => {
            Unmasked { name: model.clone(), about: format!("a model of the endpoint {provider}") }
        }
        Player::Person => Unmasked { name: "a person".to_owned(), about: String::new() },
        Player::Recording(name) => Unmasked { name: name.clone(), about: String::new() },
    })
}
