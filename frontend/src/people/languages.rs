//! In which languages a person is asked: until they choose, in those of the browser.

use std::collections::{BTreeMap, BTreeSet};

use leptos::prelude::window;

use crate::keep;

/// Under which the choice is kept in this browser.
const CHOSEN: &str = "turnwise.languages";

/// The languages of a run's tasks, and those in which a person is asked. All are codes (`en`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Languages {
    known: BTreeSet<String>,
    spoken: BTreeSet<String>,
    chosen: BTreeMap<String, bool>,
}

impl Languages {
    /// Those of a run's tasks, in a browser that speaks `spoken`.
    pub fn new(known: BTreeSet<String>, spoken: BTreeSet<String>) -> Self {
        Languages { known, spoken, chosen: BTreeMap::new() }
    }

    /// The same in this browser, with what was chosen in it before.
    pub fn here(known: BTreeSet<String>) -> Self {
        let chosen = keep::recall(CHOSEN).and_then(|text| serde_json::from_str(&text).ok());
        Languages { chosen: chosen.unwrap_or_default(), ..Languages::new(known, spoken()) }
    }

    /// Keeps in this browser what was chosen.
    pub fn remember(&self) {
        let text = serde_json::to_string(&self.chosen).ok();
        keep::remember(CHOSEN, text.as_deref());
    }

    /// Whether no language of a task is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Chooses whether questions in a language are asked.
    pub fn choose(&mut self, language: &str, takes: bool) {
        self.chosen.insert(language.to_owned(), takes);
    }

    /// Those of the tasks, where there is something to choose.
    pub fn offered(&self) -> impl Iterator<Item = &String> {
        let several = self.known.len() > 1;
        self.known.iter().filter(move |_| several)
    }

    /// Whether questions in a language are asked: always where there is nothing to choose. Until the person chooses, they are if
    /// the browser speaks it, or none of the tasks' languages.
    pub fn takes(&self, language: &str) -> bool {
        let speaks = |language: &str| self.spoken.contains(base(language));
        let usual = || speaks(language) || !self.known.iter().any(|one| speaks(one));
        let chosen = self.chosen.get(language).copied();
        self.known.len() < 2 || chosen.unwrap_or_else(usual)
    }
}

/// A language without its region: `en` of `en-GB`.
fn base(language: &str) -> &str {
    language.split('-').next().unwrap_or_default()
}

/// The languages that the browser names, without their regions.
fn spoken() -> BTreeSet<String> {
    let all = window().navigator().languages();
    let all = all.iter().filter_map(|one| one.as_string());
    all.map(|one| base(&one).to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_asked_in_the_languages_of_the_browser() {
        let set = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect();
        let cases = [
            // A person who speaks none of them is asked in all.
            (set(&["fr"]), (true, true)),
            (set(&["zh", "en"]), (true, true)),
            (set(&["zh"]), (false, true)),
        ];
        for (spoken, takes) in cases {
            let mut languages = Languages::new(set(&["en", "zh"]), spoken);
            assert_eq!((languages.takes("en"), languages.takes("zh")), takes);
            languages.choose("en", true);
            assert!(languages.takes("en"), "{languages:?}");
        }
        let mut one = Languages::new(set(&["en"]), set(&["zh"]));
        assert_eq!(one.offered().count(), 0, "there is nothing to choose");
        // What was chosen for another run in two languages hides nothing where no box could bring it back.
        one.choose("en", false);
        assert!(one.takes("en"));
    }
}
