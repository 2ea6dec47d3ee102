//! How an episode stands, in one word: what walls sort, group and mark by.

use crate::metrics::summary::Summary;
use crate::note::TurnKind;

crate::choices! {
    pub enum EpisodeStatus {
        /// Graded with the full score.
        Correct = "correct" => "Correct",
        /// Graded with a score in between.
        Partial = "partial" => "Partly correct",
        Wrong = "wrong" => "Wrong",
        /// A game that was played to its end; it has no score to be right or wrong by.
        Played = "played" => "Played",
        /// It ended, and is not graded yet.
        Ungraded = "ungraded" => "Not graded",
        /// The world failed it; resuming the run takes it up again.
        Incomplete = "incomplete" => "Incomplete",
        Live = "live" => "Started",
    }
}

impl EpisodeStatus {
    pub fn of(summary: &Summary) -> Self {
        match (summary.complete, summary.score) {
            _ if summary.ending.is_none() => EpisodeStatus::Live,
            (false, _) => EpisodeStatus::Incomplete,
            (true, None) if is_game(summary) => EpisodeStatus::Played,
            (true, None) => EpisodeStatus::Ungraded,
            (true, Some(score)) => EpisodeStatus::of_score(score),
        }
    }

    /// How an episode stands that was graded with this score, from 0 to 1.
    pub fn of_score(score: f64) -> Self {
        match score {
            score if score >= 1.0 => EpisodeStatus::Correct,
            score if score <= 0.0 => EpisodeStatus::Wrong,
            _ => EpisodeStatus::Partial,
        }
    }

    /// The sign on its mark.
    pub fn glyph(self) -> &'static str {
        match self {
            EpisodeStatus::Correct => "✓",
            EpisodeStatus::Wrong => "✗",
            EpisodeStatus::Partial => "~",
            EpisodeStatus::Ungraded => "?",
            EpisodeStatus::Played | EpisodeStatus::Incomplete | EpisodeStatus::Live => "",
        }
    }

    /// The classes of its mark.
    pub fn mark(self) -> &'static str {
        match self {
            EpisodeStatus::Correct => "mark o-correct",
            EpisodeStatus::Wrong => "mark o-wrong",
            EpisodeStatus::Played => "mark o-played",
            EpisodeStatus::Partial | EpisodeStatus::Ungraded => "mark o-unknown",
            EpisodeStatus::Incomplete => "mark o-incomplete",
            EpisodeStatus::Live => "mark o-live",
        }
    }

    /// The class of its part of a meter.
    pub fn fill(self) -> &'static str {
        match self {
            EpisodeStatus::Correct => "o-correct",
            EpisodeStatus::Wrong => "o-wrong",
            EpisodeStatus::Played => "o-played",
            EpisodeStatus::Partial | EpisodeStatus::Ungraded => "o-unknown",
            EpisodeStatus::Incomplete => "o-incomplete",
            EpisodeStatus::Live => "o-live",
        }
    }
}

/// Moves are made in games only, and games pay: they have no grader.
pub fn is_game(summary: &Summary) -> bool {
    summary.ribbon.iter().any(|cell| cell.kind == TurnKind::Move)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::sample::{cell, summary};

    #[test]
    fn every_episode_has_one_status() {
        let of = |ending: Option<&str>, complete, score| {
            let mut summary = summary("1", "");
            summary.ending = ending.map(str::to_owned);
            summary.complete = complete;
            summary.score = score;
            EpisodeStatus::of(&summary)
        };
        assert_eq!(of(None, false, None), EpisodeStatus::Live);
        assert_eq!(of(Some("incomplete"), false, None), EpisodeStatus::Incomplete);
        assert_eq!(of(Some("answered"), true, None), EpisodeStatus::Ungraded);
        let mut hand = summary("1", "");
        hand.ribbon = vec![cell(1, TurnKind::Move)];
        (hand.ending, hand.complete, hand.score) = (Some("played".into()), true, None);
        assert_eq!(EpisodeStatus::of(&hand), EpisodeStatus::Played);
        assert_eq!(of(Some("answered"), true, Some(1.0)), EpisodeStatus::Correct);
        assert_eq!(of(Some("answered"), true, Some(0.5)), EpisodeStatus::Partial);
        assert_eq!(of(Some("skipped"), true, Some(0.0)), EpisodeStatus::Wrong);
    }

    #[test]
    fn names_come_back() {
        for status in EpisodeStatus::ALL {
            assert_eq!(EpisodeStatus::named(status.name()), Some(status));
        }
        assert_eq!(EpisodeStatus::named("good"), None);
    }
}
