//! The numbers of a run as pages and terminals show them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{MatchGroup, Run};
use crate::lineup::Participant;
use crate::metrics::{Standing, Tally};
use crate::numbers::{COOPERATION, METRICS, PAYOFF};
use turnwise_core::metrics::report::{Matrix, Ranking, RankingRow};
use turnwise_core::prelude::*;

turnwise_core::captions! { "report.toml" }

impl Run<'_> {
    pub(super) fn report(&self) -> Report {
        let record = self.record();
        Report {
            rankings: vec![self.ranking(&record)],
            matrices: self.matrices(),
            plots: self.plots(),
            remarks: self.remarks(),
            ..Report::of(&METRICS[..1], record)
        }
    }

    fn ranking(&self, record: &Value) -> Ranking {
        let about = match self.spec.profile {
            Profile::Strict => {
                "Intervals are 95 %, from resampling repeats of pairs; both directions of a repeat stay together."
            }
            Profile::Reference => {
                "Intervals are 95 %, from resampling matches as the reference code does."
            }
        };
        let rows = self.players.iter().zip(&self.whole.standings).enumerate();
        let row = |(at, (player, standing)): (usize, (&Participant, &Standing))| {
            let row = RankingRow::of(&player.name, &player.player, standing.all.games);
            (row, &record["players"][at])
        };
        METRICS[1].ranking(about.to_owned(), rows.map(row))
    }

    fn matrices(&self) -> Vec<Matrix> {
        let names: Vec<String> = self.names().map(str::to_owned).collect();
        let payoffs = &self.settings.payoffs;
        let matrix = |name: &str, unit, take: fn(&Tally) -> Option<f64>| {
            caption(name).matrix(unit, [names.clone(), names.clone()], |row, column| {
                take(&self.between(row, column)?)
            })
        };
        let payoff = matrix("payoff", Unit::Number, Tally::score);
        let cooperation = matrix("cooperation", Unit::Fraction, Tally::cooperation);
        let centre = Some((payoffs.cc + payoffs.dd) as f64 / 2.0);
        vec![Matrix { centre, ..payoff }, cooperation, self.by_class(names)]
    }

    fn by_class(&self, rows: Vec<String>) -> Matrix {
        let standings = &self.whole.standings;
        let classes: BTreeSet<&String> =
            standings.iter().flat_map(|standing| standing.by_class.keys()).collect();
        let columns: Vec<String> = classes.into_iter().cloned().collect();
        caption("classes").matrix(Unit::Number, [rows, columns.clone()], |row, column| {
            standings[row].by_class.get(&columns[column])?.score()
        })
    }

    /// What one player did against another.
    fn between(&self, player: usize, other: usize) -> Option<Tally> {
        self.whole.pairs.iter().find_map(|pair| match pair.players {
            [first, second] if (first, second) == (player, other) => Some(pair.tallies[0]),
            [first, second] if (second, first) == (player, other) => Some(pair.tallies[1]),
            _ => None,
        })
    }

    fn plots(&self) -> Vec<Plot> {
        if self.sweep.len() < 2 {
            return Vec::new();
        }
        let curves = |take: fn(&Standing) -> Option<f64>, with_interval: bool| {
            let names = self.names().enumerate();
            let curve =
                |(at, name): (usize, &str)| Curve::new(name, self.points(at, take, with_interval));
            names.map(curve).collect::<Vec<_>>()
        };
        let plot = |name: &str, of: &Metric, curves: Vec<Curve>| {
            let mut caption = caption(name);
            caption.columns.push(of.column());
            caption.plot(curves)
        };
        let payoffs = curves(|standing| standing.all.score(), true);
        let cooperation = curves(|standing| standing.all.cooperation(), false);
        vec![
            plot("payoff_over_delta", &PAYOFF, payoffs),
            plot("cooperation_over_delta", &COOPERATION, cooperation),
        ]
    }

    fn points(
        &self,
        player: usize,
        take: fn(&Standing) -> Option<f64>,
        with_interval: bool,
    ) -> Vec<Point> {
        let point = |(delta, part): &(f64, MatchGroup)| {
            let standing = part.standings.get(player)?;
            let interval = standing.interval.filter(|_| with_interval);
            Some(Point { interval, ..Point::at(*delta, take(standing)?) })
        };
        let mut points: Vec<Point> = self.sweep.iter().filter_map(point).collect();
        points.sort_by(|one, two| one.x.total_cmp(&two.x));
        points
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.incomplete > 0 {
            remarks.push(format!(
                "{} matches are incomplete and not counted; the run is not ranked before they are taken up.",
                self.incomplete
            ));
        }
        if self.flagged > 0 {
            remarks.push(format!(
                "In {} matches {} moves were the declared fallback, because no reply could be read as a move; the ranking shows scores with and without these matches.",
                self.flagged, self.fallbacks
            ));
        }
        if !self.settings.payoffs.is_dilemma() {
            remarks.push("The payoffs are not those of a Prisoner's Dilemma.".to_owned());
        }
        if self.settings.delta.0.len() > 1 {
            remarks.push(
                "The ranking is over all values of δ together; the curves take them apart."
                    .to_owned(),
            );
        }
        remarks
    }
}
