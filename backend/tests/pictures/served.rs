//! The bytes that a server keeps of a run's pictures.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use turnwise_shared::effect::{Effect, Pictured, Tool};
use turnwise_shared::run::header;
use turnwise_shared::transcript::{Writer, request_digest};

use super::{job, painted};
use crate::common::*;

fn path(run: &Opened, picture: &Digest) -> String {
    format!("/api/runs/{}/pictures/{picture}", run.run)
}

async fn get(service: &Service, run: &Opened, token: Option<&str>) -> (StatusCode, Vec<u8>) {
    let picture = Digest::of(painted(&job()));
    let mut asked = Request::get(path(run, &picture)).header("host", "localhost:8080");
    if let Some(token) = token {
        asked = asked.header("authorization", format!("Bearer {token}"));
    }
    let asked = asked.body(Body::empty()).expect("a request");
    let (came, bytes) = service.send_for_bytes(asked).await;
    (came.status, bytes)
}

#[tokio::test]
async fn pictures_that_a_run_shows_are_told_to_those_who_may_read_it() {
    let service = service(Vec::<Canned>::new()).await;
    let spec = trial_spec(1);
    let (run, other) = (service.open_run(&spec, 1).await, service.open_run(&spec, 1).await);
    let png = painted(&job());
    let picture = PictureRef::of(&png).expect("it is a PNG");
    let digest = picture.digest;
    let address = path(&run, &digest);
    let put = |token: &'static str, body: &[u8]| {
        let token = if token.is_empty() { &run.token } else { token };
        service.ask("PUT", &address, Some(token), PictureRef::MEDIA, body.to_vec())
    };

    put("wrong", &png).await.error(401);
    for (bad, why) in [
        (&b"<html>"[..], "not a whole PNG"),
        (&png[..png.len() - 1], "not a whole PNG"),
        (&super::target(), "its digest is"),
    ] {
        put("", bad).await.error_with(422, why);
    }
    let huge = vec![0; PictureRef::MOST_BYTES + 1];
    assert_eq!(put("", &huge).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(put("", &png).await.status, StatusCode::NO_CONTENT);
    assert_eq!(get(&service, &run, None).await.0, StatusCode::NOT_FOUND, "nothing shows it");

    let task = &example(QUESTIONS).samples().tasks[0];
    let header = header(&spec, task, 1, Part::Play);
    let mut writer = Writer::new(SaltKey::open(&header));
    let effect = Effect::Use(Tool::Render(job()));
    let made = Pictured {
        picture,
        layout: String::new(),
        refused: Vec::new(),
        browser: "painted 1".to_owned(),
    };
    let call = CallId(1);
    let lines: Vec<String> = [
        Event::Opened(Box::new(header)),
        Event::Asked { call, request: turnwise_shared::transcript::Request::of(&effect) },
        Event::Told { call, reply: Reply::Made(Made::Picture(Box::new(made))) },
    ]
    .iter()
    .map(|event| writer.line(event))
    .collect();
    let episode = EpisodeKey::play(&task.id, 1);
    let _: Value = service.put_lines(&run, &episode, 0, &lines).await.json();

    assert_eq!(get(&service, &run, None).await, (StatusCode::OK, png));
    assert_eq!(get(&service, &other, None).await.0, StatusCode::NOT_FOUND, "of another run");
    show(&service, &run, Visibility::Private, &run.token).await;
    assert_eq!(get(&service, &run, None).await.0, StatusCode::NOT_FOUND, "it is private");
    assert_eq!(get(&service, &run, Some(&run.token)).await.0, StatusCode::OK);

    // A benchmark that renders nothing has no renders, whichever driver its runs have.
    let ticket = Ticket { episode, call, digest: request_digest(&effect) };
    let forged = call_of(&run, &ticket, Outgoing::Use(Tool::Render(job())));
    service
        .post("/api/call", None, &forged)
        .await
        .error_with(422, "does not use the tool \"render\"");
}
