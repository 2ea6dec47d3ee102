//! What is played through declarations alone: a person solves a task against a judge, judges by keys, or has a friend judge.

use turnwise_shared::benchmark::People;
use turnwise_shared::benchmark::schema::Holds;
use turnwise_shared::transcript;

use super::play::table_of;
use crate::*;

/// How long an episode may take.
const WHOLE: Duration = Duration::from_secs(90);

/// Longer than a key is not heard after a question has come up.
const READ: Duration = Duration::from_millis(400);

/// Benchmarks in which a person can take another seat than the player's: there is a player to talk to.
fn dialogues() -> Vec<(&'static dyn Benchmark, &'static People)> {
    let people = |benchmark: &&'static dyn Benchmark| Some((*benchmark, benchmark.people()?));
    let all = BENCHMARKS.iter().filter_map(people);
    let dialogues: Vec<_> = all.filter(|(_, people)| people.seats.len() > 1).collect();
    assert!(dialogues.len() > 1, "there are such benchmarks");
    dialogues
}

/// Those in which words are all that is shown; of others their own tests tell.
fn conversations() -> Vec<(&'static dyn Benchmark, &'static People)> {
    let mut all = dialogues();
    all.retain(|(benchmark, _)| benchmark.samples().pictures.is_empty());
    all
}

/// Sets a field of a form, once it can be.
pub async fn set(tab: &Tab, selector: &str, value: &str) {
    tab.wait_for(&format!("{selector}:not(:disabled)"), SOON).await;
    tab.eval(&format!(
        "(() => {{ const field = document.querySelector({}); field.value = {}; \
         field.dispatchEvent(new Event('input', {{ bubbles: true }})); \
         field.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()",
        json!(selector),
        json!(value)
    ))
    .await;
}

/// Opens the form for the first sample and two turns.
async fn choose(tab: &Tab, trial: &Trial, benchmark: &dyn Benchmark) -> Task {
    choose_turns(tab, trial, benchmark, 2).await
}

/// The same with a number of turns: the first number among the settings of people.
async fn choose_turns(tab: &Tab, trial: &Trial, benchmark: &dyn Benchmark, turns: usize) -> Task {
    let name = benchmark.name();
    let task = benchmark.samples().tasks.swap_remove(0);
    tab.goto(&trial.server.url(&format!("/play?game={name}"))).await;
    let ready = "document.querySelector('.form-end .btn-primary')?.disabled === false";
    tab.wait("the button", ready, SOON).await;
    set(tab, "#task", &format!("sample {}", task.id)).await;
    let people = benchmark.people().expect("people play it");
    let mut settings = people.settings.settings.iter();
    let is_number = |holds| {
        matches!(holds, Holds::Number(..) | Holds::Limit(..) | Holds::Counts(_) | Holds::Sweep(..))
    };
    let length = settings.find(|one| is_number(one.holds)).expect("the length can be chosen");
    set(tab, &format!("#{}", length.name), &turns.to_string()).await;
    task
}

/// Fills in one of the forms that are offered, and sends it.
async fn say(tab: &Tab, nth: &str, text: &str) {
    set(tab, "#say-text:not(:disabled)", text).await;
    tab.click(&format!(".say-do .btn:not(:disabled):{nth}")).await;
}

/// Whether the table is over.
async fn is_over(tab: &Tab) -> bool {
    tab.count("#fairness").await > 0
}

/// The score of the only episode.
async fn score(asking: &Asking<'_>, benchmark: &dyn Benchmark, run: &str) -> Option<f64> {
    let heads: Vec<EpisodeHead> = asking.json(&format!("/api/runs/{run}/episodes")).await;
    let key = heads.first()?.episode.its_play();
    let play = transcript::read(&asking.transcript(run, &key).await).expect("a sound play");
    let has_grading = heads.iter().any(|head| head.episode == key.grading());
    let grading = match has_grading {
        true => transcript::read(&asking.transcript(run, &key.grading()).await).ok(),
        false => None,
    };
    benchmark.measure(&play, grading.as_ref()).score
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_solves_a_task_against_the_judge() {
    let Some(stage) = stage("a_person_solves_a_task_against_the_judge").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let asking = Asking::new(&trial.server);
    let browser = Chromium::start(&stage.browser).await;
    for (benchmark, people) in conversations() {
        let name = benchmark.name();
        let tab = browser.open(&trial.server.url("/play"), Look::WIDE).await;
        let received = tab.receiving().await;
        let task = choose(&tab, &trial, benchmark).await;
        pictures(&tab, &format!("solve-choose-{name}")).await;
        tab.click(".form-end .btn-primary").await;
        let run = table_of(&tab).await;
        say(&tab, "first-child", "Is it greater than 5?").await;
        tab.wait_for(".chat-came", SOON).await;
        pictures(&tab, &format!("solve-going-{name}")).await;
        let before: String = received
            .so_far()
            .iter()
            .filter(|piece| !piece.url.contains("/api/about"))
            .map(|piece| piece.text.clone())
            .collect();
        assert!(before.contains("\"stage\":\"playing\""), "frames were kept");
        for (field, _) in people.reveals {
            let hidden: String = task.field(field).unwrap_or_default().chars().take(20).collect();
            let is_told = hidden.len() > 12 && before.contains(&hidden);
            assert!(!is_told, "{name}: {field} came into the page: {hidden}");
        }
        let (answer, _) = people.reveals[0];
        let answer = task.field(answer).expect("there is one").to_owned();
        let began = Instant::now();
        while !is_over(&tab).await {
            if tab.count("#say-text:not(:disabled)").await > 0 {
                say(&tab, "last-child", &answer).await;
            }
            tokio::time::sleep(READ).await;
            assert!(began.elapsed() < WHOLE, "{name} does not end");
        }
        tab.wait_for_text("The whole episode, turn by turn", SOON).await;
        tab.wait_for_text("Correct", SOON).await;
        let shown = tab.text("main").await;
        for (field, _) in people.reveals {
            let hidden = task.field(field).unwrap_or_default();
            assert!(shown.contains(hidden), "{name}: {field} is not shown");
        }
        pictures(&tab, &format!("solve-over-{name}")).await;
        assert_eq!(score(&asking, benchmark, &run).await, Some(1.0), "{name}");
        tab.assert_clean(trial.server.address());
        tab.close().await;
    }
}

/// A question that a bot cannot understand is refused where the page itself drives the run, as at a table.
#[tokio::test(flavor = "multi_thread")]
async fn on_a_runs_page_a_question_that_is_not_understood_costs_no_turn() {
    let Some(stage) = stage("on_a_runs_page_a_question_that_is_not_understood_costs_no_turn").await
    else {
        return;
    };
    let trial = Trial::plain(&stage);
    let browser = Chromium::start(&stage.browser).await;
    for (benchmark, people) in conversations() {
        let Some(judge) = people.understands.first() else { continue };
        let address =
            format!("/new?benchmark={}&seat.{}=person&first=1", benchmark.name(), judge.from);
        let tab = browser.open(&trial.server.url(&address), Look::WIDE).await;
        startable(&tab).await;
        start(&tab).await;
        tab.wait_for("#say-text:not(:disabled)", SOON).await;
        assert_eq!(tab.text("#say-understood").await, judge.about);
        let ask = async |question: &str| {
            set(&tab, "#say-text:not(:disabled)", question).await;
            tab.click(".say-do .btn:first-child").await;
        };
        ask("Is it nice?").await;
        tab.wait_for_text("does not understand that; no turn is used", SOON).await;
        tab.wait_for_text_in("#person-head", "question 1", SOON).await;
        let kept = "document.querySelector('#say-text').value";
        assert_eq!(tab.eval(kept).await, json!("Is it nice?"));
        ask("Is it greater than 3?").await;
        tab.wait_for_text_in("#person-head", "question 2", SOON).await;
        tab.assert_clean(trial.server.address());
        tab.close().await;
    }
}

const PHONE: Look = Look { width: 390, height: 844, ..Look::WIDE };

#[tokio::test(flavor = "multi_thread")]
async fn twenty_questions_fit_two_screens_of_a_phone() {
    let Some(stage) = stage("twenty_questions_fit_two_screens_of_a_phone").await else {
        return;
    };
    const TURNS: usize = 20;
    let mut played = 0;
    let trial = Trial::plain(&stage);
    let browser = Chromium::start(&stage.browser).await;
    for (benchmark, people) in conversations() {
        let name = benchmark.name();
        let tab = browser.open(&trial.server.url("/play"), PHONE).await;
        choose_turns(&tab, &trial, benchmark, TURNS).await;
        tab.click(".form-end .btn-primary").await;
        table_of(&tab).await;
        tab.wait_for("#say-text:not(:disabled)", SOON).await;
        tab.wait_for("details.rules[open]", SOON).await;
        tab.screenshot(&format!("talk-begins-{name}")).await;
        if tab.count(".say-do .btn").await != 2 {
            // Nothing is asked before it is answered.
            continue;
        }
        played += 1;
        if let Some(judge) = people.understands.first() {
            assert_eq!(tab.text("#say-understood").await, judge.about);
            set(&tab, "#say-text", "Is it nice?").await;
            tab.click(".say-do .btn:first-child").await;
            tab.wait_for_text("does not understand that; no turn is used", SOON).await;
            assert_eq!(tab.text(".pin-left").await, format!("{TURNS} left"));
            let kept = "document.querySelector('#say-text').value";
            assert_eq!(tab.eval(kept).await, json!("Is it nice?"));
            tab.screenshot(&format!("talk-refused-{name}")).await;
        }
        for turn in 1..=TURNS {
            let question = match turn % 5 {
                0 => format!("Is the answer strictly between {turn} and {}00?", turn * turn),
                _ => format!("Is it greater than {turn}?"),
            };
            set(&tab, "#say-text:not(:disabled)", &question).await;
            // Enter asks, and the field of the next turn has the focus.
            tab.eval("document.querySelector('#say-text').focus()").await;
            tab.press("Enter").await;
            let came =
                format!("document.querySelectorAll('.chat > li .chat-came').length === {turn}");
            tab.wait("the reply", &came, SOON).await;
            let left = format!("{} left", TURNS - turn);
            tab.wait_for_text_in(".pin-left", &left, SOON).await;
            if turn == 3 {
                tab.screenshot(&format!("talk-going-{name}")).await;
            }
        }
        tab.wait_for("#say-text:not(:disabled)", SOON).await;
        assert_eq!(tab.count(".say-do .btn").await, 1, "only an answer counts");
        assert_eq!(tab.count("details.rules[open]").await, 0, "they are folded");
        let measured = tab
            .eval(
                "(() => { const box = what => document.querySelector(what).getBoundingClientRect(); \
                 return { page: document.documentElement.scrollHeight, screen: innerHeight, chat: box('.chat').height, \
                 pin: box('.pin').height, top: box('.pin').top, desk: box('.pdesk').height, end: box('.pdesk').bottom, \
                 last: box('.chat > :last-child').bottom, over: box('.pdesk').top }; })()",
            )
            .await;
        println!("{name}: {measured}");
        let of = |what: &str| measured[what].as_f64().expect("a length");
        assert!(of("page") <= 2.0 * of("screen"), "{name}: {measured}");
        assert!(
            of("top") >= 0.0 && of("pin") + of("desk") <= 0.55 * of("screen"),
            "{name}: {measured}"
        );
        assert!(of("end") <= of("screen") + 1.0, "{name}: {measured}");
        assert!(of("last") <= of("over") + 1.0, "the newest is in sight: {measured}");
        for (look, scheme) in Look::ALL.into_iter().map(|(name, look)| (look, name)) {
            tab.look(look).await;
            tab.screenshot(&format!("talk-twenty-{name}-{scheme}")).await;
        }
        // Refused words are reported on the console, too.
        tab.close().await;
    }
    assert!(played > 1, "there are such benchmarks");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_judges_by_keys() {
    let Some(stage) = stage("a_person_judges_by_keys").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let browser = Chromium::start(&stage.browser).await;
    for (benchmark, people) in dialogues() {
        let name = benchmark.name();
        let seat = people.seats[1];
        let tab = browser.open(&trial.server.url("/play"), Look::WIDE).await;
        choose(&tab, &trial, benchmark).await;
        tab.click(&format!("input[name=own-seat][value={seat}]")).await;
        tab.wait_for(&format!("#beside-{}", Seat::PLAYER), SOON).await;
        assert_eq!(tab.count(&format!("#beside-{seat}")).await, 0, "it is taken");
        tab.click(".form-end .btn-primary").await;
        table_of(&tab).await;
        tab.wait_for(".person-words .btn", SOON).await;
        pictures(&tab, &format!("judge-{name}")).await;
        let (began, mut judged) = (Instant::now(), 0);
        while !is_over(&tab).await {
            let key = "document.querySelector('.person-words .btn:not(:disabled)')?.getAttribute('aria-keyshortcuts')";
            if let Some(key) = tab.eval(key).await.as_str() {
                tokio::time::sleep(READ).await;
                tab.press(&key.to_lowercase()).await;
                judged += 1;
            }
            tokio::time::sleep(READ).await;
            assert!(began.elapsed() < WHOLE, "{name} does not end");
        }
        assert!(judged > 0, "{name}: nothing was asked");
        tab.assert_clean(trial.server.address());
        tab.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_solve_a_task_over_a_link() {
    let Some(stage) = stage("two_people_solve_a_task_over_a_link").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let browser = Chromium::start(&stage.browser).await;
    let friends = Chromium::start(&stage.browser).await;
    for (benchmark, people) in conversations() {
        let (name, seat) = (benchmark.name(), people.seats[1]);
        let tab = browser.open(&trial.server.url("/play"), Look::WIDE).await;
        let task = choose(&tab, &trial, benchmark).await;
        set(&tab, &format!("#beside-{seat}"), "person").await;
        tab.click(".form-end .btn-primary").await;
        table_of(&tab).await;
        let invitation = format!("#invitation-{seat}");
        tab.wait_for(&invitation, SOON).await;
        let link = tab.eval(&format!("document.querySelector('{invitation}').value")).await;
        let friend = friends.open(link.as_str().expect("a link"), Look::WIDE).await;
        friend.wait_for("#lobby-name", SOON).await;
        friend.focus("#lobby-name").await;
        friend.write("Ada").await;
        friend.press("Enter").await;
        say(&tab, "first-child", "Is it a question?").await;
        friend.wait_for_text("Is it a question?", SOON).await;
        // The judge is shown what lies behind it, and the player is not.
        let (_, long) = people
            .reveals
            .iter()
            .map(|(field, _)| task.field(field).unwrap_or_default())
            .map(|text| (text.len(), text))
            .max()
            .expect("something is hidden");
        assert!(friend.text("main").await.contains(long), "{name}");
        assert!(!tab.text("main").await.contains(long), "{name}");
        friend.wait_for(".person-words .btn:not(:disabled)", SOON).await;
        tokio::time::sleep(READ).await;
        friend.press("y").await;
        tab.wait_for(".chat-came", SOON).await;
        let yes = "document.querySelector('.chat-came').innerText === 'yes'";
        tab.wait("the answer of the friend", yes, SOON).await;
        friend.assert_clean(trial.server.address());
        tab.assert_clean(trial.server.address());
        friend.close().await;
        tab.close().await;
    }
}
