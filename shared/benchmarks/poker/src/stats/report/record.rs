//! What `turnwise metrics --json` prints of a run of poker. Rates are fractions, winnings chips or big blinds for a hundred
//! hands as the key says.

use serde_json::{Value, json};

use super::{Run, departures};
use crate::stats::latency::Latency;
use crate::stats::{Cell, Standing, Tally};
use turnwise_core::metrics::scored::extended;
use turnwise_core::metrics::spread::ratio;

impl Run<'_> {
    pub(super) fn record(&self) -> Value {
        let standings = &self.standings;
        let players: Vec<Value> = self.players().iter().map(|one| self.player(one)).collect();
        let sum = |count: fn(&Tally) -> u32| -> u32 {
            self.players().iter().map(|one| count(&one.tally)).sum()
        };
        let (decisions, invalid) = (sum(|tally| tally.decisions), sum(|tally| tally.invalid));
        let variances = || self.players().iter().filter_map(|one| one.variance);
        let with: f64 = variances().map(|one| one.of_set_means).sum();
        let without: f64 = variances().map(|one| one.of_means_without).sum();
        let settings = self.settings();
        json!({
            "n": self.played.len(),
            "incomplete": self.left_out,
            "rankable": self.left_out == 0 && !self.played.is_empty(),
            "hands": standings.hands,
            "tables": standings.tables,
            "policy": settings.policy(self.spec.profile),
            "duplicate": settings.duplicate,
            "departures": departures::of(self.spec),
            "big_blind": standings.big_blind,
            "interval_over": standings.over,
            "interval_units": standings.units,
            "incomplete_deck_sets": standings.incomplete_sets,
            "decisions": decisions,
            "invalid": invalid,
            "invalid_rate": ratio(invalid, decisions),
            "auto_rate": ratio(sum(|tally| tally.auto), decisions),
            "variance_removed": (without > 0.0).then(|| 1.0 - with / without),
            "players": players,
            "pairwise": {
                "players": self.players().iter().map(|one| one.seat.as_str()).collect::<Vec<_>>(),
                "chips": standings.won_from,
                "hands": standings.met,
            },
        })
    }

    fn player(&self, one: &Standing) -> Value {
        let tally = &one.tally;
        let low = |interval: Option<(f64, f64)>| interval.map(|(low, _)| low);
        let high = |interval: Option<(f64, f64)>| interval.map(|(_, high)| high);
        let bb100 = one.bb100.and_then(|mean| mean.interval);
        let adjusted = one.adjusted_bb100.and_then(|mean| mean.interval);
        let by_hand = one.bb100_by_hand.and_then(|mean| mean.interval);
        let record = json!({
            "name": self.name(&one.seat),
            "seat": one.seat,
            "player": self.who(&one.seat),
            "hands": tally.hands,
            "total": one.total,
            "winnings_per_hand": one.per_hand.map(|mean| mean.mean),
            "winnings_per_hand_sd": one.per_hand.and_then(|mean| mean.sd),
            "winnings_per_hand_se": one.per_hand.and_then(|mean| mean.se),
            "bb100": one.bb100.map(|mean| mean.mean),
            "bb100_low": low(bb100),
            "bb100_high": high(bb100),
            "bb100_by_hand_low": low(by_hand),
            "bb100_by_hand_high": high(by_hand),
            "allin_adjusted_bb100": one.adjusted_bb100.map(|mean| mean.mean),
            "allin_adjusted_bb100_low": low(adjusted),
            "allin_adjusted_bb100_high": high(adjusted),
            "trimmed_winnings_per_hand": one.trimmed.map(|mean| mean.mean),
            "trimmed_winnings_per_hand_sd_population": one.trimmed.map(|mean| mean.sd_population),
            "biggest_win_mean": one.extremes.map(|extremes| extremes.win),
            "biggest_loss_mean": one.extremes.map(|extremes| extremes.loss),
            "biggest_win": one.extremes_of_run.win,
            "biggest_loss": one.extremes_of_run.loss,
            "variance": one.variance,
            "over_tables": one.over_tables,
            "latency_ms": one.latency,
            "latency_ms_per_call": self.calls.get(&one.seat).and_then(|calls| Latency::of(calls)),
            "positions": self.positions(tally),
            "chart": self.chart(tally),
        });
        extended(extended(record, rates(tally)), counts(tally))
    }

    fn positions(&self, tally: &Tally) -> Value {
        let cells = tally.positions.iter().map(|(name, cell)| {
            let bb100 = self.mean(cell).map(|mean| 100.0 * mean / self.standings.big_blind);
            (name.clone(), extended(self.cell(cell), json!({ "bb100": bb100 })))
        });
        Value::Object(cells.collect())
    }

    fn chart(&self, tally: &Tally) -> Value {
        let cells = tally.chart.iter().map(|(name, cell)| (name.clone(), self.cell(cell)));
        Value::Object(cells.collect())
    }

    fn cell(&self, cell: &Cell) -> Value {
        json!({
            "hands": cell.hands,
            "vpip": ratio(cell.vpip, cell.hands),
            "raised": ratio(cell.raised, cell.hands),
            "winnings_per_hand": self.mean(cell),
        })
    }

    /// Winnings per hand of a cell in chips.
    pub(super) fn mean(&self, cell: &Cell) -> Option<f64> {
        let numbers = &self.played.first()?.numbers;
        (cell.hands > 0).then(|| numbers.chips(cell.won as f64) / f64::from(cell.hands))
    }
}

fn rates(tally: &Tally) -> Value {
    json!({
        "vpip": tally.vpip_rate(),
        "vpip_coded": ratio(tally.vpip_coded, tally.hands),
        "pfr": ratio(tally.pfr, tally.hands),
        "three_bet": ratio(tally.three_bets, tally.three_bet_chances),
        "aggression_factor": tally.aggression_factor(),
        "aggression_frequency": tally.aggression_frequency(),
        "wtsd": ratio(tally.showdowns, tally.saw_flop),
        "wsd": ratio(tally.won_showdowns, tally.showdowns),
        "won": ratio(tally.won, tally.hands),
        "fold_rate": tally.fold_rate(),
        "fold_rate_decisions": ratio(tally.folds, tally.decisions),
    })
}

fn counts(tally: &Tally) -> Value {
    json!({
        "decisions": tally.decisions,
        "invalid": tally.invalid,
        "eased": tally.eased,
        "repaired": tally.repaired,
        "auto": tally.auto,
        "walks": tally.walks,
        "folded_hands": tally.folded,
        "folds_when_free": tally.needless_folds,
        "showdowns": tally.showdowns,
    })
}
