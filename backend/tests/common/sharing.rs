//! Runs of bots over HTTP, how they are read, and who is let in.

use turnwise_shared::prelude::*;
use turnwise_shared::transcript;
use turnwise_shared::wire::Opened;
use turnwise_shared::wire::sharing::SetVisibility;

use super::{Driven, HttpReply, Service, drive, planned, sit, trial_spec};

/// A run that bots play: no service is asked.
pub fn of_bots(tasks: u32) -> Spec {
    let mut spec = trial_spec(tasks);
    sit(&mut spec.seats, Seat::PLAYER, "bot:asks-by-rule");
    spec
}

/// Such a run, driven to its end.
pub async fn played(service: &Service, spec: &Spec) -> (Opened, Driven) {
    let opened = service.open_run(spec, 1).await;
    let driven = drive(service, &opened, &mut planned(spec)).await;
    (opened, driven)
}

/// The first episode of a run, read by its owner.
pub async fn play_of(service: &Service, run: &Opened) -> (EpisodeKey, Transcript) {
    let heads: Vec<EpisodeHead> = get(service, run, "/episodes", Some(&run.token)).await.json();
    let episode = heads[0].episode.its_play();
    let path = format!("/episodes/{episode}");
    let text = get(service, run, &path, Some(&run.token)).await.text;
    (episode, transcript::read(&text).expect("sound"))
}

/// What is shown of a run to a client with this token.
pub async fn get(service: &Service, run: &Opened, rest: &str, token: Option<&str>) -> HttpReply {
    service.get_as(&format!("/api/runs/{}{rest}", run.run), token).await
}

/// A client with this token decides who may see a run.
pub async fn show(
    service: &Service,
    run: &Opened,
    visibility: Visibility,
    token: &str,
) -> HttpReply {
    let path = format!("/api/runs/{}/visibility", run.run);
    let wanted = SetVisibility { visibility };
    service.post(&path, Some(token), &wanted).await
}
