//! How an episode stands, in one word: what walls sort, group and mark by.

use crate::metrics::summary::Summary;
use crate::note::TurnKind;

/// How an episode stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// Graded with the full score.
    Correct,
    /// Graded with a score in between.
    Partial,
    /// Graded with nothing.
    Wrong,
    /// A game that was played to its end; it has no score to be right or wrong by.
    Played,
    /// It ended, and nobody has graded it yet.
    Ungraded,
    /// The world failed it; resuming the run takes it up again.
    Incomplete,
    /// It is under way.
    Live,
}

impl Standing {
    /// Every standing, the best first.
    pub const ALL: [Standing; 7] = [
        Standing::Correct,
        Standing::Partial,
        Standing::Wrong,
        Standing::Played,
        Standing::Ungraded,
        Standing::Incomplete,
        Standing::Live,
    ];

    /// How an episode stands.
    pub fn of(summary: &Summary) -> Self {
        match (summary.complete, summary.score) {
            _ if summary.ending.is_none() => Standing::Live,
            (false, _) => Standing::Incomplete,
            (true, None) if is_game(summary) => Standing::Played,
            (true, None) => Standing::Ungraded,
            (true, Some(score)) if score >= 1.0 => Standing::Correct,
            (true, Some(score)) if score <= 0.0 => Standing::Wrong,
            (true, Some(_)) => Standing::Partial,
        }
    }

    /// Its word, as in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Standing::Correct => "correct",
            Standing::Partial => "partial",
            Standing::Wrong => "wrong",
            Standing::Played => "played",
            Standing::Ungraded => "ungraded",
            Standing::Incomplete => "incomplete",
            Standing::Live => "live",
        }
    }

    /// Its word for people.
    pub fn title(self) -> &'static str {
        match self {
            Standing::Correct => "Correct",
            Standing::Partial => "Partly correct",
            Standing::Wrong => "Wrong",
            Standing::Played => "Played",
            Standing::Ungraded => "Not graded",
            Standing::Incomplete => "Incomplete",
            Standing::Live => "Under way",
        }
    }

    /// The standing of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|standing| standing.name() == name)
    }

    /// The sign on its mark.
    pub fn glyph(self) -> &'static str {
        match self {
            Standing::Correct => "✓",
            Standing::Wrong => "✗",
            Standing::Partial => "~",
            Standing::Ungraded => "?",
            Standing::Played | Standing::Incomplete | Standing::Live => "",
        }
    }

    /// The classes of its mark.
    pub fn mark(self) -> &'static str {
        match self {
            Standing::Correct => "mark o-correct",
            Standing::Wrong => "mark o-wrong",
            Standing::Played => "mark o-played",
            Standing::Partial | Standing::Ungraded => "mark o-unknown",
            Standing::Incomplete => "mark o-incomplete",
            Standing::Live => "mark o-live",
        }
    }

    /// The class of its part of a meter.
    pub fn fill(self) -> &'static str {
        match self {
            Standing::Correct => "o-correct",
            Standing::Wrong => "o-wrong",
            Standing::Played => "o-played",
            Standing::Partial | Standing::Ungraded => "o-unknown",
            Standing::Incomplete => "o-incomplete",
            Standing::Live => "o-live",
        }
    }
}

/// Moves are made in games only, and games pay: nobody grades them.
fn is_game(summary: &Summary) -> bool {
    summary
        .ribbon
        .iter()
        .any(|cell| cell.kind == TurnKind::Move)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::sample::{cell, summary};

    #[test]
    fn every_episode_has_one_standing() {
        let of = |ending: Option<&str>, complete, score| {
            let mut summary = summary("1", "");
            summary.ending = ending.map(str::to_owned);
            summary.complete = complete;
            summary.score = score;
            Standing::of(&summary)
        };
        assert_eq!(of(None, false, None), Standing::Live);
        assert_eq!(of(Some("incomplete"), false, None), Standing::Incomplete);
        assert_eq!(of(Some("answered"), true, None), Standing::Ungraded);
        let mut hand = summary("1", "");
        hand.ribbon = vec![cell(1, TurnKind::Move)];
        (hand.ending, hand.complete, hand.score) = (Some("played".into()), true, None);
        assert_eq!(Standing::of(&hand), Standing::Played);
        assert_eq!(of(Some("answered"), true, Some(1.0)), Standing::Correct);
        assert_eq!(of(Some("answered"), true, Some(0.5)), Standing::Partial);
        assert_eq!(of(Some("skipped"), true, Some(0.0)), Standing::Wrong);
    }

    #[test]
    fn names_come_back() {
        for standing in Standing::ALL {
            assert_eq!(Standing::named(standing.name()), Some(standing));
        }
        assert_eq!(Standing::named("good"), None);
    }
}
