//! Leaderboards, and what the paper printed: Tables 3 to 6.

use std::collections::BTreeMap;

use crate::metrics::published::{Row, Setting, Split, rows};
use crate::numbers::*;
use crate::report::setting;
use crate::settings::Settings;
use turnwise_core::board::column::{COST, Column, LATENCY};
use turnwise_core::board::published::{Condition, Paper, PaperRow, percent, plain};
use turnwise_core::board::{self, Boards};
use turnwise_core::metrics::number::Cell;
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

/// Decimals of all its numbers.
const DECIMALS: u8 = 2;

/// The most turns of the paper's players.
const TURNS: u32 = 32;

/// How many worlds the paper has.
const WORLDS: u32 = 1608;

const SPLIT_A: &str = "Its percentages fit the tiers 564, 623 and 421, not those that Table 1 prints (568, 619, 421): four worlds moved from \
     easy to mid. Two revisions of the facts were evaluated and stand side by side.";
const SPLIT_B: &str = "Its percentages fit the tiers 568, 619 and 421, as Table 1 prints them.";
const GUESSED: &str = "22 % of the hard worlds with 8 % of their facts: right answers without coverage exist (guesses, binary comparisons \
     or leaks).";
const ANOTHER_ROUND: &str = "The authors' folders hold another round of this model in this setting: 39.37 % with a coverage of 36.9 %. The paper \
     prints one, and no variance.";

/// Setting, name in addresses, name of ours, title, table.
type Printed = (Setting, &'static str, &'static str, &'static str, &'static str);

const SETTINGS: [Printed; 4] = [
    (Setting::Unguided, "paraworld-c", "C", "setting C, search without guidance", "Tables 5 and 6"),
    (
        Setting::Guidance,
        "paraworld-b-guidance",
        "B-guidance",
        "setting B, guidance",
        "Table 4, guidance",
    ),
    (
        Setting::FewShot,
        "paraworld-b-few-shot",
        "B-few-shot",
        "setting B, examples",
        "Table 4, few-shot",
    ),
    (Setting::Oracle, "paraworld-a", "A", "setting A, all facts given", "Table 3"),
];

fn name(spec: &Spec) -> Option<String> {
    let setting = setting(spec);
    // The paper's players had 32 turns and one search in each.
    let settings = Settings::of(spec).ok()?;
    if settings.setting.searches() && (settings.turns != TURNS || settings.parallel) {
        return None;
    }
    SETTINGS.iter().find(|(_, _, own, ..)| *own == setting).map(|(_, name, ..)| (*name).to_owned())
}

fn conditions() -> Vec<Condition> {
    SETTINGS.iter().map(printed).collect()
}

fn printed((setting, name, own, title, table): &Printed) -> Condition {
    let mut remarks = vec![
        "The set of worlds is not public; runs here are over other worlds.".to_owned(),
        "Hit rates leave out episodes without a call, and the overall row weights tiers by their sizes.".to_owned(),
    ];
    if *setting == Setting::Oracle {
        remarks.push("Nothing is searched in this setting: only pass@1 is printed.".to_owned());
    }
    Condition {
        name: (*name).to_owned(),
        title: (*title).to_owned(),
        fixed: vec![
            ("profile", "the authors' code".to_owned()),
            ("setting", (*own).to_owned()),
            ("tasks", "1,608 worlds, not public".to_owned()),
            ("engine", "Qwen3-235B-A22B-Thinking".to_owned()),
        ],
        remarks,
        rows: rows().filter(|row| row.setting == *setting).map(|one| row(one, table)).collect(),
    }
}

fn row(row: &Row, table: &str) -> PaperRow {
    let correct = row.correct();
    let interval = |right: u32, n: u32| wilson(right.into(), n.into());
    let all = Cell {
        interval: interval(correct.iter().sum(), WORLDS),
        ..percent(row.overall.pass_at_1, DECIMALS)
    };
    let mut cells = BTreeMap::from([("pass_at_1", all)]);
    let keys = [
        ("pass_easy", "fcr_easy", "hit_easy", "calls_easy"),
        ("pass_mid", "fcr_mid", "hit_mid", "calls_mid"),
        ("pass_hard", "fcr_hard", "hit_hard", "calls_hard"),
    ];
    let searches = row.setting != Setting::Oracle;
    for (((pass, fcr, hit, calls), tier), (right, n)) in
        keys.into_iter().zip(&row.tiers).zip(correct.into_iter().zip(row.split.sizes()))
    {
        let interval = interval(right, n);
        cells.insert(pass, Cell { interval, ..percent(tier.pass_at_1, DECIMALS) });
        if searches {
            cells.insert(fcr, percent(tier.fcr, DECIMALS));
            cells.insert(hit, percent(tier.hit_rate, DECIMALS));
            cells.insert(calls, plain(tier.tool_calls, DECIMALS));
        }
    }
    if searches {
        cells.insert("fcr", percent(row.overall.fcr, DECIMALS));
        cells.insert("hit_rate", percent(row.overall.hit_rate, DECIMALS));
        cells.insert("calls", plain(row.overall.tool_calls, DECIMALS));
    }
    let mut notes = vec![match row.split {
        Split::A => SPLIT_A,
        Split::B => SPLIT_B,
    }];
    if row.setting == Setting::Unguided {
        notes.extend((row.model == "GPT-5").then_some(GUESSED));
        notes.extend((row.model == "MindWatcher 32B").then_some(ANOTHER_ROUND));
    }
    PaperRow {
        name: row.model.to_owned(),
        source: format!("{table}, row {}", row.model),
        n: Some(WORLDS),
        cells,
        notes,
    }
}

#[cfg(test)]
mod tests;
