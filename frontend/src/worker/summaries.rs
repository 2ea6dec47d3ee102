//! What the worker has, and what it makes of it.

use super::{Answer, Count, Number, Order};
use crate::prelude::*;

/// The summaries that the page has sent.
#[derive(Debug, Default)]
pub(super) struct Summaries {
    kept: BTreeMap<Number, Summary>,
}

impl Summaries {
    /// Carries out an order; `None` where it needs no answer.
    pub(super) fn carry_out(&mut self, order: Order<Summary>) -> Option<Answer> {
        match order {
            Order::Keep(summaries) => {
                self.kept.extend(summaries);
                None
            }
            Order::Count(count) => Some(self.count(*count)),
        }
    }

    fn count(&mut self, count: Count) -> Answer {
        let wanted: BTreeSet<Number> = count.over.iter().copied().collect();
        self.kept.retain(|number, _| wanted.contains(number));
        let over: Vec<&Summary> =
            count.over.iter().filter_map(|number| self.kept.get(number)).collect();
        if over.len() < count.over.len() {
            // Numbers over some of the episodes would be wrong without looking so.
            return Answer::Useless;
        }
        let benchmark = registry::find(&count.spec.benchmark).ok();
        let report = benchmark
            .filter(|_| !over.is_empty())
            .map(|benchmark| Box::new(benchmark.report(&count.spec, &over, &count.options)));
        Answer::Counted { ticket: count.ticket, report }
    }
}
