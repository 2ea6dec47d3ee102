//! A run of poker as pages and terminals show it.

use serde_json::Value;

use super::{Run, departures};
use crate::numbers::METRICS;
use crate::stats::spread::Mean;
use crate::stats::{Over, OverTables, Standing, chart};
use turnwise_core::metrics::report::{Matrix, Ranking, RankingRow};
use turnwise_core::metrics::spread::ratio;
use turnwise_core::prelude::*;

turnwise_core::captions! { "report.toml" }

/// How many points a curve has at most: more cannot be distinguished on a screen.
const POINTS: usize = 200;

/// Positions in the order of a table, from the button.
const POSITIONS: [&str; 10] =
    ["BTN", "SB", "BB", "UTG", "UTG+1", "UTG+2", "UTG+3", "UTG+4", "HJ", "CO"];

impl Run<'_> {
    pub(super) fn ranking(&self, record: &Value) -> Ranking {
        let about = match self.standings.units {
            0 | 1 => String::new(),
            units => {
                format!("95 % intervals are taken over {} ({units}).", self.standings.over.label())
            }
        };
        let rows = self.players().iter().enumerate().map(|(at, one)| {
            let row = RankingRow::of(self.name(&one.seat), self.who(&one.seat), one.tally.hands);
            (row, &record["players"][at])
        });
        METRICS[1].ranking(about, rows)
    }

    pub(super) fn matrices(&self) -> Vec<Matrix> {
        if self.played.is_empty() {
            return Vec::new();
        }
        let mut matrices = vec![self.pairwise(), self.positions_shown()];
        matrices.extend(self.players().iter().map(|one| self.chart_shown(one)));
        matrices
    }

    /// Rates and times by table; `None` where there is one table only.
    pub(super) fn over_tables(&self) -> Option<Table> {
        /// Label, meaning, unit, and where it is read.
        const NUMBERS: [fn(&OverTables) -> Option<Mean>; 4] = [
            |one| one.vpip,
            |one| one.vpip_coded,
            |one| one.fold_rate,
            |one| one.latency_ms.map(|mean| mean.scaled(0.001)),
        ];
        let row = |one: &Standing| {
            let cells = NUMBERS.iter().flat_map(|number| {
                let mean = number(&one.over_tables);
                [mean.map(|mean| mean.mean), mean.and_then(|mean| mean.sd)]
            });
            TableRow::new(self.name(&one.seat), self.standings.tables, cells)
        };
        (self.standings.tables > 1)
            .then(|| caption("over_tables").table(self.players().iter().map(row)))
    }

    fn names(&self) -> Vec<String> {
        self.players().iter().map(|one| self.name(&one.seat)).collect()
    }

    fn pairwise(&self) -> Matrix {
        let standings = &self.standings;
        let matrix = caption("pairwise").matrix(
            Unit::Number,
            [self.names(), self.names()],
            |row, column| {
                let hands = standings.met[row][column];
                let chips = standings.won_from[row][column];
                (row != column && hands > 0)
                    .then(|| 100.0 * chips / f64::from(hands) / standings.big_blind)
            },
        );
        Matrix { centre: Some(0.0), ..matrix }
    }

    fn positions_shown(&self) -> Matrix {
        let there =
            |name: &&str| self.players().iter().any(|one| one.tally.positions.contains_key(*name));
        let positions: Vec<&str> = POSITIONS.into_iter().filter(there).collect();
        let columns = positions.iter().map(|name| (*name).to_owned()).collect();
        let matrix =
            caption("positions").matrix(Unit::Number, [self.names(), columns], |row, column| {
                let cell = self.players()[row].tally.positions.get(positions[column])?;
                Some(100.0 * self.mean(cell)? / self.standings.big_blind)
            });
        Matrix { centre: Some(0.0), ..matrix }
    }

    fn chart_shown(&self, one: &Standing) -> Matrix {
        let ranks: Vec<crate::card::Rank> = chart::ranks().collect();
        let names = || ranks.iter().map(|rank| rank.letter().to_string()).collect();
        let mut caption = caption("chart");
        caption.title.push_str(&self.name(&one.seat));
        caption.matrix(Unit::Fraction, [names(), names()], |row, column| {
            let cell = one.tally.chart.get(&chart::cell(ranks[row], ranks[column]))?;
            ratio(cell.vpip, cell.hands)
        })
    }

    pub(super) fn plots(&self) -> Vec<Plot> {
        let curves: Vec<Curve> = self.players().iter().map(|one| self.curve(one)).collect();
        if curves.iter().all(|curve| curve.points.len() < 3) {
            return Vec::new();
        }
        vec![caption("winnings").plot(curves)]
    }

    fn curve(&self, one: &Standing) -> Curve {
        let mut sums = vec![0.0];
        for played in &self.played {
            let numbers = &played.numbers;
            let place = numbers.seats.iter().position(|seat| *seat == one.seat);
            let Some(place) = place else { continue };
            for won in numbers.hands.iter().filter_map(|hand| hand.won[place]) {
                let before = sums.last().copied().unwrap_or_default();
                sums.push(before + numbers.chips(won as f64));
            }
        }
        let last = sums.len() - 1;
        let step = last.div_ceil(POINTS).max(1);
        let points = sums.iter().enumerate();
        let kept = points.filter(|(hand, _)| hand % step == 0 || *hand == last);
        Curve::new(self.name(&one.seat), kept.map(|(hand, sum)| Point::at(hand as f64, *sum)))
    }

    pub(super) fn remarks(&self) -> Vec<String> {
        let standings = &self.standings;
        let mut remarks = Vec::new();
        if self.left_out > 0 {
            remarks.push(format!(
                "{} episodes are not complete and are left out of these numbers.",
                self.left_out
            ));
        }
        if standings.incomplete_sets > 0 {
            remarks.push(format!(
                "{} deck sets lack rotations; winnings are taken without them, because the cards do not cancel there.",
                standings.incomplete_sets
            ));
        }
        match standings.over {
            Over::Nothing if !self.played.is_empty() => remarks.push(
                "There is one table, and its hands depend on each other: winnings have no interval.".to_owned(),
            ),
            Over::Hands => remarks.push(
                "There is one table, and its hands are independent: intervals are taken over hands.".to_owned(),
            ),
            Over::Tables if standings.tables < 5 => remarks.push(format!(
                "With {} tables, intervals over tables are wide; more tables, or duplicate mode, say more.",
                standings.tables
            )),
            _ => {}
        }
        remarks.extend(departures::of(self.spec));
        let unread: u32 = self.played.iter().map(|one| one.numbers.unread).sum();
        if unread > 0 {
            remarks.push(format!("{unread} records of hands cannot be read and are left out."));
        }
        remarks
    }
}
