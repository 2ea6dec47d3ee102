//! The settings of a run of poker, and what a lineup must have (4.a, 4.b.2; decisions: games).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::hand::{MOST_UNITS, unit_of};
use super::policy::Policy;
use turnwise_core::prelude::*;
use turnwise_core::spec::MOST_PLAYS;

/// The fewest and the most participants.
pub const PARTICIPANTS: (u32, u32) = (2, 10);

/// The most tables, and the most hands of a table.
const MOST: u64 = 100_000;

/// The most hands of a whole run whose tables are its episodes.
const MOST_HANDS: u64 = 1_000_000;

/// The most chips of a stack.
pub const MOST_CHIPS: u64 = 1_000_000_000;

settings! {
    Schema::new("Tables and hands", &[]);
    /// Settings of a poker run. By default a small table: ten tables of 500 hands, as in the paper, are asked for by name.
    #[derive(Copy, Eq)]
    pub struct Settings {
        tables: u32 = 2 => entry("Tables", "", Holds::Number(1, MOST)),
        /// How many hands each table plays; in duplicate mode how many decks, each of which is played once for every seat.
        hands: u32 = 25 => entry(
            "Hands a table",
            "in duplicate mode: decks, each played once from every seat",
            Holds::Number(1, MOST),
        ),
        /// In chips, like the blinds.
        stack: u64 = 10_000 => entry("Stack, in chips", "", Holds::Number(1, MOST_CHIPS)),
        small_blind: u64 = 50 => entry("Small blind", "", Holds::Number(1, MOST_CHIPS)),
        big_blind: u64 = 100 => entry("Big blind", "", Holds::Number(1, MOST_CHIPS)),
        /// What happens to stacks between hands. Absent: `reset-every-hand` under `strict`, and what the authors' program does,
        /// `reset-all-on-bust`, under `reference`.
        #[serde(skip_serializing_if = "Option::is_none")]
        policy: Option<Policy> = None => entry(
            "Stacks between hands",
            "usually reset-every-hand under strict, reset-all-on-bust under reference; hands that start afresh are independent and run side by side",
            Holds::Choice(
                const {
                    let all = Policy::CHOICES;
                    &[("", "as usual in this profile"), all[0], all[1], all[2], all[3]]
                },
            ),
        ),
        memory: Memory = Memory::None => entry(
            "What a player is told of earlier hands",
            "",
            Holds::Choice(Memory::CHOICES),
        ),
        persona: Persona = Persona::Bold => entry(
            "Character in the system prompt",
            "",
            Holds::Choice(Persona::CHOICES),
        ),
        /// Whether every deck is played once for every rotation of the seats, so that luck with cards cancels.
        duplicate: bool = false => entry(
            "Duplicate: everybody plays the same cards",
            "luck with cards cancels; needs independent hands",
            Holds::Flag,
        ),
        permute_seats: bool = false
            => entry("Another seating order at every table", "", Holds::Flag),
        /// Whether a rule that acts for a player folds also where checking is free, as it always does under `reference` (4.b.6).
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        auto_fold_when_free: bool = false,
    }
}

choices! {
    /// What a participant is shown of earlier hands.
    pub enum Memory {
        /// Every decision is a conversation of its own.
        None = "none" => "nothing",
        /// For each opponent what it did so far at this table, and the results of the last hands.
        Table = "table" => "what happened at this table",
    }
}

choices! {
    /// Which character the system prompt gives to a player. It is part of the treatment: the paper's pushes aggression (4.c).
    pub enum Persona {
        /// An expert who is asked to play boldly on a mathematical basis.
        Bold = "bold" => "bold expert, as in the paper",
        Neutral = "neutral" => "rules and aim only",
    }
}

impl Persona {
    /// The template of its system prompt.
    pub fn template(self) -> &'static str {
        match self {
            Persona::Bold => "system_bold",
            Persona::Neutral => "system_neutral",
        }
    }
}

impl Settings {
    /// The settings of a spec.
    ///
    /// # Errors
    /// If they cannot be read, or no hand can go by them; the field is named.
    pub fn of(spec: &Spec) -> Result<Self, BadSpec> {
        let settings: Settings = Self::SCHEMA.read(&without_names(&spec.settings))?;
        settings.check(spec)?;
        check_names(spec)?;
        Ok(settings)
    }

    /// What happens to stacks between hands.
    pub fn policy(&self, profile: Profile) -> Policy {
        self.policy.unwrap_or(match profile {
            Profile::Strict => Policy::ResetEveryHand,
            Profile::Reference => Policy::ResetAllOnBust,
        })
    }

    /// Whether no hand depends on another: then each is an episode of its own, and all may be played at once.
    pub fn hands_are_independent(&self, profile: Profile) -> bool {
        self.policy(profile) == Policy::ResetEveryHand && self.memory == Memory::None
    }

    fn check(&self, spec: &Spec) -> Result<(), BadSpec> {
        let bad =
            |field: &str, problem: String| Err(BadSpec::new(format!("settings.{field}"), problem));
        let participants = participants(spec)?;
        let rotations = if self.duplicate { u64::from(participants) } else { 1 };
        let hands = u64::from(self.tables) * u64::from(self.hands) * rotations;
        // Each is an episode of its own where they are independent.
        let most = match self.hands_are_independent(spec.profile) {
            true => MOST_PLAYS,
            false => MOST_HANDS,
        };
        if hands > most {
            return bad(
                "hands",
                format!("these are {hands} hands in all; at most {most} are possible in one run"),
            );
        }
        if self.small_blind > self.big_blind {
            return bad(
                "small_blind",
                format!(
                    "the small blind is at most the big blind; {}/{} is not possible",
                    self.small_blind, self.big_blind
                ),
            );
        }
        if self.stack < self.big_blind {
            return bad(
                "stack",
                format!(
                    "a stack holds at least one big blind ({}); {} is not possible",
                    self.big_blind, self.stack
                ),
            );
        }
        // No policy gives out more than a stack for everybody before every hand.
        let most = MOST_UNITS / unit_of(spec.profile).per_chip();
        let stacks = u64::from(participants) * hands;
        if self.stack.saturating_mul(stacks) > most {
            return bad(
                "stack",
                format!(
                    "{participants} participants with stacks of {} in {hands} hands can be given more than {most} chips in all, which is \
                     the most that is counted under this profile; choose a stack of at most {}, or fewer hands",
                    self.stack,
                    most / stacks
                ),
            );
        }
        if self.duplicate && !self.hands_are_independent(spec.profile) {
            return bad(
                "duplicate",
                "duplicate mode compares the same deck in every seat, so no hand may depend on another: use the policy \
                 reset-every-hand and memory none"
                    .to_owned(),
            );
        }
        if spec.profile == Profile::Reference && self.policy == Some(Policy::Freezeout) {
            return bad(
                "policy",
                "the authors' program has no freezeout; use profile strict".to_owned(),
            );
        }
        if spec.profile == Profile::Reference && self.memory != Memory::None {
            return bad(
                "memory",
                "the authors' program remembers nothing; use profile strict".to_owned(),
            );
        }
        if spec.profile == Profile::Reference && participants < 3 {
            return Err(BadSpec::new(
                "seats",
                "two players at a table never occur in the authors' program, which has no rule for them; seat at least three, or use \
                 profile strict",
            ));
        }
        Ok(())
    }
}

/// How many take part, once it is sure that the lineup can play: seats `1` to `n` without a gap.
///
/// # Errors
/// Which seat is missing or too many; and duplicate mode with a person, who cannot meet a deck twice (decision 31).
pub fn participants(spec: &Spec) -> Result<u32, BadSpec> {
    let count = saturated(spec.seats.len());
    let (fewest, most) = PARTICIPANTS;
    if !(fewest..=most).contains(&count) {
        return Err(BadSpec::new(
            "seats",
            format!("{count} sit at the table; {fewest} to {most} can"),
        ));
    }
    for number in 1..=count {
        if !spec.seats.contains_key(&seat(number)) {
            return Err(BadSpec::new(
                format!("seats.{number}"),
                format!("nobody sits there; the seats are numbered 1 to {count} without a gap"),
            ));
        }
    }
    let duplicate =
        spec.settings.get("duplicate").and_then(serde_json::Value::as_bool) == Some(true);
    let person = spec.seats.iter().find(|(_, sitting)| sitting.player == Player::Person);
    if let (true, Some((seat, _))) = (duplicate, person) {
        return Err(BadSpec::new(
            format!("seats.{seat}"),
            "a person remembers the cards and cannot meet a deck twice; switch duplicate mode off",
        ));
    }
    Ok(count)
}

/// The settings without the names of players, which decide nothing.
pub fn without_names(settings: &Value) -> Value {
    let mut settings = settings.clone();
    if let Value::Object(settings) = &mut settings {
        settings.remove(Spec::NAMES);
    }
    settings
}

fn check_names(spec: &Spec) -> Result<(), BadSpec> {
    let Some(names) = spec.settings.get(Spec::NAMES) else {
        return Ok(());
    };
    let names: BTreeMap<Seat, String> = serde_json::from_value(names.clone()).map_err(|error| {
        BadSpec::new("settings.names", format!("expected names by seat: {error}"))
    })?;
    let mut seen = BTreeSet::new();
    for (seat, name) in &names {
        let bad = |problem: String| Err(BadSpec::new(format!("settings.names.{seat}"), problem));
        if !spec.seats.contains_key(seat) {
            return bad(format!("there is no such seat; the seats are 1 to {}", spec.seats.len()));
        }
        let is_sound = (1..=60).contains(&name.chars().count())
            && turnwise_core::signs::unseen(name).is_none()
            && name.trim() == name;
        if !is_sound {
            return bad(
                "a name has 1 to 60 characters, all of them visible, and no blanks around it"
                    .to_owned(),
            );
        }
        if !seen.insert(name) {
            return bad(format!(
                "{name:?} is the name of two players; give one of them another name"
            ));
        }
    }
    Ok(())
}

/// The seat of a participant.
pub fn seat(number: u32) -> Seat {
    Seat::new(number.to_string())
}
