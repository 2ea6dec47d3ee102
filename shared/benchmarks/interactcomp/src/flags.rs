//! Flags of the command line.

use serde_json::{Map, Value, json};
use turnwise_core::benchmark::Flag;

use crate::settings::{FORCED, MIN_ASKS, ROUNDS, SCALING, forced, scaling};

/// Flags besides those of the settings, which go before them.
pub(super) const FLAGS: &[Flag] = &[Flag {
    name: "sweep",
    value: "STUDY",
    help: "A study as one run, every task at every value: scaling (mode full, round limits 5, 10 and 20), forced (mode \
               forced_ask, 2, 4, 6, 8 and 10 asks at least, 20 rounds), rounds=N,N,… or min_asks=M,M,…. --mode, --rounds and \
               --min-asks go before it",
    read: study,
}];

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
        assert_eq!(read("scaling"), Ok(json!({ "mode": "full", "rounds": [5, 10, 20] })));
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
