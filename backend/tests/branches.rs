//! Runs that go on from a turn of another run's play, over HTTP.

use axum::body::Body;
use axum::http::Request;
use turnwise_shared::run::cut;
use turnwise_shared::transcript;
use turnwise_shared::wire::publishing::Owner;
use turnwise_shared::wire::sharing::Branch;

use crate::common::sharing::get;
use crate::common::*;

fn with_person(spec: &Spec) -> Spec {
    let mut spec = spec.clone();
    replace(&mut spec.seats, Seat::PLAYER, "person");
    spec
}

/// Where a branch begins that goes on from the second turn of an episode.
fn second_turn(parent: &Opened, episode: &EpisodeKey, play: &Transcript) -> BranchOf {
    BranchOf {
        run: parent.run.clone(),
        episode: episode.clone(),
        turn: 2,
        lines: cut(play, 2).expect("a second turn").lines,
    }
}

fn branching(spec: &Spec, of: &BranchOf) -> Run {
    let ingredients = ingredients(spec, example(QUESTIONS).samples());
    Run::branching(ingredients, of.clone()).expect("it can branch")
}

fn opening(spec: &Spec, of: &BranchOf, visibility: Visibility) -> OpenRun {
    OpenRun {
        title: "a branch".to_owned(),
        branch_of: Some(of.clone()),
        visibility,
        ..crate::common::opening(spec)
    }
}

#[tokio::test]
async fn a_person_goes_on_from_a_turn_and_the_branch_is_listed() {
    let service =
        with_page("<html><head></head><body><main><!--told--></main></body></html>").await;
    let (parent, _) = played(&service, &of_bots(1)).await;
    let (episode, play) = play_of(&service, &parent).await;
    let of = second_turn(&parent, &episode, &play);
    let spec = with_person(&play.header.spec);
    let wanted = opening(&spec, &of, Visibility::Public);
    let opened: Opened = service.open(&wanted).await.json();
    let mut run = branching(&spec, &of);
    run.take_over(&play).expect("it is the episode");
    let answer = acts("answer", json!({ "answer": "Nothing at all", "confidence": "10" }));
    loop {
        match run.poll() {
            Action::Person { ticket, .. } => {
                run.tell(&ticket, Reply::Said(Said::text(&answer))).expect("it fits");
            }
            Action::Lines { episode, from, lines } => {
                let came = service.put_lines(&opened, &episode, from, &lines).await;
                let stored: Value = came.json();
                assert_eq!(stored["lines"], json!(from + lines.len() as u64));
            }
            Action::Over => break,
            Action::Ended { .. } => {}
            other => panic!("not expected here: {other:?}"),
        }
    }
    let info: RunInfo = get(&service, &opened, "", None).await.json();
    assert_eq!(info.branch_of, Some(of.clone()));
    // It stands on no board, so it is none of those that its owner opened and did not publish.
    let (store, owner) = (service.app.store(), Owner::of_key("mine"));
    let board = example(QUESTIONS).board(&spec);
    for run in [&parent.run, &opened.run] {
        let noted = store.set_opening(run, Some(&owner), &board).await;
        noted.expect("its owner is kept");
    }
    let owners = store.board_owners(&board).await.expect("they are counted");
    assert_eq!(owners.get(&owner), Some(&1), "{owners:?}");
    assert_eq!((info.episodes, info.finished), (1, 1));
    let list = format!("/episodes/{episode}/branches");
    let branches: Vec<Branch> = get(&service, &parent, &list, None).await.json();
    assert_eq!(branches.len(), 1);
    assert_eq!(branches[0].info.run, opened.run);
    assert_eq!(branches[0].score, Some(0.0), "it is graded like any other");
    assert_eq!(branches[0].answer.as_deref(), Some("Nothing at all"));
    // What the server writes of it leads to where it came from, as long as everybody may see that.
    let page = async || {
        let request = Request::get(format!("/run/{}", opened.run))
            .header("host", "localhost:8080")
            .header("accept", "text/html");
        let request = request.body(Body::empty()).expect("a sound request");
        service.send(request).await.text
    };
    let link = format!("<a href=\"/run/{}/{episode}?turn=2\">", parent.run);
    let written = page().await.replace("&#x2F;", "/");
    assert!(written.contains(&link), "{link} is not in {written}");
    show(&service, &parent, Visibility::Private, &parent.token).await.json::<RunInfo>();
    let written = page().await;
    assert!(!written.contains(parent.run.as_str()), "{written}");
    show(&service, &parent, Visibility::Public, &parent.token).await.json::<RunInfo>();
    // Only a public one is listed.
    show(&service, &opened, Visibility::Unlisted, &opened.token).await.json::<RunInfo>();
    let branches: Vec<Branch> = get(&service, &parent, &list, None).await.json();
    assert!(branches.is_empty());
}

#[tokio::test]
async fn a_branch_of_a_private_play_opens_as_private() {
    let service = service(Vec::<Canned>::new()).await;
    let (parent, _) = played(&service, &of_bots(1)).await;
    let (episode, play) = play_of(&service, &parent).await;
    let of = second_turn(&parent, &episode, &play);
    let wanted = OpenRun {
        parent_token: Some(parent.token.clone()),
        ..opening(&with_person(&play.header.spec), &of, Visibility::Public)
    };
    show(&service, &parent, Visibility::Private, &parent.token).await.json::<RunInfo>();
    let branch: Opened = service.open(&wanted).await.json();
    get(&service, &branch, "", None).await.error(404);
    let own: RunInfo = get(&service, &branch, "", Some(&branch.token)).await.json();
    assert_eq!(own.visibility, Visibility::Private);
    // Its owner can show it all the same.
    let shown: RunInfo = show(&service, &branch, Visibility::Public, &branch.token).await.json();
    assert_eq!(shown.visibility, Visibility::Public);
}

#[tokio::test]
async fn what_is_no_branch_is_refused_with_its_reason() {
    let service = service(Vec::<Canned>::new()).await;
    let (parent, _) = played(&service, &of_bots(1)).await;
    let (episode, play) = play_of(&service, &parent).await;
    let of = second_turn(&parent, &episode, &play);
    let spec = with_person(&play.header.spec);
    let refused = async |spec: &Spec, of: &BranchOf, status: u16| {
        let wanted = opening(spec, of, Visibility::Unlisted);
        service.open(&wanted).await.error(status)
    };
    let mut other = spec.clone();
    other.seed += 1;
    let error = refused(&other, &of, 422).await;
    assert!(error.message.contains("differs in more than its players"), "{error}");
    let elsewhere = BranchOf { lines: of.lines + 1, ..of.clone() };
    let error = refused(&spec, &elsewhere, 422).await;
    assert!(error.message.contains("no turn 2"), "{error}");
    let unknown = BranchOf { run: RunId::new([3; 16]), ..of.clone() };
    refused(&spec, &unknown, 404).await;

    // Lines of a branch that begins otherwise than its parent are not stored.
    let opened: Opened = service.open(&opening(&spec, &of, Visibility::Unlisted)).await.json();
    let mut run = branching(&spec, &of);
    run.take_over(&play).expect("it is the episode");
    let Action::Lines { lines, .. } = run.poll() else {
        panic!("its first lines come first");
    };
    let own = transcript::read(&lines.join("\n")).expect("sound");
    let mut writer = transcript::Writer::new(transcript::SaltKey::open(&own.header));
    let forged: String = own
        .events
        .iter()
        .flatten()
        .enumerate()
        .filter(|(at, _)| *at != 1)
        .map(|(_, event)| format!("{}\n", writer.line(event)))
        .collect();
    service
        .put(&opened, &episode, 0, &forged)
        .await
        .error_with(422, "are not those of the episode");
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let came = service.put(&opened, &episode, 0, &text).await;
    assert!(came.status.is_success(), "{came:?}");
    // Nor is a branch stored as an ordinary play, or the other way round.
    let plain = service.open_run(&spec, 1).await;
    service.put(&plain, &episode, 0, &text).await.error_with(422, "another episode to go on from");
}

/// A run over the matches that its spec plans.
fn matches_of(spec: &Spec) -> Ingredients {
    ingredients(spec, example(MATCH).plan(spec).expect("it can be planned"))
}

/// A tournament of two bots, with lengths that follow from their names.
fn tournament(players: [&str; 2]) -> Spec {
    let mut spec = default_spec(example(MATCH));
    spec.profile = Profile::Reference;
    spec.seats = Default::default();
    for (number, player) in players.iter().enumerate() {
        let sitting = json!({ "player": player, "sampling": {} });
        let sitting = serde_json::from_value(sitting).expect("somebody");
        spec.seats.insert(Seat::new((number + 1).to_string()), sitting);
    }
    spec.settings["repeats"] = json!(1);
    let tasks = example(MATCH).plan(&spec).expect("it can be planned");
    spec.tasks = Named::from(&tasks);
    spec
}

fn in_seat(spec: &Spec, seat: &Seat, player: &str) -> Lineup {
    let mut seats = spec.seats.clone();
    replace(&mut seats, seat.as_str(), player);
    seats
}

/// A match that was played, and its second turn.
struct Match {
    spec: Spec,
    play: Transcript,
    of: BranchOf,
    seat: Seat,
}

async fn a_match(service: &Service) -> Match {
    let spec = tournament(["bot:tft", "bot:grim"]);
    let parent = service.open_run(&spec, 2).await;
    let mut run = Run::new(matches_of(&spec)).expect("it can be run");
    drive(service, &parent, &mut run).await;
    let (episode, play) = play_of(service, &parent).await;
    let of = second_turn(&parent, &episode, &play);
    let seat = cut(&play, 2).expect("a second turn").seat;
    Match { spec, play, of, seat }
}

#[tokio::test]
async fn a_match_is_gone_on_with_by_a_person_and_by_the_server() {
    let service = service(Vec::<Canned>::new()).await;
    let Match { spec, play, of, seat } = a_match(&service).await;

    let person = example(MATCH)
        .take_over(&spec, in_seat(&spec, &seat, "person"))
        .expect("it can be gone on with");
    let wanted = opening(&person, &of, Visibility::Public);
    let opened: Opened = service.open(&wanted).await.json();
    let mut run = Run::branching(matches_of(&person), of.clone()).expect("it can branch");
    run.take_over(&play).expect("it is the episode");
    // What it says is no move, so the rule plays for it: five times a round.
    let driven = drive(&service, &opened, &mut run).await;
    assert!(!driven.asked.is_empty());
    let (_, branch) = play_of(&service, &opened).await;
    assert_eq!(branch.header.task, play.header.task);
    let rounds = |play: &Transcript| play.outcome().expect("it is over").result["rounds"].clone();
    assert_eq!(rounds(&branch), rounds(&play));
    let report: Value = get(&service, &opened, "/report", None).await.json();
    assert!(report.to_string().contains("Person"), "{report}");

    // A branch of the branch, which the server plays on.
    let again = BranchOf {
        run: opened.run.clone(),
        lines: cut(&branch, 2).expect("the same turn").lines,
        ..of.clone()
    };
    let bots = example(MATCH)
        .take_over(&person, in_seat(&person, &seat, "bot:always-d"))
        .expect("it can be gone on with");
    let wanted = opening(&bots, &again, Visibility::Unlisted);
    let opened: Opened = service.open(&wanted).await.json();
    let path = format!("/api/runs/{}/drive", opened.run);
    let begun = service.post(&path, Some(&opened.token), &json!({})).await;
    assert!(begun.status.is_success(), "{begun:?}");
    loop {
        let info: RunInfo = get(&service, &opened, "", None).await.json();
        if info.state == RunState::Closed {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let (_, second) = play_of(&service, &opened).await;
    assert_eq!(second.header.branch, Some(again));
    assert_eq!(rounds(&second), rounds(&play));
    let refused = service.publish(&opened.run, Some(&opened.token)).await;
    refused.error(422);
}

/// Who plays is part of what a match is, so the one way to play that of others is to go on from it.
#[tokio::test]
async fn matches_of_others_are_refused_where_nothing_branches() {
    let service = service(Vec::<Canned>::new()).await;
    let Match { spec, of, seat, .. } = a_match(&service).await;
    let branch = example(MATCH)
        .take_over(&spec, in_seat(&spec, &seat, "person"))
        .expect("it can be gone on with");

    // As a run of its own, and at a table.
    let plain = OpenRun { branch_of: None, ..opening(&branch, &of, Visibility::Unlisted) };
    service.open(&plain).await.error_with(422, "settings.planned_for");
    let mut at_table = branch.clone();
    at_table.settings["swap"] = json!(false);
    at_table.seed = 0;
    let table = crate::common::table::wanted(&at_table, "practice", 60, 60);
    service.post("/api/live", None, &table).await.error_with(422, "settings.planned_for");

    // As a branch: for others than the parent's, for no player, and with other matches.
    let other = tournament(["bot:always-c", "bot:grim"]);
    let mut for_others = branch.clone();
    for_others.settings["planned_for"]["1"] = json!("bot:always-c");
    let mut of_others = for_others.clone();
    of_others.tasks = other.tasks.clone();
    let mut for_itself = branch.clone();
    for_itself.settings.as_object_mut().expect("settings by name").remove("planned_for");
    let mut shorter = branch.clone();
    shorter.settings["cap"] = json!(2);
    for forged in [for_others, of_others, for_itself, shorter] {
        let wanted = opening(&forged, &of, Visibility::Unlisted);
        service.open(&wanted).await.error_with(422, "differs in more than its players");
    }
    let wanted = opening(&branch, &of, Visibility::Unlisted);
    service.open(&wanted).await.json::<Opened>();
}
