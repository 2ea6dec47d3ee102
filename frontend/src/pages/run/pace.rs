//! Episodes go on and end many times a second while a run is driven; what is computed and drawn from all of them is computed
//! and drawn about once a second, and in several tasks, so that none of them is long.

use std::cell::Cell;

use crate::clock;
use crate::components::near::watch_near;
use crate::live::{self, RunView};
use crate::prelude::*;

/// The least time between two snapshots of a run that goes on, in milliseconds.
const LEAST: f64 = 1000.0;
/// The same for the numbers over all episodes, which say less from one moment to the next.
const LEAST_NUMBERS: f64 = 3000.0;
/// Work on a new snapshot may take at most one part in this many of the time.
const SHARE: f64 = 16.0;

/// The episodes of a run at one moment, as the parts of its page take notice of them. Each part follows the one before it in
/// a task of its own.
#[derive(Clone, Copy)]
pub struct Snapshots {
    /// For the wall and whatever else shows single episodes.
    pub wall: RwSignal<Arc<Snapshot>>,
    /// For the numbers over all episodes.
    pub numbers: RwSignal<Arc<Snapshot>>,
    /// For what is only added up.
    pub sums: RwSignal<Arc<Snapshot>>,
}

thread_local! {
    /// Whether no page of a run was made yet.
    static IS_FIRST: Cell<bool> = const { Cell::new(true) };
}

/// Whether what is seen may be drawn. The first time that is not in the task in which everything was begun: a browser compiles every
/// function when it is first called, and both together are a thousand.
pub fn begun() -> ReadSignal<bool> {
    let (is_time, set) = signal(!IS_FIRST.replace(false));
    if !is_time.get_untracked() {
        spawn_local(async move {
            clock::breathe().await;
            // The page may be gone by now.
            set.try_set(true);
        });
    }
    is_time
}

/// The episodes of a run as they stand, those under way included, taken anew at a pace that leaves the page its time: the
/// more episodes, the rarer.
pub fn snapshots(id: &RunId, view: RunView) -> Snapshots {
    let id = StoredValue::new(id.clone());
    let goes_on = move || view.progress.with_untracked(Option::is_some);
    let is_blind = Memo::new(move |_| view.is_blind());
    let wall = paced(
        move || {
            view.summaries.track();
            view.pace.track();
            is_blind.track();
        },
        move || {
            let under_way = id.with_value(live::under_way);
            let none = BTreeMap::new();
            view.summaries.with_untracked(|ended| {
                let ended = if is_blind.get_untracked() { &none } else { ended };
                Arc::new(Snapshot::with(ended, under_way))
            })
        },
        move || if goes_on() { LEAST } else { 0.0 },
    );
    let numbers = paced(
        move || wall.track(),
        move || wall.get_untracked(),
        move || if goes_on() { LEAST_NUMBERS } else { 0.0 },
    );
    let sums = paced(move || numbers.track(), move || numbers.get_untracked(), || 0.0);
    Snapshots { wall, numbers, sums }
}

/// The same value, a task later: for what is drawn of it far down in the page.
pub fn afterwards<T>(first: Memo<T>) -> RwSignal<T>
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    after(first, first.get_untracked())
}

/// The same value, a task later; `meanwhile` until then.
fn after<T>(first: Memo<T>, meanwhile: T) -> RwSignal<T>
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    let second = RwSignal::new(meanwhile);
    Effect::new(move |_| {
        let now = first.get();
        if second.with_untracked(|before| *before == now) {
            return;
        }
        spawn_local(async move {
            clock::breathe().await;
            // The newest value has a task of its own coming.
            if first.try_with_untracked(|newest| *newest == now) == Some(true) {
                second.try_set(now);
            }
        });
    });
    second
}

/// When something below the wall follows the numbers: always when the run rests, and only in sight while it is driven here,
/// because then there are other numbers every few seconds.
#[derive(Clone, Copy)]
pub struct Following {
    near: RwSignal<bool>,
    driven: Memo<bool>,
}

impl Following {
    /// The section follows, as long as it lives.
    pub fn of(section: NodeRef<html::Section>, driven: Memo<bool>) -> Self {
        let near = watch_near(section);
        Following { near, driven }
    }

    /// Whether it follows now. Reactive: the reader runs again when this changes.
    pub fn now(self) -> bool {
        self.near.get() || !self.driven.get()
    }

    /// What `look` finds, kept as it is while nothing is followed.
    pub fn memo<T>(
        self,
        look: impl Fn() -> T + Send + Sync + 'static,
        is_other: fn(Option<&T>, Option<&T>) -> bool,
    ) -> Memo<T>
    where
        T: Clone + Send + Sync + 'static,
    {
        let next = move |before: Option<&T>| match (self.now(), before) {
            (false, Some(before)) => before.clone(),
            _ => look(),
        };
        Memo::new_with_compare(next, is_other)
    }
}

/// A piece of what is drawn from `whole`, once there is one: in a task of its own, and anew only when that piece is another
/// and it follows.
pub fn piece<W, T>(
    following: Following,
    whole: RwSignal<Option<W>>,
    part: impl Fn(&W) -> Option<T> + Send + Sync + 'static,
    draw: impl Fn(&T) -> AnyView + Send + 'static,
) -> AnyView
where
    W: Send + Sync + 'static,
    T: Clone + PartialEq + Send + Sync + 'static,
{
    let part = move || whole.and_then(&part);
    let part = following.memo(part, |one, other| one != other);
    let shown = after(part, None);
    (move || shown.map(&draw)).into_any()
}

/// A snapshot that is taken anew after what `track` reads has changed: in a task of its own, `least` milliseconds after the
/// last one or later.
fn paced(
    track: impl Fn() + 'static,
    look: impl Fn() -> Arc<Snapshot> + Copy + 'static,
    least: impl Fn() -> f64 + Copy + 'static,
) -> RwSignal<Arc<Snapshot>> {
    let snapshot = RwSignal::new(look());
    let taken = StoredValue::new(f64::NEG_INFINITY);
    let cost = StoredValue::new(0.0);
    let pending = StoredValue::new(None::<TimeoutHandle>);
    let measuring = StoredValue::new(None::<TimeoutHandle>);
    let take = move || {
        let started = clock::now();
        pending.set_value(None);
        snapshot.set(look());
        taken.set_value(started);
        // Everything that reads the signal computes and draws before the next task begins.
        let measure = move || {
            measuring.set_value(None);
            cost.set_value(clock::now() - started);
        };
        measuring.set_value(set_timeout_with_handle(measure, Duration::ZERO).ok());
    };
    Effect::new(move |before: Option<()>| {
        track();
        if before.is_none() {
            return;
        }
        let rest = match least() {
            0.0 => 0.0,
            least => (cost.get_value() * SHARE).max(least),
        };
        let wait = (taken.get_value() + rest - clock::now()).max(0.0);
        if let Some(timer) = pending.try_update_value(Option::take).flatten() {
            timer.clear();
        }
        // At most some seconds.
        let wait = Duration::from_millis(wait as u64);
        pending.set_value(set_timeout_with_handle(take, wait).ok());
    });
    on_cleanup(move || {
        for timer in [pending, measuring] {
            if let Some(timer) = timer.try_update_value(Option::take).flatten() {
                timer.clear();
            }
        }
    });
    snapshot
}
