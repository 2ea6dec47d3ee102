//! Curves over calls, and coverage against right answers.

use super::caption;
use crate::metrics::bins;
use crate::metrics::curves::{self, curve, reached_by, truncated};
use crate::report::{BINS, Run};
use turnwise_core::metrics::report::Caption;
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
            std::iter::once(all).chain(cohorts).collect::<Vec<_>>()
        };
        let gained = line("all that got so far", &all, |point| point.gain);
        let reached = line("episodes", &all, |point| f64::from(point.n));
        let mut plots = vec![
            caption("new_facts").plot([gained]),
            Caption { about: self.reached(), ..caption("reached") }.plot([reached]),
            caption("coverage").plot(by_cohort(|point| point.fcr)),
            caption("precision").plot(by_cohort(|point| point.hit_precision)),
        ];
        let bins = bins::by_quantile(&self.samples, BINS);
        if !bins.is_empty() {
            let points = bins
                .into_iter()
                .map(|bin| Point { n: Some(bin.n), ..Point::at(bin.fcr, bin.pass) });
            plots.push(caption("bins").plot([Curve::new("bins", points)]));
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
