//! Moves made at the same time, made ready for drawing: running totals and their curve.

use turnwise_shared::scene::Lanes;

/// What each lane has earned after each round, lane by lane.
pub fn running(lanes: &Lanes) -> Vec<Vec<i64>> {
    (0..lanes.names.len())
        .map(|lane| {
            lanes
                .rounds
                .iter()
                .scan(0_i64, |total, round| {
                    *total += round.cells.get(lane).map_or(0, |cell| cell.payoff);
                    Some(*total)
                })
                .collect()
        })
        .collect()
}

/// A payoff with its sign, e.g. `+2`, `−1`, `0`.
pub fn payoff(amount: i64) -> String {
    super::number::signed(amount as f64, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::note::Tone;
    use turnwise_shared::scene::{LaneCell, LaneRound};

    #[test]
    fn totals_run_along_each_lane() {
        let cell = |letter: &str, payoff| LaneCell {
            letter: letter.into(),
            word: "moves".into(),
            tone: Tone::Positive,
            payoff,
            forced: false,
        };
        let round =
            |round, one, other| LaneRound { round, cells: vec![cell("C", one), cell("D", other)] };
        let lanes = Lanes {
            names: vec!["A".into(), "B".into()],
            rounds: vec![round(1, 2, 2), round(2, -1, 3), round(3, 0, 0)],
            totals: vec![1, 5],
        };
        assert_eq!(running(&lanes), [vec![2, 1, 1], vec![2, 5, 5]]);
        assert_eq!([payoff(3), payoff(-1), payoff(0)], ["+3", "−1", "0"].map(String::from));
    }
}
