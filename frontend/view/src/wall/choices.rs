//! By what episodes can be chosen, sorted and grouped: what is the same for all of them is no choice.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{By, Column, Columns};
use crate::causes::Cause;
use crate::episode_status::EpisodeStatus;
use crate::snapshot::{Snapshot, first_ask};
use crate::survey::Survey;

/// A label with more values is not chosen from a list; its values are found by their words.
const MOST: usize = 100;

/// What the bar above a wall offers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Choices {
    /// The labels that episodes can be chosen by, with their values.
    pub labels: BTreeMap<String, BTreeSet<String>>,
    /// The classes of faults that occurred, each with the number of episodes that had one.
    pub faults: BTreeMap<String, usize>,
    /// Why episodes are not right, each with their number.
    pub causes: BTreeMap<Cause, usize>,
    /// How many episodes stand how.
    pub outcomes: Vec<(EpisodeStatus, usize)>,
    /// By what they can be sorted and grouped.
    pub orders: Vec<By>,
}

/// The choices as they are found.
#[derive(Debug, Default)]
pub struct Choosing {
    /// As many values of each label as decide whether it is a choice.
    labels: BTreeMap<String, BTreeSet<String>>,
    faults: BTreeMap<String, usize>,
    causes: BTreeMap<Cause, usize>,
    has_asks: bool,
    has_tokens: bool,
    has_endings: bool,
    columns: Columns,
}

impl Survey for Choosing {
    type Found = Choices;

    fn look(&mut self, all: &Snapshot, place: usize) {
        let summary = &all.summaries[place];
        for (label, value) in &summary.task.labels {
            match self.labels.get_mut(label) {
                Some(values) if values.len() > MOST || values.contains(value) => {}
                Some(values) => {
                    values.insert(value.clone());
                }
                None => {
                    let values = BTreeSet::from([value.clone()]);
                    self.labels.insert(label.clone(), values);
                }
            }
        }
        if let Some(cause) = Cause::of(summary) {
            *self.causes.entry(cause).or_default() += 1;
        }
        for class in summary.faults.keys() {
            match self.faults.get_mut(class) {
                Some(episodes) => *episodes += 1,
                None => {
                    self.faults.insert(class.clone(), 1);
                }
            }
        }
        self.columns.find(summary, || None);
        self.has_asks = self.has_asks || first_ask(summary).is_some();
        self.has_tokens = self.has_tokens || summary.tokens() > 0;
        self.has_endings = self.has_endings || summary.ending != all.summaries[0].ending;
    }

    fn found(self, all: &Arc<Snapshot>) -> Choices {
        let mut orders = vec![By::Task, By::Outcome, By::Length];
        if self.has_asks {
            orders.extend([By::FirstAsk, By::Asks]);
        }
        if self.has_tokens {
            orders.push(By::Tokens);
        }
        if self.has_endings {
            orders.push(By::Ending);
        }
        let columns = [Column::Question, Column::Answer, Column::Confidence];
        let columns = columns.into_iter().filter(|one| self.columns.has(*one));
        orders.extend(columns.map(By::of_column));
        orders.extend(self.labels.keys().cloned().map(By::Label));
        let mut labels = self.labels;
        labels.retain(|_, values| (2..=MOST).contains(&values.len()));
        let counted = EpisodeStatus::ALL.map(|status| (status, all.count(status)));
        Choices {
            labels,
            faults: self.faults,
            causes: self.causes,
            outcomes: counted.into_iter().filter(|(_, count)| *count > 0).collect(),
            orders,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::screen::sample::summary;

    use crate::testing::{snapshot, surveyed};

    fn chosen(all: &Arc<Snapshot>) -> Choices {
        surveyed(Choosing::default(), all)
    }

    #[test]
    fn labels_are_choices_where_there_is_a_choice_of_some() {
        let labelled = |number: usize| {
            let mut one = summary(&number.to_string(), "=");
            let labels = [
                ("pair", number.to_string()),
                ("tier", (number % 3).to_string()),
                ("language", "en".to_owned()),
            ];
            one.task.labels = labels.map(|(name, value)| (name.to_owned(), value)).into();
            one
        };
        let all = Arc::new(snapshot((0..=MOST).map(labelled).collect()));
        let choices = chosen(&all);
        assert_eq!(choices.labels.into_keys().collect::<Vec<_>>(), ["tier"]);
        let sorted: Vec<String> = choices.orders.iter().map(By::name).collect();
        assert_eq!(
            sorted[sorted.len() - 3..],
            ["language", "pair", "tier"].map(|label| By::Label(label.to_owned()).name())
        );
        let few = Arc::new(snapshot((0..MOST).map(labelled).collect()));
        let labels = chosen(&few).labels;
        assert_eq!(labels["pair"].len(), MOST);
    }

    #[test]
    fn what_is_the_same_for_all_sorts_nothing() {
        let plain = Arc::new(snapshot(vec![summary("1", "S="), summary("2", "=")]));
        assert_eq!(
            chosen(&plain).orders,
            [By::Task, By::Outcome, By::Length],
            "nobody asks, nothing is counted, all end alike"
        );
        let mut other = summary("2", "A?=");
        other.ending = Some("limit".into());
        let all = Arc::new(snapshot(vec![summary("1", "S="), other]));
        let choices = chosen(&all);
        for by in [By::FirstAsk, By::Asks, By::Ending] {
            assert!(choices.orders.contains(&by), "{by:?}");
        }
        assert_eq!(choices.faults, BTreeMap::from([("no_object".to_owned(), 1)]));
        assert_eq!(choices.outcomes, [(EpisodeStatus::Ungraded, 2)]);
    }
}
