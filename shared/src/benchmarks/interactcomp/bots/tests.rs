//! The bots against texts written by somebody who had not seen their rules.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{exact, lexical, memory};
use crate::benchmark::Benchmark;
use crate::benchmarks::interactcomp::InteractComp;
use crate::benchmarks::interactcomp::responder::UserReply;

/// The sample questions with the replies that a careful person gives, against the context of each task.
fn asks() -> Vec<(String, String, UserReply)> {
    let samples = InteractComp.samples();
    let contexts: BTreeMap<_, _> = samples
        .tasks
        .iter()
        .map(|task| {
            (
                task.id.0.clone(),
                task.field("context").expect("a context").to_owned(),
            )
        })
        .collect();
    include_str!("../samples/asks.jsonl")
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
    assert!(
        right >= 140 && opposite <= 15,
        "right {right}, opposite {opposite}"
    );
}

#[test]
fn lexical_reads_negations_and_numbers() {
    let context = "It is played on sand, never on grass.\nEach side has five players.\nThere is no goalkeeper.";
    let reply = |ask: &str| lexical::reply(context, ask);
    assert_eq!(reply("Is it played on sand?"), UserReply::Yes);
    assert_eq!(reply("Is it played on grass?"), UserReply::No);
    assert_eq!(reply("Does each side have eleven players?"), UserReply::No);
    assert_eq!(reply("Does each side have five players?"), UserReply::Yes);
    assert_eq!(reply("Is there a goalkeeper?"), UserReply::No);
    assert_eq!(reply("Is there no goalkeeper?"), UserReply::Yes);
    assert_eq!(reply("Do they wear helmets?"), UserReply::Unknown);
    assert_eq!(reply("?"), UserReply::Unknown);
    assert_eq!(
        lexical::reply("米糕是咸的，不是甜的。", "米糕是咸的吗？"),
        UserReply::Yes
    );
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
