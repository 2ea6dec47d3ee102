//! What the held-out phrasings found to be weak, in other words than theirs.

use super::*;
use turnwise_core::testing::cases;

/// A world of 2031, a fact a row: its entity, the short name of that, the attribute, other names of that, and the value. What
/// an index tells is a rule.
fn world(rows: &[[&str; 5]]) -> World {
    let (mut facts, mut notes) = (serde_json::Map::new(), Vec::new());
    let (mut entities, mut attributes) = (BTreeMap::new(), BTreeMap::new());
    for [entity, short, attribute, names, value] in rows {
        let key = format!("{entity}: {attribute} 2031");
        let names: Vec<&str> = names.split(',').collect();
        let kind =
            if entity.ends_with("Index") || entity.ends_with("指数") { "rule" } else { "data" };
        notes.push(serde_json::json!({
            "key": key, "kind": kind, "entity": entity, "attribute": attribute, "period": "2031",
        }));
        facts.insert(key, (*value).into());
        entities.insert(*entity, vec![*short]);
        attributes.insert(*attribute, names);
    }
    let terms = |terms: BTreeMap<&str, Vec<&str>>| -> Vec<serde_json::Value> {
        let terms = terms.into_iter();
        terms.map(|(name, aliases)| serde_json::json!({"name": name, "aliases": aliases})).collect()
    };
    let row = serde_json::json!({
        "index": 0,
        "prompt": [{"role": "user", "content": "?"}],
        "answer": "nobody knows",
        "extra_info": {
            "world_truth_info": {"atomic_facts": facts},
            "turnwise": {"entities": terms(entities), "attributes": terms(attributes), "facts": notes},
        },
    });
    load(row.to_string().as_bytes()).unwrap().worlds.remove(0)
}

fn english() -> World {
    world(&[
        ["Orvane Choir", "Orvane", "concerts played", "concerts,shows", "41 concerts"],
        ["Orvane Choir", "Orvane", "tickets sold", "tickets", "9,120 tickets"],
        ["Orvane Choir", "Orvane", "tour partner", "toured with", "Pellam Lanterns"],
        ["Pellam Lanterns", "Pellam", "concerts played", "concerts,shows", "58 concerts"],
        ["Brask Index", "Brask", "points per concert", "concert points", "7 points"],
    ])
}

fn chinese() -> World {
    world(&[
        ["韦罗合唱团", "韦罗", "演出场次", "演出", "41场"],
        ["韦罗合唱团", "韦罗", "门票销量", "门票", "9120张"],
        ["韦罗合唱团", "韦罗", "巡演搭档", "同台巡演", "佩兰乐团"],
        ["佩兰乐团", "佩兰", "演出场次", "演出", "58场"],
        ["布斯指数", "布斯", "每场演出积分", "一场演出积分", "7分"],
    ])
}

fn assert_judged(world: &World, wanted: &[(&str, Class, Option<usize>)]) {
    let engine = Engine::new(world);
    let notes = &world.extra.as_ref().unwrap().facts;
    let mut wrong = Vec::new();
    for (query, class, row) in wanted {
        let found = engine.judge(query);
        let key = found.fact.map(|fact| &world.facts[fact].key);
        if (found.class, key) != (*class, row.map(|row: usize| &notes[row].key)) {
            wrong.push(format!("{query}: {found:?} {key:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn english_queries_are_taken_for_what_they_ask() {
    assert_judged(&english(), &cases(include_str!("judged_en.jsonl")));
}

#[test]
fn chinese_queries_are_taken_for_what_they_ask() {
    assert_judged(&chinese(), &cases(include_str!("judged_zh.jsonl")));
}

/// Rule 38: the exact text of a key hits its fact, whatever other key has the same words.
#[test]
fn keys_of_the_same_words_are_told_apart_by_their_letters() {
    let row = serde_json::json!({
        "index": 0,
        "prompt": [{"role": "user", "content": "?"}],
        "answer": "nobody knows",
        "extra_info": {"world_truth_info": {"atomic_facts": {
            "Galaxy S30: launch price": "900", "Galaxy S30+: launch price": "1100",
            "speed of C": "1", "speed of C++": "2", "speed of C#": "3", "the boat's length": "9 m", "the boats' length": "7 m",
        }}},
    });
    let world = load(row.to_string().as_bytes()).unwrap().worlds.remove(0);
    let engine = Engine::new(&world);
    for (at, fact) in world.facts.iter().enumerate() {
        for query in [fact.key.clone(), format!(" {} ", fact.key.to_uppercase())] {
            let judged = engine.judge(&query);
            assert_eq!((judged.fact, judged.reason), (Some(at), Reason::Key), "{query}");
        }
    }
    // In other words than the letters of one of them it could be either.
    let either = engine.judge("galaxy s30 launch prices");
    assert_ne!(either.reason, Reason::Key, "{either:?}");
}
