//! What was played, from the released transcripts.

use turnwise_shared::benchmarks::poker;
use turnwise_shared::benchmarks::trust::strategy::Strategy;
use turnwise_shared::registry;
use turnwise_shared::run::EpisodeKey;
use turnwise_shared::seat::{Player, Seat};
use turnwise_shared::spec::Spec;
use turnwise_shared::transcript::Transcript;

use crate::strings::play as words;

/// What one hand came to for a seat.
#[derive(Debug, Clone, PartialEq)]
pub struct HandResult {
    /// Where it can be replayed.
    pub episode: EpisodeKey,
    /// Its number, from 1.
    pub number: u32,
    /// The seat's cards.
    pub cards: Vec<String>,
    /// The common cards.
    pub board: Vec<String>,
    /// What was won or lost.
    pub delta: i64,
    /// How many units make a chip.
    pub units_per_chip: u64,
}

/// The hands in which a seat was dealt in, in the order in which they were played.
pub fn hands(plays: &[(EpisodeKey, Transcript)], seat: &Seat) -> Vec<HandResult> {
    let mut results = Vec::new();
    for (episode, play) in plays {
        for hand in poker::hands(play) {
            let Some(place) = hand.place_of(seat) else {
                continue;
            };
            results.push(HandResult {
                episode: episode.clone(),
                number: u32::try_from(results.len() + 1).unwrap_or(u32::MAX),
                cards: hand.places[place]
                    .hole
                    .iter()
                    .map(|card| card.short())
                    .collect(),
                board: hand.board.iter().map(|card| card.short()).collect(),
                delta: hand.deltas.get(place).copied().unwrap_or(0),
                units_per_chip: hand.unit.per_chip(),
            });
        }
    }
    results
}

/// Who somebody was, once it may be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmasked {
    /// Its name.
    pub name: String,
    /// How its rule works, or what it is.
    pub about: String,
}

/// Who sat in a seat.
pub fn unmasked(spec: &Spec, seat: &Seat) -> Option<Unmasked> {
    let player = &spec.seats.get(seat)?.player;
    Some(match player {
        Player::Bot(name) => {
            let rule = name.parse::<Strategy>().ok();
            let bare = name.split(':').next().unwrap_or(name);
            let about = registry::find(&spec.benchmark)
                .ok()
                .and_then(|game| game.bots().iter().find(|bot| bot.name == bare))
                .map(|bot| bot.about.to_owned());
            Unmasked {
                name: rule.map_or_else(|| name.clone(), |rule| rule.title().to_owned()),
                about: about.unwrap_or_default(),
            }
        }
        Player::Model { model, provider } => Unmasked {
            name: model.clone(),
            about: words::model_of(provider),
        },
        Player::Person => Unmasked {
            name: words::A_PERSON.to_owned(),
            about: String::new(),
        },
        Player::Tape(name) => Unmasked {
            name: name.clone(),
            about: String::new(),
        },
    })
}

/// The other of two seats.
pub fn opposite(spec: &Spec, seat: &Seat) -> Option<Seat> {
    spec.seats.keys().find(|other| *other != seat).cloned()
}

/// What both seats of a match have earned: the given one first.
pub fn totals(play: &Transcript, seat: &Seat) -> Option<(i64, i64)> {
    let last = play.notes().filter_map(|note| match note {
        turnwise_shared::note::Note::Event { name, detail }
            if name == turnwise_shared::benchmarks::trust::protocol::noted::ROUND =>
        {
            Some(detail)
        }
        _ => None,
    });
    let last = last.last()?;
    let total = |place: usize| last["totals"][place].as_i64();
    let own = usize::from(last["seats"][0] != *seat.as_str());
    Some((total(own)?, total(1 - own)?))
}

/// How many rounds were played.
pub fn rounds(play: &Transcript) -> Option<u64> {
    play.outcome()?.result["rounds"].as_u64()
}
