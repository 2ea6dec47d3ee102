//! Who sits where: `--seat player=bot:NAME` and how a model is sampled there.

use std::collections::BTreeMap;
use std::str::FromStr;

use anyhow::{Result, anyhow, bail};

use turnwise_shared::benchmark::{SeatInfo, Setup};
use turnwise_shared::prelude::*;

/// `SEAT=VALUE` on the command line.
#[derive(Debug, Clone, PartialEq)]
pub struct ForSeat<T> {
    pub seat: Seat,
    /// What is said of it.
    pub value: T,
}

impl<T: FromStr> FromStr for ForSeat<T>
where
    T::Err: std::fmt::Display,
{
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (seat, value) = text
            .split_once('=')
            .filter(|(seat, _)| !seat.is_empty())
            .ok_or("write SEAT=VALUE, e.g. player=bot:search-only")?;
        Ok(ForSeat {
            seat: seat.trim().into(),
            value: value.trim().parse().map_err(|error: T::Err| error.to_string())?,
        })
    }
}

/// How models are to be sampled, where the command line says so.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sampled {
    pub temperature: Vec<ForSeat<f64>>,
    pub top_p: Vec<ForSeat<f64>>,
    /// `--max-tokens`.
    pub max_tokens: Vec<ForSeat<u32>>,
    /// `--stop`; a seat can have several.
    pub stop: Vec<ForSeat<String>>,
    pub seed: Vec<ForSeat<u32>>,
    pub effort: Vec<ForSeat<Effort>>,
    /// `--thinking-tokens`.
    pub thinking_tokens: Vec<ForSeat<u32>>,
    pub form: Vec<ForSeat<ReplyForm>>,
}

impl Sampled {
    /// Everything but the texts at which a reply ends, of which a seat can have several.
    fn turns(&self) -> impl Iterator<Item = (Knob, &Seat, String)> {
        fn each<T>(
            knob: Knob,
            said: &[ForSeat<T>],
            text: fn(&T) -> String,
        ) -> impl Iterator<Item = (Knob, &Seat, String)> {
            said.iter().map(move |one| (knob, &one.seat, text(&one.value)))
        }
        let form = |form: &ReplyForm| match form {
            ReplyForm::Text => "text".to_owned(),
            ReplyForm::Json => "json".to_owned(),
        };
        each(Knob::Temperature, &self.temperature, f64::to_string)
            .chain(each(Knob::TopP, &self.top_p, f64::to_string))
            .chain(each(Knob::MaxTokens, &self.max_tokens, u32::to_string))
            .chain(each(Knob::Seed, &self.seed, u32::to_string))
            .chain(each(Knob::Effort, &self.effort, |effort| effort.name().to_owned()))
            .chain(each(Knob::ThinkingTokens, &self.thinking_tokens, u32::to_string))
            .chain(each(Knob::Form, &self.form, form))
    }
}

/// The lineup of a run: who was named, and the benchmark's own bots in the other seats.
///
/// # Errors
/// If a seat is not one of the benchmark's, is filled twice, or a person sits in it.
pub fn lineup(
    benchmark: &dyn Benchmark,
    setup: Setup<'_>,
    named: &[ForSeat<Player>],
    sampled: &Sampled,
) -> Result<Lineup> {
    let mut players = BTreeMap::new();
    for ForSeat { seat, value } in named {
        check_seat(benchmark, seat)?;
        if players.insert(seat.clone(), value.clone()).is_some() {
            bail!("--seat {seat}=… is given twice; one sits in a seat");
        }
    }
    for (seat, info) in wanted(benchmark, &players) {
        if !players.contains_key(&seat) {
            let usual = info.usual(|seat| players.get(&Seat::new(seat)));
            players.insert(seat, usual);
        }
    }
    let mut lineup = Lineup::new();
    for (seat, player) in players {
        let sampling = match &player {
            Player::Person => {
                let name = benchmark.name();
                let page = match benchmark.participants() {
                    Some(_) => format!("/play?game={name}"),
                    None => format!("/new?benchmark={name}&seat.{seat}=person"),
                };
                bail!(
                    "--seat {seat}=person: a person is asked in the browser, because nobody may be at a terminal; start \
                     turnwise serve and open {page} there"
                );
            }
            Player::Model { model, .. } => benchmark.default_sampling(setup, &seat, model),
            Player::Bot(name) => {
                check_bot(benchmark, &seat, name)?;
                Sampling::default()
            }
            Player::Recording(_) => Sampling::default(),
        };
        lineup.insert(seat, Sitting { player, sampling });
    }
    sample(benchmark, &mut lineup, sampled)?;
    Ok(lineup)
}

/// The seats that a lineup has, and the default player of each. Where participants are numbered and the first of
/// them are all named, there are no others; else the default lineup is filled up.
fn wanted<'a>(
    benchmark: &'a dyn Benchmark,
    named: &BTreeMap<Seat, Player>,
) -> Vec<(Seat, &'a SeatInfo)> {
    let infos = benchmark.seats();
    let Some((fewest, _)) = benchmark.participants() else {
        return infos.iter().map(|info| (Seat::new(info.seat), info)).collect();
    };
    let highest =
        named.keys().filter_map(|seat| seat.as_str().parse::<u32>().ok()).max().unwrap_or(0);
    let all_are_named =
        highest >= fewest && usize::try_from(highest).is_ok_and(|highest| highest == named.len());
    let count = if all_are_named {
        highest
    } else {
        highest.max(u32::try_from(infos.len()).unwrap_or(fewest))
    };
    (1..=count)
        .zip(infos.iter().cycle())
        .map(|(number, info)| (Seat::new(number.to_string()), info))
        .collect()
}

fn check_bot(benchmark: &dyn Benchmark, seat: &Seat, name: &str) -> Result<()> {
    turnwise_shared::benchmark::check_bot(benchmark, seat, name)
        .map_err(|bad| anyhow!("--seat {seat}=bot:{name}: {}", bad.problem))
}

fn sample(benchmark: &dyn Benchmark, lineup: &mut Lineup, sampled: &Sampled) -> Result<()> {
    for (knob, seat, value) in sampled.turns() {
        let flag = format!("--{knob}");
        let sampling = model_in(benchmark, lineup, seat, &flag)?;
        knob.turn(sampling, &value).map_err(|bad| anyhow!("{flag} {seat}={value}: {bad}"))?;
    }
    for ForSeat { seat, value } in &sampled.stop {
        if value.is_empty() {
            bail!("--stop {seat}=: a reply cannot end at nothing");
        }
        let stop = &mut model_in(benchmark, lineup, seat, "--stop")?.stop;
        stop.push(value.clone());
    }
    Ok(())
}

fn model_in<'a>(
    benchmark: &dyn Benchmark,
    lineup: &'a mut Lineup,
    seat: &Seat,
    flag: &str,
) -> Result<&'a mut Sampling> {
    check_seat(benchmark, seat)?;
    match lineup.get_mut(seat) {
        Some(Sitting { player: Player::Model { .. }, sampling }) => Ok(sampling),
        Some(sitting) => Err(anyhow!(
            "{flag} {seat}=…: only models are sampled, and {} sits there",
            sitting.player
        )),
        None => Err(anyhow!("{flag} {seat}=…: nobody sits there")),
    }
}

fn check_seat(benchmark: &dyn Benchmark, seat: &Seat) -> Result<()> {
    let seats = match benchmark.participants() {
        Some((_, most)) => {
            let number = seat.as_str().parse::<u32>();
            if number.is_ok_and(|number| {
                (1..=most).contains(&number) && number.to_string() == seat.as_str()
            }) {
                return Ok(());
            }
            format!("1 to {most}")
        }
        None => {
            let seats: Vec<_> = benchmark.seats().iter().map(|info| info.seat).collect();
            if seats.contains(&seat.as_str()) {
                return Ok(());
            }
            seats.join(", ")
        }
    };
    Err(anyhow!(
        "{} has no seat {seat:?}; its seats are {seats}",
        benchmark.name(),
        seat = seat.as_str()
    ))
}
