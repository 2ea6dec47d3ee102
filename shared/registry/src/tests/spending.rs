use crate::benchmark::default_spec;
use crate::effect::SEARCH;
use crate::examples::{QUESTIONS, example};
use crate::metrics::cost::Cost;
use crate::metrics::spending::*;
use crate::metrics::summary;
use crate::prelude::*;
use crate::prompt::ThreadId;
use crate::run::header;
use serde_json::json;
use turnwise_core::testing::{assert_has, sitting};

fn day(text: &str) -> Day {
    text.parse().expect("a day")
}

/// Milliseconds since 1970 at noon of a day in 2026.
fn noon(days_after_new_year: u64) -> u64 {
    (1_767_225_600 + days_after_new_year * 86_400 + 43_200) * 1000
}

fn book() -> PriceBook {
    serde_json::from_str(include_str!("spending_prices.json")).expect("a sound book")
}

fn options(on: Option<&str>) -> MeasureOptions {
    MeasureOptions { prices: book(), day: on.map(day), ..MeasureOptions::default() }
}

/// A run in which this model plays and bots do the rest; the web is searched.
fn spec(provider: &str, model: &str) -> Spec {
    let mut spec = default_spec(example(QUESTIONS));
    spec.seats.insert(Seat::new(Seat::PLAYER), sitting(&format!("model:{provider}/{model}")));
    spec.search = Some(SearchSpec { engine: "web".to_owned(), corpus: None, results: 5 });
    spec
}

/// An episode in which these replies came to the player (`Said`, `Failed`) or to a search (`Found`).
fn play(spec: &Spec, replies: Vec<(&str, Reply)>) -> Transcript {
    let task = example(QUESTIONS).samples().tasks[0].clone();
    let header = header(spec, &task, 1, Part::Play);
    let mut events = vec![Some(Event::Opened(Box::new(header.clone())))];
    for (call, (who, reply)) in (1..).zip(replies) {
        let call = CallId(call);
        let request = match who {
            SEARCH => Request::Search(Query {
                text: "mill".to_owned(),
                results: 5,
                locale: None,
                since: None,
            }),
            seat => Request::Ask {
                seat: Seat::new(seat),
                thread: ThreadId(0),
                templates: Vec::new(),
                digest: Digest::of(""),
            },
        };
        events.push(Some(Event::Asked { call, request }));
        events.push(Some(Event::Told { call, reply }));
    }
    Transcript { header, events, chain: Digest::of("") }
}

fn said(input: u64, cached: u64, output: u64) -> Reply {
    let mut said = Said::text("x");
    said.usage = Usage {
        input: Some(input),
        cached: Some(cached),
        output: Some(output),
        ..Usage::default()
    };
    Reply::Said(said)
}

fn found(hits: usize) -> Reply {
    let hit = Hit { title: None, snippet: None, url: None };
    Reply::found(vec![hit; hits])
}

fn failed(class: FailureClass) -> Reply {
    Reply::Failed(Failure::new(class, "x"))
}

fn spent(spec: &Spec, replies: Vec<(&str, Reply)>, options: &MeasureOptions) -> Spending {
    let summary = summarise(&play(spec, replies), None, Measured::default());
    of(spec, [&summary.usage], options)
}

fn millionths(amount: Amount) -> u128 {
    amount.exactly().expect("all has a price").millionths()
}

fn at_least(amount: Amount) -> u128 {
    amount.at_least().expect("a part has a price").millionths()
}

fn dollars(amount: Amount) -> Option<f64> {
    amount.exactly().map(Cost::dollars)
}

#[test]
fn costs_are_counted_by_role() {
    let spec = spec("lab", "m");
    let replies = vec![
        ("player", said(100_000, 40_000, 1_000)),
        (SEARCH, found(5)),
        (SEARCH, found(3)),
        ("responder", Reply::Said(Said::text("yes"))),
        ("player", said(200_000, 0, 0)),
    ];
    let spending = spent(&spec, replies, &options(Some("2026-01-05")));
    // 260,000 at 1, 40,000 at 0.1, 1,000 at 10; two searches at 5 for a thousand.
    let player = &spending.roles["player"];
    assert_eq!(millionths(player.amount), 260_000 + 4_000 + 10_000);
    assert_eq!(player.who, "lab/m");
    assert_eq!(millionths(spending.roles[SEARCH].amount), 10_000);
    assert_eq!(spending.roles[SEARCH].usage.short, 1);
    assert_eq!(dollars(spending.roles["responder"].amount), Some(0.0));
    assert_eq!(millionths(spending.total), 284_000);
    assert_eq!((spending.remark(), spending.seen.clone()), (None, Some(day("2026-02-02"))));
    let record = spending.record();
    assert_has(
        &record["player"],
        &json!({ "usd": 0.274, "tokens_cached": 40_000, "usd_at_least": null }),
    );
}

#[test]
fn unknown_is_never_nothing_and_a_sum_with_it_is_never_whole() {
    let on = options(Some("2026-01-05"));
    let replies = || vec![("player", said(100, 0, 10)), (SEARCH, found(5))];
    let of_another = spent(&spec("lab", "m-mini"), replies(), &on);
    assert_eq!(of_another.roles["player"].amount.exactly(), None);
    assert_eq!(of_another.roles["player"].amount.at_least(), None, "not 0");
    assert_eq!(of_another.total.exactly(), None);
    assert_eq!(at_least(of_another.total), 5_000);
    let remark = of_another.remark().expect("a part has no price");
    assert!(
        remark.starts_with("The cost is at least $0.0050: lab/m-mini has no price here (1 call)"),
        "{remark}"
    );
    let elsewhere = spent(&spec("other", "m"), replies(), &on);
    assert_eq!(elsewhere.roles["player"].amount.unknown, 1);
    let before = spent(&spec("lab", "m"), replies(), &options(Some("2025-12-31")));
    assert_eq!((before.total.exactly(), before.total.at_least()), (None, None));
    assert!(before.remark().expect("a part has no price").starts_with("The cost is not known: "));
    let nobody_knows_when = spent(&spec("lab", "m"), replies(), &options(None));
    assert_eq!(nobody_knows_when.total.unknown, 2);
}

#[test]
fn what_is_free_is_known_to_be() {
    let on = options(Some("2026-01-05"));
    let mut bots = default_spec(example(QUESTIONS));
    bots.search = Some(SearchSpec {
        engine: "local".to_owned(),
        corpus: Some(Digest::of("documents")),
        results: 5,
    });
    let replies = vec![("player", Reply::Said(Said::text("x"))), (SEARCH, found(5))];
    let spending = spent(&bots, replies, &MeasureOptions::default());
    assert_eq!(dollars(spending.total), Some(0.0));
    assert!(!spending.is_of_interest());
    let scripted = spent(&spec("scripted", "trial"), vec![("player", said(5, 0, 5))], &on);
    assert_eq!(dollars(scripted.total), Some(0.0));
}

#[test]
fn parts_that_nobody_can_know_make_the_rest_a_lower_bound() {
    let on = options(Some("2026-01-05"));
    let about = |model: &str, replies: Vec<(&str, Reply)>| spent(&spec("lab", model), replies, &on);
    let cached = about("plain", vec![("player", said(1_000_000, 500_000, 0))]);
    assert_eq!(cached.total.exactly(), None);
    assert_eq!(at_least(cached.total), 500_000);
    let untold = about(
        "plain",
        vec![("player", said(1_000_000, 0, 0)), ("player", Reply::Said(Said::text("x")))],
    );
    assert_eq!((untold.total.exactly(), untold.total.unknown), (None, 1));
    let too_long = about("m", vec![("player", said(500_001, 0, 0))]);
    assert_eq!((too_long.total.exactly(), too_long.total.at_least()), (None, None));
    for class in FailureClass::ALL {
        let one = about(
            "plain",
            vec![
                ("player", said(1_000_000, 0, 0)),
                ("player", failed(class)),
                (SEARCH, failed(class)),
            ],
        );
        assert_eq!(one.total.exactly().is_none(), class.may_be_charged(), "{class:?}");
        assert_eq!(one.total.known.millionths(), 1_000_000, "{class:?}");
    }
}

#[test]
fn the_day_of_the_call_chooses_the_price() {
    let spec = spec("lab", "m");
    let played =
        play(&spec, vec![("player", said(1_000_000, 0, 0)), ("player", said(1_000_000, 0, 0))]);
    // The options name a day on which another price held; the times know better.
    let on = options(Some("2026-01-20"));
    let dated = |first: u64, second: u64| {
        let mut summary = summarise(&played, None, Measured::default());
        summary::date(&mut summary, &played, |call| {
            Some(noon(if call == CallId(1) { first } else { second }))
        });
        of(&spec, [&summary.usage], &on)
    };
    // One call of 500,000 is too long for the first price, so these are shorter.
    let played_short = play(&spec, vec![("player", said(400_000, 0, 0))]);
    let mut summary = summarise(&played_short, None, Measured::default());
    summary::date(&mut summary, &played_short, |_| Some(noon(9)));
    assert_eq!(summary.usage["player"].days, Some((day("2026-01-10"), day("2026-01-10"))));
    assert_eq!(millionths(of(&spec, [&summary.usage], &on).total), 400_000);
    assert_eq!(millionths(dated(10, 11).total), 4_000_000);
    // Over a change of prices within an episode only a bound is known.
    let mut over = summarise(&played_short, None, Measured::default());
    summary::date(&mut over, &played_short, |_| Some(noon(9)));
    summary::date(&mut over, &played_short, |_| Some(noon(10)));
    let over = of(&spec, [&over.usage], &on);
    assert_eq!(at_least(over.total), 400_000);
    assert!(over.remark().expect("prices changed meanwhile").contains("changed while an episode"));
}

#[test]
fn a_report_has_the_table_and_says_what_is_missing() {
    let spec = spec("lab", "unlisted");
    let played = play(&spec, vec![("player", said(10, 0, 1)), (SEARCH, found(2))]);
    let summary = summarise(&played, None, Measured::default());
    let report = example(QUESTIONS).report(&spec, &[&summary], &options(Some("2026-01-05")));
    assert_has(
        &report.record,
        &json!({ "cost_usd": null, "cost_usd_at_least": 0.005, "searches_short": 1, "cost_by_role": { "search": { "usd": 0.005 } }, "cost_unknown": ["lab/unlisted has no price here (1 call)"] }),
    );
    let table = report
        .tables
        .iter()
        .find(|table| table.title == "Cost by role")
        .expect("a run that costs has it");
    let names: Vec<_> = table.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["player (lab/unlisted)", "search (web)", "all"]);
    assert_eq!(table.rows[0].cells[..2], [None, None]);
    assert_eq!(table.rows[2].cells[..2], [None, Some(0.005)]);
    assert!(report.remarks.iter().any(|remark| remark.contains("1 of 1 searches brought fewer")));
}

#[test]
fn counts_that_nobody_told_are_empty_and_not_zero() {
    let spec = spec("lab", "m");
    let untold = || {
        let mut reply = said(0, 0, 0);
        if let Reply::Said(said) = &mut reply {
            said.usage = Usage::default();
        }
        reply
    };
    let half = || {
        let mut reply = untold();
        if let Reply::Said(said) = &mut reply {
            said.usage.output = Some(6);
        }
        reply
    };
    let absurd = || said(u64::MAX, 0, 6);
    let shared = || said(0, 0, 0);
    for (replies, counted, read, written) in [
        (vec![untold(), untold()], 0, None, None),
        (vec![half(), untold()], 0, None, Some(6)),
        (vec![absurd()], 0, None, Some(6)),
        (vec![shared(), shared()], 2, Some(0), Some(0)),
        (vec![said(20, 5, 6), untold()], 1, Some(20), Some(6)),
    ] {
        let replies = replies.into_iter().map(|reply| ("player", reply)).collect();
        let spending = spent(&spec, replies, &options(Some("2026-01-05")));
        let player = &spending.record()["player"];
        let number = |count: Option<u64>| count.map_or(serde_json::Value::Null, Into::into);
        assert_eq!(player["counted"], counted);
        assert_eq!(player["tokens_read"], number(read));
        assert_eq!(player["tokens_written"], number(written));
        let table = spending.table();
        let row = &table.rows[0];
        let cell = |label: &str| {
            let mut labels = table.columns.iter().map(|column| column.label.as_str());
            row.cells[labels.position(|it| it == label).expect("it is there")]
        };
        let shown = |count: Option<u64>| count.map(|count| count as f64);
        assert_eq!((cell("read"), cell("written")), (shown(read), shown(written)));
    }
}

#[test]
fn replies_that_did_not_come_to_their_own_end_are_told_by_why() {
    let spec = spec("lab", "m");
    let ended = |stop| match said(10, 0, 1) {
        Reply::Said(said) => Reply::Said(Said { stop, ..said }),
        other => other,
    };
    let stops = [Stop::End, Stop::Length, Stop::Refused, Stop::Length, Stop::Other];
    let mut replies: Vec<_> = stops.map(|stop| ("player", ended(stop))).into();
    replies.push(("player", failed(FailureClass::Server)));
    let spent = spent(&spec, replies, &options(Some("2026-01-05")));
    assert_eq!(
        spent.stopped(),
        ["player: of 5 replies 2 cut off at the limit of tokens, 1 refused by the model."]
    );
    assert_eq!(spent.record()["player"]["stops"], json!({ "length": 2, "refused": 1 }));
    let plainly = self::spent(&spec, vec![("player", said(1, 0, 1))], &options(None));
    assert!(plainly.stopped().is_empty());
}

#[test]
fn tokens_put_into_a_cache_have_a_column_where_there_are_any() {
    let spec = spec("lab", "m");
    let kept = |count| match said(10, 0, 1) {
        Reply::Said(mut said) => {
            said.usage.cache_written = Some(count);
            Reply::Said(said)
        }
        other => other,
    };
    let columns = |count| {
        let spent = spent(&spec, vec![("player", kept(count))], &options(None));
        spent.table().columns.len()
    };
    assert_eq!(columns(4), columns(0) + 1);
}
