//! The search for evidence, and what failures leave of it.

use super::*;
use turnwise_core::testing::cases;

fn result(played: &Played) -> &Value {
    &played.outcome().result
}

/// The traces of 7.7 as `strict` has them.
#[test]
fn requests_come_in_their_order() {
    // `search N`, `rank N` and `DONE` stand for what the helpers of these tests write.
    let written = |reply: &str| match reply.split_once(' ') {
        Some(("search", number)) => searches(&format!("query {number}")),
        Some(("rank", count)) => {
            let urls = 1..=count.parse::<u32>().expect("a count");
            let urls: Vec<_> = urls.map(|at| format!("https://a.example/{at}")).collect();
            ranks(&urls.iter().map(String::as_str).collect::<Vec<_>>())
        }
        _ if reply == "DONE" => DONE.to_owned(),
        _ => reply.to_owned(),
    };
    type Row = (Value, Vec<&'static str>, Vec<&'static str>, &'static str, usize, &'static str);
    for (settings, plans, after, asked, calls, stopped) in
        cases::<Row>(include_str!("traces.jsonl"))
    {
        let player: Vec<String> = plans.iter().chain(&after).map(|reply| written(reply)).collect();
        let player: Vec<&str> = player.iter().map(String::as_str).collect();
        let (played, used) = play(settings, &[("player", &player)]);
        assert_eq!((trace(&played).as_str(), used.len()), (asked, calls), "{plans:?} {after:?}");
        assert_eq!(result(&played)["stopped"].as_str().unwrap_or_default(), stopped, "{plans:?}");
    }
}

#[test]
fn several_steps_of_a_plan_wait_their_turn_and_what_is_left_is_dropped() {
    let three = |from: u32| -> String {
        let step = |at: u32| json!({ "task_name": "t", "command": { "name": "web_search", "args": { "text": format!("q{at}") } } });
        json!((from..from + 3).map(step).collect::<Vec<_>>()).to_string()
    };
    let replies: [&str; 5] = [&three(1), &three(4), "In 1994.", "no", "[]"];
    let (played, used) = play(json!({ "steps": 2 }), &[("player", &replies)]);
    assert_eq!(used, ["search q1", "search q2"]);
    assert_eq!((trace(&played).as_str(), played.summary.flags["dropped_steps"]), ("ppcrk", 1));
}

#[test]
fn a_step_is_done_once() {
    let (search, open) = (searches("Borey"), opens("https://a.example/1#top", 1));
    let same = opens("https://A.example/1", 1);
    let replies: [&str; 8] =
        [&search, &searches(" BOREY "), &open, &same, DONE, "In 1994.", "no", "[]"];
    let (played, used) = play(json!({}), &[("player", &replies)]);
    assert_eq!(used, ["search Borey", "open https://a.example/1#top"]);
    assert_eq!(played.summary.flags["repeated"], 2);
    assert!(played.shown_to("player")[2].contains("You did this already"));
}

#[test]
fn a_long_page_has_parts_and_is_fetched_once() {
    let url = "https://a.example/long";
    let replies: [&str; 8] = [
        &opens(url, 1),
        &opens(url, 2),
        &opens(url, 9),
        &opens("https://a.example/empty", 1),
        DONE,
        "a",
        "b",
        "[]",
    ];
    let (played, used) = play(json!({}), &[("player", &replies)]);
    assert_eq!(used, [format!("open {url}"), "open https://a.example/empty".to_owned()]);
    // Four pieces and one request that joins what was said of them, for each part.
    assert_eq!(played.shown_to("reader").len(), 10);
    let plans = played.shown_to("player");
    assert!(plans[1].contains("part 1 of 4; ask for another"), "{}", plans[1]);
    assert!(plans[3].contains("there is no part 9") && plans[4].contains("The page has no text"));
    assert!(plans[1].contains("https://a.example/long") && plans[1].contains("title: Borey"));
}

#[test]
fn a_failed_tool_is_told_with_its_rule_and_a_miss_is_counted_apart() {
    let replies: [&str; 8] = [
        &opens("https://a.example/gone", 1),
        &opens("https://a.example/miss", 1),
        &searches("miss"),
        &searches("nothing"),
        &opens("file:///etc/passwd", 1),
        "a",
        "b",
        "[]",
    ];
    let (played, used) = play(json!({}), &[("player", &replies)]);
    let flags = &played.summary.flags;
    assert_eq!((flags["tool_failed"], flags["frozen_miss"], used.len()), (2, 2, 5));
    let told = played.shown_to("player");
    assert!(told[1].contains("It failed (refused): the address is not public"), "{}", told[1]);
    assert!(told[4].contains("(the search found nothing)") && told[5].contains("not public"));
    let record = report(&spec(json!({})), &[&played]);
    assert_eq!((&record["frozen_misses"], &record["failed_tool_rate"]), (&json!(2), &json!(0.4)));
}

/// 3.8: what is missing is wrong, and the rest is kept.
#[test]
fn failed_calls_leave_the_other_outputs() {
    let two = ranks(&["https://a.example/1"]);
    let search = searches("Borey");
    for (replies, traced, missing) in [
        (vec![&*search, FAILED_CALL, FAILED_CALL, "In 1994.", "no", &two], "pppcrka", ""),
        (vec![&*search, DONE, FAILED_CALL, "no", &two], "ppcrka", "conclusion"),
        (vec![&*search, DONE, "In 1994.", FAILED_CALL, &two], "ppcrka", "offline"),
        (vec![&*search, DONE, "In 1994.", "no", FAILED_CALL], "ppcrk", "evidence"),
        (vec![&*search, DONE, FILTERED, "no", &two], "ppcrka", "conclusion"),
    ] {
        let (played, _) = play(json!({}), &[("player", &replies)]);
        assert_eq!(trace(&played), traced);
        let result = result(&played);
        for name in ["conclusion", "offline"] {
            assert_eq!(result[name].is_null(), name == missing, "{traced} {name}");
        }
        assert_eq!(result["evidence"] == json!([]), missing == "evidence", "{traced}");
        assert_eq!(played.summary.score, Some(if missing == "conclusion" { 0.0 } else { 1.0 }));
    }
    // Where nothing is left it can be taken up again.
    let (played, _) =
        play(json!({}), &[("player", &[DONE, FAILED_CALL, FAILED_CALL, FAILED_CALL])]);
    assert!(!played.outcome().is_complete() && played.summary.score.is_none());
    let reader: [&str; 1] = [FAILED_CALL];
    let replies: [&str; 5] = [&opens("https://a.example/1", 1), DONE, "a", "b", "[]"];
    let (played, _) = play(json!({}), &[("player", &replies), ("reader", &reader)]);
    assert!(played.shown_to("player")[1].contains("could not be summarised"));
}

#[test]
fn an_address_that_was_never_found_is_marked() {
    let pages =
        ranks(&["https://a.example/2", "https://invented.example", "https://a.example/opened"]);
    let replies: [&str; 6] =
        [&searches("Borey"), &opens("https://a.example/opened", 1), DONE, "a", "b", &pages];
    let (played, _) = play(json!({}), &[("player", &replies)]);
    let pages = result(&played)["evidence"].as_array().expect("a list");
    let seen: Vec<bool> = pages.iter().filter_map(|page| page["seen"].as_bool()).collect();
    assert_eq!((seen, played.summary.flags["unseen_page"]), (vec![true, false, true], 1));
}

#[test]
fn a_person_ranks_addresses_alone() {
    let form =
        r#"{"action":"rank","params":{"1":"https://a.example/opened","2":"https://a.example/2"}}"#;
    let search = r#"{"action":"web_search","params":{"text":"Borey"}}"#;
    let open = r#"{"action":"browse_website","params":{"url":"https://a.example/opened","question":"","part":""}}"#;
    let done = r#"{"action":"task_complete","params":{}}"#;
    let replies = [search, open, done, "in 1994", form];
    let (played, _) = play(json!({ "offline": false }), &[("player", &replies)]);
    let pages = &result(&played)["evidence"];
    assert!(pages[0]["content"].as_str().is_some_and(|text| text.contains("in 1994")), "{pages}");
    assert_eq!(
        pages[1]["content"],
        "title: Page 2\nbody: Borey Island, passage 2.\nurl: https://a.example/2"
    );
    assert_eq!(played.summary.score, Some(1.0));
}

#[test]
fn languages_and_the_date_are_told() {
    let (played, used) =
        play(json!({ "language": "zh", "date": "2025-05-20", "mode": "single_search" }), &[]);
    assert_eq!(used, ["search 博雷岛何时独立？"]);
    let asked = played.shown_to("player");
    assert!(
        asked[0].contains("今天是2025-05-20（星期二）。") && asked[0].contains("passage 1"),
        "{}",
        asked[0]
    );
    assert!(played.shown_to("judge")[0].contains("参考答案：1994年"));
    let plan = |language: &str| {
        let (played, _) = play(json!({ "language": language }), &[]);
        played.shown_to("player")[0].to_owned()
    };
    assert!(
        plan("en-aware").contains("whatever language helps")
            && !plan("en").contains("whatever language")
    );
    assert!(plan("zh-aware").contains("任何有帮助的语言") && !plan("en").contains("Today is"));
    let bad = Spec { settings: json!({ "date": "May" }), ..spec(json!({})) };
    let error =
        <dyn Benchmark>::check_spec(&InfoDeepSeek, &bad).expect_err("it is no day").to_string();
    assert!(error.contains("settings.date: expected a day as 2025-05-20"), "{error}");
}

#[test]
fn modes_without_a_plan() {
    let replies: [&str; 2] = ["In 1994.", "in 1994"];
    let (played, used) = play(json!({ "mode": "single_search" }), &[("player", &replies)]);
    assert_eq!((trace(&played).as_str(), used.len(), played.summary.score), ("cr", 1, Some(1.0)));
    let (played, used) = play(json!({ "mode": "offline" }), &[("player", &["In 1994."])]);
    assert_eq!((trace(&played).as_str(), used.len()), ("c", 0));
    let record = report(&spec(json!({ "mode": "offline" })), &[&played]);
    assert_eq!(
        (&record["accuracy"], &record["eeu"], &record["ic"]),
        (&json!(1.0), &Value::Null, &Value::Null)
    );
}

#[test]
fn what_cannot_be_played_is_refused_with_the_reason() {
    let reference = Spec { profile: Profile::Reference, ..spec(json!({})) };
    let error = <dyn Benchmark>::check_spec(&InfoDeepSeek, &reference)
        .expect_err("it is not built")
        .to_string();
    assert!(
        error.contains("cannot be run in reference") && error.contains("authors' program"),
        "{error}"
    );
    let silent = Spec { search: None, ..spec(json!({})) };
    let blind = Spec { web: None, search: None, ..spec(json!({})) };
    let field =
        |spec: &Spec| <dyn Benchmark>::check_spec(&InfoDeepSeek, spec).map_err(|bad| bad.field);
    assert_eq!((field(&silent), field(&blind)), (Err("search".to_owned()), Err("web".to_owned())));
    let single = Spec { web: None, ..spec(json!({ "mode": "single_search" })) };
    assert_eq!(<dyn Benchmark>::check_spec(&InfoDeepSeek, &single), Ok(()));
    let offline = Spec { search: None, web: None, ..spec(json!({ "mode": "offline" })) };
    assert_eq!(<dyn Benchmark>::check_spec(&InfoDeepSeek, &offline), Ok(()));
}

/// The bounds of 8: what a run is allowed is at least what its longest episode needs.
#[test]
fn no_seat_is_asked_more_often_than_announced() {
    let settings = json!({ "steps": 2, "pages": 2 });
    let [open, more] = [1, 2].map(|part| opens("https://a.example/long", part));
    let pages = ranks(&["https://a.example/1", "https://a.example/2"]);
    let unread = [""; 12];
    let player = ["?", &open, "?", &more, "one", "two", "?", &pages];
    let replies: [(&str, &[&str]); 5] = [
        ("player", &player),
        ("answerer", &["three", "four"]),
        ("judge", &unread),
        ("second", &unread),
        ("arbiter", &unread),
    ];
    let (played, used) = play(settings.clone(), &replies);
    let spec = spec(settings);
    let most = InfoDeepSeek.most_calls(&spec, &questions().tasks[0]).expect("it can be played");
    for (seat, most) in most {
        let asked = match seat {
            "page" | "search" => used.len(),
            seat => played.shown_to(seat).len(),
        };
        assert!(asked <= most as usize, "{seat} is asked {asked} times of {most}");
    }
    assert_eq!(played.summary.score, None, "no judge could be read");
}
