//! What is played through declarations alone: a person solves a task against a judge, judges by keys, or has a friend judge.

use turnwise_shared::benchmark::People;
use turnwise_shared::benchmark::schema::Holds;
use turnwise_shared::transcript;

use super::play::before_the_end;
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

/// Opens the form for the first sample and two turns.
async fn choose(tab: &Tab, benchmark: &dyn Benchmark) -> Task {
    choose_turns(tab, benchmark, 2).await
}

/// The same with a number of turns: the first number among the settings of people.
async fn choose_turns(tab: &Tab, benchmark: &dyn Benchmark, turns: usize) -> Task {
    let name = benchmark.name();
    let task = benchmark.samples().tasks.swap_remove(0);
    tab.goto(&format!("/play?game={name}")).await;
    startable(tab).await;
    tab.set("#task", &format!("sample {}", task.id)).await;
    let people = benchmark.people().expect("people play it");
    let mut settings = people.settings.settings.iter();
    let is_number = |holds| {
        matches!(holds, Holds::Number(..) | Holds::Limit(..) | Holds::Counts(_) | Holds::Sweep(..))
    };
    let length = settings.find(|one| is_number(one.holds)).expect("the length can be chosen");
    tab.set(&format!("#{}", length.name), &turns.to_string()).await;
    task
}

/// Fills in one of the forms that are offered, and sends it.
async fn say(tab: &Tab, nth: &str, text: &str) {
    tab.set("#say-text", text).await;
    tab.click(&format!(".say-do .btn:not(:disabled):{nth}")).await;
}

/// Whether the table is over.
async fn is_over(tab: &Tab) -> bool {
    tab.count("#fairness").await > 0
}

/// The score of the only episode.
async fn score(asking: &Asking, benchmark: &dyn Benchmark, run: &str) -> Option<f64> {
    let heads = asking.episodes(run).await;
    let key = heads.first()?.episode.its_play();
    let play = asking.played(run, &key).await;
    let has_grading = heads.iter().any(|head| head.episode == key.grading());
    let grading = match has_grading {
        true => transcript::read(&asking.transcript(run, &key.grading()).await).ok(),
        false => None,
    };
    benchmark.measure(&play, grading.as_ref()).score
}

#[test]
fn a_person_solves_a_task_against_the_judge() {
    on_trial(async |trial| {
        for (benchmark, people) in conversations() {
            let name = benchmark.name();
            let tab = trial.open("/play").await;
            let received = tab.receiving().await;
            let task = choose(&tab, benchmark).await;
            pictures(&tab, &format!("solve-choose-{name}")).await;
            let run = seated(&tab).await;
            say(&tab, "first-child", "Is it greater than 5?").await;
            tab.wait_for(".chat-came").await;
            pictures(&tab, &format!("solve-going-{name}")).await;
            let before = before_the_end(&received.so_far());
            for (field, _) in people.reveals {
                let hidden: String =
                    task.field(field).unwrap_or_default().chars().take(20).collect();
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
                sleep(READ).await;
                assert!(began.elapsed() < WHOLE, "{name} does not end");
            }
            tab.wait_for_text("The whole episode, turn by turn").await;
            tab.wait_for_text("Correct").await;
            let shown = tab.text("main").await;
            for (field, _) in people.reveals {
                let hidden = task.field(field).unwrap_or_default();
                assert!(shown.contains(hidden), "{name}: {field} is not shown");
            }
            pictures(&tab, &format!("solve-over-{name}")).await;
            assert_eq!(score(&trial, benchmark, &run).await, Some(1.0), "{name}");
            tab.assert_clean();
            tab.close().await;
        }
    });
}

/// A question that a bot cannot understand is refused where the page itself drives the run, as at a table.
#[test]
fn on_a_runs_page_a_question_that_is_not_understood_costs_no_turn() {
    on_trial(async |trial| {
        for (benchmark, people) in conversations() {
            let Some(judge) = people.understands.first() else { continue };
            let tab = trial
                .open(&format!(
                    "/new?benchmark={}&seat.{}=person&first=1",
                    benchmark.name(),
                    judge.from
                ))
                .await;
            start(&tab).await;
            tab.wait_for("#say-text:not(:disabled)").await;
            assert_eq!(tab.text("#say-understood").await, judge.about);
            let ask = async |question: &str| {
                tab.set("#say-text", question).await;
                tab.click(".say-do .btn:first-child").await;
            };
            ask("Is it nice?").await;
            tab.wait_for_text("does not understand that; no turn is used").await;
            tab.wait_for_text_in("#person-head", "question 1").await;
            assert_eq!(tab.value("#say-text").await, "Is it nice?");
            ask("Is it greater than 3?").await;
            tab.wait_for_text_in("#person-head", "question 2").await;
            tab.assert_clean();
            tab.close().await;
        }
    });
}

#[test]
fn twenty_questions_fit_two_screens_of_a_phone() {
    on_trial(async |trial| {
        const TURNS: usize = 20;
        let mut played = 0;

        for (benchmark, people) in conversations() {
            let name = benchmark.name();
            let tab = trial.open_in(PHONE, "/play").await;
            choose_turns(&tab, benchmark, TURNS).await;
            seated(&tab).await;
            tab.wait_for("#say-text:not(:disabled)").await;
            tab.wait_for("details.rules[open]").await;
            tab.screenshot(&format!("talk-begins-{name}")).await;
            if tab.count(".say-do .btn").await != 2 {
                // Nothing is asked before it is answered.
                continue;
            }
            played += 1;
            if let Some(judge) = people.understands.first() {
                assert_eq!(tab.text("#say-understood").await, judge.about);
                tab.set("#say-text", "Is it nice?").await;
                tab.click(".say-do .btn:first-child").await;
                tab.wait_for_text("does not understand that; no turn is used").await;
                assert_eq!(tab.text(".pin-left").await, format!("{TURNS} left"));
                assert_eq!(tab.value("#say-text").await, "Is it nice?");
                tab.screenshot(&format!("talk-refused-{name}")).await;
            }
            for turn in 1..=TURNS {
                let question = match turn % 5 {
                    0 => format!("Is the answer strictly between {turn} and {}00?", turn * turn),
                    _ => format!("Is it greater than {turn}?"),
                };
                tab.set("#say-text", &question).await;
                // Enter asks, and the field of the next turn has the focus.
                tab.eval("document.querySelector('#say-text').focus()").await;
                tab.press("Enter").await;
                tab.wait_for_count(".chat > li .chat-came", turn).await;
                let left = format!("{} left", TURNS - turn);
                tab.wait_for_text_in(".pin-left", &left).await;
                if turn == 3 {
                    tab.screenshot(&format!("talk-going-{name}")).await;
                }
            }
            tab.wait_for("#say-text:not(:disabled)").await;
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
    });
}

#[test]
fn a_person_judges_by_keys() {
    on_trial(async |trial| {
        for (benchmark, people) in dialogues() {
            let name = benchmark.name();
            let seat = people.seats[1];
            let tab = trial.open("/play").await;
            choose(&tab, benchmark).await;
            tab.click(&format!("input[name=own-seat][value={seat}]")).await;
            tab.wait_for(&format!("#beside-{}", Seat::PLAYER)).await;
            assert_eq!(tab.count(&format!("#beside-{seat}")).await, 0, "it is taken");
            seated(&tab).await;
            tab.wait_for(".person-words .btn").await;
            pictures(&tab, &format!("judge-{name}")).await;
            let (began, mut judged) = (Instant::now(), 0);
            while !is_over(&tab).await {
                let key = "document.querySelector('.person-words .btn:not(:disabled)')?.getAttribute('aria-keyshortcuts')";
                if let Some(key) = tab.eval(key).await.as_str() {
                    sleep(READ).await;
                    tab.press(&key.to_lowercase()).await;
                    judged += 1;
                }
                sleep(READ).await;
                assert!(began.elapsed() < WHOLE, "{name} does not end");
            }
            assert!(judged > 0, "{name}: nothing was asked");
            tab.assert_clean();
            tab.close().await;
        }
    });
}

#[test]
fn two_people_solve_a_task_over_a_link() {
    on_trial(async |trial| {
        let friends = trial.other_browser().await;
        for (benchmark, people) in conversations() {
            let (name, seat) = (benchmark.name(), people.seats[1]);
            let tab = trial.open("/play").await;
            let task = choose(&tab, benchmark).await;
            tab.set(&format!("#beside-{seat}"), "person").await;
            seated(&tab).await;
            let invitation = format!("#invitation-{seat}");
            tab.wait_for(&invitation).await;
            let link = tab.value(&invitation).await;
            let friend = friends.open(&link).await;
            friend.enter("#lobby-name", "Ada").await;
            say(&tab, "first-child", "Is it a question?").await;
            friend.wait_for_text("Is it a question?").await;
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
            friend.wait_for(".person-words .btn:not(:disabled)").await;
            sleep(READ).await;
            friend.press("y").await;
            tab.wait_for(".chat-came").await;
            tab.wait(
                "the answer of the friend",
                "document.querySelector('.chat-came').innerText === 'yes'",
            )
            .await;
            friend.assert_clean();
            tab.assert_clean();
            friend.close().await;
            tab.close().await;
        }
    });
}
