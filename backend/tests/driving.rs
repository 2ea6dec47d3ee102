//! Who drives a run: leases over HTTP and over the socket, states, and the server's own driver.

use std::time::Instant;

use turnwise_shared::transcript;
use turnwise_shared::wire::driving::{
    Driving, Epoch, Holder, OVERTAKEN, RunState, TakeFrom, TakeLease,
};
use turnwise_shared::wire::{Frame, FrameBody};

use crate::common::*;

/// How long a run of a few samples may take that the server drives.
const SOON: Duration = Duration::from_secs(30);

/// A client with a run and its token.
struct Owner<'a> {
    service: &'a Service,
    run: &'a Opened,
}

impl Owner<'_> {
    fn path(&self, rest: &str) -> String {
        format!("/api/runs/{}{rest}", self.run.run)
    }

    async fn info(&self) -> RunInfo {
        self.service.get(&self.path("")).await.json()
    }

    async fn take(&self, mine: u64, from: TakeFrom) -> HttpReply {
        let wish = TakeLease { mine: Epoch(mine), from };
        self.post("/lease", &wish).await
    }

    async fn turn(&self, state: RunState, epoch: u64) -> HttpReply {
        let wanted = SetState { state, epoch: Epoch(epoch), trouble: None };
        self.post("/state", &wanted).await
    }

    async fn post(&self, rest: &str, body: &impl serde::Serialize) -> HttpReply {
        let token = Some(self.run.token.as_str());
        self.service.post(&self.path(rest), token, body).await
    }

    async fn put(&self, episode: &EpisodeKey, text: &str, epoch: u64) -> HttpReply {
        let path = self.path(&format!("/episodes/{episode}?from=0&epoch={epoch}"));
        let token = Some(self.run.token.as_str());
        let kind = "application/x-ndjson";
        self.service.ask("PUT", &path, token, kind, text.to_owned()).await
    }

    async fn driving(&self) -> Driving {
        self.service.get(&self.path("/drive")).await.json()
    }

    /// Waits until the run stands so.
    async fn wait(&self, state: RunState) -> Driving {
        let began = Instant::now();
        loop {
            let driving = self.driving().await;
            if driving.state == state {
                return driving;
            }
            assert!(began.elapsed() < SOON, "{state}: {driving:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

#[tokio::test]
async fn one_driver_at_a_time_and_an_older_one_is_refused() {
    let service = service(searching(20)).await;
    let spec = trial_spec(1);
    let played = service.open_run(&spec, 1).await;
    let driven = drive(&service, &played, &mut planned(&spec)).await;
    let play = &driven.summaries[0].0;
    let path = format!("/api/runs/{}/episodes/{play}", played.run);
    let text = service.get(&path).await.text;

    let run = service.open_run(&spec, 1).await;
    let owner = Owner { service: &service, run: &run };
    let info = owner.info().await;
    assert_eq!((info.state, info.lease), (RunState::Open, None));
    let first: Lease = owner.take(0, TakeFrom::Nobody).await.json();
    assert_eq!((first.epoch, first.holder), (Epoch(1), Holder::Page));
    let info = owner.info().await;
    assert_eq!(info.state, RunState::Running);
    assert_eq!(info.lease.map(|lease| lease.epoch), Some(Epoch(1)));

    // The last driver has it again; others have to say that they mean it.
    let refused = owner.take(0, TakeFrom::Nobody).await.error(409);
    assert_eq!(refused.code, "driven_elsewhere");
    let second: Lease = owner.take(1, TakeFrom::Nobody).await.json();
    assert_eq!(second.epoch, Epoch(2));
    let third: Lease = owner.take(0, TakeFrom::Anybody).await.json();
    assert_eq!(third.epoch, Epoch(3));

    for older in [0, 1, 2] {
        let refused = owner.put(play, &text, older).await.error(409);
        assert_eq!(refused.code, "driven_elsewhere", "{older}");
        let refused = owner.turn(RunState::Paused, older).await.error(409);
        assert_eq!(refused.code, "driven_elsewhere", "{older}");
    }
    assert!(service.get(&owner.path("/episodes")).await.text.contains("[]"));
    owner.put(play, &text, 3).await.json::<Value>();

    let stands = |came: HttpReply| came.json::<RunInfo>().state;
    assert_eq!(stands(owner.turn(RunState::Paused, 3).await), RunState::Paused);
    assert_eq!(stands(owner.turn(RunState::Running, 3).await), RunState::Running);
    assert_eq!(stands(owner.turn(RunState::Idle, 3).await), RunState::Idle);
    let fourth: Lease = owner.take(0, TakeFrom::Nobody).await.json();
    assert_eq!(fourth.epoch, Epoch(4), "nobody was there");
    assert_eq!(stands(owner.turn(RunState::Closed, 4).await), RunState::Closed);
    let refused = owner.take(4, TakeFrom::Anybody).await.error(409);
    assert_eq!(refused.message, "A run that is closed cannot be taken up.");

    // The owner's word counts, whichever driver has the run; the driver has to follow.
    assert_eq!(stands(owner.turn(RunState::Open, 0).await), RunState::Open);
    let mine: Lease = owner.take(0, TakeFrom::Nobody).await.json();
    assert_eq!(owner.turn(RunState::Closed, 0).await.error(409).code, "driven_elsewhere");
    assert_eq!(stands(owner.turn(RunState::Cancelled, 0).await), RunState::Cancelled);
    let refused = owner.put(play, &text, mine.epoch.0).await.error(409);
    assert_eq!(refused.code, "driven_elsewhere");
    let strangers =
        service.post(&owner.path("/lease"), Some(&played.token), &TakeLease::default()).await;
    assert_eq!(strangers.error(401).code, "token_wrong");
}

#[tokio::test]
async fn whoever_lost_a_run_makes_no_calls_in_its_name_over_http() {
    let service = service(searching(20)).await;
    let upstream = service.upstream();
    let spec = trial_spec(1);
    let run = service.open_run(&spec, 1).await;
    let owner = Owner { service: &service, run: &run };
    let mut planned = planned(&spec);
    let mut call = loop {
        if let Action::Call { ticket, request } = planned.poll() {
            break call_of(&run, &ticket, request);
        }
    };
    let first: Lease = owner.take(0, TakeFrom::Nobody).await.json();
    let second: Lease = owner.take(0, TakeFrom::Anybody).await.json();
    for older in [Epoch::default(), first.epoch] {
        call.epoch = older;
        let refused = service.post("/api/call", None, &call).await.error(409);
        assert_eq!(refused.code, "driven_elsewhere", "{older:?}");
    }
    assert!(upstream.seen().is_empty(), "nothing was sent");
    call.epoch = second.epoch;
    let answer: CallAnswer = service.post("/api/call", None, &call).await.json();
    assert!(matches!(answer.reply, Reply::Said(_)), "{answer:?}");
    assert_eq!(upstream.seen().len(), 1);
}

#[tokio::test]
async fn a_socket_ends_when_somebody_else_takes_the_run() {
    let upstream = Upstream::start(searching(20)).await;
    let server = Listening::at(&upstream.base_url(), "").await;
    let run = server.service.open_run(&trial_spec(1), 1).await;
    let owner = Owner { service: &server.service, run: &run };
    let lease: Lease = owner.take(0, TakeFrom::Nobody).await.json();
    let hello = |epoch| {
        let body = FrameBody::Hello {
            run: Some(run.run.clone()),
            token: Some(run.token.clone()),
            epoch,
            acknowledged: 0,
        };
        Frame::new(0, body)
    };
    let mut page = server.connect(None).await.expect("it connects");
    page.say(hello(lease.epoch)).await;
    assert!(matches!(page.next().await.body, FrameBody::Hello { .. }));
    assert!(matches!(page.next().await.body, FrameBody::Credit { .. }));

    let next: Lease = owner.take(0, TakeFrom::Anybody).await.json();
    assert_eq!(page.closed().await.0, OVERTAKEN);
    let mut late = server.connect(None).await.expect("it connects");
    late.say(hello(lease.epoch)).await;
    assert_eq!(late.closed().await.0, OVERTAKEN);
    let mut newest = server.connect(None).await.expect("it connects");
    newest.say(hello(next.epoch)).await;
    assert!(matches!(newest.next().await.body, FrameBody::Hello { .. }));
    drop(newest);
    // A page that goes may only have lost the network; its lease ends soon, and not at once.
    let began = Instant::now();
    loop {
        let ends = owner.info().await.lease.expect("there is one").until;
        if ends < next.until {
            break;
        }
        assert!(began.elapsed() < SOON, "the lease is not shortened");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(owner.info().await.state, RunState::Running);
}

/// Replays every stored transcript of a run.
async fn assert_replays(owner: &Owner<'_>, tasks: u32) {
    let heads: Vec<EpisodeHead> = owner.service.get(&owner.path("/episodes")).await.json();
    let mut run = planned(&trial_spec(tasks));
    let (plays, gradings): (Vec<_>, Vec<_>) =
        heads.iter().partition(|head| head.episode == head.episode.its_play());
    assert_eq!((plays.len(), gradings.len()), (tasks as usize, tasks as usize));
    for head in plays.into_iter().chain(gradings) {
        let path = owner.path(&format!("/episodes/{}", head.episode));
        let text = owner.service.get(&path).await.text;
        let read = transcript::read(&text).expect("it is sound");
        let stays = run.restore(&head.episode, &read).expect("it replays");
        assert_eq!(stays, head.lines, "{}", head.episode);
    }
}

#[tokio::test]
async fn the_server_drives_a_run_that_a_page_began_and_gives_it_back() {
    let service = service(searching(20)).await;
    let upstream = service.upstream();
    let spec = trial_spec(3);
    let run = service.open_run(&spec, 3).await;
    let owner = Owner { service: &service, run: &run };
    let page: Lease = owner.take(0, TakeFrom::Nobody).await.json();
    let begun: Driving = owner.post("/drive", &json!({ "in_flight": 2 })).await.json();
    let lease = begun.lease.expect("the server has it");
    assert_eq!((lease.holder, lease.epoch), (Holder::Server, Epoch(page.epoch.0 + 1)));
    // Back to a page in the middle, wherever that is, and to the server again.
    let back: Lease = owner.take(0, TakeFrom::Anybody).await.json();
    assert!(!service.app.drives().has(&run.run), "two drive one run");
    assert_eq!(back.holder, Holder::Page);
    owner.post("/drive", &json!({})).await.json::<Driving>();
    let driving = owner.wait(RunState::Closed).await;
    assert_eq!((driving.trouble, driving.calls.lost), (None, 0));
    assert_eq!(driving.calls.unanswered, 0);
    let info = owner.info().await;
    assert_eq!((info.finished, info.episodes), (3, 3));
    assert!(info.accuracy.is_some());
    assert!(!upstream.seen().is_empty());
    assert_eq!(driving.calls.sent, driving.calls.calls, "nothing was sent twice");
    assert_replays(&owner, 3).await;
    assert_eq!(owner.post("/drive", &json!({})).await.error(409).code, "conflict");
}

#[tokio::test]
async fn a_server_that_starts_again_goes_on_with_its_runs() {
    let service = service(searching(20)).await;
    let run = service.open_run(&trial_spec(6), 6).await;
    let owner = Owner { service: &service, run: &run };
    let wish = json!({ "in_flight": 1 });
    owner.post("/drive", &wish).await.json::<Driving>();
    // It has hardly begun.
    service.app.close().await;

    let upstream = Upstream::start(searching(20)).await;
    let again = Service::start(config(service.folder(), &upstream.base_url(), "")).await;
    let owner = Owner { service: &again, run: &run };
    owner.wait(RunState::Closed).await;
    assert_eq!(owner.info().await.finished, 6);
    assert_replays(&owner, 6).await;
}

#[tokio::test]
async fn the_server_does_not_drive_what_it_cannot() {
    let service = service(vec![Canned::error(401)]).await;
    let with = |seat: &str, player: &str| {
        let mut spec = trial_spec(1);
        replace(&mut spec.seats, seat, player);
        spec
    };
    let mut foreign = trial_spec(1);
    foreign.tasks.digest = Digest::of("others");
    for (spec, why) in [
        (with("responder", "person"), "person"),
        (with("player", "model:down/m"), "down"),
        (foreign, "no such set of tasks"),
    ] {
        let run = service.open_run(&spec, 1).await;
        let owner = Owner { service: &service, run: &run };
        let page: Lease = owner.take(0, TakeFrom::Nobody).await.json();
        owner.post("/drive", &json!({})).await.error_with(422, why);
        let info = owner.info().await;
        assert_eq!(info.lease.map(|lease| lease.epoch), Some(page.epoch), "the page goes on");
    }

    // A refused key is nothing that waiting mends: the run rests and says why.
    let run = service.open_run(&trial_spec(1), 1).await;
    let owner = Owner { service: &service, run: &run };
    owner.post("/drive", &json!({})).await.json::<Driving>();
    let rests = owner.wait(RunState::Paused).await;
    let trouble = rests.trouble.expect("it says why");
    assert_eq!(trouble.code, "halted");
    assert!(trouble.message.starts_with("up/m failed"), "{trouble:?}");
}
