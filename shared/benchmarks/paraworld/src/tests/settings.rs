//! What each setting shows, and what it makes of replies (specification 5.1, 5.2, 5.6 and 7).

use super::*;
use crate::prompts::facts_block;
use crate::task::Fact;
use turnwise_core::prelude::*;
use turnwise_core::session::Next;
use turnwise_core::testing::cases;

const ANSWER: &str = "<answer>Ada Tower</answer>";

fn rendered(played: &Played, ask: usize) -> Vec<(Role, String)> {
    let pack = (ParaWorld::FACTS.pack)();
    let messages = pack.render(&played.asks[ask], &towers());
    let messages = messages.expect("it can be rendered").into_iter();
    messages.map(|message| (message.role, message.text)).collect()
}

#[test]
fn facts_are_sorted_by_code_point() {
    let fact = |key: &str| Fact { key: key.to_owned(), value: "1".to_owned() };
    let facts = ["b", "a", "é", "B"].map(fact);
    assert_eq!(facts_block(&facts), "1. B：1\n2. a：1\n3. b：1\n4. é：1");
}

#[test]
fn setting_a_shows_the_facts_and_has_one_turn() {
    for profile in [Profile::Strict, Profile::Reference] {
        let played = play(&spec(profile, json!({ "setting": "A" })), &[ANSWER]);
        assert_eq!(played.row(), ("finished", "Ada Tower", 1, 0, 0));
        let shown = rendered(&played, 0);
        assert_eq!(shown.len(), 2);
        let user = &shown[1].1;
        assert!(user.contains("<facts>\n1. height of Ada Tower：120 metres\n2. "), "{user}");
        assert!(user.contains("<question>\nWhich is taller, Ada Tower or Bo Tower?\n</question>"));
    }
}

#[test]
fn setting_a_takes_the_first_answer_or_the_whole_text_in_the_reference() {
    let reference = spec(Profile::Reference, json!({ "setting": "A" }));
    let says = |text: &str| play(&reference, &[text]).prediction().to_owned();
    assert_eq!(says("<answer>1</answer><answer>2</answer>"), "1");
    assert_eq!(says(" <answer>1 "), "<answer>1");
    let played = play(&reference, &[Says::Nothing]);
    assert_eq!((played.outcome.ending.as_str(), played.prediction()), ("finished", ""));
    let strict = spec(Profile::Strict, json!({ "setting": "A" }));
    let played = play(&strict, &["<answer>1</answer><answer>2</answer>"]);
    assert_eq!(played.prediction(), "2");
    let played = play(&strict, &["It is Ada Tower."]);
    assert_eq!(played.row(), ("max_turns_reached", "", 1, 0, 0));
    assert_eq!(played.numbers().episode.format_errors, 1);
}

#[test]
fn the_control_run_shows_the_question_alone() {
    let control = spec(Profile::Strict, json!({ "setting": "control" }));
    let played = play(&control, &[call("height of Ada Tower").as_str()]);
    assert_eq!(played.outcome.ending, "max_turns_reached");
    assert!(played.queries.is_empty());
    let shown = rendered(&played, 0);
    assert!(!shown[0].1.contains("web_search"));
    assert_eq!(shown[1].1, "Which is taller, Ada Tower or Bo Tower?");
}

#[test]
fn settings_differ_in_their_guidance() {
    let system = |setting: &str| {
        let played = play(&spec(Profile::Strict, json!({ "setting": setting })), &[ANSWER]);
        rendered(&played, 0)[0].1.clone()
    };
    let [c, guided, shots] = ["C", "B-guidance", "B-few-shot"].map(system);
    assert!(guided.contains("one query = one entity + one attribute"));
    assert_eq!(guided.matches("→").count(), 3);
    assert_eq!(shots.matches("   Bad:").count(), 4);
    assert!(!c.contains("atomic"));
    for system in [&c, &guided, &shots] {
        // The sample call can be copied.
        let calls = super::super::reading::player::read(
            system,
            super::super::reading::syntax::Syntax::Default,
            Default::default(),
            Profile::Reference,
        );
        let super::super::reading::player::Turn::Answer { .. } = calls.turn else {
            panic!("the sample of an answer stands in the prompt");
        };
        let call = system.split("<tool_call>").nth(1).expect("a sample call");
        let json = call.split("</tool_call>").next().expect("it is closed");
        let json: Value = serde_json::from_str(json).expect("it is valid JSON");
        assert_eq!(json["name"], "web_search");
    }
}

#[test]
fn every_template_has_its_chinese_form() {
    let pack = (ParaWorld::FACTS.pack)();
    for name in pack.templates.keys().filter(|name| !name.ends_with("_zh")) {
        if name != "question" {
            let zh = pack.template(&format!("{name}_zh")).expect("a Chinese form");
            assert!(zh.chars().any(|sign| ('\u{4e00}'..='\u{9fff}').contains(&sign)), "{name}");
        }
    }
    let mut task = towers();
    let row = task.fields["row"].replace("Which is taller, Ada Tower or Bo Tower?", "哪座塔更高？");
    task = world(serde_json::from_str(&row).expect("a row"));
    let played = play_with(&spec(Profile::Strict, json!({})), &task, &[ANSWER.into()], |_, _| None);
    assert_eq!(played.asks[0].templates(), ["system_zh", "question"]);
}

#[test]
fn a_pack_that_shows_what_is_for_bots_is_refused() {
    let mut pack = (ParaWorld::FACTS.pack)();
    pack.templates.insert("question".to_owned(), "{question} {world}".to_owned());
    let refused = ParaWorld.open(&spec(Profile::Strict, json!({})), &towers(), &pack);
    assert_eq!(refused.err().map(|bad| bad.field), Some("pack".to_owned()));
}

#[test]
fn a_sealed_world_is_refused() {
    let mut task = towers();
    task.fields.remove("row");
    let spec = spec(Profile::Strict, json!({}));
    let refused = ParaWorld.open(&spec, &task, &(ParaWorld::FACTS.pack)());
    assert_eq!(refused.err().map(|bad| bad.field), Some("tasks".to_owned()));
}

#[test]
fn observations_differ_by_engine() {
    let told = |profile, settings| {
        let played = play(&spec(profile, settings), &[&call("height of Ada Tower"), ANSWER]);
        said(played.asks[1].messages.last().expect("messages"))
    };
    let reference = Profile::Reference;
    let page = told(reference, json!({}));
    assert!(
        page.starts_with("{\"search_query\": \"height of Ada Tower\", \"search_result\": ["),
        "{page}"
    );
    assert_eq!(
        told(Profile::Strict, json!({})),
        format!("<tool_response>\n{page}\n</tool_response>")
    );
    let tagged = format!("<tool_response>{page}</tool_response>\n");
    let raw = told(reference, json!({ "engines": "api" }));
    assert!(raw.starts_with(&format!("\n<|im_start|>user\n{tagged}")), "{raw}");
    assert!(raw.ends_with("\n<|im_end|>\n<|im_start|>assistant\n"), "{raw}");
    for engines in ["local", "api"] {
        let custom = told(reference, json!({ "setting": "custom", "engines": engines }));
        assert!(custom.starts_with(&tagged) && !custom.contains("im_end"), "{custom}");
        assert!(custom.ends_with("</answer>"), "the reminder stays: {custom}");
    }
}

#[test]
fn only_the_engine_of_the_reference_sees_the_trajectory() {
    let script = ["Hm.", &call("height of Ada Tower"), &call("height of Bo Tower"), ANSWER];
    let script: Vec<Says> = script.iter().map(|text| Says::from(*text)).collect();
    let mut seen = Vec::new();
    let reference = spec(Profile::Reference, json!({}));
    play_with(&reference, &towers(), &script, |ask, _| {
        seen.push(ask.variable("trajectory", &towers()).expect("it is there").to_owned());
        None
    });
    assert_eq!(seen[0], call("height of Ada Tower"));
    assert!(seen[1].starts_with(&call("height of Ada Tower")), "{}", seen[1]);
    assert!(seen[1].contains("<|im_start|>user\n<tool_response>{") && !seen[1].contains("Hm."));
    assert!(seen[1].ends_with(&call("height of Bo Tower")) && !seen[1].contains("Go on:"));
    let strict = spec(Profile::Strict, json!({}));
    play_with(&strict, &towers(), &script, |ask, _| {
        assert_eq!(ask.variable("trajectory", &towers()), None);
        assert_eq!(ask.variable("final_answer", &towers()), None);
        None
    });
}

#[test]
fn a_world_brings_its_own_prompt_and_limit() {
    let task = world(json!({
        "prompt": [
            { "role": "system", "content": "Theirs." },
            { "role": "user", "content": "Hello." },
            { "role": "user", "content": "Which is taller?" },
        ],
        "system": "Ours.", "max_turns": 2, "answer": "Ada",
        "extra_info": { "world_truth_info": { "atomic_facts": { "a": "1" } } },
    }));
    let first = |profile, settings| {
        let spec = spec(profile, settings);
        let played = play_with(&spec, &task, &["Hm.".into(), "Hm.".into()], |_, _| None);
        assert_eq!(played.outcome.ending, "max_turns_reached");
        assert_eq!(played.numbers().episode.max_turns, 2);
        let texts: Vec<_> = played.asks[0].messages.iter().map(said).collect();
        texts
    };
    let reference = Profile::Reference;
    assert_eq!(first(Profile::Strict, json!({})), ["Ours.", "<question>"]);
    assert_eq!(first(reference, json!({})), ["Ours.", "Hello.", "<question>"]);
    assert_eq!(first(reference, json!({ "engines": "api" })), ["Theirs.", "Hello.", "<question>"]);
}

#[test]
fn what_a_person_fills_in_is_what_a_model_writes() {
    let strict = spec(Profile::Strict, json!({ "turns": 2 }));
    let played = play(&strict, &[&call("height of Ada Tower"), ANSWER]);
    let Expect::Actions(forms) = &played.asks[0].expect else {
        panic!("a form is shown");
    };
    let texts: Vec<String> = forms
        .iter()
        .zip(["height of Ada Tower", "Ada Tower"])
        .map(|(form, value)| form.text(&[value.to_owned()]))
        .collect();
    let filled = play(&strict, &texts);
    assert_eq!(filled.row(), ("finished", "Ada Tower", 2, 1, 1));
    // In the last turn only the answer is asked for.
    let Expect::Actions(forms) = &played.asks[1].expect else {
        panic!("a form is shown");
    };
    assert_eq!(forms.len(), 1);
}

#[test]
fn the_player_sees_no_coverage_before_the_end() {
    let spec = spec(Profile::Strict, json!({}));
    let task = towers();
    let mut session = open(&spec, &task);
    let mut texts = [call("height of Ada Tower"), ANSWER.to_owned()].into_iter();
    let tones = |session: &Session, viewer: &Viewer| {
        let scene = session.scene(viewer);
        let tones = scene.blocks.into_iter().filter_map(|block| match block {
            Block::Observation { tone, .. } | Block::Results { tone, .. } => Some(tone),
            _ => None,
        });
        tones.collect::<Vec<_>>()
    };
    let player = Viewer::Seat(Seat::new(Seat::PLAYER));
    let mut before = Vec::new();
    while let Next::Call(id, Effect::Ask(ask)) = session.poll() {
        let reply = match ask.seat.as_str() {
            Seat::PLAYER => {
                before.push((tones(&session, &player), tones(&session, &Viewer::Reader)));
                Said::text(texts.next().expect("two turns"))
            }
            _ => bot(&spec, &task, id, &ask),
        };
        session.tell(id, Reply::Said(reply)).expect("it fits");
    }
    use turnwise_core::note::Tone::{Neutral, Positive};
    assert_eq!(before, [(vec![], vec![]), (vec![Neutral], vec![Positive])]);
    assert_eq!(tones(&session, &player), [Positive]);
}

#[test]
fn specs_that_cannot_be_played_are_refused_with_the_field() {
    let field = |profile, settings: Value| {
        let mut spec = default_spec(&ParaWorld);
        (spec.profile, spec.settings) = (profile, settings);
        <dyn Benchmark>::check_spec(&ParaWorld, &spec).err().map(|bad| bad.field)
    };
    let strict = Profile::Strict;
    for (profile, settings, wrong) in
        cases::<(Profile, Value, &str)>(include_str!("bad_settings.jsonl"))
    {
        let expected = Some(format!("settings.{wrong}"));
        assert_eq!(field(profile, settings.clone()), expected, "{settings}");
    }
    assert_eq!(field(strict, json!({ "tuns": 3 })), Some("settings".to_owned()));
    let custom = json!({ "setting": "custom", "syntax": "glm4" });
    assert_eq!(field(strict, custom.clone()), Some("seats.player".to_owned()));
    let mut spec = default_spec(&ParaWorld);
    spec.settings = custom;
    let player = spec.seats.get_mut(&Seat::new(Seat::PLAYER)).expect("a player");
    player.player = Player::Model { provider: "up".to_owned(), model: "glm".to_owned() };
    assert_eq!(<dyn Benchmark>::check_spec(&ParaWorld, &spec), Ok(()));
    spec.seats.remove(&Seat::new("engine"));
    assert_eq!(
        <dyn Benchmark>::check_spec(&ParaWorld, &spec).err().map(|bad| bad.field),
        Some("seats.engine".to_owned())
    );
}
