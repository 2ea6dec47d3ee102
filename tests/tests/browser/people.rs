//! People in seats: one plays a question against bots and is graded; one answers as the user for a model that plays.

use std::collections::BTreeMap;

use turnwise_shared::transcript;

use super::play::before_the_end;
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

/// Writes what an action says, does it, and fills in what else it asks for.
pub async fn act(tab: &Tab, action: &str, fields: &[(&str, &str)]) {
    let ((_, text), more) = fields.split_first().expect("something is said");
    tab.set("#say-text", text).await;
    let button = format!(".say-do [data-action={action}]");
    let is_offered = tab.count(&button).await > 0;
    if is_offered {
        tab.click(&button).await;
    }
    for (field, text) in more {
        tab.set(&format!("#param-{field}"), text).await;
    }
    if !more.is_empty() || !is_offered {
        tab.click(".say-do [type=submit]:not(:disabled)").await;
    }
}

#[test]
fn a_person_plays_a_question_against_a_bot_and_is_graded() {
    on_trial(async |trial| {
        let tab = trial.open(&format!("/play?game={QUESTIONS}")).await;
        startable(&tab).await;
        let received = tab.receiving().await;
        pictures(&tab, "play-choose-question").await;
        tab.set("#own-name", "Ann").await;
        let run = seated(&tab).await;
        tab.wait_for(".say-do [data-action=answer]").await;
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
        tab.set("#say-text", "half a query").await;
        tab.reload().await;
        tab.wait_for_value("#say-text", "half a query").await;

        act(&tab, "ask", &[("question", "Is it older than a hundred years?")]).await;
        tab.wait_for_count(".chat > li .chat-came", 1).await;
        act(&tab, "search", &[("query", "old mill")]).await;
        tab.wait_for_count(".chat > li .chat-long[open]", 1).await;
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
            tab.wait("the form in sight", &form).await;
        }
        tab.look(Look::WIDE).await;
        let before = before_the_end(&received.so_far());
        let context = task.field("context").expect("a context");
        assert!(
            !before.contains(&context.chars().take(15).collect::<String>()),
            "the context came into the page before the end"
        );
        act(&tab, "answer", &[("answer", answer), ("confidence", "90")]).await;
        tab.wait_for("#fairness").await;
        let verdict = format!("Correct. You said {}", answer.trim());
        tab.wait_for_text_in("#main h2", &verdict).await;
        pictures(&tab, "play-question-over").await;
        tab.click_text("The whole episode, turn by turn").await;
        tab.wait_for_text_in(".page-head", "player: Ann").await;
        tab.assert_clean();

        let key = trial.first_play(&run).await;
        let play = trial.played(&run, &key).await;
        let player = &play.header.spec.seats[&Seat::new(Seat::PLAYER)].player;
        assert_eq!(*player, Player::Person, "the record says who sat there");
        assert_eq!(said_by(&play, Seat::PLAYER).len(), 3);
        let grading = trial.played(&run, &key.grading()).await;
        let outcome = grading.outcome().expect("it was graded");
        assert_eq!(outcome.result["verdict"], "yes");
    });
}

#[test]
fn a_person_answers_for_a_model_that_plays() {
    on_trial_over(Script::default(), async |trial, _upstream| {
        let tab = trial
            .open("/new?in-flight=8&seat.player=model:up/player&seat.responder=person&first=8")
            .await;
        startable(&tab).await;
        pictures(&tab, "new-person").await;
        let run = started(&tab).await;
        tab.wait_for(".person-words .btn").await;
        pictures(&tab, "run-person").await;

        // Of how many is not known before a task is over. The rules are open, the prompt is folded.
        tab.wait_for_text_in("#person-head", "Answer as the user · question 1").await;
        tab.wait_for("details.rules[open]").await;

        // The browser speaks English: questions in Chinese wait until they are wanted, and the choice is kept.
        let chinese = "#person-languages input[value=zh]";
        tab.wait_for(chinese).await;
        assert_eq!(tab.count(&format!("{chinese}:checked")).await, 0);
        tab.click(chinese).await;
        tab.wait(
            "that nothing waits in other languages",
            "!document.querySelector('#person-languages').innerText.includes('other languages')",
        )
        .await;
        // The answers stay in sight.
        tab.wait(
            "the answers in sight",
            "(() => { const box = document.querySelector('.person-desk').getBoundingClientRect(); \
                    return box.bottom <= innerHeight + 1 && box.top >= 0; })()",
        )
        .await;

        // Reloaded in the middle of a question: it is asked again, word for word.
        const ASKED: &str = ".person-parts";
        let several = "document.querySelector('.person-head .btn-quiet')?.hidden === false";
        tab.wait("another task waits", several).await;
        let asked = tab.text(ASKED).await;
        tab.reload().await;
        tab.wait_for(".person-words .btn").await;
        assert_eq!(tab.count(&format!("{chinese}:checked")).await, 1);
        let began = Instant::now();
        while tab.text(ASKED).await != asked {
            // What waits may stand in another order, and comes one by one.
            assert!(began.elapsed() < SOON, "the question is gone: {asked}");
            tab.press("l").await;
            sleep(Duration::from_millis(100)).await;
        }

        // A wrong key is taken back, as long as the answer has not gone out. A quarter of a second after a question has come up keys are heard.
        tab.wait("another task waits again", several).await;
        sleep(Duration::from_millis(400)).await;
        tab.press("n").await;
        let text = json!(asked);
        tab.wait_for_text("Answered: No").await;
        tab.press("u").await;
        let back = format!(
            "!document.body.innerText.includes('Answered: No') && document.querySelector('{ASKED}')?.innerText === {text}"
        );
        tab.wait("the question is back", &back).await;

        // One task to its end before the next: of all questions in the order in which they come up, those of a task stand together.
        tab.eval(&format!(
        "(() => {{ window.tasks = []; setInterval(() => {{ const parts = document.querySelector('{ASKED}');          const what = parts?.querySelector('dd')?.innerText; const known = window.tasks;          if (what && known[known.length - 1] !== what) known.push(what); }}, 20); }})()"
    )).await;
        let began = Instant::now();
        let mut keys = ["y", "d", "n"].into_iter().cycle();
        while !trial.info(&run).await.state.is_over() {
            if tab.count(".person-words .btn").await > 0 {
                tab.press(keys.next().expect("it goes on for ever")).await;
            }
            sleep(Duration::from_millis(300)).await;
            assert!(began.elapsed() < WHOLE_RUN, "the run does not end");
        }
        let info = trial.info(&run).await;
        assert_eq!((info.state, info.finished), (RunState::Closed, 8));
        let tasks: Vec<String> = tab.read("window.tasks").await;
        let different: std::collections::BTreeSet<_> = tasks.iter().collect();
        assert_eq!(different.len(), tasks.len(), "none is left and taken up again: {tasks:?}");

        let folder = trial.path("recorded");
        let texts = trial.fetch(&run, &folder).await;
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
        let times: BTreeMap<String, Vec<u64>> = trial.json(&format!("/api/runs/{run}/times")).await;
        assert_eq!(times["responder"].len(), answers.len(), "{times:?}");
        let files: Vec<String> =
            texts.keys().map(|name| folder.join(name).to_string_lossy().into_owned()).collect();
        let mut arguments = vec!["replay"];
        arguments.extend(files.iter().map(String::as_str));
        trial.turnwise(&arguments);
        tab.assert_clean();
    });
}
