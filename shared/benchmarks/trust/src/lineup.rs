//! Who plays: the numbered seats of a lineup, what everybody is called, and what they are to each other.
//!
//! Under the reference seeding names enter the seeds (ARCHITECTURE.md, rule 35), so they follow from the lineup alone, and
//! `settings.names` can put others in their place.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use super::strategy::Strategy;
use turnwise_core::prelude::*;

/// The fewest and the most players of a run.
pub const PLAYERS: (u32, u32) = (2, 32);

#[derive(Debug, Clone, PartialEq)]
pub struct Participant {
    /// The seat, `1` to `n`.
    pub seat: Seat,
    pub player: Player,
    /// What it is called in tables; unique within the run.
    pub name: String,
    /// What it is to its opponents: the rule's name for the population, else `model`, `person`, `tape` or `bot`.
    pub class: String,
}

/// Who sits where, by the number of the seat.
pub type Players = BTreeMap<Seat, Player>;

/// The players of a spec.
pub fn players(spec: &Spec) -> Players {
    let seats = spec.seats.iter();
    seats.map(|(seat, sitting)| (seat.clone(), sitting.player.clone())).collect()
}

/// The players of a run, in the order of their seats.
///
/// # Errors
/// If the seats are not 1 to `n`, a rule is unknown, or a name is used twice.
pub fn participants(
    players: &Players,
    names: &BTreeMap<String, String>,
) -> Result<Vec<Participant>, BadSpec> {
    let count = saturated(players.len());
    if !(PLAYERS.0..=PLAYERS.1).contains(&count) {
        return Err(BadSpec::new(
            "seats",
            format!("a run has {} to {} players, and here are {count}", PLAYERS.0, PLAYERS.1),
        ));
    }
    let mut used = BTreeMap::new();
    let mut participants = Vec::new();
    for number in 1..=count {
        let seat = Seat::new(number.to_string());
        let Some(player) = players.get(&seat) else {
            return Err(BadSpec::new(
                format!("seats.{number}"),
                format!("nobody sits there; the seats of {count} players are 1 to {count}"),
            ));
        };
        let described = Described::of(&seat, player)?;
        let times = used.entry(described.title.clone()).or_insert(0);
        *times += 1;
        let name = match names.get(seat.as_str()) {
            Some(name) => checked(&seat, name)?.to_owned(),
            None => described.name(*times),
        };
        participants.push(Participant {
            player: player.clone(),
            name,
            class: described.class,
            seat,
        });
    }
    let unknown = names.keys().find(|seat| !players.contains_key(&Seat::new(seat.as_str())));
    if let Some(seat) = unknown {
        return Err(BadSpec::new(
            format!("settings.names.{seat}"),
            format!("there is no such seat; the seats are 1 to {count}"),
        ));
    }
    let mut seen = BTreeSet::new();
    for participant in &participants {
        if !seen.insert(&participant.name) {
            return Err(BadSpec::new(
                format!("settings.names.{}", participant.seat),
                format!(
                    "{:?} is the name of two players; give one of them another name",
                    participant.name
                ),
            ));
        }
    }
    Ok(participants)
}

/// The players of a branch: a player in the seat that they had when the matches were planned keeps that name, and a player who
/// is new there has the first name that is free.
///
/// # Errors
/// If the seats are others, or a rule is unknown.
pub fn taken_over(planned: &[Participant], players: &Players) -> Result<Vec<Participant>, BadSpec> {
    if !planned.iter().map(|one| &one.seat).collect::<BTreeSet<_>>().into_iter().eq(players.keys())
    {
        return Err(BadSpec::new(
            "settings.planned_for",
            "it names other seats than those of the run",
        ));
    }
    let stays = |one: &Participant| players.get(&one.seat) == Some(&one.player);
    let stayed = planned.iter().filter(|one| stays(one));
    let mut taken: BTreeSet<String> = stayed.map(|one| one.name.clone()).collect();
    let mut participants = Vec::new();
    for before in planned {
        let player = match players.get(&before.seat) {
            Some(player) if *player != before.player => player,
            _ => {
                participants.push(before.clone());
                continue;
            }
        };
        let described = Described::of(&before.seat, player)?;
        let free = (1..).map(|times| described.name(times)).find(|name| !taken.contains(name));
        let name = free.unwrap_or_default();
        taken.insert(name.clone());
        participants.push(Participant {
            seat: before.seat.clone(),
            player: player.clone(),
            name,
            class: described.class,
        });
    }
    Ok(participants)
}

/// What a player is called before it is numbered, and its class.
struct Described {
    title: String,
    class: String,
    /// Rules are numbered from the first on, others from the second.
    numbers_first: bool,
}

impl Described {
    fn of(seat: &Seat, player: &Player) -> Result<Self, BadSpec> {
        let (title, class) = match player {
            Player::Bot(name) => {
                let strategy = Strategy::from_str(name)
                    .map_err(|error| BadSpec::new(format!("seats.{seat}"), error.to_string()))?;
                return Ok(Described {
                    title: strategy.title().to_owned(),
                    class: strategy.name().to_owned(),
                    numbers_first: true,
                });
            }
            Player::Model { model, .. } => (format!("LLM-{}", slug(model)), "model"),
            Player::Recording(folder) => {
                let last = folder.rsplit('/').find(|part| !part.is_empty());
                (format!("Tape-{}", slug(last.unwrap_or("tape"))), "tape")
            }
            Player::Person => ("Person".to_owned(), "person"),
        };
        Ok(Described { title, class: class.to_owned(), numbers_first: false })
    }

    /// The name of the n-th that is called so, from 1.
    fn name(&self, times: u32) -> String {
        match (times, self.numbers_first) {
            (1, false) => self.title.clone(),
            _ => format!("{}-{times}", self.title),
        }
    }
}

/// A model's name as the scripts of the reference write it: `/` and `.` become `-`.
fn slug(model: &str) -> String {
    model.replace(['/', '.'], "-")
}

fn checked<'a>(seat: &Seat, name: &'a str) -> Result<&'a str, BadSpec> {
    let sound = (1..=60).contains(&name.chars().count())
        && !name.contains('|')
        && turnwise_core::signs::unseen(name).is_none()
        && name.trim() == name;
    if sound {
        Ok(name)
    } else {
        Err(BadSpec::new(
            format!("settings.names.{seat}"),
            "a name has 1 to 60 signs, none of them | or one that nobody sees, and no blanks around it",
        ))
    }
}

/// A list of players as the command line writes it: names of the population stand bare, all other players as
/// `PLAYER` or `NAME=PLAYER`, with commas between them.
///
/// # Errors
/// The first entry that is not a valid player, and how to fix it.
pub fn read(list: &str) -> Result<Vec<(Option<String>, Player)>, BadSpec> {
    list.split(',')
        .map(|entry| {
            let entry = entry.trim();
            let (name, who) = match entry.split_once('=') {
                Some((name, who)) => (Some(name.trim().to_owned()), who.trim()),
                None => (None, entry),
            };
            Ok((name, player(who)?))
        })
        .collect()
}

fn player(who: &str) -> Result<Player, BadSpec> {
    let bad = |problem: String| BadSpec::new("players", problem);
    let population = Strategy::from_str(who);
    let written = Player::from_str(who);
    match (population, written) {
        (Ok(_), _) => Ok(Player::Bot(who.to_owned())),
        (Err(_), Ok(Player::Bot(name))) => match Strategy::from_str(&name) {
            Ok(_) => Ok(Player::Bot(name)),
            Err(error) => Err(bad(error.to_string())),
        },
        (Err(_), Ok(player)) => Ok(player),
        (Err(of_the_population), Err(of_players)) => Err(bad(if who.starts_with("random") {
            of_the_population.to_string()
        } else {
            format!("{of_players}; or a name of the population: {of_the_population}")
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::spec_of;

    fn named(players: &str, names: &[(&str, &str)]) -> Result<Vec<String>, String> {
        let names =
            names.iter().map(|(seat, name)| ((*seat).to_owned(), (*name).to_owned())).collect();
        participants(&super::players(&spec_of(players)), &names)
            .map(|all| all.into_iter().map(|who| who.name).collect())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn names_are_those_of_the_reference_scripts() {
        assert_eq!(
            named(
                "model:router/google/gemini-3-flash-preview,model:up/deepseek/deepseek-v3.2,grim,random:0.5,tft,grim,person",
                &[]
            )
            .expect("seven players who can be named"),
            [
                "LLM-google-gemini-3-flash-preview",
                "LLM-deepseek-deepseek-v3-2",
                "Grim Trigger-1",
                "Random-1",
                "TFT-1",
                "Grim Trigger-2",
                "Person"
            ]
        );
        assert_eq!(
            named("model:a/m,model:b/m,tape:runs/old", &[("3", "Old")])
                .expect("the one seat that is named is there"),
            ["LLM-m", "LLM-m-2", "Old"]
        );
        let many = ["tft"; 11].join(",");
        assert_eq!(
            named(&many, &[]).expect("a run may have eleven players")[9..],
            ["TFT-10", "TFT-11"]
        );
    }

    #[test]
    fn what_cannot_be_named_is_said() {
        assert_eq!(
            named("tft", &[]).unwrap_err(),
            "seats: a run has 2 to 32 players, and here are 1"
        );
        assert_eq!(
            named("tft,grim", &[("2", "TFT-1")]).unwrap_err(),
            "settings.names.2: \"TFT-1\" is the name of two players; give one of them another name"
        );
        assert_eq!(
            named("tft,grim", &[("3", "Third")]).unwrap_err(),
            "settings.names.3: there is no such seat; the seats are 1 to 2"
        );
        assert!(named("tft,grim", &[("1", "a|b")]).is_err());
    }

    #[test]
    fn lists_of_players() {
        let read_back = |list: &str| {
            read(list).map(|all| {
                all.into_iter()
                    .map(|(name, player)| (name.unwrap_or_default(), player.to_string()))
                    .collect::<Vec<_>>()
            })
        };
        let pair = |name: &str, player: &str| (name.to_owned(), player.to_owned());
        assert_eq!(
            read_back("grim, random:0.5,bot:gtft,Mine=model:up/org/m:free,person")
                .expect("every one of the five is a player"),
            [
                pair("", "bot:grim"),
                pair("", "bot:random:0.5"),
                pair("", "bot:gtft"),
                pair("Mine", "model:up/org/m:free"),
                pair("", "person")
            ]
        );
        for (list, part) in [
            ("grimm", "names nobody"),
            ("random:7", "is not a probability"),
            ("bot:nobody", "is not of the population"),
            ("grim,,tft", "names nobody"),
        ] {
            let error = read_back(list).unwrap_err().to_string();
            assert!(error.contains(part), "{list}: {error}");
        }
    }
}
