//! Numbers of a run, by hand.

use serde_json::json;

use super::*;
use crate::Studio;
use turnwise_core::benchmark::default_spec;
use turnwise_core::metrics::figures::Figures;
use turnwise_core::metrics::summary::SeatUsage;
use turnwise_core::prelude::*;
use turnwise_core::testing::assert_has;

fn ended(level: u32, reached: Stage, why: Option<(At, &str)>, facts: usize) -> Ended {
    Ended {
        level,
        reached,
        stage: why.map(|(stage, _)| stage),
        reason: why.map(|(_, reason)| reason.to_owned()),
        facts,
        edits: u32::from(level == 4),
    }
}

fn summary(domain: &str, questions: Vec<Ended>, complete: bool) -> Summary {
    let seat = |calls, model: Option<&str>| SeatUsage {
        calls,
        model_calls: if model.is_some() { calls } else { 0 },
        counted: if model.is_some() { calls } else { 0 },
        input: if model.is_some() { 1000 } else { 0 },
        output: if model.is_some() { 100 } else { 0 },
        provider: model.map(|_| "lab".to_owned()),
        model: model.map(str::to_owned),
        ..SeatUsage::default()
    };
    Summary {
        task: TaskRef {
            id: "p".into(),
            digest: Digest::of(""),
            labels: [("domain".to_owned(), domain.to_owned())].into(),
        },
        ending: complete.then(|| "part".to_owned()),
        complete,
        usage: [
            ("lawgiver".to_owned(), seat(4, Some("big"))),
            ("editor".to_owned(), seat(3, None)),
        ]
        .into(),
        measured: Measured { numbers: Figures::of(&Numbers { questions }), ..Measured::default() },
        ..Summary::bare()
    }
}

fn run(options: &MeasureOptions) -> Report {
    let episodes = [
        summary(
            "Band",
            vec![ended(2, Stage::Accepted, None, 4), ended(4, Stage::Accepted, None, 12)],
            true,
        ),
        summary(
            "Choir",
            vec![
                ended(2, Stage::Accepted, None, 7),
                ended(4, Stage::LawDrafted, Some((At::Checks, "no_unit")), 9),
            ],
            true,
        ),
        summary("Choir", Vec::new(), false),
    ];
    Studio.report(&default_spec(&Studio), &episodes.iter().collect::<Vec<_>>(), options)
}

#[test]
fn yield_reasons_and_tiers() {
    let report = run(&MeasureOptions::default());
    let record = &report.record;
    assert_has(
        record,
        &json!({ "questions": 4, "accepted": 0.75, "pairs": 2, "pairs_whole": 1, "incomplete": 1 }),
    );
    assert_eq!(
        record["yield"],
        json!({ "begun": 4, "drafted": 4, "law drafted": 4, "self-checked": 3, "audit 1": 3, "audit 2": 3, "accepted": 3, "kept": 2 })
    );
    assert_eq!(record["rejections"], json!({ "checks": { "no_unit": 1 } }));
    assert_eq!(record["worlds_per_tier"], json!({ "easy": 1, "mid": 0, "hard": 1 }));
    let titles: Vec<&str> = report.tables.iter().map(|table| table.title.as_str()).collect();
    assert_eq!(titles, ["Yield", "Rejections", "Worlds by tier", "Cost by role"]);
    let rows: Vec<_> = report.tables[0].rows.iter().map(|row| (row.name.as_str(), row.n)).collect();
    assert_eq!(rows.last(), Some(&("kept", 2)));
    assert_eq!(report.tables[0].rows[3].cells, [Some(0.75), Some(0.75)]);
    for table in &report.tables {
        assert!(table.rows.iter().all(|row| row.cells.len() == table.columns.len()));
    }
    assert!(report.remarks.iter().any(|remark| remark.contains("1 pairs are incomplete")));
    assert!(report.remarks.iter().any(|remark| remark.contains("changed drafts 2 times")));
}

#[test]
fn parts_by_domain_and_level() {
    let report = run(&MeasureOptions::default());
    let rows = |by: &str| -> Vec<(String, u32, Option<f64>)> {
        let breakdown = report.breakdowns.iter().find(|breakdown| breakdown.by == by).unwrap();
        breakdown.rows.iter().map(|row| (row.value.clone(), row.n, row.score)).collect()
    };
    assert_eq!(
        rows("domain"),
        [("Band".to_owned(), 2, Some(1.0)), ("Choir".to_owned(), 2, Some(0.5))]
    );
    assert_eq!(rows("level"), [("2".to_owned(), 2, Some(1.0)), ("4".to_owned(), 2, Some(0.5))]);
}

#[test]
fn costs_count_incomplete_pairs_and_are_unknown_without_a_price() {
    let unknown = run(&MeasureOptions::default());
    assert_has(
        &unknown.record["seats"],
        &json!({ "lawgiver": { "calls": 12, "tokens_read": 3000, "dollars": null }, "editor": { "dollars": 0.0 } }),
    );
    let cost = |report: &Report| {
        let figure = report.headline.iter().find(|figure| figure.label == "Cost");
        figure.unwrap().value
    };
    assert_eq!(cost(&unknown), None);
    let options = MeasureOptions {
        prices: serde_json::from_value(json!({ "price": [{
            "provider": "lab", "model": "big", "from": "2026-01-01", "input": 1, "output": 10,
        }] }))
        .unwrap(),
        day: Some("2026-11-21".parse().unwrap()),
        ..MeasureOptions::default()
    };
    // 3,000 tokens read at 1 dollar a million, 300 written at 10.
    let known = cost(&run(&options)).unwrap();
    assert!((known - 0.006).abs() < 1e-12, "{known}");
}
