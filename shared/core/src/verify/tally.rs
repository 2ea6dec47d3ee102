//! What was found of a run while nothing was wrong.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::effect::{Hit, Query};
use crate::evidence_tier::Evidence;
use crate::metrics::number;
use crate::wire::publishing::{Finding, FindingAbout, Place};

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
    /// Searches without a receipt: a checker that has the engine can make them again.
    pub searches: Vec<Searched>,
}

impl Tally {
    /// How often something was found.
    pub fn count(&self, about: FindingAbout) -> u64 {
        let found = self.findings.iter().filter(|finding| finding.about == about);
        found.map(|finding| finding.count).sum()
    }

    /// Adds to what was found; the first place stays.
    pub fn find(&mut self, about: FindingAbout, count: u64, place: Option<Place>) {
        if count == 0 {
            return;
        }
        match self.findings.iter_mut().find(|finding| finding.about == about) {
            Some(finding) => {
                finding.count += count;
                finding.words = words(about, finding.count);
            }
            None => self.findings.push(Finding { about, count, place, words: words(about, count) }),
        }
    }

    /// One of [`Tally::searches`] was made again and found the same.
    pub fn recompute_search(&mut self) {
        self.except(1);
        self.back(Evidence::Recomputed);
    }

    /// For a checker that cannot make [`Tally::searches`] again, where the documents are known: takes those that can be, or were,
    /// made again elsewhere out of the replies without evidence, and says how many. `published` is the evidence with which a
    /// server published the run; `is_whole` whether this tally is of the whole run, too, so that the two can be compared.
    pub fn leave_searches(
        &mut self,
        published: Option<&BTreeMap<Evidence, u64>>,
        is_whole: bool,
    ) -> u64 {
        let nothing = |evidence: &BTreeMap<Evidence, u64>| {
            evidence.get(&Evidence::None).copied().unwrap_or(0)
        };
        let all = self.searches.len() as u64;
        let left = match published.map(nothing) {
            None | Some(0) => all,
            Some(there) if is_whole => nothing(&self.evidence).saturating_sub(there).min(all),
            Some(_) => 0,
        };
        self.except(left);
        left
    }

    /// This many replies are not without evidence after all.
    fn except(&mut self, count: u64) {
        if let Some(nothing) = self.evidence.get_mut(&Evidence::None) {
            *nothing = nothing.saturating_sub(count);
        }
        self.evidence.retain(|_, count| *count > 0);
        let unreceipted = |finding: &&mut Finding| finding.about == FindingAbout::Unreceipted;
        if let Some(finding) = self.findings.iter_mut().find(unreceipted) {
            finding.count = finding.count.saturating_sub(count);
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
    pub place: Place,
    pub query: Query,
    pub hits: Vec<Hit>,
}

/// What would have to be otherwise, as an order, for a run with such a finding to have a better evidence tier; `None` where a
/// finding does not lower it.
pub fn mend(about: FindingAbout) -> Option<&'static str> {
    TEXTS[&about].mend
}

fn words(about: FindingAbout, count: u64) -> String {
    let Texts { one, several, .. } = TEXTS[&about];
    format!("{} {}.", number::count(count), if count == 1 { one } else { several })
}

#[derive(Deserialize)]
struct Texts {
    one: &'static str,
    several: &'static str,
    mend: Option<&'static str>,
}

static TEXTS: LazyLock<BTreeMap<FindingAbout, Texts>> =
    LazyLock::new(|| toml::from_str(include_str!("findings.toml")).expect("a test reads it"));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::EpisodeKey;
    use crate::task::TaskId;

    /// Of a run with 1,344 replies without evidence of which 23 are searches.
    fn tally() -> Tally {
        let mut tally = Tally::default();
        let place = Place { episode: EpisodeKey::play(&TaskId("1".to_owned()), 1), line: None };
        let searched = Searched {
            place,
            query: Query { text: "words".to_owned(), results: 5, locale: None, since: None },
            hits: Vec::new(),
        };
        tally.searches = vec![searched; 23];
        tally.evidence.insert(Evidence::None, 1344);
        tally.find(FindingAbout::Unreceipted, 1344, None);
        tally
    }

    #[test]
    fn large_counts_stand_in_thousands() {
        let tally = tally();
        assert!(
            tally.findings[0].words.starts_with("1,344 replies are"),
            "{}",
            tally.findings[0].words
        );
        let one = words(FindingAbout::Recorded, 1);
        assert_eq!(one, "1 seat speaks from a recorded run.");
    }

    #[test]
    fn every_finding_has_its_texts() {
        assert_eq!(TEXTS.len(), FindingAbout::Unseen as usize + 1);
    }

    #[test]
    fn searches_that_a_server_made_again_are_not_without_evidence() {
        let left = |published: Option<&[(Evidence, u64)]>, is_whole| {
            let mut tally = tally();
            let published = published.map(|found| found.iter().copied().collect());
            let left = tally.leave_searches(published.as_ref(), is_whole);
            let nothing = tally.evidence.get(&Evidence::None).copied();
            assert_eq!(nothing.unwrap_or(0), tally.count(FindingAbout::Unreceipted));
            assert!(!tally.evidence.contains_key(&Evidence::Recomputed));
            (left, nothing)
        };
        // Published with nothing that rests on a word: the searches were made again, all of them.
        let sound = [(Evidence::Recomputed, 90)];
        assert_eq!(left(Some(&sound), true), (23, Some(1321)));
        assert_eq!(left(Some(&sound), false), (23, Some(1321)));
        // Some other replies rest on a word there, too.
        let weak = [(Evidence::None, 1321)];
        assert_eq!(left(Some(&weak), true), (23, Some(1321)));
        // It had not the documents.
        let blind = [(Evidence::None, 1344)];
        assert_eq!(left(Some(&blind), true), (0, Some(1344)));
        // Of one episode that cannot be said.
        assert_eq!(left(Some(&weak), false), (0, Some(1344)));
        // They have not been made again yet; a checker with the documents can.
        assert_eq!(left(None, true), (23, Some(1321)));
        let mut only = tally();
        only.evidence = BTreeMap::from([(Evidence::None, 23)]);
        only.findings.clear();
        only.find(FindingAbout::Unreceipted, 23, None);
        assert_eq!(only.leave_searches(Some(&BTreeMap::new()), true), 23);
        assert!(only.evidence.is_empty() && only.findings.is_empty());
    }
}
