//! What a bot reads of a request: the variables of the prompt, as numbers and cards. Amounts in whole chips.

use super::Move;
use crate::action::Kind;
use crate::card::{self, Card};
use crate::chips::Unit;
use turnwise_core::prelude::*;

/// A decision as a bot sees it.
#[derive(Debug, Clone)]
pub struct View {
    pub hole: [Card; 2],
    pub board: Vec<Card>,
    /// All chips that were put in.
    pub pot: u64,
    /// What is to be called, at most the own stack.
    pub to_call: u64,
    pub stack: u64,
    /// The own bet on this street.
    pub bet: u64,
    pub big_blind: u64,
    /// How many are still in the hand, this player included.
    pub players_in: u32,
    /// How many others have put in as much as the current bet asks, or everything.
    pub matched: u32,
    /// How many were dealt in.
    pub players: u32,
    /// The position's name, e.g. `BTN`.
    pub position: String,
    /// From where to where a raise may go, as totals for this street.
    pub raise: Option<(u64, u64)>,
    can_check: bool,
    can_go_all_in: bool,
}

impl View {
    /// Reads a request; `None` if it asks for something else than a decision.
    pub fn of(asked: &Asked<'_>) -> Option<Self> {
        let chips = |name: &str| Some(Unit::Chip.read(asked.variable(name))?.units());
        let hole = card::cards(asked.variable("hole")).ok()?;
        let stack = chips("stack")?;
        Some(View {
            hole: hole.try_into().ok()?,
            board: card::cards(asked.variable("board")).ok()?,
            pot: chips("pot")?,
            to_call: chips("to_call")?.min(stack),
            stack,
            bet: chips("bet")?,
            big_blind: chips("big_blind")?.max(1),
            players_in: asked.variable("players_in").parse().ok()?,
            matched: asked.variable("matched").parse().ok()?,
            players: asked.variable("players").parse().ok()?,
            position: asked.variable("position").to_owned(),
            raise: chips("min_raise_to")
                .zip(chips("max_raise_to"))
                .filter(|(least, most)| least <= most),
            can_check: asked.variable("can_check") == "yes",
            can_go_all_in: asked.variable("can_go_all_in") == "yes",
        })
    }

    /// The legal kinds of action.
    pub fn legal(&self) -> Vec<Kind> {
        let mut kinds = vec![Kind::Fold];
        kinds.push(if self.can_check { Kind::Check } else { Kind::Call });
        kinds.extend(self.raise.map(|_| Kind::Raise));
        kinds.extend(self.can_go_all_in.then_some(Kind::AllIn));
        kinds
    }

    pub fn check_or_call(&self) -> Move {
        Move(if self.can_check { Kind::Check } else { Kind::Call }, 0)
    }

    /// Stay in if that is free, else give up.
    pub fn check_or_fold(&self) -> Move {
        Move(if self.can_check { Kind::Check } else { Kind::Fold }, 0)
    }

    /// Put in everything, as far as that is legal.
    pub fn all_in(&self) -> Move {
        if self.can_go_all_in { Move(Kind::AllIn, 0) } else { self.check_or_call() }
    }

    /// Raise to about this total: at least the smallest raise; all-in if it is most of the stack; stay in where nothing can be
    /// raised.
    pub fn raise_to(&self, total: u64) -> Move {
        match self.raise {
            Some((least, most)) if total.saturating_sub(self.bet) * 3 < self.stack * 2 => {
                Move(Kind::Raise, total.clamp(least, most))
            }
            _ => self.all_in(),
        }
    }
}
