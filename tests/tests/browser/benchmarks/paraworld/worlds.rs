//! Mind-ParaWorld in the browser: sample worlds are run, fresh worlds are built and run, and a person plays a world with the
//! keyboard while nothing that comes in reveals more than a model would be shown.

use turnwise_shared::benchmarks::paraworld::worlds;

use crate::play::{before, table_of};
use crate::*;

/// How many episodes of a run scored 1, and how many there are.
async fn scores(tab: &Tab, run: &str) -> (usize, usize) {
    let summaries = tab
        .eval(&format!("fetch('/api/runs/{run}/summaries').then(answer => answer.json())"))
        .await;
    let summaries = summaries.as_object().expect("summaries by episode");
    let plays = || {
        let plays = summaries.iter();
        plays.filter(|(episode, _)| episode.ends_with(".play"))
    };
    let right = plays().filter(|(_, summary)| summary["score"].as_f64() == Some(1.0));
    (right.count(), plays().count())
}

#[test]
fn sample_worlds_are_configured_and_run() {
    on_trial(async |trial| {
        let tab = trial.open("/new").await;
        startable(&tab).await;
        tab.click("input[name=benchmark][value=paraworld]").await;
        tab.wait_for("input[name=setting][value=C]:checked").await;
        startable(&tab).await;
        assert_eq!(tab.count("input[name=setting]").await, 6);
        tab.click("#settings-fold > summary").await;

        // Fields are those that mean something in the setting; what is chosen stands in the address and comes back from it.
        for (setting, shown, hidden) in [
            ("A", "#votes", "#turns"),
            ("custom", "#system", "#engines"),
            ("B-guidance", "#turns", "#syntax"),
        ] {
            tab.click(&format!("input[name=setting][value='{setting}']")).await;
            tab.wait_for(shown).await;
            tab.wait_gone(hidden).await;
        }
        tab.set("#turns", "20").await;
        tab.set("#context", "").await;
        tab.set("#votes", "3").await;
        let address = "location.search.includes('setting=B-guidance') && location.search.includes('turns=20') \
                   && location.search.includes('context=null') && location.search.includes('votes=3')";
        tab.wait("the choice in the address", address).await;
        tab.reload().await;
        startable(&tab).await;
        tab.wait_for_value("#turns", "20").await;
        tab.wait_for_value("#context", "").await;
        tab.wait_for_value("#votes", "3").await;
        // What a model would cost at most is said before it is asked.
        pictures(&tab, "new-paraworld").await;

        // What does not go together is named.
        tab.goto("/new?benchmark=paraworld&setting=control&profile=reference").await;
        tab.wait_for_text("use profile strict").await;

        // All 42 worlds with the player that asks for every fact.
        tab.goto("/new?benchmark=paraworld").await;
        start(&tab).await;
        let run = trial.whole(&tab).await;
        let samples = worlds::sample().worlds.len();
        assert_eq!(
            scores(&tab, &run).await,
            (samples, samples),
            "whoever finds every fact answers right"
        );
        tab.wait_for(".wall-scroll [role=option]").await;
        tab.assert_clean();
    });
}

#[test]
fn a_file_of_worlds_is_read_and_checked() {
    on_trial(async |trial| {
        let tab = trial.open("/new?benchmark=paraworld").await;
        startable(&tab).await;
        let world = |index: u32, facts: Value| {
            json!({
                "index": index,
                "prompt": [{ "role": "user", "content": "Which is taller, Aro Tower or Belu Tower?" }],
                "answer": "Aro Tower",
                "extra_info": { "world_truth_info": { "atomic_facts": facts } },
            })
        };
        let good = world(7, json!({ "height of Aro Tower": "120 m", "the lower one": "90 m" }));
        // A row that cannot be used is named with its number and field.
        let bad = trial.path("bad-worlds.jsonl");
        let mut broken = world(8, json!({ "height of Aro Tower": "120 m" }));
        broken["answer"] = json!(7);
        std::fs::write(&bad, format!("{good}\n{broken}\n")).expect("it can be written");
        tab.choose_file(".drop input[type=file]", &bad).await;
        tab.wait_for_text_in(".note-bad", "row 2").await;
        tab.wait_for_text_in(".note-bad", "answer").await;
        // What is only odd is a warning, and the worlds can be run.
        let file = trial.path("worlds.jsonl");
        std::fs::write(&file, format!("{good}\n")).expect("it can be written");
        tab.choose_file(".drop input[type=file]", &file).await;
        tab.wait_for("#findings").await;
        assert_eq!(tab.count("#findings.note-warn").await, 1);
        tab.click("#findings summary").await;
        // A bare key, with its row.
        tab.wait_for_text_in("#findings", "row 1").await;
        tab.wait_for_text_in("#findings", "the lower one").await;
        startable(&tab).await;
        tab.wait_for_query("tasks=worlds.jsonl").await;
        pictures(&tab, "new-worlds-file").await;
        tab.assert_clean();
    });
}

#[test]
fn fresh_worlds_are_built_run_and_built_again_elsewhere() {
    on_trial(async |trial| {
        let tab = trial.open("/new?benchmark=paraworld").await;
        startable(&tab).await;
        tab.click("#fresh > summary").await;

        // A large order can be stopped; then the samples are chosen again.
        tab.set("#worlds-count", &worlds::MOST.to_string()).await;
        tab.click("#build").await;
        tab.click("#stop-building").await;
        tab.wait("no tasks in the address", "!location.search.includes('tasks=')").await;
        startable(&tab).await;
        assert_eq!(tab.count("#built").await, 0);

        tab.set("#worlds-seed", "4711").await;
        tab.set("#worlds-count", "30").await;
        tab.set("#worlds-language", "").await;
        tab.click("#build").await;
        tab.wait_for("#built").await;
        let address = "location.search.includes('tasks=built-4711-all-30-both.jsonl')";
        tab.wait("the recipe in the address", address).await;
        // Questions are shown, facts only to those who want them.
        assert_eq!(tab.count("#built details[open]").await, 0);
        tab.click("#built details > summary").await;
        tab.wait("the facts", "document.querySelectorAll('#built .kv dt').length > 3").await;
        pictures(&tab, "new-fresh-worlds").await;
        start(&tab).await;
        let run = trial.whole(&tab).await;
        assert_eq!(scores(&tab, &run).await, (30, 30));
        tab.assert_clean();

        // A browser that knows nothing builds the same worlds from their name, and the replay agrees.
        let other = trial.other_browser().await;
        let reader = other.open(&format!("/run/{run}/29.r1.play")).await;
        reader.wait_for(".seal-verified").await;
        reader.assert_clean();
    });
}

/// Searches, and waits until this many pages have come.
async fn search(tab: &Tab, query: &str, pages: usize) {
    tab.wait_for_focus("#world-query").await;
    tab.write(query).await;
    tab.press("Enter").await;
    tab.wait(
        "a page of results",
        &format!("document.querySelectorAll('.pworld-page .hits').length === {pages} && document.querySelector('#world-query').value === ''"))
    .await;
}

#[test]
fn a_person_plays_a_world_with_the_keyboard() {
    on_trial(async |trial| {
        let tab = trial.open("/play?game=paraworld").await;
        let received = tab.receiving().await;
        startable(&tab).await;
        pictures(&tab, "play-choose-world").await;
        let sample = worlds::sample();
        let world = &sample.worlds[0];
        let facts = &world.facts;
        assert!(facts.len() >= 3);
        tab.click("input[name=kind][value=rated]").await;
        tab.set("#task", &format!("sample {}", world.id())).await;
        tab.focus(START).await;
        tab.press("Enter").await;
        let run = table_of(&tab).await;

        // All facts but the last, one by one, and the whole question at once; the focus is in the field from the beginning.
        let asked = facts.len() - 1;
        for (at, fact) in facts[..asked].iter().enumerate() {
            search(&tab, &fact.key, at + 1).await;
            let shown = tab.text(".pworld-page[open]").await;
            assert!(shown.contains(&fact.value), "the page tells the value");
        }
        search(&tab, world.question(), asked + 1).await;
        pictures(&tab, "play-world").await;
        let left = format!("{} of 32 turns left", 32 - asked - 1);
        tab.wait_for_text_in(".pstatus", &left).await;
        tab.focus("#world-query").await;
        tab.press("Tab").await;
        tab.wait_for_focus("#world-answer").await;
        tab.write("I do not know").await;
        tab.press("Enter").await;
        tab.wait_for(".pworld-end").await;

        // Before the end: values of pages, and nothing else of the facts; no answer, no word of what counted.
        let is_last = |piece: &Piece| {
            ["\"stage\":\"over\"", "\"last\":"].iter().any(|last| piece.text.contains(last))
        };
        let text = before(&received.so_far(), is_last);
        for (at, fact) in facts.iter().enumerate() {
            assert_eq!(
                text.contains(&fact.value),
                at < asked,
                "the value of fact {at} in what was received"
            );
        }
        assert!(!text.contains(&world.answer), "the answer was told");
        if let Some(long) = &world.final_answer {
            assert!(!text.contains(long), "the long answer was told");
        }
        assert!(text.contains("\"tone\":\"neutral\""), "pages came");
        for told in ["positive", "negative", "unknown", "failed"] {
            let tone = format!("\"tone\":\"{told}\"");
            assert!(!text.contains(&tone), "{tone} was told before the end");
        }
        for word in ["\"hit\"", "\"miss\"", "\"compound\"", "hit_rate", "\"fcr\"", "coverage"] {
            assert!(!text.contains(word), "{word} was told before the end");
        }

        // After it: coverage, verdict, evidence, and the way to the episode.
        let end = tab.text(".pworld-end").await;
        assert!(end.contains("Wrong"), "{end}");
        assert!(end.contains(&world.answer));
        assert!(end.contains("bot:exact, which accepts"), "{end}");
        assert!(end.contains(&format!("of {} facts", facts.len())), "{end}");
        assert_eq!(
            tab.count(".pworld-facts > li.is-found").await,
            asked as u64,
            "all but one were found"
        );
        pictures(&tab, "play-world-over").await;
        tab.assert_clean();
        let href =
            tab.eval("document.querySelector('.pworld-end a.btn').getAttribute('href')").await;
        assert_eq!(href, Value::from(format!("/run/{run}/{}.r1.play", world.id())));

        // A Chinese world is set as one, and all facts are there in setting A.
        let zh = sample
            .worlds
            .iter()
            .find(|world| world.language().name() == "zh")
            .expect("a Chinese sample");
        tab.goto("/play?game=paraworld").await;
        startable(&tab).await;
        tab.set("#task", &format!("sample {}", zh.id())).await;
        seated(&tab).await;
        tab.wait_for(".pworld-question [lang=zh]").await;
        tab.wait_for_focus("#world-query").await;
        tab.set("#world-query", &zh.facts[0].key).await;
        search(&tab, "", 1).await;
        assert_eq!(tab.count(".pworld-page .hits[lang=zh]").await, 1);
        pictures(&tab, "play-world-zh").await;
        tab.goto("/play?game=paraworld").await;
        startable(&tab).await;
        tab.click("input[name=setting][value=A]").await;
        tab.set("#task", &format!("sample {}", world.id())).await;
        seated(&tab).await;
        tab.wait_for("#world-answer").await;
        assert_eq!(tab.count("#world-query").await, 0);
        let shown = tab.text(".pworld-question").await;
        for fact in facts {
            assert!(shown.contains(&fact.value), "setting A shows every fact");
        }
        tab.enter("#world-answer", &world.answer).await;
        tab.wait_for(".pworld-end").await;
        let end = tab.text(".pworld-end").await;
        assert!(end.contains("Correct"), "{end}");
        tab.assert_clean();
    });
}
