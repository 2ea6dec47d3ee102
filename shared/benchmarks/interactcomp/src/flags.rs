//! Flags of the command line.

use serde_json::{Map, Value, json};
use turnwise_core::benchmark::Flag;
use turnwise_core::benchmark::schema::read_sweep;

use crate::settings::{FORCED, MIN_ASKS, ROUNDS, SCALING, forced, scaling};

/// A study, then single settings that go before it.
pub(super) const FLAGS: &[Flag] = &[
    Flag {
        name: "sweep",
        value: "STUDY",
        help: "A study as one run, every task at every value: scaling (mode full, round limits 5, 10 and 20), forced (mode \
               forced_ask, 2, 4, 6, 8 and 10 asks at least, 20 rounds), rounds=N,N,… or min_asks=M,M,…. --mode, --rounds and \
               --min-asks go before it",
        read: study,
    },
    Flag {
        name: "mode",
        value: "MODE",
        help: "What the player may do: full, search_only, ask_only, answer_only, full_with_context, forced_ask, \
               answer_only_with_context. Default: full",
        read: |text| Ok(one("mode", text.into())),
    },
    Flag {
        name: "rounds",
        value: "N",
        help: "The round limit of an episode, 1 to 100; several, joined by commas, are a sweep: every task is played at each of \
               them. Default: 10",
        read: |text| Ok(one(ROUNDS, read_sweep(text)?)),
    },
    Flag {
        name: "min-asks",
        value: "M",
        help: "In the mode forced_ask: how many asks before an answer is accepted; several, joined by commas, are a sweep. \
               Default: 5",
        read: |text| Ok(one(MIN_ASKS, read_sweep(text)?)),
    },
];

fn one(setting: &str, value: Value) -> Map<String, Value> {
    Map::from_iter([(setting.to_owned(), value)])
}

fn study(text: &str) -> Result<Map<String, Value>, String> {
    let numbers = |values: &str| {
        let numbers = values.split(',').map(|value| value.trim().parse());
        numbers
            .collect::<Result<Vec<u32>, _>>()
            .map_err(|_| format!("{values:?} is not a list of whole numbers; e.g. 5,10,20"))
    };
    let settings = match text.split_once('=') {
        None if text == "scaling" => scaling(&SCALING),
        None if text == "forced" => forced(&FORCED),
        Some((ROUNDS, values)) => json!({ "rounds": numbers(values)? }),
        Some((MIN_ASKS | "min-asks", values)) => forced(&numbers(values)?),
        _ => return Err("expected scaling, forced, rounds=N,N,… or min_asks=M,M,…".to_owned()),
    };
    match settings {
        Value::Object(settings) => Ok(settings),
        _ => Ok(Map::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn studies_are_read() {
        let read = |text: &str| study(text).map(Value::Object);
        assert_eq!(
            read("scaling"),
            Ok(json!({ "mode": "full", "rounds": [5, 10, 20] }))
        );
        assert_eq!(read("rounds=5, 10"), Ok(json!({ "rounds": [5, 10] })));
        let least = read("min-asks=2,4").expect("a list");
        assert_eq!(least["min_asks"], json!([2, 4]));
        let study = read("forced").expect("a study");
        assert_eq!(study["mode"], "forced_ask");
        assert_eq!(study["min_asks"], json!([2, 4, 6, 8, 10]));
        assert!(read("rounds=five").is_err());
        assert!(read("turns=5").is_err());
    }
}
