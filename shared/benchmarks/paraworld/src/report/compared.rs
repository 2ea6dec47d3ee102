//! Several runs side by side: what separates the settings.

use serde_json::json;

use super::{RESAMPLES, numbers, pair, score, setting};
use crate::metrics::gap::{Difference, Gap, Judged, Side, gap};
use crate::numbers::PASS;
use turnwise_core::metrics::report::{Ranking, RankingRow};
use turnwise_core::prelude::*;

/// The form of the record.
const SCHEMA: &str = "turnwise-paraworld-gap/1";

/// Compares runs of one player over the same worlds in different settings: pass@1 of each, and the gaps between them. The
/// profile is that of the first run; worlds are identified by their hashes.
///
/// # Errors
/// If runs are of different players, a setting cannot be compared, or no world was judged in all of them.
pub fn compare(runs: &[(&Spec, &[Summary])]) -> Result<Report, BadSpec> {
    let Some(((first, _), others)) = runs.split_first() else {
        return Err(BadSpec::new("settings.setting", "there is no run to compare"));
    };
    let player = |spec: &Spec| {
        let sitting = spec.seats.get(&Seat::new(Seat::PLAYER));
        sitting.map(|sitting| sitting.player.to_string())
    };
    for (other, _) in others {
        if player(first) != player(other) {
            let name = |spec| player(spec).unwrap_or_else(|| "nobody".to_owned());
            return Err(BadSpec::new(
                "seats.player",
                format!(
                    "{} and {} are different players; the gap between settings is that of one player",
                    name(first),
                    name(other)
                ),
            ));
        }
    }
    let mut worlds: Vec<(Side, String, &str, f64)> = Vec::new();
    for (spec, summaries) in runs {
        let side = Side::named(setting(spec)).ok_or_else(|| {
            let problem = format!(
                "{} cannot be compared; runs of A, B-guidance, B-few-shot, C and control can",
                setting(spec)
            );
            BadSpec::new("settings.setting", problem)
        })?;
        for summary in *summaries {
            let Some(numbers) = numbers(summary, first.profile) else {
                continue;
            };
            if let Some(score) = score(&numbers.episode, first.profile) {
                let world = summary.task.digest.to_string();
                worlds.push((side, world, pair(summary), score));
            }
        }
    }
    let judged: Vec<Judged> = worlds
        .iter()
        .map(|(side, world, pair, score)| Judged { side: *side, world, pair, score: *score })
        .collect();
    let gap = gap(&judged, RESAMPLES, first.seed).ok_or_else(|| {
        BadSpec::new(
            "tasks",
            "no world was judged in every one of these settings, or they are all of one setting; give runs of the same \
             worlds in at least two settings",
        )
    })?;
    Ok(shown(&gap, first, player(first)))
}

fn shown(gap: &Gap, spec: &Spec, player: Option<String>) -> Report {
    let who = player.unwrap_or_default();
    let headline = gap.differences.iter().map(figure).collect();
    let rows = gap.levels.iter().map(|level| RankingRow {
        name: level.side.label().to_owned(),
        who: who.clone(),
        n: level.n,
        value: Some(level.pass_at_1),
        interval: level.interval,
        cells: Vec::new(),
    });
    let ranking = Ranking {
        title: "Right answers by setting".to_owned(),
        about: "The same worlds in every setting, from the most help to the least. What is lost from A to C is the search \
                gap."
            .to_owned(),
        value: PASS.column(),
        columns: Vec::new(),
        rows: rows.collect(),
    };
    let mut remarks = Vec::new();
    if gap.left_out > 0 {
        remarks.push(format!(
            "{} worlds were judged in some of the settings only and are left out.",
            gap.left_out
        ));
    }
    let settings: serde_json::Map<_, _> = gap
        .levels
        .iter()
        .map(|level| {
            let record = json!({
                "n": level.n,
                "pass_at_1": level.pass_at_1,
                "pass_at_1_interval": level.interval,
            });
            (level.side.name().to_owned(), record)
        })
        .collect();
    let mut record = json!({
        "schema": SCHEMA,
        "benchmark": spec.benchmark,
        "profile": spec.profile,
        "player": who,
        "worlds": gap.worlds,
        "left_out": gap.left_out,
        "settings": settings,
        "interval_over": "pairs",
    });
    for one in &gap.differences {
        record[one.name] = json!(one.value);
        record[format!("{}_interval", one.name)] = json!(one.interval);
    }
    Report { headline, rankings: vec![ranking], remarks, record, ..Report::default() }
}

fn figure(one: &Difference) -> Figure {
    let about = match one.name {
        "search_gap" => "What the player loses because it has to find the facts itself: A less C.",
        "guidance_gap" => "What being told how to search brings: B with guidance less C.",
        "few_shot_gap" => "What worked examples bring: B with examples less C.",
        _ => "What searching brings over the question alone: C less the control run.",
    };
    Figure {
        key: one.name.to_owned(),
        label: one.name.replace('_', " "),
        value: Some(one.value),
        interval: one.interval,
        known: None,
        unit: Unit::Fraction,
        about: about.to_owned(),
    }
}
