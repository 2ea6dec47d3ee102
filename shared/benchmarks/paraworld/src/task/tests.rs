use super::*;
use crate::ParaWorld;
use turnwise_core::json::parse;
use turnwise_core::prelude::*;
use turnwise_core::testing::cases;

const EN: &str = include_str!("tests/en.json").trim_ascii_end();
const ZH: &str = include_str!("tests/zh.json").trim_ascii_end();

fn two() -> Worlds {
    load(format!("\u{feff}{EN}\r\n\n{ZH}\n").as_bytes()).unwrap()
}

#[test]
fn rows_are_read() {
    let set = two();
    let [en, zh] = &set.worlds[..] else { panic!("two worlds") };
    assert_eq!((en.line, en.index, zh.line), (0, Some(7), 2));
    assert_eq!(en.category.as_deref(), Some("Singer"));
    assert_eq!(en.question(), "Who sold more in 2027, Ada Quill or Bo Tarn?");
    assert_eq!(en.engine_question(), "Ada Quill or Bo Tarn?");
    assert_eq!(en.facts[0].key, "Sales of Bo Tarn in 2027");
    assert_eq!(en.fact("Sales of Ada Quill in 2027"), Some("12,500"));
    assert_eq!((en.language(), zh.language()), (Language::En, Language::Zh));
    assert_eq!(en.tier(), Tier::Easy);
    let extra = en.extra.as_ref().unwrap();
    assert_eq!(extra.pair_id.as_deref(), Some("singer-3"));
    let note = extra.fact("Sales of Ada Quill in 2027").unwrap();
    assert_eq!((note.kind, note.period.as_deref()), (FactKind::Data, Some("2027")));
    assert_eq!(extra.entities[0].names().collect::<Vec<_>>(), ["Ada Quill", "Quill"]);
    assert_eq!(zh.question(), "虚构甲与虚构乙谁更高？");
    assert_eq!(zh.engine_question(), zh.question());
    assert_eq!((zh.facts.len(), zh.fact("乙的身高")), (2, Some("1.9米")));
}

#[test]
fn task_by_task_a_file_has_the_same_tasks_and_the_same_mistakes() {
    let whole = format!("\u{feff}{EN}\r\n\n{ZH}\n");
    let broken = format!("{whole}{{\n{EN}\n");
    for file in [whole, broken] {
        let at_once = ParaWorld.read_tasks("file", file.as_bytes());
        let by_task = (ParaWorld::FACTS.read_task_by_task)("file", file.as_bytes());
        let by_task: Result<Vec<_>, _> = by_task.expect("rows").collect();
        assert_eq!(by_task, at_once.map(|set| set.tasks));
    }
}

#[test]
fn rows_are_written_back_with_nothing_lost() {
    let set = two();
    let written = lines(&set.worlds);
    assert_eq!(written, format!("{EN}\n{ZH}\n"));
    let again = load(written.as_bytes()).unwrap();
    assert_eq!(again.worlds[0], set.worlds[0]);
    assert_eq!(again.worlds[1].digest(), set.worlds[1].digest());
}

#[test]
fn the_order_of_facts_changes_the_digest() {
    let swapped = r#"{"index": 8, "prompt": [{"role": "user", "content": "q"}], "answer": "a", "extra_info": {"world_truth_info": {"atomic_facts": {"b": "2", "a": "1"}}}}"#;
    let sorted = swapped.replace(r#""b": "2", "a": "1""#, r#""a": "1", "b": "2""#);
    let digest = |line: &str| load(line.as_bytes()).unwrap().worlds[0].digest();
    assert_ne!(digest(swapped), digest(&sorted));
}

#[test]
fn mistakes_are_named() {
    let refused = cases::<(&str, &str)>(include_str!("tests/no_rows.jsonl"));
    for (file, message) in refused {
        assert_eq!(load(file.as_bytes()).unwrap_err().to_string(), message);
    }
    let changed = cases::<(&str, &str, &str, &str)>(include_str!("tests/mistakes.jsonl"));
    for (from, to, field, message) in changed {
        assert!(EN.contains(from), "{from}");
        let error = load(EN.replacen(from, to, 1).as_bytes()).unwrap_err();
        assert_eq!(error.field, field);
        assert!(error.problem.starts_with(message), "{error}");
        assert_eq!(error.row, Some(1));
    }
    let twice = load(format!("{EN}\n{EN}").as_bytes()).unwrap_err();
    assert_eq!(twice.to_string(), "row 2, field index: 7 is the id of row 1, too; ids must differ");
    let list = ZH.replace(r#""{\"甲的身高\": \"1.8米\", \"乙的身高\": \"1.9米\"}""#, r#"["甲"]"#);
    assert!(load(list.as_bytes()).unwrap_err().to_string().contains("got a list"));
}

#[test]
fn worlds_become_tasks_and_come_back() {
    let set = two();
    let tasks = set.to_task_set("made up");
    let task = &tasks.tasks[0];
    assert_eq!(task.id.0, "7");
    let labels = [label::CATEGORY, label::TIER, label::LANGUAGE, label::PAIR];
    assert_eq!(labels.map(|name| task.labels[name].as_str()), ["Singer", "easy", "en", "singer-3"]);
    assert_eq!(task.digest, set.worlds[0].digest());
    assert_eq!(
        task.field(field::FACTS),
        Some(
            "{\n  \"Sales of Bo Tarn in 2027\": \"31,000\",\n  \"Sales of Ada Quill in 2027\": \"12,500\"\n}"
        )
    );
    assert_eq!(tasks.tasks[1].labels[label::CATEGORY], "unknown");
    for (world, task) in set.worlds.iter().zip(&tasks.tasks) {
        assert_eq!(of_task(task).as_ref(), Some(world));
    }
    let mut sealed = task.clone();
    sealed.fields.remove(field::ROW);
    assert_eq!(of_task(&sealed), None);
    for text in ["Quill", "31,000", "Tarn"] {
        assert!(
            !format!("{set:?}{tasks:?}{:?}", set.worlds[0].extra).contains(text),
            "{text} shows in Debug"
        );
    }
}

#[test]
fn a_manifest_knows_its_worlds() {
    let set = two();
    let manifest = Manifest::of("made up", &set);
    assert_eq!(manifest.check(&set), Ok(()));
    assert_eq!((manifest.worlds, manifest.per_tier[&Tier::Easy]), (2, 2));
    assert_eq!(manifest.per_category["unknown"], 1);
    assert_eq!(manifest.per_language[&Language::Zh], 1);
    let text = serde_json::to_string(&manifest).unwrap();
    assert_eq!(serde_json::from_str::<Manifest>(&text).unwrap(), manifest);
    let other_layout = load(lines(&set.worlds).as_bytes()).unwrap();
    assert_eq!(manifest.check(&other_layout), Err(Mismatch::File));
    let fewer = load(EN.as_bytes()).unwrap();
    assert_eq!(manifest.check(&fewer), Err(Mismatch::Worlds));
    let mut miscounted = manifest.clone();
    miscounted.per_tier.insert(Tier::Hard, 1);
    assert_eq!(miscounted.check(&set), Err(Mismatch::Counts));
}

#[test]
fn drafts_become_rows() {
    let set = two();
    let world = &set.worlds[0];
    let draft = Draft {
        index: 3,
        category: "Singer".to_owned(),
        question: world.question().to_owned(),
        answer: world.answer.clone(),
        final_answer: "long".to_owned(),
        facts: world.facts.clone(),
        extra: world.extra.clone().unwrap(),
    };
    let made = draft.clone().into_world(5).unwrap();
    assert_eq!((made.line, made.id().0.as_str()), (5, "3"));
    let Json::Object(row) = parse(&made.line_text(), Dialect::Strict).unwrap() else {
        panic!("a row is an object")
    };
    assert_eq!(World::of_row(&Fields::new(6, &row)), Ok(made.clone()));
    assert_eq!(made.extra, Some(draft.extra.clone()));
    let empty = Draft { facts: Vec::new(), extra: Extra::default(), ..draft };
    let error = empty.into_world(0).unwrap_err().to_string();
    assert!(
        error.ends_with("expected an object of at least one fact, got an empty one"),
        "{error}"
    );
}

#[test]
fn tiers_by_facts() {
    let tiers = [0, 1, 5, 6, 10, 11, 30].map(|facts| Tier::of(facts).name());
    assert_eq!(tiers, ["easy", "easy", "easy", "mid", "mid", "hard", "hard"]);
    assert!(Tier::ALL.into_iter().all(|tier| Tier::named(tier.name()) == Some(tier)));
}
