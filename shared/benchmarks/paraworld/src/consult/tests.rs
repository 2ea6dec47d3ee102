mod hostile;
mod invariants;
mod reference;
mod strict;

use super::super::task::{Language, Tier, World, field, load};
use super::super::worlds::{Order, build, sample};
use super::*;
use crate::reading::engine::Rule;
use turnwise_core::benchmark::Chance;
use turnwise_core::prelude::*;
use turnwise_core::prompt::Content;

/// Two bands: notes on every fact, one of the facts a rule.
const BANDS: &str = include_str!("tests/bands.json").trim_ascii_end();

const RALLY: &str = include_str!("tests/rally.json").trim_ascii_end();

fn world(line: &str) -> World {
    load(line.as_bytes()).unwrap().worlds.remove(0)
}

/// A result of a page.
fn result(id: u32, title: &str, content: &str) -> String {
    serde_json::json!({ "id": id, "title": title, "content": content, "date": "2031-05-04" })
        .to_string()
}

const NEUTRAL: &str = "A quiet report about the mood of the evening.";

/// A reply of form, with these contents and as many neutral ones as are missing.
fn reply(compound: bool, key: Option<&str>, contents: &[&str]) -> String {
    let contents = contents.iter().copied().chain(std::iter::repeat(NEUTRAL));
    let results: Vec<String> =
        (1..=4).zip(contents).map(|(id, content)| result(id, "A page", content)).collect();
    let keys: Vec<&str> = key.into_iter().collect();
    format!(
        r#"{{"is_compound_query": {compound}, "hit": {}, "matched_fact_keys": {}, "reason": "because", "search_result": [{}]}}"#,
        keys.len(),
        serde_json::to_string(&keys).unwrap(),
        results.join(", ")
    )
}

/// The messages of a request, if it is one.
fn asked(want: Want) -> Vec<Message> {
    match want {
        Want::Ask(messages) => messages,
        other => panic!("{other:?}"),
    }
}

/// The only answer.
fn done(want: Want) -> Consulted {
    match want {
        Want::Done(mut done) if done.len() == 1 => done.remove(0).1,
        other => panic!("{other:?}"),
    }
}

fn template(messages: &[Message]) -> &str {
    match &messages[1].content {
        Content::Template { name, .. } => name,
        Content::Text(_) => panic!("a text"),
    }
}

/// The messages as a request to the engine's seat.
fn ask(messages: Vec<Message>) -> Ask {
    Ask { seat: Seat::new("engine"), thread: ThreadId(1), messages, expect: Expect::Text }
}

/// What the rule-based engine says to a request.
fn bot(messages: Vec<Message>, task: &Task) -> Said {
    let ask = ask(messages);
    let chance = Chance { seed: 1, repeat: 1, call: CallId(1) };
    Said::text(engine_bot(&Asked::new(&ask, task, chance)))
}

/// Every template can be rendered, in both languages; no request shows the row, and the strict one neither answer.
#[test]
fn requests_show_what_they_may() {
    let pack = crate::prompts::default_pack();
    for line in [BANDS, RALLY] {
        let world = world(line);
        let task = world.to_core();
        let shown = |messages: Vec<Message>| {
            let rendered = pack.render(&ask(messages), &task).unwrap();
            let texts: Vec<String> = rendered.into_iter().map(|message| message.text).collect();
            texts.join("\n")
        };
        let violation = Violation { rule: Rule::I4, how: "a key without a hit".to_owned() };
        let strict = shown(asking::strict(&world, "the query"));
        let again = shown(asking::again(&world, "the query", &[violation]));
        let reference = shown(asking::reference(&world, "the query", "what was said"));
        for text in [&strict, &again, &reference] {
            assert!(text.contains("\"the query\"") && text.contains(&task.fields[field::FACTS]));
            assert!(text.contains(world.engine_question()));
            assert!(!text.contains("extra_info") && !text.contains("{query}"));
        }
        assert!(!strict.contains(&world.answer) && !again.contains(&world.answer));
        assert!(again.contains("- I4: a key without a hit"));
        let long = world.final_answer.as_deref().unwrap();
        assert!(reference.contains(long) && reference.contains("what was said"));
    }
}

/// World 48 of seed 1: the value of one fact is a number of the long answer, which names that fact's entity besides.
fn built(tier: Tier, language: Language) -> Vec<World> {
    let order =
        Order { seed: 1, first: 44, count: 6, tier, language, family: None, category: None };
    build(&order).unwrap()
}

/// What the rule-based engine says passes at once in both profiles, for every sample world and some that are built: its keys,
/// its question, a miss.
#[test]
fn the_rule_based_engine_keeps_the_rules_and_agrees_with_itself() {
    let mut worlds = sample().worlds;
    for tier in Tier::ALL {
        worlds.extend([Language::En, Language::Zh].map(|language| built(tier, language)).concat());
    }
    for world in worlds {
        let task = world.to_core();
        let own = world.facts.iter().map(|fact| fact.key.as_str());
        let queries: Vec<&str> = own.chain([world.question(), "the weather on Mars"]).collect();
        for profile in [Profile::Strict, Profile::Reference] {
            let mut mediator = Mediator::new(world.clone(), profile);
            for (number, query) in (1..).zip(&queries) {
                let ticket = Ticket(number);
                let messages = asked(mediator.search(ticket, &Json::from(*query), ""));
                let answer = done(mediator.said(ticket, &bot(messages, &task)));
                let log = &answer.log;
                assert_eq!((log.attempts, log.engine_fault), (1, false), "{query}");
                assert_eq!((&log.violations[..], log.repaired_by), (&[][..], None));
                let second = log.second.unwrap();
                assert_eq!(log.keys.first().and_then(|key| key.fact), second.fact);
                assert_eq!(log.hit, second.class == Class::Hit);
                assert_eq!(log.too_bare, log.compound.then_some(second.class == Class::TooBare));
                if let Some(fact) = world.facts.get(number as usize - 1) {
                    assert!(log.hit && answer.observation.contains(&fact.value));
                }
            }
        }
    }
}
