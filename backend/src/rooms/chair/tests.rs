use turnwise_shared::evidence_tier::Attendance;
use turnwise_shared::prelude::*;

use super::*;

fn info() -> LiveInfo {
    LiveInfo {
        run: RunId::new([1; 16]),
        title: String::new(),
        benchmark: "b".into(),
        kind: LiveKind::Rated,
        clock: Clock { decision_seconds: 30, bank_seconds: 10 },
        commitment: Digest::of("secret"),
        opened: 0,
        stage: LiveStage::Playing,
        people: Default::default(),
        episodes: 1,
        played: 0,
        end: None,
        proof: None,
        attendance: Attendance::Unattended,
        evidence: String::new(),
    }
}

fn ticket(call: u32) -> Ticket {
    Ticket {
        episode: EpisodeKey::play(&"1".into(), 1),
        call: CallId(call),
        digest: Digest::of("request"),
    }
}

fn seconds(time: u64) -> Duration {
    Duration::from_secs(time)
}

/// A chair, and a clock that a test moves by hand.
struct Room {
    chair: Chair,
    now: Instant,
}

impl Room {
    fn new() -> Self {
        Room::with(&info())
    }

    fn with(info: &LiveInfo) -> Self {
        let now = Instant::now();
        let chair = Chair::new("1".into(), info, now);
        Room { chair, now }
    }

    fn ask(&mut self, call: u32) {
        let shown = Shown {
            seat: "1".into(),
            expect: Expect::Text,
            messages: Vec::new(),
            parts: Vec::new(),
            scene: Scene::default(),
        };
        self.chair.ask(ticket(call), shown, self.now);
    }

    fn left(&self) -> Duration {
        self.chair.deadline(self.now).expect("it is asked") - self.now
    }

    fn pass(&mut self, time: u64) {
        self.now += seconds(time);
    }

    fn take(&mut self, answered: Answered) -> Option<(Ticket, Duration)> {
        self.chair.take(answered, self.now)
    }
}

#[test]
fn the_bank_is_used_up_once_a_decision_takes_longer_and_is_not_filled_again() {
    let mut room = Room::new();
    assert_eq!(room.chair.deadline(room.now), None);
    room.ask(1);
    room.ask(2);
    assert_eq!((room.chair.turn(), room.left()), (Some(1), seconds(40)));
    room.pass(20);
    assert_eq!(room.take(Answered::InTime), Some((ticket(1), seconds(20))));
    // The clock of the second begins now.
    assert_eq!((room.chair.turn(), room.left()), (Some(2), seconds(40)));
    room.pass(36);
    room.take(Answered::InTime);
    room.ask(3);
    assert_eq!((room.chair.turn(), room.left()), (Some(3), seconds(34)));
    room.pass(34);
    room.take(Answered::Late);
    room.chair.look(room.now);
    room.ask(4);
    assert_eq!(room.left(), seconds(30), "nothing is left in the bank");
}

#[test]
fn somebody_who_is_away_is_waited_for_shortly_and_who_left_not_at_all() {
    let mut room = Room::new();
    let (hold, held) = oneshot::channel();
    room.chair.come(hold, room.now);
    assert!(room.chair.is_connected(room.now));
    room.ask(1);
    room.pass(40);
    room.take(Answered::Late);
    room.ask(2);
    assert_eq!(room.left(), seconds(30), "the page is still there");
    drop(held);
    room.chair.look(room.now);
    assert!(!room.chair.is_connected(room.now));
    assert_eq!(room.left(), AWAY);
    room.take(Answered::Late);
    let (hold, _held) = oneshot::channel();
    room.chair.come(hold, room.now);
    room.ask(3);
    assert_eq!(room.left(), seconds(30), "somebody is back");
    room.chair.left = true;
    assert_eq!(room.left(), Duration::ZERO);
}

#[test]
fn a_newer_socket_takes_the_place_of_the_last() {
    use oneshot::error::TryRecvError;
    let mut room = Room::new();
    let (first, mut of_first) = oneshot::channel();
    let (second, mut of_second) = oneshot::channel();
    room.chair.come(first, room.now);
    room.chair.come(second, room.now);
    assert_eq!(of_first.try_recv(), Err(TryRecvError::Closed));
    assert_eq!(of_second.try_recv(), Err(TryRecvError::Empty));
}

#[test]
fn a_view_is_shown_only_if_it_is_new() {
    let mut room = Room::new();
    let views = room.chair.views();
    let show = |room: &Room, episode| room.chair.show(&info(), episode, Scene::default(), None);
    show(&room, None);
    assert_eq!(views.borrow().version(), 1);
    room.ask(1);
    show(&room, Some(1));
    show(&room, Some(1));
    assert_eq!(views.borrow().version(), 2);
    let ask = views.borrow().now().ask.expect("it is asked");
    let left = ask.deadline_in_ms.expect("the clock runs");
    assert!((39_000..=40_000).contains(&left), "{left} ms are left");
}

#[test]
fn without_a_clock_nobody_is_timed_out_and_who_left_is_not_waited_for() {
    let info = LiveInfo { clock: Clock::NONE, ..info() };
    let mut room = Room::with(&info);
    let views = room.chair.views();
    room.ask(1);
    room.pass(365 * 24 * 3600);
    assert_eq!(room.chair.deadline(room.now), None);
    room.chair.show(&info, Some(1), Scene::default(), None);
    let ask = views.borrow().now().ask.expect("it is asked");
    assert_eq!((ask.deadline_in_ms, ask.decision_ms), (None, 0));
    room.take(Answered::InTime);
    room.ask(2);
    assert_eq!(room.chair.deadline(room.now), None);
    room.chair.left = true;
    assert_eq!(room.left(), Duration::ZERO);
}

#[test]
fn whoever_waits_sees_the_clock_and_does_not_hear_of_a_second_question() {
    let mut waited_for = Room::new();
    let waiting = Room::new();
    let views = waiting.chair.views();
    let show = |room: &Room, scene: Scene| {
        let awaits = room.chair.awaits(room.now);
        waiting.chair.show(&info(), Some(1), scene, awaits);
    };
    waited_for.ask(1);
    show(&waited_for, Scene::default());
    let awaited = views.borrow().now().awaited.expect("the clock runs");
    assert_eq!((awaited.decision_ms, awaited.bank_ms), (30_000, 10_000));
    assert!((39_000..=40_000).contains(&awaited.deadline_in_ms));
    assert_eq!(views.borrow().version(), 2);

    // The same person is asked once more, and nothing that the other may see has changed.
    waited_for.pass(10);
    waited_for.take(Answered::InTime);
    waited_for.ask(2);
    show(&waited_for, Scene::default());
    assert_eq!(views.borrow().version(), 2);

    let next = Scene {
        blocks: vec![turnwise_shared::scene::Block::Remark { text: "a move".into() }],
        ..Scene::default()
    };
    show(&waited_for, next.clone());
    let awaited = views.borrow().now().awaited.expect("the clock runs");
    assert!(awaited.deadline_in_ms > 40_000, "the second question's: {awaited:?}");

    waited_for.take(Answered::InTime);
    show(&waited_for, next);
    assert_eq!(views.borrow().now().awaited, None);
}
