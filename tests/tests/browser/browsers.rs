//! What browsers do to a page: they translate it, their store does not answer, and an input method takes keys.

use super::play::{GAME, state};
use crate::*;

/// Translates a page as browsers do, but everything, also what is marked as not to be translated: each text is replaced by
/// another one within an element, and so is what comes later. `APART` makes two changes of it, as some browsers do.
const TRANSLATE: &str = r#"(() => {
  const ours = new WeakSet(), left = /^(SCRIPT|STYLE|TEXTAREA|INPUT|FONT)$/i;
  const swap = (text) => {
    const home = text.parentElement;
    if (!home || ours.has(text) || !text.nodeValue.trim() || left.test(home.tagName) || home.closest("svg")) return;
    const font = document.createElement("font"), inner = document.createElement("font");
    const copy = document.createTextNode("[" + text.nodeValue + "]");
    ours.add(copy);
    inner.append(copy);
    font.append(inner);
    if (APART) { home.insertBefore(font, text); home.removeChild(text); } else home.replaceChild(font, text);
  };
  const below = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return swap(node);
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT), found = [];
    for (let at = walker.nextNode(); at; at = walker.nextNode()) found.push(at);
    found.forEach(swap);
  };
  below(document.body);
  new MutationObserver((all) => all.forEach((one) => one.addedNodes.forEach(below)))
    .observe(document.body, { childList: true, subtree: true });
})()"#;

async fn translate(tab: &Tab, apart: bool) {
    tab.eval(&TRANSLATE.replace("APART", &apart.to_string())).await;
}

/// What a part of the page says, without the marks of the translation.
async fn says(tab: &Tab, selector: &str) -> String {
    tab.read(&format!(
            "[...document.querySelectorAll({})].map((one) => one.textContent.replace(/[\\[\\]]/g, '')).join(' | ')",
            json!(selector)
        )).await
}

/// Waits until both pages say the same, which is not `before`.
async fn say_the_same(tabs: [&Tab; 2], selector: &str, before: &str) -> String {
    let began = Instant::now();
    loop {
        let [translated, plain] = [says(tabs[0], selector).await, says(tabs[1], selector).await];
        if translated == plain && plain != before {
            return plain;
        }
        assert!(
            began.elapsed() < SOON,
            "{selector}: {translated:?}, and without translation {plain:?}"
        );
        sleep(Duration::from_millis(100)).await;
    }
}

#[test]
fn a_form_that_is_translated_says_what_one_says_that_is_not() {
    on_trial(async |trial| {
        for apart in [false, true] {
            let address = "/new".to_owned();
            let translated = trial.open(&address).await;
            let plain = trial.open(&address).await;
            let tabs = [&translated, &plain];
            for tab in tabs {
                startable(tab).await;
            }
            translate(&translated, apart).await;
            let mut before = String::new();
            // Every benchmark that is offered, one after the other, and the first once more.
            let count = plain.count("input[name=benchmark]").await;
            assert!(count > 1, "there is a choice");
            for at in (0..count).chain([0]) {
                for tab in tabs {
                    tab.eval(&format!(
                        "document.querySelectorAll('input[name=benchmark]')[{at}].click()"
                    ))
                    .await;
                }
                before = say_the_same(tabs, START, if at == 0 { "" } else { &before }).await;
                say_the_same(tabs, ".form-end", "").await;
                say_the_same(tabs, "main h1, main h2, main label, main .field-note", "").await;
            }
            assert!(!before.is_empty());
            translated.close().await;
            plain.close().await;
        }
    });
}

#[test]
fn a_run_that_is_translated_goes_on_and_ends_on_its_page() {
    on_trial(async |trial| {
        let tab = trial.open("/").await;
        tab.wait_for("#run-samples").await;
        translate(&tab, false).await;
        tab.click("#run-samples").await;
        let run = run_of(&tab).await;

        trial.closed(&run).await;
        // In the same browser, which owns the run.
        let plain = trial.open(&format!("/run/{run}")).await;
        plain.wait_for(".figures dd").await;
        let tabs = [&tab, &plain];
        say_the_same(tabs, ".figures", "").await;
        // The mouse, still where the button was, may point at a cell, which the foot describes.
        tab.point_away().await;
        say_the_same(tabs, ".wall-foot", "").await;
        tab.wait("the end", "!document.querySelector('main').textContent.includes('running here')")
            .await;
        // How many rows of the wall are drawn, and what only a page that was loaded anew asks for, is not compared.
        say_the_same(tabs, "main h1, main h2", "").await;
    });
}

#[test]
fn a_table_that_is_translated_says_what_is_played_now() {
    on_trial(async |trial| {
        let tab = at_a_table(&trial).await;
        translate(&tab, false).await;
        let began = Instant::now();
        let (mut decisions, mut hands) = (0, 1);
        while hands < 2 {
            match state(&tab).await.as_str() {
                "over" => break,
                "next" => {
                    tab.press("Enter").await;
                    hands += 1;
                    let heading = format!("Hand {hands} of");
                    tab.wait_for_text(&heading).await;
                    let said = says(&tab, "h1").await;
                    assert!(said.contains(&heading), "{said}");
                }
                "asked" => {
                    let translated = table_says(&tab).await;
                    // The same without a translation.
                    tab.reload().await;
                    tab.wait_for(".bet-fold:not(:disabled)").await;
                    assert_eq!(translated, table_says(&tab).await);
                    translate(&tab, decisions % 2 == 1).await;
                    tab.press("c").await;
                    decisions += 1;
                    sleep(Duration::from_millis(400)).await;
                }
                _ => sleep(Duration::from_millis(100)).await,
            }
            assert!(began.elapsed() < GAME, "the hands do not end");
        }
        assert!(decisions > 0, "{decisions}");
    });
}

/// What a table says, part by part.
async fn table_says(tab: &Tab) -> Vec<String> {
    let mut all = Vec::new();
    for part in ["h1", ".pstatus", ".middle", ".plate", ".bet-buttons"] {
        all.push(says(tab, part).await);
    }
    all
}

/// A person at a card table of ten hands.
async fn at_a_table(trial: &Trial) -> Tab {
    let tab = trial.open("/play").await;
    seated(&tab).await;
    tab.wait_for(".felt").await;
    tab
}

#[test]
fn a_run_goes_on_although_the_store_of_the_browser_never_answers() {
    on_trial(async |trial| {
        let silent = "const silent = () => new EventTarget();";
        for ill in [
            "IDBFactory.prototype.open = silent",
            "IDBFactory.prototype.open = () => { const asked = silent(); setTimeout(() => { const told = new Event('blocked'); \
         asked.onblocked?.(told); asked.dispatchEvent(told); }, 10); return asked; }",
            "IDBObjectStore.prototype.put = silent",
            "IDBTransaction.prototype.commit = () => {}; IDBObjectStore.prototype.get = silent; IDBObjectStore.prototype.put = silent",
        ] {
            let browser = trial.other_browser().await;
            let tab = browser.open("about:blank").await;
            tab.before_pages(&format!("{{ {silent} {ill}; }}")).await;
            tab.goto("/").await;
            tab.click("#run-samples").await;
            let pressed = Instant::now();
            let run = run_of(&tab).await;
            // Five seconds, and some for a busy machine.
            assert!(pressed.elapsed().as_secs() < 12, "{ill}: {:?}", pressed.elapsed());
            tab.wait_for_text("This browser does not keep the run").await;
            tab.wait_for_text("it will not survive a reload").await;
            let info = trial.closed(&run).await;
            assert_eq!(info.finished, info.episodes, "{ill}");
        }
    });
}

/// Enter that takes over what an input method offers, in four ways in which browsers tell it.
const OFFERS: [&str; 4] = [
    "tell('compositionstart', ''); enter(229, true); tell('compositionend', '300')",
    "tell('compositionstart', ''); tell('compositionend', '300'); enter(229, false)",
    "tell('compositionstart', ''); tell('compositionend', '300'); enter(13, false)",
    "tell('compositionstart', ''); enter(13, true); tell('compositionend', '300')",
];

#[test]
fn enter_of_an_input_method_decides_nothing() {
    on_trial(async |trial| {
        let tab = at_a_table(&trial).await;
        let began = Instant::now();
        // Until a raise can be made.
        while state(&tab).await != "asked" || tab.count(".bet-number").await == 0 {
            if state(&tab).await == "next" {
                tab.press("Enter").await;
            } else if state(&tab).await == "asked" {
                tab.press("c").await;
            }
            sleep(Duration::from_millis(200)).await;
            assert!(began.elapsed() < GAME, "nobody may raise");
        }
        let sent = "(window.sent = 0, WebSocket.prototype.send = ((send) => function (text) { window.sent += 1; \
                return send.call(this, text); })(WebSocket.prototype.send), 0)";
        tab.eval(sent).await;
        let offer = |offer: &str| {
            format!(
                "(() => {{ const at = document.activeElement; \
             const tell = (kind, data) => at.dispatchEvent(new CompositionEvent(kind, {{ bubbles: true, data }})); \
             const enter = (keyCode, isComposing) => at.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'Enter', \
             code: 'Enter', keyCode, which: keyCode, isComposing, bubbles: true, cancelable: true }})); {offer}; }})()"
            )
        };
        for one in OFFERS {
            tab.focus(".bet-number").await;
            tab.eval(&offer(one)).await;
            sleep(Duration::from_millis(500)).await;
            assert_eq!(tab.eval("window.sent").await, 0, "{one}");
            assert_eq!(state(&tab).await, "asked", "{one}");
        }
        // A plain Enter raises.
        tab.focus(".bet-number").await;
        tab.press("Enter").await;
        tab.wait("the raise", "window.sent > 0").await;
    });
}
