//! Sealed tasks: nothing that is marked reaches the driver, players or readers of a run, and none of them can ask for it.

mod asked;
mod branched;
mod told;

use std::collections::BTreeSet;
use std::sync::Mutex;

use turnwise_backend::App;
use turnwise_shared::evidence_tier::Evidence;
use turnwise_shared::prompt::Rendered;
use turnwise_shared::receipt::{Book, Keys};
use turnwise_shared::replay::{Extent, Replay};
use turnwise_shared::session::Session;
use turnwise_shared::transcript::{self, Writer};
use turnwise_shared::verify::{Driver, Material, Sight, Tally, Verifier};
use turnwise_shared::wire::TaskSetInfo;
use turnwise_shared::wire::publishing::FindingAbout;
use turnwise_shared::wire::receipts::{PublishedKey, ReceiptsPage};
use turnwise_shared::wire::sealed::SealedTasks;

use crate::common::*;

/// It stands in every hidden field, in what the model says, and nowhere else.
const MARK: &str = "MARKED";
const SET: &str = "secret.jsonl";
const WORLD: &str = "secret-world.jsonl";

/// The web app's page, with the places that the server fills.
const APP: &str = "<title>Turnwise</title><main><!--told--><!--boot-->Later.<!--/boot--></main><noscript></noscript>";

/// A service with a sealed set, and everything that it has answered.
struct Sealed {
    service: Service,
    upstream: Upstream,
    heard: Mutex<String>,
}

fn rows() -> String {
    let row = |id: u32| {
        json!({
            "id": id, "domain": "Made up", "question": format!("Which door is meant in house {id}?"),
            "context": format!("{MARK}-context: it is the green one."), "answer": format!("{MARK}-answer green"),
            "aliases": [format!("{MARK}-alias")],
        })
    };
    format!("{}\n{}\n", row(1), row(2))
}

fn put_file(folder: &Path, name: &str) {
    put(folder, QUESTIONS, name, &rows());
}

/// Puts a task file of a benchmark into a data folder.
fn put(folder: &Path, benchmark: &str, name: &str, rows: &str) {
    let tasks = folder.join("tasks").join(benchmark);
    std::fs::create_dir_all(&tasks).expect("the folder can be made");
    std::fs::write(tasks.join(name), rows).expect("the file can be written");
}

/// A world of two facts: one that is asked for, and one that is never revealed.
fn put_world(folder: &Path) {
    let question = "Which is taller, Ada Tower or Bo Tower?";
    let row = json!({
        "index": 1, "prompt": [{ "role": "user", "content": question }], "answer": format!("{MARK} Ada Tower"),
        "extra_info": {
            "world_truth_info": {
                "generated_question": question,
                "atomic_facts": {
                    "height of Ada Tower": "120 metres",
                    format!("height of {MARK} Tower"): format!("{MARK} 90 metres"),
                },
                "final_answer": format!("{MARK}: by 30 metres"),
            },
            "turnwise": { "entities": [{ "name": format!("{MARK} Tower") }], "facts": [] },
        },
    });
    put(folder, WORLDS, WORLD, &format!("{row}\n"));
}

impl Sealed {
    async fn start(answers: Vec<Canned>) -> Self {
        Sealed::with(answers, |folder, config| {
            put_file(folder, "a-copy.jsonl");
            put_world(folder);
            config.sealed.push(WORLD.into());
            let web = folder.join("web");
            std::fs::create_dir(&web).expect("the folder can be written");
            std::fs::write(web.join("index.html"), APP).expect("it writes");
            config.web = Some(web);
        })
        .await
    }

    /// A service with the sealed set and no more than is added to its folder and its configuration.
    async fn with(answers: Vec<Canned>, add: impl FnOnce(&Path, &mut Config)) -> Self {
        let upstream = Upstream::start(answers).await;
        let service = Service::in_a_folder(|folder| {
            put_file(folder, SET);
            let mut config = config(folder, &upstream.base_url(), "");
            config.sealed.push(SET.into());
            add(folder, &mut config);
            config
        });
        Sealed { service: service.await, upstream, heard: Mutex::default() }
    }

    fn note(&self, came: HttpReply) -> HttpReply {
        let mut heard = self.heard.lock().expect("no test panics here");
        heard.push_str(&came.text);
        heard.push('\n');
        came
    }

    async fn get(&self, path: &str) -> HttpReply {
        self.note(self.service.get(path).await)
    }

    async fn post(&self, path: &str, body: &impl serde::Serialize) -> HttpReply {
        self.note(self.service.post(path, None, body).await)
    }

    async fn put(&self, run: &Opened, episode: &EpisodeKey, from: u64, lines: &str) -> HttpReply {
        self.note(self.service.put(run, episode, from, lines).await)
    }

    /// Stores lines as an episode gives them; the answer must be a success.
    async fn store(&self, run: &Opened, episode: &EpisodeKey, from: u64, lines: &[String]) {
        let came = self.service.put_lines(run, episode, from, lines).await;
        let _: Value = self.note(came).json();
    }

    async fn call(&self, run: &Opened, ticket: &Ticket, request: Outgoing) -> CallAnswer {
        let request = call_of(run, ticket, request);
        self.post("/api/call", &request).await.json()
    }

    async fn tasks(&self) -> TaskSet {
        self.handed_out(SET).await
    }

    async fn handed_out(&self, name: &str) -> TaskSet {
        let bytes = self.get(&format!("/api/tasks/{name}")).await.text;
        let sealed = SealedTasks::read(bytes.as_bytes()).expect("it is handed out as JSON");
        sealed.into_set(name)
    }

    async fn open(&self, spec: &Spec) -> Opened {
        let wanted = OpenRun { episodes: 2, ..opening(spec) };
        self.post("/api/runs", &wanted).await.json()
    }

    /// Reads what is shown of a run at these places; each must be a success.
    async fn read(&self, run: &RunId, places: &[&str]) {
        for place in places {
            let came = self.get(&format!("/api/runs/{run}{place}")).await;
            assert!(came.status.is_success(), "{place}");
        }
    }

    /// The page of a run, or of an episode of it.
    async fn page(&self, path: &str) -> String {
        let came = self.note(self.service.page(path).await);
        assert!(came.status.is_success(), "{path}");
        came.text
    }

    fn sent(&self) -> Vec<String> {
        let seen = self.upstream.seen();
        seen.into_iter().map(|seen| seen.text).collect()
    }

    /// Nothing that is hidden was heard.
    fn is_tight(&self) {
        let heard = self.heard.lock().expect("no test panics here");
        assert!(!heard.is_empty());
        if let Some(at) = heard.find(MARK) {
            let around = &heard[at.saturating_sub(300)..(at + 100).min(heard.len())];
            panic!("something hidden was told: …{around}…");
        }
    }
}

/// A person asks and answers; who responds and who grades is said.
fn spec(tasks: &TaskSet, others: &str) -> Spec {
    let mut spec = default_spec(example(QUESTIONS));
    spec.tasks = named(tasks);
    spec.settings["mode"] = "ask_only".into();
    let [responder, grader] = match others {
        "models" => ["model:up/m"; 2],
        _ => ["bot:lexical", "bot:exact"],
    };
    let lineup = [(Seat::PLAYER, "person"), (Seat::RESPONDER, responder), (Seat::GRADER, grader)];
    for (seat, player) in lineup {
        sit(&mut spec.seats, seat, player);
    }
    spec
}

fn named(tasks: &TaskSet) -> Named {
    Named::from(tasks)
}

/// One call after the other.
fn one_by_one(spec: &Spec, tasks: &TaskSet) -> Ingredients {
    Ingredients { limits: Limits::new(1), ..ingredients(spec, tasks.clone()) }
}

fn run(spec: &Spec, tasks: &TaskSet) -> Run {
    Run::new(one_by_one(spec, tasks)).expect("it can be planned")
}

/// A person plays, and a model judges.
fn world_spec(tasks: &TaskSet) -> Spec {
    let mut spec = default_spec(example(WORLDS));
    spec.tasks = named(tasks);
    for (seat, player) in [("player", "person"), ("judge", "model:up/m")] {
        sit(&mut spec.seats, seat, player);
    }
    spec
}

/// The player says this in the sealed world.
async fn play_world(sealed: &Sealed, tasks: &TaskSet, says: &[&str]) -> (Opened, Page) {
    let spec = world_spec(tasks);
    let opened = sealed.open(&spec).await;
    let mut run = self::run(&spec, tasks);
    let page = play(sealed, &opened, &mut run, says, usize::MAX).await;
    (opened, page)
}

fn asks(question: &str) -> String {
    acts("ask", json!({ "question": question }))
}

fn answers(answer: &str) -> String {
    acts("answer", json!({ "answer": answer, "confidence": "70" }))
}

/// What a page did with a run.
#[derive(Default)]
struct Page {
    texts: BTreeMap<EpisodeKey, String>,
    calls: Vec<(Ticket, Outgoing, CallAnswer)>,
}

/// Plays as a page does, until it is over or `most` sealed calls have been made: the player says this, one after the other,
/// in every episode.
async fn play(sealed: &Sealed, opened: &Opened, run: &mut Run, says: &[&str], most: usize) -> Page {
    let mut page = Page::default();
    let mut said: BTreeMap<EpisodeKey, usize> = BTreeMap::new();
    loop {
        match run.poll() {
            Action::Person { ticket, .. } => {
                let next = said.entry(ticket.episode.clone()).or_default();
                let text = says[*next];
                *next += 1;
                run.tell(&ticket, Reply::Said(Said::text(text))).expect("it fits");
            }
            Action::Call { ticket, request } => {
                assert!(matches!(request, Outgoing::Sealed { .. }), "{request:?}");
                let answer = sealed.call(opened, &ticket, request.clone()).await;
                run.tell(&ticket, answer.reply.clone()).expect("it fits");
                page.calls.push((ticket, request, answer));
                if page.calls.len() == most {
                    return page;
                }
            }
            Action::Lines { episode, from, lines } => {
                sealed.store(opened, &episode, from, &lines).await;
                let text = page.texts.entry(episode).or_default();
                text.extend(lines.iter().flat_map(|line| [line.as_str(), "\n"]));
            }
            Action::Over => return page,
            Action::Wait => panic!("everything outside was answered"),
            Action::Ended { .. } | Action::Unfit { .. } => {}
        }
    }
}

/// Whether a transcript agrees with a replay over what was handed out.
fn replays(text: &str, spec: &Spec, tasks: &TaskSet, play: Option<&Transcript>) -> Transcript {
    let lines = transcript::read(text).expect("the chain holds");
    let task = tasks.task(&lines.header.task.id).expect("it is there");
    let pack = example(QUESTIONS).pack();
    let episode = match play.map(|play| play.outcome().expect("it is over")) {
        None => example(QUESTIONS).open(spec, task, &pack).expect("it opens"),
        Some(outcome) => example(QUESTIONS)
            .grade(spec, task, &pack, outcome)
            .expect("it can be graded")
            .expect("it needs it"),
    };
    let salts = SaltKey::open(&lines.header);
    let mut session = Session::open(lines.header.clone(), episode, salts);
    let extent = Replay::new(&lines).run(&mut session).expect("no drift");
    assert_eq!(extent, Extent::Whole);
    assert_eq!(session.chain(), lines.chain, "to the byte");
    lines
}
