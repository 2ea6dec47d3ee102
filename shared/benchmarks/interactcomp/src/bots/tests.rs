//! The bots against texts by an author who had not seen their rules.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{exact, lexical, memory, players};
use crate::InteractComp;
use crate::responder::UserReply;
use turnwise_core::benchmark::Chance;
use turnwise_core::prelude::*;
use turnwise_core::testing::cases;

/// The sample questions with the replies that a careful person gives, against the context of each task.
fn asks() -> Vec<(String, String, UserReply)> {
    let samples = InteractComp.samples();
    let contexts: BTreeMap<_, _> = samples
        .tasks
        .iter()
        .map(|task| (task.id.0.clone(), task.field("context").expect("a context").to_owned()))
        .collect();
    include_str!("../../samples/asks.jsonl")
        .lines()
        .map(|line| {
            let row: Value = serde_json::from_str(line).expect("the file is ours");
            let text = |name: &str| row[name].as_str().expect("a text").to_owned();
            let wanted = match text("reply").as_str() {
                "yes" => UserReply::Yes,
                "no" => UserReply::No,
                _ => UserReply::Unknown,
            };
            let id = row["id"].to_string();
            (contexts[&id].clone(), text("ask"), wanted)
        })
        .collect()
}

/// It is a baseline: right more often than always saying "no" (112 of 240), and seldom the opposite of the truth.
#[test]
fn lexical_is_weak_but_honest() {
    let asks = asks();
    let (mut right, mut opposite) = (0, 0);
    for (context, ask, wanted) in &asks {
        let found = lexical::reply(context, ask);
        right += usize::from(found == *wanted);
        let is_opposite = matches!(
            (found, wanted),
            (UserReply::Yes, UserReply::No) | (UserReply::No, UserReply::Yes)
        );
        opposite += usize::from(is_opposite);
    }
    assert_eq!(asks.len(), 240);
    assert!(right >= 140 && opposite <= 15, "right {right}, opposite {opposite}");
}

#[test]
fn lexical_reads_negations_and_numbers() {
    let context = "It is played on sand, never on grass.\nEach side has five players.\nThere is no goalkeeper.";
    for (ask, wanted) in cases::<(&str, UserReply)>(include_str!("tests/lexical.jsonl")) {
        assert_eq!(lexical::reply(context, ask), wanted, "{ask}");
    }
    assert_eq!(lexical::reply("米糕是咸的，不是甜的。", "米糕是咸的吗？"), UserReply::Yes);
}

#[test]
fn exact_accepts_other_names_and_nothing_else() {
    let is = |answer: &str| exact::is_one_of(answer, ["Ouldrim Slab", "渡禾节"].into_iter());
    assert!(
        is("ouldrim slab")
            && is("The Ouldrim-Slab.")
            && is("《渡禾节》")
            && is("Ｏｕｌｄｒｉｍ Ｓｌａｂ")
    );
    assert!(!is("Ouldrim") && !is("") && !is("the") && !is("Ouldrim Slab or Tower"));
}

#[test]
fn a_memory_text_is_read_back() {
    let text = "[Round 1]\nUser: Q (x)?\n    Action: search (query: a)\nObservation: 1. T — s — t (src: U)\n2. V — w (src: \
                X)\n[Round 2]\n    Action: ask (question: is (it)?)\nObservation: yes";
    let past = memory::read(text);
    assert_eq!(past.searches.len(), 1);
    assert_eq!(past.searches[0][0].snippet, "s — t");
    assert_eq!(past.results().len(), 2);
    assert_eq!(past.asks, [("is (it)?".to_owned(), "yes".to_owned())]);
}

/// What a player says when it is asked so: the question that it puts, `None` if it does something else.
fn put(
    player: fn(&Asked<'_>) -> String,
    actions: &str,
    question: &str,
    round: &str,
    memory: &str,
) -> Option<String> {
    let message = Message::template(
        Role::User,
        "act",
        [
            ("question", Variable::text(question)),
            ("memory", Variable::text(memory)),
            ("round_info", Variable::text(round)),
            ("actions", Variable::text(actions)),
        ],
    );
    let ask = Ask {
        seat: Seat::new(Seat::PLAYER),
        thread: ThreadId(0),
        messages: vec![message],
        expect: Expect::Text,
    };
    let samples = InteractComp.samples();
    let chance = Chance { seed: 1, repeat: 1, call: CallId(1) };
    let asked = Asked::new(&ask, &samples.tasks[0], chance);
    let said: Value = serde_json::from_str(&player(&asked)).expect("JSON");
    said["params"]["question"].as_str().map(str::to_owned)
}

/// Ten different questions, in both languages, however little the question says; and no more.
#[test]
fn asks_ten_times_asks_ten_times() {
    let ask = |question: &str, limit: usize, round: usize, memory: &str| {
        let actions = "Action: ask\nAction: search\nAction: answer";
        let round = format!("{round}/{limit}");
        put(players::asks_ten_times, actions, question, &round, memory)
    };
    for question in ["Which sport is it?", "?", "哪种运动？", "It is won by teams. Which is it?"]
    {
        let mut memory = String::new();
        let mut asked = std::collections::BTreeSet::new();
        // Eleven rounds hold ten questions and the answer, so nothing is searched for.
        for round in 1..=10 {
            let wanted = ask(question, 11, round, &memory).expect("it asks");
            memory.push_str(&format!(
                "[Round {round}]\n    Action: ask (question: {wanted})\nObservation: i don't know\n"
            ));
            asked.insert(wanted);
        }
        assert_eq!(asked.len(), 10, "{question}: {asked:?}");
        assert_eq!(ask(question, 11, 11, &memory), None, "it answers");
        assert_eq!(ask(question, 20, 11, &memory), None, "ten are enough");
    }
    assert_eq!(ask("Which?", 12, 1, ""), None, "with a round to spare it searches first");
    assert!(ask("Which?", 5, 1, "").is_some() && ask("Which?", 5, 5, "").is_none());
}

/// Without anything found the bot asks about the question's own words, five times at most, and then answers.
#[test]
fn whoever_cannot_search_asks_before_it_answers() {
    let ask = |question: &str, round: &str, memory: &str| {
        let actions = "Action: ask\nAction: answer";
        put(players::asks_by_rule, actions, question, round, memory)
    };
    let question = "Which sport is played with sticks on sand?";
    let first = ask(question, "1/10", "").expect("it asks");
    assert_eq!(first, "Is “played” true of it?");
    assert_eq!(
        ask("哪种运动在沙滩上用木棍玩？", "1/10", "").as_deref(),
        Some("哪种运动在沙滩上用木棍玩，对吗？")
    );
    let mut memory = String::new();
    let mut asks = 0;
    while let Some(asked) = ask(question, "1/10", &memory) {
        memory.push_str(&format!(
            "[Round 1]\n    Action: ask (question: {asked})\nObservation: no\n"
        ));
        asks += 1;
        assert!(asks < 10, "it ends");
    }
    assert_eq!(asks, 4, "played, sticks, sport, sand");
    assert_eq!(ask(question, "10/10", ""), None, "the last round answers");
}
