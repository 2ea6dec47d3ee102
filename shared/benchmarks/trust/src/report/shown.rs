//! The numbers of a run as pages and terminals show them.

use std::collections::BTreeSet;

use super::{Part, Run};
use crate::metrics::{Standing, Tally};
use turnwise_core::metrics::report::{
    Column, Curve, Figure, Matrix, Plot, Point, Ranking, RankingRow, Report, Unit,
};
use turnwise_core::spec::Profile;

const SCORE: (&str, &str) = (
    "payoff per round",
    "all that was earned, divided by all rounds played",
);

/// A further number of the ranking: label, unit, meaning, and how it is taken.
type Further = (
    &'static str,
    Unit,
    &'static str,
    fn(&Standing) -> Option<f64>,
);

const FURTHER: [Further; 7] = [
    (
        "cooperation",
        Unit::Fraction,
        "the share of rounds with cooperation",
        |standing| standing.all.cooperation(),
    ),
    (
        "betrayal",
        Unit::Fraction,
        "defection after the other cooperated; punishment that goes on counts as well",
        |standing| standing.all.betrayal(),
    ),
    (
        "unprovoked",
        Unit::Fraction,
        "defection while the other had never defected",
        |standing| standing.all.unprovoked_defection(),
    ),
    (
        "retaliation",
        Unit::Fraction,
        "defection after the other defected",
        |standing| standing.all.retaliation(),
    ),
    (
        "reciprocity",
        Unit::Fraction,
        "cooperation in rounds in which the other cooperates",
        |standing| standing.all.reciprocity(),
    ),
    (
        "without flagged",
        Unit::Number,
        "payoff per round over matches in which every move was a player's own",
        |standing| standing.clean.score(),
    ),
    (
        "by match",
        Unit::Number,
        "payoff per round, match by match and then averaged: long matches count no more than short ones",
        |standing| standing.mean_by_match,
    ),
];

impl Run<'_> {
    /// The report.
    pub(super) fn report(&self) -> Report {
        Report {
            headline: self.headline(),
            rankings: vec![self.ranking()],
            matrices: self.matrices(),
            plots: self.plots(),
            remarks: self.remarks(),
            record: self.record(),
            ..Report::default()
        }
    }

    fn headline(&self) -> Vec<Figure> {
        let mut all = Tally::default();
        for game in &self.whole.games {
            all.add(game, 0);
            all.add(game, 1);
        }
        let figure = |label: &str, value: Option<f64>, unit: Unit, about: &str| Figure {
            label: label.to_owned(),
            value,
            interval: None,
            unit,
            about: about.to_owned(),
        };
        let games = self.whole.games.len();
        let rounds = f64::from(all.rounds) / 2.0;
        vec![
            figure(
                "Matches",
                Some(games as f64),
                Unit::Count,
                "matches that were played to their end",
            ),
            figure(
                "Rounds a match",
                (games > 0).then(|| rounds / games as f64),
                Unit::Number,
                "the mean length of a match",
            ),
            figure(
                "Cooperation",
                all.cooperation(),
                Unit::Fraction,
                "the share of moves that were cooperation, over everybody",
            ),
            figure(
                "Payoff per round",
                all.score(),
                Unit::Number,
                "what a player earned in a round, over everybody",
            ),
        ]
    }

    fn ranking(&self) -> Ranking {
        let mut rows: Vec<RankingRow> = self
            .players
            .iter()
            .zip(&self.whole.standings)
            .map(|(player, standing)| RankingRow {
                name: player.name.clone(),
                who: player.player.to_string(),
                n: standing.all.games,
                value: standing.all.score(),
                interval: standing.interval,
                cells: FURTHER
                    .iter()
                    .map(|(_, _, _, take)| take(standing))
                    .collect(),
            })
            .collect();
        // Best first; equal ones in the order of the lineup, those without a number last.
        rows.sort_by(|one, two| {
            let value = |row: &RankingRow| row.value.unwrap_or(f64::NEG_INFINITY);
            value(two).total_cmp(&value(one))
        });
        Ranking {
            title: "Players".to_owned(),
            about: match self.spec.profile {
                Profile::Strict => {
                    "Intervals are 95 %, from resampling repeats of pairs; both directions of a repeat stay together."
                }
                Profile::Reference => "Intervals are 95 %, from resampling matches as the reference code does.",
            }
            .to_owned(),
            value: column(SCORE.0, Unit::Number, SCORE.1),
            columns: FURTHER
                .iter()
                .map(|(label, unit, about, _)| column(label, *unit, about))
                .collect(),
            rows,
        }
    }

    fn matrices(&self) -> Vec<Matrix> {
        let names: Vec<String> = self.names().map(str::to_owned).collect();
        let payoffs = &self.settings.payoffs;
        let matrix =
            |title: &str, about: &str, unit, centre, take: fn(&Tally) -> Option<f64>| Matrix {
                title: title.to_owned(),
                about: about.to_owned(),
                unit,
                rows: names.clone(),
                columns: names.clone(),
                cells: (0..names.len())
                    .map(|row| {
                        (0..names.len())
                            .map(|column| take(&self.between(row, column)?))
                            .collect()
                    })
                    .collect(),
                centre,
            };
        vec![
            matrix(
                "Payoff per round, pair by pair",
                "What the player of the row earned against the player of the column.",
                Unit::Number,
                Some((payoffs.cc + payoffs.dd) as f64 / 2.0),
                Tally::score,
            ),
            matrix(
                "Cooperation, pair by pair",
                "How often the player of the row cooperated with the player of the column.",
                Unit::Fraction,
                None,
                Tally::cooperation,
            ),
            self.by_class(names.clone()),
        ]
    }

    fn by_class(&self, rows: Vec<String>) -> Matrix {
        let classes: BTreeSet<&String> = self
            .whole
            .standings
            .iter()
            .flat_map(|standing| standing.by_class.keys())
            .collect();
        Matrix {
            title: "Payoff per round by class of opponents".to_owned(),
            about: "A score depends on who else is in the pool; this takes it apart.".to_owned(),
            unit: Unit::Number,
            rows,
            columns: classes.iter().map(|class| (*class).clone()).collect(),
            cells: self
                .whole
                .standings
                .iter()
                .map(|standing| {
                    classes
                        .iter()
                        .map(|class| standing.by_class.get(*class)?.score())
                        .collect()
                })
                .collect(),
            centre: None,
        }
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
            self.names()
                .enumerate()
                .map(|(player, name)| Curve {
                    name: name.to_owned(),
                    points: self.points(player, take, with_interval),
                })
                .collect()
        };
        let x = column(
            "δ",
            Unit::Number,
            "the probability that a match goes on after a round",
        );
        vec![
            Plot {
                title: "Payoff per round over δ".to_owned(),
                about:
                    "The longer the shadow of the future, the more a lasting cooperation is worth."
                        .to_owned(),
                x: x.clone(),
                y: column(SCORE.0, Unit::Number, SCORE.1),
                curves: curves(|standing| standing.all.score(), true),
            },
            Plot {
                title: "Cooperation over δ".to_owned(),
                about: "How often each player cooperated at each δ.".to_owned(),
                x,
                y: column(FURTHER[0].0, FURTHER[0].1, FURTHER[0].2),
                curves: curves(|standing| standing.all.cooperation(), false),
            },
        ]
    }

    fn points(
        &self,
        player: usize,
        take: fn(&Standing) -> Option<f64>,
        with_interval: bool,
    ) -> Vec<Point> {
        let mut points: Vec<Point> = self
            .sweep
            .iter()
            .filter_map(|(delta, Part { standings, .. })| {
                let standing = standings.get(player)?;
                Some(Point {
                    x: *delta,
                    y: take(standing)?,
                    interval: standing.interval.filter(|_| with_interval),
                    n: None,
                })
            })
            .collect();
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

fn column(label: &str, unit: Unit, about: &str) -> Column {
    Column {
        label: label.to_owned(),
        unit,
        about: about.to_owned(),
    }
}
