//! Runs before judges that look, and what a stranger's browser gets of their pictures.

use turnwise_core::exchange::inspect::archive::Packer;
use turnwise_shared::benchmark::Benchmark as _;
use turnwise_shared::benchmarks::ui2html::Ui2Html;
use turnwise_shared::transcript;

use super::eyes::{Eyes, FORMATS};
use super::{is_without, renders};
use crate::*;

/// Starts a run of one page and two rounds, and waits for its end.
async fn played(tab: &Tab, trial: &Trial, more: &str) -> String {
    let address = format!("/new?benchmark=ui2html&first=1&rounds=2&seat.player=bot:asks&{more}");
    tab.goto(&trial.server.url(&address)).await;
    start(tab).await;
    let run = run_of(tab).await;
    let asking = Asking::new(&trial.server);
    let info = asking.wait(&run, "the end", |info| info.state == RunState::Closed).await;
    assert_eq!(info.finished, info.episodes);
    run
}

/// The only episode of a run.
async fn episode(asking: &Asking<'_>, run: &str) -> (String, Transcript) {
    let heads: Vec<EpisodeHead> = asking.json(&format!("/api/runs/{run}/episodes")).await;
    let key = heads[0].episode.its_play();
    (key.to_string(), transcript::read(&asking.transcript(run, &key).await).expect("a transcript"))
}

/// The seats that would follow the judge.
const BOTS: &str = "seat.summarizer=bot:frozen&seat.scorer=bot:rubric";

/// The page that lay before the judge at each of its questions.
fn attempts(play: &Transcript) -> Vec<Digest> {
    let (mut page, mut found) = (None, Vec::new());
    for event in play.events.iter().flatten() {
        match event {
            Event::Told { reply: Reply::Made(Made::Picture(made)), .. } => {
                page = Some(made.picture.digest)
            }
            Event::Asked { request: Request::Ask { seat, .. }, .. } if seat.as_str() == "judge" => {
                found.extend(page)
            }
            _ => {}
        }
    }
    found
}

fn target(set: &TaskSet, task: &Task) -> Vec<u8> {
    let digest = task.fields["picture"]
        .parse::<turnwise_shared::picture::PictureRef>()
        .expect("a picture")
        .digest;
    set.pictures[&digest].to_vec()
}

#[tokio::test(flavor = "multi_thread")]
async fn judges_of_every_format_see_both_pages() {
    let test = "judges_of_every_format_see_both_pages";
    let Some(stage) = stage(test).await else { return };
    let samples = Ui2Html.samples();
    let targets: Vec<Digest> = samples.pictures.keys().copied().collect();
    let mut eyes = Vec::new();
    for format in FORMATS {
        eyes.push(Eyes::open(format, targets.clone()).await);
    }
    let mut variables = Vec::new();
    for (format, eyes) in FORMATS.iter().zip(&eyes) {
        let name = format!("TURNWISE_PROVIDER_{}", format.to_uppercase());
        variables.push((format!("{name}X_BASE_URL"), eyes.base_url.clone()));
        variables.push((format!("{name}X_FORMAT"), (*format).to_owned()));
        variables.push((format!("{name}X_API_KEY"), "k".to_owned()));
    }
    let variables: Vec<_> =
        variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trial = Trial::start(&stage, folder, &variables);
    let asking = Asking::new(&trial.server);
    if !renders(test, &asking).await {
        return;
    }
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/"), Look::WIDE).await;
    let mut last = String::new();
    for (format, eyes) in FORMATS.iter().zip(&eyes) {
        let run = played(&tab, &trial, &format!("seat.judge=model:{format}x/m&{BOTS}")).await;
        let (key, play) = episode(&asking, &run).await;
        let looked: Vec<Digest> = eyes.looked().iter().map(|[_, attempt]| *attempt).collect();
        assert_eq!(looked, attempts(&play), "{format}");
        assert_eq!(looked.len(), 2, "{format}");
        last = format!("/run/{run}/{key}");
    }

    // The rounds as a reader goes through them, with the keyboard.
    let png = target(&samples, &samples.tasks[0]);
    let tab = chromium.open(&trial.server.url(&last), Look::WIDE).await;
    tab.wait_for("#rounds .film-frame img", SOON).await;
    assert_eq!(tab.count(".film-frame").await, 3);
    tab.wait_for_text_in("#rounds", "Likeness", SOON).await;
    tab.focus(".film > li:first-child .film-frame").await;
    tab.press("Enter").await;
    tab.wait_for(".film > li:first-child .film-frame[aria-current=step]", SOON).await;
    tab.wait_for_text_in("#rounds", "Compared with the target", SOON).await;
    pictures(&tab, "rounds-hidden").await;
    tab.wait_for_text("Replay verified", SOON).await;
    tab.click_text("Show the hidden text").await;
    tab.wait("both pages", "document.querySelectorAll('.pair-page img').length === 2", SOON).await;
    pictures(&tab, "rounds-beside").await;
    tab.click("#rounds input[type=checkbox]").await;
    tab.click_text("Overlay").await;
    pictures(&tab, "rounds-over").await;
    tab.click_text("Difference").await;
    pictures(&tab, "rounds-difference").await;
    tab.assert_clean(trial.server.address());

    // A stranger who does not ask for what is hidden gets nothing of it.
    let stranger = Chromium::start(&stage.browser).await;
    let tab = stranger.open("about:blank", Look::WIDE).await;
    let received = tab.receiving().await;
    tab.goto(&trial.server.url(&last)).await;
    tab.wait_for("#rounds .picture img", SOON).await;
    tab.wait_for_text("Replay verified", SOON).await;
    tab.click("#to-verify").await;
    tab.wait_for("#verify", SOON).await;
    tab.click("#verify").await;
    tab.wait_for_text_in("#verified", "Everything that was checked agrees", SOON).await;
    is_without(&tab, &received.so_far(), &[png]).await;
    tab.assert_clean(trial.server.address());
}

/// Puts a set of one page into a server's folder.
fn put_set_into(data: &Path, name: &str) -> Vec<u8> {
    let samples = Ui2Html.samples();
    let task = &samples.tasks[0];
    let png = target(&samples, task);
    let row = json!({
        "id": "house-1", "picture": "house.png", "description": task.fields["question"], "layout": task.fields["layout"],
    });
    let mut zip = Packer::new(Vec::new());
    zip.add("house.png", &png).expect("it is added");
    zip.add("tasks.jsonl", format!("{row}\n").as_bytes()).expect("it is added");
    let folder = data.join("tasks").join("ui2html");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    std::fs::write(folder.join(name), zip.finish().expect("a zip")).expect("it is written");
    png
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_verifies_a_run_without_the_pictures_that_are_sealed() {
    let test = "a_stranger_verifies_a_run_without_the_pictures_that_are_sealed";
    let Some(stage) = stage(test).await else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let hidden = put_set_into(&data_of(&folder), "house.zip");
    let eyes = Eyes::open("openai", [Digest::of(&hidden)]).await;
    let variables =
        [("TURNWISE_PROVIDER_UP_BASE_URL", &*eyes.base_url), ("TURNWISE_SEALED", "house.zip")];
    let trial = Trial::start(&stage, folder, &variables);
    let asking = Asking::new(&trial.server);
    if !renders(test, &asking).await {
        return;
    }
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/"), Look::WIDE).await;
    let own = tab.receiving().await;
    let run = played(&tab, &trial, &format!("tasks=house.zip&seat.judge=model:up/m&{BOTS}")).await;
    let (key, play) = episode(&asking, &run).await;
    let looked: Vec<Digest> = eyes.looked().iter().map(|[_, attempt]| *attempt).collect();
    assert_eq!((looked.len(), &looked), (2, &attempts(&play)));
    is_without(&tab, &own.so_far(), std::slice::from_ref(&hidden)).await;

    let stranger = Chromium::start(&stage.browser).await;
    let tab = stranger.open("about:blank", Look::WIDE).await;
    let received = tab.receiving().await;
    tab.goto(&trial.server.url(&format!("/run/{run}/{key}"))).await;
    tab.wait_for("#sealed", SOON).await;
    tab.wait_for("#rounds .picture img", SOON).await;
    tab.wait_for_text("Replay verified", SOON).await;
    tab.click("#to-verify").await;
    tab.wait_for("#verify", SOON).await;
    tab.click("#verify").await;
    tab.wait_for_text_in("#verified", "Everything that was checked agrees", SOON).await;
    pictures(&tab, "rounds-sealed").await;
    is_without(&tab, &received.so_far(), std::slice::from_ref(&hidden)).await;
    // Nor does it get them by name, and what the run shows it does.
    let status = async |digest: &Digest| {
        asking.get(&format!("/api/runs/{run}/pictures/{digest}")).await.status
    };
    assert_eq!(status(&Digest::of(&hidden)).await, 404);
    assert_eq!(status(&looked[0]).await, 200);
    tab.assert_clean(trial.server.address());
}
