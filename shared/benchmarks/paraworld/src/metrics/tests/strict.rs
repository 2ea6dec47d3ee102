use super::super::bins::{by_coverage, by_turns};
use super::super::stops::Stops;
use super::super::table::{EpisodeNumbers, Table};
use super::*;
use turnwise_core::metrics::bootstrap::{clusters, interval};
use turnwise_core::spec::Profile::{Reference, Strict};

/// Specification 8.9.
#[test]
fn coverage_of_valid_logs() {
    let s = s();
    near(
        s.iter().map(|one| one.fcr(Strict)),
        &[0.5, 0.0, 1.0 / 3.0, 0.2, 5.0 / 11.0, 1.0 / 12.0, 1.0, 0.0],
    );
    assert!(s.iter().map(|one| one.hits(Strict)).eq([3, 0, 2, 2, 5, 1, 2, 0]));
}

#[test]
fn an_engine_fault_costs_nothing() {
    let mut s = s();
    s[0].logs[2].engine_fault = true;
    assert_eq!((s[0].tool_calls(Strict), s[0].hits(Strict)), (3, 3));
    assert_eq!(s[0].tool_calls(Reference), 4);
    let row = EpisodeNumbers::of(&s[..1], Strict);
    near([row.engine_fault_rate, row.hit_rate_micro.unwrap()], &[0.25, 1.0]);
    // Nor is what a broken engine says of a query the player's.
    let mut compound = self::s();
    let log = compound.iter_mut().flat_map(|one| &mut one.logs).find(|log| log.compound);
    log.expect("one is compound").engine_fault = true;
    let all = |compound: &[Episode]| EpisodeNumbers::of(compound, Strict).compound_rate;
    let (before, after) = (all(&self::s()), all(&compound));
    assert!(after < before, "{after} of {before}");
    assert_eq!(
        EpisodeNumbers::of(&compound, Reference).compound_rate,
        EpisodeNumbers::of(&self::s(), Reference).compound_rate
    );
}

#[test]
fn a_failed_judge_makes_it_incomplete() {
    let mut s = s();
    s[1].verdict = None;
    let strict = Table::of(&s, Strict).all;
    assert_eq!((strict.n, strict.incomplete, strict.pass_at_1), (8, 1, Some(4.0 / 7.0)));
    assert_eq!(Table::of(&s, Reference).all.pass_at_1, Some(0.5));
    let nobody = Table::of(&[], Strict);
    assert_eq!((nobody.all.n, nobody.all.pass_at_1, nobody.overall_published), (0, None, None));
}

#[test]
fn facts_and_rules_apart() {
    let mut episode = s().remove(0);
    assert_eq!(episode.fcr_by_kind(), (Some(0.5), None));
    episode.rules = BTreeSet::from([1, 3]);
    assert_eq!(episode.fcr_by_kind(), (Some(0.5), Some(0.5)));
    episode.rules = BTreeSet::from([0, 1, 2, 3]);
    assert_eq!(episode.fcr_by_kind(), (None, Some(0.5)));
}

#[test]
fn stops() {
    let mut s = s();
    let found = Stops::of(&s, Strict);
    assert_eq!(found.answered, 6);
    near(
        [found.fcr_at_answer.unwrap(), found.premature.unwrap()],
        &[(0.5 + 1.0 / 3.0 + 0.2 + 5.0 / 11.0 + 1.0) / 6.0, 5.0 / 6.0],
    );
    // Right answers: S0 (0.5), S2 (1/3), S4 (5/11), S6 (1).
    near(
        [found.correct_without_coverage.unwrap(), found.wrong_with_full_coverage.unwrap()],
        &[0.5, 0.0],
    );
    near(found.redundancy, &[(2.0 + 1.5 + 1.5 + 1.0 + 1.0 + 1.5 + 2.0) / 7.0]);
    s[6].verdict = Some(Verdict::Incorrect);
    s[0].turns = 26;
    let found = Stops::of(&s, Strict);
    assert_eq!(found.wrong_with_full_coverage, Some(1.0));
    near(found.premature, &[4.0 / 6.0]);
    assert_eq!(Stops::of(&[], Strict).premature, None);
}

#[test]
fn groups_by_turns_and_coverage() {
    let s = s();
    let turns = by_turns(&s, Strict);
    assert!(
        turns.iter().map(|group| (group.name, group.n)).eq([("1-2", 2), ("3-5", 5), ("6-10", 1)]),
        "{turns:?}"
    );
    let coverage = by_coverage(&s, Strict);
    let names: Vec<(&str, u32)> = coverage.iter().map(|group| (group.name, group.n)).collect();
    assert_eq!(names, [("0", 2), ("0-0.3", 2), ("0.3-0.5", 2), ("0.5-0.7", 1), ("0.8+", 1)]);
}

#[test]
fn the_record_is_json() {
    for episode in s() {
        let text = serde_json::to_string(&episode).unwrap();
        assert_eq!(serde_json::from_str::<Episode>(&text).unwrap(), episode);
    }
    assert!(
        ["finished", "max_turns_reached", "api_error", "empty_response", "format_failure", "error"]
            .iter()
            .all(|name| Status::named(name).is_some_and(|status| status.name() == *name))
    );
}

#[test]
fn intervals_count_pairs_not_episodes() {
    let pairs: Vec<String> = (0..100).map(|pair| format!("p{pair}")).collect();
    let right = |pair: usize| f64::from(u8::from(pair.is_multiple_of(4)));
    let alike = clusters((0..400).map(|at| (pairs[at / 4].as_str(), right(at / 4))));
    assert_eq!((alike.len(), alike[0].n), (100, 4));
    let of_pairs = interval(&alike, 2000, 1).unwrap();
    assert_eq!(interval(&alike, 2000, 1), Some(of_pairs));
    // 25 of 100: about 0.25 ± 0.085; as 400 independent ones it would be ± 0.042.
    assert!((of_pairs.0 - 0.165).abs() < 0.02 && (of_pairs.1 - 0.335).abs() < 0.02, "{of_pairs:?}");
    assert_eq!(interval(&[], 10, 1), None);
    assert_eq!(interval(&alike, 0, 1), None);
    let one = interval(&clusters([("a", 0.5)]), 10, 1).unwrap();
    assert_eq!(one, (0.5, 0.5));
}

proptest::proptest! {
    /// Whatever an engine logged, strict shares stay between 0 and 1.
    #[test]
    fn strict_shares(facts in 1..20_u32, logs in proptest::collection::vec((proptest::bool::ANY, proptest::bool::ANY, proptest::option::of(0..20_u32), proptest::bool::ANY), 0..40)) {
        let logs = logs.into_iter().map(|(hit, compound, fact, engine_fault)| {
            let keys = fact.map(|fact| Key { spelling: fact, fact: (fact < facts).then_some(fact) });
            Log { hit, compound, keys: Vec::from_iter(keys), engine_fault }
        });
        let one = episode(facts, logs.collect(), Status::Finished, Verdict::Correct);
        proptest::prop_assert!((0.0..=1.0).contains(&one.fcr(Strict)));
        proptest::prop_assert!(one.hit_rate(Strict).is_none_or(|rate| (0.0..=1.0).contains(&rate)));
        if let Some(series) = super::super::curves::Series::of(&one, Strict) {
            proptest::prop_assert!(series.fcr.is_sorted());
            proptest::prop_assert_eq!(*series.fcr.last().unwrap(), one.fcr(Strict));
        }
    }
}
