//! `--sweep`: which study, and which settings it is.

use std::str::FromStr;

use serde_json::{Value, json};

use turnwise_shared::benchmarks::interactcomp::settings;

/// A study of InteractComp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sweep {
    /// The paper's study over round limits.
    Scaling,
    /// The paper's study over minimum asks.
    Forced,
    /// Over these round limits.
    Rounds(Vec<u32>),
    /// Over these minimum asks.
    MinAsks(Vec<u32>),
}

impl Sweep {
    /// The settings that it stands for.
    pub fn settings(&self) -> Value {
        match self {
            Sweep::Scaling => settings::scaling(&settings::SCALING),
            Sweep::Forced => settings::forced(&settings::FORCED),
            Sweep::Rounds(values) => json!({ "rounds": values }),
            Sweep::MinAsks(values) => settings::forced(values),
        }
    }
}

impl FromStr for Sweep {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let list = |values: &str| {
            let numbers = values.split(',').map(|value| value.trim().parse());
            numbers
                .collect::<Result<Vec<u32>, _>>()
                .map_err(|_| format!("{values:?} is no list of whole numbers; e.g. 5,10,20"))
        };
        match text.split_once('=') {
            None if text == "scaling" => Ok(Sweep::Scaling),
            None if text == "forced" => Ok(Sweep::Forced),
            Some((settings::ROUNDS, values)) => Ok(Sweep::Rounds(list(values)?)),
            Some((settings::MIN_ASKS | "min-asks", values)) => Ok(Sweep::MinAsks(list(values)?)),
            _ => Err("write scaling, forced, rounds=N,N,… or min_asks=M,M,…".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn studies_are_read() {
        assert_eq!("scaling".parse(), Ok(Sweep::Scaling));
        assert_eq!("rounds=5, 10".parse(), Ok(Sweep::Rounds(vec![5, 10])));
        assert_eq!("min-asks=2,4".parse(), Ok(Sweep::MinAsks(vec![2, 4])));
        assert!("rounds=five".parse::<Sweep>().is_err());
        assert!("turns=5".parse::<Sweep>().is_err());
        let forced = Sweep::Forced.settings();
        assert_eq!(forced["mode"], "forced_ask");
        assert_eq!(forced["min_asks"], json!([2, 4, 6, 8, 10]));
    }
}
