//! The list of runs: what is wanted of it, as its address says; and what runs are called in tabs of the browser.

use std::cmp::Ordering;

use turnwise_shared::prelude::*;

use crate::query::{decode, encode};

/// The order of the list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sort {
    /// The newest first.
    #[default]
    Newest,
    Name,
    /// The highest accuracy first; runs without one last.
    Accuracy,
    /// By state, those that go on first.
    State,
}

impl Sort {
    /// All, with the words of the form.
    pub const ALL: [(Sort, &'static str, &'static str); 4] = [
        (Sort::Newest, "newest", "Newest first"),
        (Sort::Name, "name", "Name"),
        (Sort::Accuracy, "accuracy", "Highest accuracy"),
        (Sort::State, "state", "State"),
    ];

    pub fn word(self) -> &'static str {
        Sort::ALL.iter().find(|one| one.0 == self).map_or("", |one| one.1)
    }

    /// The order of a word; the usual one if the word is unknown.
    pub fn of_word(word: &str) -> Self {
        let known = Sort::ALL.iter().find(|one| one.1 == word);
        known.map_or(Sort::default(), |one| one.0)
    }

    /// How two runs stand to each other in it.
    pub fn order(self, one: &RunInfo, other: &RunInfo) -> Ordering {
        let newest = || other.opened.cmp(&one.opened);
        let first = match self {
            Sort::Newest => Ordering::Equal,
            Sort::Name => one.title.to_lowercase().cmp(&other.title.to_lowercase()),
            Sort::Accuracy => {
                // What is not known of a run does not lift it.
                let score = |run: &RunInfo| match run.known() {
                    Some(known) => known.bounds.0,
                    None => run.accuracy.unwrap_or(-1.0),
                };
                score(other).total_cmp(&score(one))
            }
            Sort::State => place(one.state).cmp(&place(other.state)),
        };
        first.then_with(newest)
    }
}

fn place(state: RunState) -> u8 {
    match state {
        RunState::Running => 0,
        RunState::Paused | RunState::Idle => 1,
        RunState::Open => 2,
        RunState::Closed => 3,
        RunState::Cancelled => 4,
        RunState::Withdrawn => 5,
    }
}

/// What is wanted of the list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    pub filter: Filter,
    /// Only those that this browser opened.
    pub mine: bool,
    /// In which order.
    pub sort: Sort,
}

impl Wanted {
    /// What the query of an address says; unknown parts are ignored.
    pub fn read(query: &str) -> Self {
        let mut wanted = Wanted::default();
        for (key, value) in decode(query.trim_start_matches('?')) {
            let some = || Some(value.clone()).filter(|value| !value.is_empty());
            match key.as_str() {
                "q" => wanted.filter.q = value,
                "benchmark" => wanted.filter.benchmark = some(),
                "model" => wanted.filter.model = value,
                "tag" => wanted.filter.tag = some(),
                "state" => {
                    let states = RunState::ALL.into_iter();
                    wanted.filter.state = states.into_iter().find(|state| state.name() == value);
                }
                "mine" => wanted.mine = value == "1",
                "sort" => wanted.sort = Sort::of_word(&value),
                _ => {}
            }
        }
        wanted
    }

    /// The address of the list.
    pub fn address(&self) -> String {
        let mut pairs = pairs(&self.filter);
        if self.mine {
            pairs.push(("mine".to_owned(), "1".to_owned()));
        }
        if self.sort != Sort::default() {
            pairs.push(("sort".to_owned(), self.sort.word().to_owned()));
        }
        match pairs.is_empty() {
            true => "/runs".to_owned(),
            false => format!("/runs?{}", encode(&pairs)),
        }
    }
}

/// A filter as the parts of a query, of the page and of the server alike.
pub fn pairs(filter: &Filter) -> Vec<(String, String)> {
    let text = |name: &str, value: &str| {
        (!value.trim().is_empty()).then(|| (name.to_owned(), value.to_owned()))
    };
    let parts = [
        text("q", &filter.q),
        text("benchmark", filter.benchmark.as_deref().unwrap_or_default()),
        text("model", &filter.model),
        text("state", filter.state.map_or("", RunState::name)),
        text("tag", filter.tag.as_deref().unwrap_or_default()),
    ];
    parts.into_iter().flatten().collect()
}

/// The list of the runs that have a tag.
pub fn of_tag(tag: &str) -> String {
    let filter = Filter { tag: Some(tag.to_owned()), ..Filter::default() };
    let wanted = Wanted { filter, ..Wanted::default() };
    wanted.address()
}

/// What a tab of the browser calls a run: its number where it has one, its name, its benchmark.
pub fn tab_title(name: &str, accuracy: Option<f64>, benchmark: &str) -> String {
    let number = accuracy.map(|accuracy| format!("{:.0} %", accuracy * 100.0));
    let is_told = name.contains(benchmark);
    let parts = [number, Some(name.to_owned()), (!is_told).then(|| benchmark.to_owned())];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_what_is_wanted_and_comes_back() {
        let wanted = Wanted {
            filter: Filter {
                q: "slow & ünï".to_owned(),
                benchmark: Some("toy".to_owned()),
                model: "gpt".to_owned(),
                state: Some(RunState::Idle),
                tag: Some("a b".to_owned()),
            },
            mine: true,
            sort: Sort::Accuracy,
        };
        let address = wanted.address();
        let query = address.strip_prefix("/runs?").expect("a query");
        assert_eq!(Wanted::read(query), wanted);
        assert_eq!(Wanted::read(""), Wanted::default());
        assert_eq!(Wanted::default().address(), "/runs");
        assert_eq!(
            Wanted::read("?state=nonsense&sort=x&mine=yes&other=1&benchmark="),
            Wanted::default()
        );
        assert_eq!(of_tag("a,b"), "/runs?tag=a,b");
    }

    #[test]
    fn a_tab_is_told_apart_by_number_name_and_benchmark() {
        assert_eq!(tab_title("slow · full", Some(0.123), "Toy"), "12 % · slow · full · Toy");
        assert_eq!(tab_title("My Toy run", None, "Toy"), "My Toy run");
    }
}
