//! The numbers of a run. The server has computed them from the transcripts it has; while a run is driven in this page, or
//! where the server cannot say, they are computed here, by the same function.

use super::pace::Snapshots;
use super::times;
use crate::later::later;
use crate::live::RunView;
use crate::prelude::*;
use crate::{api, clock, live, prices, worker};

/// While this page drives the run, counting pauses for this many times as long as the last count took.
const SHARE: f64 = 8.0;
/// How long it rests before it looks whether the run still goes on, in milliseconds.
const REST: u32 = 200;

later! {
    /// The numbers of a run, computed in this browser ([`worker`]).
    work: fn counted_here(spec: Spec, all: Arc<Snapshot>, options: MeasureOptions) -> LocalBoxFuture<'static, Option<Report>> {
        Box::pin(async move { worker::report(&spec, &all.ended(), &options).await })
    }
}

#[derive(Clone, PartialEq)]
enum Told {
    Waiting,
    Report {
        report: Box<Report>,
        /// Whether it says how long seats took.
        has_times: bool,
    },
    Nothing,
}

/// The numbers as soon as there are any; `None` before an episode has ended.
pub fn report(
    id: &RunId,
    view: RunView,
    snapshots: Snapshots,
    spec: Memo<Option<Spec>>,
) -> Memo<Option<Report>> {
    let driven = Memo::new(move |_| view.progress.is_some());
    let told = told(id, view, driven);
    let here = Memo::new(move |_| driven.get() || told.with(|told| *told == Told::Nothing));
    let times = times::times(id, view, here);
    let has_ended = Memo::new(move |_| view.info.is_some_and(|info| info.finished > 0));
    let counting = Counting::new(driven);
    let counted = counting.counted;
    Effect::new(move |_| {
        let Some(spec) = spec.get().filter(|_| here.get()) else {
            return;
        };
        let opened = view.info.map(|info| info.opened);
        let options = MeasureOptions {
            times: times.get(),
            prices: PriceBook::clone(&prices::prices().get()),
            day: opened.and_then(Day::of),
            ..MeasureOptions::default()
        };
        counting.count(Wish { spec, all: snapshots.numbers.get(), options });
    });
    let person = lone_person(id, view, spec);
    Memo::new(move |_| {
        let mut report = match here.get() {
            _ if view.is_blind() => None,
            true => counted.get(),
            false => told.with(|told| match told {
                Told::Report { report, .. } if has_ended.get() => Some(Report::clone(report)),
                // A run that was driven here a moment ago keeps its numbers until the server's are there.
                Told::Waiting => counted.get(),
                _ => None,
            }),
        }?;
        if let Some(name) = person.get() {
            report.rename(&Player::Person.to_string(), &name);
        }
        Some(report)
    })
}

/// The name that the only person at a table gave, once it is over. Several would stand in one row.
fn lone_person(id: &RunId, view: RunView, spec: Memo<Option<Spec>>) -> RwSignal<Option<String>> {
    let person = RwSignal::new(None);
    let is_over = Memo::new(move |_| view.info.is_some_and(|info| info.state.is_over()));
    let id = id.clone();
    Effect::new(move |_| {
        let Some(spec) = spec.get().filter(|_| is_over.get()) else {
            return;
        };
        let people = spec.seats.values();
        let people = people.filter(|sitting| sitting.player == Player::Person);
        if people.count() == 1 {
            let id = id.clone();
            spawn_local(async move {
                let names = live::names(&id, &spec, view).await;
                person.try_set(names.into_values().next());
            });
        }
    });
    person
}

struct Wish {
    spec: Spec,
    all: Arc<Snapshot>,
    options: MeasureOptions,
}

/// Numbers that are counted again and again, one time after the other; what was wished meanwhile and is out of date is skipped.
#[derive(Clone, Copy)]
struct Counting {
    /// The last that were counted.
    counted: RwSignal<Option<Report>>,
    /// What is to be counted next.
    wish: StoredValue<Option<Wish>>,
    is_busy: StoredValue<bool>,
    /// Whether more results will come soon, so that counting must leave the processor to the running episodes.
    driven: Memo<bool>,
}

impl Counting {
    fn new(driven: Memo<bool>) -> Self {
        Counting {
            counted: RwSignal::new(None),
            wish: StoredValue::new(None),
            is_busy: StoredValue::new(false),
            driven,
        }
    }

    fn count(self, wish: Wish) {
        self.wish.set_value(Some(wish));
        if self.is_busy.get_value() {
            return;
        }
        self.is_busy.set_value(true);
        spawn_local(async move {
            while let Some(wish) = self.wish.try_update_value(Option::take).flatten() {
                let begun = clock::now();
                // Where the code cannot be had, the numbers stay as they were.
                if let Ok(counting) = counted_here(wish.spec, wish.all, wish.options).await
                    && let Some(report) = counting.await
                {
                    self.counted.put(report);
                }
                let rested = clock::now() + (clock::now() - begun) * SHARE;
                while self.driven.try_get_untracked() == Some(true) && clock::now() < rested {
                    clock::sleep(REST).await;
                }
            }
            self.is_busy.try_set_value(false);
        });
    }
}

/// What the server says: asked at once, and again whenever more has ended or the run has come to another state. Of a run that is
/// over it is then asked how long seats took, too; for that it reads every transcript.
fn told(id: &RunId, view: RunView, driven: Memo<bool>) -> RwSignal<Told> {
    let told = RwSignal::new(Told::Waiting);
    let stands = Memo::new(move |_| view.info.map(|info| (info.finished, info.state)));
    // Tells what is wanted now from late answers to earlier wishes.
    let wish = StoredValue::new(0_u64);
    let wants_times = Memo::new(move |_| {
        let is_over = stands.get().is_some_and(|(_, state)| state.is_over());
        is_over && told.with(|told| matches!(told, Told::Report { has_times: false, .. }))
    });
    let of_times = id.clone();
    Effect::new(move |_| {
        if !wants_times.get() {
            return;
        }
        let (id, own) = (of_times.clone(), wish.get_value());
        spawn_local(async move {
            // Without them the page says nothing about time; everything else is there.
            if let Ok(report) = api::report_with_times(&id).await
                && wish.try_get_value() == Some(own)
            {
                told.try_set(Told::Report { report: Box::new(report), has_times: true });
            }
        });
    });
    let id = id.clone();
    Effect::new(move |before: Option<Option<_>>| {
        let now = stands.get();
        // What was asked when the page was opened holds for the head that came at the same time.
        let is_first_head = before == Some(None) && now.is_some();
        let is_driven = driven.get();
        if is_driven || !is_first_head {
            wish.update_value(|wish| *wish += 1);
        }
        if is_driven {
            // What was said of the run before says nothing of it once it has gone on.
            told.set(Told::Waiting);
        } else if !is_first_head {
            let id = id.clone();
            let own = wish.get_value();
            spawn_local(async move {
                let answer = match api::report(&id).await {
                    Ok(report) => Told::Report { report: Box::new(report), has_times: false },
                    Err(_) => Told::Nothing,
                };
                if wish.try_get_value() == Some(own) {
                    told.try_set(answer);
                }
            });
        }
        now
    });
    told
}
