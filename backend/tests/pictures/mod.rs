//! A page is rendered, and a judge behind each wire format sees it beside the target; then the bytes that a server keeps.

mod painter;
mod served;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures::future::BoxFuture;
use painter::{Painter, target};
use turnwise_backend::database::Database;
use turnwise_backend::driver::Outside as _;
use turnwise_backend::outbound::{Egress, Renderer, Rendering};
use turnwise_backend::pictures::Pictures;
use turnwise_backend::rendering::{self, RenderError};
use turnwise_backend::services::ProviderError;
use turnwise_backend::store::Store;
use turnwise_shared::benchmark::given::{Episode, Given, Texts};
use turnwise_shared::effect::{Job, RENDER, Tool};
use turnwise_shared::exchange::bundle;
use turnwise_shared::exchange::html::{PageWriter, Transcripts};
use turnwise_shared::exchange::inspect::archive::Archive;
use turnwise_shared::exchange::inspect::write::LogWriter;
use turnwise_shared::picture;
use turnwise_shared::replay::{Extent, Replay};
use turnwise_shared::run::Halt;
use turnwise_shared::session::Session;
use turnwise_shared::transcript;

use crate::common::*;
use crate::providers::{anthropic, gemini};

const PAGE: &str = "<p>Hello</p>";

/// Paints every page in a colour of its own.
struct Painted;

fn painted(job: &Job) -> Vec<u8> {
    let mut pixels = tiny_skia::Pixmap::new(job.width, job.height).expect("a size");
    let [red, green, blue, ..] = *Digest::of(&job.html).bytes();
    pixels.fill(tiny_skia::Color::from_rgba8(red, green, blue, 255));
    pixels.encode_png().expect("a PNG")
}

impl Renderer for Painted {
    fn render<'a>(&'a self, job: &'a Job) -> BoxFuture<'a, Result<Rendering, ProviderError>> {
        Box::pin(async move {
            Ok(Rendering {
                png: painted(job),
                layout: "32x16\n0 0 32 16 16 #000000 #ffffff Hello".to_owned(),
                refused: vec!["https://example.org/".to_owned()],
                browser: "painted 1".to_owned(),
            })
        })
    }
}

/// A service that looks: it answers only if a request has the pictures of which its text speaks.
#[derive(Clone)]
struct Looks {
    format: &'static str,
    pictures: Arc<[Digest]>,
}

/// The pictures of a request, decoded, in order.
fn seen(body: &Value, found: &mut Vec<Digest>) {
    match body {
        Value::String(text) => {
            let text = text.strip_prefix("data:image/png;base64,").unwrap_or(text);
            if let Ok(bytes) = STANDARD.decode(text)
                && let Ok(picture) = PictureRef::of(&bytes)
            {
                found.push(picture.digest);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| seen(value, found)),
        Value::Object(members) => members.values().for_each(|value| seen(value, found)),
        _ => {}
    }
}

async fn look(State(looks): State<Looks>, body: Bytes) -> (StatusCode, String) {
    let request: Value = serde_json::from_slice(&body).expect("JSON");
    let mut found = Vec::new();
    seen(&request, &mut found);
    let is_judged = String::from_utf8_lossy(&body).contains("Picture 2");
    let wanted: &[Digest] = if is_judged { &looks.pictures } else { &[] };
    if found != wanted {
        let error = json!({ "error": { "message": "this model reads text only" } });
        return (StatusCode::BAD_REQUEST, error.to_string());
    }
    let text = if is_judged { "yes" } else { PAGE };
    let answer = match looks.format {
        "anthropic" => anthropic::message(text),
        "gemini" => gemini::response(text),
        _ => completion(json!(text)),
    };
    (StatusCode::OK, answer.to_string())
}

/// Plays the task; returns its transcript, and why the run paused if it did.
async fn played(
    format: &'static str,
    painter: &'static Painter,
    pictures: Vec<Digest>,
    change: impl FnOnce(Egress) -> Egress,
) -> (Option<Transcript>, Option<Halt>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    let looks = Looks { format, pictures: pictures.into() };
    let app = Router::new().fallback(look).with_state(looks);
    tokio::spawn(async move { axum::serve(listener, app).await });

    let folder = folder();
    let config = config_of(format, folder.path(), &base, "attempts = 1");
    let place = Pictures::of_run(folder.path());
    let egress = Egress::open(&config).await.expect("it opens");
    let egress = change(egress.keeping(place.clone()));
    let tasks = painter.samples();
    for png in tasks.pictures.values() {
        place.keep(png).await.expect("it is kept");
    }
    let mut spec = default_spec(painter);
    spec.tasks = Named::from(&tasks);
    for seat in [Seat::PLAYER, "judge"] {
        sit(&mut spec.seats, seat, "model:up/m");
    }
    let mut run = Run::new(Ingredients {
        benchmark: painter,
        pack: (painter.facts().pack)(),
        spec,
        tasks,
        recordings: BTreeMap::new(),
        limits: Limits::new(1),
    })
    .expect("it can be run");
    run.pause_on_failures(10);
    let mut text = String::new();
    loop {
        match run.poll() {
            Action::Call { ticket, request } => {
                let sent = serde_json::to_string(&request).expect("JSON");
                assert!(!sent.contains("base64"), "bytes travel with no call: {sent}");
                let (reply, timing) = egress.answer(ticket.clone(), request).await;
                run.tell_with(&ticket, reply, &timing).expect("it fits");
            }
            Action::Lines { lines, .. } => {
                text.extend(lines.iter().map(|line| format!("{line}\n")));
            }
            Action::Over => break,
            Action::Wait => return (None, run.halt().cloned()),
            _ => {}
        }
    }
    assert!(!text.contains(&STANDARD.encode(target())), "no bytes stand in a transcript");
    (Some(transcript::read(&text).expect("it is sound")), None)
}

static PAINTER: Painter = Painter { renders: 1 };

fn job() -> Job {
    let profile = turnwise_shared::effect::RenderProfile::Render1;
    Job { html: PAGE.to_owned(), width: 32, height: 16, profile }
}

fn with_painter(egress: Egress) -> Egress {
    egress.rendering(Arc::new(Painted))
}

#[tokio::test]
async fn a_judge_sees_target_and_attempt_in_each_wire_format() {
    let attempt = painted(&job());
    let wanted = vec![Digest::of(target()), Digest::of(&attempt)];
    let mut chains = Vec::new();
    for format in ["openai", "anthropic", "gemini"] {
        let (play, _) = played(format, &PAINTER, wanted.clone(), with_painter).await;
        let play = play.expect("it came to an end");
        let outcome = play.outcome().expect("it ended");
        assert_eq!(outcome.ending, "judged", "{format}: {play:?}");
        assert_eq!(outcome.result["verdict"], "yes", "{format}");
        let found: Vec<_> = play.pictures().collect();
        assert_eq!(found, [PictureRef::of(&attempt).expect("a PNG")]);
        // The same replies, the same bytes; and a replay needs neither browser nor pictures.
        let task = &PAINTER.samples().tasks[0];
        let episode =
            PAINTER.open(&play.header.spec, task, &(PAINTER.facts().pack)()).expect("it opens");
        let salts = SaltKey::open(&play.header);
        let mut again = Session::open(play.header.clone(), episode, salts);
        assert_eq!(Replay::new(&play).run(&mut again), Ok(Extent::Whole));
        let usage = summarise(&play, None, Measured::default()).usage;
        assert_eq!(usage[RENDER].calls, 1);
        exported(&play, &attempt);
        chains.push(play.events.len());
    }
    assert_eq!(chains, vec![chains[0]; 3]);
}

/// Pages and bundles carry the bytes of what transcripts name, and say what is missing.
fn exported(play: &Transcript, attempt: &[u8]) {
    let (key, report) = (EpisodeKey::play(&play.header.task.id, 1), Report::default());
    let summary = summarise(play, None, Measured::default());
    let pictures = BTreeMap::from([(Digest::of(attempt), attempt.to_vec())]);
    let given = |pictures| Given {
        benchmark: &PAINTER,
        spec: &play.header.spec,
        title: "",
        tags: &[],
        id: "a-run",
        opened: None,
        program: "0",
        tasks: None,
        pack: None,
        texts: Texts::Named,
        report: &report,
        pictures,
    };
    let page = |pictures| {
        let mut page = PageWriter::new(given(pictures), 1, Transcripts::All);
        page.add(&Episode { key: &key, summary: &summary, play, grading: None, times: &[] });
        page.finish()
    };
    let source = format!("src=\"{}\"", picture::data_url(&picture::base64(attempt)));
    let whole = page(&pictures);
    assert!(whole.contains(&source) && whole.contains("img-src data:"), "{whole}");
    let bare = page(&picture::NONE);
    assert!(!bare.contains("<img") && bare.contains("32 × 16 pixels"), "{bare}");

    // A log of Inspect has them in the judge's request.
    let (tasks, pack) = (PAINTER.samples(), (PAINTER.facts().pack)());
    let given = Given { tasks: Some(&tasks), pack: Some(&pack), ..given(&pictures) };
    let mut log = LogWriter::new(given, Vec::new()).expect("memory takes it");
    log.add(&Episode { key: &key, summary: &summary, play, grading: None, times: &[] })
        .expect("memory takes it");
    let log = log.finish().expect("memory takes it");
    let length = log.len() as u64;
    let log = Archive::open(log, length).expect("it is a zip");
    let sample = log.names().find(|name| name.starts_with("samples/")).expect("a sample");
    let sample = log.file(sample, 1_000_000).expect("it unpacks");
    let shown = picture::data_url(&picture::base64(attempt));
    assert!(String::from_utf8_lossy(&sample).contains(&shown), "the judge saw it");

    let text = play.text().expect("it is whole");
    let saved =
        [bundle::head("x", None, None), bundle::line(&key, &text), bundle::picture(attempt)];
    let saved = saved.concat();
    assert_eq!(bundle::pictures(&saved), Ok(pictures));
    assert_eq!(bundle::read(&saved).map(|all| all.len()), Ok(1));
    let broken = saved.replace(&picture::base64(attempt), "iVBORw0KGgo=");
    let problem = bundle::pictures(&broken).expect_err("it is no picture").to_string();
    assert_eq!(problem, "line 3: it is not a whole PNG file");
}

#[tokio::test]
async fn a_model_that_takes_no_picture_pauses_the_run_at_once() {
    for format in ["openai", "anthropic", "gemini"] {
        let (play, halt) = played(format, &PAINTER, Vec::new(), with_painter).await;
        assert_eq!(play, None);
        let halt = halt.expect("it paused");
        assert_eq!((halt.class, halt.in_a_row), (FailureClass::Forbidden, 1), "{format}");
        assert!(halt.message.contains("m refused the first request with a picture"), "{halt:?}");
        assert!(halt.words.is_some_and(|words| words.contains("text only")), "{format}");
    }
}

#[derive(Default)]
struct Counted(AtomicU32);

impl Renderer for Counted {
    fn render<'a>(&'a self, job: &'a Job) -> BoxFuture<'a, Result<Rendering, ProviderError>> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Painted.render(job)
    }
}

#[tokio::test]
async fn the_same_document_is_rendered_once() {
    let folder = folder();
    let config = config_of("openai", folder.path(), "http://127.0.0.1:1", "attempts = 1");
    let database = Database::File(folder.path().join("turnwise.db"));
    let store = Store::open(&database).await.expect("it opens");
    let digest = Digest::of(painted(&job()));
    let kept = folder.path().join(format!("pictures/{digest}.png"));
    for (place, is_folder) in
        [(Pictures::of_run(folder.path()), true), (Pictures::Database(store), false)]
    {
        let counted = Arc::new(Counted::default());
        let egress = Egress::open(&config).await.expect("it opens");
        let egress = egress.keeping(place).rendering(counted.clone());
        let rendered = async |html: &str| {
            let job = Job { html: html.to_owned(), ..job() };
            let episode = EpisodeKey::play(&PAINTER.samples().tasks[0].id, 1);
            let ticket = Ticket { episode, call: CallId(1), digest: Digest::of(html) };
            let (reply, _) = egress.answer(ticket, Outgoing::Use(Tool::Render(job))).await;
            let Reply::Made(made) = reply else { panic!("{reply:?}") };
            (made, counted.0.load(Ordering::Relaxed))
        };
        let (first, _) = rendered(PAGE).await;
        assert_eq!(rendered(PAGE).await, (first.clone(), 1));
        assert_eq!(rendered("<p>Other</p>").await.1, 2);
        if is_folder {
            // What is remembered without its picture is made again.
            std::fs::remove_file(&kept).expect("it was kept");
            assert_eq!(rendered(PAGE).await, (first, 3));
        }
    }
}

#[tokio::test]
async fn what_cannot_be_rendered_is_told_to_the_episode() {
    static IDLE: Painter = Painter { renders: 0 };
    let off = |egress: Egress| {
        let why = RenderError::Off("there is no browser".to_owned());
        egress.rendering(Arc::new(rendering::Renderer::new(Err(why))))
    };
    for (painter, egress, why) in [
        (&PAINTER, off as fn(Egress) -> Egress, "rendering is off, because there is no browser"),
        (&IDLE, with_painter, "painter does not use the tool \"render\""),
    ] {
        let (play, _) = played("openai", painter, Vec::new(), egress).await;
        let play = play.expect("it came to an end");
        assert_eq!(play.outcome().map(|outcome| outcome.is_complete()), Some(false));
        let failed = play.events.iter().flatten().find_map(|event| match event {
            Event::Told { reply: Reply::Failed(failure), .. } => Some(failure.message.clone()),
            Event::Told { reply: Reply::Made(Made::Picture(_)), .. } => panic!("it was rendered"),
            _ => None,
        });
        assert_eq!(failed.as_deref(), Some(why));
    }
}
