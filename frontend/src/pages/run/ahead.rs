//! What a run has cost by its transcripts, and what the rest of it will cost if it goes on as it went, as far as prices are known;
//! with or without a cap.

use std::collections::{HashMap, HashSet};

use turnwise_shared::metrics::episode_status::EpisodeStatus;
use turnwise_shared::metrics::spending::{self, Amount};

use crate::live::RunView;
use crate::plan::caps;
use crate::prelude::*;
use crate::prices::prices;
use crate::strings::budgets as words;
use crate::view::number::rough_dollars;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Costs {
    /// What its episodes have cost so far.
    so_far: Amount,
    ahead: Ahead,
}

/// What the rest will cost.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ahead {
    Nothing,
    /// It is unknown before an episode has ended.
    NotYet,
    /// It is unknown without prices.
    Unpriced,
    /// Cheap plays end first, and few have ended: it may well be more.
    Early(spending::Ahead),
    Told(spending::Ahead),
}

/// With this many episodes that have ended it is not too early to tell, unless more are under way.
const ENOUGH: usize = 5;

/// Whether the estimate of the rest rests on too few: on less than half of the episodes that have begun, or on hardly any of all.
fn is_early(ended: usize, under_way: usize, planned: u32) -> bool {
    ended < under_way || (ended < ENOUGH && 4 * ended < planned as usize)
}

impl Costs {
    fn of(ended: &[Amount], under_way: &[Amount], planned: u32) -> Self {
        let mut so_far = Amount::default();
        for one in ended.iter().chain(under_way) {
            so_far.known += one.known;
            so_far.unknown += one.unknown;
        }
        let ahead = match spending::ahead(ended, under_way, planned) {
            Some(ahead) if is_early(ended.len(), under_way.len(), planned) => Ahead::Early(ahead),
            Some(ahead) => Ahead::Told(ahead),
            None if ended.is_empty() => Ahead::NotYet,
            None if so_far.unknown > 0 => Ahead::Unpriced,
            None => Ahead::Nothing,
        };
        Costs { so_far, ahead }
    }

    /// What it has cost; nothing where nothing is known of it.
    pub fn so_far(&self) -> Option<String> {
        let dollars = self.so_far.known.dollars();
        (dollars > 0.0).then(|| words::so_far(dollars, self.so_far.unknown == 0))
    }

    /// What the rest will cost, or why that is unknown; nothing where it costs nothing.
    pub fn ahead(&self) -> Option<String> {
        match self.ahead {
            Ahead::Nothing => None,
            Ahead::NotYet => Some(words::NOT_YET.to_owned()),
            Ahead::Unpriced => Some(words::UNPRICED.to_owned()),
            Ahead::Early(ahead) => Some(format!(
                "at least {} more, and too early to say how much",
                rough_dollars(ahead.dollars)
            )),
            Ahead::Told(ahead) => Some(words::ahead(ahead.dollars, ahead.is_all)),
        }
    }
}

/// What a run costs as long as it is not over; `None` for others, and where nothing can cost anything.
pub fn costs(view: RunView, snapshot: RwSignal<Arc<Snapshot>>) -> Memo<Option<Costs>> {
    let (book, book_again, book_of_all) = (prices(), prices(), prices());
    let can_cost = Memo::new(move |_| {
        view.info.with(|info| {
            let open = info.as_ref().filter(|info| !info.state.is_over());
            // Before the server has sent its prices it is unknown what costs nothing.
            open.is_some_and(|info| {
                book_of_all.with(|book| !book.models.is_empty() && caps::can_cost(&info.spec, book))
            })
        })
    });
    // There are many of those that have ended, and what they cost changes only when another one has.
    let ended = Memo::new(move |_| {
        let ended = snapshot.with(|all| settled(&all.ended()).len());
        can_cost.get().then_some(ended)
    });
    let known = StoredValue::new(Known::default());
    let costs = Memo::new(move |_| {
        ended.get()?;
        let (info, options) = counting(view, &book)?;
        snapshot.with_untracked(|all| {
            known.try_update_value(|known| {
                known.of(&settled(&all.ended()), &options, |one| cost(one, &info, &options))
            })
        })
    });
    Memo::new(move |_| {
        costs.and_then(|ended| {
            let (info, options) = counting(view, &book_again)?;
            let under_way: Vec<_> = snapshot.with(|all| {
                let plays = all.summaries.iter().filter(|one| !is_settled(one));
                plays.map(|one| cost(one, &info, &options)).collect()
            });
            Some(Costs::of(ended, &under_way, info.episodes))
        })
    })
}

/// Whether an episode costs nothing more: it has ended, and no grading of it is to come.
fn is_settled(summary: &Summary) -> bool {
    summary.ending.is_some() && EpisodeStatus::of(summary) != EpisodeStatus::Ungraded
}

fn settled(ended: &[Arc<Summary>]) -> Vec<Arc<Summary>> {
    let settled = ended.iter().filter(|one| is_settled(one));
    settled.cloned().collect()
}

/// What plays that have ended cost, each counted once under the same prices.
#[derive(Default)]
struct Known {
    prices: PriceBook,
    /// By where the summary lies; it is kept, so that no other can lie there.
    plays: HashMap<usize, (Arc<Summary>, Amount)>,
}

impl Known {
    /// What each of these episodes cost, in their order.
    fn of(
        &mut self,
        plays: &[Arc<Summary>],
        options: &MeasureOptions,
        cost: impl Fn(&Summary) -> Amount,
    ) -> Vec<Amount> {
        if self.prices != options.prices {
            self.prices = options.prices.clone();
            self.plays.clear();
        }
        let amounts = plays.iter().map(|play| {
            let known = self.plays.entry(Arc::as_ptr(play).addr());
            known.or_insert_with(|| (Arc::clone(play), cost(play))).1
        });
        let amounts = amounts.collect();
        // An episode that was graded since has another summary.
        if self.plays.len() > plays.len() {
            let now: HashSet<_> = plays.iter().map(|play| Arc::as_ptr(play).addr()).collect();
            self.plays.retain(|place, _| now.contains(place));
        }
        amounts
    }
}

/// By what its episodes are counted.
fn counting(
    view: RunView,
    book: &ArcRwSignal<Arc<PriceBook>>,
) -> Option<(RunInfo, MeasureOptions)> {
    let info = view.info.get_untracked()?;
    let options = MeasureOptions {
        prices: book.with(|book| PriceBook::clone(book)),
        day: Day::of(info.opened),
        ..MeasureOptions::default()
    };
    Some((info, options))
}

/// What an episode has cost so far.
fn cost(summary: &Summary, info: &RunInfo, options: &MeasureOptions) -> Amount {
    spending::of(&info.spec, [&summary.usage], options).total
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use turnwise_shared::metrics::cost::Cost;
    use turnwise_shared::screen::sample::summary;

    fn amount(cents: u64, unknown: u64) -> Amount {
        Amount { known: Cost::at(cents * 10_000, 1_000_000), unknown }
    }

    #[test]
    fn where_nothing_can_be_told_it_says_why() {
        let told = |ended: &[Amount], under_way: &[Amount]| {
            let costs = Costs::of(ended, under_way, 4);
            (costs.so_far(), costs.ahead())
        };
        let of = |text: &str| Some(text.to_owned());
        assert_eq!(told(&[], &[]), (None, of(words::NOT_YET)));
        let (so_far, ahead) = told(&[], &[amount(3, 0)]);
        assert_eq!((so_far, ahead), (of("$0.03 so far"), of(words::NOT_YET)));
        let (so_far, ahead) = told(&[amount(5, 0); 2], &[]);
        assert_eq!((so_far, ahead), (of("$0.10 so far"), of("about $0.10 more")));
        assert_eq!(told(&[amount(0, 2)], &[]), (None, of(words::UNPRICED)));
        // The first that end are the cheap ones.
        let (_, ahead) = told(&[amount(1, 0)], &[amount(1, 0); 3]);
        assert!(ahead.is_some_and(|text| text.starts_with("at least ")));
        assert_eq!(told(&[amount(0, 0)], &[]), (None, None));
    }

    #[test]
    fn a_play_is_counted_once_until_prices_change_or_it_is_graded() {
        let play = |id: &str| Arc::new(summary(id, "S="));
        let mut plays = vec![play("1"), play("2")];
        let mut options = MeasureOptions::default();
        let mut known = Known::default();
        let counted = Cell::new(0);
        let mut look = |plays: &[Arc<Summary>], options: &MeasureOptions| {
            let before = counted.get();
            let amounts = known.of(plays, options, |play| {
                counted.set(counted.get() + 1);
                amount(play.task.id.0.parse().expect("a number"), 0)
            });
            (amounts, counted.get() - before, known.plays.len())
        };
        assert_eq!(look(&plays, &options), (vec![amount(1, 0), amount(2, 0)], 2, 2));
        plays.insert(0, play("3"));
        let (amounts, fresh, _) = look(&plays, &options);
        assert_eq!((amounts[0], fresh), (amount(3, 0), 1));
        plays[1] = play("1");
        let (_, fresh, kept) = look(&plays, &options);
        assert_eq!((fresh, kept), (1, 3), "what was before its grading is let go");
        options.prices.free.push("scripted".into());
        assert_eq!(look(&plays, &options).1, 3);
    }
}
