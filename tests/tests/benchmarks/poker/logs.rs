//! The published statistics of 5,000 hands, tables 1 to 7: totals as specification 4.f prints them, and the corrected row of
//! rule 36 of ARCHITECTURE.md. Only numbers of the published files stand here.

use turnwise_shared::benchmarks::poker::imported::Amount;
use turnwise_shared::benchmarks::poker::imported::stats_log::{Overview, StatsLog, overview};
use turnwise_tests::data_dir;

/// Table, lines, hands, and the six totals in seat order.
const TABLES: [(u32, usize, u32, [i64; 6]); 7] = [
    (1, 460, 507, [38595, 21825, 68375, -66070, -75000, 12275]),
    (2, 458, 497, [-11900, 28750, -62030, -51020, 61045, 35155]),
    (3, 452, 498, [2775, 20375, 23735, 50290, -32850, -64325]),
    (4, 442, 486, [-15595, -16750, 22765, -13250, -5745, 28575]),
    (5, 455, 491, [-14750, 55600, 16050, -54175, -31150, 28425]),
    (6, 464, 507, [13250, 275, -9930, 35505, 27195, -66295]),
    (7, 477, 518, [25445, 6550, 23255, 17225, -5900, -66575]),
];

/// The published logs, if they are at hand.
fn published() -> Option<Overview> {
    let folder = data_dir()?.join("interactive_benchmarks/poker_5000hands");
    let logs: Option<Vec<StatsLog>> = TABLES
        .iter()
        .map(|(table, ..)| {
            let name = format!("stats-log-{table}.ndjson");
            let text = std::fs::read_to_string(folder.join(&name)).ok()?;
            Some(StatsLog::read(&name, &text).expect("the published log can be read"))
        })
        .collect();
    Some(overview(&logs?).expect("each table is given once"))
}

/// Whether the numbers are the printed ones, to within half of the printed digit.
fn assert_printed(what: &str, numbers: impl Iterator<Item = Option<f64>>, printed: [f64; 6]) {
    let numbers: Vec<f64> = numbers.map(|number| number.expect(what)).collect();
    for (number, printed) in numbers.iter().zip(printed) {
        assert!((number - printed).abs() <= 0.0501, "{what}: {numbers:?}");
    }
    assert_eq!(numbers.len(), 6);
}

#[test]
fn totals_of_every_table() {
    let Some(overview) = published() else {
        eprintln!("skipped: the published logs are not at hand");
        return;
    };
    let found: Vec<_> = overview
        .tables
        .iter()
        .map(|table| {
            let totals: Vec<Amount> = table.players.iter().map(|player| player.total).collect();
            (table.table, table.lines, table.hands, totals)
        })
        .collect();
    let printed = TABLES.map(|(table, lines, hands, totals)| {
        let totals: Vec<Amount> = totals.into_iter().map(Amount::chips).collect();
        (table, lines, hands, totals)
    });
    assert_eq!(found, printed);
    assert!(overview.tables.iter().all(|table| table.sum == Amount::ZERO));
    for table in &overview.tables {
        assert_eq!(table.hands as usize - table.accepted, table.missing as usize);
        assert!(table.players.iter().all(|player| player.hands == table.hands));
    }
}

#[test]
fn published_and_corrected_winnings() {
    let Some(overview) = published() else {
        eprintln!("skipped: the published logs are not at hand");
        return;
    };
    let players = || overview.players.iter();
    assert_printed(
        "winnings per hand",
        players().map(|one| one.winnings_per_hand_mean),
        [10.1, 33.4, 23.2, -23.8, -17.7, -25.3],
    );
    assert_printed(
        "their sample deviation",
        players().map(|one| one.winnings_per_hand_sd),
        // The first is 42.2485; rounded twice it is 42.3.
        [42.2, 47.0, 79.5, 93.7, 87.8, 98.5],
    );
    let wrong = &overview.missettled;
    assert_eq!((wrong.hands, wrong.overpaid_hands), (140, 32));
    assert_eq!((wrong.overpaid_chips, wrong.several_winners), (Amount::chips(113_930), 0));
    assert_eq!(wrong.evidence.len(), 32);
    assert_printed(
        "corrected winnings per hand",
        wrong.players.iter().map(|one| one.corrected_mean),
        [19.1, 25.3, 28.8, -26.3, -20.5, -26.4],
    );
    assert_printed(
        "published winnings per hand",
        wrong.players.iter().map(|one| one.published_mean),
        [10.1, 33.4, 23.2, -23.8, -17.7, -25.3],
    );
    for hand in &wrong.evidence {
        let beyond: Amount = hand.losses.iter().map(|loss| loss.beyond).sum();
        let lost: Amount = hand.losses.iter().map(|loss| loss.lost).sum();
        assert_eq!((beyond, lost), (hand.overpaid, hand.won), "{} {}", hand.table, hand.hand);
        assert!(hand.returned <= hand.overpaid);
    }
}

#[test]
fn rates_are_fractions() {
    let Some(overview) = published() else {
        eprintln!("skipped: the published logs are not at hand");
        return;
    };
    for player in &overview.players {
        for rate in [player.vpip_mean, player.fold_mean] {
            assert!(rate.is_some_and(|rate| (0.0..=1.0).contains(&rate)));
        }
        // The trimmed mean drops four of the seven tables.
        assert!(player.trimmed_mean.is_some());
        assert_eq!((player.tables, player.hands), (7, 3504));
    }
}

/// A log of the same form that is always at hand: two hands, the second after a showdown.
#[test]
fn a_made_up_log_is_read_alike() {
    let line = |hand: u32, players: [(i64, i64); 2]| {
        let players: Vec<_> = (1..)
            .zip(players)
            .map(|(id, (chips, winnings))| {
                serde_json::json!({
                    "id": id, "name": format!("Made up {id}"), "model": "made-up/model", "chips": chips,
                    "handWinnings": winnings, "handsPlayed": hand, "folds": 1, "vpipCount": 0, "avgThinkMs": 12.5,
                    "biggestWin": 100, "biggestLoss": -100,
                })
            })
            .collect();
        let line = serde_json::json!({
            "timestamp": 1, "tableId": 3, "gameNumber": 1, "handNumber": hand, "players": players,
        });
        format!("{line}\n")
    };
    let text = line(1, [(10_050, 50), (9_950, -50)]) + &line(3, [(9_000, -1_050), (11_000, 1_050)]);
    let log = StatsLog::read("stats-log-3.ndjson", &text).unwrap();
    let overview = overview(&[log]).unwrap();
    let table = &overview.tables[0];
    assert_eq!((table.table, table.lines, table.hands, table.missing), (3, 2, 3, 1));
    assert_eq!(table.players[0].total, Amount::chips(-1_000));
    assert_eq!(overview.players[0].fold_mean, Some(1.0 / 3.0));
    assert_eq!(overview.missettled.hands, 0);
}
