//! A run's numbers as screens show them.

mod plots;
mod tables;

use super::Run;
use crate::task::label;
use turnwise_core::metrics::report::Breakdown;
use turnwise_core::prelude::*;

turnwise_core::captions! { "shown/report.toml" }

impl Run<'_> {
    pub(super) fn breakdowns(&self) -> Vec<Breakdown> {
        let tiers = self.by_tier().into_iter().map(|(tier, part)| (tier.name(), self.pass(&part)));
        let by = |label: &str| {
            let parts = self.by_label(label).into_iter();
            Breakdown::of(label, parts.map(|(value, part)| (value, self.pass(&part))))
        };
        vec![Breakdown::of(label::TIER, tiers), by(label::CATEGORY), by(label::LANGUAGE)]
    }

    pub(super) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        let all = &self.table.all;
        if self.unplayed > 0 {
            remarks.push(format!(
                "{} of {} episodes have not come to an end and are in no number here.",
                self.unplayed,
                all.n + self.unplayed
            ));
        }
        if all.incomplete > 0 && self.spec.profile == Profile::Reference {
            remarks.push(format!(
                "{} answers have no verdict and count as wrong, as in the authors' code.",
                all.incomplete
            ));
        }
        if !self.searches() {
            remarks.push(
                "Nothing is searched in this setting, so coverage and calls say nothing."
                    .to_owned(),
            );
        }
        let over = |fcr: f64| fcr > 1.0;
        let above = self.episodes.iter().filter(|one| over(one.fcr(self.spec.profile))).count();
        if above > 0 {
            remarks.push(format!(
                "{above} episodes have a coverage above 1, because the authors' code counts keys that are no facts; they \
                 are left out where coverage is drawn against right answers."
            ));
        }
        remarks
    }
}
