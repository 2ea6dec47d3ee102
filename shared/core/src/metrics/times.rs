//! How long seats took. Times lie beside transcripts (ARCHITECTURE.md, rule 1); where they are at hand, every benchmark's report
//! has them as a table.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::key::EpisodeKey;
use crate::metrics::report::{Table, TableRow, caption};
use crate::prompt::ThreadId;
use crate::seat::Seat;

/// What the calls of one seat took, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Took {
    /// Calls whose time is known.
    pub n: usize,
    /// The middle one; of an even number the mean of the two in the middle.
    pub median: f64,
    /// Nine of ten took no longer (nearest rank).
    pub nine_of_ten: f64,
    pub longest: f64,
    /// All together, as if they had been made one after the other.
    pub total: f64,
}

impl Took {
    /// Of some calls; `None` if there are none.
    pub fn of(milliseconds: &[f64]) -> Option<Self> {
        let mut sorted = milliseconds.to_vec();
        sorted.sort_by(f64::total_cmp);
        let longest = *sorted.last()?;
        let n = sorted.len();
        // Nearest rank: the least number that at least nine tenths of all do not exceed.
        let rank = (9 * n).div_ceil(10);
        Some(Took {
            n,
            median: (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0,
            nine_of_ten: sorted[rank - 1],
            longest,
            total: sorted.iter().sum(),
        })
    }
}

/// How long calls took, in milliseconds, by seat.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Times {
    pub calls: BTreeMap<Seat, Vec<u64>>,
    /// All calls of one conversation together, by episode: where a protocol opens one for each decision, what decisions took.
    pub conversations: BTreeMap<Seat, BTreeMap<EpisodeKey, Vec<u64>>>,
}

/// How long conversations took, in milliseconds, by seat and episode.
pub type Conversations = BTreeMap<Seat, BTreeMap<EpisodeKey, Vec<f64>>>;

impl Times {
    /// The same for [`MeasureOptions`](crate::metrics::options::MeasureOptions): those of calls, and those of conversations.
    pub fn in_numbers(self) -> (BTreeMap<Seat, Vec<f64>>, Conversations) {
        // Milliseconds, far below 2^53.
        let numbers =
            |times: Vec<u64>| -> Vec<f64> { times.into_iter().map(|time| time as f64).collect() };
        let calls = self.calls.into_iter();
        let conversations = self.conversations.into_iter().map(|(seat, episodes)| {
            let episodes = episodes.into_iter();
            let episodes = episodes.map(|(episode, times)| (episode, numbers(times)));
            (seat, episodes.collect())
        });
        (calls.map(|(seat, times)| (seat, numbers(times))).collect(), conversations.collect())
    }
}

/// Times of calls as they are found in transcripts, one after the other.
#[derive(Debug, Clone, Default)]
pub struct Collected {
    calls: BTreeMap<Seat, Vec<u64>>,
    conversations: BTreeMap<(Seat, EpisodeKey, usize, ThreadId), u64>,
}

impl Collected {
    /// A call of a seat, in a conversation if it was asked in one; milliseconds. Several runs may have an episode of one name;
    /// `run` tells them apart.
    pub fn add(
        &mut self,
        seat: &Seat,
        run: usize,
        episode: EpisodeKey,
        thread: Option<ThreadId>,
        took: u64,
    ) {
        self.calls.entry(seat.clone()).or_default().push(took);
        if let Some(thread) = thread {
            let conversation = (seat.clone(), episode, run, thread);
            *self.conversations.entry(conversation).or_default() += took;
        }
    }

    pub fn times(self) -> Times {
        let mut conversations: BTreeMap<Seat, BTreeMap<EpisodeKey, Vec<u64>>> = BTreeMap::new();
        for ((seat, episode, ..), took) in self.conversations {
            let of_seat = conversations.entry(seat).or_default();
            of_seat.entry(episode).or_default().push(took);
        }
        Times { calls: self.calls, conversations }
    }
}

pub const TITLE: &str = "Time by seat";

/// Times by seat as a table in seconds; `None` where no time is known.
pub fn table(times: &BTreeMap<Seat, Vec<f64>>) -> Option<Table> {
    let row = |(seat, times): (&Seat, &Vec<f64>)| {
        let took = Took::of(times)?;
        let seconds = [took.median, took.nine_of_ten, took.longest, took.total];
        Some(TableRow::new(seat.as_str(), took.n, seconds.map(|one| Some(one / 1000.0))))
    };
    let rows: Vec<TableRow> = times.iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| caption("times").table(rows))
}

/// The same for programs, in milliseconds: `{seat: {n, median_ms, p90_ms, longest_ms, total_ms}}`; `null` where no time is
/// known.
pub fn record(times: &BTreeMap<Seat, Vec<f64>>) -> Value {
    let seats: serde_json::Map<String, Value> = times
        .iter()
        .filter_map(|(seat, times)| {
            let took = Took::of(times)?;
            let numbers = json!({
                "n": took.n,
                "median_ms": took.median,
                "p90_ms": took.nine_of_ten,
                "longest_ms": took.longest,
                "total_ms": took.total,
            });
            Some((seat.to_string(), numbers))
        })
        .collect();
    if seats.is_empty() { Value::Null } else { Value::Object(seats) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 to 10 seconds, out of order: median 5.5, nine of ten within 9, all 55.
    #[test]
    fn times_by_hand() {
        let times: Vec<f64> =
            [3, 1, 2, 10, 9, 8, 7, 6, 5, 4].map(|seconds| f64::from(seconds) * 1000.0).to_vec();
        assert_eq!(
            Took::of(&times),
            Some(Took {
                n: 10,
                median: 5500.0,
                nine_of_ten: 9000.0,
                longest: 10_000.0,
                total: 55_000.0,
            })
        );
        let one = Took::of(&[7.0]).expect("there is a time");
        assert_eq!((one.median, one.nine_of_ten, one.total), (7.0, 7.0, 7.0));
        assert_eq!(Took::of(&[]), None);
    }

    #[test]
    fn seats_without_times_have_no_row() {
        let seat = |name: &str| Seat::new(name);
        let times =
            BTreeMap::from([(seat("player"), vec![1500.0, 500.0]), (seat("grader"), vec![])]);
        let table = table(&times).expect("one seat has times");
        assert_eq!(table.rows.len(), 1);
        assert_eq!(table.rows[0].cells, [Some(1.0), Some(1.5), Some(1.5), Some(2.0)]);
        assert_eq!(record(&times)["player"]["total_ms"], 2000.0);
        assert_eq!(super::table(&BTreeMap::new()), None);
        assert_eq!(record(&BTreeMap::new()), Value::Null);
    }
}
