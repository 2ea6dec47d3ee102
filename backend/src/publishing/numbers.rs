//! The numbers with which a run stands on its board, computed from its transcripts.

use std::collections::{BTreeMap, BTreeSet};

use turnwise_shared::metrics::spending::{self, Amount};
use turnwise_shared::metrics::times::Times;
use turnwise_shared::metrics::unread;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::publishing::{Measure, Numbers};

use crate::App;
use crate::error::{Answer, Problem};
use crate::store::RunHead;
use crate::{measures, prices};

/// See the module's head.
///
/// # Errors
/// If the store fails, or the run's benchmark is not of this program.
pub async fn of(app: &App, run: &RunHead) -> Answer<Numbers> {
    let benchmark =
        registry::find(&run.spec.benchmark).map_err(|bad| Problem::unfit(bad.problem))?;
    let summaries = measures::summaries(app, run).await?;
    let report = measures::report(app, run, Times::default()).await?;
    let opened = app.store().run(&run.run).await?.map(|info| info.opened);
    let options = MeasureOptions {
        prices: prices::book(app.config()),
        day: opened.and_then(Day::of),
        ..MeasureOptions::default()
    };
    let spending =
        spending::of(&run.spec, summaries.values().map(|summary| &summary.usage), &options);
    let evaluated = benchmark.players(&run.spec.seats);
    let mut player_amount = Amount::default();
    let mut player_tokens = Some(0_u64);
    for (name, role) in &spending.roles {
        if evaluated.contains_key(&Seat::new(name)) {
            player_amount += role.amount;
            player_tokens = player_tokens
                .zip(role.usage.known(role.usage.tokens()))
                .map(|(sum, more)| sum.saturating_add(more));
        }
    }
    let mut times = measures::times::took(app, run).await?.calls;
    times.retain(|seat, _| evaluated.contains_key(seat));
    let of_seat = |(seat, times): (&Seat, &Vec<u64>)| {
        let middle = middle(times.iter().copied())?;
        Some((seat.clone(), middle))
    };
    let latencies = match report.rankings.is_empty() {
        true => BTreeMap::new(),
        false => times.iter().filter_map(of_seat).collect(),
    };
    let by_part = match benchmark.boards() {
        Some(boards) => (boards.by_part)(&report),
        None => Vec::new(),
    };
    let figures = report
        .headline
        .iter()
        .chain(report.groups.iter().flat_map(|group| &group.figures))
        .chain(&by_part);
    Ok(Numbers {
        plays: u32::try_from(summaries.len()).unwrap_or(u32::MAX),
        tasks: tasks(&summaries.values().collect::<Vec<_>>()),
        measures: measured(figures),
        rankings: report.rankings.clone(),
        cost: millionths(spending.total),
        player_cost: millionths(player_amount),
        latency: middle(times.into_values().flatten()),
        latencies,
        player_tokens,
        notes: unread::unread(summaries.values()),
    })
}

fn measured<'a>(figures: impl Iterator<Item = &'a Figure>) -> Vec<Measure> {
    let mut keys = BTreeSet::new();
    figures
        .filter(|figure| keys.insert(figure.key.clone()))
        .map(|figure| Measure {
            key: figure.key.clone(),
            label: figure.label.clone(),
            value: figure.value,
            interval: figure.interval,
            unit: figure.unit,
        })
        .collect()
}

fn tasks(summaries: &[&Summary]) -> u32 {
    let ids: BTreeSet<_> = summaries.iter().map(|summary| &summary.task.id).collect();
    u32::try_from(ids.len()).unwrap_or(u32::MAX)
}

fn millionths(amount: Amount) -> Option<u64> {
    u64::try_from(amount.exactly()?.millionths()).ok()
}

/// The middle of some times; of an even number the later one of the two.
fn middle(times: impl Iterator<Item = u64>) -> Option<u64> {
    let mut times: Vec<u64> = times.collect();
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}
