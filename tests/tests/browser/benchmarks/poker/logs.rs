//! The page of published poker logs, on made-up files.

use std::path::PathBuf;

use serde_json::{Value, json};
use turnwise_tests::chromium::{Chromium, Look, Tab};

use crate::{SOON, Trial, pictures, stage};

const INPUT: &str = ".drop input[type=file]";

/// Chips, winnings and folds of a player after a hand.
type Standing = (i64, i64, u32);

fn stats_line(table: u32, hand: u32, players: [Standing; 3]) -> Value {
    let players: Vec<Value> = (1..)
        .zip(players)
        .map(|(id, (chips, winnings, folds))| {
            json!({
                "id": id, "name": format!("Made up {id}"), "model": "made-up/model", "chips": chips,
                "handWinnings": winnings, "handsPlayed": hand, "folds": folds, "vpipCount": 1, "avgThinkMs": 1250.5,
                "biggestWin": winnings.max(0), "biggestLoss": winnings.min(0),
            })
        })
        .collect();
    json!({ "timestamp": 1000 + table, "tableId": table, "gameNumber": 1, "handNumber": hand, "players": players })
}

/// Hand 2 is a showdown: the second player, with 4,000, is all-in; the first puts in 9,000, the third all his 10,000. The
/// second gets everything. Hand 3, after a reset, moves 100 chips.
fn overpaid(table: u32) -> Vec<Value> {
    vec![
        stats_line(table, 1, [(16_000, 6_000, 0), (4_000, -6_000, 1), (10_000, 0, 1)]),
        stats_line(table, 3, [(10_100, -8_900, 0), (9_950, 18_950, 2), (9_950, -10_050, 2)]),
    ]
}

/// A table at which nothing went wrong.
fn ordinary(table: u32) -> Vec<Value> {
    vec![
        stats_line(table, 1, [(10_050, 50, 0), (9_950, -50, 1), (10_000, 0, 1)]),
        stats_line(table, 2, [(10_050, 0, 1), (10_000, 50, 1), (9_950, -50, 2)]),
    ]
}

fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

struct Files<'a> {
    trial: &'a Trial,
    tab: &'a Tab,
}

impl Files<'_> {
    fn write(&self, name: &str, text: &str) -> PathBuf {
        let file = self.trial.path(name);
        std::fs::write(&file, text).expect("it writes");
        file
    }

    async fn choose(&self, files: &[(&str, String)], listed: u64) {
        let paths: Vec<PathBuf> = files.iter().map(|(name, text)| self.write(name, text)).collect();
        let paths: Vec<&std::path::Path> = paths.iter().map(PathBuf::as_path).collect();
        self.tab.choose_files(INPUT, &paths).await;
        let expression =
            format!("document.querySelectorAll('.logs-list .file').length === {listed}");
        self.tab.wait("the files", &expression, SOON).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn published_logs_are_read_in_the_page_and_corrected() {
    let Some(stage) = stage("published_logs_are_read_in_the_page_and_corrected").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/boards"), Look::WIDE).await;
    tab.wait_for(".page-head a[href='/logs']", SOON).await;
    tab.click(".page-head a[href='/logs']").await;
    tab.wait_for(INPUT, SOON).await;
    tab.wait_for_text("Where such files come from", SOON).await;
    pictures(&tab, "logs-empty").await;
    let asked = tab.seen().requests.len();
    let files = Files { trial: &trial, tab: &tab };

    // A file that cannot be read: which one, where, and why. The other is taken.
    let mut broken = overpaid(4);
    broken[1]["players"][2]["chips"] = json!("many");
    files
        .choose(
            &[("stats-log-4.ndjson", text(&broken)), ("stats-log-1.ndjson", text(&overpaid(1)))],
            1,
        )
        .await;
    tab.wait_for(".note-bad", SOON).await;
    let said = tab.text(".note-bad").await;
    for word in ["stats-log-4.ndjson", "row 2", "players[2].chips", "expected a number"] {
        assert!(said.contains(word), "{word:?} is not in {said}");
    }
    assert_eq!(tab.count(".drop.is-bad").await, 1);
    tab.screenshot("logs-broken-light-1280").await;

    // Another table: means over two.
    files.choose(&[("stats-log-2.ndjson", text(&ordinary(2)))], 2).await;
    tab.wait("no error is left", "document.querySelector('.note-bad') === null", SOON).await;
    tab.wait_for(".means svg[role=img]", SOON).await;
    let ranking = tab.text("#ranking table").await;
    // (−2,900 / 3 + 50 / 2) / 2, and with nothing to correct the same; the third gets 1,000 / 3 / 2 more.
    for number in ["−470.8 ± 701.2", "−1,687.5 ± 2,351.1", "−1,520.8 ± 2,115.4"] {
        assert!(ranking.contains(number), "{number} is not in {ranking}");
    }
    let drawn = tab.text("#settlement").await;
    for words in [
        "Bo at most 8,000; a side pot of 10,000",
        "Table 1, hand 2",
        "Made up 2 at most 8,000; a side pot of 10,000 to the best hand among the others; 1,000 back to Made up 3",
        "Made up 2 19,000, everything",
    ] {
        assert!(drawn.contains(words), "{words:?} is not in {drawn}");
    }
    let evidence = tab.text(".logs-evidence tbody").await;
    for number in ["Made up 2", "4,000", "+19,000", "11,000", "1,000", "Made up 3"] {
        assert!(evidence.contains(number), "{number} is not in {evidence}");
    }
    tab.click_text("Per hand").await;
    tab.wait_for_text("−966.7", SOON).await;
    pictures(&tab, "logs").await;

    // The same log under another name does not count twice.
    files.choose(&[("again.ndjson", text(&ordinary(2)))], 3).await;
    tab.wait_for_text("do not go together", SOON).await;
    tab.click("button[aria-label='Put again.ndjson away']").await;
    tab.wait_for("#settlement", SOON).await;

    // A log of events is none of statistics.
    let events = format!("{}\n", json!({ "type": "hand_start", "data": { "hand": 1 } }));
    files.choose(&[("game-log-1.ndjson", events)], 2).await;
    tab.wait_for_text("it is no log of statistics", SOON).await;

    // Nothing of it went anywhere.
    let asked: Vec<String> = tab.seen().requests.split_off(asked);
    assert!(asked.iter().all(|url| !url.contains("/api/")), "{asked:?}");

    // Everything put away, the page explains itself again, and has something to show.
    tab.click_text("Put all away").await;
    tab.wait_for_text("Where such files come from", SOON).await;
    assert_eq!(tab.count("#ranking").await, 0);
    tab.click_text("Show it on a made-up table").await;
    tab.wait_for("#settlement .logs-evidence tbody tr", SOON).await;
    tab.assert_clean(trial.server.address());
    tab.close().await;
}
