//! A transcript played again in this page: what each seat could see when it was asked, and whether every line agrees.

use std::collections::BTreeMap;

use turnwise_shared::benchmark::{Benchmark, TaskSource};
use turnwise_shared::effect::Effect;
use turnwise_shared::episode::{CallId, Episode};
use turnwise_shared::note::Note;
use turnwise_shared::prompt::{Ask, Content, Pack, Role, Variable};
use turnwise_shared::replay::{Drift, Extent, Replay};
use turnwise_shared::run::header;
use turnwise_shared::scene::Block;
use turnwise_shared::scene::Scene;
use turnwise_shared::seat::{Seat, Viewer};
use turnwise_shared::session::{Next, Session};
use turnwise_shared::task::{Task, TaskSet};
use turnwise_shared::transcript::{Origin, Part, SaltKey, Transcript};

/// The field of a task that everybody in an episode may see. All others are shown only when a reader asks for them.
const OPEN_FIELD: &str = "question";

/// A transcript played again.
#[derive(Debug, Clone, PartialEq)]
pub struct Replayed {
    /// What was seen at each request to a seat.
    pub seen: BTreeMap<CallId, Seen>,
    /// What a reader who sees everything saw, from the first moment to the last.
    pub frames: Vec<Frame>,
    /// Whether it agrees.
    pub seal: Seal,
}

impl Replayed {
    /// Nothing could be played again, and why.
    pub fn not(why: impl Into<String>) -> Self {
        Replayed {
            seen: BTreeMap::new(),
            frames: Vec::new(),
            seal: Seal::NotReplayed(why.into()),
        }
    }

    /// What is new on the screen of the seat that was asked, since it was asked before.
    pub fn news(&self, call: CallId) -> &[Block] {
        let Some(seen) = self.seen.get(&call) else {
            return &[];
        };
        let before = self
            .seen
            .range(..call)
            .rev()
            .find(|(_, before)| before.seat == seen.seat);
        super::timeline::new_blocks(
            before.map_or(&[], |(_, before)| &before.scene.blocks),
            &seen.scene.blocks,
        )
    }
}

/// A moment of an episode, between two replies.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// The last turn before it; 0 before the first.
    pub after: u32,
    /// What a reader sees.
    pub scene: Scene,
}

/// What a seat saw when it was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// The seat.
    pub seat: Seat,
    /// Its screen.
    pub scene: Scene,
    /// The messages of the request.
    pub messages: Result<Vec<Sent>, String>,
}

/// A message as it was sent.
#[derive(Clone, PartialEq)]
pub struct Sent {
    /// Who speaks.
    pub role: Role,
    /// The template that it was made from, if from one.
    pub template: Option<String>,
    /// The hidden fields of the task that it holds, by name.
    pub hides: Vec<String>,
    /// The text with hidden fields covered by their names.
    pub covered: String,
    /// The whole text.
    pub whole: String,
}

/// Hidden text stays out of logs.
impl std::fmt::Debug for Sent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sent")
            .field("role", &self.role)
            .field("hides", &self.hides)
            .field("covered", &self.covered)
            .finish_non_exhaustive()
    }
}

/// Whether a replay agrees with its recording.
#[derive(Debug, Clone, PartialEq)]
pub enum Seal {
    /// Every line, to the end of the recording.
    Agrees {
        /// How many lines.
        lines: usize,
        /// Whether the episode is over there.
        extent: Extent,
        /// Whether the replay wrote the very same bytes.
        to_the_byte: bool,
    },
    /// A line differs.
    Drifts(Drift),
    /// It could not be played again, and why.
    NotReplayed(String),
}

/// Plays the play of a task again.
pub fn play(
    benchmark: &dyn Benchmark,
    tasks: &TaskSet,
    pack: &Pack,
    play: &Transcript,
) -> Replayed {
    with(benchmark, tasks, pack, play, |task| {
        benchmark
            .open(&play.header.spec, task, pack)
            .map_err(|bad| bad.to_string())
    })
}

/// Plays a grading again; `play` is the play that it graded.
pub fn grading(
    benchmark: &dyn Benchmark,
    tasks: &TaskSet,
    pack: &Pack,
    play: &Transcript,
    grading: &Transcript,
) -> Replayed {
    if grading.header.part != (Part::Grading { play: play.chain }) {
        return Replayed::not("it grades another play than the one above");
    }
    let Some(outcome) = play.outcome() else {
        return Replayed::not("the play is not over");
    };
    with(benchmark, tasks, pack, grading, |task| {
        benchmark
            .grade(&grading.header.spec, task, pack, outcome)
            .map_err(|bad| bad.to_string())?
            .ok_or_else(|| "this play needs no grading".to_owned())
    })
}

fn with(
    benchmark: &dyn Benchmark,
    tasks: &TaskSet,
    pack: &Pack,
    transcript: &Transcript,
    open: impl Fn(&Task) -> Result<Box<dyn Episode>, String>,
) -> Replayed {
    let recorded = &transcript.header;
    if recorded.origin == Origin::Imported {
        return Replayed::not("it was brought from another system, which cannot be played again");
    }
    if recorded.spec.protocol != benchmark.protocol() {
        return Replayed::not(format!(
            "it was recorded under protocol {}; this page knows protocol {}",
            recorded.spec.protocol,
            benchmark.protocol()
        ));
    }
    let Some(task) = tasks.task(&recorded.task.id) else {
        return Replayed::not(format!("{} has no task {}", tasks.name, recorded.task.id));
    };
    let episode = match open(task) {
        Ok(episode) => episode,
        Err(why) => return Replayed::not(why),
    };
    let header = header(&recorded.spec, task, recorded.repeat, recorded.part.clone());
    let salts = SaltKey::open(&header);
    let session = Session::open(header, episode, salts);
    let secrets = match benchmark.task_source() {
        TaskSource::File => Secrets::Covered,
        // Tasks that follow from the spec hide nothing: whoever knows the spec knows them.
        TaskSource::Spec => Secrets::None,
    };
    drive(session, transcript, task, pack, secrets)
}

/// Whether the fields of a task hide anything from a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Secrets {
    /// All but the question.
    Covered,
    /// Nothing.
    None,
}

fn drive(
    mut session: Session,
    transcript: &Transcript,
    task: &Task,
    pack: &Pack,
    secrets: Secrets,
) -> Replayed {
    let covered = match secrets {
        Secrets::Covered => covered(task),
        Secrets::None => task.clone(),
    };
    let mut seen = BTreeMap::new();
    let mut frames = Vec::new();
    let mut replay = Replay::new(transcript);
    let seal = loop {
        let mut asks: Vec<(CallId, Ask)> = Vec::new();
        while let Next::Call(call, effect) = session.poll() {
            if let Effect::Ask(ask) = effect {
                asks.push((call, ask));
            }
        }
        for (call, ask) in asks {
            let scene = session.scene(&Viewer::Seat(ask.seat.clone()));
            let messages = sent(pack, &ask, task, &covered, secrets);
            seen.insert(
                call,
                Seen {
                    seat: ask.seat,
                    scene,
                    messages,
                },
            );
        }
        frames.extend(frame(&session, frames.last()));
        match replay.step(&mut session) {
            Ok(Some(_)) => {}
            Ok(None) => {
                let lines = replay.position();
                let to_the_byte = session.chain() == transcript.chain;
                let extent = match (replay.beyond().is_empty(), session.outcome()) {
                    (false, _) => Extent::CutOff,
                    (true, Some(_)) => Extent::Whole,
                    (true, None) => Extent::Waiting,
                };
                break Seal::Agrees {
                    lines,
                    extent,
                    to_the_byte,
                };
            }
            Err(drift) => break Seal::Drifts(drift),
        }
    };
    Replayed { seen, frames, seal }
}

/// The present moment, if there is a table or lanes to be seen in it, and something is new.
fn frame(session: &Session, before: Option<&Frame>) -> Option<Frame> {
    let scene = session.scene(&Viewer::Reader);
    let is_game = |block: &Block| matches!(block, Block::CardTable(_) | Block::Lanes(_));
    if !scene.blocks.iter().any(is_game) {
        return None;
    }
    let turns = session.notes().filter_map(|note| match note {
        Note::Turn(turn) => Some(turn.index),
        _ => None,
    });
    let after = turns.last().unwrap_or(0);
    let frame = Frame { after, scene };
    (before != Some(&frame)).then_some(frame)
}

fn sent(
    pack: &Pack,
    ask: &Ask,
    task: &Task,
    covered: &Task,
    secrets: Secrets,
) -> Result<Vec<Sent>, String> {
    let whole = pack.render(ask, task).map_err(|bad| bad.to_string())?;
    let covered = pack.render(ask, covered).map_err(|bad| bad.to_string())?;
    Ok(ask
        .messages
        .iter()
        .zip(whole)
        .zip(covered)
        .map(|((message, whole), covered)| {
            let (template, hides) = match &message.content {
                Content::Text(_) => (None, Vec::new()),
                Content::Template { name, variables } => {
                    let hides = variables.values().filter_map(|variable| match variable {
                        Variable::Field(field)
                            if field != OPEN_FIELD && secrets == Secrets::Covered =>
                        {
                            Some(field.clone())
                        }
                        _ => None,
                    });
                    (Some(name.clone()), hides.collect())
                }
            };
            Sent {
                role: message.role,
                template,
                hides,
                covered: covered.text,
                whole: whole.text,
            }
        })
        .collect())
}

/// The task with its hidden fields covered by their names.
fn covered(task: &Task) -> Task {
    let mut covered = task.clone();
    for (name, text) in &mut covered.fields {
        if name != OPEN_FIELD {
            *text = format!("[{name}: hidden here]");
        }
    }
    covered
}

/// The hidden fields of a task, by name; empty ones are left out.
pub fn hidden_fields(task: &Task) -> Vec<(String, String)> {
    task.fields
        .iter()
        .filter(|(name, text)| *name != OPEN_FIELD && !text.trim().is_empty())
        .map(|(name, text)| (name.clone(), text.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use turnwise_shared::effect::{Hit, Reply};
    use turnwise_shared::registry;
    use turnwise_shared::run::{Doing, EpisodeKey, Ingredients, Run};
    use turnwise_shared::scheduler::Limits;
    use turnwise_shared::seat::Sitting;
    use turnwise_shared::spec::{Budget, Named, Profile, SearchSpec, Spec, Subset};
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
            tasks: Named {
                name: tasks.name.clone(),
                digest: tasks.digest,
            },
            subset: Subset {
                first: Some(2),
                ..Subset::default()
            },
            pack: Named {
                name: pack.name.clone(),
                digest: pack.digest(),
            },
            seats: BTreeMap::from([
                ("player".into(), bot("asks-by-rule")),
                ("responder".into(), bot("lexical")),
                ("grader".into(), bot("exact")),
            ]),
            search: Some(SearchSpec {
                engine: "local".into(),
                corpus: None,
                results: 5,
            }),
            budget: Budget::default(),
            seed: 1,
            repeats: 1,
        };
        let mut run = Run::new(Ingredients {
            spec,
            tasks: tasks.clone(),
            pack: pack.clone(),
            tapes: BTreeMap::new(),
            limits: Limits::new(4),
        })
        .expect("a sound spec");
        let mut texts: BTreeMap<EpisodeKey, String> = BTreeMap::new();
        loop {
            match run.poll() {
                Doing::Lines { episode, lines, .. } => {
                    let text = texts.entry(episode).or_default();
                    text.push_str(&lines.join("\n"));
                    text.push('\n');
                }
                Doing::Call { ticket, .. } => {
                    run.tell(&ticket, found()).expect("it was asked for");
                }
                Doing::Over => break,
                Doing::Ended { .. } => {}
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
        Reply::Found {
            hits: vec![
                hit(
                    "Orrel",
                    "Orrel is played on ice. Each side has nine players.",
                ),
                hit("Tamsin", "Tamsin is played on grass with a wooden bat."),
            ],
        }
    }

    fn benchmark() -> &'static dyn Benchmark {
        registry::find("interactcomp").expect("it is built in")
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
                    grading(
                        benchmark(),
                        &played.tasks,
                        &played.pack,
                        &its_play,
                        &transcript,
                    )
                }
            };
            assert_eq!(
                replayed.seal,
                Seal::Agrees {
                    lines,
                    extent: Extent::Whole,
                    to_the_byte: true
                },
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
        let hidden: Vec<_> = hidden_fields(task)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
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
                [Block::Act { .. }, Block::Came { .. }]
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
        assert!(matches!(replayed.seal, Seal::NotReplayed(_)));
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
            Seal::Agrees {
                lines: 2,
                extent: Extent::Waiting,
                to_the_byte: true
            }
        ));
    }
}
