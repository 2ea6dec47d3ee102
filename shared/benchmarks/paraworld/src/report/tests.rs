//! The table of the eight made-up episodes of specification 8.8, as a report shows it.

mod sample;

use serde_json::{Value, json};

use super::*;
use crate::ParaWorld;
use crate::metrics::Status;
use crate::reading::judge::Verdict;
use turnwise_core::testing;

use sample::{near, numbers, reported, s, spec, summaries, summary, with};

/// G2 and G3.
#[test]
fn the_published_table() {
    let record = reported(Profile::Reference, &summaries()).record;
    near(
        &record,
        &[
            ("/pass_at_1", 0.5),
            ("/fcr", 0.427652),
            ("/hit_rate_macro_callers", 0.845238),
            ("/hit_rate_macro_zero", 0.739583),
            ("/hit_rate_micro", 0.857143),
            ("/tool_calls", 2.625),
            ("/by_tier/easy/n", 3.0),
            ("/by_tier/easy/pass_at_1", 2.0 / 3.0),
            ("/by_tier/easy/fcr", 0.666667),
            ("/by_tier/easy/fcr_sd", 0.763763),
            ("/by_tier/easy/hit_rate", 0.875),
            ("/by_tier/easy/tool_calls", 2.333333),
            ("/by_tier/mid/pass_at_1", 1.0 / 3.0),
            ("/by_tier/mid/fcr", 0.294444),
            ("/by_tier/mid/fcr_sd", 0.041944),
            ("/by_tier/mid/hit_rate", 0.722222),
            ("/by_tier/mid/tool_calls", 2.666667),
            ("/by_tier/hard/pass_at_1", 0.5),
            ("/by_tier/hard/fcr", 0.268939),
            ("/by_tier/hard/fcr_sd", 0.262487),
            ("/by_tier/hard/hit_rate", 1.0),
            ("/by_tier/hard/tool_calls", 3.0),
            ("/overall_published/pass_at_1", 0.5),
            ("/overall_published/fcr", 0.427652),
            ("/overall_published/hit_rate", 0.848958),
            ("/overall_published/tool_calls", 2.625),
            ("/by_status/finished/pass_at_1", 4.0 / 6.0),
            ("/by_category/Band/n", 4.0),
            // G6: mean effective calls are the lengths of the series, n(k) = 6, 6, 3, 1.
            ("/curve/0/n", 6.0),
            ("/curve/2/fcr", 0.683333),
            ("/curve/1/gain", 0.833333),
            // G12.
            ("/fcr_pass_correlation", 0.619065),
        ],
    );
    assert_eq!(record["rankable"], json!(true));
    assert_eq!(record["incomplete"], json!(0));
}

/// Specification 8.9.
#[test]
fn the_strict_table() {
    let report = reported(Profile::Strict, &summaries());
    let fcr = (0.5 + 1.0 / 3.0 + 0.2 + 5.0 / 11.0 + 1.0 / 12.0 + 1.0) / 8.0;
    near(
        &report.record,
        &[
            ("/fcr", fcr),
            ("/zero_call_share", 0.125),
            ("/compound_rate", 0.05),
            ("/format_error_rate", 1.0 / 21.0),
            ("/engine_fault_rate", 0.0),
            ("/stops/premature", 5.0 / 6.0),
            ("/stops/correct_without_coverage", 0.5),
            ("/fcr_rules", 0.125),
        ],
    );
    let labels: Vec<&str> = report.headline.iter().map(|figure| figure.label.as_str()).collect();
    assert_eq!(labels, ["pass@1", "coverage (FCR)", "hit rate", "calls", "episodes", "cost"]);
    for figure in &report.headline[..4] {
        let (low, high) = figure.interval.unwrap();
        let value = figure.value.unwrap();
        assert!(low <= value && value <= high, "{figure:?}");
    }
    let tiers: Vec<(&str, u32)> =
        report.breakdowns[0].rows.iter().map(|row| (row.value.as_str(), row.n)).collect();
    assert_eq!(tiers, [("easy", 3), ("mid", 3), ("hard", 2)]);
    let rows: Vec<&str> = report.tables[0].rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(rows, ["easy", "mid", "hard", "all", "as published"]);
    for table in &report.tables {
        assert!(table.rows.iter().all(|row| row.cells.len() == table.columns.len()));
    }
}

/// What Tables 4 to 6 print of each tier, a run has for its board as well.
#[test]
fn tiers_have_all_four_numbers_for_boards() {
    let report = reported(Profile::Reference, &summaries());
    let parts = crate::boards::by_part(&report);
    let part = |label: &str| {
        let found = parts.iter().find(|figure| figure.label == label);
        found.and_then(|figure| figure.value).unwrap()
    };
    // G2.
    for (tier, [pass, fcr, hit, calls]) in [
        ("easy", [2.0 / 3.0, 0.666667, 0.875, 2.333333]),
        ("mid", [1.0 / 3.0, 0.294444, 0.722222, 2.666667]),
        ("hard", [0.5, 0.268939, 1.0, 3.0]),
    ] {
        for (label, number) in
            [("pass@1", pass), ("coverage (FCR)", fcr), ("hit rate", hit), ("calls", calls)]
        {
            let found = part(&format!("{label}, {tier}"));
            assert!((found - number).abs() < 1e-6, "{label}, {tier}: {found}");
        }
    }
    assert_eq!(parts.len(), 12);
    // Where nothing is searched, only answers are counted.
    let given = spec(Profile::Reference, "A");
    let all = summaries();
    let episodes: Vec<&Summary> = all.iter().collect();
    let given = super::report(&given, &episodes, &MeasureOptions::default());
    assert_eq!(crate::boards::by_part(&given).len(), 3);
}

#[test]
fn curves_say_how_many_stand_behind_each_point() {
    let report = reported(Profile::Reference, &summaries());
    let titles: Vec<&str> = report.plots.iter().map(|plot| plot.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "New facts at each call",
            "Episodes that made so many calls",
            "Coverage by calls",
            "Precision by calls",
            "Coverage against right answers"
        ]
    );
    let members: Vec<Option<u32>> =
        report.plots[0].curves[0].points.iter().map(|point| point.n).collect();
    assert_eq!(members, [Some(6), Some(6), Some(3), Some(1)]);
    // G8: the cohort with four calls or more is S0 alone.
    let cohort = report.plots[3].curves.last().unwrap();
    assert_eq!(cohort.name, "4+ calls (n = 1)");
    let heights: Vec<f64> = cohort.points.iter().map(|point| point.y).collect();
    assert_eq!(heights, [1.0, 1.0, 2.0 / 3.0, 0.75]);
    let behind: u32 = report.plots[4].curves[0].points.iter().filter_map(|point| point.n).sum();
    assert_eq!(behind, 7, "S6 has a coverage above 1");
}

#[test]
fn what_has_no_verdict_makes_it_incomplete() {
    let mut summaries = summaries();
    let mut open = s().remove(0);
    open.episode.verdict = None;
    summaries[0] = summary(0, "p0", Some(open));
    summaries[7] = summary(7, "p3", None);
    let report = reported(Profile::Strict, &summaries);
    let record = &report.record;
    assert_eq!(
        [&record["n"], &record["played"], &record["judged"], &record["incomplete"]],
        [&json!(8), &json!(7), &json!(6), &json!(2)]
    );
    assert_eq!(record["rankable"], json!(false));
    near(
        record,
        &[
            ("/pass_at_1", 0.5),
            ("/pass_at_1_bounds/0", 3.0 / 8.0),
            ("/pass_at_1_bounds/1", 5.0 / 8.0),
        ],
    );
    assert_eq!(report.remarks.len(), 1, "{:?}", report.remarks);
    // The reference counts a missing verdict as wrong.
    near(
        &reported(Profile::Reference, &summaries).record,
        &[("/pass_at_1", 3.0 / 7.0), ("/incomplete", 1.0)],
    );
}

#[test]
fn repeats_have_a_deviation() {
    let mut twice = summaries();
    let mut again = summaries();
    for summary in &mut again {
        summary.repeat = 2;
        with(summary, "verdict", json!(Verdict::Correct));
    }
    twice.extend(again);
    let record = reported(Profile::Strict, &twice).record;
    near(&record, &[("/pass_at_1", 0.75), ("/repeats", 2.0), ("/pass_at_1_std", 0.125_f64.sqrt())]);
    assert_eq!(reported(Profile::Strict, &summaries()).record["pass_at_1_std"], Value::Null);
}

#[test]
fn an_empty_run_and_a_run_without_search() {
    let record = reported(Profile::Strict, &[]).record;
    assert_eq!(record["pass_at_1"], Value::Null);
    assert_eq!(
        record["by_tier"]["hard"],
        json!({
            "n": 0, "pass_at_1": null, "pass_at_1_interval": null, "fcr": null, "fcr_sd": null, "hit_rate": null, "tool_calls": null
        })
    );
    assert_eq!((&record["rankable"], &record["overall_published"]), (&json!(false), &Value::Null));
    let report = testing::report(&ParaWorld, &spec(Profile::Strict, "A"), &summaries());
    assert_eq!(report.headline.len(), 3);
    let titles: Vec<&str> = report.groups.iter().map(|group| group.title.as_str()).collect();
    assert_eq!(titles.len(), 1, "nothing about searching: {titles:?}");
    assert!(titles[0].to_lowercase().contains("format"), "{titles:?}");
    assert!(report.remarks[0].contains("Nothing is searched"));
}

#[test]
fn one_pair_has_numbers_but_no_intervals() {
    let one = &summaries()[..1];
    let report = testing::report(&ParaWorld, &spec(Profile::Strict, "A"), one);
    assert!(report.headline[0].value.is_some());
    assert!(report.headline.iter().all(|figure| figure.interval.is_none()));
}

/// Eight times wrong, or right, in four pairs: four of four, by Wilson, and not a point.
#[test]
fn what_is_always_alike_has_an_interval_all_the_same() {
    for (verdict, wanted) in
        [(Verdict::Incorrect, [0.0, 0.489891]), (Verdict::Correct, [0.510109, 1.0])]
    {
        let alike = |(at, mut numbers): (usize, Numbers)| {
            numbers.episode.verdict = Some(verdict);
            summary(at, &format!("p{}", at / 2), Some(numbers))
        };
        let summaries: Vec<Summary> = s().into_iter().enumerate().map(alike).collect();
        let record = reported(Profile::Strict, &summaries).record;
        near(
            &record,
            &[("/pass_at_1_interval/0", wanted[0]), ("/pass_at_1_interval/1", wanted[1])],
        );
    }
}

#[test]
fn the_rule_based_engine_is_not_compared_with_itself() {
    let mut summaries = summaries();
    with(&mut summaries[0], "agreement", json!({ "compared": 4, "same_class": 3, "same": 2 }));
    near(
        &reported(Profile::Strict, &summaries).record,
        &[("/engine_agreement/same", 0.5), ("/engine_agreement/same_class", 0.75)],
    );
    let mut spec = spec(Profile::Strict, "C");
    if let Some(sitting) = spec.seats.get_mut(&Seat::new("engine")) {
        sitting.player = Player::Bot("facts".to_owned());
    }
    let record = testing::report(&ParaWorld, &spec, &summaries).record;
    assert_eq!(record["engine_agreement"], Value::Null);
}

#[test]
fn settings_side_by_side() {
    let all_right: Vec<Summary> = s()
        .into_iter()
        .enumerate()
        .map(|(world, mut numbers)| {
            numbers.episode.verdict = Some(Verdict::Correct);
            summary(world, "p", Some(numbers))
        })
        .collect();
    let (a, c) = (spec(Profile::Strict, "A"), spec(Profile::Strict, "C"));
    let compared = compare(&[(&a, &all_right), (&c, &summaries())]).unwrap();
    near(
        &compared.record,
        &[
            ("/search_gap", 0.5),
            ("/worlds", 8.0),
            ("/settings/A/pass_at_1", 1.0),
            ("/settings/C/n", 8.0),
        ],
    );
    assert_eq!(compared.headline[0].label, "search gap");
    assert_eq!(compared.rankings[0].rows.len(), 2);
    let custom = spec(Profile::Strict, "custom");
    let field = |runs: &[(&Spec, &[Summary])]| compare(runs).unwrap_err().field;
    assert_eq!(field(&[(&a, &all_right), (&custom, &all_right)]), "settings.setting");
    assert_eq!(field(&[(&c, &all_right), (&c, &all_right)]), "tasks");
    let mut other = c.clone();
    other.seats.remove(&Seat::new("player"));
    assert_eq!(field(&[(&a, &all_right), (&other, &all_right)]), "seats.player");
}

/// 1,608 episodes of 12 calls: a page computes this while it draws, so it must not take long. Even without optimisation it is
/// far below what a person notices.
#[test]
fn as_many_episodes_as_the_paper_has() {
    let logs: Vec<(bool, bool, Option<u32>)> =
        (0..12).map(|call| (call % 3 == 0, false, Some(1 + call % 9))).collect();
    let many: Vec<Summary> = (0..1608)
        .map(|world| {
            let verdict = if world % 3 == 0 { Verdict::Correct } else { Verdict::Incorrect };
            let pair = format!("p{}", world / 4);
            summary(world, &pair, Some(numbers(9, &logs, Status::Finished, verdict)))
        })
        .collect();
    let record = reported(Profile::Strict, &many).record;
    near(&record, &[("/n", 1608.0), ("/pass_at_1", 1.0 / 3.0), ("/tool_calls", 12.0)]);
}
