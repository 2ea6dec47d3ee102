//! Leaderboards, and what the paper printed: Tables 3 to 6 (`published`).

use crate::numbers::*;
use crate::settings::{Setting, Settings};
use turnwise_core::board::column::{COST, Column, LATENCY};
use turnwise_core::board::published::{Condition, Numbers, Paper, PaperRow};
use turnwise_core::board::{self, Boards};
use turnwise_core::metrics::proportion::wilson;
use turnwise_core::prelude::*;

pub(super) const BOARDS: Boards = Boards {
    columns: COLUMNS,
    condition,
    paper: Some(Paper {
        title: "Evaluating the Search Agent in a Parallel World",
        authors: "Jiawei Chen, Xintian Shen, Lihao Zheng et al.",
        year: 2026,
        address: "https://arxiv.org/abs/2603.04751",
    }),
    published: conditions,
    beside: name,
    by_part,
};

#[rustfmt::skip]
const COLUMNS: &[Column] = &[
    Column::of(&PASS),
    Column::of(&PASS_EASY).at("pass_easy"),
    Column::of(&PASS_MID).at("pass_mid"),
    Column::of(&PASS_HARD).at("pass_hard"),
    Column::of(&FCR).called("Coverage"),
    Column::of(&HIT_RATE).at("hit_rate").called("Hit rate"),
    Column::of(&CALLS).at("calls").called("Calls"),
    Column::of(&DEVIATION).at("deviation").called("Deviation").on_wish(),
    Column::of(&FCR_EASY).at("fcr_easy").called("Coverage, easy").on_wish(),
    Column::of(&FCR_MID).at("fcr_mid").called("Coverage, mid").on_wish(),
    Column::of(&FCR_HARD).at("fcr_hard").called("Coverage, hard").on_wish(),
    Column::of(&HIT_RATE_EASY).at("hit_easy").called("Hit rate, easy").on_wish(),
    Column::of(&HIT_RATE_MID).at("hit_mid").called("Hit rate, mid").on_wish(),
    Column::of(&HIT_RATE_HARD).at("hit_hard").called("Hit rate, hard").on_wish(),
    Column::of(&CALLS_EASY).at("calls_easy").called("Calls, easy").on_wish(),
    Column::of(&CALLS_MID).at("calls_mid").called("Calls, mid").on_wish(),
    Column::of(&CALLS_HARD).at("calls_hard").called("Calls, hard").on_wish(),
    COST,
    LATENCY,
];

fn condition(spec: &Spec) -> Vec<String> {
    let setting = board::setting(spec, "setting");
    vec![format!("setting {}", setting.as_deref().unwrap_or("C"))]
}

/// The numbers of a report tier by tier, for which boards have columns. What the headline leaves out, because nothing is searched, is
/// left out here.
pub(crate) fn by_part(report: &Report) -> Vec<Figure> {
    let searches = report.headline.iter().any(|one| one.key == FCR.key);
    let mut figures = BY_TIER.figures(&report.record);
    let of_pass = [PASS_EASY.key, PASS_MID.key, PASS_HARD.key];
    figures.retain(|one| searches || of_pass.contains(&one.key.as_str()));
    figures
}

/// The most turns of the paper's players.
const TURNS: u32 = 32;

fn name(spec: &Spec) -> Option<String> {
    let settings = Settings::of(spec).ok()?;
    // The paper's players had 32 turns and one search in each.
    let is_printed = match settings.setting {
        Setting::Custom | Setting::Control => false,
        Setting::Oracle => true,
        _ => settings.turns == TURNS && !settings.parallel,
    };
    is_printed.then(|| format!("paraworld-{}", settings.setting.name().to_lowercase()))
}

fn conditions() -> Vec<Condition> {
    let tables = [
        include_str!("../published/setting_c.toml"),
        include_str!("../published/setting_b_guidance.toml"),
        include_str!("../published/setting_b_few_shot.toml"),
        include_str!("../published/setting_a.toml"),
    ];
    tables.map(|table| Condition::read(table, finish)).into()
}

const EARLIER_FACTS: &str = "Its percentages fit the tiers 564, 623 and 421, not those that Table 1 prints (568, 619, 421): four worlds moved from \
     easy to mid. Two revisions of the facts were evaluated and stand side by side.";
const FACTS_OF_TABLE_1: &str =
    "Its percentages fit the tiers 568, 619 and 421, as Table 1 prints them.";

/// Turned back into fractions, every row of pass@1 fits exactly one of two splits of the 1,608 worlds: two revisions of the facts were
/// evaluated, and their rows stand side by side. So rows of different splits compare worlds that are not quite the same.
fn finish(row: &mut PaperRow, numbers: &Numbers) {
    let (tiers, note) = match numbers["worlds_easy"] {
        564.0 => ([564.0, 623.0, 421.0], EARLIER_FACTS),
        _ => ([568.0, 619.0, 421.0], FACTS_OF_TABLE_1),
    };
    row.notes.insert(0, note);
    let keys = ["pass_easy", "pass_mid", "pass_hard"];
    let tiers = keys.into_iter().zip(tiers);
    let tiers = tiers.map(|(key, worlds)| (key, (numbers[key] / 100.0 * worlds).round(), worlds));
    let sum = tiers.clone().fold(0.0, |sum, (_, right, _)| sum + right);
    for (key, right, worlds) in tiers.chain([("pass_at_1", sum, 1608.0)]) {
        if let Some(cell) = row.cells.get_mut(key) {
            cell.interval = wilson(right as u64, worlds as u64);
        }
    }
}

#[cfg(test)]
mod tests;
