//! The inference track: what the player is shown again, which may shrink (specification 5.7).

use crate::prompts::{Line, Prompts};
use crate::window::{self, Sized};
use turnwise_core::prelude::*;

/// By which rule a track shrinks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Not at all.
    Never,
    /// As in the authors' code, cut to this many characters: the oldest goes first, the question included, and never returns.
    Reference(u64),
    /// System message and question stay; the oldest turns go, and a message says how many; `reserved` of the characters are
    /// kept free for the reply.
    Strict {
        /// How many characters in all.
        cap: u64,
        /// How many of them for the reply.
        reserved: u64,
    },
}

impl Rule {
    /// The rule of an episode. For the reply as many characters are kept free as the most tokens of a reply usually have, but no
    /// more than a quarter.
    pub fn of(profile: Profile, context: Option<u64>, reply_tokens: u32) -> Self {
        match (profile, context) {
            (_, None) => Rule::Never,
            (Profile::Reference, Some(cap)) => Rule::Reference(cap),
            (Profile::Strict, Some(cap)) => Rule::Strict {
                cap,
                // 2.5 characters a token, as the reference estimates.
                reserved: (u64::from(reply_tokens) * 5 / 2).min(cap / 4),
            },
        }
    }
}

#[derive(Debug, Clone)]
pub struct Track {
    rule: Rule,
    opening: Vec<Line>,
    /// Each message of the player with what it was answered. Under `reference` a turn may have lost its beginning.
    turns: Vec<Vec<Line>>,
    /// Messages (`reference`) or turns (`strict`) that are left out.
    dropped: usize,
}

impl Track {
    /// A track that begins so.
    pub fn new(rule: Rule, opening: Vec<Line>) -> Self {
        Track { rule, opening, turns: Vec::new(), dropped: 0 }
    }

    /// The player says something: a new turn.
    pub fn said(&mut self, text: &str) {
        self.turns.push(vec![Line::text(Role::Assistant, text)]);
    }

    pub fn told(&mut self, line: Line) {
        match self.turns.last_mut() {
            Some(turn) => turn.push(line),
            None => self.opening.push(line),
        }
    }

    /// How many messages (`reference`) or turns (`strict`) are left out by now.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// What the next request shows; `last` comes after everything else.
    pub fn messages(&mut self, prompts: &Prompts, last: Option<&Line>) -> Vec<Message> {
        match self.rule {
            Rule::Never => self.all(None, 0, last),
            Rule::Reference(cap) => {
                self.shrink(cap);
                self.all(None, 0, last)
            }
            Rule::Strict { cap, reserved } => {
                let size = |lines: &[Line]| lines.iter().map(|line| line.size).sum::<u64>();
                let turns: Vec<u64> = self.turns.iter().map(|turn| size(turn)).collect();
                let marker = prompts.dropped(self.turns.len());
                let track = window::Track {
                    pinned: size(&self.opening) + last.map_or(0, |line| line.size),
                    turns: &turns,
                    marker: marker.size,
                };
                let kept = window::strict(&track, cap, reserved);
                self.dropped = kept.start;
                let marker = (kept.start > 0).then(|| prompts.dropped(kept.start));
                self.all(marker, kept.start, last)
            }
        }
    }

    /// Everything that was not left out for good.
    pub fn kept(&self) -> Vec<Message> {
        self.all(None, 0, None)
    }

    fn all(&self, marker: Option<Line>, from: usize, last: Option<&Line>) -> Vec<Message> {
        let turns = self.turns[from..].iter().flatten();
        self.opening
            .iter()
            .chain(&marker)
            .chain(turns)
            .chain(last)
            .map(|line| line.message.clone())
            .collect()
    }

    /// Leaves out for good what does not fit.
    fn shrink(&mut self, cap: u64) {
        let sized: Vec<Sized> = self
            .opening
            .iter()
            .chain(self.turns.iter().flatten())
            .map(|line| Sized {
                role: match line.message.role {
                    Role::System => window::Role::System,
                    Role::User | Role::Assistant => window::Role::Other,
                },
                size: line.size,
            })
            .collect();
        let kept = window::reference(&sized, cap);
        if kept.len() == sized.len() {
            return;
        }
        self.dropped += sized.len() - kept.len();
        let mut at = 0;
        for lines in std::iter::once(&mut self.opening).chain(&mut self.turns) {
            lines.retain(|_| {
                at += 1;
                kept.binary_search(&(at - 1)).is_ok()
            });
        }
    }
}
