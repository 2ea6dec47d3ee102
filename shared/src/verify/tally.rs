//! What was found of a run while nothing was wrong.

use std::collections::BTreeMap;

use crate::effect::{Hit, Query};
use crate::wire::publishing::{Evidence, Finding, FindingAbout, Place};

/// What was found while everything agreed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    /// Transcripts that were played again to their end.
    pub replayed: u64,
    /// Transcripts of which only chain and receipts could be checked.
    pub unplayed: u64,
    /// Lines whose chain was checked.
    pub lines: u64,
    /// Of these, lines that are withheld.
    pub withheld: u64,
    /// How many replies have which evidence.
    pub evidence: BTreeMap<Evidence, u64>,
    /// What a reader must know.
    pub findings: Vec<Finding>,
    /// Searches without a receipt: whoever has the engine can make them again.
    pub searches: Vec<Searched>,
}

impl Tally {
    /// How often something was found.
    pub fn count(&self, about: FindingAbout) -> u64 {
        let found = self
            .findings
            .iter()
            .filter(|finding| finding.about == about);
        found.map(|finding| finding.count).sum()
    }

    /// Adds to what was found; the first place stays.
    pub fn find(&mut self, about: FindingAbout, count: u64, place: Option<Place>) {
        if count == 0 {
            return;
        }
        match self
            .findings
            .iter_mut()
            .find(|finding| finding.about == about)
        {
            Some(finding) => {
                finding.count += count;
                finding.words = words(about, finding.count);
            }
            None => self.findings.push(Finding {
                about,
                count,
                place,
                words: words(about, count),
            }),
        }
    }

    /// One of [`Tally::searches`] was made again and found the same.
    pub fn recompute_search(&mut self) {
        let nothing = self.evidence.entry(Evidence::None).or_default();
        *nothing = nothing.saturating_sub(1);
        if *nothing == 0 {
            self.evidence.remove(&Evidence::None);
        }
        self.back(Evidence::Recomputed);
        let unreceipted = |finding: &&mut Finding| finding.about == FindingAbout::Unreceipted;
        if let Some(finding) = self.findings.iter_mut().find(unreceipted) {
            finding.count = finding.count.saturating_sub(1);
            finding.words = words(FindingAbout::Unreceipted, finding.count);
        }
        self.findings.retain(|finding| finding.count > 0);
    }

    pub(super) fn back(&mut self, evidence: Evidence) {
        *self.evidence.entry(evidence).or_default() += 1;
    }
}

/// A search that has no receipt.
#[derive(Debug, Clone, PartialEq)]
pub struct Searched {
    /// Where its answer stands.
    pub place: Place,
    /// What was looked for.
    pub query: Query,
    /// What was found.
    pub hits: Vec<Hit>,
}

fn words(about: FindingAbout, count: u64) -> String {
    let what = match about {
        FindingAbout::Unreceipted => {
            "replies are backed by nothing but the word of whoever sent them"
        }
        FindingAbout::CustomEndpoint => {
            "replies came from an endpoint of the operator's own, not from a service at its own address"
        }
        FindingAbout::Rerolled => "answers were thrown away and asked for again",
        FindingAbout::Unused => "answers were received and stand in no transcript",
        FindingAbout::Branched => "continuations of transcripts were left and others kept",
        FindingAbout::Lost => "calls were sent again because nobody knows what came back",
        FindingAbout::Unattended => {
            "replies are a person's; nothing shows under which circumstances they were given"
        }
        FindingAbout::Invited => {
            "replies are those of invited people who agreed that they count; nothing proves that a person is a person"
        }
        FindingAbout::Taped => "seats speak from a recorded run",
        FindingAbout::Departed => {
            "replies came to a request in which a parameter was not sent as it was chosen"
        }
        FindingAbout::Withheld => "lines were withheld",
        FindingAbout::Unseen => {
            "replies were not held against a receipt's request, because a part of it is sealed"
        }
    };
    format!("{count}: {what}.")
}
