//! What the page has sent to its worker: each summary once, under a number.

use std::collections::HashMap;

use super::Number;
use crate::prelude::*;

/// Which summaries the worker has. They are distinguished by their address in memory: a summary that changes is a new one.
#[derive(Default)]
pub struct Sent {
    /// By the address of each, which stays its own for as long as it is held here.
    known: HashMap<*const Summary, (Number, Arc<Summary>)>,
    next: Number,
}

impl Sent {
    /// The summaries that the worker lacks, each with the number that it gets; from now on they count as sent.
    pub fn add<'a>(&mut self, wanted: &'a [Arc<Summary>]) -> Vec<(Number, &'a Summary)> {
        let mut missing = Vec::new();
        for summary in wanted {
            self.known.entry(Arc::as_ptr(summary)).or_insert_with(|| {
                let number = self.next;
                // Four thousand million summaries are more than a page can hold in its life.
                self.next = self.next.wrapping_add(1);
                missing.push((number, &**summary));
                (number, Arc::clone(summary))
            });
        }
        missing
    }

    /// Their numbers, in their order; all others are forgotten here, as the worker forgets them.
    pub fn only(&mut self, wanted: &[Arc<Summary>]) -> Vec<Number> {
        let mut kept = HashMap::with_capacity(wanted.len());
        let numbers = wanted
            .iter()
            .filter_map(|summary| {
                let at = Arc::as_ptr(summary);
                let known = self.known.remove(&at).or_else(|| kept.get(&at).cloned())?;
                let number = known.0;
                kept.insert(at, known);
                Some(number)
            })
            .collect();
        self.known = kept;
        numbers
    }
}
