//! The statistics that the authors' app wrote, read; hand histories for PokerKit, written.

use turnwise_core::formats::{BadFile, Exporter, File, Formats, Importer, Read, Sums, Write};
use turnwise_core::key::EpisodeKey;
use turnwise_core::prelude::*;

use crate::imported::stats_log::{Overview, StatsLog, overview};
use crate::{hands, phh};

pub(super) const FORMATS: Formats = Formats {
    importers: &[Importer {
        name: "poker-stats",
        about: "Poker, the authors' stats-log-N.ndjson: totals per table, means over tables, and what was paid wrongly",
        recognise: StatsLog::recognise,
        flags: &[],
        read: Read::Sums(stats),
    }],
    exporters: &[Exporter {
        name: "phh",
        about: "Poker hand histories as PokerKit reads them, one file a hand",
        write: Write::Folder { what: "hands", files: histories },
    }],
};

fn stats(files: &[File]) -> Result<Sums, BadFile> {
    let read = |file: &File| StatsLog::read(&file.shown, &file.bytes);
    let logs: Vec<StatsLog> = files.iter().map(read).collect::<Result<_, _>>()?;
    let overview = overview(&logs)?;
    Ok(Sums {
        json: serde_json::to_string_pretty(&overview).map_err(BadFile::new)?,
        text: told(&overview),
    })
}

/// What is said of them to people.
fn told(overview: &Overview) -> String {
    let mut lines = Vec::new();
    for table in &overview.tables {
        lines.push(format!(
            "table {}: {} hands ({} without a line: showdowns), {} lines",
            table.table, table.hands, table.missing, table.lines
        ));
        lines.extend(table.players.iter().map(|player| {
            format!(
                "  {:24} {:>9}  folds {:>4}  voluntarily played {:>4}",
                player.name, player.total, player.folds, player.vpip_count
            )
        }));
    }
    lines.push(format!(
        "winnings per hand over {} tables, sample deviation:",
        overview.tables.len()
    ));
    lines.extend(overview.players.iter().map(|player| {
        format!(
            "  {:24} {}  VPIP {}  folded {}",
            player.name,
            spread(player.winnings_per_hand_mean, player.winnings_per_hand_sd),
            percent(player.vpip_mean),
            percent(player.fold_mean)
        )
    }));
    let wrong = &overview.missettled;
    lines.push(format!(
        "paid wrongly: {} of {} hands that ended in a bust, {} chips; with {} chips returned that nobody had called:",
        wrong.overpaid_hands, wrong.hands, wrong.overpaid_chips, wrong.returned_chips
    ));
    lines.extend(wrong.players.iter().map(|player| {
        format!(
            "  {:24} {} becomes {}",
            player.name,
            spread(player.published_mean, player.published_sd),
            spread(player.corrected_mean, player.corrected_sd)
        )
    }));
    lines.extend(overview.remarks.iter().map(|remark| format!("note: {remark}")));
    lines.join("\n")
}

fn spread(mean: Option<f64>, deviation: Option<f64>) -> String {
    match (mean, deviation) {
        (Some(mean), Some(deviation)) => format!("{mean:8.1} ± {deviation:.1}"),
        (Some(mean), None) => format!("{mean:8.1}"),
        (None, _) => "       –".to_owned(),
    }
}

fn percent(fraction: Option<f64>) -> String {
    fraction.map_or("–".to_owned(), |fraction| format!("{:.1} %", 100.0 * fraction))
}

fn histories(play: &Transcript) -> Vec<(String, String)> {
    let key = EpisodeKey::play(&play.header.task.id, play.header.repeat);
    let stem = key.as_str().trim_end_matches(".play").replace('.', "-");
    hands(play)
        .iter()
        .map(|hand| (format!("{stem}-{:05}.phh", hand.hand), phh::write(hand)))
        .collect()
}
