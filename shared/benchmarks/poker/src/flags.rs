//! Flags of the command line besides those of the settings.

use serde_json::{Map, Value};
use turnwise_core::benchmark::Flag;

pub(super) const FLAGS: &[Flag] =
    &[Flag { name: "blinds", value: "SMALL/BIG", help: "The blinds, e.g. 50/100", read: blinds }];

fn blinds(text: &str) -> Result<Map<String, Value>, String> {
    let read = |blind: &str| blind.trim().parse::<u64>().ok().map(Value::from);
    let both = text.split_once('/');
    let both = both.and_then(|(small, big)| Some((read(small)?, read(big)?)));
    let (small, big) = both.ok_or("expected SMALL/BIG, e.g. 50/100")?;
    let names = ["small_blind", "big_blind"].map(str::to_owned);
    Ok(names.into_iter().zip([small, big]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blinds_are_two_numbers() {
        let read = blinds("50/100").expect("two numbers");
        assert_eq!((&read["small_blind"], &read["big_blind"]), (&50.into(), &100.into()));
        for bad in ["100", "a/b", "-1/2", "1.5/2"] {
            assert!(blinds(bad).is_err(), "{bad}");
        }
    }
}
