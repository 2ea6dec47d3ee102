//! For those who have runs: what is running now, and the last five.

use crate::components::run_row::run_row;
use crate::pages::runs::source;
use crate::prelude::*;
use crate::view::listed::Wanted;

/// The number of runs that are listed.
const LAST: usize = 5;

#[component]
pub fn Recent(
    /// Whether the server has said what it offers, or could not.
    asked: RwSignal<bool>,
    /// Whether the list of all runs is closed to this visitor.
    is_visitor: Memo<bool>,
) -> impl IntoView {
    let running: RwSignal<Vec<RunInfo>> = RwSignal::new(Vec::new());
    let last: RwSignal<Vec<RunInfo>> = RwSignal::new(Vec::new());
    Effect::new(move |_| {
        if !asked.get() {
            return;
        }
        let mine = is_visitor.get_untracked();
        spawn_local(async move {
            let some = async |state: Option<RunState>| {
                let filter = Filter { state, ..Filter::default() };
                let wanted = Wanted { filter, mine, ..Wanted::default() };
                // The page of all runs says why, if they cannot be had.
                let found = source::next(&wanted, None).await;
                let (mut found, _) = found.unwrap_or_default();
                found.sort_by_key(|run| std::cmp::Reverse(run.opened));
                found
            };
            let mut found = some(None).await;
            let going = match mine || found.len() < source::PORTION {
                true => found.clone(),
                false => some(Some(RunState::Running)).await,
            };
            let going = going.into_iter();
            running.try_set(going.filter(|run| run.state == RunState::Running).collect());
            found.retain(|run| run.state != RunState::Running);
            found.truncate(LAST);
            last.try_set(found);
        });
    });
    let list = move |id: &'static str, head: &'static str, runs: RwSignal<Vec<RunInfo>>| {
        (!runs.with(Vec::is_empty)).then(|| {
            let rows = runs.with(|runs| {
                let rows = runs.iter().map(|run| run_row(run, None, (), ()));
                rows.collect_view()
            });
            view! {
                <section class="section" id=id>
                    <div class="section-head">
                        <h2>{head}</h2>
                        <a class="push" href="/runs">
                            "All runs"
                        </a>
                    </div>
                    <ul class="run-list" aria-label=head>
                        {rows}
                    </ul>
                </section>
            }
        })
    };
    view! {
        {move || list("home-running", "Running now", running)}
        {move || list("home-runs", "Last runs", last)}
    }
}
