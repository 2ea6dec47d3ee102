//! What the form needs from elsewhere: what the server offers, tasks, earlier runs, recordings.

use turnwise_shared::benchmark::BuiltTasks;
use turnwise_shared::wire::Access;

use super::seats::known;
use super::{Draft, Loaded, Making};
use crate::prelude::*;
use crate::{api, clock, keep, library};

/// Runs that are offered as recordings.
const RECORDINGS: u32 = 50;

/// Milliseconds between two drawings of the progress of a set that is built.
const DRAWN: f64 = 80.0;

/// Loads what the choice needs, and again whenever it changes.
pub(super) fn load(draft: Draft, search: String) {
    spawn_local(async move {
        let found = match api::about().await {
            Ok(about) => Loaded::Ready(about),
            Err(problem) => Loaded::Failed(problem),
        };
        let can_list = found
            .ready()
            .is_some_and(|about| about.access == Access::Open || keep::access_token().is_some());
        draft.about.try_set(found);
        known::seat_last(draft, &search);
        if !can_list {
            return;
        }
        // Without a list of runs there is nothing to choose from, and nothing else is missing.
        if let Ok(runs) = api::runs(None, RECORDINGS).await {
            draft.runs.try_set(runs);
        }
    });
    let wanted = Memo::new(move |_| {
        let benchmark = draft.benchmark().name();
        (benchmark, draft.config.with(|config| config.tasks.clone()))
    });
    Effect::new(move |_| {
        let (_, name) = wanted.get();
        let benchmark = draft.benchmark();
        if benchmark.task_source() == TaskSource::Spec {
            // They follow from the choice, and so are always at hand.
            draft.tasks.set(Loaded::Loading);
            return;
        }
        let is_named = draft
            .tasks
            .with_untracked(|tasks| tasks.ready().is_some_and(|tasks| tasks.name == name));
        if is_named && draft.tasks_of.get_value() == benchmark.name() {
            return;
        }
        draft.tasks.set(Loaded::Loading);
        draft.making.set(Making::default());
        spawn_local(async move {
            let is_wanted = || {
                wanted
                    .try_get_untracked()
                    .is_some_and(|(game, now)| game == benchmark.name() && now == name)
            };
            let found = match benchmark.built_tasks(&name) {
                Some(to_build) => match build(draft, &name, to_build, is_wanted).await {
                    Some(found) => found,
                    None => return,
                },
                None => library::tasks_by_name(benchmark, &name).await,
            };
            if !is_wanted() {
                return;
            }
            match found {
                Ok(tasks) => draft.take_tasks(benchmark, Arc::new(tasks)),
                Err(problem) => drop(draft.tasks.try_set(Loaded::Failed(problem))),
            }
        });
    });
    let recording = Memo::new(move |_| {
        draft.config.with(|config| match config.seats.get(&Seat::new(Seat::PLAYER)) {
            Some(Player::Recording(name)) => Some(name.clone()),
            _ => None,
        })
    });
    Effect::new(move |_| {
        let Some(name) = recording.get() else {
            draft.recording.set(None);
            return;
        };
        draft.recording.set(Some(Loaded::Loading));
        spawn_local(async move {
            let found = match library::recording(&name).await {
                Ok(recording) => Loaded::Ready(Arc::new(recording)),
                Err(problem) => Loaded::Failed(problem),
            };
            if recording.try_get_untracked().flatten() == Some(name) {
                draft.recording.put(found);
            }
        });
    });
}

/// Builds tasks as long as they are wanted, and shows how far it is; `None` if they are not wanted any more.
async fn build(
    draft: Draft,
    name: &str,
    to_build: BuiltTasks,
    is_wanted: impl Fn() -> bool,
) -> Option<Result<TaskSet, ApiError>> {
    let of = to_build.count;
    let mut drawn = f64::NEG_INFINITY;
    let each = |done: u32| {
        let wanted = is_wanted();
        if wanted && (clock::now() - drawn > DRAWN || done == of) {
            drawn = clock::now();
            draft.making.try_set(Making { done, of });
        }
        wanted
    };
    match library::built(name, to_build, each).await {
        Ok(set) => set.map(Ok),
        Err(why) => {
            draft.making.try_set(Making::default());
            Some(Err(why))
        }
    }
}
