//! What reports say of flagged and incomplete matches.

use serde_json::json;

use super::Numbers;
use crate::Trust;
use crate::tests::{runs::played, spec_of};
use turnwise_core::metrics::figures::Figures;
use turnwise_core::testing::{self, assert_has};

#[test]
fn flagged_matches_are_scored_with_and_without_and_incomplete_ones_are_left_out() {
    let spec = spec_of("always-c,always-d");
    let mut matches = played(&spec);
    let whole = testing::report(&Trust, &spec, &matches);
    assert!(whole.remarks.is_empty(), "{:?}", whole.remarks);
    assert_eq!(whole.record["players"][0]["score"], json!(-1.0));

    let flagged = &mut matches[0];
    let mut numbers: Numbers = flagged.measured.numbers.read().expect("numbers");
    numbers.fallbacks = 1;
    numbers.earned = [50, 50];
    flagged.measured.numbers = Figures::of(&numbers);
    matches[1].complete = false;
    let report = testing::report(&Trust, &spec, &matches);
    assert_has(&report.record, &json!({ "n": 9, "incomplete": 1, "flagged": 1 }));
    assert_eq!(report.record["rankable"], false);
    assert_eq!(report.record["players"][0]["score_clean"], json!(-1.0));
    assert_ne!(report.record["players"][0]["score"], json!(-1.0));
    assert_eq!(report.remarks.len(), 2);
    let nothing = testing::report(&Trust, &spec, &[]);
    assert_has(&nothing.record["players"][0], &json!({ "score": null, "betrayal": null }));
}

#[test]
fn a_report_of_a_spec_that_cannot_be_read_says_so() {
    let mut spec = spec_of("tft,grim");
    spec.settings = json!({ "delta": "often" });
    let report = testing::report(&Trust, &spec, &[]);
    assert!(
        report.remarks[0]
            .starts_with("The lineup or the settings cannot be read: settings.delta: ")
    );
}
