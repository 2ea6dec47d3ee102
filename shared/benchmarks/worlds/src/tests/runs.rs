//! Runs: what is left after each stage, and that it loads as tasks of `paraworld`.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::freeze::{Finished, freeze};
use crate::settings::Unit;
use crate::work::seat;
use turnwise_core::scene::ribbon;
use turnwise_paraworld::task::{Tier, load};
use turnwise_paraworld::worlds::{self, Severity};

fn finished(plays: &[Transcript]) -> Vec<Finished> {
    let of = |play: &Transcript| Finished { made: made(play), repeat: play.header.repeat };
    plays.iter().map(of).collect()
}

fn stage(report: &Report, name: &str) -> u64 {
    report.record["yield"][name].as_u64().unwrap()
}

#[test]
fn with_sound_makers_every_question_becomes_a_world_that_passes_its_checks() {
    for language in ["en", "zh"] {
        let spec = spec(&json!({ "language": language }), &[]);
        let (plays, report) = run(&spec);
        assert_eq!(stage(&report, "begun"), 96);
        assert_eq!(stage(&report, "kept"), 96, "{}", report.record);
        assert_eq!(report.record["pairs_whole"], 24);
        for play in &plays {
            assert_eq!(play.outcome().unwrap().ending, "whole");
            assert_eq!((Studio::FACTS.measure)(play, None).score, Some(1.0));
        }
        let frozen = freeze("test", &spec, &finished(&plays), Unit::Pair).unwrap();
        let loaded = load(frozen.file.as_bytes()).unwrap();
        assert_eq!(frozen.manifest.check(&loaded), Ok(()));
        assert_eq!(loaded.worlds.len(), 96);
        let mut texts = BTreeSet::new();
        for world in &loaded.worlds {
            let errors: Vec<_> = worlds::check(world)
                .into_iter()
                .filter(|finding| finding.severity == Severity::Error)
                .collect();
            assert_eq!(errors, [], "{}", world.question());
            assert_eq!(world.language().name(), language);
            assert!(texts.insert(world.question().to_owned()), "asked twice");
            // Levels and tiers go together in what the builder builds.
            let level = world.extra.as_ref().unwrap().generator["level"].as_u64();
            let tier = match level.unwrap() {
                1 => Tier::Easy,
                4 => Tier::Hard,
                _ => Tier::Mid,
            };
            assert_eq!(world.tier(), tier);
        }
        assert_eq!(report.record["worlds_per_tier"], json!({ "easy": 24, "mid": 48, "hard": 24 }));
        let set = loaded.to_task_set("frozen");
        let pairs: BTreeSet<&String> = set.tasks.iter().map(|task| &task.labels["pair"]).collect();
        assert_eq!(pairs.len(), 24);
    }
}

#[test]
fn worlds_are_about_the_pair() {
    let spec = spec(&json!({}), &[]);
    let tasks = Studio.samples().tasks;
    for task in tasks.iter().take(6) {
        let made = made(&play(&spec, task));
        for record in &made.questions {
            let question = record.question.as_ref().unwrap();
            for name in made.pair.entities.iter().map(|term| &term.name) {
                assert!(question.text.contains(name), "{}", question.text);
            }
        }
    }
}

#[test]
fn the_ribbon_tells_the_story() {
    let spec = spec(&json!({ "questions": 1, "audits": 2 }), &[]);
    let task = &Studio.samples().tasks[0];
    let play = play(&spec, task);
    let cells = ribbon(play.notes());
    let letters: String = cells.iter().map(|cell| cell.kind.letter()).collect();
    assert_eq!(letters, "AMMMS==M");
    let seats: Vec<&str> = cells.iter().map(|cell| cell.seat.as_str()).collect();
    let (editor, auditor) = (seat::EDITOR, seat::AUDITOR);
    assert_eq!(
        seats,
        [seat::QUESTIONER, editor, seat::LAWGIVER, editor, auditor, auditor, auditor, editor]
    );
    assert!(cells.iter().all(|cell| cell.tone == Some(turnwise_core::note::Tone::Positive)));
    let events: Vec<&str> = play
        .notes()
        .filter_map(|note| match note {
            turnwise_core::note::Note::Event { name, .. } => Some(name.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(events, ["question", "law", "audit1", "audit2", "decision"]);
}

/// Spoilt replies at a known rate: some are mended when they are sent back, the others are rejected where they should be.
#[test]
fn careless_makers_lose_questions_at_every_stage_and_the_yield_shows_it() {
    let careless = [(seat::QUESTIONER, "bot:careless:0.5"), (seat::LAWGIVER, "bot:careless:0.5")];
    let spec = spec(&json!({ "repairs": 0 }), &careless);
    let (plays, report) = run(&spec);
    let counts: Vec<u64> = [
        "begun",
        "drafted",
        "law drafted",
        "self-checked",
        "audit 1",
        "audit 2",
        "accepted",
        "kept",
    ]
    .iter()
    .map(|name| stage(&report, name))
    .collect();
    assert_eq!(counts[0], 96);
    assert!(counts.is_sorted_by(|one, two| one >= two), "{counts:?}");
    assert!(counts[3] > counts[4] && counts[4] > counts[5] && counts[5] > 0, "{counts:?}");
    let rejections = &report.record["rejections"];
    assert!(rejections["checks"]["no_unit"].as_u64() > Some(0));
    assert!(rejections["checks"]["world"].as_u64() > Some(0));
    assert!(rejections["audit 1"]["contradiction"].as_u64() > Some(0));
    assert!(rejections["audit 2"]["differs"].as_u64() > Some(0));
    let sum: u64 = rejections
        .as_object()
        .unwrap()
        .values()
        .flat_map(|reasons| reasons.as_object().unwrap().values())
        .map(|count| count.as_u64().unwrap())
        .sum();
    assert_eq!(sum + stage(&report, "accepted"), 96);
    // Replies that were cut off are sent back, and most come whole then.
    let faults: BTreeMap<String, u32> = plays
        .iter()
        .flat_map(|play| summarise(play, None, (Studio::FACTS.measure)(play, None)).faults)
        .fold(BTreeMap::new(), |mut all, (class, count)| {
            *all.entry(class).or_default() += count;
            all
        });
    assert!(faults["not_json"] > 20, "{faults:?}");
    // What is left is sound whatever was spoilt.
    let kept = freeze("test", &spec, &finished(&plays), Unit::Question).unwrap();
    assert_eq!(kept.worlds.len() as u64, stage(&report, "accepted"));
    let errors = kept
        .worlds
        .iter()
        .flat_map(worlds::check)
        .filter(|finding| finding.severity == Severity::Error);
    assert_eq!(errors.count(), 0);
    // A second chance helps.
    let second = super::spec(&json!({ "repairs": 2 }), &careless);
    let (_, mended) = run(&second);
    assert!(stage(&mended, "self-checked") > counts[3]);
}

#[test]
fn one_rejected_question_takes_its_pair_with_it() {
    let careless = [(seat::LAWGIVER, "bot:careless:0.2")];
    let by_pair = spec(&json!({ "repairs": 0 }), &careless);
    let (plays, report) = run(&by_pair);
    let all = finished(&plays);
    let whole = all.iter().filter(|one| one.made.is_whole()).count();
    assert!((1..24).contains(&whole), "{whole}");
    let frozen = freeze("test", &by_pair, &all, Unit::Pair).unwrap();
    assert_eq!(frozen.worlds.len(), 4 * whole);
    assert_eq!(stage(&report, "kept"), 4 * whole as u64);
    let single = freeze("test", &by_pair, &all, Unit::Question).unwrap();
    assert_eq!(single.worlds.len() as u64, stage(&report, "accepted"));
    assert!(single.worlds.len() > frozen.worlds.len());
    let by_question = spec(&json!({ "repairs": 0, "filter": "question" }), &careless);
    let (_, report) = run(&by_question);
    assert_eq!(stage(&report, "kept"), stage(&report, "accepted"));
}

#[test]
fn the_same_seed_makes_the_same_worlds_and_another_one_others() {
    let task = &Studio.samples().tasks[3];
    let one = spec(&json!({}), &[]);
    let other = Spec { seed: 2, ..one.clone() };
    assert_eq!(made(&play(&one, task)), made(&play(&one, task)));
    assert_ne!(made(&play(&one, task)), made(&play(&other, task)));
}
