//! Who is paid what: uncalled chips, layered pots and odd chips (specification 4.b.5, standard column).

use super::chips::Chips;
use super::record::{Place, Share};

/// A pot before it is paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// How much is in it.
    pub amount: Chips,
    /// Who can win it, in the order of places.
    pub eligible: Vec<Place>,
}

/// The uncalled chips: by how much the largest total is above the second largest.
///
/// `totals` is what each place put in during the hand; `live` says who has not folded.
pub fn uncalled(totals: &[Chips], live: &[bool]) -> Option<Share> {
    let place = (0..totals.len()).max_by_key(|place| totals[*place])?;
    let second = (0..totals.len())
        .filter(|other| *other != place)
        .map(|other| totals[other])
        .max()
        .unwrap_or_default();
    let chips = totals[place].less(second);
    (live[place] && !chips.is_zero()).then_some(Share { place, chips })
}

/// The pots, the main pot first. Uncalled chips must have been taken out of `totals` before.
///
/// Each different total of a player who has not folded ends a layer. Chips of folded hands stay in the layer in which they
/// lie; above the last layer they belong to the last pot.
pub fn layers(totals: &[Chips], live: &[bool]) -> Vec<Layer> {
    let mut ends: Vec<Chips> = (0..totals.len())
        .filter(|place| live[*place] && !totals[*place].is_zero())
        .map(|place| totals[place])
        .collect();
    ends.sort_unstable();
    ends.dedup();
    let top = totals.iter().copied().max().unwrap_or_default();
    let mut below = Chips::ZERO;
    ends.iter()
        .enumerate()
        .map(|(index, end)| {
            let is_last = index + 1 == ends.len();
            let reach = if is_last { top } else { *end };
            let amount = totals.iter().map(|total| (*total).min(reach).less(below)).sum();
            below = *end;
            let eligible =
                (0..totals.len()).filter(|place| live[*place] && totals[*place] >= *end).collect();
            Layer { amount, eligible }
        })
        .collect()
}

/// The shares of a pot: equal parts, and what cannot be shared one by one clockwise from the left of the button.
///
/// `winners` are places in ascending order, at least one, and so is what comes back.
pub fn shares(amount: Chips, winners: &[Place], button: Place, places: usize) -> Vec<Share> {
    let count = winners.len() as u64;
    let part = amount.units() / count;
    let odd = amount.units() % count;
    let from_button = |place: Place| (place + places - button - 1) % places;
    winners
        .iter()
        .map(|place| {
            let before =
                winners.iter().filter(|other| from_button(**other) < from_button(*place)).count()
                    as u64;
            Share { place: *place, chips: Chips::new(part + u64::from(before < odd)) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chips(amounts: &[u64]) -> Vec<Chips> {
        amounts.iter().map(|amount| Chips::new(*amount)).collect()
    }

    fn said(layers: &[Layer]) -> Vec<(u64, &[Place])> {
        layers.iter().map(|layer| (layer.amount.units(), layer.eligible.as_slice())).collect()
    }

    #[test]
    fn golden_side_pots() {
        let mut totals = chips(&[1000, 3000, 5000, 500]);
        let live = [true, true, true, false];
        let back = uncalled(&totals, &live).expect("nobody called all of it");
        assert_eq!((back.place, back.chips), (2, Chips::new(2000)));
        totals[2] -= back.chips;
        assert_eq!(said(&layers(&totals, &live)), [(3500, &[0, 1, 2][..]), (4000, &[1, 2])]);

        let totals = chips(&[100, 200, 200, 400, 400]);
        let live = [true, true, true, false, true];
        assert_eq!(uncalled(&totals, &live), None);
        assert_eq!(
            said(&layers(&totals, &live)),
            [(500, &[0, 1, 2, 4][..]), (400, &[1, 2, 4]), (400, &[4])]
        );
    }

    #[test]
    fn folded_chips_above_the_last_layer_join_the_last_pot() {
        let totals = chips(&[40, 100, 40]);
        let live = [true, false, true];
        assert_eq!(uncalled(&totals, &live), None);
        assert_eq!(said(&layers(&totals, &live)), [(180, &[0, 2][..])]);
    }

    #[test]
    fn golden_odd_chips() {
        let paid = |amount: u64, winners: &[Place], button: Place| -> Vec<u64> {
            shares(Chips::new(amount), winners, button, 6)
                .iter()
                .map(|share| share.chips.units())
                .collect()
        };
        assert_eq!(paid(101, &[0, 2], 0), [50, 51]);
        assert_eq!(paid(1000, &[1, 3, 5], 4), [333, 333, 334]);
        assert_eq!(paid(151, &[4, 5], 4), [75, 76]);
        assert_eq!(paid(350, &[0, 2, 3], 0), [116, 117, 117]);
        assert_eq!(paid(7, &[3], 2), [7]);
    }
}
