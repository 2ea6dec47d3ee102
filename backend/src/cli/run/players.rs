//! `--players`: who plays, in the order of seats.

use anyhow::{Result, anyhow, bail};

use turnwise_shared::prelude::*;

use crate::cli::seats::ForSeat;

#[derive(Debug, Default)]
pub struct Players {
    /// The players with their seats.
    pub seats: Vec<ForSeat<Player>>,
    /// Names that were given, with their seats.
    pub names: Vec<(String, String)>,
}

/// Who plays by `--players`.
///
/// # Errors
/// Which player cannot be read, with those that there are.
pub fn lineup(benchmark: &dyn Benchmark, listed: &[String]) -> Result<Players> {
    let count = u32::try_from(listed.len()).unwrap_or(u32::MAX);
    match benchmark.participants() {
        _ if count == 0 => {}
        Some((fewest, most)) if !(fewest..=most).contains(&count) => {
            bail!("--players names {count}; {fewest} to {most} play {}", benchmark.name());
        }
        Some(_) => {}
        None => {
            bail!(
                "--players is for participants that are numbered; the seats of {} have names, use --seat NAME=PLAYER",
                benchmark.name()
            );
        }
    }
    let (mut seats, mut names) = (Vec::new(), Vec::new());
    for (text, number) in listed.iter().zip(1_u32..) {
        let seat = Seat::new(number.to_string());
        let (name, player) = match text.split_once('=') {
            Some((name, player)) => (Some(name.trim()), player.trim()),
            None => (None, text.trim()),
        };
        let value = if benchmark.seats_bot(&seat, player) {
            Player::Bot(player.to_owned())
        } else {
            player.parse().map_err(|error| {
                let bots: Vec<_> = benchmark.bots().iter().map(|bot| bot.name).collect();
                anyhow!(
                    "--players: {error}; or the bare name of a built-in player: {}",
                    bots.join(", ")
                )
            })?
        };
        names.extend(name.map(|name| (seat.to_string(), name.to_owned())));
        seats.push(ForSeat { seat, value });
    }
    Ok(Players { seats, names })
}

#[cfg(test)]
mod tests {
    use turnwise_shared::examples::{MATCH, QUESTIONS};
    use turnwise_shared::registry;

    use super::*;

    #[test]
    fn players_are_bots_players_of_seats_or_named() {
        let game = registry::find(MATCH).expect("it is registered");
        let read = |benchmark, listed: &[&str]| {
            let listed: Vec<_> = listed.iter().map(|&player| player.to_owned()).collect();
            lineup(benchmark, &listed)
        };
        let [one, other] = [0, 1].map(|at: usize| game.bots()[at].name);
        let named = format!("Bob=bot:{one}");
        let bare = format!("Eve={other}");
        let Players { seats, names } =
            read(game, &[one, "model:up/a/b", &named, &bare]).expect("they all read");
        let players: Vec<_> = seats.iter().map(|seat| seat.value.to_string()).collect();
        let bots = [one, other].map(|name| format!("bot:{name}"));
        assert_eq!(players, [&bots[0], "model:up/a/b", &bots[0], &bots[1]]);
        assert_eq!(seats[3].seat.as_str(), "4");
        assert_eq!(names, [("3".into(), "Bob".into()), ("4".into(), "Eve".into())]);
        assert!(read(game, &["nobody", one]).is_err());
        assert!(read(game, &[one]).is_err());
        let seated = registry::find(QUESTIONS).expect("it is registered");
        assert!(read(seated, &[one, one]).is_err());
    }
}
