//! Ratings of players who met in several runs with different others: by how much more one wins than the average of all.
//!
//! What a player won in a meeting is taken as own strength plus a level of that meeting plus chance. The level is left open,
//! so it does not matter whether what one wins another loses, or both can gain together, nor who else was
//! there. Strengths are those that fit best by weighted least squares, the weight being one over the variance of a
//! result; in a meeting of k it is k / (k - 1) times that, because what one wins others lose. Only who met, over however many
//! others, can be compared: ratings are those of the largest such group, and add up to zero.

use super::HALF_95;
use super::places::Known;

/// The most players that are rated at once.
pub const MOST: usize = 200;

/// What one player won in a meeting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Won {
    pub player: usize,
    pub value: f64,
    /// With which standard error; finite.
    pub error: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// By how much more it wins than the average of the group.
    pub value: f64,
    pub error: f64,
}

impl Rating {
    /// Its 95 % interval.
    pub fn interval(&self) -> (f64, f64) {
        let half = HALF_95 * self.error;
        (self.value - half, self.value + half)
    }

    /// As a number that can have a place.
    pub fn known(&self) -> Known {
        Known { value: self.value, error: self.error }
    }
}

/// Players by their ratings. These depend on each other, and not only because they add up to zero: who met is known better
/// against each other than against the rest.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    players: Vec<Option<Rating>>,
    /// Where each player stands in the group that is rated.
    place: Vec<usize>,
    covariance: Vec<Vec<f64>>,
}

impl Ratings {
    /// The rating of a player; `None` for those who met no member of the largest group.
    pub fn of(&self, player: usize) -> Option<Rating> {
        self.players.get(player).copied().flatten()
    }

    /// The variance of the difference of two players' ratings; infinite if one of them has none.
    pub fn variance_of_difference(&self, one: usize, other: usize) -> f64 {
        let place = |player: usize| self.of(player).map(|_| self.place[player]);
        match (place(one), place(other)) {
            (Some(one), Some(other)) => {
                let of = |row: usize, column: usize| self.covariance[row][column];
                (of(one, one) + of(other, other) - 2.0 * of(one, other)).max(0.0)
            }
            _ => f64::INFINITY,
        }
    }

    fn none(players: usize) -> Self {
        Ratings { players: vec![None; players], place: Vec::new(), covariance: Vec::new() }
    }
}

/// The ratings of this many players. There are none at all if there are more than [`MOST`].
pub fn ratings(players: usize, meetings: &[Vec<Won>]) -> Ratings {
    let meetings: Vec<Vec<Won>> = meetings
        .iter()
        .map(|meeting| {
            let sound =
                |won: &&Won| won.player < players && won.value.is_finite() && won.error.is_finite();
            meeting.iter().filter(sound).copied().collect::<Vec<_>>()
        })
        .filter(|meeting| meeting.len() > 1)
        .collect();
    let group = largest_group(players, &meetings);
    if group.len() < 2 || players > MOST {
        return Ratings::none(players);
    }
    // Where each player stands in the group.
    let mut place = vec![usize::MAX; players];
    for (at, player) in group.iter().enumerate() {
        place[*player] = at;
    }
    let floor = least_error(&meetings);
    let n = group.len();
    let mut normal = vec![vec![0.0; n]; n];
    let mut right = vec![0.0; n];
    for meeting in meetings.iter().filter(|meeting| place[meeting[0].player] != usize::MAX) {
        let k = meeting.len() as f64;
        let weight = |won: &Won| (k - 1.0) / k / won.error.max(floor).powi(2);
        let sum: f64 = meeting.iter().map(weight).sum();
        let level = meeting.iter().map(|won| weight(won) * won.value).sum::<f64>() / sum;
        for one in meeting {
            let (row, own) = (place[one.player], weight(one));
            right[row] += own * (one.value - level);
            normal[row][row] += own;
            for other in meeting {
                normal[row][place[other.player]] -= own * weight(other) / sum;
            }
        }
    }
    let Some(inverse) = inverse_over_sums_of_zero(normal) else {
        return Ratings::none(players);
    };
    let mut rated = vec![None; players];
    for (row, player) in group.iter().enumerate() {
        let value: f64 = inverse[row].iter().zip(&right).map(|(one, b)| one * b).sum();
        rated[*player] = Some(Rating { value, error: inverse[row][row].max(0.0).sqrt() });
    }
    Ratings { players: rated, place, covariance: inverse }
}

/// The smallest error that counts: a hundredth of the middle one, so that a result without chance does not outweigh all.
fn least_error(meetings: &[Vec<Won>]) -> f64 {
    let mut errors: Vec<f64> =
        meetings.iter().flatten().map(|won| won.error).filter(|error| *error > 0.0).collect();
    errors.sort_by(f64::total_cmp);
    errors.get(errors.len() / 2).map_or(1.0, |error| error / 100.0)
}

/// The largest set of players of whom each met another one of it; of equally large ones that of the first player.
fn largest_group(players: usize, meetings: &[Vec<Won>]) -> Vec<usize> {
    let mut leader: Vec<usize> = (0..players).collect();
    fn head(leader: &mut [usize], mut at: usize) -> usize {
        while leader[at] != at {
            leader[at] = leader[leader[at]];
            at = leader[at];
        }
        at
    }
    for meeting in meetings {
        for pair in meeting.windows(2) {
            let (one, other) =
                (head(&mut leader, pair[0].player), head(&mut leader, pair[1].player));
            let (low, high) = (one.min(other), one.max(other));
            leader[high] = low;
        }
    }
    let mut groups: std::collections::BTreeMap<usize, Vec<usize>> = Default::default();
    for player in 0..players {
        groups.entry(head(&mut leader, player)).or_default().push(player);
    }
    let mut best: Vec<usize> = Vec::new();
    for group in groups.into_values() {
        if group.len() > best.len() {
            best = group;
        }
    }
    best
}

/// The inverse of a matrix whose rows add up to zero, among vectors that add up to zero: by adding a constant, inverting, and
/// taking it away again. `None` if it has no such inverse.
fn inverse_over_sums_of_zero(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let scale = (0..n).map(|at| matrix[at][at]).sum::<f64>() / n as f64;
    for number in matrix.iter_mut().flatten() {
        *number += scale / n as f64;
    }
    let mut inverse: Vec<Vec<f64>> = (0..n)
        .map(|row| (0..n).map(|column| f64::from(u8::from(row == column))).collect())
        .collect();
    for step in 0..n {
        let pivot = (step..n)
            .max_by(|one, other| matrix[*one][step].abs().total_cmp(&matrix[*other][step].abs()))?;
        if matrix[pivot][step].abs() < 1e-12 * scale {
            return None;
        }
        matrix.swap(step, pivot);
        inverse.swap(step, pivot);
        let factor = 1.0 / matrix[step][step];
        for row in [&mut matrix[step], &mut inverse[step]] {
            row.iter_mut().for_each(|number| *number *= factor);
        }
        let (lead, lead_inverse) = (matrix[step].clone(), inverse[step].clone());
        for row in (0..n).filter(|row| *row != step) {
            let factor = matrix[row][step];
            if factor != 0.0 {
                let rows = matrix[row].iter_mut().zip(&lead);
                rows.for_each(|(number, lead)| *number -= factor * lead);
                let rows = inverse[row].iter_mut().zip(&lead_inverse);
                rows.for_each(|(number, lead)| *number -= factor * lead);
            }
        }
    }
    for number in inverse.iter_mut().flatten() {
        *number -= 1.0 / (scale * n as f64);
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meeting(results: &[(usize, f64, f64)]) -> Vec<Won> {
        results
            .iter()
            .map(|(player, value, error)| Won { player: *player, value: *value, error: *error })
            .collect()
    }

    fn near(one: f64, other: f64) {
        assert!((one - other).abs() < 1e-9, "{one} {other}");
    }

    /// Two players, heads up: one wins 10 with an error of 3, and the other loses as much. The difference is 20, its error
    /// twice that of one result, 6; each rating is half of it.
    #[test]
    fn heads_up_by_hand() {
        let rated = ratings(2, &[meeting(&[(0, 10.0, 3.0), (1, -10.0, 3.0)])]);
        let first = rated.of(0).expect("both met");
        near(first.value, 10.0);
        near(rated.of(1).expect("both met").value, -10.0);
        near(first.error, 3.0);
        let (low, high) = first.interval();
        near(high - low, 2.0 * HALF_95 * 3.0);
        near(rated.variance_of_difference(0, 1), 36.0);
    }

    /// A beats B by 10, B beats C by 4: A and C never met, and lie 14 apart. The level of a meeting does not matter.
    #[test]
    fn who_never_met_is_compared_over_others() {
        let rated = ratings(
            4,
            &[
                meeting(&[(0, 5.0, 1.0), (1, -5.0, 1.0)]),
                meeting(&[(1, 102.0, 1.0), (2, 98.0, 1.0)]),
            ],
        );
        let value = |at: usize| rated.of(at).expect("the first three met").value;
        near(value(0) - value(2), 14.0);
        near(value(0) + value(1) + value(2), 0.0);
        assert_eq!(rated.of(3), None);
        // Who is further from the middle of what is known is known less well.
        let error = |at: usize| rated.of(at).expect("the first three met").error;
        assert!(error(0) > error(1));
    }

    /// A and B met, each with an error of 2: they are 4 apart in error. That C, who met only B, is known badly makes all
    /// three ratings uncertain, and says nothing of A against B.
    #[test]
    fn a_third_who_is_known_badly_does_not_blur_the_other_two() {
        let rated = ratings(
            3,
            &[
                meeting(&[(0, 20.0, 2.0), (1, -20.0, 2.0)]),
                meeting(&[(1, 0.0, 40.0), (2, 0.0, 40.0)]),
            ],
        );
        near(rated.variance_of_difference(0, 1), 16.0);
        near(rated.variance_of_difference(1, 2), 6400.0);
        near(rated.variance_of_difference(0, 2), 6416.0);
        let error = |at: usize| rated.of(at).expect("all met").error;
        assert!(error(0).hypot(error(1)) > 37.0);
    }

    #[test]
    fn only_the_largest_group_is_rated() {
        let rated = ratings(
            5,
            &[
                meeting(&[(0, 1.0, 1.0), (1, -1.0, 1.0)]),
                meeting(&[(2, 1.0, 1.0), (3, 0.0, 1.0), (4, -1.0, 1.0)]),
            ],
        );
        assert_eq!(rated.of(0), None);
        near(rated.of(2).expect("it is of the largest group").value, 1.0);
    }

    /// Twice the hands, once as long: the same as one meeting with the mean and a smaller error.
    #[test]
    fn more_of_the_same_narrows_the_interval() {
        let one = meeting(&[(0, 8.0, 2.0), (1, -8.0, 2.0)]);
        let two = meeting(&[(0, 4.0, 2.0), (1, -4.0, 2.0)]);
        let rated = ratings(2, &[one, two]);
        let first = rated.of(0).expect("both met");
        near(first.value, 6.0);
        near(first.error, 2.0 / 2.0_f64.sqrt());
    }

    #[test]
    fn odd_results_do_no_harm() {
        assert_eq!(ratings(0, &[]).players, []);
        let alone = ratings(2, &[meeting(&[(0, 1.0, 1.0)])]);
        assert_eq!(alone.players, [None, None]);
        assert_eq!(alone.variance_of_difference(0, 1), f64::INFINITY);
        let broken = meeting(&[(0, f64::NAN, 1.0), (1, 1.0, f64::INFINITY), (7, 1.0, 1.0)]);
        assert_eq!(ratings(2, &[broken]).players, [None, None]);
        let exact = ratings(2, &[meeting(&[(0, 1.0, 0.0), (1, 0.0, 0.0)])]);
        near(exact.of(0).expect("both met").value, 0.5);
        let many = meeting(&[(0, 1.0, 1.0), (1, 0.0, 1.0)]);
        assert!(ratings(MOST + 1, &[many]).players.iter().all(Option::is_none));
    }
}
