//! What `reference` tells a player, hand by hand (4.b.6).

use serde_json::json;

use super::at_table::AtTable;
use crate::protocol::event;
use turnwise_core::prelude::*;

const FOLD: &str = r#"{"action": "FOLD", "amount": 0}"#;
const CALL: &str = r#"{"action": "CALL", "amount": 100}"#;
const CHECK: &str = r#"{"action": "CHECK", "amount": 0}"#;
const ALL_IN: &str = r#"{"action": "ALL_IN", "amount": 10000}"#;

fn value(table: &AtTable, ask: &Ask, name: &str) -> String {
    ask.variable(name, &table.task).unwrap().to_owned()
}

/// Hand 2 has the button at P2. The label goes to P1, whose number is the button's index; the flop has a line of its own among
/// the last five; and where nothing is to be called there are no odds.
#[test]
fn label_recent_lines_and_odds_of_a_second_hand() {
    let mut table = AtTable::open(Profile::Reference, json!({ "tables": 1, "hands": 2 }));
    for _ in 0..5 {
        table.say(FOLD);
    }
    let mut told = Vec::new();
    for reply in [CALL, CALL, CALL, CALL, FOLD, CHECK, CHECK] {
        let ask = table.say(reply);
        let value = |name: &str| value(&table, &ask, name);
        let seat = ask.seat.to_string();
        told.push((seat, value("dealer_label"), value("pot_odds"), value("recent")));
    }
    let shown: Vec<(&str, &str, &str, &str)> = told
        .iter()
        .map(|(seat, label, odds, recent)| (&**seat, &**label, &**odds, &**recent))
        .collect();
    let begins = "Hand 2 begins";
    let callers = "P5 CALL $100; P6 CALL $100; P1 CALL $100; P2 CALL $100";
    assert_eq!(
        shown,
        [
            ("5", "Player", "1 to 2.50", begins),
            ("6", "Player", "1 to 3.50", "Hand 2 begins; P5 CALL $100"),
            ("1", "Dealer", "1 to 4.50", "Hand 2 begins; P5 CALL $100; P6 CALL $100"),
            ("2", "Player", "1 to 5.50", "Hand 2 begins; P5 CALL $100; P6 CALL $100; P1 CALL $100"),
            ("3", "Player", "1 to 12.00", &*format!("{begins}; {callers}")),
            ("4", "Player", "N/A", &*format!("{callers}; P3 FOLD $50")),
            (
                "4",
                "Player",
                "N/A",
                "P1 CALL $100; P2 CALL $100; P3 FOLD $50; P4 CHECK $100; --- FLOP ---"
            ),
        ]
    );
}

/// When one player has all chips the authors' program begins anew: the button is back at P1, and hands count from 1. Which hand
/// of the table it is only our own notes say.
#[test]
fn a_new_game_begins_with_hand_1() {
    let mut table = AtTable::open(Profile::Reference, json!({ "tables": 1, "hands": 40 }));
    let mut begun = Vec::new();
    while let Some((call, ask)) = table.next() {
        let recent = value(&table, &ask, "recent");
        if let Some(number) =
            recent.strip_prefix("Hand ").and_then(|rest| rest.strip_suffix(" begins"))
        {
            begun.push(number.parse::<u32>().unwrap());
            assert_eq!(value(&table, &ask, "hand"), number);
        }
        let all_in = Reply::Said(Said::text(ALL_IN));
        table.session.tell(call, all_in).unwrap();
    }
    let records = table.records();
    let games: Vec<(u64, u64)> = table
        .session
        .notes()
        .filter_map(|note| match note {
            Note::Event { name, detail } if name == event::GAME => {
                Some((detail["game"].as_u64().unwrap(), detail["before_hand"].as_u64().unwrap()))
            }
            _ => None,
        })
        .collect();
    // The pot is not split in every hand: again and again one player wins it all.
    assert!(games.len() > 2, "{games:?}");
    assert_eq!(games[0].0, 2);
    for (game, before) in &games {
        let at = usize::try_from(before - 1).unwrap();
        assert_eq!(begun[at], 1, "hand {before} is the first of game {game}");
        assert_eq!(records[at].button, 0);
        assert_eq!(u64::from(records[at].hand), *before);
    }
    // Within a game numbers go on.
    for pair in begun.windows(2) {
        assert!(pair[1] == 1 || pair[1] == pair[0] + 1, "{begun:?}");
    }
}
