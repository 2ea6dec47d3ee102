use super::super::gap::{Gap, Judged, Side, gap};
use turnwise_core::metrics::proportion::wilson;

/// Which worlds are answered rightly.
type Right = fn(usize) -> bool;

type Row = (Side, String, String, f64);

/// Worlds w0 to w(n-1), two to a pair; `right` says which were answered in each setting.
fn judged(n: usize, right: &[(Side, Right)]) -> Vec<Row> {
    let mut all = Vec::new();
    for (side, right) in right {
        for world in 0..n {
            let score = f64::from(u8::from(right(world)));
            all.push((*side, format!("w{world}"), format!("p{}", world / 2), score));
        }
    }
    all
}

fn compared(all: &[Row]) -> Option<Gap> {
    let episodes: Vec<Judged> = all
        .iter()
        .map(|(side, world, pair, score)| Judged { side: *side, world, pair, score: *score })
        .collect();
    gap(&episodes, 1000, 1)
}

#[test]
fn the_gaps_between_settings() {
    let gap = compared(&judged(
        40,
        &[
            (Side::Oracle, |world| world % 10 != 0),
            (Side::Guidance, |world| world % 2 == 0),
            (Side::Unguided, |world| world % 4 == 0),
            (Side::Control, |world| world % 20 == 0),
        ],
    ))
    .unwrap();
    assert_eq!((gap.worlds, gap.left_out), (40, 0));
    let levels: Vec<_> =
        gap.levels.iter().map(|level| (level.side.name(), level.n, level.pass_at_1)).collect();
    let wanted = [("A", 40, 0.9), ("B-guidance", 40, 0.5), ("C", 40, 0.25), ("control", 40, 0.05)];
    assert_eq!(levels, wanted);
    let found: Vec<_> =
        gap.differences.iter().map(|one| (one.name, (one.value * 1e6).round() / 1e6)).collect();
    assert_eq!(found, [("search_gap", 0.65), ("guidance_gap", 0.25), ("search_gain", 0.2)]);
    for one in &gap.differences {
        let interval = one.interval.unwrap();
        assert!(interval.0 < one.value && one.value < interval.1, "{one:?}");
    }
}

/// Where every world of C is one of those of A less a fixed share of each pair, the difference is the same in every pair: its
/// paired interval has no width, although both levels have one.
#[test]
fn intervals_of_differences_are_paired() {
    let all = judged(
        80,
        &[
            (Side::Oracle, |world| world % 2 == 1 || world % 4 == 0),
            (Side::Unguided, |world| world % 2 == 0 && world % 4 == 0),
        ],
    );
    let gap = compared(&all).unwrap();
    let difference = gap.differences[0];
    let interval = difference.interval.unwrap();
    for number in [difference.value, interval.0, interval.1] {
        assert!((number - 0.5).abs() < 1e-9, "{difference:?}");
    }
    let level = gap.levels[1].interval.unwrap();
    assert!(level.1 - level.0 > 0.1, "{level:?}");
}

#[test]
fn only_worlds_of_all_settings_count() {
    let mut all = judged(10, &[(Side::Oracle, |_| true), (Side::Unguided, |world| world < 5)]);
    // Not judged in C.
    all.retain(|(side, world, ..)| *side == Side::Oracle || world != "w0");
    let gap = compared(&all).unwrap();
    assert_eq!((gap.worlds, gap.left_out), (9, 1));
    assert_eq!(gap.levels[0].n, 9);
    assert!((gap.levels[1].pass_at_1 - 4.0 / 9.0).abs() < 1e-12);
}

#[test]
fn levels_that_cannot_vary_have_wilson_s_interval_and_one_pair_has_none() {
    let right: [(Side, Right); 2] =
        [(Side::Oracle, |_| true), (Side::Unguided, |world| world % 3 == 0)];
    let gap = compared(&judged(20, &right)).unwrap();
    let oracle = gap.levels[0].interval.unwrap();
    assert_eq!(Some(oracle), wilson(10, 10));
    let one = compared(&judged(2, &right)).unwrap();
    assert!(one.levels.iter().all(|level| level.interval.is_none()));
    assert!(one.differences.iter().all(|one| one.interval.is_none()));
}

#[test]
fn one_setting_has_no_gap() {
    assert_eq!(compared(&judged(4, &[(Side::Unguided, |_| true)])), None);
    assert_eq!(compared(&[]), None);
    let mut apart = judged(2, &[(Side::Oracle, |_| true), (Side::Unguided, |_| true)]);
    apart.retain(|(side, world, ..)| (*side == Side::Oracle) == (world == "w0"));
    assert_eq!(compared(&apart), None);
    for side in Side::ALL {
        assert_eq!(Side::named(side.name()), Some(side));
        assert_eq!(serde_json::to_value(side).unwrap(), side.name());
    }
    assert_eq!(Side::named("custom"), None);
}
