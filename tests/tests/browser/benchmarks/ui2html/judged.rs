//! Runs before judges that look, and what a stranger's browser gets of their pictures.

use turnwise_core::exchange::inspect::archive::Packer;
use turnwise_shared::benchmark::Benchmark as _;
use turnwise_shared::benchmarks::ui2html::Ui2Html;

use super::eyes::{Eyes, FORMATS};
use super::{is_without, renders};
use crate::*;

/// Starts a run of one page and two rounds, and waits for its end.
async fn played(tab: &Tab, trial: &Trial, more: &str) -> String {
    tab.goto(&format!("/new?benchmark=ui2html&first=1&rounds=2&seat.player=bot:asks&{more}")).await;
    start(tab).await;
    trial.whole(tab).await
}

/// The only episode of a run.
async fn episode(asking: &Asking, run: &str) -> (String, Transcript) {
    let key = asking.first_play(run).await;
    (key.to_string(), asking.played(run, &key).await)
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

#[test]
fn judges_of_every_format_see_both_pages() {
    on_stage(async |mut stage| {
        let samples = Ui2Html.samples();
        let targets: Vec<Digest> = samples.pictures.keys().copied().collect();
        let mut eyes = Vec::new();
        for format in FORMATS {
            eyes.push(Eyes::open(format, targets.clone()).await);
        }
        for (format, eyes) in FORMATS.iter().zip(&eyes) {
            let name = format!("TURNWISE_PROVIDER_{}", format.to_uppercase());
            stage = stage
                .with(format!("{name}X_BASE_URL"), &eyes.base_url)
                .with(format!("{name}X_FORMAT"), *format)
                .with(format!("{name}X_API_KEY"), "k");
        }
        let trial = stage.start();

        if !renders(&trial).await {
            return;
        }

        let tab = trial.open("/").await;
        let mut last = String::new();
        for (format, eyes) in FORMATS.iter().zip(&eyes) {
            let run = played(&tab, &trial, &format!("seat.judge=model:{format}x/m&{BOTS}")).await;
            let (key, play) = episode(&trial, &run).await;
            let looked: Vec<Digest> = eyes.looked().iter().map(|[_, attempt]| *attempt).collect();
            assert_eq!(looked, attempts(&play), "{format}");
            assert_eq!(looked.len(), 2, "{format}");
            last = format!("/run/{run}/{key}");
        }

        // The rounds as a reader goes through them, with the keyboard.
        let png = target(&samples, &samples.tasks[0]);
        let tab = trial.open(&last).await;
        tab.wait_for("#rounds .film-frame img").await;
        assert_eq!(tab.count(".film-frame").await, 3);
        tab.wait_for_text_in("#rounds", "Likeness").await;
        tab.focus(".film > li:first-child .film-frame").await;
        tab.press("Enter").await;
        tab.wait_for(".film > li:first-child .film-frame[aria-current=step]").await;
        tab.wait_for_text_in("#rounds", "Compared with the target").await;
        pictures(&tab, "rounds-hidden").await;
        tab.wait_for_text("Replay verified").await;
        tab.click_text("Show the hidden text").await;
        tab.wait_for_count(".pair-page img", 2).await;
        pictures(&tab, "rounds-beside").await;
        tab.click("#rounds input[type=checkbox]").await;
        tab.click_text("Overlay").await;
        pictures(&tab, "rounds-over").await;
        tab.click_text("Difference").await;
        pictures(&tab, "rounds-difference").await;
        tab.assert_clean();

        // A stranger who does not ask for what is hidden gets nothing of it.
        let stranger = trial.other_browser().await;
        let tab = stranger.open("about:blank").await;
        let received = tab.receiving().await;
        tab.goto(&last).await;
        tab.wait_for("#rounds .picture img").await;
        tab.wait_for_text("Replay verified").await;
        verified(&tab, "Everything that was checked agrees").await;
        is_without(&tab, &received.so_far(), &[png]).await;
        tab.assert_clean();
    });
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

#[test]
fn a_stranger_verifies_a_run_without_the_pictures_that_are_sealed() {
    on_stage(async |stage| {
        let hidden = put_set_into(&stage.path("data"), "house.zip");
        let eyes = Eyes::open("openai", [Digest::of(&hidden)]).await;
        let trial = stage
            .with("TURNWISE_PROVIDER_UP_BASE_URL", &eyes.base_url)
            .with("TURNWISE_SEALED", "house.zip")
            .start();

        if !renders(&trial).await {
            return;
        }

        let tab = trial.open("/").await;
        let own = tab.receiving().await;
        let run =
            played(&tab, &trial, &format!("tasks=house.zip&seat.judge=model:up/m&{BOTS}")).await;
        let (key, play) = episode(&trial, &run).await;
        let looked: Vec<Digest> = eyes.looked().iter().map(|[_, attempt]| *attempt).collect();
        assert_eq!((looked.len(), &looked), (2, &attempts(&play)));
        is_without(&tab, &own.so_far(), std::slice::from_ref(&hidden)).await;

        let stranger = trial.other_browser().await;
        let tab = stranger.open("about:blank").await;
        let received = tab.receiving().await;
        tab.goto(&format!("/run/{run}/{key}")).await;
        tab.wait_for("#sealed").await;
        tab.wait_for("#rounds .picture img").await;
        tab.wait_for_text("Replay verified").await;
        verified(&tab, "Everything that was checked agrees").await;
        pictures(&tab, "rounds-sealed").await;
        is_without(&tab, &received.so_far(), std::slice::from_ref(&hidden)).await;
        // Nor does it get them by name, and what the run shows it does.
        let status = async |digest: &Digest| {
            trial.get(&format!("/api/runs/{run}/pictures/{digest}")).await.status
        };
        assert_eq!(status(&Digest::of(&hidden)).await, 404);
        assert_eq!(status(&looked[0]).await, 200);
        tab.assert_clean();
    });
}
