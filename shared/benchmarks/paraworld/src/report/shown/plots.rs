//! Curves over calls, and coverage against right answers.

use crate::metrics::bins;
use crate::metrics::curves::{self, curve, reached_by, truncated};
use crate::report::{BINS, Run};
use turnwise_core::prelude::*;

/// Cohorts whose curves are drawn: episodes that made at least this many calls.
const COHORTS: [u32; 5] = [2, 4, 8, 16, 32];

impl Run<'_> {
    pub(in super::super) fn plots(&self) -> Vec<Plot> {
        if self.series.is_empty() {
            return Vec::new();
        }
        let all = curve(&self.series, 1);
        let longest = all.len() as u32;
        let cohorts: Vec<(String, Vec<curves::Point>)> = COHORTS
            .into_iter()
            .filter(|least| *least <= longest)
            .map(|least| {
                let points = truncated(&self.series, least);
                let n = points.first().map_or(0, |point| point.n);
                (format!("{least}+ calls (n = {n})"), points)
            })
            .collect();
        let line = |name: &str, points: &[curves::Point], y: fn(&curves::Point) -> f64| {
            let point =
                |at: &curves::Point| Point { n: Some(at.n), ..Point::at(at.k.into(), y(at)) };
            Curve::new(name, points.iter().map(point))
        };
        let by_cohort = |y: fn(&curves::Point) -> f64| {
            let all = line("all that got so far", &all, y);
            let cohorts = cohorts.iter().map(|(name, points)| line(name, points, y));
            std::iter::once(all).chain(cohorts).collect()
        };
        let plot = |title: &str, about: String, y: Column, curves: Vec<Curve>| {
            let k = Column::new("call", Unit::Count, "The number of the call, from 1.");
            Plot::new(title, about, [k, y], curves)
        };
        let same = "Each cohort has the same episodes at every point, so its curve is not bent by those that stopped.";
        let mut plots = vec![
            plot(
                "New facts at each call",
                "Facts found for the first time at the k-th call, over the episodes that made one."
                    .to_owned(),
                Column::new("new facts", Unit::Count, "Mean."),
                vec![line("all that got so far", &all, |point| point.gain)],
            ),
            plot(
                "Episodes that made so many calls",
                self.reached(),
                Column::new("episodes", Unit::Count, "How many."),
                vec![line("episodes", &all, |point| f64::from(point.n))],
            ),
            plot(
                "Coverage by calls",
                format!("Coverage after the k-th call. {same}"),
                Column::new("coverage", Unit::Fraction, "Mean."),
                by_cohort(|point| point.fcr),
            ),
            plot(
                "Precision by calls",
                format!("Hits up to the k-th call by k. {same}"),
                Column::new("hit precision", Unit::Fraction, "Mean."),
                by_cohort(|point| point.hit_precision),
            ),
        ];
        let bins = bins::by_quantile(&self.samples, BINS);
        if !bins.is_empty() {
            let points = bins
                .into_iter()
                .map(|bin| Point { n: Some(bin.n), ..Point::at(bin.fcr, bin.pass) });
            plots.push(Plot::new(
                "Coverage against right answers",
                "Episodes in bins between quantiles of coverage; equal coverages are never parted, so bins differ in size.",
                [
                    Column::new("coverage", Unit::Fraction, "Mean of the bin."),
                    Column::new("pass@1", Unit::Fraction, "Of the bin."),
                ],
                [Curve::new("bins", points)],
            ));
        }
        plots
    }

    /// How far many, some and few episodes came: the points of a curve beyond are those of fewer.
    fn reached(&self) -> String {
        let parts: Vec<String> = [200, 100, 50]
            .map(|least| (least, reached_by(&self.series, least)))
            .into_iter()
            .filter(|(_, calls)| *calls > 0)
            .map(|(least, calls)| format!("{least} made {calls} calls or more"))
            .collect();
        match parts.is_empty() {
            true => "How many episodes made the k-th call.".to_owned(),
            false => format!("Of all episodes, at least {}.", parts.join(", at least ")),
        }
    }
}
