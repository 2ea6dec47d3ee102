//! Which numbers the rows of a benchmark's boards have: those of its paper, then cost and time.

use crate::benchmarks::paraworld::task::{Tier, label};
use crate::metrics::report::{Figure, RankingRow, Report, Unit};
use crate::seat::Seat;
use crate::wire::boards::{Better, BoardColumn, Cell, Shown};
use crate::wire::budgets::dollars;
use crate::wire::publishing::{Entry, Measure};

/// Numbers of a report's headline that its table of the tiers has, too: what the headline calls them, and the table.
const IN_TIERS: [(&str, &str); 3] = [
    ("coverage (FCR)", "FCR"),
    ("hit rate", "HitRate"),
    ("calls", "calls"),
];

/// The numbers of a report part by part, where boards have columns for the parts: the tiers of Mind-ParaWorld. Labels are those
/// of the number and of the part, e.g. `pass@1, easy`. What the headline leaves out, because nothing is searched, is left out
/// here.
pub fn by_part(report: &Report) -> Vec<Figure> {
    let Some(first) = report.headline.first() else {
        return Vec::new();
    };
    let tiers = report.breakdowns.iter().filter(|one| one.by == label::TIER);
    let scores = tiers.flat_map(|tier| &tier.rows).map(|row| Figure {
        label: format!("{}, {}", first.label, row.value),
        value: row.score,
        interval: row.interval,
        unit: first.unit,
        about: first.about.clone(),
    });
    let tables = report.tables.iter().filter(|table| table.by == label::TIER);
    let others = tables.flat_map(|table| {
        IN_TIERS.iter().flat_map(|(headline, column)| {
            let figure = report.headline.iter().find(|one| one.label == *headline);
            let place = table.columns.iter().position(|one| one.label == *column);
            let found = figure.zip(place);
            found.into_iter().flat_map(|(figure, place)| {
                let tiers = table
                    .rows
                    .iter()
                    .filter(|row| Tier::named(&row.name).is_some());
                tiers.map(move |row| Figure {
                    label: format!("{}, {}", figure.label, row.name),
                    value: row.cells.get(place).copied().flatten(),
                    interval: None,
                    unit: figure.unit,
                    about: figure.about.clone(),
                })
            })
        })
    });
    scores.chain(others).collect()
}

/// Where a number of a run comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The measure with this label.
    Measure(&'static str),
    /// The number by which participants are ranked.
    Value,
    /// A further number of the ranking, by its label.
    Ranking(&'static str),
    /// What the seats under evaluation cost, in US dollars, for one pass over the tasks.
    Cost,
    /// How long one of their calls took, the middle one of all, in seconds; of a participant one of its own.
    Latency,
    /// Nothing but papers have it.
    Paper,
}

/// A column, and where it comes from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    pub(super) key: &'static str,
    label: &'static str,
    unit: Unit,
    about: &'static str,
    better: Better,
    shown: Shown,
    from: Source,
}

/// A participant of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Participant<'a> {
    /// Its row of the ranking.
    pub(super) row: &'a RankingRow,
    /// What the further numbers of the row are.
    pub(super) columns: &'a [crate::metrics::report::Column],
    /// Where it sat, where that is certain.
    pub(super) seat: Option<&'a Seat>,
}

type Short = (
    &'static str,
    &'static str,
    Unit,
    Better,
    Shown,
    Source,
    &'static str,
);

const fn column((key, label, unit, better, shown, from, about): Short) -> Column {
    Column {
        key,
        label,
        unit,
        about,
        better,
        shown,
        from,
    }
}

use Better::{Less, More, Neither};
use Shown::{First, OnWish};
use Source::{Cost, Latency, Measure as Of, Paper, Ranking, Value};
use Unit::{Chips, Count, Dollars, Fraction, Number};

const COST: Column = column((
    "cost",
    "Cost",
    Dollars,
    Less,
    First,
    Cost,
    "What the seats under evaluation cost for one pass over the tasks; of a paper what it prints.",
));

const LATENCY: Column = column((
    "latency",
    "Latency, s",
    Number,
    Less,
    First,
    Latency,
    "How long a call of the seats under evaluation took, the middle one of all; of a paper the mean.",
));

/// In games each participant has a row of its own.
const OWN_LATENCY: Column = Column {
    about: "How long a call of this participant took, the middle one of all; built-in players take no time. Of a paper the mean.",
    ..LATENCY
};

/// In games all participants sit at one table.
const TABLE_COST: Column = column((
    "cost",
    "Cost",
    Dollars,
    Less,
    OnWish,
    Cost,
    "What all participants of the run cost together.",
));

#[rustfmt::skip]
const INTERACTCOMP: &[Column] = &[
    column(("accuracy", "Accuracy", Fraction, More, First, Of("Accuracy"), "Answers that the grader accepted.")),
    column(("deviation", "Deviation", Fraction, Neither, OnWish, Of("Deviation over repeats"), "Sample deviation of the accuracies of the repeats.")),
    column(("calibration_error", "Calibration error", Fraction, Less, First, Of("Calibration error"), "How far stated confidence and accuracy lie apart, in five bins.")),
    column(("rounds", "Rounds", Count, Neither, First, Of("Rounds"), "Mean rounds used, the answer included.")),
    column(("interaction_rate", "Interaction rate", Fraction, Neither, First, Of("Interaction rate"), "The share of all rounds in which the user was asked.")),
    column(("asks", "Asks", Count, Neither, OnWish, Of("Asks"), "Mean questions put to the user in an episode.")),
    COST,
    LATENCY,
];

#[rustfmt::skip]
const PARAWORLD: &[Column] = &[
    column(("pass_at_1", "pass@1", Fraction, More, First, Of("pass@1"), "Share of answers that the judge calls correct.")),
    column(("pass_easy", "pass@1, easy", Fraction, More, First, Of("pass@1, easy"), "Over worlds with up to 5 facts.")),
    column(("pass_mid", "pass@1, mid", Fraction, More, First, Of("pass@1, mid"), "Over worlds with 6 to 10 facts.")),
    column(("pass_hard", "pass@1, hard", Fraction, More, First, Of("pass@1, hard"), "Over worlds with 11 facts or more.")),
    column(("fcr", "Coverage", Fraction, More, First, Of("coverage (FCR)"), "Facts that were found, by all facts of the world; mean over episodes.")),
    column(("hit_rate", "Hit rate", Fraction, More, First, Of("hit rate"), "Calls that found a fact, by all calls; mean over episodes with calls.")),
    column(("calls", "Calls", Count, Neither, First, Of("calls"), "Searches of an episode, on average.")),
    column(("deviation", "Deviation", Fraction, Neither, OnWish, Of("deviation over repeats"), "Sample deviation of pass@1 over the repeats.")),
    column(("fcr_easy", "Coverage, easy", Fraction, More, OnWish, Of("coverage (FCR), easy"), "Over worlds with up to 5 facts.")),
    column(("fcr_mid", "Coverage, mid", Fraction, More, OnWish, Of("coverage (FCR), mid"), "Over worlds with 6 to 10 facts.")),
    column(("fcr_hard", "Coverage, hard", Fraction, More, OnWish, Of("coverage (FCR), hard"), "Over worlds with 11 facts or more.")),
    column(("hit_easy", "Hit rate, easy", Fraction, More, OnWish, Of("hit rate, easy"), "Over worlds with up to 5 facts.")),
    column(("hit_mid", "Hit rate, mid", Fraction, More, OnWish, Of("hit rate, mid"), "Over worlds with 6 to 10 facts.")),
    column(("hit_hard", "Hit rate, hard", Fraction, More, OnWish, Of("hit rate, hard"), "Over worlds with 11 facts or more.")),
    column(("calls_easy", "Calls, easy", Count, Neither, OnWish, Of("calls, easy"), "Over worlds with up to 5 facts.")),
    column(("calls_mid", "Calls, mid", Count, Neither, OnWish, Of("calls, mid"), "Over worlds with 6 to 10 facts.")),
    column(("calls_hard", "Calls, hard", Count, Neither, OnWish, Of("calls, hard"), "Over worlds with 11 facts or more.")),
    COST,
    LATENCY,
];

#[rustfmt::skip]
const POKER: &[Column] = &[
    column(("bb100", "bb/100", Number, More, First, Value, "Big blinds won for a hundred hands.")),
    column(("per_hand", "Winnings per hand", Chips, More, First, Ranking("per hand"), "Chips, by table or deck set and then averaged.")),
    column(("corrected", "Corrected", Chips, More, First, Paper, "Winnings per hand with the uncalled part of wrongly settled hands returned: a lower bound.")),
    column(("vpip", "VPIP", Fraction, Neither, First, Ranking("VPIP"), "Hands with chips put in before the flop of one's own will; of the paper as its program counts them, which is fewer.")),
    column(("folded", "Folded", Fraction, Neither, First, Ranking("folded"), "Hands with a fold.")),
    column(("pfr", "PFR", Fraction, Neither, OnWish, Ranking("PFR"), "Hands raised before the flop.")),
    column(("wtsd", "WTSD", Fraction, Neither, OnWish, Ranking("WTSD"), "Hands shown, of hands that saw the flop.")),
    column(("adjusted", "All-in adjusted", Number, More, OnWish, Ranking("all-in adjusted"), "bb/100 where all-ins with cards to come count by what they were worth.")),
    column(("trimmed", "Trimmed", Chips, More, OnWish, Paper, "Winnings per hand over the six tables in the middle, as printed.")),
    column(("invalid", "Invalid", Count, Less, OnWish, Ranking("invalid"), "Replies that were no action.")),
    TABLE_COST,
    OWN_LATENCY,
];

#[rustfmt::skip]
const TRUST: &[Column] = &[
    column(("payoff", "Payoff per round", Number, More, First, Value, "All that was earned, by all rounds played.")),
    column(("cooperation", "Cooperation", Fraction, Neither, First, Ranking("cooperation"), "The share of rounds with cooperation.")),
    column(("betrayal", "Betrayal", Fraction, Neither, First, Ranking("betrayal"), "Defection after the other cooperated; punishment that goes on counts as well.")),
    column(("unprovoked", "Unprovoked", Fraction, Neither, First, Ranking("unprovoked"), "Defection while the other had never defected.")),
    column(("retaliation", "Retaliation", Fraction, Neither, OnWish, Ranking("retaliation"), "Defection after the other defected.")),
    column(("reciprocity", "Reciprocity", Fraction, Neither, OnWish, Ranking("reciprocity"), "Cooperation in rounds in which the other cooperates.")),
    column(("clean", "Without flagged", Number, More, OnWish, Ranking("without flagged"), "Payoff per round over matches in which every move was a player's own.")),
    TABLE_COST,
    OWN_LATENCY,
];

/// The columns of a benchmark's boards, the main one first; `None` if it has no boards.
pub(super) fn columns(benchmark: &str) -> Option<&'static [Column]> {
    match benchmark {
        "interactcomp" => Some(INTERACTCOMP),
        "paraworld" => Some(PARAWORLD),
        "poker" => Some(POKER),
        "trust" => Some(TRUST),
        _ => None,
    }
}

impl Column {
    /// As it goes out.
    pub(super) fn told(&self) -> BoardColumn {
        BoardColumn {
            key: self.key.to_owned(),
            label: self.label.to_owned(),
            unit: self.unit,
            about: self.about.to_owned(),
            better: self.better,
            shown: self.shown,
        }
    }

    /// The number of a run, or of one of its participants.
    pub(super) fn of(&self, entry: &Entry, ranked: Option<Participant<'_>>) -> Option<Cell> {
        let numbers = &entry.numbers;
        let plain = |value: f64| value.is_finite().then_some(Cell::computed(value, None));
        match self.from {
            Of(label) => numbers.measure(label).and_then(cell),
            Value => {
                let row = ranked?.row;
                let value = row.value.filter(|value| value.is_finite())?;
                Some(Cell::computed(value, row.interval))
            }
            Ranking(label) => {
                let Participant { row, columns, .. } = ranked?;
                let place = columns.iter().position(|column| column.label == label)?;
                row.cells.get(place).copied().flatten().and_then(plain)
            }
            Cost => {
                let cost = dollars(numbers.player_cost?);
                // A pass over the tasks is one play of each.
                let plays = f64::from(numbers.plays.max(1));
                let passes = (plays / f64::from(numbers.tasks.max(1))).max(1.0);
                plain(cost / passes)
            }
            Latency => {
                let latency = match ranked {
                    Some(Participant { seat, .. }) => numbers.latencies.get(seat?).copied(),
                    None => numbers.latency,
                };
                plain(latency? as f64 / 1000.0)
            }
            Paper => None,
        }
    }
}

fn cell(measure: &Measure) -> Option<Cell> {
    let value = measure.value.filter(|value| value.is_finite())?;
    Some(Cell::computed(value, measure.interval))
}
