//! A run's numbers as screens show them.

mod plots;
mod tables;

use super::{Played, Run, ends, part_interval};
use crate::metrics::table::Row;
use crate::task::{Tier, label};
use turnwise_core::metrics::report::{Breakdown, BreakdownRow, Column, Figure, Group, Unit};
use turnwise_core::spec::Profile;

fn figure(label: &str, value: Option<f64>, unit: Unit, about: &str) -> Figure {
    Figure {
        label: label.to_owned(),
        value,
        interval: None,
        unit,
        about: about.to_owned(),
    }
}

fn share(label: &str, value: Option<f64>, about: &str) -> Figure {
    figure(label, value, Unit::Fraction, about)
}

fn column(label: &str, unit: Unit, about: &str) -> Column {
    Column {
        label: label.to_owned(),
        unit,
        about: about.to_owned(),
    }
}

impl Run<'_> {
    pub(super) fn headline(&self) -> Vec<Figure> {
        let all = &self.table.all;
        let with =
            |mut figure: Figure, interval: Option<turnwise_core::metrics::proportion::Interval>| {
                figure.interval = interval.map(ends);
                figure
            };
        let mut figures = vec![with(
            share(
                "pass@1",
                self.pass_at_1,
                "Share of answers that the judge calls correct.",
            ),
            self.intervals.pass_at_1,
        )];
        if self.repeats.deviation.is_some() {
            figures.push(share(
                "deviation over repeats",
                self.repeats.deviation,
                "Sample standard deviation of pass@1 over the repeats.",
            ));
        }
        if self.searches() {
            figures.push(with(
                share(
                    "coverage (FCR)",
                    (all.n > 0).then_some(all.fcr),
                    "Facts that were found, by all facts of the world; mean over episodes.",
                ),
                self.intervals.fcr,
            ));
            figures.push(with(
                share(
                    "hit rate",
                    all.hit_rate_macro_callers,
                    "Calls that found a fact, by all calls; mean over episodes with calls, as published.",
                ),
                self.intervals.hit_rate,
            ));
            figures.push(with(
                figure(
                    "calls",
                    (all.n > 0).then_some(all.tool_calls),
                    Unit::Count,
                    "Searches of an episode, on average.",
                ),
                self.intervals.tool_calls,
            ));
        }
        figures.push(figure(
            "episodes",
            Some(f64::from(all.n + self.unplayed)),
            Unit::Count,
            "Worlds times repeats.",
        ));
        figures.push(figure(
            "cost",
            self.cost,
            Unit::Dollars,
            "All roles; empty where a part is not known.",
        ));
        figures
    }

    pub(super) fn groups(&self) -> Vec<Group> {
        if !self.searches() {
            return vec![self.format_group()];
        }
        let (all, stops) = (&self.table.all, &self.stops);
        let any = |number: f64| (all.n > 0).then_some(number);
        let group = |title: &str, figures| Group {
            title: title.to_owned(),
            figures,
        };
        let found = self.agreement;
        let agreed =
            |part: u32| (found.compared > 0).then(|| f64::from(part) / f64::from(found.compared));
        let mut engine = vec![share(
            "engine faults",
            any(all.engine_fault_rate),
            "Replies of the engine that could not be used. Under strict they are no searches of the player's, and what only they told counts as not found.",
        )];
        if found.compared > 0 {
            engine.push(share(
                "agrees with bot:facts",
                agreed(found.same),
                "Verdicts of the engine that the rule-based engine shares, the fact of a hit included.",
            ));
            engine.push(share(
                "agrees on the class",
                agreed(found.same_class),
                "Hit, miss or compound alike, whichever fact it is.",
            ));
        }
        vec![
            group(
                "Searching",
                vec![
                    share(
                        "hit rate, zero calls as 0",
                        any(all.hit_rate_macro_zero),
                        "The mean over all episodes, 0 for those without a call.",
                    ),
                    share(
                        "hit rate, all calls",
                        all.hit_rate_micro,
                        "All hits by all calls of the run.",
                    ),
                    share(
                        "no call at all",
                        any(all.zero_calls),
                        "Share of episodes without a call.",
                    ),
                    share(
                        "compound queries",
                        any(all.compound_rate),
                        "Queries that ask for several things at once, or say too little, by all that reached the engine.",
                    ),
                    share(
                        "wrong formats",
                        any(all.format_error_rate),
                        "Calls that could not be read, by attempts.",
                    ),
                    figure(
                        "redundancy",
                        stops.redundancy,
                        Unit::Count,
                        "Calls for each fact that was found; 1 = none was in vain.",
                    ),
                ],
            ),
            self.format_group(),
            group(
                "Facts",
                vec![
                    figure(
                        "coverage, deviation",
                        any(all.fcr_sd),
                        Unit::Fraction,
                        "Sample deviation of coverage over episodes.",
                    ),
                    share(
                        "coverage of data",
                        all.fcr_data,
                        "Facts that are values; rules and scopes left out.",
                    ),
                    share(
                        "coverage of rules",
                        all.fcr_rules,
                        "Facts that are conventions or say what counts; few players search for those.",
                    ),
                ],
            ),
            group(
                "Stopping",
                vec![
                    share(
                        "coverage at the answer",
                        stops.fcr_at_answer,
                        "Mean coverage when the answer was given.",
                    ),
                    share(
                        "stopped too early",
                        stops.premature,
                        "Answers before all facts were found and before 80 % of the turns were used.",
                    ),
                    share(
                        "right without coverage",
                        stops.correct_without_coverage,
                        "Right answers with less than half of the facts: a guess or a leak.",
                    ),
                    share(
                        "wrong with full coverage",
                        stops.wrong_with_full_coverage,
                        "Wrong answers among those with all facts: what was found was not put together.",
                    ),
                ],
            ),
            group("Engine", engine),
        ]
    }

    pub(super) fn breakdowns(&self) -> Vec<Breakdown> {
        let by =
            |name: &str, parts: std::collections::BTreeMap<&str, Vec<&Played<'_>>>| Breakdown {
                by: name.to_owned(),
                rows: parts
                    .into_iter()
                    .map(|(value, played)| self.part(value, &played))
                    .collect(),
            };
        let tier = |one: &Played<'_>| one.numbers.episode.tier();
        let mut tiers = by(label::TIER, self.parts(|one| Some(tier(one).name())));
        let place = |row: &BreakdownRow| Tier::named(&row.value);
        tiers.rows.sort_by_key(place);
        vec![
            tiers,
            by(
                label::CATEGORY,
                self.parts(|one| one.label(label::CATEGORY)),
            ),
            by(
                label::LANGUAGE,
                self.parts(|one| one.label(label::LANGUAGE)),
            ),
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
                "{} of {} plays have not come to an end and are in no number here.",
                self.unplayed,
                all.n + self.unplayed
            ));
        }
        if all.incomplete > 0 {
            remarks.push(match self.spec.profile {
                Profile::Strict => format!(
                    "{} answers have no verdict: the score is incomplete until they are judged again.",
                    all.incomplete
                ),
                Profile::Reference => format!(
                    "{} answers have no verdict and count as wrong, as in the authors' code.",
                    all.incomplete
                ),
            });
        }
        if let Some((low, high)) = self.bounds() {
            remarks.push(format!(
                "pass@1 lies between {:.1} % and {:.1} %, whatever comes out of them.",
                100.0 * low,
                100.0 * high
            ));
        }
        if !self.searches() {
            remarks.push(
                "Nothing is searched in this setting, so coverage and calls say nothing."
                    .to_owned(),
            );
        }
        let over = |fcr: f64| fcr > 1.0;
        let above = self
            .episodes
            .iter()
            .filter(|one| over(one.fcr(self.spec.profile)))
            .count();
        if above > 0 {
            remarks.push(format!(
                "{above} episodes have a coverage above 1, because the authors' code counts keys that are no facts; they \
                 are left out where coverage is drawn against right answers."
            ));
        }
        remarks
    }
}
