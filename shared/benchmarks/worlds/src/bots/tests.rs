//! What the bots reply.

use serde_json::{Value, json};

use super::*;
use crate::Studio;
use crate::schema::{ParaLaw, ParaQuestion};
use crate::work::seat;
use turnwise_core::benchmark::Chance;
use turnwise_core::prelude::*;

/// Asks a bot with a template and these variables, over the first sample.
fn said(bot: &str, seat: &str, template: &str, variables: &[(&str, &str)]) -> String {
    let task = &Studio.samples().tasks[0];
    let filled = variables.iter().map(|(name, value)| (*name, Variable::text(*value)));
    let filled = filled.chain([("pair", Variable::field("pair"))]);
    let ask = Ask {
        seat: seat.into(),
        thread: ThreadId(1),
        messages: vec![Message::template(Role::User, template, filled)],
        expect: Expect::Text,
    };
    let chance = Chance { seed: 1, repeat: 1, call: CallId(1) };
    let studio: &dyn Benchmark = &Studio;
    let said = studio.bot(bot, &Asked::new(&ask, task, chance)).unwrap();
    said.text.unwrap()
}

fn wanted(level: &'static str, language: &'static str) -> Vec<(&'static str, &'static str)> {
    vec![
        ("level", level),
        ("language", language),
        ("from", "2027"),
        ("to", "2041"),
        ("chance", "12345"),
    ]
}

fn question(level: &'static str, language: &'static str) -> ParaQuestion {
    let template = if language == "zh" { "questioner_zh" } else { "questioner" };
    let text = said("builder", seat::QUESTIONER, template, &wanted(level, language));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn law(level: &'static str, language: &'static str) -> ParaLaw {
    let template = if language == "zh" { "lawgiver_zh" } else { "lawgiver" };
    let text = said("builder", seat::LAWGIVER, template, &wanted(level, language));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn question_and_law_of_the_builder_belong_together() {
    for language in ["en", "zh"] {
        for level in ["1", "2", "3", "4"] {
            let (question, law) = (question(level, language), law(level, language));
            let solution = worlds::solve(&question.text, &law.plain_facts()).unwrap();
            assert_eq!(solution.answer, law.answer_short, "{level} {language}");
            let hops = law.facts.iter().any(|fact| !fact.depends_on.is_empty());
            assert_eq!(hops, level > "2", "levels 3 and 4 have hops");
        }
    }
}

#[test]
fn the_builder_keeps_to_the_years_and_says_so_where_it_cannot() {
    let ask = |from, to| {
        let variables =
            [("level", "1"), ("language", "en"), ("from", from), ("to", to), ("chance", "9")];
        said("builder", seat::QUESTIONER, "questioner", &variables)
    };
    let narrow: ParaQuestion = serde_json::from_str(&ask("2030", "2034")).unwrap();
    assert!(narrow.time_window.from >= 2030 && narrow.time_window.to <= 2034);
    assert!(ask("1999", "2000").contains("cannot build"));
    assert!(!said("builder", seat::QUESTIONER, "questioner", &[]).contains('{'));
}

#[test]
fn the_solver_reads_question_and_facts_alone() {
    let (question, law) = (question("3", "en"), law("3", "en"));
    let facts: serde_json::Map<String, Value> =
        law.facts.iter().map(|fact| (fact.key.clone(), json!(fact.value))).collect();
    let facts = json!(facts).to_string();
    let ask = |template: &str, facts: &str, question: &str| -> Value {
        let text =
            said("solver", seat::AUDITOR, template, &[("question", question), ("facts", facts)]);
        serde_json::from_str(&text).unwrap()
    };
    assert_eq!(ask("answer", &facts, &question.text)["answer"], json!(law.answer_short));
    assert_eq!(ask("answer", "{}", &question.text)["answer"], "unknown");
    assert_eq!(ask("answer", "no facts", "Why?")["answer"], "unknown");
    assert_eq!(ask("audit", &facts, "")["pass"], true);
    let both = r#"{"Tour of Ada": "1 day", "tour of Ada.": "2 days"}"#;
    let found = ask("audit_zh", both, "");
    assert_eq!(
        (&found["pass"], found["contradictions"].as_array().unwrap().len()),
        (&json!(false), 1)
    );
    assert_eq!(ask("compare", "", "")["consistent"], false);
}

#[test]
fn the_accepting_editor_passes_what_nobody_objects_to() {
    let ask = |findings: &str| -> Value {
        let text = said("accept", seat::EDITOR, "editor", &[("findings", findings)]);
        serde_json::from_str(&text).unwrap()
    };
    assert_eq!(ask("")["action"], "accept");
    assert_eq!(ask("- no unit")["action"], "refuse");
}

#[test]
fn every_fault_of_the_careless_is_what_it_says() {
    use careless::{Fault, spoilt_law, spoilt_question};
    let (question, law) = (question("1", "en"), law("1", "en"));
    let read = |text: String| serde_json::from_str::<ParaLaw>(&text);
    assert!(read(spoilt_law(law.clone(), Fault::CutOff)).is_err());
    let bare = read(spoilt_law(law.clone(), Fault::NoUnit)).unwrap();
    assert!(
        bare.facts
            .iter()
            .any(|fact| { fact.value.bytes().all(|byte| byte.is_ascii_digit() || byte == b',') })
    );
    let both = read(spoilt_law(law.clone(), Fault::Contradiction)).unwrap();
    assert_eq!(checks::contradictions(&both.plain_facts()).len(), 1);
    let wrong = read(spoilt_law(law.clone(), Fault::WrongAnswer)).unwrap();
    assert_ne!(wrong.answer_short, law.answer_short);
    let other = spoilt_question(question.clone(), Fault::OtherWords);
    let other: ParaQuestion = serde_json::from_str(&other).unwrap();
    assert!(worlds::solve(&other.text, &law.plain_facts()).is_err());
    assert!(
        serde_json::from_str::<ParaQuestion>(&spoilt_question(question, Fault::CutOff)).is_err()
    );
}

#[test]
fn names_of_bots_and_their_share() {
    let studio: &dyn Benchmark = &Studio;
    let sits = |seat: &str, name: &str| studio.seats_bot(&seat.into(), name);
    for (seat, name) in [
        ("questioner", "builder"),
        ("lawgiver", "careless"),
        ("lawgiver", "careless:0.5"),
        ("questioner", "careless:0"),
        ("auditor", "solver"),
        ("editor", "accept"),
    ] {
        assert!(sits(seat, name), "{seat} {name}");
    }
    for (seat, name) in [
        ("auditor", "builder"),
        ("lawgiver", "careless:2"),
        ("lawgiver", "careless:x"),
        ("lawgiver", "builder:0.5"),
        ("editor", "accept:1"),
        ("player", "builder"),
    ] {
        assert!(!sits(seat, name), "{seat} {name}");
    }
}
