//! The report of a run of poker: ranking, who won from whom, positions, hole cards, winnings over hands; and the record for
//! programs.

mod record;
mod shown;

use std::collections::BTreeMap;

use super::{DecisionTimes, Numbers, Played, Standing, Standings, TableKey, standings};
use crate::departures;
use crate::numbers::METRICS;
use crate::settings::{Settings, without_names};
use turnwise_core::key::EpisodeKey;
use turnwise_core::metrics::replies;
use turnwise_core::metrics::times::Conversations;
use turnwise_core::prelude::*;

/// The labels of tasks by which their numbers belong together.
const TABLE: &str = "table";
const DECK: &str = "deck";

/// The numbers of a run, from the [`Numbers`] in the summaries of its episodes. Episodes that are not complete are left out
/// and counted. A decision is a conversation of its own, so that its time is that of all its attempts (4.d).
pub fn report(spec: &Spec, episodes: &[&Summary], options: &MeasureOptions) -> Report {
    let mut played: Vec<(&Summary, Played)> = Vec::new();
    let mut left_out = 0;
    for summary in episodes {
        match of_summary(summary) {
            Some(one) => played.push((summary, one)),
            None => left_out += 1,
        }
    }
    // The order in which tables play, whatever the order in which episodes ended.
    played.sort_by_cached_key(|(summary, one)| {
        let first = one.numbers.hands.first().map_or(0, |hand| hand.hand);
        (one.repeat, one.table, first, summary.task.id.0.clone())
    });
    let played: Vec<Played> = played.into_iter().map(|(_, one)| one).collect();
    let run = Run {
        spec,
        standings: standings(&played, &decision_times(episodes, &options.conversations)),
        calls: &options.times,
        played,
        left_out,
    };
    let mut record = run.record();
    record["faults_by_seat"] = replies::record(episodes);
    Report {
        rankings: vec![run.ranking(&record)],
        matrices: run.matrices(),
        plots: run.plots(),
        remarks: run.remarks(),
        tables: run.over_tables().into_iter().chain(replies::table(episodes)).collect(),
        ..Report::of(&METRICS[..1], record)
    }
}

fn of_summary(summary: &Summary) -> Option<Played> {
    let numbers = summary.measured.numbers.read::<Numbers>().ok()?;
    let (repeat, table) = table_of(summary);
    (summary.complete && !numbers.hands.is_empty()).then(|| Played {
        table,
        repeat,
        deck: summary.task.labels.get(DECK).cloned(),
        numbers,
    })
}

fn table_of(summary: &Summary) -> TableKey {
    let table = summary.task.labels.get(TABLE);
    let table = table.and_then(|table| table.parse().ok()).unwrap_or(0);
    (summary.repeat, table)
}

/// Which decisions were taken at which table.
fn decision_times(episodes: &[&Summary], conversations: &Conversations) -> DecisionTimes {
    let tables: BTreeMap<EpisodeKey, TableKey> = episodes
        .iter()
        .map(|summary| {
            let episode = EpisodeKey::play(&summary.task.id, summary.repeat);
            (episode, table_of(summary))
        })
        .collect();
    let mut times = DecisionTimes::new();
    for (seat, by_episode) in conversations {
        let of_seat = times.entry(seat.clone()).or_default();
        for (episode, took) in by_episode {
            let table = tables.get(episode).copied();
            of_seat.entry(table).or_default().extend(took);
        }
    }
    times
}

/// Everything that a report is made from.
struct Run<'a> {
    spec: &'a Spec,
    played: Vec<Played>,
    standings: Standings,
    calls: &'a BTreeMap<Seat, Vec<f64>>,
    /// Episodes that are not complete.
    left_out: usize,
}

impl Run<'_> {
    /// Who sits in a seat, as the lineup writes it.
    fn who(&self, seat: &Seat) -> String {
        let sitting = self.spec.seats.get(seat);
        sitting.map_or_else(|| seat.to_string(), |sitting| sitting.player.to_string())
    }

    /// Who sits in a seat, as briefly as can be: the name that the run gives it, else the bot's or the model's, with the seat where
    /// several have it.
    fn name(&self, seat: &Seat) -> String {
        if let Some(name) = self.spec.name_of(seat) {
            return name.to_owned();
        }
        let short = |seat: &Seat| match self.spec.seats.get(seat).map(|one| &one.player) {
            Some(Player::Bot(name)) => name.clone(),
            Some(Player::Model { model, .. }) => model.clone(),
            Some(Player::Person) => "person".to_owned(),
            Some(Player::Recording(_)) => "tape".to_owned(),
            None => "nobody".to_owned(),
        };
        let name = short(seat);
        let several = self.spec.seats.keys().filter(|other| short(other) == name);
        if several.count() > 1 { format!("{name} ({seat})") } else { name }
    }

    fn players(&self) -> &[Standing] {
        &self.standings.players
    }

    /// The settings by which it was played, defaults filled in; the plain defaults where they cannot be read.
    fn settings(&self) -> Settings {
        serde_json::from_value(without_names(&self.spec.settings)).unwrap_or_default()
    }
}
