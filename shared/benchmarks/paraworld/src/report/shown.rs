//! A run's numbers as screens show them.

mod plots;
mod tables;

use serde_json::Value;

use super::{Played, Run, ends, part_interval};
use crate::metrics::table::Row;
use crate::numbers::{
    AGREEMENT, AGREEMENT_ON_CLASS, BY_TIER, CALLS, DEVIATION, FCR, HIT_RATE, METRICS,
};
use crate::task::{Tier, label};
use turnwise_core::metrics::format;
use turnwise_core::metrics::report::{Breakdown, BreakdownRow, Figure, Group};
use turnwise_core::spec::Profile;

impl Run<'_> {
    /// The headline and the groups; without what says nothing where nothing is searched, and what could not be taken at all.
    pub(super) fn figures(&self, record: &Value) -> (Vec<Figure>, Vec<Group>) {
        let mut headline = METRICS[0].figures(record);
        let mut groups: Vec<Group> = METRICS[1..]
            .iter()
            .filter(|section| **section != BY_TIER)
            .map(|section| section.group(record))
            .collect();
        if !self.searches() {
            let of_search = [FCR.key, HIT_RATE.key, CALLS.key];
            headline.retain(|figure| !of_search.contains(&figure.key.as_str()));
            groups.retain(|group| group.title == format::SECTION.title);
        }
        let optional = [DEVIATION.key, AGREEMENT.key, AGREEMENT_ON_CLASS.key];
        let is_shown =
            |figure: &Figure| figure.value.is_some() || !optional.contains(&figure.key.as_str());
        headline.retain(is_shown);
        for group in &mut groups {
            group.figures.retain(is_shown);
        }
        (headline, groups)
    }

    pub(super) fn breakdowns(&self) -> Vec<Breakdown> {
        let by =
            |name: &str, parts: std::collections::BTreeMap<&str, Vec<&Played<'_>>>| Breakdown {
                by: name.to_owned(),
                rows: parts.into_iter().map(|(value, played)| self.part(value, &played)).collect(),
            };
        let tier = |one: &Played<'_>| one.numbers.episode.tier();
        let mut tiers = by(label::TIER, self.parts(|one| Some(tier(one).name())));
        let place = |row: &BreakdownRow| Tier::named(&row.value);
        tiers.rows.sort_by_key(place);
        vec![
            tiers,
            by(label::CATEGORY, self.parts(|one| one.label(label::CATEGORY))),
            by(label::LANGUAGE, self.parts(|one| one.label(label::LANGUAGE))),
        ]
    }

    fn part(&self, value: &str, played: &[&Played<'_>]) -> BreakdownRow {
        let profile = self.spec.profile;
        let row = Row::of(played.iter().map(|one| &one.numbers.episode), profile);
        BreakdownRow {
            value: value.to_owned(),
            n: match profile {
                Profile::Strict => row.n - row.incomplete,
                Profile::Reference => row.n,
            },
            score: row.pass_at_1,
            interval: part_interval(played, profile).map(ends),
        }
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
