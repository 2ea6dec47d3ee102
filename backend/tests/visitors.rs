//! Branches, runs of samples and tables that visitors open without the operator's access token: what may be opened, and within what
//! bounds.

use turnwise_shared::run::cut;
use turnwise_shared::visitors::MOST_BYTES;
use turnwise_shared::wire::Access;

use crate::common::sharing::get;
use crate::common::table;
use crate::common::*;

mod turns;

const TOKEN: &str = "0123456789abcdef-access";

/// A server with an access token and these limits, and a run of bots on it.
struct Guarded {
    service: Service,
    parent: Opened,
    episode: EpisodeKey,
    play: Transcript,
}

async fn guarded(limits: &str) -> Guarded {
    let file = format!(
        "access_token = \"{TOKEN}\"\n[limits]\n{limits}\n[[search]]\nname = \"web\"\nformat = \"brave\"\nkey = \"{MARKED_KEY}\"\n"
    );
    let service = Service::in_a_folder(|folder| configured(folder, &file)).await;
    let spec = of_bots(1);
    let wanted = OpenRun { branch_of: None, ..opening(&spec, None) };
    let parent: Opened = service.post("/api/runs", Some(TOKEN), &wanted).await.json();
    drive(&service, &parent, &mut planned(&spec)).await;
    let (episode, play) = play_of(&service, &parent).await;
    Guarded { service, parent, episode, play }
}

fn opening(spec: &Spec, of: Option<BranchOf>) -> OpenRun {
    OpenRun {
        title: "a branch".to_owned(),
        branch_of: of,
        visibility: Visibility::Public,
        ..crate::common::opening(spec)
    }
}

impl Guarded {
    fn of(&self) -> Option<BranchOf> {
        Some(self.from(2))
    }

    fn from(&self, turn: u32) -> BranchOf {
        BranchOf {
            run: self.parent.run.clone(),
            episode: self.episode.clone(),
            turn,
            lines: cut(&self.play, turn).expect("such a turn").lines,
        }
    }

    fn spec(&self, seat: &str, player: &str) -> Spec {
        let mut spec = self.play.header.spec.clone();
        replace(&mut spec.seats, seat, player);
        spec
    }

    async fn open(&self, wanted: &OpenRun) -> crate::common::HttpReply {
        self.service.open(wanted).await
    }

    /// A branch of a person's.
    async fn opened(&self) -> Opened {
        let spec = self.spec("player", "person");
        self.open(&opening(&spec, self.of())).await.json()
    }
}

#[tokio::test]
async fn a_branch_that_costs_nothing_is_anybodys_to_open() {
    let guarded = guarded("[caps]\ncalls = 1000").await;
    let service = &guarded.service;
    let counted = async || {
        let today = service.app.call_limits().today().await;
        today.expect("it is read")[0].spent.calls
    };
    let before = counted().await;
    let about: About = service.get("/api/about").await.json();
    assert!(about.access == Access::Token && about.visitors);
    // A visitor who goes on may be a person, and any other seat a built-in player.
    let spec = guarded.spec("player", "bot:search-only");
    let of = guarded.from(1);
    let opened: Opened = guarded.open(&opening(&spec, Some(of.clone()))).await.json();
    let mut run = Run::branching(ingredients(&spec, example(QUESTIONS).samples()), of)
        .expect("it can branch");
    run.take_over(&guarded.play).expect("it is the episode");
    let driven = drive(service, &opened, &mut run).await;
    assert!(!driven.calls.is_empty(), "it searches");
    for (_, answer) in &driven.calls {
        let failed = matches!(answer.reply, turnwise_shared::effect::Reply::Failed(_));
        assert!(!failed, "{answer:?}");
    }
    assert_eq!(counted().await, before, "the operator's day is not theirs");
    let info: RunInfo = get(service, &opened, "", None).await.json();
    assert!(info.is_visitors && info.finished == 1, "{info:?}");
    assert_eq!(info.visibility, Visibility::Unlisted, "it is listed nowhere");
}

#[tokio::test]
async fn what_costs_the_operator_something_needs_the_token() {
    let guarded = guarded("").await;
    let needs = async |wanted: OpenRun, why: &str| {
        let error = guarded.open(&wanted).await.error(401);
        assert_eq!(error.code, "token_missing");
        assert!(error.message.contains(why), "{error}");
    };
    let person = guarded.spec("player", "person");
    let model = guarded.spec("grader", "model:scripted/trial");
    needs(opening(&model, guarded.of()), "a model sits in the seat grader").await;
    let mut web = person.clone();
    web.search.as_mut().expect("a search").engine = "web".to_owned();
    needs(opening(&web, guarded.of()), "web is not a search index").await;
    // Of runs of their own: samples alone, and not many episodes.
    let mut other_tasks = person.clone();
    other_tasks.tasks.digest = Digest::of("a file of somebody's");
    needs(opening(&other_tasks, None), "not the benchmark's samples").await;
    // The server counts how many there are, whatever the request says.
    let mut often = person.clone();
    often.repeats = 51;
    often.subset.first = Some(2);
    needs(opening(&often, None), "more than 100 episodes").await;
    let all = example(QUESTIONS).samples().tasks.len() as u32;
    for (first, repeats, told) in [(1, 1, 101), (1, 3, 1), (2, 50, 5), (all, 2, 0)] {
        let mut spec = person.clone();
        (spec.subset.first, spec.repeats) = (Some(first), repeats);
        let wanted = OpenRun { episodes: told, ..opening(&spec, None) };
        let opened: Opened = guarded.open(&wanted).await.json();
        let info: RunInfo = get(&guarded.service, &opened, "", None).await.json();
        assert_eq!(info.episodes, first * repeats, "{told} were told");
    }
    needs(opening(&model, None), "a model sits in the seat grader").await;
    needs(opening(&web, None), "web is not a search index").await;
    let regrading =
        OpenRun { regrades: Some(guarded.parent.run.clone()), ..opening(&person, None) };
    needs(regrading, "access token").await;
    // A wrong token is no missing one.
    let wanted = opening(&person, guarded.of());
    let wrong = guarded.service.post("/api/runs", Some("guessed"), &wanted);
    assert_eq!(wrong.await.error(401).code, "token_wrong");
    // A visitor who goes on chooses no budget, and reads what they go on from.
    let caps = Caps { calls: Some(1_000_000), ..Caps::default() };
    for of in [wanted.branch_of.clone(), None] {
        let greedy = OpenRun { caps: caps.clone(), branch_of: of, ..wanted.clone() };
        guarded.open(&greedy).await.error(422);
    }
    let parent = &guarded.parent;
    show(&guarded.service, parent, Visibility::Private, &parent.token).await.json::<RunInfo>();
    guarded.open(&wanted).await.error(404);
}

#[tokio::test]
async fn a_visitor_runs_the_samples_and_publishes_nothing() {
    let guarded = guarded("").await;
    let service = &guarded.service;
    let spec = of_bots(2);
    let wanted = OpenRun { episodes: 2, ..opening(&spec, None) };
    let opened: Opened = guarded.open(&wanted).await.json();
    let driven = drive(service, &opened, &mut planned(&spec)).await;
    assert!(!driven.calls.is_empty(), "it searches");
    let info: RunInfo = get(service, &opened, "", None).await.json();
    assert!(info.is_visitors && info.finished == 2, "{info:?}");
    assert_eq!(info.visibility, Visibility::Unlisted, "it is listed nowhere");
    let budget: Value = get(service, &opened, "/budget", Some(&opened.token)).await.json();
    assert_eq!(budget["purses"][0]["caps"]["money"], json!(0), "{budget}");
    // It stands on no board, whichever token asks; no client drives it, pays for it or makes it public.
    for token in [&opened.token, TOKEN] {
        let came = service.publish(&opened.run, Some(token)).await;
        assert!(!came.status.is_success(), "{came:?}");
    }
    let refused = service.publish(&opened.run, Some(&opened.token)).await;
    let text = format!("{refused:?}");
    assert!(text.contains("without this server's access token"), "{text}");
    let path = |rest: &str| format!("/api/runs/{}/{rest}", opened.run);
    let token = Some(opened.token.as_str());
    service.post(&path("drive"), token, &json!({})).await.error(403);
    let caps = json!({ "caps": { "money": 5_000_000 } });
    service.post(&path("caps"), token, &caps).await.error(403);
    show(service, &opened, Visibility::Public, &opened.token).await.error(403);
    // Runs of others stay theirs, and the list is for holders of the token.
    let parent = &guarded.parent;
    show(service, parent, Visibility::Private, &parent.token).await.json::<RunInfo>();
    get(service, parent, "", Some(&opened.token)).await.error(404);
    get(service, parent, "", None).await.error(404);
    service.get("/api/runs").await.error(401);
}

#[tokio::test]
async fn a_visitor_practises_at_a_table_and_no_more() {
    let guarded = guarded("live_tables = 4").await;
    let service = &guarded.service;
    let seats = [("1", "person"), ("2", "bot:calling-station")];
    let settings = json!({ "tables": 1, "hands": 2 });
    let spec = table::spec(example(GAME), &seats, settings);
    let open = async |wanted: Value| service.post("/api/live", None, &wanted).await;
    let needs = async |wanted: Value, why: &str| {
        open(wanted).await.error_with(401, why);
    };
    needs(table::wanted(&spec, "rated", 60, 0), "not for practice").await;
    let mut model = spec.clone();
    replace(&mut model.seats, "2", "model:scripted/trial");
    needs(table::wanted(&model, "practice", 60, 0), "a model sits").await;
    let mut long = spec.clone();
    long.settings["hands"] = json!(101);
    needs(table::wanted(&long, "practice", 60, 0), "more than 100").await;
    let questions = example(QUESTIONS);
    let mut sealed = table::spec(questions, &[("player", "person")], questions.default_settings());
    sealed.tasks.digest = Digest::of("not the samples");
    needs(table::wanted(&sealed, "practice", 0, 0), "samples").await;
    let mut rich = table::wanted(&spec, "practice", 60, 0);
    rich["caps"] = json!({ "calls": 1_000_000 });
    open(rich).await.error(422);

    // One of the four tables is the visitors'; the rest stay for holders of the token.
    let opened: LiveOpened = open(table::wanted(&spec, "practice", 60, 0)).await.json();
    let mut seat = Script::new(service, &opened, "1");
    seat.sit().await;
    assert_eq!(open(table::wanted(&spec, "practice", 60, 0)).await.error(503).code, "full");
    service.get("/api/live").await.error(401);
    let ours = table::wanted(&spec, "practice", 60, 0);
    service.post("/api/live", Some(TOKEN), &ours).await.json::<LiveOpened>();
    // What is dealt is hidden from everybody, a visitor with the token of the run included.
    let run = service.of_run(&opened.run, "").await;
    assert_eq!(run.error(403).code, "sealed");
}

#[tokio::test]
async fn whoever_opened_it_cannot_make_more_of_it() {
    let guarded = guarded("").await;
    let service = &guarded.service;
    let branch = guarded.opened().await;
    let path = |rest: &str| format!("/api/runs/{}/{rest}", branch.run);
    let token = Some(branch.token.as_str());
    service.post(&path("drive"), token, &json!({})).await.error(403);
    let caps = json!({ "caps": { "money": 5_000_000 } });
    service.post(&path("caps"), token, &caps).await.error(403);
    show(service, &branch, Visibility::Public, &branch.token).await.error(403);
    let shown: RunInfo = show(service, &branch, Visibility::Private, &branch.token).await.json();
    assert_eq!(shown.visibility, Visibility::Private);
    let thought = json!([{ "episode": "other.r1.play", "call": 1, "started": 1, "took": 1 }]);
    service.post(&path("thinking"), token, &thought).await.error(422);

    // Nor larger than it may be.
    let spec = guarded.spec("player", "person");
    let ingredients = ingredients(&spec, example(QUESTIONS).samples());
    let mut run = Run::branching(ingredients, guarded.from(2)).expect("it can");
    run.take_over(&guarded.play).expect("it is the episode");
    let mut refused = 0;
    let mut stored = 0;
    for _ in 0..8 {
        match run.poll() {
            Action::Person { ticket, .. } => {
                let said = format!("{{ no action {} }}", "x".repeat(2_000_000));
                let said = turnwise_shared::prompt::Said::text(&said);
                run.tell(&ticket, turnwise_shared::effect::Reply::Said(said)).expect("it fits");
            }
            Action::Lines { episode, from, lines } => {
                let came = service.put_lines(&branch, &episode, from, &lines).await;
                match came.status.as_u16() {
                    200 => stored += lines.iter().map(String::len).sum::<usize>(),
                    413 => refused += 1,
                    other => panic!("{other}: {came:?}"),
                }
                if refused > 0 {
                    break;
                }
            }
            _ => {}
        }
    }
    assert!(refused == 1 && (stored as u64) < MOST_BYTES, "{stored}");
}

#[tokio::test]
async fn there_are_so_many_of_one_visitor_and_so_many_in_all() {
    let few = guarded("visitor_branches_of_client = 2").await;
    few.opened().await;
    few.opened().await;
    let wanted = opening(&few.spec("player", "person"), few.of());
    let error = few.open(&wanted).await.error(429);
    assert!(error.mend.as_deref().unwrap_or_default().contains("in a day"), "{error}");
    // A client with the token is no visitor.
    few.service.post("/api/runs", Some(TOKEN), &wanted).await.json::<Opened>();

    let full = guarded("visitor_branches = 1").await;
    full.opened().await;
    let wanted = opening(&full.spec("player", "person"), full.of());
    assert_eq!(full.open(&wanted).await.error(503).code, "full");

    let none = guarded("visitor_branches = 0").await;
    let about: About = none.service.get("/api/about").await.json();
    assert!(!about.visitors);
    none.open(&wanted).await.error(401);

    // Opening one is dear.
    let slow = guarded("request_burst = 250\nrequests_per_second = 1").await;
    slow.opened().await;
    slow.opened().await;
    let wanted = opening(&slow.spec("player", "person"), slow.of());
    slow.open(&wanted).await.error(429);
}

#[tokio::test]
async fn its_searches_are_bounded_and_nothing_paid_goes_out() {
    let guarded = guarded("").await;
    let branch = guarded.opened().await;
    let budget: Value = get(&guarded.service, &branch, "/budget", Some(&branch.token)).await.json();
    let caps = &budget["purses"][0]["caps"];
    assert_eq!(caps["money"], json!(0), "{budget}");
    assert!(caps["calls"].as_u64().is_some_and(|calls| calls > 0));
}

#[tokio::test]
async fn a_branch_is_paid_for_before_its_parent_is_read() {
    let guarded = guarded("requests_per_second = 1\nrequest_burst = 350").await;
    let spec = guarded.spec("player", "person");
    let nowhere = BranchOf { turn: 99, ..guarded.from(2) };
    let wanted = opening(&spec, Some(nowhere));
    let mut tried = 0;
    loop {
        let came = guarded.open(&wanted).await;
        match came.status.as_u16() {
            422 => tried += 1,
            429 => break,
            other => panic!("{other}: {came:?}"),
        }
        assert!(tried < 10, "it costs what a request costs");
    }
    assert!((1..=3).contains(&tried), "{tried}");
}
