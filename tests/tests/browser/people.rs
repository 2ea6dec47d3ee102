//! People in seats: one plays a question against bots and is graded; one answers as the user for a model that plays.

use std::collections::BTreeMap;

use turnwise_shared::transcript;

use super::play::table_of;
use crate::*;

/// How long a run may take in which a person answers.
const WHOLE_RUN: Duration = Duration::from_secs(120);

/// Everything that was said in a seat.
fn said_by(part: &Transcript, wanted: &str) -> Vec<String> {
    let mut calls = Vec::new();
    let mut said = Vec::new();
    for event in part.events.iter().flatten() {
        match event {
            Event::Asked { call, request }
                if request.seat().is_some_and(|seat| seat.as_str() == wanted) =>
            {
                calls.push(*call);
            }
            Event::Told { call, reply } if calls.contains(call) => match reply {
                Reply::Said(one) => said.push(one.text.clone().unwrap_or_default()),
                other => panic!("the seat {wanted} said nothing: {other:?}"),
            },
            _ => {}
        }
    }
    said
}

async fn read(asking: &Asking<'_>, run: &str, episode: &EpisodeKey) -> Transcript {
    let text = asking.transcript(run, episode).await;
    transcript::read(&text).expect("a sound transcript")
}

async fn info_of(asking: &Asking<'_>, run: &str) -> RunInfo {
    asking.json(&format!("/api/runs/{run}")).await
}

/// Writes the name under which a person sits down into the form of a table.
pub async fn sits_as(tab: &Tab, name: &str) {
    tab.wait_for("#own-name", SOON).await;
    tab.eval(&format!(
        "(() => {{ const field = document.querySelector('#own-name'); field.value = {}; \
         field.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()",
        json!(name)
    ))
    .await;
}

/// Writes what an action says, does it, and fills in what else it asks for.
pub async fn act(tab: &Tab, action: &str, fields: &[(&str, &str)]) {
    let ((_, text), more) = fields.split_first().expect("something is said");
    fill(tab, "#say-text", text).await;
    let button = format!(".say-do [data-action={action}]");
    let is_offered = tab.count(&button).await > 0;
    if is_offered {
        tab.click(&button).await;
    }
    for (field, text) in more {
        fill(tab, &format!("#param-{field}"), text).await;
    }
    if !more.is_empty() || !is_offered {
        tab.click(".say-do [type=submit]:not(:disabled)").await;
    }
}

pub async fn fill(tab: &Tab, field: &str, text: &str) {
    tab.wait_for(&format!("{field}:not(:disabled)"), SOON).await;
    // Keys of a keyboard would not do for Chinese.
    tab.eval(&format!(
        "(() => {{ const field = document.querySelector('{field}'); field.value = {}; \
         field.dispatchEvent(new Event('input', {{ bubbles: true }})); field.focus(); }})()",
        json!(text)
    ))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_plays_a_question_against_a_bot_and_is_graded() {
    let Some(stage) = stage("a_person_plays_a_question_against_a_bot_and_is_graded").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    let tab =
        chromium.open(&trial.server.url(&format!("/play?game={QUESTIONS}")), Look::WIDE).await;
    tab.wait(
        "the button",
        "document.querySelector('.form-end .btn-primary')?.disabled === false",
        SOON,
    )
    .await;
    let received = tab.receiving().await;
    pictures(&tab, "play-choose-question").await;
    sits_as(&tab, "Ann").await;
    tab.click(".form-end .btn-primary").await;
    let run = table_of(&tab).await;
    tab.wait_for(".say-do [data-action=answer]", SOON).await;
    assert_eq!(
        tab.count(".pclock:not([hidden])").await,
        0,
        "nobody is timed out unless that was chosen"
    );
    let shown = tab.text("main").await;
    let samples = registry::find(QUESTIONS).expect("it is there").samples();
    let task = samples
        .tasks
        .iter()
        .find(|task| shown.contains(task.field("question").expect("a question")))
        .expect("the question of a sample is shown");
    let answer = task.field("answer").expect("an answer");

    // What is typed and not sent is there when the page is loaded again.
    fill(&tab, "#say-text", "half a query").await;
    tab.reload().await;
    tab.wait(
        "what was typed",
        "document.querySelector('#say-text')?.value === 'half a query'",
        SOON,
    )
    .await;

    act(&tab, "ask", &[("question", "Is it older than a hundred years?")]).await;
    tab.wait("a reply", "document.querySelectorAll('.chat > li .chat-came').length === 1", SOON)
        .await;
    act(&tab, "search", &[("query", "old mill")]).await;
    tab.wait(
        "results",
        "document.querySelectorAll('.chat > li .chat-long[open]').length === 1",
        SOON,
    )
    .await;
    pictures(&tab, "play-question-going").await;
    // Results are cards, and the form stays in sight below them; on a phone it leaves room to read.
    assert!(tab.count(".chat-long .hits > li").await > 0);
    for (height, most) in [(900, 1.0), (844, 0.46)] {
        let width = if height == 900 { 1280 } else { 390 };
        tab.look(Look { width, height, ..Look::WIDE }).await;
        let form = format!(
            "[0, document.body.scrollHeight].every(down => {{ scrollTo(0, down); \
             const form = document.querySelector('.pdesk').getBoundingClientRect(); \
             return form.top >= 0 && form.bottom <= innerHeight + 1 && form.height <= innerHeight * {most}; }})"
        );
        tab.wait("the form in sight", &form, SOON).await;
    }
    tab.look(Look::WIDE).await;
    let before: String = received
        .so_far()
        .iter()
        .filter(|piece| !piece.url.contains("/api/about"))
        .map(|piece| piece.text.clone())
        .collect();
    let context = task.field("context").expect("a context");
    assert!(before.contains("\"stage\":\"playing\""), "frames were kept");
    assert!(
        !before.contains(&context.chars().take(15).collect::<String>()),
        "the context came into the page before the end"
    );
    act(&tab, "answer", &[("answer", answer), ("confidence", "90")]).await;
    tab.wait_for("#fairness", SOON).await;
    let verdict = format!("Correct. You said {}", answer.trim());
    tab.wait_for_text_in("#main h2", &verdict, SOON).await;
    pictures(&tab, "play-question-over").await;
    tab.click_text("The whole episode, turn by turn").await;
    tab.wait_for_text_in(".page-head", "player: Ann", SOON).await;
    tab.assert_clean(trial.server.address());

    let heads: Vec<EpisodeHead> = asking.json(&format!("/api/runs/{run}/episodes")).await;
    let key = heads[0].episode.its_play();
    let play = read(&asking, &run, &key).await;
    let player = &play.header.spec.seats[&Seat::new(Seat::PLAYER)].player;
    assert_eq!(*player, Player::Person, "the record says who sat there");
    assert_eq!(said_by(&play, Seat::PLAYER).len(), 3);
    let grading = read(&asking, &run, &key.grading()).await;
    let outcome = grading.outcome().expect("it was graded");
    assert_eq!(outcome.result["verdict"], json!("yes"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_answers_for_a_model_that_plays() {
    let Some(stage) = stage("a_person_answers_for_a_model_that_plays").await else {
        return;
    };
    let upstream = Upstream::start(Script::default()).await;
    let url = upstream.base_url();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trial = Trial::start(&stage, folder, &[("TURNWISE_PROVIDER_UP_BASE_URL", &url)]);
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    let address = "/new?in-flight=8&seat.player=model:up/player&seat.responder=person&first=8";
    let tab = chromium.open(&trial.server.url(address), Look::WIDE).await;
    startable(&tab).await;
    pictures(&tab, "new-person").await;
    start(&tab).await;
    let run = run_of(&tab).await;
    tab.wait_for(".person-words .btn", SOON).await;
    pictures(&tab, "run-person").await;

    // Of how many is not known before a task is over. The rules are open, the prompt is folded.
    tab.wait_for_text_in("#person-head", "Answer as the user · question 1", SOON).await;
    tab.wait_for("details.rules[open]", SOON).await;

    // The browser speaks English: questions in Chinese wait until they are wanted, and the choice is kept.
    let chinese = "#person-languages input[value=zh]";
    tab.wait_for(chinese, SOON).await;
    assert_eq!(tab.count(&format!("{chinese}:checked")).await, 0);
    tab.click(chinese).await;
    let nothing =
        "!document.querySelector('#person-languages').innerText.includes('other languages')";
    tab.wait("that nothing waits in other languages", nothing, SOON).await;
    // The answers stay in sight.
    let in_sight = "(() => { const box = document.querySelector('.person-desk').getBoundingClientRect(); \
                    return box.bottom <= innerHeight + 1 && box.top >= 0; })()";
    tab.wait("the answers in sight", in_sight, SOON).await;

    // Reloaded in the middle of a question: it is asked again, word for word.
    const ASKED: &str = ".person-parts";
    let several = "document.querySelector('.person-head .btn-quiet')?.hidden === false";
    tab.wait("another task waits", several, SOON).await;
    let asked = tab.text(ASKED).await;
    tab.reload().await;
    tab.wait_for(".person-words .btn", SOON).await;
    assert_eq!(tab.count(&format!("{chinese}:checked")).await, 1);
    let began = Instant::now();
    while tab.text(ASKED).await != asked {
        // What waits may stand in another order, and comes one by one.
        assert!(began.elapsed() < SOON, "the question is gone: {asked}");
        tab.press("l").await;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }

    // A wrong key is taken back, as long as the answer has not gone out. A quarter of a second after a question has come up keys are heard.
    tab.wait("another task waits again", several, SOON).await;
    tokio::time::sleep(Duration::from_millis(400)).await;
    tab.press("n").await;
    let text = json!(asked);
    let held = "document.body.innerText.includes('Answered: No')";
    tab.wait("the answer is held", held, SOON).await;
    tab.press("u").await;
    let back = format!(
        "!document.body.innerText.includes('Answered: No') && document.querySelector('{ASKED}')?.innerText === {text}"
    );
    tab.wait("the question is back", &back, SOON).await;

    // One task to its end before the next: of all questions in the order in which they come up, those of a task stand together.
    let watch = format!(
        "(() => {{ window.tasks = []; setInterval(() => {{ const parts = document.querySelector('{ASKED}');          const what = parts?.querySelector('dd')?.innerText; const known = window.tasks;          if (what && known[known.length - 1] !== what) known.push(what); }}, 20); }})()"
    );
    tab.eval(&watch).await;
    let began = Instant::now();
    let mut keys = ["y", "d", "n"].into_iter().cycle();
    while !info_of(&asking, &run).await.state.is_over() {
        if tab.count(".person-words .btn").await > 0 {
            tab.press(keys.next().expect("it goes on for ever")).await;
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(began.elapsed() < WHOLE_RUN, "the run does not end");
    }
    let info = info_of(&asking, &run).await;
    assert_eq!((info.state, info.finished), (RunState::Closed, 8));
    let tasks = tab.eval("window.tasks").await;
    let tasks: Vec<String> = serde_json::from_value(tasks).expect("what was known in each");
    let different: std::collections::BTreeSet<_> = tasks.iter().collect();
    assert_eq!(different.len(), tasks.len(), "none is left and taken up again: {tasks:?}");

    let folder = trial.path("recorded");
    let texts = asking.fetch(&run, &folder).await;
    let mut answers = Vec::new();
    for text in texts.values() {
        let part = transcript::read(text).expect("a sound transcript");
        let responder = &part.header.spec.seats[&Seat::new(Seat::RESPONDER)].player;
        assert_eq!(*responder, Player::Person, "the record says who sat there");
        answers.extend(said_by(&part, Seat::RESPONDER));
    }
    assert!(answers.len() >= 3, "{answers:?}");
    for answer in &answers {
        assert!(["yes", "no", "i don't know"].contains(&answer.as_str()), "{answer}");
    }
    // How long each of them was thought about lies beside the transcripts.
    let times: BTreeMap<String, Vec<u64>> = asking.json(&format!("/api/runs/{run}/times")).await;
    assert_eq!(times["responder"].len(), answers.len(), "{times:?}");
    let files: Vec<String> =
        texts.keys().map(|name| folder.join(name).to_string_lossy().into_owned()).collect();
    let mut arguments = vec!["replay"];
    arguments.extend(files.iter().map(String::as_str));
    turnwise(&stage.program, &arguments);
    tab.assert_clean(trial.server.address());
}
