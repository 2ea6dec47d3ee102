use super::*;
use serde_json::json;
use turnwise_shared::run::{Action, Ingredients};
use turnwise_shared::scheduler::Limits;
use turnwise_shared::spec::Subset;
use turnwise_shared::transcript;

struct Played {
    tasks: TaskSet,
    pack: Pack,
    texts: BTreeMap<EpisodeKey, String>,
}

impl Played {
    fn read(&self, key: &EpisodeKey) -> Transcript {
        transcript::read(&self.texts[key]).expect("it was just written")
    }
}

/// The first two sample tasks, played by bots, with the same two results for every search.
fn played() -> Played {
    let benchmark = benchmark();
    let (tasks, pack) = (benchmark.samples(), benchmark.pack());
    let bot = |name: &str| Sitting {
        player: format!("bot:{name}").parse().unwrap(),
        sampling: Default::default(),
    };
    let spec = Spec {
        benchmark: benchmark.name().into(),
        protocol: benchmark.protocol(),
        profile: Profile::Strict,
        settings: json!({ "mode": "full" }),
        tasks: Named { name: tasks.name.clone(), digest: tasks.digest },
        subset: Subset { first: Some(2), ..Subset::default() },
        pack: Named { name: pack.name.clone(), digest: pack.digest() },
        seats: BTreeMap::from([
            ("player".into(), bot("asks-by-rule")),
            ("responder".into(), bot("lexical")),
            ("grader".into(), bot("exact")),
        ]),
        search: Some(SearchSpec { engine: "local".into(), corpus: None, results: 5 }),
        web: None,
        budget: Budget::default(),
        seed: 1,
        repeats: 1,
    };
    let mut run = Run::new(Ingredients {
        benchmark,
        spec,
        tasks: tasks.clone(),
        pack: pack.clone(),
        recordings: BTreeMap::new(),
        limits: Limits::new(4),
    })
    .expect("a sound spec");
    let mut texts: BTreeMap<EpisodeKey, String> = BTreeMap::new();
    loop {
        match run.poll() {
            Action::Lines { episode, lines, .. } => {
                let text = texts.entry(episode).or_default();
                text.push_str(&lines.join("\n"));
                text.push('\n');
            }
            Action::Call { ticket, .. } => {
                run.tell(&ticket, found()).expect("it was asked for");
            }
            Action::Over => break,
            Action::Ended { .. } => {}
            other => panic!("bots need nothing from outside: {other:?}"),
        }
    }
    Played { tasks, pack, texts }
}

fn found() -> Reply {
    let hit = |title: &str, snippet: &str| Hit {
        title: Some(title.into()),
        snippet: Some(snippet.into()),
        url: None,
    };
    Reply::found(vec![
        hit("Orrel", "Orrel is played on ice. Each side has nine players."),
        hit("Tamsin", "Tamsin is played on grass with a wooden bat."),
    ])
}

fn benchmark() -> &'static dyn Benchmark {
    registry::find(turnwise_shared::examples::QUESTIONS).expect("it is built in")
}

#[test]
fn a_play_and_its_grading_agree_to_the_byte() {
    let played = played();
    for (key, text) in &played.texts {
        let transcript = transcript::read(text).unwrap();
        let lines = text.lines().count();
        let replayed = match transcript.header.part {
            Part::Play => play(benchmark(), &played.tasks, &played.pack, &transcript),
            Part::Grading { .. } => {
                let its_play = played.read(&key.its_play());
                grading(benchmark(), &played.tasks, &played.pack, &its_play, &transcript)
            }
        };
        assert_eq!(
            replayed.seal,
            Seal::Agrees { lines, extent: Extent::Whole, to_the_byte: true },
            "{key}"
        );
        assert!(!replayed.seen.is_empty());
    }
}

#[test]
fn hidden_text_is_covered_where_it_was_not_the_players_to_see() {
    let played = played();
    let (key, _) = played.texts.first_key_value().unwrap();
    let transcript = played.read(&key.its_play());
    let task = played.tasks.task(&transcript.header.task.id).unwrap();
    let replayed = play(benchmark(), &played.tasks, &played.pack, &transcript);
    let context = task.field("context").unwrap();
    let mut asked_responder = 0;
    for seen in replayed.seen.values() {
        for sent in seen.messages.as_ref().expect("the pack renders") {
            assert!(!sent.covered.contains(context));
            if seen.seat.as_str() == Seat::RESPONDER {
                asked_responder += 1;
                assert_eq!(sent.hides, ["context"]);
                assert!(sent.whole.contains(context));
                assert!(sent.covered.contains("[context: hidden here]"));
            } else {
                assert!(sent.hides.is_empty());
                assert_eq!(sent.covered, sent.whole);
            }
        }
        assert!(!format!("{seen:?}").contains(context), "not even in logs");
    }
    assert!(asked_responder > 0, "the bot asks");
    let hidden: Vec<_> = hidden_fields(task).into_iter().map(|(name, _)| name).collect();
    assert!(hidden.contains(&"context".to_owned()) && hidden.contains(&"answer".to_owned()));
    assert!(!hidden.contains(&"question".to_owned()));
}

#[test]
fn each_turn_shows_what_was_new_on_the_screen() {
    let played = played();
    let (key, _) = played.texts.first_key_value().unwrap();
    let transcript = played.read(&key.its_play());
    let replayed = play(benchmark(), &played.tasks, &played.pack, &transcript);
    let calls: Vec<CallId> = replayed
        .seen
        .iter()
        .filter(|(_, seen)| seen.seat.as_str() == Seat::PLAYER)
        .map(|(call, _)| *call)
        .collect();
    assert!(matches!(replayed.news(calls[0]), [Block::Text { .. }]));
    assert!(
        matches!(
            replayed.news(calls[1]),
            [Block::Act { .. }, Block::Observation { .. } | Block::Results { .. }]
        ),
        "what it asked, and the reply"
    );
    assert!(replayed.news(CallId(999)).is_empty());
}

#[test]
fn a_changed_line_is_named() {
    let played = played();
    let (key, _) = played.texts.first_key_value().unwrap();
    let mut transcript = played.read(&key.its_play());
    let other = played.tasks.tasks[1].id.clone();
    transcript.header.task.id = other;
    let replayed = play(benchmark(), &played.tasks, &played.pack, &transcript);
    assert!(matches!(replayed.seal, Seal::Drifts(drift) if drift.line == 1));
    transcript.header.origin = Origin::Imported;
    let replayed = play(benchmark(), &played.tasks, &played.pack, &transcript);
    assert_eq!(replayed.seal, Seal::Imported);
}

#[test]
fn a_recording_that_waits_agrees_so_far() {
    let played = played();
    let (key, _) = played.texts.first_key_value().unwrap();
    let text = &played.texts[&key.its_play()];
    let first: Vec<&str> = text.lines().take(2).collect();
    let transcript = transcript::read(&format!("{}\n", first.join("\n"))).unwrap();
    let replayed = play(benchmark(), &played.tasks, &played.pack, &transcript);
    assert!(matches!(
        replayed.seal,
        Seal::Agrees { lines: 2, extent: Extent::Waiting, to_the_byte: true }
    ));
}
