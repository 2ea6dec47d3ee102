//! A full-text index over an archive's pages, in memory: BM25, titles count four times. Its numbers come of additions, products and
//! roots alone, which every machine computes alike.

use std::collections::BTreeMap;

use super::{segment, snippet::snippet};
use crate::effect::{Hit, Page, Query};

/// How much a title counts more than the text.
const TITLE: u32 = 4;
/// How soon the same term again adds nothing.
const SATURATION: f64 = 1.2;
/// How much long pages count less.
const LENGTH: f64 = 0.75;
/// How much a page in the language of the query counts more.
const SAME_LANGUAGE: f64 = 1.2;

#[derive(Debug)]
pub struct Index {
    pages: Vec<Indexed>,
    /// By term: the pages that have it, and how often.
    terms: BTreeMap<String, Vec<(usize, u32)>>,
    mean_length: f64,
}

#[derive(Debug)]
struct Indexed {
    page: Page,
    length: f64,
}

impl Index {
    pub fn over<'a>(pages: impl Iterator<Item = &'a Page>) -> Self {
        let mut index = Index { pages: Vec::new(), terms: BTreeMap::new(), mean_length: 1.0 };
        for page in pages {
            let mut counts: BTreeMap<String, u32> = BTreeMap::new();
            for (text, weight) in [(page.title.as_deref().unwrap_or(""), TITLE), (&page.text, 1)] {
                for term in segment::terms(text) {
                    *counts.entry(term).or_default() += weight;
                }
            }
            let length: u32 = counts.values().sum();
            for (term, count) in counts {
                index.terms.entry(term).or_default().push((index.pages.len(), count));
            }
            index.pages.push(Indexed { page: page.clone(), length: f64::from(length) });
        }
        let total: f64 = index.pages.iter().map(|page| page.length).sum();
        index.mean_length = (total / index.pages.len().max(1) as f64).max(1.0);
        index
    }

    /// The best pages first; of equal ones that with the smaller address.
    pub fn find(&self, query: &Query) -> Vec<Hit> {
        let mut scores: BTreeMap<usize, f64> = BTreeMap::new();
        let mut terms = segment::terms(&query.text);
        terms.sort();
        terms.dedup();
        for found in terms.iter().filter_map(|term| self.terms.get(term)) {
            let rarity = ((self.pages.len() + 1) as f64 / found.len() as f64).sqrt() - 1.0;
            for (page, count) in found {
                let count = f64::from(*count);
                let length = self.pages[*page].length / self.mean_length;
                let damped = count + SATURATION * (1.0 - LENGTH + LENGTH * length);
                *scores.entry(*page).or_default() += rarity * count / damped;
            }
        }
        let mut best: Vec<(f64, usize)> = scores
            .into_iter()
            .map(|(page, score)| {
                let language = self.pages[page].page.language.as_deref();
                let is_same = query.locale.is_some() && language == query.locale.as_deref();
                (if is_same { score * SAME_LANGUAGE } else { score }, page)
            })
            .collect();
        best.sort_by(|(one, first), (other, second)| other.total_cmp(one).then(first.cmp(second)));
        best.truncate(usize::try_from(query.results).unwrap_or(usize::MAX));
        let hit = |(_, page): (f64, usize)| {
            let page = &self.pages[page].page;
            Hit {
                title: page.title.clone(),
                snippet: Some(snippet(&page.text, &query.text)),
                url: Some(page.url.clone()),
            }
        };
        best.into_iter().map(hit).collect()
    }
}
