//! Splits long work into pieces too short to notice: readers feel a page that is busy for 50 milliseconds.

use crate::clock;
use crate::prelude::*;
use crate::view::survey::Survey;

/// Milliseconds of work after which the browser has its turn, where nothing says otherwise.
const STINT: f64 = 8.0;

/// How many episodes are processed between two looks at the clock.
const AT_ONCE: usize = 64;

/// Runs of more episodes are long: what is done with all of them takes milliseconds.
pub const LONG: usize = 1000;

/// Work that may take long: the browser gets a turn after this many milliseconds of it.
pub struct Stint {
    began: f64,
    most: f64,
}

impl Stint {
    /// It begins now, and the browser has its turn after `most` milliseconds.
    pub fn of(most: f64) -> Self {
        let began = clock::now();
        Stint { began, most }
    }

    /// It begins now, and the browser has its turn after some milliseconds.
    pub fn begin() -> Self {
        Stint::of(STINT)
    }

    /// Whether the browser should have its turn.
    pub fn is_over(&self) -> bool {
        clock::now() - self.began > self.most
    }

    /// The browser had a turn just now.
    pub fn begin_anew(&mut self) {
        self.began = clock::now();
    }

    /// Gives the browser its turn.
    pub async fn breathe(&mut self) {
        clock::breathe().await;
        self.begin_anew();
    }

    /// Gives the browser its turn if it should have one.
    pub async fn breathe_if_over(&mut self) {
        if self.is_over() {
            self.breathe().await;
        }
    }
}

/// The results of the surveys that `read` starts, each with the episodes it covers: nothing at first; at once where these are
/// few, and else a few at a time, so that the browser gets its turns in between, and one before the result is read. If another
/// survey begins meanwhile, the previous one is abandoned.
///
/// To be called inside a component.
pub fn surveyed<S>(
    read: impl Fn() -> Option<(Arc<Snapshot>, S)> + 'static,
) -> RwSignal<Option<Arc<S::Found>>>
where
    S: Survey + 'static,
    S::Found: Send + Sync + 'static,
{
    let found = RwSignal::new(None);
    let newest = StoredValue::new(0_u64);
    Effect::new(move |_| {
        let begun = read();
        newest.update_value(|newest| *newest += 1);
        let own = newest.get_value();
        let Some((all, mut survey)) = begun else {
            found.set(None);
            return;
        };
        spawn_local(async move {
            let is_newest = || newest.try_get_value() == Some(own);
            let is_long = all.len() > LONG;
            let mut stint = Stint::begin();
            if is_long {
                stint.breathe().await;
            }
            for start in (0..all.len()).step_by(AT_ONCE) {
                for place in start..all.len().min(start + AT_ONCE) {
                    survey.look(&all, place);
                }
                stint.breathe_if_over().await;
                if !is_newest() {
                    return;
                }
            }
            let done = Arc::new(survey.found(&all));
            if is_long {
                stint.breathe().await;
            }
            if is_newest() {
                found.put(done);
            }
        });
    });
    found
}
