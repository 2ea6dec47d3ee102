use super::*;

fn track(sizes: &[u64]) -> Vec<Sized> {
    let roles = std::iter::once(Role::System).chain(std::iter::repeat(Role::Other));
    roles.zip(sizes).map(|(role, size)| Sized { role, size: *size }).collect()
}

/// Specification 5.7: s10, u5, a20, u30, a20, u30.
#[test]
fn golden_windows_of_the_reference() {
    let long = track(&[10, 5, 20, 30, 20, 30]);
    let cases: [(u64, &[usize]); 7] = [
        (115, &[0, 1, 2, 3, 4, 5]),
        (114, &[0, 2, 3, 4, 5]),
        (95, &[0, 3, 4, 5]),
        (60, &[0, 4, 5]),
        (59, &[0, 5]),
        (39, &[0]),
        (5, &[0]),
    ];
    for (cap, kept) in cases {
        assert_eq!(reference(&long, cap), kept, "cap {cap}");
    }
    assert_eq!(reference(&track(&[1, 1, 100, 1]), 50), [0, 3]);
    let without_system = &long[1..];
    assert_eq!(reference(without_system, 50), [3, 4]);
}

#[test]
fn strict_keeps_system_and_question() {
    let window = |cap, reserved| {
        let track = Track { pinned: 15, turns: &[50, 50, 10], marker: 5 };
        strict(&track, cap, reserved)
    };
    assert_eq!(window(125, 0), 0..3);
    assert_eq!(window(124, 0), 1..3);
    assert_eq!(window(125, 46), 2..3);
    assert_eq!(window(80, 0), 1..3);
    assert_eq!(window(79, 0), 2..3);
    assert_eq!(window(29, 0), 3..3);
    assert_eq!(window(1, 8), 3..3);
}

proptest::proptest! {
    #[test]
    fn windows_fit(sizes in proptest::collection::vec(0..50_u64, 0..20), cap in 0..400_u64) {
        let turns = strict(&Track { pinned: 10, turns: &sizes, marker: 3 }, cap, 20);
        let used: u64 = sizes[turns.clone()].iter().sum();
        proptest::prop_assert!(turns.is_empty() || 10 + used <= cap.saturating_sub(20));
        let messages = track(&sizes);
        let kept = reference(&messages, cap);
        let rest: u64 = kept.iter().skip(1).map(|at| sizes[*at]).sum();
        proptest::prop_assert!(kept.len() <= 1 || sizes[0] + rest <= cap);
    }
}
