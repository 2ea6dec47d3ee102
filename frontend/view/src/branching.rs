//! Which players may sit where when a reader branches from a turn: what is offered, what is chosen at first, and what of it needs
//! the server's access token.

use turnwise_shared::benchmark::default_spec;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::Access;

use crate::strings::sharing as words;

/// Why another seat than the one that is taken over gets a new player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// A person sat there, who is not here.
    Person,
    /// A model sat there, and models need the access token.
    Model,
}

/// Who answered in an episode and in a branch of it, each as a part of a sentence; `is_here` where a person answers the branch in
/// this page. `None` where seats have no parts of their own.
pub fn speakers(before: &Spec, after: &Spec, is_here: bool) -> Option<(String, String)> {
    let player = |spec: &Spec| Some(spec.seats.get(&Seat::new(Seat::PLAYER))?.player.clone());
    let was = words::speaker(&player(before)?, false);
    let is = words::speaker(&player(after)?, is_here);
    let was = match was == is {
        true => "the original".to_owned(),
        false => was,
    };
    Some((was, is))
}

/// Whether the reader may spend what the server pays for.
pub fn may_spend(about: &About, has_token: bool) -> bool {
    has_token || about.access == Access::Open
}

/// The seats that have to be filled anew, besides the one that is taken over.
pub fn filled_anew(seats: &Lineup, taken: &Seat, may_spend: bool) -> Vec<(Seat, Why)> {
    let others = seats.iter().filter(|(seat, _)| *seat != taken);
    others
        .filter_map(|(seat, sitting)| {
            let why = match sitting.player {
                Player::Person => Why::Person,
                Player::Model { .. } if !may_spend => Why::Model,
                Player::Model { .. } | Player::Bot(_) | Player::Recording(_) => return None,
            };
            Some((seat.clone(), why))
        })
        .collect()
}

/// Who can sit in a seat, by name: a person, built-in players, and models if they may be paid.
pub fn candidates(
    benchmark: &dyn Benchmark,
    seat: &Seat,
    about: Option<&About>,
    may_spend: bool,
) -> Vec<String> {
    let bots = benchmark.bots().iter().filter(|bot| bot.fits(seat));
    let bots = bots.map(|bot| Player::Bot(bot.name.to_owned()).to_string());
    let mut all: Vec<_> = std::iter::once(Player::Person.to_string()).chain(bots).collect();
    let providers = about.into_iter().flat_map(About::ready_providers);
    for provider in providers.filter(|_| may_spend) {
        let models = provider.models.iter();
        all.extend(models.map(|model| format!("model:{}/{model}", provider.name)));
    }
    all
}

/// The built-in player that is chosen for a seat at first: the one that sits there in a new run, else the first that can.
pub fn usual_bot(benchmark: &dyn Benchmark, seat: &Seat) -> Option<String> {
    let bots: Vec<_> = benchmark
        .bots()
        .iter()
        .filter(|bot| bot.fits(seat))
        .map(|bot| Player::Bot(bot.name.to_owned()).to_string())
        .collect();
    let usual = default_spec(benchmark).seats.get(seat).map(|sitting| sitting.player.to_string());
    usual.filter(|usual| bots.contains(usual)).or_else(|| bots.into_iter().next())
}

/// The seats that are filled otherwise than in the parent, besides the one that was taken over, with their players before and now.
pub fn changed_besides(
    parent: &Spec,
    branch: &Spec,
    taken: Option<&Seat>,
) -> Vec<(Seat, Player, Player)> {
    let others = parent.seats.iter().filter(|(seat, _)| Some(*seat) != taken);
    others
        .filter_map(|(seat, sitting)| {
            let now = &branch.seats.get(seat)?.player;
            (*now != sitting.player).then(|| (seat.clone(), sitting.player.clone(), now.clone()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use turnwise_shared::examples::{GAME, QUESTIONS};
    use turnwise_shared::registry;

    use super::*;

    fn known(name: &str) -> &'static dyn Benchmark {
        registry::find(name).expect("it is known")
    }

    fn spec(seats: &[(&str, &str)]) -> Spec {
        let mut spec = default_spec(known(QUESTIONS));
        for (seat, player) in seats {
            let sitting = spec.seats.get_mut(&Seat::new(*seat)).expect("a seat");
            sitting.player = player.parse().expect("a player");
        }
        spec
    }

    #[test]
    fn both_who_answered_are_called_apart() {
        let of = |player| spec(&[("player", player)]);
        let both = |before, after| speakers(&of(before), &of(after), true).expect("a player");
        let pair = |one: &str, other: &str| (one.to_owned(), other.to_owned());
        assert_eq!(both("model:lab/m", "person"), pair("the model", "you"));
        assert_eq!(both("person", "person"), pair("the person", "you"));
        assert_eq!(both("model:lab/m", "model:lab/n"), pair("the original", "the model"));
        let game = default_spec(known(GAME));
        assert_eq!(speakers(&game, &game, true), None);
    }

    #[test]
    fn people_who_are_not_here_are_replaced_and_models_where_they_cannot_be_paid() {
        let spec =
            spec(&[("player", "model:lab/m"), ("responder", "person"), ("grader", "model:lab/m")]);
        let player = Seat::new("player");
        let (responder, grader) = (Seat::new("responder"), Seat::new("grader"));
        assert_eq!(filled_anew(&spec.seats, &player, true), [(responder.clone(), Why::Person)]);
        let others = filled_anew(&spec.seats, &player, false);
        assert_eq!(others.len(), 2);
        assert!(others.contains(&(grader, Why::Model)));
        // Where the reader takes the seat over, no other player has to be found for it.
        assert!(filled_anew(&spec.seats, &responder, true).is_empty());
    }

    #[test]
    fn a_bot_is_chosen_at_first_and_models_are_offered_to_whoever_may_spend() {
        let responder = Seat::new("responder");
        assert_eq!(usual_bot(known(QUESTIONS), &responder).as_deref(), Some("bot:lexical"));
        assert!(usual_bot(known(GAME), &Seat::new("3")).is_some());
        let about: About = serde_json::from_value(serde_json::json!({
            "version": "", "engines": [], "task_sets": [], "access": "token",
            "providers": [{ "name": "lab", "format": "openai", "models": ["m"] }],
        }))
        .expect("it is one");
        assert!(!may_spend(&about, false) && may_spend(&about, true));
        let offered = |may_spend| candidates(known(QUESTIONS), &responder, Some(&about), may_spend);
        assert_eq!(offered(true), ["person", "bot:lexical", "model:lab/m"]);
        assert_eq!(offered(false), ["person", "bot:lexical"]);
    }

    #[test]
    fn what_changed_besides_the_turn_is_named() {
        let parent = spec(&[("responder", "person")]);
        let branch = spec(&[("player", "person"), ("responder", "bot:lexical")]);
        let player = Seat::new("player");
        let changed = changed_besides(&parent, &branch, Some(&player));
        assert_eq!(
            changed,
            [(Seat::new("responder"), Player::Person, Player::Bot("lexical".to_owned()))]
        );
        assert_eq!(changed_besides(&parent, &branch, None).len(), 2);
    }
}
