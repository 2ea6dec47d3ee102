//! Can any text that a player says break an episode? Arbitrary replies, every failure: never a panic, never over budget,
//! always an end, and always a transcript that replays.

use proptest::prelude::*;
use turnwise_shared::effect::Effect;
use turnwise_shared::prelude::*;
use turnwise_shared::replay::{Extent, Replay};
use turnwise_shared::session::Next;
use turnwise_shared::transcript;
use turnwise_tests::{file, open, open_grading, spec, tasks};

/// The reply to one call, whatever it asks for.
#[derive(Debug, Clone)]
pub enum Told {
    Text(Option<String>),
    Hits(Vec<Hit>),
    Failed(FailureClass),
}

fn text() -> impl Strategy<Value = String> {
    let action = prop_oneof![
        Just("search"),
        Just("ask"),
        Just("answer"),
        Just(" answer "),
        Just("browse"),
        Just("")
    ];
    let params = prop_oneof![
        Just(r#"{"query":"a"}"#),
        Just(r#"{"question":"b"}"#),
        Just(r#"{"answer":"c","confidence":"50"}"#),
        Just(r#"{"answer":"c","confidence":1e400}"#),
        Just(r#"{"answer":null}"#),
        Just("[]"),
        Just("{"),
    ];
    let object = (action, params)
        .prop_map(|(action, params)| format!(r#"{{"action":"{action}","params":{params}}}"#));
    let said = prop_oneof![
        Just("yes"),
        Just("no"),
        Just("i don't know"),
        Just("I don’t know."),
        Just("known")
    ];
    prop_oneof![
        4 => object,
        4 => proptest::collection::vec(tagged(), 1..4).prop_map(|parts| parts.concat()),
        2 => said.prop_map(str::to_owned),
        1 => any::<String>(),
        1 => "[\\{\\}\\[\\]\"`,:a-z\\\\ \n]{0,80}",
        1 => (0_usize..200).prop_map(|depth| "{\"a\":".repeat(depth) + "[" + &"[".repeat(depth)),
    ]
}

/// Pieces of what players, engines and judges say in tags.
fn tagged() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just("<think>first</think>"),
        Just("<think>never closed"),
        Just(
            "<tool_call>{\"name\": \"web_search\", \"arguments\": {\"query\": \"a\"}}</tool_call>"
        ),
        Just(
            "<tool_call>{\"name\": \"web_search\", \"arguments\": {\"query\": \"b\",}}</tool_call>"
        ),
        Just(
            "<tool_call>{\"name\": \"web_search\", \"arguments\": {\"query\": 1e400}}</tool_call>"
        ),
        Just(
            "<tool_call>{\"name\": \"web_search\", \"arguments\": {\"query\": [NaN]}}</tool_call>"
        ),
        Just("<tool_call>{\"name\": \"browse\"}</tool_call>"),
        Just("<tool_call>{"),
        Just("<answer> </answer>"),
        Just("<answer>Correct</answer>"),
        Just(
            "{\"is_compound_query\": false, \"hit\": 1, \"matched_fact_keys\": [\"a\"], \"search_result\": []}"
        ),
        Just(
            "{\"is_compound_query\": true, \"hit\": \"0\", \"matched_fact_keys\": null, \"search_result\": [{\"id\": 1, \"title\": \"t\", \"content\": \"c\", \"date\": \"2031-02-30\"}]}"
        ),
        Just("{\"hit\": ["),
    ]
}

pub fn told() -> impl Strategy<Value = Told> {
    let hit = (any::<Option<String>>(), any::<Option<String>>(), any::<Option<String>>())
        .prop_map(|(title, snippet, url)| Hit { title, snippet, url });
    prop_oneof![
        6 => proptest::option::weighted(0.95, text()).prop_map(Told::Text),
        2 => proptest::collection::vec(hit, 0..6).prop_map(Told::Hits),
        1 => proptest::sample::select(FailureClass::ALL.to_vec()).prop_map(Told::Failed),
    ]
}

pub fn reply(effect: &Effect, told: &Told) -> Reply {
    match (effect, told) {
        (_, Told::Failed(class)) => Reply::Failed(Failure::new(*class, "a test")),
        (Effect::Ask(_), Told::Text(text)) => {
            Reply::Said(Said { text: text.clone(), ..Said::default() })
        }
        (Effect::Ask(_), Told::Hits(_)) => Reply::Said(Said::default()),
        (Effect::Search(query), Told::Hits(hits)) => {
            Reply::found(hits.iter().take(query.results as usize).cloned().collect())
        }
        (Effect::Search(_), Told::Text(_)) => Reply::found(Vec::new()),
        (Effect::Draw { below, take, .. }, _) => {
            Reply::Drawn { numbers: (0..*below).rev().take(*take as usize).collect() }
        }
        (Effect::Use(tool), _) => Reply::Made(turnwise_core::testing::made(tool)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_is_said_breaks_an_episode(
        which in any::<prop::sample::Index>(),
        told in proptest::collection::vec(told(), 1..40),
        order in proptest::collection::vec(any::<prop::sample::Index>(), 1..40),
    ) {
        let all: Vec<_> = BENCHMARKS
            .iter()
            .flat_map(|benchmark| benchmark.trials().into_iter().map(move |variant| (*benchmark, variant)))
            .collect();
        let (benchmark, (profile, settings)) = which.get(&all).clone();
        let mut spec = spec(benchmark, profile, settings);
        spec.budget.calls = 50;
        let samples = tasks(benchmark, &spec);
        let task = &samples.tasks[0];
        let mut session = open(benchmark, &spec, task);
        let (mut open_calls, mut lines, mut calls) = (Vec::new(), Vec::new(), 0_usize);
        let outcome = loop {
            let next = session.poll();
            lines.extend(session.take_lines());
            match next {
                Next::Closed(outcome) => break outcome,
                Next::Call(call, effect) => {
                    calls += 1;
                    prop_assert!(calls <= 50, "over budget");
                    open_calls.push((call, effect));
                }
                Next::Wait => {
                    let chosen = order[calls % order.len()].index(open_calls.len());
                    let (call, effect) = open_calls.swap_remove(chosen);
                    let reply = reply(&effect, &told[calls % told.len()]);
                    prop_assert_eq!(session.tell(call, reply), Ok(()));
                }
            }
        };
        prop_assert_ne!(&outcome.ending, "broken");
        let read = transcript::read(&file(&lines)).expect("what was written can be read");
        let mut again = open(benchmark, &spec, task);
        prop_assert_eq!(Replay::new(&read).run(&mut again), Ok(Extent::Whole));
        // Measuring and grading bear it as well.
        let measured = benchmark.measure(&read, None);
        prop_assert!(measured.score.is_none_or(|score| (0.0..=1.0).contains(&score)));
        if let Some(mut grading) = open_grading(benchmark, &spec, task, &read) {
            let mut at = 0;
            while let Next::Call(call, effect) = grading.poll() {
                at += 1;
                prop_assert_eq!(grading.tell(call, reply(&effect, &told[at % told.len()])), Ok(()));
            }
            prop_assert!(grading.outcome().is_some());
        }
    }

    #[test]
    fn no_text_breaks_the_transcript_reader(text in any::<String>(), json in "[\\{\\}\\[\\]\":a-z0-9,\n]{0,200}") {
        let _ = transcript::read(&text);
        let _ = transcript::read(&json);
    }
}
