//! Logs of games: read, checked and summed up on stdout.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;
use turnwise_shared::benchmarks::poker::imported::game_log::{
    GameLog, Summary, replay::Replay, summary,
};
use turnwise_shared::benchmarks::poker::imported::stats_log::{Overview, StatsLog, overview};
use turnwise_shared::benchmarks::trust::results::{self, Results};

use crate::cli::Status;
use crate::cli::import::text;
use crate::cli::out::{self, say};
use crate::cli::trouble::Trouble;

/// The authors' statistics of poker tables, one file a table.
///
/// # Errors
/// The first file, line and field that is wrong.
pub fn poker_stats(files: &[PathBuf], json: bool) -> Result<Status, Trouble> {
    let logs: Vec<StatsLog> = files
        .iter()
        .map(|path| Ok(StatsLog::read(&path.display().to_string(), &text(path)?)?))
        .collect::<Result<_, Trouble>>()?;
    let overview = overview(&logs)?;
    if json {
        print(&overview)?;
    } else {
        say_stats(&overview);
    }
    Ok(Status::Done)
}

/// The authors' events of poker tables, one file a table, and those of the model client.
///
/// # Errors
/// The first file, line and field that is wrong. That our engine plays a hand differently is no error; it is said.
pub fn poker_game_log(files: &[PathBuf], json: bool) -> Result<Status, Trouble> {
    let logs: Vec<GameLog> = files
        .iter()
        .map(|path| Ok(GameLog::read(&path.display().to_string(), &text(path)?)?))
        .collect::<Result<_, Trouble>>()?;
    let summary = summary(&logs);
    if json {
        print(&summary)?;
    } else {
        say_hands(&summary);
    }
    Ok(Status::Done)
}

/// The authors' results of the Trust Game, one file a run.
///
/// # Errors
/// The first file and field that is wrong. That a file differs from the authors' rules is no error; it is said.
pub fn trust_results(files: &[PathBuf], json: bool) -> Result<Status, Trouble> {
    let read: Vec<Results> = files
        .iter()
        .map(|path| Ok(Results::read(&path.display().to_string(), &text(path)?)?))
        .collect::<Result<_, Trouble>>()?;
    let record = results::record(&read);
    if json {
        print(&record)?;
    } else {
        say_trust(&record);
    }
    Ok(Status::Done)
}

fn say_trust(record: &Value) {
    say!("{} matches, payoff per round:", record["n"]);
    for player in list(&record["players"]) {
        let number = |key: &str| player[key].as_f64();
        let interval = match (number("score_low"), number("score_high")) {
            (Some(low), Some(high)) => format!("  ({low:.3} to {high:.3})"),
            _ => String::new(),
        };
        say!(
            "  {:24} {}{interval}  cooperated {}  {} rounds",
            player["name"].as_str().unwrap_or_default(),
            number("score").map_or("–".to_owned(), |score| format!("{score:.3}")),
            percent(number("cooperation")),
            player["rounds"]
        );
    }
    for file in list(&record["files"]) {
        let name = file["file"].as_str().unwrap_or_default();
        let differences = list(&file["checks"]["differences"]);
        if differences.is_empty() {
            say!("{name}: agrees with the authors' rules in all that was compared");
        }
        for difference in differences {
            say!("{name}: {}", difference.as_str().unwrap_or_default());
        }
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn say_hands(summary: &Summary) {
    let counts = &summary.counts;
    say!(
        "{} lines, {} of them repeats: {} hands, {} won by folds, {} shown, {} unfinished",
        counts.lines,
        counts.repeats,
        counts.hands,
        counts.fold_wins,
        counts.showdowns,
        counts.unfinished
    );
    say!(
        "{} invalid replies, {} folds put in, {} resets of all stacks",
        counts.invalid_format,
        counts.errors,
        counts.stack_resets
    );
    for player in &summary.players {
        let actions: Vec<String> = player
            .actions
            .iter()
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        say!(
            "  {:24} {:>9}  won {:>4} of {:>4}  {}",
            player.name,
            player.winnings,
            player.wins,
            player.hands,
            actions.join(", ")
        );
    }
    say!(
        "replayed with the reference engine: {} alike, {} alike as far as the log tells, {} differ",
        counts.replay_ok,
        counts.replay_open,
        counts.replay_differs
    );
    for hand in &summary.hands {
        if let Replay::Differs(difference) = &hand.replay {
            say!("  table {}, hand {}: {difference}", hand.table, hand.hand);
        }
    }
    for remark in &summary.remarks {
        say!("note: {remark}");
    }
}

fn say_stats(overview: &Overview) {
    for table in &overview.tables {
        say!(
            "table {}: {} hands ({} without a line: showdowns), {} lines",
            table.table,
            table.hands,
            table.missing,
            table.lines
        );
        for player in &table.players {
            say!(
                "  {:24} {:>9}  folds {:>4}  voluntarily played {:>4}",
                player.name,
                player.total,
                player.folds,
                player.vpip_count
            );
        }
    }
    say!(
        "winnings per hand over {} tables, sample deviation:",
        overview.tables.len()
    );
    for player in &overview.players {
        say!(
            "  {:24} {}  VPIP {}  folded {}",
            player.name,
            spread(player.winnings_per_hand_mean, player.winnings_per_hand_sd),
            percent(player.vpip_mean),
            percent(player.fold_mean)
        );
    }
    let wrong = &overview.missettled;
    say!(
        "paid wrongly: {} of {} hands that ended in a bust, {} chips; with {} chips returned that nobody had called:",
        wrong.overpaid_hands,
        wrong.hands,
        wrong.overpaid_chips,
        wrong.returned_chips
    );
    for player in &wrong.players {
        say!(
            "  {:24} {} becomes {}",
            player.name,
            spread(player.published_mean, player.published_sd),
            spread(player.corrected_mean, player.corrected_sd)
        );
    }
    for remark in &overview.remarks {
        say!("note: {remark}");
    }
}

fn spread(mean: Option<f64>, deviation: Option<f64>) -> String {
    match (mean, deviation) {
        (Some(mean), Some(deviation)) => format!("{mean:8.1} ± {deviation:.1}"),
        (Some(mean), None) => format!("{mean:8.1}"),
        (None, _) => "       –".to_owned(),
    }
}

fn percent(fraction: Option<f64>) -> String {
    fraction.map_or("–".to_owned(), |fraction| {
        format!("{:.1} %", 100.0 * fraction)
    })
}

fn print(record: &impl Serialize) -> Result<(), Trouble> {
    Ok(out::json(record)?)
}
