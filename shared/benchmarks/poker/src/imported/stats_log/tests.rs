//! Made-up logs in the schema of specification 4.g; the published ones are read in `tests/tests/benchmarks/poker/logs.rs`.

use serde_json::{Value, json};

use super::*;
use turnwise_core::testing::cases;

/// A player's part of a line.
fn player(id: u32, chips: i64, winnings: i64, [hands, folds, vpip]: [u32; 3]) -> Value {
    json!({
        "id": id, "name": format!("Player {id}"), "model": format!("made-up/p{id}"), "chips": chips,
        "handWinnings": winnings, "handsPlayed": hands, "folds": folds, "vpipCount": vpip, "avgThinkMs": 100.5 * f64::from(id),
        "biggestWin": winnings.max(0), "biggestLoss": winnings.min(0),
    })
}

fn line(table: u32, hand: u32, players: &[(i64, i64)]) -> Value {
    let players: Vec<Value> = (1..)
        .zip(players)
        .map(|(id, (chips, winnings))| player(id, *chips, *winnings, [hand, hand / 2, 1]))
        .collect();
    json!({ "timestamp": 1000 + hand, "tableId": table, "gameNumber": 1, "handNumber": hand, "players": players })
}

fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn read(lines: &[Value]) -> StatsLog {
    StatsLog::read("made-up.ndjson", &text(lines)).unwrap()
}

/// Three players. Hand 2 is a showdown: B, with 4,000 after hand 1, is all-in; A has 16,000 and puts in 9,000; C has 10,000
/// and loses all of it. B wins it all, 19,000 of which only 4,000 from each were B's to win. A reset; hand 3 moves 100 chips.
fn busted() -> Vec<Value> {
    vec![
        line(1, 1, &[(16_000, 6_000), (4_000, -6_000), (10_000, 0)]),
        line(1, 3, &[(10_100, -9_000 + 100), (9_950, 19_000 - 50), (9_950, -10_000 - 50)]),
    ]
}

#[test]
fn totals_come_from_the_accepted_lines() {
    let mut lines = busted();
    // Written once more: the same hand number is not greater.
    lines.push(lines[1].clone());
    let log = read(&lines);
    assert_eq!((log.table, log.lines, log.accepted.len()), (1, 3, 2));
    assert_eq!(log.total(0), Amount::chips(-2_900));
    assert_eq!(log.total(1), Amount::chips(12_950));
    assert_eq!(log.total(2), Amount::chips(-10_050));
    let overview = overview(&[log]).unwrap();
    let table = &overview.tables[0];
    assert_eq!((table.hands, table.missing, table.accepted), (3, 1, 2));
    assert_eq!(table.sum, Amount::ZERO);
    assert_eq!(table.players[1].winnings_per_hand, Some(12_950.0 / 3.0));
}

#[test]
fn what_the_winner_did_not_have_was_overpaid() {
    let MisSettled {
        hands,
        overpaid_hands,
        overpaid_chips,
        returned_chips,
        evidence,
        players,
        several_winners,
        ..
    } = overview(&[read(&busted())]).unwrap().missettled;
    assert_eq!((hands, overpaid_hands, several_winners), (1, 1, 0));
    // 9,000 − 4,000 and 10,000 − 4,000.
    assert_eq!(overpaid_chips, Amount::chips(11_000));
    // C's last 1,000 were not called: 10,000 − max(9,000, 4,000).
    assert_eq!(returned_chips, Amount::chips(1_000));
    let hand = &evidence[0];
    assert_eq!((hand.table, hand.hand, hand.line), (1, 2, 2));
    assert_eq!(hand.winner, "Player 2");
    assert_eq!(hand.winner_stack, Amount::chips(4_000));
    assert_eq!(hand.won, Amount::chips(19_000));
    assert_eq!(hand.returned_to.as_deref(), Some("Player 3"));
    let beyond: Vec<Amount> = hand.losses.iter().map(|loss| loss.beyond).collect();
    assert_eq!(beyond, [Amount::chips(5_000), Amount::chips(6_000)]);
    assert_eq!(players[1].published_mean, Some(12_950.0 / 3.0));
    assert_eq!(players[1].corrected_mean, Some(11_950.0 / 3.0));
    assert_eq!(players[2].corrected_mean, Some(-9_050.0 / 3.0));
    assert_eq!(players[0].corrected_mean, players[0].published_mean);
}

#[test]
fn a_showdown_without_a_bust_is_no_evidence() {
    let lines = [
        line(1, 1, &[(10_150, 150), (9_950, -50), (9_900, -100)]),
        line(1, 3, &[(8_150, -2_000), (11_950, 2_000), (9_900, 0)]),
    ];
    let found = overview(&[read(&lines)]).unwrap().missettled;
    assert_eq!((found.hands, found.several_winners), (0, 0));
    assert_eq!(found.returned_chips, Amount::ZERO);
}

#[test]
fn nor_are_two_missing_hands() {
    let mut lines = busted();
    lines[1]["handNumber"] = json!(4);
    assert_eq!(overview(&[read(&lines)]).unwrap().missettled.hands, 0);
}

#[test]
fn a_shared_pot_is_left_alone() {
    let lines = [
        line(1, 1, &[(10_000, 0), (10_000, 0), (10_000, 0)]),
        // A and B share the 10,000 of C; then everybody has 10,000 again, and hand 3 moves nothing.
        line(1, 3, &[(10_000, 5_000), (10_000, 5_000), (10_000, -10_000)]),
    ];
    let found = overview(&[read(&lines)]).unwrap().missettled;
    assert_eq!((found.hands, found.several_winners), (0, 1));
}

#[test]
fn the_first_hand_may_be_the_missing_one() {
    let lines = [line(1, 2, &[(10_000, 10_000), (10_000, -10_000)])];
    let found = overview(&[read(&lines)]).unwrap().missettled;
    assert_eq!((found.hands, found.overpaid_hands), (1, 0));
}

#[test]
fn the_older_form_counts_from_the_beginning_and_writes_twice() {
    let mut lines = Vec::new();
    for (mut line, totals) in
        busted().into_iter().zip([[6_000, -6_000, 0], [-2_900, 12_950, -10_050]])
    {
        for (seat, total) in totals.into_iter().enumerate() {
            let player = line["players"][seat].as_object_mut().unwrap();
            player.remove("handWinnings");
            player.insert("totalWinnings".into(), json!(total));
        }
        lines.extend([line.clone(), line]);
    }
    let (old, new) = (read(&lines), read(&busted()));
    assert_eq!((old.lines, old.accepted.len()), (4, 2));
    for seat in 0..3 {
        assert_eq!(old.total(seat), new.total(seat));
    }
    assert_eq!(old.accepted[1].players, new.accepted[1].players);
}

#[test]
fn players_are_known_by_name_over_tables() {
    let mut second = line(2, 2, &[(10_300, 300), (9_800, -200), (9_900, -100)]);
    // Seats are permuted at the second table.
    let names = ["Player 3", "Player 1", "Player 2"];
    for (seat, name) in names.into_iter().enumerate() {
        second["players"][seat]["name"] = json!(name);
    }
    let first = line(1, 1, &[(10_010, 10), (10_020, 20), (9_970, -30)]);
    let overview = overview(&[read(&[second]), read(&[first])]).unwrap();
    assert_eq!(overview.tables[0].table, 1);
    let names: Vec<&str> = overview.players.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["Player 1", "Player 2", "Player 3"]);
    // 10 of one hand, and −200 of two.
    assert_eq!(overview.players[0].winnings_per_hand_mean, Some(-45.0));
    // (55² · 2) / 1.
    assert_eq!(overview.players[0].winnings_per_hand_sd, Some(6050_f64.sqrt()));
    assert_eq!(overview.players[0].winnings_per_hand_sd_population, Some(55.0));
    // No fold in the one hand, one in the two.
    assert_eq!(overview.players[0].fold_mean, Some(0.25));
    assert_eq!(overview.players[0].vpip_mean, Some(0.75));
    assert_eq!(overview.players[2].biggest_win, Amount::chips(300));
}

#[test]
fn the_record_has_its_keys() {
    let overview = overview(&[read(&busted())]).unwrap();
    let record = serde_json::to_value(&overview).unwrap();
    let table = &record["tables"][0];
    for key in ["table", "lines", "hands", "players"] {
        assert!(!table[key].is_null(), "{key}");
    }
    let player = &table["players"][0];
    assert_eq!(player["total"], json!(-2900));
    for key in ["name", "hands", "folds", "vpip_count", "avg_think_ms"] {
        assert!(!player[key].is_null(), "{key}");
    }
    let player = &record["players"][0];
    for key in ["name", "winnings_per_hand_mean", "vpip_mean", "fold_mean"] {
        assert!(!player[key].is_null(), "{key}");
    }
    // One table has no deviation.
    assert_eq!(player["winnings_per_hand_sd"], Value::Null);
}

#[test]
fn errors_name_file_line_and_field() {
    let good = text(&busted());
    let cases: [(String, &str); 11] = [
        (String::new(), "x: it has no lines"),
        ("\n\n".into(), "x: it has no lines"),
        ("[7]".into(), "x: row 1: expected an object, got a number"),
        (
            good.replace("\"tableId\":1", "\"tableId\":\"one\""),
            "x: row 1, field tableId: expected a whole number from 0 to 4294967295, got text",
        ),
        (
            good.replace("\"folds\"", "\"fold\""),
            "x: row 1, field players[0].folds: it is missing; expected a whole number from 0 to 4294967295",
        ),
        (
            good.replace("-10050", "1e300"),
            "x: row 2, field players[2].handWinnings: expected a number of at most ten million chips, got a number",
        ),
        (
            good.replace("\"folds\":1", "\"folds\":4"),
            "x: row 2, field players[0].folds: 4 of 3 hands",
        ),
        (
            good.replacen("\"tableId\":1", "\"tableId\":2", 1),
            "x: row 2, field tableId: the file is of table 2, this line of 1",
        ),
        (
            good.replacen("Player 3", "Player 4", 1),
            "x: row 2, field players: they are not those of line 1",
        ),
        (
            good.replace("handWinnings", "winnings"),
            "x: row 1, field players[0].handWinnings: it is missing; expected a number of at most ten million chips",
        ),
        (
            good.replace("\"avgThinkMs\":100.5", "\"avgThinkMs\":null"),
            "x: row 1, field players[0].avgThinkMs: it is missing; expected a number",
        ),
    ];
    for (text, error) in cases {
        let found = StatsLog::read("x", &text).unwrap_err().to_string();
        assert_eq!(found, error);
    }
    let cut = &good[..good.len() - 20];
    let found = StatsLog::read("x", cut).unwrap_err().to_string();
    assert!(found.starts_with("x: row 2: it is not JSON"), "{found}");
}

#[test]
fn a_log_counts_once() {
    let log = read(&busted());
    let mut copy = log.clone();
    copy.file = "copy.ndjson".into();
    let error = overview(&[log.clone(), copy.clone()]).unwrap_err().to_string();
    assert_eq!(
        error,
        "made-up.ndjson: it is the log of table 1 that copy.ndjson is, too; give each log once"
    );
    // Another run of a table with the same number is another table.
    copy.begun += 1.0;
    assert_eq!(overview(&[log, copy]).unwrap().tables.len(), 2);
}

#[test]
fn logs_are_read_however_programs_write_them() {
    let plain = text(&busted());
    let wanted = StatsLog::read("made-up.ndjson", &plain).unwrap();
    for (from, to) in cases::<(&str, &str)>(include_str!("tests/spellings.jsonl")) {
        assert!(plain.contains(from), "{from}");
        assert_eq!(
            StatsLog::read("made-up.ndjson", &plain.replace(from, to)).as_ref(),
            Ok(&wanted),
            "{to}"
        );
    }
    for to in ["NaN", "\"many\"", "1.5", "null"] {
        let bad = StatsLog::read(
            "made-up.ndjson",
            &plain.replace("\"handNumber\":3", &format!("\"handNumber\":{to}")),
        );
        let bad = bad.unwrap_err().to_string();
        assert!(bad.contains("row 2, field handNumber: "), "{bad}");
    }
    let wide: Vec<u8> = plain.encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert!(StatsLog::recognise(&wide));
    assert_eq!(StatsLog::read("made-up.ndjson", &wide).as_ref(), Ok(&wanted));
}
