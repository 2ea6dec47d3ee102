//! Plays over sealed tasks that a player goes on with: they have what was said before, and get nothing that is hidden.

use turnwise_shared::run::cut;
use turnwise_shared::wire::driving::{Driving, RunState};

use super::*;
use crate::common::*;

/// An episode of a page, and where one of its turns begins.
fn at_turn(opened: &Opened, page: &Page, turn: u32) -> (BranchOf, Transcript) {
    let is_play = |(key, _): &(&EpisodeKey, &String)| key.part() == PartKey::Play;
    let (episode, text) = page.texts.iter().find(is_play).expect("an episode");
    let play = transcript::read(text).expect("the chain holds");
    let of = BranchOf {
        run: opened.run.clone(),
        episode: episode.clone(),
        turn,
        lines: cut(&play, turn).expect("it has the turn").lines,
    };
    (of, play)
}

fn with(spec: &Spec, seat: &str, player: &str) -> Spec {
    let mut spec = spec.clone();
    replace(&mut spec.seats, seat, player);
    spec
}

fn wanted(spec: &Spec, of: &BranchOf) -> Value {
    json!({ "spec": spec, "title": "a branch", "episodes": 1, "branch_of": of })
}

fn branching(spec: &Spec, tasks: &TaskSet, of: &BranchOf, play: &Transcript) -> Run {
    let mut run = Run::branching(one_by_one(spec, tasks), of.clone()).expect("it can branch");
    run.take_over(play).expect("it is the episode");
    run
}

/// Everything that a reader can ask for of a run.
async fn read_all(sealed: &Sealed, opened: &Opened, of: &BranchOf) {
    let (play, grading) = (of.episode.to_string(), of.episode.grading().to_string());
    let of_play = [
        format!("/episodes/{play}"),
        format!("/episodes/{grading}"),
        format!("/episodes/{play}/summary"),
        format!("/episodes/{play}/branches"),
    ];
    let mut places =
        vec!["", "/episodes", "/summaries", "/report", "/timing", "/times", "/receipts", "/drive"];
    places.extend(of_play.iter().map(String::as_str));
    sealed.read(&opened.run, &places).await;
}

#[tokio::test]
async fn whoever_takes_over_has_what_was_told_and_is_told_nothing_that_is_hidden() {
    let text = format!("Yes. The {MARK}-context says so.");
    let sealed = Sealed::start(vec![Canned::text(&text)]).await;
    let tasks = sealed.tasks().await;
    for others in ["models", "bots"] {
        let spec = spec(&tasks, others);
        let parent = sealed.open(&spec).await;
        let says = [asks("Is it green?"), asks("Is it blue?"), answers("The green one")];
        let says: Vec<&str> = says.iter().map(String::as_str).collect();
        let page = play(&sealed, &parent, &mut run(&spec, &tasks), &says, usize::MAX).await;
        let (of, before) = at_turn(&parent, &page, 2);
        let asked_before = page.calls[0].0.clone();

        // A person goes on, and is graded.
        let branch: Opened = sealed.post("/api/runs", &wanted(&spec, &of)).await.json();
        let mut going = branching(&spec, &tasks, &of, &before);
        let says = [asks("Is it red?"), answers("The red one")];
        let says: Vec<&str> = says.iter().map(String::as_str).collect();
        let page = play(&sealed, &branch, &mut going, &says, usize::MAX).await;
        let lanes: Vec<&str> = page.calls.iter().map(|(_, out, _)| out.lane()).collect();
        assert_eq!(lanes, [Seat::RESPONDER, Seat::GRADER], "the rest was told");
        let own = replays(&page.texts[&of.episode], &spec, &tasks, None);
        replays(&page.texts[&of.episode.grading()], &spec, &tasks, Some(&own));
        let lines = usize::try_from(of.lines).expect("few");
        assert_eq!(own.events[1..lines], before.events[1..lines]);
        // What was really said is kept once, where it was said.
        let kept = async |opened: &Opened, ticket: &Ticket| {
            let key = CallKey::of(&opened.run, ticket);
            let store = sealed.service.app.store();
            store.withheld(&key).await.expect("the store reads")
        };
        assert!(kept(&parent, &asked_before).await.is_some());
        assert!(kept(&branch, &asked_before).await.is_none());
        assert!(kept(&branch, &page.calls[0].0).await.is_some());
        read_all(&sealed, &branch, &of).await;
        read_all(&sealed, &parent, &of).await;

        // The server goes on by itself, from the stored play.
        let spec = with(&spec, Seat::PLAYER, "bot:asks-by-rule");
        let branch: Opened = sealed.post("/api/runs", &wanted(&spec, &of)).await.json();
        let path = format!("/api/runs/{}", branch.run);
        let drive = format!("{path}/drive");
        let token = Some(branch.token.as_str());
        let begun = sealed.service.post(&drive, token, &json!({})).await;
        sealed.note(begun).json::<Driving>();
        let info = loop {
            let info: RunInfo = sealed.get(&path).await.json();
            if info.state == RunState::Closed {
                break info;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        assert_eq!((info.episodes, info.finished), (1, 1));
        let of_play = format!("{path}/episodes/{}", of.episode);
        let driven = replays(&sealed.get(&of_play).await.text, &spec, &tasks, None);
        assert_eq!(driven.events[1..lines], before.events[1..lines]);
        assert_eq!(driven.header.branch, Some(of.clone()));
        read_all(&sealed, &branch, &of).await;
        // Neither stands on a board.
        let refused = sealed.service.publish(&branch.run, Some(&branch.token));
        let problem = sealed.note(refused.await).error(422);
        assert!(problem.message.contains("not its player's"), "{}", problem.message);
    }
    sealed.is_tight();
    assert!(sealed.sent().iter().any(|text| text.contains(MARK)));
}

#[tokio::test]
async fn a_branch_opens_no_way_to_what_is_hidden() {
    let sealed = Sealed::start(vec![Canned::text(&format!("Yes, {MARK}."))]).await;
    let tasks = sealed.tasks().await;
    let spec = spec(&tasks, "models");
    let parent = sealed.open(&spec).await;
    let says = [asks("Is it green?"), answers("The green one")];
    let says: Vec<&str> = says.iter().map(String::as_str).collect();
    let page = play(&sealed, &parent, &mut run(&spec, &tasks), &says, usize::MAX).await;
    let (of, before) = at_turn(&parent, &page, 2);

    // No person sits down where it is read, or plays what was recorded there.
    for (seat, player) in
        [(Seat::RESPONDER, "person"), (Seat::GRADER, "person"), (Seat::RESPONDER, "tape:opened")]
    {
        let spec = with(&spec, seat, player);
        let came = sealed.post("/api/runs", &wanted(&spec, &of)).await;
        let problem = came.error(422);
        assert!(problem.message.contains("sealed"), "{}", problem.message);
    }

    // Lines with other replies before are not those of the episode.
    let branch: Opened = sealed.post("/api/runs", &wanted(&spec, &of)).await.json();
    let mut going = branching(&spec, &tasks, &of, &before);
    let Action::Lines { lines, .. } = going.poll() else {
        panic!("its first lines come first");
    };
    let own = transcript::read(&lines.join("\n")).expect("sound");
    let mut writer = Writer::new(SaltKey::open(&own.header));
    let mut forged = String::new();
    for event in own.events.iter().flatten() {
        let mut event = event.clone();
        if let Event::Told { reply, .. } = &mut event
            && let Reply::Said(said) = reply
            && said.withheld.is_some()
        {
            said.text = Some("no".to_owned());
        }
        forged.push_str(&writer.line(&event));
        forged.push('\n');
    }
    let problem = sealed.put(&branch, &of.episode, 0, &forged).await.error(422);
    assert!(problem.message.contains("not those of the episode"), "{}", problem.message);

    // Before its lines are there nothing is answered, and afterwards what the protocol asks.
    let (ticket, request, _) = &page.calls[0];
    let answer = sealed.call(&branch, ticket, request.clone()).await;
    assert!(matches!(
        answer.reply,
        Reply::Failed(failure) if failure.class == FailureClass::Rejected
    ));
    sealed.store(&branch, &of.episode, 0, &lines).await;
    let asked = sealed.upstream.seen().len();
    let answer = sealed.call(&branch, ticket, request.clone()).await;
    assert!(matches!(answer.reply, Reply::Failed(_)), "it was told before: {answer:?}");
    assert_eq!(sealed.upstream.seen().len(), asked, "nobody was asked");
    sealed.is_tight();
}

#[tokio::test]
async fn a_sealed_world_is_gone_on_with() {
    let said = format!("It is {MARK}. <answer>Incorrect</answer>");
    let sealed = Sealed::start(vec![Canned::text(&said)]).await;
    let tasks = sealed.handed_out(WORLD).await;
    let search = |query: &str| {
        let call = json!({ "name": "web_search", "arguments": { "query": query } });
        format!("<tool_call>\n{call}\n</tool_call>")
    };
    let says = [search("height of Ada Tower"), "<answer>Ada Tower</answer>".to_owned()];
    let says: Vec<&str> = says.iter().map(String::as_str).collect();
    let (parent, page) = play_world(&sealed, &tasks, &says).await;
    let (of, before) = at_turn(&parent, &page, 2);
    let spec = world_spec(&tasks);
    let branch: Opened = sealed.post("/api/runs", &wanted(&spec, &of)).await.json();
    let mut going = branching(&spec, &tasks, &of, &before);
    let says =
        [search("Which is taller, Ada Tower or Bo Tower?"), "<answer>Bo Tower</answer>".to_owned()];
    let says: Vec<&str> = says.iter().map(String::as_str).collect();
    let page = play(&sealed, &branch, &mut going, &says, usize::MAX).await;
    let lanes: Vec<&str> = page.calls.iter().map(|(_, out, _)| out.lane()).collect();
    assert_eq!(lanes, ["engine", "judge"]);
    let text = &page.texts[&of.episode];
    assert!(text.contains("120 metres"), "what was found before is told");
    assert!(text.contains("Bo Tower"));
    read_all(&sealed, &branch, &of).await;
    sealed.is_tight();
}
