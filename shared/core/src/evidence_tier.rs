//! How far a run can be believed: one function of what stands behind its replies (ARCHITECTURE.md, rules 15 to 18).
//!
//! | question, in this order | evidence tier |
//! | --- | --- |
//! | does a person sit in a seat under evaluation, invited and with consent, all witnessed, nothing else without evidence? | human |
//! | does a person sit in a seat under evaluation otherwise? | human (unattended) |
//! | is some reply without evidence, or witnessed only, from an endpoint of the operator's, or was an answer thrown away? | self-reported |
//! | does a recording sit in a seat under evaluation? nothing tells who recorded it | self-reported |
//! | do only built-in players sit in the seats under evaluation? | baseline |
//! | is there a receipt at all? | verified |
//! | else | self-reported |
//!
//! Nothing proves that a person is a person, and no tier claims it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::seat::{Player, Seat};

crate::choices! {
    /// What stands behind one reply of a transcript (ARCHITECTURE.md, rule 15).
    pub enum Evidence {
        /// A server forwarded the call and signed what came back.
        Receipted = "receipted",
        /// A rule that everybody can compute again: bots, dice, local search over a known corpus.
        Recomputed = "recomputed",
        /// A person, at a table that the server drove: it knows the seat's ticket and the time.
        Witnessed = "witnessed",
        /// Nothing but the word of the submitter.
        None = "none",
    }
}

crate::choices! {
    /// How far a published run can be believed. Which of them a run has is said by one function,
    /// [`evidence_tier`].
    pub enum EvidenceTier {
        /// Every reply is receipted or can be computed again, the tasks are the server's own, nothing was asked twice.
        Verified = "verified",
        /// Replayed and recomputed, but some replies are backed by nothing but the word of their submitter.
        SelfReported = "self_reported",
        /// Invited people played, each in a seat of their own, at a table that the server drove.
        Human = "human",
        /// A person played; nothing shows under which circumstances. Nothing proves humanity in either case.
        HumanUnattended = "human_unattended",
        /// Only built-in players sat in the seats under evaluation.
        Baseline = "baseline",
        /// From a paper; not a run.
        Published = "published",
    }
}

/// Under which circumstances people played.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attendance {
    /// Unknown: a page asked its own user.
    #[default]
    Unattended,
    /// At a table that the server drove, each in a seat to which they were invited, and they have agreed that their play
    /// counts as that of people.
    Invited,
}

/// What stands behind a run's replies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// Who sat in the seats under evaluation.
    pub players: BTreeMap<Seat, Player>,
    /// How many replies have which evidence.
    pub evidence: BTreeMap<Evidence, u64>,
    /// Under which circumstances people played, if they did.
    pub attendance: Attendance,
    /// Receipts that name an endpoint of the operator's own.
    pub custom: u64,
    /// Answers that were thrown away: there are receipts of them, and the transcripts have others, or none.
    pub discarded: u64,
}

pub fn evidence_tier(facts: &Facts) -> EvidenceTier {
    let count = |evidence| facts.evidence.get(&evidence).copied().unwrap_or(0);
    let has_nothing = count(Evidence::None) > 0;
    let has_people = facts.players.values().any(|player| *player == Player::Person);
    if has_people {
        return match facts.attendance {
            Attendance::Invited if !has_nothing && facts.discarded == 0 => EvidenceTier::Human,
            _ => EvidenceTier::HumanUnattended,
        };
    }
    if has_nothing || count(Evidence::Witnessed) > 0 || facts.custom > 0 || facts.discarded > 0 {
        return EvidenceTier::SelfReported;
    }
    // A transcript names the player that a recording stands for, and could name any player.
    let has_recordings =
        facts.players.values().any(|player| matches!(player, Player::Recording(_)));
    if has_recordings {
        return EvidenceTier::SelfReported;
    }
    let only_bots = !facts.players.is_empty()
        && facts.players.values().all(|player| matches!(player, Player::Bot(_)));
    if only_bots {
        return EvidenceTier::Baseline;
    }
    // Of whom nothing is known, nothing is verified.
    match count(Evidence::Receipted) {
        0 => EvidenceTier::SelfReported,
        _ => EvidenceTier::Verified,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(player: &str, evidence: &[(Evidence, u64)]) -> Facts {
        Facts {
            players: BTreeMap::from([(Seat::new("player"), player.parse().expect("a player"))]),
            evidence: evidence.iter().copied().collect(),
            attendance: Attendance::Unattended,
            custom: 0,
            discarded: 0,
        }
    }

    #[test]
    fn the_whole_table() {
        use Evidence::{None, Receipted, Recomputed, Witnessed};
        let sound = [(Receipted, 9), (Recomputed, 4)];
        let model = facts("model:openai/x", &sound);
        assert_eq!(evidence_tier(&model), EvidenceTier::Verified);
        assert_eq!(evidence_tier(&facts("bot:a", &[(Recomputed, 4)])), EvidenceTier::Baseline);
        // A model that grades a bot is receipted as every other.
        assert_eq!(evidence_tier(&facts("bot:a", &sound)), EvidenceTier::Baseline);
        for (weak, why) in [
            (
                facts("model:openai/x", &[(Receipted, 9), (None, 1)]),
                "one reply has nothing behind it",
            ),
            (facts("bot:a", &[(Recomputed, 9), (None, 1)]), "so it is for bots"),
            (
                facts("model:openai/x", &[(Receipted, 9), (Witnessed, 1)]),
                "a person answers a model's questions",
            ),
            (Facts { custom: 1, ..model.clone() }, "an endpoint of the operator's"),
            (Facts { discarded: 1, ..model.clone() }, "an answer was thrown away"),
            (facts("tape:runs/a", &[(None, 3)]), "a recording"),
            (
                facts("tape:runs/a", &sound),
                "a built-in player may have been written into its place, beside a judge with receipts",
            ),
            (facts("tape:runs/a", &[(Recomputed, 4)]), "so it is where nobody was asked"),
            (facts("model:openai/x", &[]), "nobody was asked anything"),
            (facts("model:openai/x", &[(Recomputed, 3)]), "the model was asked nothing"),
        ] {
            assert_eq!(evidence_tier(&weak), EvidenceTier::SelfReported, "{why}");
        }
        let person = facts("person", &[(Witnessed, 3), (Recomputed, 1)]);
        assert_eq!(evidence_tier(&person), EvidenceTier::HumanUnattended);
        let invited = Facts { attendance: Attendance::Invited, ..person.clone() };
        assert_eq!(evidence_tier(&invited), EvidenceTier::Human);
        let with_more =
            Facts { evidence: BTreeMap::from([(Witnessed, 3), (None, 1)]), ..invited.clone() };
        assert_eq!(evidence_tier(&with_more), EvidenceTier::HumanUnattended);
        let again = Facts { discarded: 1, ..invited };
        assert_eq!(evidence_tier(&again), EvidenceTier::HumanUnattended);
    }
}
