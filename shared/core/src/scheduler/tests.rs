use proptest::prelude::*;

use super::*;

fn two_lanes() -> Scheduler {
    let mut limits = Limits::new(2);
    limits.lanes.insert("search".into(), 1);
    Scheduler::new(limits)
}

#[test]
fn longest_waiting_first_among_equals() {
    let mut scheduler = two_lanes();
    (0..9).for_each(|episode| scheduler.add(episode));
    // Four times as many as may be in flight.
    let started: Vec<_> = (0..9).map(|_| scheduler.decide()).collect();
    assert_eq!(started[..8], [0, 1, 2, 3, 4, 5, 6, 7].map(Decision::Start));
    assert_eq!(started[8], Decision::Idle);
    scheduler.offer(1, CallId(1), "search");
    scheduler.offer(0, CallId(1), "search");
    scheduler.offer(2, CallId(1), "player");
    assert_eq!(scheduler.decide(), Decision::Send(1, CallId(1)));
    // The search lane is full, so the player's call goes before the older search.
    assert_eq!(scheduler.decide(), Decision::Send(2, CallId(1)));
    assert_eq!(scheduler.decide(), Decision::Idle);
    scheduler.answered(1, CallId(1));
    assert_eq!(scheduler.decide(), Decision::Send(0, CallId(1)));
}

#[test]
fn the_furthest_episode_goes_first() {
    let mut scheduler = Scheduler::new(Limits::new(1));
    (0..2).for_each(|episode| scheduler.add(episode));
    (0..3).for_each(|_| _ = scheduler.decide());
    scheduler.offer(0, CallId(1), "player");
    assert_eq!(scheduler.decide(), Decision::Send(0, CallId(1)));
    scheduler.offer(1, CallId(1), "player");
    scheduler.answered(0, CallId(1));
    scheduler.offer(0, CallId(2), "player");
    assert_eq!(scheduler.decide(), Decision::Send(0, CallId(2)));
}

#[test]
fn lanes_of_their_own_do_not_take_each_others_permits() {
    let limits = Limits::each(2, ["player", "engine"]);
    assert_eq!((limits.in_flight, limits.window), (4, 16));
    let mut scheduler = Scheduler::new(limits);
    (0..6).for_each(|episode| scheduler.add(episode));
    (0..6).for_each(|_| _ = scheduler.decide());
    (0..5).for_each(|episode| scheduler.offer(episode, CallId(1), "player"));
    scheduler.offer(5, CallId(1), "engine");
    assert_eq!(
        (0..4).map(|_| scheduler.decide()).collect::<Vec<_>>(),
        [
            Decision::Send(0, CallId(1)),
            Decision::Send(1, CallId(1)),
            Decision::Send(5, CallId(1)),
            Decision::Idle
        ]
    );
}

#[test]
fn a_grading_goes_on_where_its_play_has_ended() {
    let mut scheduler = Scheduler::new(Limits::new(1));
    (0..3).for_each(|episode| scheduler.add(episode));
    (0..3).for_each(|_| _ = scheduler.decide());
    for call in 1..=2 {
        scheduler.offer(0, CallId(call), "player");
        assert_eq!(scheduler.decide(), Decision::Send(0, CallId(call)));
        scheduler.answered(0, CallId(call));
    }
    scheduler.offer(1, CallId(1), "player");
    assert_eq!(scheduler.decide(), Decision::Send(1, CallId(1)));
    scheduler.answered(1, CallId(1));
    scheduler.offer(1, CallId(2), "player");
    let behind = scheduler.finished(0);
    assert_eq!(behind, 2);
    scheduler.adopt(3, behind);
    scheduler.offer(3, CallId(1), "grader");
    assert_eq!(scheduler.decide(), Decision::Send(3, CallId(1)));
}

#[test]
fn a_lane_that_shares_the_permits_is_not_passed_over_by_another_for_ever() {
    let mut scheduler = Scheduler::new(Limits::new(2));
    (0..4).for_each(|episode| scheduler.add(episode));
    (0..4).for_each(|_| _ = scheduler.decide());
    scheduler.offer(0, CallId(1), "grader");
    // The others are further than the one that waits.
    (1..4).for_each(|episode| scheduler.adopt(episode, 9));
    let mut before = 0;
    for call in 1.. {
        (1..4).for_each(|episode| scheduler.offer(episode, CallId(call), "player"));
        let sent = [scheduler.decide(), scheduler.decide()];
        if sent.contains(&Decision::Send(0, CallId(1))) {
            break;
        }
        for decision in sent {
            let Decision::Send(episode, call) = decision else {
                panic!("a permit is free, and calls wait: {decision:?}");
            };
            scheduler.answered(episode, call);
            before += 1;
        }
        assert!(before <= 4, "passed over {before} times");
    }
}

#[test]
fn a_finished_episode_frees_everything_it_held() {
    let mut scheduler = two_lanes();
    scheduler.add(0);
    scheduler.add(1);
    assert_eq!(scheduler.decide(), Decision::Start(0));
    scheduler.offer(0, CallId(1), "search");
    scheduler.offer(0, CallId(2), "search");
    assert_eq!(scheduler.decide(), Decision::Send(0, CallId(1)));
    scheduler.finished(0);
    assert_eq!((scheduler.flying(), scheduler.under_way()), (0, 0));
    assert_eq!(scheduler.decide(), Decision::Start(1));
    assert_eq!(scheduler.decide(), Decision::Idle);
}

#[test]
fn a_pause_sends_nothing() {
    let mut scheduler = two_lanes();
    scheduler.add(0);
    scheduler.pause();
    assert_eq!(scheduler.decide(), Decision::Idle);
    scheduler.resume();
    assert_eq!(scheduler.decide(), Decision::Start(0));
}

proptest! {
    /// Whatever comes back in whatever order: permits are kept, every call is sent, and none is passed over for ever.
    #[test]
    fn permits_are_kept_and_nobody_starves(
        turns in prop::collection::vec(1_u32..12, 1..40),
        permits in 1_usize..5,
        picks in prop::collection::vec(any::<prop::sample::Index>(), 600),
    ) {
        let limits = Limits::each(permits, ["player", "engine"]);
        let bound = limits.patience + limits.window as u64;
        let mut scheduler = Scheduler::new(limits.clone());
        (0..turns.len()).for_each(|episode| scheduler.add(episode));
        let lane = |call: CallId| if call.0 % 2 == 1 { "player" } else { "engine" };
        let mut flying: Vec<(Index, CallId)> = Vec::new();
        let mut offered: BTreeMap<(Index, CallId), u64> = BTreeMap::new();
        let mut sent = BTreeMap::from([("player", 0_u64), ("engine", 0)]);
        let mut finished = 0;
        let mut picks = picks.into_iter().cycle();
        while finished < turns.len() {
            match scheduler.decide() {
                Decision::Start(episode) => {
                    offered.insert((episode, CallId(1)), sent["player"]);
                    scheduler.offer(episode, CallId(1), "player");
                }
                Decision::Send(episode, call) => {
                    let before = offered.remove(&(episode, call)).expect("only what was offered is sent");
                    let passed = sent[lane(call)] - before;
                    prop_assert!(passed <= bound, "passed over {passed} times");
                    *sent.entry(lane(call)).or_default() += 1;
                    flying.push((episode, call));
                    let of = |name| flying.iter().filter(|(_, call)| lane(*call) == name).count();
                    prop_assert!(of("player") <= permits && of("engine") <= permits);
                    prop_assert!(scheduler.under_way() <= limits.window);
                }
                Decision::Idle => {
                    prop_assert!(!flying.is_empty(), "nothing flies and nothing is sent");
                    let pick = picks.next().expect("a cycle never ends");
                    let (episode, call) = flying.swap_remove(pick.index(flying.len()));
                    scheduler.answered(episode, call);
                    if call.0 == turns[episode] {
                        scheduler.finished(episode);
                        finished += 1;
                    } else {
                        let next = CallId(call.0 + 1);
                        offered.insert((episode, next), sent[lane(next)]);
                        scheduler.offer(episode, next, lane(next));
                    }
                }
            }
        }
        prop_assert_eq!(sent.values().sum::<u64>(), turns.iter().map(|calls| u64::from(*calls)).sum::<u64>());
    }
}
